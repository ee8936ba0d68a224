"""Words that look the same in a prediction and in its reference, and are not, are warned of; others aren't."""

import unicodedata

import pytest

from polyrouge import Rouge
from polyrouge.documents.lookalikes import TRIGGERS
from polyrouge.errors import hearing_warnings


def scored(prediction, reference, convention="default", **settings):
    """The notes on a pair, and its score."""
    with hearing_warnings() as notes:
        score = Rouge(convention, rouge_types=["rouge1"], **settings).compute([prediction], [reference])["rouge1"]
    return notes, score


def lookalikes(*pair, **settings):
    return [note for note in scored(*pair, **settings)[0] if "are one word" in note]


@pytest.mark.parametrize(
    ("prediction", "reference", "odd", "remedy"),
    [
        ("新的ＡＩ技术", "新的AI技术", "'ＡＩ' and 'AI', ", "normalize='nfkc'"),
        ("the AI of", "the ＡＩ of", "'ＡＩ' and 'AI', ", "normalize='nfkc'"),
        ("２０２４年", "2024年", "'２０２４' and '2024', ", "normalize='nfkc'"),
        ("to co\u00adoperate", "cooperate", "'co<U+00AD>operate' and 'cooperate'", "prepare=['model_output']"),
        ("tech\u200bno\u2060logy", "technology", "'tech<U+200B>no<U+2060>logy'", "prepare=['model_output']"),
        ("葛\U000e0100城", "葛城", "'葛<U+E0100>' and '葛'", "prepare=['model_output']"),
        ("ｶﾞｯｺｳへ", "ガッコウへ", "'ｶﾞｯｺｳ' and 'ガッコウ'", "normalize='nfkc'"),
        ("ท\u0e4dา", "ท\u0e33", "'ท<U+0E4D>า' and 'ท\u0e33'", "normalize='nfkc'"),
        ("a de\ufb01nition", "the definition", "'de\ufb01nition' and 'definition'", "normalize='nfkc'"),
        ("\ufe8e\ufedf", "ال", "'\ufe8e\ufedf' and 'ال'", "normalize='nfkc'"),
        ("5 \u00b5m", "5 μm", "'\u00b5m' and 'μm'", "normalize='nfkc'"),
        *((f"ab{mark}cd", "abcd", "'ab<U+", "prepare=['model_output']") for mark in "\u200e\u202b\u2063\u034f"),
        ("ᠮᠣᠩ\u180bᠭᠣᠯ", "ᠮᠣᠩᠭᠣᠯ", "'ᠮᠣᠩ<U+180B>ᠭᠣᠯ' and", "prepare=['model_output']"),
        ("كِتَابٌ", "كتاب", "'ك<U+0650>ت<U+064E>اب<U+064C>' and 'كتاب'", "normalize='ar'"),
        ("أحمد", "احمد", "'أحمد' and 'احمد'", "normalize='ar'"),
        ("مكتبة", "مكتبه", "'مكتبة' and 'مكتبه'", "normalize='ar'"),
        ("كتابي", "کتابی", "'كتابي' and 'کتابی'", "normalize='fa'"),
        ("ප්\u200dරධාන", "ප්රධාන", "'ප<U+0DCA><U+200D>රධාන' and", "prepare=['model_output']"),
        ("می\u200cروم", "میروم", "'می<U+200C>روم' and", "normalize='fa'"),
        ("خانه\u0654", "خانه", "'خانه<U+0654>' and 'خانه'", "normalize='fa'"),
        ("پاکستان ہے", "پاکستان هے", "'ہے' and 'هے'", "normalize='fa'"),
        ("سال ۱۴۰۲", "سال 1402", "'۱۴۰۲' and '1402'", "normalize='fa'"),
        ("عام ١٩٩٠", "عام 1990", "'١٩٩٠' and '1990'", "normalize='ar'"),
        ("IŞIK", "ışık", "'ışık' and 'IŞIK'", "normalize='tr'"),
        ("İstanbul", "istanbul", "'İstanbul' and 'istanbul'", "normalize='tr'"),
        ("i\u0307stanbul", "istanbul", "'i<U+0307>stanbul' and 'istanbul'", "normalize='tr'"),
        ("STRASSE", "die Straße", "'Straße' and 'STRASSE'", "lowercase='fold'"),
        ("λόγοσ", "λόγος", "'λόγος' and 'λόγοσ'", "lowercase='fold'"),
        *(
            (one, other, f"{one!r} and {other!r}", "normalize='nfkc'")
            for one, other in [
                *(("CO₂", "CO2"), ("m²", "m2"), ("XXᵉ", "XXe"), ("Ⅲ", "III"), ("①", "1"), ("𝗛𝗲𝗹𝗹𝗼", "Hello")),
                *(("№5", "No5"), ("5㎏", "5kg"), ("ໝາ", "ຫມາ")),
            ]
        ),
        ("30℃", "30°C", "'℃' and 'C'", "normalize='nfkc'"),
        ("㈱東京", "(株)東京", "'㈱' and '株'", "normalize='nfkc'"),
        ("\u2f08\u2f2f智能", "人工智能", "'\u2f08' and '人'", "normalize='nfkc'"),
        ("add ½ cup", "add 1/2 cup", "'½' and '1/2'", "normalize='nfkc'"),
        ("㍿東京", "株式会社東京", "'㍿' and '株式会社'", "normalize='nfkc'"),
    ],
)
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_lookalike_is_noted_and_the_remedy_helps(prediction, reference, odd, remedy, engine):
    (note,), before = scored(prediction, reference, engine=engine)
    name, value = remedy.replace("'", "").split("=")
    notes, after = scored(prediction, reference, engine=engine, **{name: value})

    assert note.startswith(odd)
    assert f"{remedy} makes them equal" in note
    assert notes == []
    assert after > before


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
    notes, before = scored(prediction, reference, convention)
    _, after = scored(prediction, reference, convention, normalize="nfc")

    assert [note for note in notes if note.startswith(odd) and "normalize='nfc' makes them equal" in note]
    assert after > before
    assert lookalikes(prediction, reference, convention, normalize="nfc") == []


