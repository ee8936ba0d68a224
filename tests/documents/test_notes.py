"""Notes: each a function of a sample; what was noticed in all texts adds up over chunks."""

import re

import pytest
from catalogue_cases import read_catalogue
from entrances import outcome_at

from polyrouge import Rouge, RougeWarning
from polyrouge.documents import notes as module
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import NOTES, messages_of
from polyrouge.errors import hearing_warnings
from polyrouge.inputs import check_inputs

# What the machine decides: its jieba, its NLTK data.
OF_THE_MACHINE = {"another_jieba", "words_added_to_jieba", "stop_words_missing"}


def name_of(note):
    """The function's name, with the column that it is of."""
    return getattr(note, "__name__", None) or f"{note.func.__name__} {note.args[0]}"


def test_every_note_has_a_row_in_the_catalogue(monkeypatch, tmp_path):
    notes = set()

    def heard(note):
        def look(sample):
            sentence = note(sample)
            notes.update([name_of(note)] if sentence is not None else [])
            return sentence

        return look

    monkeypatch.setattr(module, "NOTES", tuple(map(heard, NOTES)))
    monkeypatch.chdir(tmp_path)
    for case in read_catalogue()[1]:
        if "compute" not in case.not_at and not case.needs_others and case.expected("compute").get("warns"):
            outcome_at("compute", case, {})
    assert notes | OF_THE_MACHINE == set(map(name_of, NOTES))


@pytest.mark.parametrize("tokenizer", ["mixed", "zh_char", "space"])
def test_chunks_say_what_the_whole_says(tokenizer):
    rules = Rouge(tokenizer=tokenizer, rouge_types=["rouge1", "rougeLsum"]).settings.text_rules
    predictions = ["ok", "今天天气很好。我们去公园", "วันนี้อากาศดีมาก", "학교에 갔다", "ＡＩ", "<think>x</think>y"]
    inputs = check_inputs(predictions, ["ok", "我们去公园。今天天气很好", "วันนี้อากาศดี", "학교는 갔다", "AI", "y"])
    whole, parts = InputNotes(rules), InputNotes(rules)
    whole.look_at(inputs, 0, len(predictions))
    for start in range(len(predictions)):
        parts.look_at(inputs, start, start + 1)
    assert len(list(messages_of(whole))) >= 3
    assert list(messages_of(whole)) == list(messages_of(whole)) == list(messages_of(parts))


@pytest.mark.parametrize("sizes", [(3,), (2, 1, 1)])
def test_a_column_is_blank_where_all_rows_of_all_chunks_are(sizes):
    blank, mixed = (InputNotes(Rouge().settings.text_rules) for _ in range(2))
    for number, size in enumerate(sizes):
        blank.look_at(check_inputs(["a"] * size, [""] * size), 0, size)
        mixed.look_at(check_inputs(["a"] * size, ["b" if number == 0 else ""] * size), 0, size)
    assert [text[:24] for text in messages_of(blank)] == ["Every reference is empty"]
    assert list(messages_of(mixed)) == []


@pytest.mark.parametrize("n_rows", [1, 3000])
@pytest.mark.parametrize("convention", ["default", "pltrdy", "opencompass_zh"])
def test_the_remedy_of_markdown_gives_the_score_of_plain_text(convention, n_rows):
    rouge = Rouge(convention)
    plain, marked = ["a cat\nthe dog"] * n_rows, ["1. a **cat**\n2. the dog"] * n_rows
    steps = ["markup", *rouge.settings.prepare]  # those of the convention stay
    with pytest.warns(RougeWarning, match=re.escape(f"prepare={steps!r} takes them out")):
        assert rouge.compute(marked, plain) != rouge.compute(plain, plain)
    assert rouge.compute(marked, plain, prepare=steps) == rouge.compute(plain, plain)
    rouge.compute(marked, marked)  # as much on both sides; a RougeWarning is an error in tests


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
@pytest.mark.parametrize("depth", [500, 980, 3000])
def test_an_answer_nested_deep_is_scored(depth):
    answer = '{"a":' * depth + '"b"' + "}" * depth
    assert Rouge().compute([answer], ["a b"])["rouge1"] > 0


def test_functions_of_a_user_get_no_text_that_was_not_given():
    for text, kind in (("a <pad>", "markup"), ("**a** b\n- c\n- d", "markdown")):

        def tokens(given, text=text):
            assert given in text
            return given.split()

        with hearing_warnings() as notes:
            Rouge(tokenizer=tokens, sentence_split=lambda given, tokens=tokens: tokens(given)).compute([text], ["a"])
        assert [note.kind for note in notes if note.kind] == [kind]
