"""Outputs that look wrong: each rule at its bound, in several languages."""

import pytest

from polyrouge import Rouge, examine_systems
from polyrouge.beyond.error_analysis.faults import FAULTS, ends_a_sentence

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def rows_with(kind, predictions, references, rouge=None):
    examination = examine_systems({"s": predictions}, references, rouge)
    faults = {each.kind: each for each in examination.systems[0].faults}
    assert list(faults) == list(FAULTS)
    assert faults[kind].n_samples == len(faults[kind].samples)
    assert faults[kind].rule == FAULTS[kind]
    return list(faults[kind].samples)


def test_blank_texts_are_empty_and_texts_without_tokens_are_not():
    texts = ["", " \n", "!!!", "a", "。"]

    assert rows_with("empty", texts, ["a"] * 5) == [0, 1]
    assert rows_with("no_tokens", texts, ["a"] * 5) == [2, 4]


def test_short_is_below_half_and_long_above_twice():
    reference = "a b c d"
    texts = ["a", "a b", "a b c d e f g h", "a b c d e f g h i", "", "..."]

    assert rows_with("short", texts, [reference] * 6) == [0]
    assert rows_with("long", texts, [reference] * 6) == [3]
    assert rows_with("long", ["a b c"], [""]) == []
    # The best reference counts.
    assert rows_with("short", ["a b"], [["a b", "c d e f g h i j"]]) == []
    assert rows_with("short", ["a b"], [["x y", "a b c d e f"]]) == [0]


@pytest.mark.parametrize(
    ("text", "convention", "is_repeated"),
    [
        ("a b c d a b c d a b c d", "default", True),  # 6 of 10
        ("a b c d e 1 2 3 4 5 6 7 a b c d e", "default", False),  # 3 of 15
        ("a b c d e 1 2 3 4 5 6 a b c d e", "default", True),  # 3 of 14
        ("one two three four five. one two three four five", "default", True),  # the sentence, but for its mark
        ("她边边边边边边笑", "zh_char", True),
        ("今天天气很好。今天天气很好。", "zh_word", True),
    ],
)
def test_repeated(text, convention, is_repeated):
    assert rows_with("repeated", [text], ["x"], Rouge(convention)) == ([0] if is_repeated else [])


ENDS = (
    'It ends.¦He said "no."¦He said (no!)¦Really?\n¦etc...¦**done.**¦«Да.»¦„Ja.“¦يمشي؟¦वह गया।¦'
    "Գնաց։¦完了。¦“完了。”¦完了！）¦等等…¦これで終わり。」¦끝났다."
).split("¦")


def test_a_text_ends_with_a_mark_of_any_script():
    assert [text for text in ENDS if not ends_a_sentence(text)] == []
    open_ended = ["", " ", "It ends in the", "完了", "一，", "and:", "。然后", '"']
    assert [text for text in open_ended if ends_a_sentence(text)] == []


def test_truncated_only_where_references_end_with_a_mark():
    references = ["完了。"] * 8 + ["完了"] * 2

    assert rows_with("truncated", ["完"] * 9 + [""], references) == list(range(8))
    assert rows_with("truncated", ["完。"] * 10, references) == []
    headlines = examine_systems({"s": ["股市上涨"] * 5}, ["股市大涨。"] * 3 + ["股市大涨"] * 2).systems[0].faults
    assert [(each.applies, each.n_samples) for each in headlines if each.kind == "truncated"] == [(False, 0)]


def test_duplicates_are_of_samples_with_other_references():
    texts = ["same", "same ", "other", "same", "", ""]

    assert rows_with("duplicate", texts, ["a", "b", "c", "a", "d", "e"]) == [0, 1, 3]
    assert rows_with("duplicate", texts, ["a", "x", "c", "a", "d", "e"]) == [0, 1, 3]
    assert rows_with("duplicate", ["same", "same"], ["a", "a"]) == []
