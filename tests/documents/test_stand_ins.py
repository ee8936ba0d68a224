"""What stands in place of a text is noted, in small calls and in large ones; ordinary texts that look alike are not."""

import pytest

from polyrouge import Rouge
from polyrouge.errors import hearing_warnings

CAT = "the cat sat"
# Predictions and references by the kind of note that they give.
NOTED = {
    "parted_texts": [
        ([CAT], ["a cat sat ||| a cat lay"]),
        ([CAT, CAT], ["a cat sat", "a cat lay ||| a dog ran"]),
        ([CAT], ["a cat|||a dog"]),
        (["今天天气好"], ["今天天气很好 ||| 天气不错"]),
        ([CAT], [["a cat ||| a dog", "a hen"]]),
        ([f"{CAT} ||| a dog"], [CAT]),
        ([CAT] * 3, ["a cat || a dog"] * 3),
    ],
}
ORDINARY = {
    "parted_texts": [
        ([f"{CAT} ||| a dog ran"], ["a cat sat ||| a dog"]),  # as a mark between sentences
        ([CAT] * 2, ["if a || b then c"] * 2),
        ([CAT] * 3, ["if a || b then c", CAT, "D(p||q) is finite"]),
        ([CAT], ["|||\n|---|---|\n|a|||b|"]),  # an empty head, and an empty cell
        ([CAT], ["a | b ||| c | d"]),
        ([CAT], ["|||"]),
    ],
}


def kinds_of(predictions, references, **settings):
    """The kinds of the notes of a call."""
    with hearing_warnings() as heard:
        Rouge(rouge_types=["rouge1"], **settings).compute(predictions, references)
    return [getattr(note, "kind", "") for note in heard]


def cases(table):
    return [
        pytest.param(kind, *pair, id=f"{kind} {number}")
        for kind, pairs in table.items()
        for number, pair in enumerate(pairs)
    ]


@pytest.mark.parametrize("n_times", [1, 500])  # beyond 1,000 pairs no quick look is taken
@pytest.mark.parametrize(("kind", "predictions", "references"), cases(NOTED))
def test_what_stands_in_place_of_a_text_is_noted(kind, predictions, references, n_times):
    assert kind in kinds_of(predictions * n_times, references * n_times)


@pytest.mark.parametrize(("kind", "predictions", "references"), cases(ORDINARY))
def test_ordinary_texts_are_not(kind, predictions, references):
    assert kind not in kinds_of(predictions, references)


def test_a_mark_that_cuts_sentences_parts_no_references():
    assert kinds_of([CAT], ["a cat sat ||| a dog ran"], sentence_split="|||") == []
