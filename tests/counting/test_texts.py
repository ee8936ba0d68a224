"""What a text becomes under every convention: its tokens are the same, whatever is asked for besides."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from language_packages import by_need, convention_settings
from strategies import texts as any_text

from polyrouge import CONVENTIONS, Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def rouge_of(name, engine, types):
    options = {"rouge_types": types, "weights": None, "multi_reference": "best", "aggregate": "mean"}
    return Rouge(name, **{**convention_settings(name), **options, "on_error": "score", "empty": "zero"}, engine=engine)


@pytest.mark.parametrize("name", by_need(CONVENTIONS))
@pytest.mark.parametrize("engine", ["plain", "compiled"])
@given(st.lists(st.tuples(any_text, any_text), min_size=1, max_size=3))
@example(
    [("", "a b c"), ("\n", " "), ("  ", "a  b"), ("。", "The cat. Sat!\non it"), ("today 今天。 很好！", "天气\u2028")]
)
@settings(max_examples=8)
def test_tokens_do_not_depend_on_the_types(name, engine, rows):
    predictions, references = map(list, zip(*rows, strict=True))
    few, all_types = (
        rouge_of(name, engine, types).count(predictions, references)
        for types in (["rouge1", "rouge2"], ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW"])
    )

    assert few.prediction_tokens.tolist() == all_types.prediction_tokens.tolist()
    assert few.reference_tokens.tolist() == all_types.reference_tokens.tolist()
    assert np.array_equal(few.counts, all_types.counts[:, :2])
