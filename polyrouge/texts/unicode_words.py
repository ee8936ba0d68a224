"""Cut words of Unicode's UAX #29 as uniseg does, by regex where it gives the same.

uniseg is written in Python and takes milliseconds for a text. regex is faster, but differs at marks within words, at
flags and at apostrophes. So regex cuts texts without these, and uniseg each distinct piece with them. A test compares
the two.
"""

import functools
import re

import regex
from uniseg.wordbreak import WordBreak, word_break, words

# Characters that regex and uniseg treat in the same way: Latin, Greek, Cyrillic, Hangul, kana and Chinese, with marks
# and symbols, but without apostrophes and characters that changed between versions of Unicode.
_SAME_TO_BOTH = re.compile(
    r"[\0-&(-\u00AC\u00AE-\u00B7\u00B9-\u02C1\u0370-\u0373\u0376-\u0377\u037B-\u037D\u0386-\u0482\u048A-\u052F"
    r"\u2010-\u2017\u201C-\u2023\u2025-\u2026\u2030-\u203E\u20A0-\u20BF\u2190-\u21FF"
    r"\u3001-\u3029\u3041-\u3096\u309D-\u30FF\u3400-\u4DB5\u4E00-\u9FD5\uAC00-\uD7A3\uFF01-\uFF06\uFF08-\uFF9D]*"
)
_BOUNDARY = regex.compile(r"(?wV1)\b")
_PIECE = re.compile(r"[^ \n]+")
_JOINED_TO_BLANKS = {WordBreak.EXTEND, WordBreak.FORMAT, WordBreak.ZWJ, WordBreak.WSEGSPACE}


def unicode_words(text: str) -> list[str]:
    """Return ``[word for word in uniseg.wordbreak.words(text) if not word.isspace()]``."""
    if _SAME_TO_BOTH.fullmatch(text) is not None:
        return _words_by_regex(text)
    pieces = _PIECE.findall(text)
    if any(_property(piece[0]) in _JOINED_TO_BLANKS for piece in pieces):
        return _words_by_uniseg(text)
    tokens: list[str] = []
    for piece in pieces:
        tokens += _words_of_piece(piece)
    return tokens


@functools.lru_cache(maxsize=1 << 16)
def _words_of_piece(piece: str) -> list[str]:
    """Cut a piece without blanks; cached, as pieces repeat in a corpus."""
    return _words_by_uniseg(piece) if _SAME_TO_BOTH.fullmatch(piece) is None else _words_by_regex(piece)


# Cached, as uniseg looks each character up in a file.
_property = functools.lru_cache(maxsize=1 << 14)(word_break)


def _words_by_regex(text: str) -> list[str]:
    return [word for word in _BOUNDARY.split(text) if word and not word.isspace()]


def _words_by_uniseg(text: str) -> list[str]:
    return [word for word in words(text, property=_property) if not word.isspace()]
