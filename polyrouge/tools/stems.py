"""Stemmers and lists of stop words by name. Settings say whose are used."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

STEMMERS = ("porter", "rouge155", "py_rouge", "sacrerouge", "sumeval", "xlsum")
STOP_LISTS = ("rouge155", "sumeval_en", "sumeval_zh", "sumeval_ja")


def porter_stemmer() -> Any:
    """Return NLTK's Porter stemmer, a new object with the method ``stem``, which lower-cases too."""
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


@functools.cache
def porter_stem() -> Callable[[str], str]:
    """Return rouge_score's stemmer: NLTK's Porter stemmer on tokens of more than three characters.

    The stemmer is for English; tokens with a character outside ASCII stay as they are. Each distinct
    token is stemmed once.
    """
    stem = porter_stemmer().stem

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        return stem(token, to_lowercase=False) if len(token) > 3 and token.isascii() else token

    return stem_token


@functools.lru_cache(maxsize=16)
def word_stemmer(name: str, tables: str | None = None) -> Callable[[str], str]:
    """Return one of ``STEMMERS``, a function from a token to its stem.

    Args:
        name: of the tool whose stems they are.
        tables: folder of the tables that it needs; None means the tool's installed package.

    Raises:
        ModuleNotFoundError: a table is needed, and neither a folder is given nor the package installed.
        FileNotFoundError: the folder lacks a table.
    """
    if name == "rouge155":
        from polyrouge.tools.rouge155_words import load_wordnet_exceptions, word_stemmer155

        return word_stemmer155(load_wordnet_exceptions(tables))
    if name == "py_rouge":
        from polyrouge.tools.py_rouge import py_rouge_stem

        return py_rouge_stem(tables)
    if name == "sacrerouge":
        from polyrouge.tools.sacrerouge import sacrerouge_stem

        return sacrerouge_stem(tables)
    if name == "sumeval":
        from polyrouge.tools.sumeval import sumeval_stem

        return sumeval_stem("en", tables)
    return porter_stem()


@functools.lru_cache(maxsize=16)
def stop_list(name: str, tables: str | None = None) -> frozenset[str]:
    """Return the words of one of ``STOP_LISTS``; see ``word_stemmer``."""
    if name == "rouge155":
        from polyrouge.tools.rouge155_words import load_stop_words

        return load_stop_words(tables)
    from polyrouge.tools.sumeval import sumeval_stop_words

    return sumeval_stop_words(name.removeprefix("sumeval_"), tables)
