"""Texts of other tools' conventions as blanks between words: what the compiled tokenizer takes.

The tools that are fed with blanks between words (pltrdy's rouge, rouge_chinese) split at blanks. Here a
text is rewritten so that the kernel of ``space`` finds the same tokens and, at line breaks, the same
sentences; a test holds it to the plain tokenizers.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.jieba_tables import jieba_tables
from polyrouge.settings.stages import TextRules
from polyrouge.texts.jieba_words import jieba_dictionary
from polyrouge.texts.patterns import pattern
from polyrouge.tools.by_name import text_preparation
from polyrouge.tools.rouge_chinese import break_chinese_lines

# What an empty token is written as. No word of pltrdy's holds a full stop; a noncharacter is looked for before.
_EMPTY_OF_PLTRDY = "."
_EMPTY_OF_ROUGE_CHINESE = "\U0010ffff"
_BLANK_LINE = pattern(r"\n[^\S\n]+(?=\n)")
_BLANKS_BEHIND_MARK = pattern(r"([。！？?])[^\S\n]+\n")
_BLANK = ord(" ")
_DOTS = "." * 6  # in one word of jieba's


def texts_as_bytes(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The texts as UTF-8, one after the other, with a byte at least; and where each begins.

    Not by pyarrow, whose ``array`` imports pandas, which takes longer than to score some hundred pairs.
    """
    joined = "".join(texts)
    if joined.isascii():
        data, sizes = joined.encode(), map(len, texts)
    else:
        encoded = list(map(str.encode, texts))
        data, sizes = b"".join(encoded), map(len, encoded)
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(sizes, np.int64, len(texts)), out=offsets[1:])
    return np.frombuffer(data or b"\0", np.uint8), offsets


def spaced_texts(texts: Sequence[str], rules: TextRules) -> Sequence[str] | None:
    """The texts with blanks between tokens and line breaks between sentences.

    None where a text holds what an empty token is written as, and for a dictionary that the kernel can't have.
    """
    if rules.segment in ("jieba", "jieba_without_spaces"):
        words = _with_words_apart(texts, rules)
        if words is None:
            return None
        texts = words
    elif put_blanks := text_preparation(None, rules.segment):
        texts = list(map({text: put_blanks(text) for text in set(texts)}.__getitem__, texts))
    if rules.tokenizer == "pltrdy":
        return list(map(_as_pltrdy, texts))
    if any(_EMPTY_OF_ROUGE_CHINESE in text for text in texts):
        return None
    return [_as_rouge_chinese(text, rules.segment is not None and _DOTS not in text) for text in texts]


def _with_words_apart(texts: Sequence[str], rules: TextRules) -> list[str] | None:
    """The texts with a blank between any two of jieba's words; those that are a space may be left out before."""
    tables = jieba_tables(jieba_dictionary(rules.jieba_dict))
    if tables is None:
        return None
    data, offsets = texts_as_bytes(texts)
    ends, text_words = kernels.word_ends(data, offsets, *tables, rules.jieba_hmm)
    spaced = np.insert(data[: offsets[-1]], ends, _BLANK)
    sizes = np.diff(ends, prepend=0) + 1  # each word with the blank behind it
    if rules.segment == "jieba_without_spaces":
        words = np.cumsum(sizes) - sizes
        spaces = words[(sizes == 2) & (spaced[words] == _BLANK)]
        sizes[(sizes == 2) & (spaced[words] == _BLANK)] = 0
        spaced = np.delete(spaced, np.concatenate([spaces, spaces + 1]))
    bounds = np.concatenate([[0], np.cumsum(sizes)])[text_words].tolist()
    whole = spaced.tobytes()
    return [whole[start : max(start, end - 1)].decode() for start, end in itertools.pairwise(bounds)]


def _as_pltrdy(text: str) -> str:
    """Line breaks are blanks there; full stops end the pieces, of which one of blanks only is an empty token."""
    text = text.replace("\n", " ")
    if "." not in text:
        return _EMPTY_OF_PLTRDY if text.isspace() else text
    return "\n".join(_EMPTY_OF_PLTRDY if piece.isspace() else piece for piece in text.split("."))


def _as_rouge_chinese(text: str, has_blanks: bool) -> str:
    """A line of blanks only is an empty token, but at the end.

    ``has_blanks``: they stand between all words, and no word is of full stops. A break behind a mark then cuts no word,
    and leaves a line of blanks only where nothing else stands before the text's own line break.
    """
    text = text.rstrip()
    if not has_blanks:
        text = break_chinese_lines(text).rstrip()
    if "\n" not in text:
        return text
    first, _, rest = text.partition("\n")
    if first.isspace():
        text = f"{_EMPTY_OF_ROUGE_CHINESE}\n{rest}"
    text = _BLANK_LINE.sub(f"\n{_EMPTY_OF_ROUGE_CHINESE}", text)
    if has_blanks:
        parts = _BLANKS_BEHIND_MARK.split(text)  # every second one is a mark
        parts[1::2] = [f"{mark} {_EMPTY_OF_ROUGE_CHINESE} " for mark in parts[1::2]]
        text = "".join(parts)
    return text.replace("\n", " ")
