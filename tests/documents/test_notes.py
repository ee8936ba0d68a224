"""Notes: each a function of a sample; what was noticed in all texts adds up over chunks."""

import itertools
import re
import warnings

import pytest
from catalogue_cases import read_catalogue
from entrances import outcome_at

from polyrouge import Rouge, RougeWarning
from polyrouge.documents import notes as module
from polyrouge.documents.input_notes import InputNotes, ReadingNotes
from polyrouge.documents.notes import NOTES, messages_of
from polyrouge.errors import hearing_warnings
from polyrouge.inputs import check_inputs

_, CASES = read_catalogue()
# What the machine decides: its jieba, its NLTK data.
OF_THE_MACHINE = {"another_jieba", "words_added_to_jieba", "stop_words_missing"}


def name_of(note):
    """The function's name, with the column that it is of."""
    return getattr(note, "__name__", None) or f"{note.func.__name__} {note.args[0]}"


def test_every_note_has_a_row_in_the_catalogue(monkeypatch, tmp_path):
    said = set()

    def heard(note):
        def look(sample):
            sentence = note(sample)
            if sentence is not None:
                said.add(name_of(note))
            return sentence

        return look

    monkeypatch.setattr(module, "NOTES", tuple(map(heard, NOTES)))
    monkeypatch.chdir(tmp_path)
    for case in CASES:
        if "compute" not in case.not_at and not case.needs_others and case.expected("compute").get("warns"):
            outcome_at("compute", case, {})
    assert said | OF_THE_MACHINE == set(map(name_of, NOTES))


SEEN = [
    ReadingNotes(),
    ReadingNotes(lost_text="a", n_rows=2),
    ReadingNotes(lost_text="b", tokenless_text="…", n_rows=1, blank_columns=frozenset()),
    ReadingNotes(has_breaks=True, blank_columns=frozenset({"reference"}), written_lists=(("prediction", "['a']"),)),
    ReadingNotes(other_jieba="0.43", leaves_references=True, written_lists=(("prediction", "['b']"),)),
]


@pytest.mark.parametrize(("first", "second", "third"), [*itertools.product(SEEN, repeat=3)])
def test_what_was_noticed_adds_up(first, second, third):
    assert (first | second) | third == first | (second | third)
    assert first | ReadingNotes() == ReadingNotes() | first == first
    assert (first | second).lost_text == (first.lost_text or second.lost_text)
    assert (first | second).blank_columns == first.blank_columns & second.blank_columns


@pytest.mark.parametrize("tokenizer", ["mixed", "zh_char", "space"])
def test_chunks_say_what_the_whole_says(tokenizer):
    rouge = Rouge(tokenizer=tokenizer, rouge_types=["rouge1", "rougeLsum"])
    predictions = [
        "ok",
        "今天天气很好。我们去公园",
        "วันนี้อากาศดีมากเราไปเดินเล่นกัน",
        "학교에 갔다",
        "ＡＩ",
        "<think>x</think>y",
    ]
    references = ["ok", "我们去公园。今天天气很好", "วันนี้อากาศดี", "학교는 갔다", "AI", "y"]
    inputs = check_inputs(predictions, references)

    whole, parts = (InputNotes(rouge.settings.text_rules) for _ in range(2))
    whole.look_at(inputs, 0, len(predictions))
    for start in range(len(predictions)):
        parts.look_at(inputs, start, start + 1)

    said = list(messages_of(whole))
    assert said == list(messages_of(whole)) == list(messages_of(parts))
    assert len(said) >= 3
    with hearing_warnings() as heard:
        rouge.compute(predictions, references)
    assert set(said) <= set(heard)


@pytest.mark.parametrize("sizes", [(3,), (1, 2), (2, 1, 1)])
def test_a_column_is_blank_where_all_rows_of_all_chunks_are(sizes):
    notes, other = (InputNotes(Rouge().settings.text_rules) for _ in range(2))
    for number, size in enumerate(sizes):
        notes.look_at(check_inputs(["a"] * size, [""] * size), 0, size)
        other.look_at(check_inputs(["a"] * size, ["b" if number == 0 else ""] * size), 0, size)
    assert [text[:24] for text in messages_of(notes)] == ["Every reference is empty"]
    assert list(messages_of(other)) == []


@pytest.mark.parametrize("n_rows", [1, 3000])
@pytest.mark.parametrize("convention", ["default", "pltrdy", "lm_eval_longbench", "opencompass_zh"])
def test_the_remedy_of_markdown_gives_the_score_of_plain_text(convention, n_rows):
    rouge = Rouge(convention)
    plain, marked = ["a cat\nthe dog"] * n_rows, ["1. a **cat**\n2. the dog"] * n_rows
    steps = ["markup", *rouge.settings.prepare]  # those of the convention stay
    with pytest.warns(RougeWarning, match=re.escape(f"prepare={steps!r} takes them out")):
        assert rouge.compute(marked, plain) != rouge.compute(plain, plain)
    assert rouge.compute(marked, plain, prepare=steps) == rouge.compute(plain, plain)
    with warnings.catch_warnings(action="error"):  # as much on both sides
        rouge.compute(marked, marked)


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
@pytest.mark.parametrize("depth", [500, 900, 980, 3000])
def test_an_answer_nested_deep_is_scored(depth):
    answer = '{"a":' * depth + '"b"' + "}" * depth
    assert Rouge().compute([answer], ["a b"])["rouge1"] > 0


@pytest.mark.parametrize(
    ("text", "noted"), [("a <pad>", "holds marks such as '<pad>'"), ("**a** b\n- c\n- d", "hold Markdown")]
)
def test_functions_of_a_user_get_no_text_that_was_not_given(text, noted):
    def tokens(given):
        assert given in text
        return given.split()

    def sentences(given):
        assert given in text
        return given.split("\n")

    rouge = Rouge(tokenizer=tokens, sentence_split=sentences)
    with pytest.warns(RougeWarning, match=re.escape(noted)):
        rouge.compute([text], ["a"])
