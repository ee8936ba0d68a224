"""XL-Sum's tokens and stems: live and by hand."""

import importlib
import random
import re
import sys
import types
import unicodedata

import nltk.stem.snowball
import peer_packages
import pytest
import shared_data
from tool_texts import live_texts

from polyrouge import Rouge, RougeWarning
from polyrouge.conventions import xlsum as xlsum_texts
from polyrouge.conventions.xlsum import (
    XLSUM_STEMMED_LANGUAGES,
    hindi_stem,
    xlsum_sentence_tokenizer,
    xlsum_stem,
    xlsum_tokenizer,
)

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("english", "GPT4's 3rd-best, 3.14!", "gpt 4 s 3 rd best 3 14".split()),
        ("english", "naïve £5 a+b x²", ["naïve", "£", "5", "a", "b", "x", "²"]),
        ("english", "", []),
        ("english", "a\x00b\x0bc\u200bd\ufffde\u00a0f", ["abcde", "f"]),
        (None, "今天GPT 日本のü😀😃", "今 天 gpt 日 本 のü 😀 😃".split()),
        (None, "▁ ￭ ￨", ["_", "■", "│"]),
        (None, "e\u0301t\u0301 \u0301x 漢\u0301", "e\u0301t\u0301 \uff050020\u0301 x 漢 \u0301".split()),
        ("chinese", "甲，乙。丙", ["甲", " ", "乙", " ", "丙"]),
        ("chinese", "，今天  天气——很好！！", ["今天", " ", "天气", " ", "很", "好"]),
        ("burmese", "မြန်မာ", ["မြန်", "မာ"]),
        ("burmese", "စက္က ab", ["စ", "က္က", "a", "b"]),
        ("burmese", "က့်", ["က့်".replace("\u1037\u103a", "\u103a\u1037")]),
        ("burmese", "ကန်မ်စ်", ["ကန်", "မ်", "စ်"]),
        pytest.param("thai", "สวัสดี, ครับ", ["สวัสดี", " ", "ครับ"], id="th", marks=pytest.mark.languages),
        pytest.param("japanese", "今日は、良い", ["今日", "は", "良い"], id="ja", marks=pytest.mark.languages),
    ],
)
def test_tokens(language, text, tokens):
    assert tokens == xlsum_tokenizer(language)(text)


def test_lines_are_cut_at_blanks_and_marks_only():
    text = "今天天气，很好 GPT4's"
    for language in ("chinese", "thai", "english", None):
        assert ["今天天气", "很好", "gpt4", "s"] == xlsum_sentence_tokenizer(language)(text)
    assert [] == xlsum_sentence_tokenizer("chinese")("")
    assert ["caresses", "run"] == xlsum_sentence_tokenizer("chinese", use_stemmer=True)("caresses run")
    assert ["caress", "run"] == xlsum_sentence_tokenizer(None, use_stemmer=True)("caresses run")


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("english", "generously", "generous"),
        ("german", "häuser", "haus"),
        pytest.param("turkish", "kitaplar", "kitap", marks=pytest.mark.languages),
        ("hindi", "लड़कियाँ", "लड़क"),
    ],
)
def test_stems(language, word, stem):
    found = xlsum_stem(language)
    assert found is not None
    assert stem == found(word)


def test_bengali_stems_are_those_of_the_library(monkeypatch):
    class RafiStemmer:  # the library is not on PyPI
        def stem_word(self, word):
            return word[:-1]

    library = types.ModuleType("bengali_stemmer.rafikamal2014")
    monkeypatch.setattr(library, "RafiStemmer", RafiStemmer, raising=False)
    monkeypatch.setitem(sys.modules, "bengali_stemmer", types.ModuleType("bengali_stemmer"))
    monkeypatch.setitem(sys.modules, library.__name__, library)
    xlsum_texts._load.cache_clear()
    assert ["সাথ", "লাগল", "আমি"] == xlsum_tokenizer("bangla", use_stemmer=True)("সাথে লাগলো আমি")
    xlsum_texts._load.cache_clear()


def test_arabic_stems_depend_on_no_word_before():
    for text, stem in (("كعضو يكتبون والكتاب", 0), ("والكتاب يكتبون كعضو", 2)):
        xlsum_texts._load.cache_clear()
        assert xlsum_tokenizer("arabic", use_stemmer=True)(text)[stem] == "كعض"


def test_languages_without_a_stemmer():
    assert [xlsum_stem(language) for language in ("chinese", "thai", "japanese")] == [None] * 3
    assert ["running"] == xlsum_tokenizer("amharic", use_stemmer=True)("running")


def test_hindi_stems_keep_two_characters():
    assert list(map(hindi_stem, "ताकि कर आकर लड़कों जाएंगी".split())) == "ताक कर आकर लड़क जा".split()


@pytest.fixture
def stop_words(monkeypatch):
    """Put a stop list of our own in place of NLTK's, which is data that it downloads; None stands for no data."""

    def put(words):
        def read(_language):
            if words is None:
                raise LookupError("Resource stopwords not found.")
            return words

        monkeypatch.setattr(nltk.stem.snowball, "stopwords", types.SimpleNamespace(words=read))
        xlsum_texts._load.cache_clear()

    yield put
    xlsum_texts._load.cache_clear()


