"""Tokenize as XL-Sum's multilingual ROUGE (csebuetnlp/xl-sum, multilingual_rouge_scoring), by language.

For rouge1, rouge2 and rougeL the language's own tool cuts the full text. rougeLsum cuts each line only at blanks and
marks, so that a Chinese clause is a single token.
"""

import functools
import re
import string
import unicodedata
from collections.abc import Callable, Iterator

from polyrouge.conventions.common import PLAIN, ROUGE_SCORE, Convention, steady_stem, token_stemmer
from polyrouge.errors import Note
from polyrouge.settings.rules import SNOWBALL_LANGUAGES
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.patterns import pattern
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer

XLSUM_STEMMED_LANGUAGES = (*SNOWBALL_LANGUAGES, "bengali", "hindi", "turkish")

_ALIASES = {
    "bangla": "bengali",
    "chinese_simplified": "chinese",
    "chinese_traditional": "chinese",
    "mundo": "spanish",
    "turkce": "turkish",
}
XLSUM_LANGUAGES = tuple(
    sorted(
        {
            *_ALIASES,
            *XLSUM_STEMMED_LANGUAGES,
            *("burmese", "chinese", "japanese", "thai"),
            # XL-Sum's other languages, for which it has neither a tokenizer nor a stemmer
            *("amharic", "azerbaijani", "gujarati", "hausa", "igbo", "indonesian", "kirundi", "korean", "kyrgyz"),
            *("marathi", "nepali", "oromo", "pashto", "persian", "pidgin", "punjabi", "scottish_gaelic"),
            *("serbian_cyrillic", "serbian_latin", "sinhala", "somali", "swahili", "tamil", "telugu", "tigrinya"),
            *("ukrainian", "urdu", "uzbek", "vietnamese", "welsh", "yoruba"),
        }
    )
)
"""The languages that XL-Sum covers or that its scorer knows; None is any other language."""


def xlsum_tokenizer(
    language: str | None = None, use_stemmer: bool = False, make_cutter: MakeCutter = jieba_cutter
) -> Tokenize:
    """Cut the full text into words, for rouge1, rouge2 and rougeL; None is any unknown language."""
    language = _ALIASES.get(language or "", language)
    cut, stem = _word_cutter(language, make_cutter), _stem_all(language, use_stemmer)
    return lambda text: stem(cut(" ".join(_clean(text))))


def xlsum_sentence_tokenizer(language: str | None = None, use_stemmer: bool = False) -> Tokenize:
    """Cut at blanks and marks, in every language: for rougeLsum."""
    stem = _stem_all(_ALIASES.get(language or "", language), use_stemmer)
    return lambda text: stem(_clean(text))


def _stem_all(language: str | None, use_stemmer: bool) -> Callable[[list[str]], list[str]]:
    """Stem each token and drop empty stems."""
    stem = xlsum_stem(language) if use_stemmer else None
    return lambda tokens: tokens if stem is None else [token for token in map(stem, tokens) if token]


class _Characters(dict[int, str]):
    """A table for ``str.translate`` from a function of each character and its category."""

    def __init__(self, replacement: Callable[[str, str], str]) -> None:
        self._replacement = replacement

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = replacement = self._replacement(character, unicodedata.category(character)[0])
        return replacement


def _clean_character(character: str, category: str) -> str:
    """Drop control and unassigned characters; replace marks by blanks."""
    if character in "\t\n\r" or character in string.punctuation or category == "P":
        return " "
    return "" if category == "C" or character == "\ufffd" else character


_CLEAN = _Characters(_clean_character)
# L for letters, M for marks, N for numbers, S for symbols
_CLASSES = _Characters(lambda _, category: {"L": "L", "M": "M", "N": "N", "Z": " "}.get(category, "S"))


def _clean(text: str) -> list[str]:
    """Lower-case a text, drop control and unassigned characters, and cut at blanks and marks."""
    return text.lower().translate(_CLEAN).split()


