"""Tokens of XL-Sum's multilingual ROUGE (csebuetnlp/xl-sum, multilingual_rouge_scoring), by language.

rouge1, rouge2 and rougeL see the tokens of the whole text, made by the language's own tool. rougeLsum does
not: it cuts each line at blanks and marks only, so that a Chinese clause is a single token there.
"""

from __future__ import annotations

import functools
import re
import string
import unicodedata
from collections.abc import Callable

from polyrouge.errors import unknown_value
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.patterns import pattern
from polyrouge.tools.xlsum_stems import XLSUM_STEMMED_LANGUAGES, xlsum_stem

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
"""The languages that XL-Sum covers or that its scorer knows; None stands for none of them."""


def xlsum_tokenizer(
    language: str | None = None, use_stemmer: bool = False, make_cutter: MakeCutter = jieba_cutter
) -> Callable[[str], list[str]]:
    """Return ``tokenize(text) -> tokens`` for rouge1, rouge2 and rougeL.

    The text is lower-cased, control characters are left out, each mark becomes a blank. Then

    - chinese: jieba's words; a blank between two of them is a token that counts and matches;
    - thai: the words of pythainlp's newmm, with blanks as in Chinese;
    - japanese: the words of MeCab (fugashi) with the UniDic that is installed: unidic, or unidic-lite;
    - burmese: syllables, by XL-Sum's own rules; blanks are left out;
    - every other language, and None: the words of pyonmttok's "aggressive" mode, which separates letters, digits
      and symbols, and then each Han character by itself. The rules are built in, see ``_general_words``.

    Args:
        language: one of ``XLSUM_LANGUAGES``, or None.
        use_stemmer: stem tokens of more than three characters, see ``xlsum_stem``.
        make_cutter: makes the function that cuts Chinese words.

    Raises:
        ValueError: XL-Sum has no such language.
        ModuleNotFoundError: a library that the language needs (Thai, Japanese; stems of Turkish and Bengali)
            is not installed; the message names it.
    """
    language = _known_language(language)
    cut, stem = _word_cutter(language, make_cutter), _stem_all(language, use_stemmer)
    return lambda text: stem(cut(" ".join(_clean(text))))


def xlsum_sentence_tokenizer(language: str | None = None, use_stemmer: bool = False) -> Callable[[str], list[str]]:
    r"""Return ``tokenize(line) -> tokens`` for rougeLsum, which cuts a text at ``\n`` before.

    The text is cleaned as in ``xlsum_tokenizer``, and then cut at blanks, in every language.

    Args:
        language: one of ``XLSUM_LANGUAGES``, or None; it decides only how tokens are stemmed.
        use_stemmer: as in ``xlsum_tokenizer``.

    Raises:
        ValueError: XL-Sum has no such language.
        ModuleNotFoundError: the stemmer's library is not installed; the message names it.
    """
    stem = _stem_all(_known_language(language), use_stemmer)
    return lambda text: stem(_clean(text))


def helm_thai_tokenizer(use_stemmer: bool = False) -> Callable[[str], list[str]]:
    """Return the tokenizer of HELM's copy for Thai: XL-Sum's words, and the stems of English."""
    cut, stem = _thai_cutter(), _stem_all(None, use_stemmer)
    return lambda text: stem(cut(" ".join(_clean(text))))


def _known_language(language: str | None) -> str | None:
    if language is None:
        return None
    if language not in XLSUM_LANGUAGES:
        raise unknown_value(language, XLSUM_LANGUAGES, "language of xlsum")
    return _ALIASES.get(language, language)


def _stem_all(language: str | None, use_stemmer: bool) -> Callable[[list[str]], list[str]]:
    """Stem each token and leave out what has become empty."""
    stem = xlsum_stem(language) if use_stemmer else None
    if stem is None:
        return lambda tokens: tokens
    return lambda tokens: [token for token in map(stem, tokens) if token]


class _Cleaning(dict[int, str | int]):
    """For ``str.translate``: what becomes of each character, by Python's own Unicode tables."""

    def __missing__(self, code: int) -> str | int:
        character = chr(code)
        category = unicodedata.category(character)
        kept: str | int = code
        if character in "\t\n\r" or character in string.punctuation or category[0] == "P":
            kept = " "
        elif category[0] == "C" or character == "\ufffd":
            kept = ""
        self[code] = kept
        return kept