@pytest.mark.parametrize(
    ("convention", "prediction", "reference"),
    [
        ("default", "cafe\u0301", "café"),  # they are equal
        ("pltrdy", "cafe\u0301", "cafés"),  # another word, of which it is a part
        ("pltrdy", "cafe\u0301", "cafe\u0301 café"),
        ("pltrdy", "cafe\u0301", "thé"),
        ("pltrdy", "The Cat ﬁ", "the cat"),  # case that a convention keeps
        ("rouge_score", "\u0438\u0306од", "йод"),  # both are dropped
        *(("default", text, "ＡＩ") for text in ("ＡＩ", "ＡＩ and AI")),
        *(
            ("default", *pair.split("|"))
            for pair in "ＡＩ|AIR 今\u200b天|今天 ក\u200bខ|កខ schön|schon ﬁ|fl ｶﾞ|カ".split()
        ),
        *(("default", *pair.split("|")) for pair in "co\u00adoperate|co\u00adoperate की|का كتاب|كتب".split()),
        ("default", "❤\ufe0f good", "❤ good"),
    ],
)
def test_what_is_equal_or_another_word_is_not_noted(convention, prediction, reference):
    assert lookalikes(prediction, reference, convention) == []


@pytest.mark.parametrize("engine", ["compiled", "plain"])
def test_words_that_are_not_scored_are_not_compared(engine):
    """OpenCompass scores what stands before the first full stop."""
    settings = {"tokenizer": "char", "prepare": ["opencompass"], "engine": engine}

    assert lookalikes("aԻ", ".ＡԻ", **settings) == []
    assert lookalikes("aԻ", "ＡԻ.", **settings)


@pytest.mark.parametrize("convention", ["default", "zh_char"])
@pytest.mark.parametrize("odd", [("Straße", "STRASSE", "lowercase='fold'"), ("서울은", "서울이다", "'ko_word'")])
def test_rows_far_from_the_first_are_looked_at(convention, odd):
    rows = ["Der Zug fährt", "今天天气很好"] * 2000

    with hearing_warnings() as notes:
        Rouge(convention, rouge_types=["rouge1"]).compute([*rows, odd[0]], [*rows, odd[1]])

    assert [odd[2] in note for note in notes] == ([True] if convention == "default" or odd[0] == "Straße" else [])


@pytest.mark.parametrize("hidden", "\u200b\u2060\u00ad\ufeff")
@pytest.mark.parametrize("is_in_reference", [False, True])
def test_what_nobody_sees_inside_a_chinese_word_is_noted_where_words_are_cut(hidden, is_in_reference):
    pair = (f"人{hidden}工智能技术", "人工智能技术")[:: -1 if is_in_reference else 1]
    (note,), before = scored(*pair, "zh_word")

    assert note.startswith(f"'人<U+{ord(hidden):04X}>工' and '人工'")
    assert "prepare=['model_output'] makes them equal" in note
    assert scored(*pair, "zh_word", prepare=["model_output"]) == ([], 1.0)
    assert before < 1
    assert lookalikes(*pair) == lookalikes(*pair, "zh_char") == []


@pytest.mark.parametrize(
    ("prediction", "reference", "settings"),
    [
        *(("İstanbul INTERNET", "istanbul internet", {"normalize": form}) for form in ("nfc", "tr")),
        *(("قرآن كريم", "قران کریم", {"normalize": form}) for form in ("ar", "fa")),
    ],
)
def test_no_remedy_is_named_that_undoes_another(prediction, reference, settings):
    (note,) = lookalikes(prediction, reference, **settings)

    assert "Changing the texts as normalize=" in note


def test_a_remedy_is_named_that_replaces_another_and_raises_the_score():
    (note,) = lookalikes("كتابي", "کتابی", normalize="tr")

    assert "too. normalize='fa' makes" in note


def test_all_letters_that_nfkc_changes_are_triggers():
    usual = "\u0e33\u0eb3"  # Thai and Lao am: the other way of writing them is rare
    changed = [
        each
        for each in map(chr, [*range(0xD800), *range(0xE000, 0x110000)])
        if (form := unicodedata.normalize("NFKC", each)) != unicodedata.normalize("NFC", each)
        and any(map(str.isalnum, form))
    ]

    assert len(changed) > 3000
    assert [each for each in changed if TRIGGERS.search(each) is None and each not in usual] == []


def test_only_words_of_the_same_sample_are_compared():
    with hearing_warnings() as notes:
        Rouge().compute(["ＡＩ", "b"], ["a", "AI"])

    assert notes == []


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_letters_that_are_ascii_in_lower_case_are_not_lost(engine):
    assert scored("İİİ b", "b", tokenizer="ascii", engine=engine)[0] == []
    assert len(scored("İİİ b", "b", tokenizer="ascii", engine=engine, lowercase=False)[0]) == 1