def _word_cutter(language: str | None, make_cutter: MakeCutter) -> Tokenize:
    if language == "chinese":
        return make_cutter(keep_blanks=True)  # a blank between two words is a token that counts and matches
    if language == "thai":
        return _thai_cutter()
    if language == "japanese":
        return _japanese_cutter()
    return _burmese_syllables if language == "burmese" else _general_words


@functools.cache
def _thai_cutter() -> Tokenize:
    from pythainlp.tokenize import word_tokenize

    return lambda text: word_tokenize(text, engine="newmm")  # with blanks as in Chinese


@functools.cache
def _japanese_cutter() -> Tokenize:
    from fugashi import Tagger  # pyright: ignore[reportAttributeAccessIssue] # compiled

    # uses the installed UniDic: unidic, or unidic-lite
    parse = Tagger("-O wakati -b 50000").parse
    return lambda text: parse(text).split()


_HAN = pattern(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f])"
)
# Characters with a special meaning in pyonmttok, and their replacements.
_SUBSTITUTES = str.maketrans("\u2581\uffe8\uffed", "_\u2502\u25a0")


_find_ascii = re.compile("[a-z]+|[0-9]+").findall
_find_classes = re.compile("L[LM]*|N[NM]*|SM*|M+").finditer


def _general_words(text: str) -> list[str]:
    """Cut as pyonmttok 1.38 in mode "aggressive", then separate Han characters."""
    if text.isascii():
        return _find_ascii(text)
    text = text.translate(_SUBSTITUTES)
    words = []
    for match in _find_classes(text.translate(_CLASSES)):
        word = text[match.start() : match.end()]
        # pyonmttok joins marks to a blank before them, written with a full-width percent sign.
        words.append(f"\uff050020{word}" if match[0][0] == "M" and match.start() > 0 else word)
    return _HAN.sub(r" \1 ", " ".join(words)).split()


_ASAT = "\u103a"
_DOT_BELOW = "\u1037"
# A Burmese character with the vowel signs, medials and other marks that belong to it; the virama is not among them.
_BURMESE_UNIT = pattern(".[\u102b-\u1032\u1036-\u1038\u103a-\u103e]*", re.DOTALL)


def _burmese_syllables(text: str) -> list[str]:
    """Cut syllables: a character with its marks, its final consonant, and stacked characters."""
    text = "".join(text.replace(_DOT_BELOW + _ASAT, _ASAT + _DOT_BELOW).split())
    units: list[str] = _BURMESE_UNIT.findall(text)
    for index in range(1, len(units)):
        # The first of several final consonants in a row joins its syllable; the others are tokens.
        if _ASAT in units[index] and len(units[index]) < 4:
            units[index - 1] += units[index]
            units[index] = ""
    return " ".join(filter(None, units)).replace(" \u1039 ", "\u1039").split()  # the virama, which stacks


# Ramanathan and Rao (2003), A Lightweight Stemmer for Hindi: inflections by their length in characters.
_HINDI_SUFFIXES = tuple(
    tuple(suffixes.split())
    for suffixes in (
        "ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां",
        "ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां",
        "ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं",
        "कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें",
        "ो े ू ु ी ि ा",
    )
)


def hindi_stem(word: str) -> str:
    """Stem a Hindi word: drop the longest suffix that leaves at least two characters."""
    for suffixes in _HINDI_SUFFIXES:
        length = len(suffixes[0])
        if len(word) > length + 1 and word.endswith(suffixes):
            return word[:-length]
    return word


def xlsum_stem(language: str | None) -> Callable[[str], str] | None:
    """Return XL-Sum's stemmer of a language, or None; tokens of at most three characters stay."""
    if language is not None and language not in XLSUM_STEMMED_LANGUAGES:
        return None
    return _load(language)[0]


def missing_stop_words(language: str) -> Iterator[Note]:
    """Warn that NLTK's stop words are missing; XL-Sum's scorer would fail."""
    # It matters where the stem of a stop word is another word: "having" becomes "have".
    if language in XLSUM_STEMMED_LANGUAGES and _load(language)[1]:
        yield Note(
            f"xlsum stems all words of {language}, but the original leaves stop words as they are: NLTK's stop list "
            "is not installed. To get it: python -m nltk.downloader stopwords"
        )


