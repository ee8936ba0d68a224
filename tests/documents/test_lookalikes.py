"""Words that look the same in a prediction and in its reference, and are not, are warned of; others aren't."""

import warnings

import pytest

from polyrouge import Rouge
from polyrouge.errors import hearing_warnings


def heard(prediction, reference, **settings):
    with hearing_warnings() as said:
        Rouge(rouge_types=["rouge1"], **settings).compute([prediction], [reference])
    return said


@pytest.mark.parametrize(
    ("prediction", "reference", "odd", "remedy"),
    [
        ("新的ＡＩ技术", "新的AI技术", "'ＡＩ' and 'AI', ", "normalize='nfkc'"),
        ("the AI of", "the ＡＩ of", "'ＡＩ' and 'AI', ", "normalize='nfkc'"),
        ("２０２４年", "2024年", "'２０２４' and '2024', ", "normalize='nfkc'"),
        ("to co\u00adoperate", "cooperate", "'co<U+00AD>operate' and 'cooperate'", "clean='model_output'"),
        ("tech\u200bno\u2060logy", "technology", "'tech<U+200B>no<U+2060>logy'", "clean='model_output'"),
        ("葛\U000e0100城", "葛城", "'葛<U+E0100>' and '葛'", "clean='model_output'"),
        ("ｶﾞｯｺｳへ", "ガッコウへ", "'ｶﾞｯｺｳ' and 'ガッコウ'", "normalize='nfkc'"),
        ("ท\u0e4dา", "ท\u0e33", "'ท<U+0E4D>า' and 'ท\u0e33'", "normalize='nfkc'"),
        ("a de\ufb01nition", "the definition", "'de\ufb01nition' and 'definition'", "normalize='nfkc'"),
        ("\ufe8e\ufedf", "ال", "'\ufe8e\ufedf' and 'ال'", "normalize='nfkc'"),
        ("5 \u00b5m", "5 μm", "'\u00b5m' and 'μm'", "normalize='nfkc'"),
        *((f"ab{mark}cd", "abcd", "'ab<U+", "clean='model_output'") for mark in "\u200e\u202b\u2063\u034f"),
        ("ᠮᠣᠩ\u180bᠭᠣᠯ", "ᠮᠣᠩᠭᠣᠯ", "'ᠮᠣᠩ<U+180B>ᠭᠣᠯ' and", "clean='model_output'"),
        ("كِتَابٌ", "كتاب", "'ك<U+0650>ت<U+064E>اب<U+064C>' and 'كتاب'", "normalize='ar'"),
        ("أحمد", "احمد", "'أحمد' and 'احمد'", "normalize='ar'"),
        ("مكتبة", "مكتبه", "'مكتبة' and 'مكتبه'", "normalize='ar'"),
        ("كتابي", "کتابی", "'كتابي' and 'کتابی'", "normalize='fa'"),
        ("می\u200cروم", "میروم", "'می<U+200C>روم' and", "clean='model_output'"),
        ("سال ۱۴۰۲", "سال 1402", "'۱۴۰۲' and '1402'", "normalize='fa'"),
        ("عام ١٩٩٠", "عام 1990", "'١٩٩٠' and '1990'", "normalize='ar'"),
        ("IŞIK", "ışık", "'ışık' and 'IŞIK'", "normalize='tr'"),
        ("İstanbul", "istanbul", "'İstanbul' and 'istanbul'", "normalize='tr'"),
        ("STRASSE", "die Straße", "'Straße' and 'STRASSE'", "lowercase='fold'"),
    ],
)
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_lookalike_is_noted_and_the_remedy_helps(prediction, reference, odd, remedy, engine):
    (note,) = heard(prediction, reference, engine=engine)

    assert note.startswith(odd)
    assert f"{remedy} makes them equal" in note
    name, _, value = remedy.partition("=")
    assert heard(prediction, reference, engine=engine, **{name: value.strip("'")}) == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = Rouge(rouge_types=["rouge1"]).compute([prediction], [reference])["rouge1"]
    assert (
        Rouge(rouge_types=["rouge1"], **{name: value.strip("'")}).compute([prediction], [reference])["rouge1"] > before
    )


