"""What ``normalize``, ``lowercase`` and ``stemmer`` do for single languages."""

import itertools
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from polyrouge import Rouge
from polyrouge.conventions.common import snowball_stem
from polyrouge.settings.rules import SNOWBALL_LANGUAGES


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        # camel_tools 1.5: dediac_ar, then its five functions normalize_..._ar and normalize_unicode
        ("ar", "الكِتَابُ الأوَّلُ إلى آخِرِ المكتبةِ ومدرســة", ["الكتاب", "الاول", "الي", "اخر", "المكتبه", "ومدرسه"]),
        ("ar", "عام ١٩٩٠", ["عام", "1990"]),
        ("fa", "كتاب‌هاي عليٌ ۱۲۳٤", ["کتابهای", "علی", "1234"]),
        ("fa", "خانه\u0654 ما ہے", ["خانه", "ما", "هے"]),
        ("tr", "IŞIK İstanbul ILIK", ["ışık", "istanbul", "ılık"]),
        ("tr", "i\u0307stanbul ı\u0307", ["istanbul", "ı"]),
    ],
)
def test_a_language_has_one_writing(language, text, tokens):
    explanation = Rouge(normalize=language, rouge_types=["rouge1"]).explain(text, text)

    assert [token.token for token in explanation.prediction.tokens] == tokens
    for token, word in zip(explanation.prediction.tokens, text.split(), strict=True):
        assert word.rstrip("\u064c\u064f\u0650\u0654\u0307") == text[token.start : token.end]  # marks that are left out


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_nfkc_keeps_the_vowel_am_whole_as_dictionaries_do(engine):
    rouge = Rouge(tokenizer="space", normalize="nfkc", rouge_types=["rouge1"], engine=engine)
    text, reference = (
        "ท\u0e4d\u0e32 น\u0e4d\u0e49\u0e32 น\u0e49\u0e33 ນ\u0ecd\u0ec9\u0eb2",
        "ท\u0e33 น\u0e49\u0e33 น\u0e49\u0e33 ນ\u0ec9\u0eb3",
    )

    explanation = rouge.explain(text, reference)

    assert [token.token for token in explanation.prediction.tokens] == reference.split()
    assert [text[token.start : token.end] for token in explanation.prediction.tokens] == text.split()
    assert rouge.compute([text], [reference]) == {"rouge1": 1.0}


TEXTS = (
    "كِتَابٌ جميلٌ فِي المكتبةِ|كتاب جميل في المكتبه|عام ١٩٩٠ ﻻ أحد|مدرســـة|می‌روم|ນ\u0ecd\u0ec9\u0eb2 ﬁn|"
    "كتاب‌های علي در سال ۱۴۰۲|کتابهای علی در سال 1402|خانه\u0654 ہھەۀں \u06d6قرآن|STRASSE Straße ﬁn|ΛΌΓΟΣ λόγος|"
    "IŞIK İstanbul'da ILIK|ışık istanbul'da ılık|i\u0307stanbul ı\u0307|ท\u0e4d\u0e32งาน"
).split("|")


@pytest.mark.filterwarnings("ignore:.* are one word in different")
@pytest.mark.parametrize("name", ["ar", "fa", "tr", "nfkc", "fold"])
def test_both_engines_agree(name):
    settings = {"lowercase": name} if name == "fold" else {"normalize": name}
    pairs = zip(*itertools.product(TEXTS, repeat=2), strict=True)
    predictions, references = map(list, pairs)
    plain, compiled = (
        Rouge(engine=engine, **settings).count(predictions, references).counts for engine in ("plain", "compiled")
    )
    assert (plain == compiled).all()


def test_snowball_stems():
    rouge = Rouge(use_stemmer=True, tool={"stemmer": "german"}, rouge_types=["rouge1"])
    tokens = rouge.explain("die Häuser liefen", "Haus").prediction.tokens
    assert [token.token for token in tokens] == ["die", "haus", "lief"]


_WORDS = (
    "قالوا قال كتبنا كتب وقالوا كتابهم المدرسة وسيكتبونها فأكلناه running generously Häuser liefen aufeinander "
    "mangeaient continuellement красивые дома людьми hablándole continuamente bellissimi städernas ylläpidettiin "
    "lichamelijkheden husenes computadores frumuseții gyermekeknek"
).split()


@pytest.mark.parametrize("language", SNOWBALL_LANGUAGES)
def test_no_order_of_words_and_no_thread_moves_a_stem(language, monkeypatch):
    from nltk.stem.snowball import SnowballStemmer

    expected = {word: SnowballStemmer(language).stem(word) for word in _WORDS}
    rng = random.Random(0)
    for _ in range(2):
        stem = snowball_stem(language)
        for word in rng.sample(_WORDS, len(_WORDS)):
            assert stem(word) == expected[word]

    monkeypatch.setattr("polyrouge.conventions.common.token_stemmer", lambda stem, **_: stem)  # without its cache
    words = rng.choices(_WORDS, k=3000)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(snowball_stem(language), words)) == [expected[word] for word in words]
