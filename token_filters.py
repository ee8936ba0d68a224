"""Length limits before a text's tokens are taken, stop words and stems after: whose is a setting."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

from .rouge155_words import load_stop_words, load_wordnet_exceptions, word_stemmer155

__all__ = ["STEMMERS", "STOP_LISTS", "limit_bytes", "limit_words", "porter_stem", "stop_list", "word_stemmer"]

STEMMERS = ("porter", "rouge155", "py_rouge", "sacrerouge", "sumeval")
STOP_LISTS = ("rouge155", "sumeval_en", "sumeval_zh", "sumeval_ja")

_PERL_BLANKS = re.compile(r"[ \t\n\v\f\r]+")


def limit_words(sentences: Sequence[str], max_words: int) -> list[str]:
    """The first ``max_words`` words of a text, as ROUGE-1.5.5 counts them (``-l``).

    Words are pieces between blanks, so a free-standing comma is one; blanks at the start of a
    sentence make one empty word that counts. A sentence that ends below the limit is kept as it
    is; the one that reaches it is cut, its words joined by one blank.
    """
    kept, used = [], 0
    for sentence in sentences:
        words = _PERL_BLANKS.split(sentence)
        while words and not words[-1]:
            words.pop()
        if used + len(words) >= max_words:
            kept.append(" ".join(words[: max_words - used]))
            break
        kept.append(sentence)
        used += len(words)
    return kept


def limit_bytes(sentences: Sequence[str], max_bytes: int) -> list[str]:
    """The first ``max_bytes`` bytes (UTF-8) of a text, as ROUGE-1.5.5 counts them (``-b``).

    What joins the sentences is not counted. The cut may fall into a word; a character that it
    falls into is dropped.
    """
    kept, used = [], 0
    for sentence in sentences:
        data = sentence.encode()
        if used + len(data) >= max_bytes:
            kept.append(data[: max_bytes - used].decode(errors="ignore"))
            break
        kept.append(sentence)
        used += len(data)
    return kept


@functools.cache
def porter_stem() -> Callable[[str], str]:
    """Return rouge_score's stemming: NLTK's Porter stemmer on tokens of more than three characters.

    The stemmer is for English; tokens with other than ASCII characters are left as they are. Each
    distinct token is stemmed once.
    """
    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer().stem

    @functools.lru_cache(maxsize=1 << 17)
    def stem_token(token: str) -> str:
        return stem(token, to_lowercase=False) if len(token) > 3 and token.isascii() else token

    return stem_token


@functools.lru_cache(maxsize=16)
def word_stemmer(name: str, tables: str | None = None) -> Callable[[str], str]:
    """Return one of ``STEMMERS``.

    Args:
        name: whose.
        tables: folder of the tables that it needs; None means the tool's installed package.

    Raises:
        ModuleNotFoundError: a table is needed, and neither a folder is given nor the package installed.
        FileNotFoundError: the folder lacks a table.
    """
    if name == "rouge155":
        return word_stemmer155(load_wordnet_exceptions(tables))
    return porter_stem()


@functools.lru_cache(maxsize=16)
def stop_list(name: str, tables: str | None = None) -> frozenset[str]:
    """Return the words of one of ``STOP_LISTS``; see ``word_stemmer``."""
    return load_stop_words(tables)
