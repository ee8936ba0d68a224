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
    return [note for note in scored(*pair, **settings)[0] if note.kind.startswith("two_spellings")]


@pytest.mark.parametrize(
    ("remedy", "prediction", "reference", "odd", "usual"),
    [
        ("normalize='nfkc'", "新的ＡＩ技术", "新的AI技术", "ＡＩ", "AI"),
        ("normalize='nfkc'", "the AI of", "the ＡＩ of", "ＡＩ", "AI"),
        ("normalize='nfkc'", "ｶﾞｯｺｳへ", "ガッコウへ", "ｶﾞｯｺｳ", "ガッコウ"),
        ("normalize='nfkc'", "ท\u0e4dา", "ท\u0e33", "ท<U+0E4D>า", "ท\u0e33"),
        ("normalize='nfkc'", "a de\ufb01nition", "the definition", "de\ufb01nition", "definition"),
        ("normalize='nfkc'", "m²", "m2", "m²", "m2"),
        ("normalize='nfkc'", "𝗛𝗲𝗹𝗹𝗼", "Hello", "𝗛𝗲𝗹𝗹𝗼", "Hello"),
        ("normalize='nfkc'", "ໝາ", "ຫມາ", "ໝາ", "ຫມາ"),
        ("normalize='nfkc'", "30℃", "30°C", "℃", "C"),
        ("normalize='nfkc'", "㈱東京", "(株)東京", "㈱", "株"),
        ("normalize='nfkc'", "add ½ cup", "add 1/2 cup", "½", "1/2"),
        ("prepare=['model_output']", "a\u200bb\u2060c", "abc", "a<U+200B>b<U+2060>c", "abc"),
        ("prepare=['model_output']", "葛\U000e0100城", "葛城", "葛<U+E0100>", "葛"),
        *(
            ("prepare=['model_output']", f"ab{mark}cd", "abcd", f"ab<U+{ord(mark):04X}>cd", "abcd")
            for mark in "\u200e\u202b\u2063\u034f\u00ad"
        ),
        ("prepare=['model_output']", "ᠮᠣᠩ\u180bᠭᠣᠯ", "ᠮᠣᠩᠭᠣᠯ", "ᠮᠣᠩ<U+180B>ᠭᠣᠯ", "ᠮᠣᠩᠭᠣᠯ"),
        ("prepare=['model_output']", "ප්\u200dරධාන", "ප්රධාන", "ප<U+0DCA><U+200D>රධාන", "ප<U+0DCA>රධාන"),
        ("normalize='ar'", "كِتَابٌ", "كتاب", "ك<U+0650>ت<U+064E>اب<U+064C>", "كتاب"),
        ("normalize='ar'", "مكتبة", "مكتبه", "مكتبة", "مكتبه"),
        ("normalize='fa'", "كتابي", "کتابی", "كتابي", "کتابی"),
        ("normalize='fa'", "می\u200cروم", "میروم", "می<U+200C>روم", "میروم"),
        ("normalize='tr'", "IŞIK", "ışık", "ışık", "IŞIK"),
        ("normalize='tr'", "i\u0307stanbul", "istanbul", "i<U+0307>stanbul", "istanbul"),
        ("lowercase='fold'", "STRASSE", "die Straße", "Straße", "STRASSE"),
        ("lowercase='fold'", "λόγοσ", "λόγος", "λόγος", "λόγοσ"),
    ],
)
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_lookalike_is_noted_and_the_remedy_helps(remedy, prediction, reference, odd, usual, engine):
    (note,), before = scored(prediction, reference, engine=engine)
    name, value = remedy.replace("'", "").split("=")
    notes, after = scored(prediction, reference, engine=engine, **{name: value.strip("[]")})

    assert note.values == {"odd": repr(odd), "usual": repr(usual), "setting": remedy}
    assert notes == []
    assert after > before


@pytest.mark.parametrize(
    ("convention", "prediction", "reference"),
    [
        ("pltrdy", "un cafe\u0301 noir", "le café rouge"),
        ("pltrdy", "le café rouge", "un cafe\u0301 noir"),
        ("rouge155", "un cafe\u0301", "le café"),
        ("pltrdy", "\u1112\u1161\u11ab", "한"),
        ("rouge_chinese", "興 \uf9dc", "興 隆"),
    ],
)
def test_compositions_are_noted_where_a_tool_tells_them_apart(convention, prediction, reference):
    """These conventions score as their tools do; the note says what makes the words equal."""
    notes, before = scored(prediction, reference, convention)
    _, after = scored(prediction, reference, convention, normalize="nfc")
    assert [note.values["setting"] for note in notes if note.kind == "two_spellings"] == ["normalize='nfc'"]
    assert after > before
    assert lookalikes(prediction, reference, convention, normalize="nfc") == []


@pytest.mark.parametrize(
    ("convention", "prediction", "reference"),
    [
        ("pltrdy", "cafe\u0301", "cafés"),  # another word, of which it is a part
        ("pltrdy", "cafe\u0301", "cafe\u0301 café"),
        ("pltrdy", "The Cat ﬁ", "the cat"),  # case that a convention keeps
        ("rouge_score", "\u0438\u0306од", "йод"),  # both are dropped
        *(("default", *pair.split("|")) for pair in "ＡＩ|AIR ក\u200bខ|កខ schön|schon ﬁ|fl ｶﾞ|カ की|का".split()),
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


def test_rows_far_from_the_first_are_looked_at():
    rows = ["Der Zug fährt", "今天天气很好"] * 2000
    pairs = {"two_spellings": ("Straße", "STRASSE"), "korean_particles": ("서울은", "서울이다")}
    for kind, (prediction, reference) in pairs.items():
        with hearing_warnings() as notes:
            Rouge(rouge_types=["rouge1"]).compute([*rows, prediction], [*rows, reference])
        assert [note.kind for note in notes] == [kind]


@pytest.mark.parametrize("is_in_reference", [False, True])
def test_what_nobody_sees_inside_a_chinese_word_is_noted_where_words_are_cut(is_in_reference):
    pair = ("人\u200b工智能技术", "人工智能技术")[:: -1 if is_in_reference else 1]
    (note,), before = scored(*pair, "zh_word")
    assert note.values == {"odd": "'人<U+200B>工'", "usual": "'人工'", "setting": "prepare=['model_output']"}
    assert scored(*pair, "zh_word", prepare=["model_output"]) == ([], 1.0)
    assert before < 1
    assert lookalikes(*pair) == lookalikes(*pair, "zh_char") == []


def test_no_remedy_is_named_that_undoes_another():
    for pair in (("İstanbul INTERNET", "istanbul internet", "nfc"), ("قرآن كريم", "قران کریم", "ar")):
        (note,) = lookalikes(*pair[:2], normalize=pair[2])
        assert "Changing the texts as normalize=" in note
    (note,) = lookalikes("كتابي", "کتابی", normalize="tr")
    assert note.values["setting"] == "normalize='fa'"


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
