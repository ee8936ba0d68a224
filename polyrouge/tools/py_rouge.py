"""Tokens, stems and length limits of py-rouge 1.1 (Diego999/py-rouge).

Where nothing else is said they are those under its option ``ensure_compatibility``, which is on by default: each line
is a sentence.
Its tables belong to others and are not part of this package: they are read from the installed ``py-rouge``,
or from a folder.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from polyrouge.tools.installed_tables import installed_tables

_STEM_FILES = ("wordnet_key_value.txt", "wordnet_key_value_special_cases.txt")
_find_words = re.compile("[a-z0-9]+").findall

# In a text of letters, digits and blanks, all that NLTK's word tokenizer does is to split at blanks and to cut these
# contractions. It would cut "cannot" too: py-rouge writes _cannot_ before and puts it back afterwards.
_CONTRACTIONS = {
    "gimme": ("gim", "me"),
    "gonna": ("gon", "na"),
    "gotta": ("got", "ta"),
    "lemme": ("lem", "me"),
    "wanna": ("wan", "na"),
}


def py_rouge_tokenizer(compatible: bool = True) -> Callable[[str], list[str]]:
    """Return ``tokenize(text) -> tokens``, not stemmed.

    The text is lower-cased as Unicode has it (the Kelvin sign becomes a k), each character outside
    [A-Za-z0-9] a blank, and the rest is cut by NLTK's word tokenizer: gonna -> gon na.

    Args:
        compatible: ``ensure_compatibility``, which keeps "cannot" in one piece.
    """
    contractions = _CONTRACTIONS if compatible else {**_CONTRACTIONS, "cannot": ("can", "not")}

    def tokenize(text: str) -> list[str]:
        words = _find_words(text.lower())
        if contractions.keys().isdisjoint(words):
            return words
        return [part for word in words for part in contractions.get(word, (word,))]

    return tokenize


def py_rouge_stem(folder: str | os.PathLike[str] | None = None, compatible: bool = True) -> Callable[[str], str]:
    """Return py-rouge's stemmer: its two tables, else NLTK's Porter stemmer as Porter published it.

    Tokens of at most three characters stay as they are. What a table gives is not stemmed again.

    Args:
        folder: where its tables are; None means the installed package ``py-rouge``.
        compatible: ``ensure_compatibility``; without it, its first table only, and NLTK's own variant of Porter.

    Raises:
        ModuleNotFoundError: no folder is given and ``py-rouge`` is not installed.
        FileNotFoundError: the folder lacks a table.
        ValueError: a line of a table is not ``word|stem``.
    """
    from nltk.stem.porter import PorterStemmer

    stems = load_py_rouge_stems(folder, compatible)
    mode = PorterStemmer.ORIGINAL_ALGORITHM if compatible else PorterStemmer.NLTK_EXTENSIONS
    porter = PorterStemmer(mode).stem

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        # Stemmed while it still holds the underscores: cannots -> _cannot_s -> _cannot_ -> cannot.
        token = token.replace("cannot", "_cannot_")
        if len(token) > 3:
            stem = stems.get(token)
            token = porter(token) if stem is None else stem
        return token.replace("_cannot_", "cannot")

    return stem_token


def load_py_rouge_stems(folder: str | os.PathLike[str] | None = None, compatible: bool = True) -> dict[str, str]:
    """Read py-rouge's tables: 5,930 exceptions of WordNet 2.0, and 138 words that ROUGE-1.5.5 stems in another way.

    Args:
        folder: where ``wordnet_key_value.txt`` and ``wordnet_key_value_special_cases.txt`` are; None
            means the installed package ``py-rouge``.
        compatible: read both, not only the first.

    Returns:
        A stem for each word.

    Raises:
        ModuleNotFoundError: no folder is given and ``py-rouge`` is not installed.
        FileNotFoundError: the folder lacks one of the files.
        ValueError: a line is not ``word|stem``.
    """
    if folder is None:
        folder = installed_tables("py-rouge", "rouge", f"py-rouge's stemming needs the table {_STEM_FILES[0]}")
    stems: dict[str, str] = {}
    for name in _STEM_FILES if compatible else _STEM_FILES[:1]:
        file = Path(folder) / name
        if not file.is_file():
            raise FileNotFoundError(
                f"{file} does not exist; py-rouge's stemming needs a folder with {' and '.join(_STEM_FILES)}, "
                "which `pip install py-rouge` brings along."
            )
        stems.update(_read_pairs(file))
    return stems


def _read_pairs(file: Path) -> Iterable[tuple[str, str]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").strip().split("\n"), 1):
        word, _, stem = line.strip().partition("|")
        if not (word and stem) or "|" in stem:
            raise ValueError(f"{file}, line {number} is {line!r}; it must be a word, a bar and its stem: word|stem.")
        yield word, stem


def limit_py_rouge(
    sentences: Sequence[str], max_words: int | None = None, max_characters: int | None = None
) -> list[str]:
    """The beginning of a text, as py-rouge cuts it: by its default after 665 characters.

    py-rouge speaks of bytes, but counts code points. Blanks around a sentence are removed first, and what
    joins sentences is not counted. Words are pieces between blanks (``str.split``). The sentence that
    reaches the limit is cut and is the last one.

    Args:
        sentences: the lines of the text.
        max_words: words to keep; None or 0 means all.
        max_characters: characters to keep; None or 0 means all. Only one of the two may be given.

    Returns:
        The sentences that are left. A line without a character is one.

    Raises:
        ValueError: both limits are given, or one is negative.
    """
    for name, limit in (("max_words", max_words), ("max_characters", max_characters)):
        if limit is not None and limit < 0:
            raise ValueError(f"{name} is {limit}; give a number above 0, or 0 for no limit.")
    if max_words and max_characters:
        raise ValueError(f"max_words is {max_words} and max_characters is {max_characters}; give one of them.")
    if max_words:
        kept = _limit([sentence.split() for sentence in sentences], max_words)
        return [" ".join(words) for words in kept]
    if max_characters:
        return _limit([sentence.strip() for sentence in sentences], max_characters)
    return list(sentences)


def _limit(sentences: Sequence, limit: int) -> list:
    """The first ``limit`` items (words or characters) of the sentences together."""
    kept = []
    for sentence in sentences:
        if len(sentence) >= limit:
            kept.append(sentence[:limit])
            break
        kept.append(sentence)
        limit -= len(sentence)
    return kept
