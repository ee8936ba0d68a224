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
        (CATS, ["https://a.org/1", "https://a.org/2", "http://b.cn/c?d=e"]),
        (CATS, ["/data/ref/1", r"C:\refs\2", "./refs/3"]),
        (["今天天气好", "天气不错", "很好"], ["参考/1.txt", "参考/2.txt", "参考/3.txt"]),
        (FILES, CATS),
    ],
    "failures": [
        (["Error: Rate limit exceeded"] * 3 + CATS, CATS * 2),
        ([f"ERROR: 429, retry in {n} s" for n in range(3)], CATS),
        (["Traceback (most recent call last):\n  File"] * 3, CATS),
        (["openai.RateLimitError: Error code: 429"] * 3, CATS),
        (["I'm sorry, but I can't help with that."] * 3, CATS),
        (["抱歉，我无法回答这个问题。"] * 3, CATS),
        (["请求失败：超时"] * 3, CATS),
    ],
    "class_labels": [
        ([*"ABCDABCDAB"], [*"ABDCABDCAA"]),
        (["The answer is A."] * 10, [*"ABCDABCDAB"]),
        ([*"0123012301"], [*"0110011001"]),
        (["(A)", "(B)"] * 5, ["(B)", "(A)"] * 5),
        (["yes", "no", "yes", "yes"] * 4, ["no", "no", "yes", "yes"] * 4),
        (["正面", "负面", "正面", "正面"] * 4, ["负面", "负面", "正面", "正面"] * 4),
    ],
    "escaped_bytes": [
        (["the%20cat%20sat"], [CAT]),
        ([CAT], ["the%20cat%20sat%2C%20and"]),
        (["%E4%BB%8A%E5%A4%A9%E5%A4%A9%E6%B0%94"], ["今天天气"]),
        ([CAT, "caf%C3%A9 au lait"], [CAT, "café au lait"]),
        (["the=20cat=20sat=20down"], [CAT]),
        (["=E4=BB=8A=E5=A4=A9"], ["今天"]),
        (["it=E2=80=99s a cat"], ["it's a cat"]),
    ],
    "parted_texts": [
        ([CAT], ["a cat sat ||| a cat lay"]),
        ([CAT, CAT], ["a cat sat", "a cat lay ||| a dog ran"]),
        ([CAT], ["a cat|||a dog"]),
        (["今天天气好"], ["今天天气很好 ||| 天气不错"]),
        ([CAT], [["a cat ||| a dog", "a hen"]]),
        ([f"{CAT} ||| a dog"], [CAT]),
        ([CAT] * 3, ["a cat || a dog"] * 3),
    ],
    "json_answers": [
        (['{"summary": "a cat sat"}'], [CAT]),
        ([CAT], ['{"summary": "a cat sat"}']),
        (['```json\n{"summary": "a cat sat"}\n```'], [CAT]),
        (['Here it is:\n{"summary": "a cat sat"}\nAnything more?'], [CAT]),
        ([CAT, *['{"摘要": "今天"}'] * 3], [*CATS, CAT]),  # the first row holds none
        (['[{"summary": "a cat"}, {"summary": "a dog"}]'], [CAT]),
        (["{'score': 5}"], [CAT]),
        (['{"summary": "a cat sat"}\n{"summary": "a dog"}'], [CAT]),
    ],
    "json_cut_off": [
        (['{"summary": "the cat s'], [CAT]),
        (['Here it is:\n```json\n{\n  "summary": "the cat s'], [CAT]),
        (['{"summary": "a "red" cat"}'], [CAT]),
        (['[{"summary": "the cat s'], [CAT]),
        (["{'summary': 'the cat s"], [CAT]),
    ],
    "json_on_both_sides": [
        (['{"summary": "a cat"}'], ['{"summary": "a dog"}']),
        (['{"summary": "a cat"}'], [['{"text": "a dog"}', CAT]]),
        (['{"summary": "a cat'], ['{"summary": "a dog"}']),
        (['{"n": 1}'], ['{"n": 2}']),
    ],
    "boxed_answers": [
        (["So it is \\boxed{42}."], ["42"]),
        (["\\boxed{\\frac{1}{2}}"], ["\\frac{1}{2}"]),
        (["答案是 $\\boxed{42}$。"], ["42"]),
        (["2", "3", *["\\boxed {4}"] * 3], list("23456")),
    ],
    "latex": [
        (["$\\text{Paris}$"], ["Paris"]),
        (["1/2"], ["\\frac{1}{2}"]),
        (["3 \\times 4"], ["12"]),
    ],
}
ORDINARY = {
    "addresses": [
        (CATS[:2], FILES[:2]),  # too few to tell
        (["https://a.org/1"] * 3, ["https://a.org/2"] * 3),  # addresses are asked for
        (CATS, ["see https://a.org/1", "https://a.org/2", "https://a.org/3"]),
        (CATS, ["and/or", "a dog", "he/she"]),
        (["今天"] * 3, ["今天天气/很好。", "天气。", "好"]),
    ],
    "failures": [
        (["Error: Rate limit exceeded"] * 2 + CATS, CATS + CATS[:2]),
        (["Error bars show it", "Errors are rare", "Error of the scale"], CATS),
        (["Error: no such file"] * 3, ["Error: no such folder"] * 3),  # errors are asked for
        (["I'm sorry to hear of the cat", "I'm sorry for the dog", "I'm sorry"], CATS),
        (["对不起"] * 3, ["没关系"] * 3),
        (["the same text"] * 5, CATS + CATS[:2]),
    ],
    "class_labels": [
        ([*"ABCDABC"], [*"ABDCABD"]),  # too few to tell
        (["42"] * 10, [str(n) for n in range(40, 50)]),  # numbers
        (["a cat sat"] * 10, ["Paris"] * 10),  # samples of one answer
        ([f"text {n} of it" for n in range(16)], ["Paris", "Rome"] * 8),
        (["今天天气很好"] * 8 + ["天气不错啊"] * 8, ["今天天气很好", "天气不错啊"] * 8),
        (["a cat", "a dog"] * 8, ["a dog", "a cat"] * 8),
    ],
    "escaped_bytes": [
        (["see https://a.org/the%20cat%20sat%E4%BB%8A"], [CAT]),
        (["up 50%20 or so", "100%25 and 20%30"], ["a rise of 50%20", "x"]),
        (["a=20, b=30, x=E4", "x=20\ny=20"], ["a=20", "y"]),
        (["今天%20的"], ["今天"]),
        (["printf('%20s%20d%20f', x)"], ["a cat"]),
        (["the %20 is a blank, %C3%A is not"], ["a cat"]),
    ],
    "parted_texts": [
        ([f"{CAT} ||| a dog ran"], ["a cat sat ||| a dog"]),  # as a mark between sentences
        ([CAT] * 2, ["if a || b then c"] * 2),
        ([CAT] * 3, ["if a || b then c", CAT, "D(p||q) is finite"]),
        ([CAT], ["|||\n|---|---|\n|a|||b|"]),  # an empty head, and an empty cell
        ([CAT], ["a | b ||| c | d"]),
        ([CAT], ["|||"]),
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
        (["a boxed{4}"], ["4"]),
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


def test_a_mark_that_cuts_sentences_parts_no_references():
    assert kinds_of([CAT], ["a cat sat ||| a dog ran"], sentence_split="|||") == []


def test_an_error_is_no_label():
    assert kinds_of(["Error: Rate limit exceeded"] * 4, [*CATS, CAT]) == ["failures"]
    assert kinds_of([f"Error: {text}" for text in CATS], CATS) == ["labels"]


def test_json_behind_thoughts_is_noted_once_they_are_left_out():
    predictions = ['<think>{"a": 1}</think>{"summary": "a cat"}']
    assert kinds_of(predictions, [CAT]) == ["thoughts"]
    assert kinds_of(predictions, [CAT], prepare=["model_output"]) == ["json_answers"]


def test_words_before_json_are_no_label():
    assert kinds_of([f'Summary: {{"summary": "{text}"}}' for text in CATS], CATS) == ["json_answers"]


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
        (REPEATED[:6], OF_ROWS[:6]),
        (REPEATED * 2, OF_ROWS * 2),
        ([""] * 9, OF_ROWS),
        (["yes", "yes", "no", "no", "maybe", "maybe"], ["yes", "yes", "no", "yes", "maybe", "no"]),
        ([CATS[0], *OF_ROWS, CATS[0]], [CAT] * 11),
        (REPEATED, CATS * N_REFERENCES),  # every text beside every other one
    ],
)
def test_equal_predictions_are_not(predictions, references):
    assert "references_in_rows" not in kinds_of(predictions, references)
