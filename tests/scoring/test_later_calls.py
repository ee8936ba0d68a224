"""A metric that is called again and again looks at the texts of a part of its calls."""

import warnings

import pytest

from polyrouge import Rouge, RougeWarning


@pytest.mark.parametrize(
    ("prediction", "noted"),
    [
        # Thoughts: in the first hundred calls, and then in every sixteenth
        ("<think>hm</think> yes", [*range(1, 101), 112, 128, 144]),
        # A text that has lost all it had: in each call
        ("🙂", [*range(1, 151)]),
    ],
)
def test_calls_in_which_a_text_is_noted(prediction, noted):
    rouge, calls, results = Rouge("zh_word"), [], []
    for number in range(1, 151):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RougeWarning)
            results.append(rouge.compute([prediction], ["yes"]))
        calls += [number] * len(caught)
    assert calls == noted
    assert results == results[:1] * 150