@pytest.mark.filterwarnings("error::polyrouge.errors.RougeWarning")
def test_stop_words_are_not_stemmed(stop_words):
    stop_words(["having"])
    assert ["having", "have"] == xlsum_tokenizer("english", use_stemmer=True)("having haves")
    assert list(xlsum_texts.missing_stop_words("english")) == []


def test_missing_stop_list_warns_each_time(stop_words):
    stop_words(None)
    for _ in range(2):
        with pytest.warns(RougeWarning, match=r"stems all words of english, .* python -m nltk\.downloader stopwords"):
            scores = Rouge("xlsum", tokenizer="xlsum_english", use_stemmer=True).compute(["having"], ["have"])
        assert scores["rouge1"] == 1.0


def random_words(draw, characters, count):
    """Cleaned texts: characters of all kinds in all orders."""
    for _ in range(count):
        text = "".join(
            draw.choice(characters[draw.choice("LLNMMS")]) if draw.random() < 0.8 else " "
            for _ in range(draw.randrange(12))
        )
        yield " ".join(text.split())


@pytest.mark.languages
def test_general_words_are_those_of_pyonmttok():
    pyonmttok = pytest.importorskip("pyonmttok", reason="needs pyonmttok: pip install pyonmttok")
    tokenize = pyonmttok.Tokenizer("aggressive").tokenize
    characters = {}
    for character in map(chr, range(0x110000)):
        if xlsum_sentence_tokenizer()(character) == [character]:
            characters.setdefault(unicodedata.category(character)[0], []).append(character)
    texts = [*(f"a{each}1{each}" for kind in characters.values() for each in kind)]
    texts += random_words(random.Random(8), characters, 30_000)
    han = re.compile(
        "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f]"
    )
    for text in texts:
        theirs = han.sub(lambda match: f" {match[0]} ", " ".join(tokenize(text)[0])).split()
        assert theirs == xlsum_texts._general_words(text), ascii(text)
    print(f"pyonmttok: {len(texts)} texts have the same words")


# A port of XL-Sum's scorer that is on PyPI; its Bengali stemmer lacks its rules.
_THE_TOOL = """
import json, sys, warnings
warnings.simplefilter("ignore")
import nltk.stem.snowball
class StopWords:
    words = staticmethod(lambda language: ["having", "haben", "своего"])
nltk.stem.snowball.stopwords = StopWords
# What the stemmer would note at the first verb, and never forget.
nltk.stem.snowball.ArabicStemmer.suffixes_verb_step1_success = True
from multilingual_rouge import tokenization_wrapper
from multilingual_rouge.rouge_scorer import RougeScorer
found = []
for language, use_stemmer, texts in json.load(sys.stdin):
    tool = RougeScorer(["rouge1"], lang=language, use_stemmer=use_stemmer)
    found.append([
        [tokenization_wrapper.tokenize(text, tool._stemmer, tool._tokenizer) for text in texts],
        [tokenization_wrapper.tokenize(text, tool._stemmer) for text in texts],
    ])
print(json.dumps(found))
"""


PIECES = [
    *("the", "Having", "running", "Haben", "Häuser", "своего", "важная", " ", "  ", "\n", ".", "3.14", "don't"),
    *("_ $ é İ \u212a 今天 天气 ， ！ … 😀".split()),
    *("\u3000", "\u2028", "\r\n", "\x1c", "\u0301", "\ufffd", "\x00"),
    *("今日は ー ＧＰＴ ｶﾅ です A+B C# 100% \U00020000 ▁ \u200c မြန်မာ က္က န့် န် \u1037 \u103a \u1039".split()),
    *("ไทย สวัสดี लड़कियाँ में العربية والكتاب ١٢ kitaplar güzel 한국어".split()),
]


def texts_of(language):
    names = {"chinese": "zh", "english": "en", "japanese": "ja", "thai": "th", "burmese": "my", "arabic": "ar"}
    names |= {"german": "de", "hindi": "hi", "russian": "ru"}
    rows = shared_data.all_data_rows() if shared_data.SHARED.is_dir() else []
    rows = [row for row in rows if language is None or row["lang"] == names.get(language)]
    rows = random.Random(9).sample(rows, min(150, len(rows)))
    return live_texts(9, PIECES, ["", " ", "\n", "-", "\u0301"], 300, 100, rows)


@pytest.mark.peers
def test_same_words_as_the_tool(stop_words):
    stop_words(["having", "haben", "своего"])
    for library in ("pyonmttok", "pythainlp", "fugashi", "unidic_lite", "TurkishStemmer", "six"):
        importlib.import_module(library)
    languages = [None, "amharic", "burmese", "chinese", "chinese_traditional", "japanese", "mundo", "thai"]
    languages += [language for language in XLSUM_STEMMED_LANGUAGES if language != "bengali"]
    given = [(language, use_stemmer, texts_of(language)) for language in languages for use_stemmer in (False, True)]
    results = peer_packages.run_peer("multilingual-rouge", _THE_TOOL, given)
    for (language, use_stemmer, texts), (whole, lines) in zip(given, results, strict=True):
        tokenize = xlsum_tokenizer(language, use_stemmer)
        tokenize_line = xlsum_sentence_tokenizer(language, use_stemmer)
        for text, tokens, line_tokens in zip(texts, whole, lines, strict=True):
            assert tokens == tokenize(text), (language, use_stemmer, text)
            assert line_tokens == tokenize_line(text), (language, use_stemmer, text)
    print(f"XL-Sum: {sum(len(texts) for _, _, texts in given)} texts have the same words")