_CLEANING = _Cleaning()


def _clean(text: str) -> list[str]:
    """Lower-case a text, leave out control and unassigned characters, make marks blanks, and cut at blanks."""
    return text.lower().translate(_CLEANING).split()


def _word_cutter(language: str | None, make_cutter: MakeCutter) -> Callable[[str], list[str]]:
    """The function that cuts a cleaned text into words."""
    if language == "chinese":
        return make_cutter(keep_blanks=True)
    if language == "thai":
        return _thai_cutter()
    if language == "japanese":
        return _japanese_cutter()
    if language == "burmese":
        return _burmese_syllables
    return _general_words


@functools.cache
def _thai_cutter() -> Callable[[str], list[str]]:
    try:
        from pythainlp.tokenize import word_tokenize
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "xlsum's words of Thai come from pythainlp: pip install pythainlp", name=error.name
        ) from error
    return lambda text: word_tokenize(text, engine="newmm")


@functools.cache
def _japanese_cutter() -> Callable[[str], list[str]]:
    try:
        from fugashi import Tagger  # pyright: ignore[reportAttributeAccessIssue] # compiled
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "xlsum's words of Japanese come from fugashi: pip install fugashi unidic-lite", name=error.name
        ) from error
    try:
        parse = Tagger("-O wakati -b 50000").parse
    except RuntimeError as error:
        raise ModuleNotFoundError(
            "xlsum's words of Japanese need a dictionary for fugashi: pip install unidic-lite", name="unidic_lite"
        ) from error
    return lambda text: parse(text).split()


_HAN = pattern(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f])"
)
# Characters that have a meaning of their own in pyonmttok, and what it writes in their place.
_SUBSTITUTES = str.maketrans("\u2581\uffe8\uffed", "_\u2502\u25a0")


class _Classes(dict[int, str]):
    """For ``str.translate``: L for letters, M for marks, N for numbers, S for symbols."""

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))[0]
        self[code] = kind = {"L": "L", "M": "M", "N": "N", "Z": " "}.get(category, "S")
        return kind


_CLASSES = _Classes()
_find_ascii = re.compile("[a-z]+|[0-9]+").findall
_find_classes = re.compile("L[LM]*|N[NM]*|SM*|M+").finditer


def _general_words(text: str) -> list[str]:
    """The words of a cleaned text as pyonmttok 1.38 cuts it in mode "aggressive", then Han characters apart.

    Runs of letters, runs of numbers, single symbols, each with the marks that follow. Marks that follow a
    blank are joined to it, which pyonmttok writes as %0020 with a full-width percent sign.
    """
    if text.isascii():
        return _find_ascii(text)
    text = text.translate(_SUBSTITUTES)
    words = []
    for match in _find_classes(text.translate(_CLASSES)):
        word = text[match.start() : match.end()]
        words.append(f"\uff050020{word}" if match[0][0] == "M" and match.start() > 0 else word)
    return _HAN.sub(r" \1 ", " ".join(words)).split()


_ASAT = "\u103a"
_DOT_BELOW = "\u1037"
# A Burmese character with the vowel signs, medials and other marks that belong to it; the virama is not among them.
_BURMESE_UNIT = pattern(".[\u102b-\u1032\u1036-\u1038\u103a-\u103e]*", re.DOTALL)


def _burmese_syllables(text: str) -> list[str]:
    """Syllables: a character with its marks, the final consonant after it, and what is stacked below.

    Of several final consonants in a row only the first is joined to its syllable; the others are tokens.
    """
    text = "".join(text.replace(_DOT_BELOW + _ASAT, _ASAT + _DOT_BELOW).split())
    units: list[str] = _BURMESE_UNIT.findall(text)
    for index in range(1, len(units)):
        if _ASAT in units[index] and len(units[index]) < 4:
            units[index - 1] += units[index]
            units[index] = ""
    return " ".join(filter(None, units)).replace(" \u1039 ", "\u1039").split()  # the virama, which stacks