@functools.cache
def _load(language: str | None) -> tuple[Callable[[str], str], bool]:
    """Load the stemmer of a language; say whether it lacks the stop list."""
    misses_stop_words = False
    if language == "hindi":
        stem = hindi_stem
    elif language == "turkish":
        from TurkishStemmer import TurkishStemmer

        stem = TurkishStemmer().stem
    elif language == "bengali":  # not on PyPI
        from bengali_stemmer.rafikamal2014 import RafiStemmer

        stem = RafiStemmer().stem_word
    else:
        from nltk.stem import SnowballStemmer

        try:
            snowball = SnowballStemmer(language or "porter", ignore_stopwords=language is not None)
        except (LookupError, ValueError):  # no NLTK data, or data without this language
            snowball, misses_stop_words = SnowballStemmer(language or "porter"), True
        # Words before the first verb may have another stem in XL-Sum's scorer (1 of 101 words of a small sample).
        stem = steady_stem(snowball, after_verbs=True)
    return token_stemmer(stem), misses_stop_words


_ALIKE = {**OWN_PUNCTUATION, "lowercase": (True, False, "ascii")}


def _register_xlsum(name: str) -> None:
    language = None if name == "other" else name
    libraries = {"chinese": ("jieba",), "thai": ("pythainlp",), "japanese": ("fugashi", "unidic-lite")}

    def build(options: TokenizerOptions) -> Tokenize:
        return xlsum_tokenizer(language, options.use_stemmer, options.jieba_cutter)

    built_in_tokenizer(
        f"xlsum_{name}",
        f"XL-Sum: its words of {language or 'a language that it does not know'}",
        libraries=(*libraries.get(name.partition("_")[0], ()), "nltk"),
        build_for_sentences=lambda options: xlsum_sentence_tokenizer(language, options.use_stemmer),
        is_general=False,
        alike=_ALIKE,
        stems=language is None or _ALIASES.get(language, language) in XLSUM_STEMMED_LANGUAGES,
        may_give_blanks=_ALIASES.get(name, name) in ("chinese", "thai"),
    )(build)


for _language in ("other", *XLSUM_LANGUAGES):
    _register_xlsum(_language)


@built_in_tokenizer(
    "helm_thai",
    "HELM's copy of XL-Sum's scorer: newmm's words of Thai",
    libraries=("pythainlp", "nltk"),
    build_for_sentences=lambda options: xlsum_sentence_tokenizer(None, options.use_stemmer),
    is_general=False,
    alike=_ALIKE,
    stems=True,
    may_give_blanks=True,
)
def _build_helm_thai(options: TokenizerOptions) -> Tokenize:
    """Cut as ``xlsum_thai``, but stem English words."""
    cut, stem = _thai_cutter(), _stem_all(None, options.use_stemmer)
    return lambda text: stem(cut(" ".join(_clean(text))))


CONVENTIONS = (
    Convention(
        "xlsum",
        PLAIN.replace(
            tokenizer="xlsum_chinese",
            lowercase=False,
            punctuation="keep",
            tool={"stemmer": "xlsum"},
            multi_reference="first",
        ),
        "csebuetnlp/xl-sum of 2024-03 multilingual_rouge_scoring, Chinese; tokenizer='xlsum_<language>' for others",
        used_by="XL-Sum",
        unusual="a blank between two words is a word that matches; rougeLsum compares whole clauses",
        languages=("Chinese",),
    ),
    Convention(
        "helm_xlsum",
        ROUGE_SCORE.replace(
            rouge_types=("rougeL",),
            tokenizer="xlsum_other",
            lowercase=False,
            punctuation="keep",
            use_stemmer=True,
            tool={"stemmer": "xlsum"},
        ),
        "XL-Sum's scorer as HELM's repository had it (metrics/xlsum; no release); tokenizer='helm_thai' for Thai",
        unusual="English stems in every language; the best reference counts",
    ),
)
