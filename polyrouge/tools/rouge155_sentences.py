"""Read one text as ROUGE-1.5.5 does: into sentences, cut to a length, as tokens.

Line numbers point into ROUGE-1.5.5.pl.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from polyrouge.tools.limits import limit_words
from polyrouge.tools.rouge155_words import tokenize155


class Rouge155Text(NamedTuple):
    """The tokens of one text.

    Attributes:
        tokens: of the whole text, in order. ROUGE-N, -S and -SU count them; L and W clip by them and
            divide by their number for precision.
        sentences: lists of tokens, which ROUGE-L and -W compare; a sentence may have no token. Under
            ``-b`` these are not the same tokens, see ``limit_sentences155``.
    """

    tokens: list[str]
    sentences: list[list[str]]


def split_sentences155(text: str) -> list[str]:
    r"""The sentences of a text with one sentence a line, the script's SPL format (1853-1862).

    Only ``\n`` ends a line. Lines without a character are no sentences; a line of blanks is one.
    """
    return [line for line in text.split("\n") if line]


def limit_sentences155(
    sentences: Sequence[str], max_words: int | None = None, max_bytes: int | None = None
) -> tuple[Sequence[str], Sequence[str]]:
    """Cut a text, prediction or reference, as ``-l`` and ``-b`` do.

    Words (``-l``) are pieces between blanks before any cleaning. Bytes (``-b``) are those of UTF-8; what
    joins sentences is not counted. The script has two routines that read a text, and they differ under
    ``-b``: the one for L and W never counts what it has read (2093-2108). So it keeps whole every sentence
    that is shorter than the limit, up to the first one that is not: that one is cut and ends the text.

    Args:
        sentences: the sentences of the text.
        max_words: words to keep; None or 0 means all.
        max_bytes: bytes to keep; None or 0 means all. Only one of the two may be given.

    Returns:
        The sentences for ROUGE-N, -S, -SU, clipping and precision; and those for L and W.

    Raises:
        ValueError: both limits are given, or one is negative.
    """
    for name, limit in (("max_words (-l)", max_words), ("max_bytes (-b)", max_bytes)):
        if limit is not None and limit < 0:
            raise ValueError(f"{name} is {limit}; give a number above 0, or 0 for no limit.")
    if max_words and max_bytes:
        raise ValueError(f"max_words (-l) is {max_words} and max_bytes (-b) is {max_bytes}; give one of them.")
    if max_words:
        cut = limit_words(sentences, max_words)
        return cut, cut
    if not max_bytes:
        return sentences, sentences
    return _cut_bytes(sentences, max_bytes, counting=True), _cut_bytes(sentences, max_bytes, counting=False)


def _cut_bytes(sentences: Sequence[str], max_bytes: int, *, counting: bool) -> list[str]:
    """Keep the sentences that end below the limit, and cut the first one that does not.

    Without ``counting`` each sentence is compared with the limit alone. Bytes that are no UTF-8, such as half
    a character at the cut, become lone surrogates. They separate tokens, as every byte outside ASCII does.
    """
    kept, used = [], 0
    for sentence in sentences:
        data = sentence.encode("utf-8", "surrogateescape")
        if used + len(data) >= max_bytes:
            kept.append(data[: max_bytes - used].decode("utf-8", "surrogateescape"))
            break
        kept.append(sentence)
        if counting:
            used += len(data)
    return kept


def tokenize_sentences155(
    sentences: Sequence[str],
    *,
    max_words: int | None = None,
    max_bytes: int | None = None,
    stop_words: frozenset[str] = frozenset(),
    stem: Callable[[str], str] | None = None,
) -> Rouge155Text:
    """Cut, tokenize, drop stop words, stem: in the script's order.

    Args:
        sentences: the sentences of the text, as the file's format or ``split_sentences155`` gives them.
        max_words: as ``-l``.
        max_bytes: as ``-b``.
        stop_words: tokens to drop, compared before stemming (``-s``).
        stem: ``word_stemmer155(...)`` for ``-m``.
    """
    flat, separate = limit_sentences155(sentences, max_words, max_bytes)
    tokenized = [_words(sentence, stop_words, stem) for sentence in separate]
    whole = tokenized if flat is separate else [_words(sentence, stop_words, stem) for sentence in flat]
    return Rouge155Text([token for sentence in whole for token in sentence], tokenized)


def _words(sentence: str, stop_words: frozenset[str], stem: Callable[[str], str] | None) -> list[str]:
    tokens = tokenize155(sentence)
    if stop_words:
        tokens = [token for token in tokens if token not in stop_words]
    return tokens if stem is None else list(map(stem, tokens))
