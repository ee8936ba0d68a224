"""What stands in place of a text is noted, in small calls and in large ones; ordinary texts that look alike are not."""

import pytest

from polyrouge import Rouge
from polyrouge.errors import hearing_warnings

CAT = "the cat sat"
# Predictions and references by the kind of note that they give.
FILES = ["data/ref/001.txt", "data/ref/002.txt", "data/ref/003.txt"]
CATS = ["the cat sat", "a dog ran", "red fox"]
NOTED = {
    "addresses": [
        (CATS, FILES),
        (CATS, ["/data/ref/1", r"C:\refs\2", "./refs/3"]),
        (["今天天气好", "天气不错", "很好"], ["参考/1.txt", "参考/2.txt", "参考/3.txt"]),
        (FILES, CATS),
    ],
    "failures": [
        (["Error: Rate limit exceeded"] * 3 + CATS, CATS * 2),
        (["Traceback (most recent call last):\n  File"] * 3, CATS),
        (["I'm sorry, but I can't help with that."] * 3, CATS),
    ],
    "class_labels": [
        ([*"ABCDABCDAB"], [*"ABDCABDCAA"]),
        (["The answer is A."] * 10, [*"ABCDABCDAB"]),
        (["正面", "负面", "正面", "正面"] * 4, ["负面", "负面", "正面", "正面"] * 4),
    ],
    "escaped_bytes": [
        ([CAT], ["the%20cat%20sat%2C%20and"]),
        (["the=20cat=20sat=20down"], [CAT]),
    ],
    "parted_texts": [
        ([CAT, CAT], ["a cat sat", "a cat lay ||| a dog ran"]),
        ([CAT], [["a cat ||| a dog", "a hen"]]),
        ([CAT] * 3, ["a cat || a dog"] * 3),
    ],
    "json_answers": [
        ([CAT], ['{"summary": "a cat sat"}']),
        (['```json\n{"summary": "a cat sat"}\n```'], [CAT]),
        ([CAT, *['{"摘要": "今天"}'] * 3], [*CATS, CAT]),  # the first row holds none
        (['{"summary": "a cat sat"}\n{"summary": "a dog"}'], [CAT]),
    ],
    "json_cut_off": [
        (['Here it is:\n```json\n{\n  "summary": "the cat s'], [CAT]),
        (["{'summary': 'the cat s"], [CAT]),
    ],
    "json_on_both_sides": [
        (['{"summary": "a cat"}'], [['{"text": "a dog"}', CAT]]),
        (['{"summary": "a cat'], ['{"summary": "a dog"}']),
    ],
    "boxed_answers": [
        (["\\boxed{\\frac{1}{2}}"], ["\\frac{1}{2}"]),
        (["2", "3", *["\\boxed {4}"] * 3], list("23456")),
    ],
    "latex": [
        (["1/2"], ["\\frac{1}{2}"]),
    ],
}
ORDINARY = {
    "addresses": [
        (CATS[:2], FILES[:2]),  # too few to tell
        (["https://a.org/1"] * 3, ["https://a.org/2"] * 3),  # addresses are asked for
        (CATS, ["see https://a.org/1", "https://a.org/2", "https://a.org/3"]),
        (CATS, ["and/or", "a dog", "he/she"]),
    ],
    "failures": [
        (["Error: Rate limit exceeded"] * 2 + CATS, CATS + CATS[:2]),
        (["Error bars show it", "Errors are rare", "Error of the scale"], CATS),
        (["Error: no such file"] * 3, ["Error: no such folder"] * 3),  # errors are asked for
    ],
    "class_labels": [
        ([*"ABCDABC"], [*"ABDCABD"]),  # too few to tell
        ([f"text {n} of it" for n in range(16)], ["Paris", "Rome"] * 8),
    ],
    "escaped_bytes": [
        (["see https://a.org/the%20cat%20sat%E4%BB%8A"], [CAT]),
        (["up 50%20 or so", "100%25 and 20%30"], ["a rise of 50%20", "x"]),
        (["a=20, b=30, x=E4", "x=20\ny=20"], ["a=20", "y"]),
        (["printf('%20s%20d%20f', x)"], ["a cat"]),
    ],
    "parted_texts": [
        ([f"{CAT} ||| a dog ran"], ["a cat sat ||| a dog"]),  # as a mark between sentences
        ([CAT] * 2, ["if a || b then c"] * 2),
        ([CAT], ["|||\n|---|---|\n|a|||b|"]),  # an empty head, and an empty cell
    ],
    "json_answers": [
        ([f"{CAT} and " * 9 + '{"a": "b"}'], [CAT]),  # in a long text
        (["a {red} cat", "{{name}}", "x = {1: 2}"], CATS),
        (['{"summary": "a cat sat"}'], ['{"summary": "a cat sat"}']),
        ([CAT, CAT, '{"a": "b"}'], CATS),  # in a later row
    ],
    "json_cut_off": [(['{"a" cat', "{a: cat", "a {'red': cat" + " and more" * 9], CATS)],
    "json_on_both_sides": [(["{a} cat"], ["{a} dog"]), (['{"a": "b"}'], [CAT])],
    "boxed_answers": [
        (["\\boxed{4}"], ["\\boxed{5}"]),
        (["\\boxed{4}", *CATS, CAT], ["4", *CATS, CAT]),  # in one row of many
    ],
    "latex": [
        (["$\\frac{1}{2}$"], ["$\\sqrt{2}$"]),
        (["C:\\times\\x", "a\\nequal b", "the $5 and $6"], CATS),
        (["\\alpha", *CATS, CAT], ["alpha", *CATS, CAT]),
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


def test_one_note_takes_the_place_of_another():
    assert kinds_of([CAT], ["a cat sat ||| a dog ran"], sentence_split="|||") == []
    assert kinds_of(["Error: Rate limit exceeded"] * 4, [*CATS, CAT]) == ["failures"]
    assert kinds_of([f"Error: {text}" for text in CATS], CATS) == ["labels"]
    assert kinds_of([f'Summary: {{"summary": "{text}"}}' for text in CATS], CATS) == ["json_answers"]
    predictions = ['<think>{"a": 1}</think>{"summary": "a cat"}']
    assert kinds_of(predictions, [CAT]) == ["thoughts"]
    assert kinds_of(predictions, [CAT], prepare=["model_output"]) == ["json_answers"]


N_REFERENCES = 3
REPEATED = [text for text in CATS for _ in range(N_REFERENCES)]
OF_ROWS = [f"{text} {n}" for text in CATS for n in range(N_REFERENCES)]


@pytest.mark.parametrize("n_times", [1, 500])
@pytest.mark.parametrize("is_listed", [False, True])
def test_a_row_for_each_reference_is_noted(is_listed, n_times):
    times = [f" {n}" for n in range(n_times)]
    predictions, references = ([text + time for time in times for text in texts] for texts in (REPEATED, OF_ROWS))
    rows = [[text] for text in references] if is_listed else references
    assert kinds_of(predictions, rows) == ["references_in_rows"]


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (OF_ROWS, REPEATED),  # samples of one row
        (REPEATED, REPEATED),
        ([CAT] * 9, OF_ROWS),  # one answer for all
        (REPEATED * 2, OF_ROWS * 2),
        (["yes", "yes", "no", "no", "maybe", "maybe"], ["yes", "yes", "no", "yes", "maybe", "no"]),
        (REPEATED, CATS * N_REFERENCES),  # every text beside every other one
    ],
)
def test_equal_predictions_are_not(predictions, references):
    assert "references_in_rows" not in kinds_of(predictions, references)