@pytest.mark.parametrize(
    ("convention", "prediction", "reference", "odd"),
    [
        ("pltrdy", "un cafe\u0301 noir", "le café rouge", "'cafe<U+0301>' and 'café'"),
        ("pltrdy", "le café rouge", "un cafe\u0301 noir", "'cafe<U+0301>' and 'café'"),
        ("rouge_score", "un cafe\u0301", "le café", "'cafe<U+0301>' and 'café'"),
        ("rouge155", "un cafe\u0301", "le café", "'cafe<U+0301>' and 'café'"),
        ("pltrdy", "\u1112\u1161\u11ab", "한", "'<U+1112><U+1161><U+11AB>' and '한'"),
        ("rouge_chinese", "か\u3099 く", "が く", "'か<U+3099>' and 'が'"),
        ("rouge_chinese", "興 \uf9dc", "興 隆", "'<U+F9DC>' and '隆'"),
        ("pltrdy", "\u212bngström", "Ångström", "'<U+212B>ngström' and 'Ångström'"),
    ],
)
def test_compositions_are_noted_where_a_tool_tells_them_apart(convention, prediction, reference, odd):
    """These conventions score as their tools do; the note says what makes the words equal."""
    with hearing_warnings() as said:
        before = Rouge(convention, rouge_types=["rouge1"]).compute([prediction], [reference])["rouge1"]
    with hearing_warnings() as said_then:
        after = Rouge(convention, rouge_types=["rouge1"], normalize="nfc").compute([prediction], [reference])["rouge1"]

    assert [note for note in said if note.startswith(odd) and "normalize='nfc' makes them equal" in note]
    assert after > before
    assert not [note for note in said_then if "are one word" in note]


@pytest.mark.parametrize(
    ("convention", "prediction", "reference"),
    [
        ("default", "cafe\u0301", "café"),  # they are equal
        ("pltrdy", "cafe\u0301", "cafés"),  # another word, of which it is a part
        ("pltrdy", "cafe\u0301", "cafe\u0301 café"),
        ("pltrdy", "cafe\u0301", "thé"),
        ("rouge_score", "\u0438\u0306од", "йод"),  # both are dropped
    ],
)
def test_what_is_equal_or_another_word_is_no_composition(convention, prediction, reference):
    with hearing_warnings() as said:
        Rouge(convention, rouge_types=["rouge1"]).compute([prediction], [reference])

    assert not [note for note in said if "are one word" in note]


NO_LOOKALIKES = [
    *(
        "ＡＩ|ＡＩ",
        "ＡＩ|AIR",
        "ＡＩ and AI|ＡＩ",
        "今\u200b天|今天",
        "❤\ufe0f good|❤ good",
        "ក\u200bខ|កខ",
        "schön|schon",
    ),
    *("co\u00adoperate|co\u00adoperate", "की|का", "كتاب|كتب", "ｶﾞ|カ", "ﬁ|fl"),
]


def test_what_is_no_lookalike_is_not_noted():
    for pair in NO_LOOKALIKES:
        assert not [note for note in heard(*pair.split("|")) if "are one word" in note], pair


def test_only_words_of_the_same_sample_are_compared():
    with hearing_warnings() as said:
        Rouge().compute(["ＡＩ", "b"], ["a", "AI"])

    assert said == []


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_letters_that_are_ascii_in_lower_case_are_not_lost(engine):
    assert heard("İİİ b", "b", tokenizer="ascii", engine=engine) == []
    assert len(heard("İİİ b", "b", tokenizer="ascii", engine=engine, lowercase=False)) == 1


def test_case_that_a_convention_keeps_is_no_other_character():
    with hearing_warnings() as said:
        Rouge("pltrdy").compute(["The Cat ﬁ"], ["the cat"])

    assert said == []
