"""What looks like marks, letters pulled apart, or another language than English; and what does not."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrouge.texts import markdown
from polyrouge.texts.languages import language_of_stems, may_be_for_another_stemmer
from polyrouge.texts.markdown import first_markdown, may_have_markdown, without_markdown
from polyrouge.texts.markup import first_mark, has_spaced_han, has_spaced_letters, may_have_markup

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def texts_of(name):
    rows = map(json.loads, (EXAMPLES / name).read_text(encoding="utf-8").splitlines())
    return [text for row in rows for text in (row["prediction"], *row["references"])]


PIECES = [
    *("*", "**", "***", "`", "``", "```", "-", "---", "+", "_", "#", "## ", ">", "> ", "|", ":", "[", "](/a)", "•"),
    *("1.", "12、", "(3)", "（四）", "五、", "a", "b", " ", " ", "\n", "\n", "\u3000"),
]
ORDINARY = [*texts_of("en_news.jsonl"), *texts_of("zh_news.jsonl")]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("a <q> b", "<q>"),
        (r"第一。\n第二。", r"\n"),
        (r"a\r\n- b", r"\r\n"),
        ("<final_answer>a", "<final_answer>"),
        ("今<b>天", "<b>"),
        ("a <b>c, cut off", "<b>"),
        ("red fox.<q>blue cat", "<q>"),
        ("the fox<n>a cat", "<n>"),
        ("run ##ning", "##"),
        ("￭ , run", "￭"),
        ("a &nbsp; b", "&nbsp;"),
        ("the</w> c at</w>", "</w>"),
        ("a -lrb- b -rrb-", "-lrb-"),
        ("The Ġcat Ġsat", "Ġ"),
        ("▁The cat", "▁"),
        (r"caf\u00e9 na\u00efve r\u00e9sum\u00e9", r"\u00e9"),
        ("\x1b[31ma\x1b[0m", "\x1b[31m"),
    ],
)
def test_the_first_mark(text, mark):
    assert may_have_markup(text)
    assert first_mark(text) == mark


@pytest.mark.parametrize(
    "text",
    [
        *("x<b>y", "a<i>b", "width<b>height", "f(x)<a>(y)", "x<p>y", "x<s>y", "1<q>2", "Vec<span>rest"),
        *("if a<b and c>d then stop", "i<p && p>0", "vector<T>", "@@ -1,3 +1,4 @@ a", "cpu ▁▂▃ rises", "Map<B, C>"),
        *("List<End>", "a <= 0x0A", "a superb-looking", "a-LRB-b", "[NEWS] a", "<0xZZ>"),
        *("a < b > c", "1 <b2", "AT&T; R&D", "&nosuch;", "[1] a", "## Head", "#tag", "a@@b", "@-@", "Ġorġ kiel hawn"),
        *(r"$x, \nabla f \neq 0$", r"C:\new\notes", r"\right", r"[\u4e00-\u9fff]", r"\update \users"),
    ],
)
def test_what_is_no_mark(text):
    assert first_mark(text) is None


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("a **b**", "**"),
        ("# a\nb", "#"),
        ("a\n1. b\n2. c", "1."),
        ("```json\n{}\n```", "```json"),
        ("> a\nb", ">"),
        ("a\n***\nb", "***"),
        ("a [b](/c)", "["),
        ("\u3000\u3000一、甲\n\u3000\u3000二、乙", "一、"),
        ("a | b\n:-: | :-:\n", "|"),
    ],
)
def test_the_first_mark_of_markdown(text, mark):
    assert may_have_markdown(text)
    assert first_markdown(text) == mark


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12))
def test_the_quick_look_misses_no_mark_of_markdown(pieces):
    text = "".join([*pieces, "\n"])  # a text of one line that is a rule stays
    with patch.object(markdown, "may_have_markdown", lambda _: True):
        edits = list(without_markdown(text))
    assert may_have_markdown(text) or edits == []


def test_marks_of_quotation_are_no_markdown():
    for text in ("`` a cat , '' he said .\n`` a dog ''", "2 * 3 * 4", "a cat .\n  19 dogs .\n(a) mouse", "` a '"):
        assert not may_have_markdown(text)


def test_ordinary_texts_have_no_marks_and_are_not_pulled_apart():
    for text in ORDINARY:
        assert first_mark(text) is None
        assert first_markdown(text) is None
        assert not has_spaced_han(text)
        assert not has_spaced_letters(text)


def test_texts_that_are_pulled_apart():
    for text in texts_of("zh_news.jsonl"):
        assert all(has_spaced_han(blank.join(text)) for blank in (" ", "\u3000", "\u00a0", "  "))
    for text in texts_of("en_news.jsonl"):
        assert has_spaced_letters(" ".join(text))
        assert has_spaced_letters("\n".join(text))
    for text in ("今天 天气 很 好", "a b c", "A B C D A B C D A B C D A B", "1 2 3 4 5 6 7 8 9 10 11 12 13"):
        assert not has_spaced_han(text)
        assert not has_spaced_letters(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("arabic", "القطة تجلس على السجادة في البيت"),
        ("danish", "Katten sidder ikke på bordet, og det er en stor hund som ligger der"),
        ("dutch", "De kat zit niet op het bed van de man die naar een huis wordt gebracht"),
        ("finnish", "Kissa ei ole talossa, ja koira on ulkona, mutta he olivat iloisia kuin lapset"),
        ("french", "Le chat est dans la maison et les chiens sont dans une cour pour la nuit"),
        ("german", "Die Katze ist nicht im Haus, und der Hund liegt auf dem Bett"),
        ("hungarian", "A macska nem ül az ágyon, és egy kutya csak az udvarban volt"),
        ("italian", "Il gatto non è sul letto della casa e una donna che parla con il cane"),
        ("portuguese", "O gato não está em casa e uma mulher fala com os filhos para que eles durmam mais"),
        ("romanian", "Pisica nu este în casă și doarme pe pat cu un câine care este mai mare"),
        ("russian", "Кошка сидит на ковре и смотрит в окно"),
        ("spanish", "El gato no está en la casa y los perros duermen con una mujer que se llama Ana por el día"),
        ("swedish", "Katten är inte på sängen och hunden ligger för att sova med ett barn som är litet"),
    ],
)
def test_the_language_that_is_stemmed(language, text):
    assert may_be_for_another_stemmer(text)
    assert language_of_stems(text) == language


def test_english_and_chinese_need_no_other_stemmer():
    for text in (*ORDINARY, " ".join(texts_of("en_news.jsonl"))):
        assert language_of_stems(text) is None
