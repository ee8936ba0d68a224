"""Chinese words as jieba cuts them: jieba's result is the contract, rjieba the fast road to it.

rjieba (a Rust port) is some twenty times faster than jieba 0.42.1 and holds the same dictionary,
but cuts differently around ASCII runs and outside U+4E00-9FD5. ``_RepairedRjieba`` mends that; a
test holds it to jieba itself. User dictionaries and cutting without the HMM go to jieba.

Each cutter has a dictionary of its own: words that the process added to jieba's global one
(``jieba.add_word``) don't move a score. jieba keeps one list for the whole process, though, that of
words deleted (``jieba.del_word``), and its own cutters see it: those for user dictionaries and without
the HMM.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import re
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["JIEBA_BLOCK", "jieba_cutter", "jieba_spacer"]

# The characters that jieba looks up in its dictionary; all others are cut one by one.
JIEBA_BLOCK = r"[\u4E00-\u9FD5a-zA-Z0-9+#\&._%\-]"
_BLOCK = re.compile(f"({JIEBA_BLOCK}+)")
# What jieba makes of a run of ASCII that is not in the dictionary: words with an optional decimal
# part and percent sign, and whatever is between them.
_ASCII_WORD = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")
_ASCII_MARK = re.compile(r"[+#&._%\-]")
_ASCII_WITH_MARK = re.compile(r"(?<!\S)[a-zA-Z0-9]*[+#&._%\-][a-zA-Z0-9+#&._%\-]*(?!\S)")
_DICTIONARY_ASCII = frozenset(["AT&T", "c#", "C#", "c++", "C++"])

# Characters that rjieba takes for Han and jieba cuts one by one. Nothing else but the marks above sets the two apart.
_HAN_OF_RJIEBA = re.compile(r"[\u3400-\u4DBF\u9FD6-\u9FFF\uF900-\uFAFF\U00020000-\U0002FA1F]")

_BETWEEN_BLOCKS = re.compile(r"\r\n|.", re.DOTALL)

_LOADING = threading.Lock()


def jieba_cutter(
    user_dict: str | None = None, *, hmm: bool = True, keep_blanks: bool = False
) -> Callable[[str], list[str]]:
    """Return ``cut(text) -> words`` equal to ``[w for w in jieba.cut(text, HMM=hmm) if w.strip()]``.

    Args:
        user_dict: path of a user dictionary in jieba's format, added to the default one.
        hmm: guess words that the dictionary does not hold (jieba's default).
        keep_blanks: keep the words that are blank: equal to ``jieba.lcut(text, HMM=hmm)``.

    Raises:
        FileNotFoundError: there is no file at ``user_dict``.
    """
    digest = "" if user_dict is None else hashlib.sha256(Path(user_dict).read_bytes()).hexdigest()
    with _LOADING:
        return _load(user_dict, digest, hmm, keep_blanks)


def jieba_spacer() -> Callable[[str], str] | None:
    """Return ``space(text)``: the text with a blank at least between any two words as ``jieba_cutter`` cuts them.

    It is several times as fast as a list of words; None where there is no rjieba.
    """
    with _LOADING:
        cutter = getattr(_load(None, "", True, False), "__self__", None)
    if cutter is None:
        return None
    return cutter.space


@functools.lru_cache(maxsize=8)
def _load(user_dict: str | None, _digest: str, hmm: bool, keep_blanks: bool) -> Callable[[str], list[str]]:
    """Load once for each content of the dictionary, which the digest stands for."""
    if user_dict is None and hmm:
        try:
            import rjieba
        except ImportError:  # no wheel for this platform: jieba gives the same words, slower
            pass
        else:
            repaired = _RepairedRjieba(rjieba.Jieba())
            return repaired.cut_all if keep_blanks else repaired.cut
    tokenizer = _quiet_jieba_tokenizer(user_dict)
    if keep_blanks:
        return lambda text: tokenizer.lcut(text, HMM=hmm)
    return lambda text: [word for word in tokenizer.cut(text, HMM=hmm) if not word.isspace()]


def _quiet_jieba_tokenizer(user_dict: str | None) -> Any:
    """A loaded ``jieba.Tokenizer`` of its own; loading prints nothing and is over when this returns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes and pkg_resources in jieba's own source
        import jieba
    log = logging.getLogger("jieba")
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        tokenizer = jieba.Tokenizer()
        tokenizer.initialize()
        if user_dict is not None:
            with open(user_dict, "rb") as words:
                tokenizer.load_userdict(words)
    finally:
        log.setLevel(level)
    return tokenizer


class _RepairedRjieba:
    """rjieba with jieba's own treatment of ASCII runs and of characters outside its block class."""

    def __init__(self, rjieba: Any) -> None:
        self._cut_block = rjieba.cut

    def cut(self, text: str) -> list[str]:
        """Without blank words."""
        return self._cut(text, lambda part: [character for character in part if not character.isspace()])

    def cut_all(self, text: str) -> list[str]:
        """With blank words; jieba takes a carriage return and line feed together as one."""
        return self._cut(text, _BETWEEN_BLOCKS.findall)

    def _cut(self, text: str, cut_between: Callable[[str], list[str]]) -> list[str]:
        words: list[str] = []
        for index, part in enumerate(_BLOCK.split(text)):
            if index % 2 == 0:
                words += cut_between(part)
            elif _ASCII_MARK.search(part) is None:
                words += self._cut_block(part)
            else:
                for word in self._cut_block(part):
                    if word.isascii() and word not in _DICTIONARY_ASCII and _ASCII_MARK.search(word):
                        words.extend(filter(None, _ASCII_WORD.split(word)))
                    else:
                        words.append(word)
        return words

    def space(self, text: str) -> str:
        if _HAN_OF_RJIEBA.search(text) is not None:
            parts = _BLOCK.split(text)
            parts[::2] = map(" ".join, parts[::2])
            text = " ".join(filter(None, parts))  # no blank before the first word
        spaced = " ".join(self._cut_block(text))
        if _ASCII_MARK.search(text) is None:
            return spaced
        return _ASCII_WITH_MARK.sub(_mended, spaced)


def _mended(match: re.Match) -> str:
    """Blanks where jieba cuts an ASCII word that holds a mark."""
    word = match[0]
    return word if word in _DICTIONARY_ASCII else " ".join(filter(None, _ASCII_WORD.split(word)))
