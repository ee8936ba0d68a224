"""A function that a call was given is not kept when the call is over."""

import gc
import weakref

import pytest

from polyrouge import Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", ["tokenizer", "sentence_split"])
def test_a_function_is_not_kept(engine, name):
    def function(text):
        return text.split()

    kept = weakref.ref(function)

    Rouge(rouge_types=["rouge1", "rougeLsum"], engine=engine, **{name: function}).compute(["a b"] * 20, ["a c"] * 20)

    del function
    gc.collect()
    assert kept() is None
