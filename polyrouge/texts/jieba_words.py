"""Chinese words as jieba cuts them: jieba's result is the contract, rjieba the fast road to it.

rjieba (a Rust port) is some twenty times faster than jieba 0.42.1 and holds the same dictionary,
but cuts differently around ASCII runs and outside U+4E00-9FD5. ``_RepairedRjieba`` mends that; a
test holds it to jieba itself. User dictionaries and cutting without the HMM go to jieba.

Each cutter has a dictionary of its own: words that the process added to jieba's global one
(``jieba.add_word``) don't move a score, nor does what another version left in the temporary folder. jieba
keeps one list for the whole process, though, that of words deleted (``jieba.del_word``), and its own cutters
see it: those for user dictionaries and without the HMM.

Both hold the GIL while they cut; ``text_processes`` is for that.
"""

from __future__ import annotations

import functools
import hashlib
import io
import logging
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = [
    "JIEBA_BLOCK",
    "MUCH_FOR_JIEBA",
    "MUCH_FOR_RJIEBA",
    "has_deleted_words",
    "has_rjieba",
    "jieba_cutter",
    "jieba_tokenizer",
    "rjieba_origin",
    "space_texts",
]

# The characters that jieba looks up in its dictionary; all others are cut one by one.
JIEBA_BLOCK = r"[\u4E00-\u9FD5a-zA-Z0-9+#\&._%\-]"
_BLOCK = re.compile(f"({JIEBA_BLOCK}+)")
# What jieba makes of a run of ASCII that is not in the dictionary: words with an optional decimal
# part and percent sign, and whatever is between them.
_ASCII_WORD = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")
_ASCII_MARK = re.compile(r"[+#&._%\-]")
_ASCII_RUN = re.compile(r"[a-zA-Z0-9+#&._%\-][a-zA-Z0-9+#&._%\-]*(?!\S)")  # re finds a first letter faster than a +
_DICTIONARY_ASCII = frozenset(["AT&T", "c#", "C#", "c++", "C++"])

# Characters that rjieba takes for Han and jieba cuts one by one. Nothing else but the marks above sets the two apart.
_HAN = r"\u3400-\u4DBF\u9FD6-\u9FFF\uF900-\uFAFF\U00020000-\U0002FA1F"
_HAN_OF_RJIEBA = re.compile(f"[{_HAN}]")
_CUT_OTHERWISE = re.compile(rf"[{_HAN}+#&._%\-]")

# Characters from which on ``call_on_all_cores`` is worth it: loading a dictionary takes each process as long as
# cutting some of them.
MUCH_FOR_RJIEBA = 5_000_000
MUCH_FOR_JIEBA = 1_000_000

_BETWEEN_BLOCKS = re.compile(r"\r\n|.", re.DOTALL)

_LOADING = threading.Lock()


def _file_state(path: str | None) -> tuple[int, ...]:
    try:
        file = os.stat(path or "")
    except OSError:  # in an archive, for example
        return ()
    return (file.st_ino, file.st_size, file.st_mtime_ns)


_OWN_STATE = _file_state(__file__)


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
    with _LOADING:
        rjieba = _repaired_rjieba() if user_dict is None and hmm else None
    if rjieba is not None:
        return rjieba.cut_all if keep_blanks else rjieba.cut
    tokenizer, _ = jieba_tokenizer(user_dict)
    if keep_blanks:
        return lambda text: tokenizer.lcut(text, HMM=hmm)
    return lambda text: [word for word in tokenizer.cut(text, HMM=hmm) if not word.isspace()]


def jieba_tokenizer(user_dict: str | None = None) -> tuple[Any, str]:
    """A loaded ``jieba.Tokenizer`` for cutters alone, and the digest of its user dictionary.

    Raises:
        FileNotFoundError: there is no file at ``user_dict``.
    """
    words = None if user_dict is None else Path(user_dict).read_bytes()
    with _LOADING:
        return _load_jieba(words, user_dict), "" if words is None else hashlib.sha256(words).hexdigest()


def has_rjieba() -> bool:
    """Whether the fast road is there, and with it ``space_texts``."""
    with _LOADING:
        return _repaired_rjieba() is not None


def has_deleted_words() -> bool:
    """Whether jieba's list of deleted words, which only this process has, holds any."""
    finalseg = sys.modules.get("jieba.finalseg")
    return finalseg is not None and bool(finalseg.Force_Split_Words)


def space_texts(texts: Iterable[str]) -> list[str]:
    """Each text with a blank at least between any two words as ``jieba_cutter()`` cuts them.

    It is several times as fast as lists of words, and there where ``has_rjieba`` says so.
    """
    with _LOADING:
        rjieba = _repaired_rjieba()
    if rjieba is None:
        msg = "There is no rjieba on this machine: pip install rjieba."
        raise ModuleNotFoundError(msg, name="rjieba")
    return rjieba.space(texts)


def rjieba_origin() -> tuple[object, ...]:
    """Which rjieba was loaded and which of this module, by their files at that time; empty where there is none."""
    with _LOADING:
        rjieba = _repaired_rjieba()
    return () if rjieba is None else rjieba.origin


@functools.cache
def _repaired_rjieba() -> _RepairedRjieba | None:
    try:
        import rjieba
    except ImportError:  # no wheel for this platform: jieba gives the same words, slower
        return None
    return _RepairedRjieba(rjieba)


@functools.lru_cache(maxsize=8)
def _load_jieba(words: bytes | None, path: str | None) -> Any:
    """A loaded ``jieba.Tokenizer`` of its own; loading prints nothing and is over when this returns.

    Args:
        words: what the user dictionary holds.
        path: where it was read, for messages.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes and pkg_resources in jieba's own source
        import jieba
    log = logging.getLogger("jieba")
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        tokenizer: Any = jieba.Tokenizer()
        with tokenizer.get_dict_file() as dictionary:
            digest = hashlib.sha256(dictionary.read()).hexdigest()
        # jieba's own file in the temporary folder may be that of another version's dictionary.
        tokenizer.cache_file = f"jieba.{digest[:16]}.cache"
        tokenizer.initialize()
        if words is not None:
            file = io.BytesIO(words)
            file.name = path  # jieba's errors name it
            tokenizer.load_userdict(file)
    finally:
        log.setLevel(level)
    return tokenizer


class _RepairedRjieba:
    """rjieba with jieba's own treatment of ASCII runs and of characters outside its block class."""

    def __init__(self, rjieba: ModuleType) -> None:
        self._cut_block = rjieba.Jieba().cut
        self.origin = (repr(rjieba.Jieba), _file_state(getattr(rjieba, "rjieba", rjieba).__file__), _OWN_STATE)

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

    def space(self, texts: Iterable[str]) -> list[str]:
        """Most texts hold nothing that jieba cuts otherwise."""
        cut, is_odd = self._cut_block, _CUT_OTHERWISE.search
        return [" ".join(cut(text)) if is_odd(text) is None else self._space_odd(text) for text in texts]

    def _space_odd(self, text: str) -> str:
        if _HAN_OF_RJIEBA.search(text) is not None:
            parts = _BLOCK.split(text)
            parts[::2] = map(" ".join, parts[::2])
            text = " ".join(filter(None, parts))  # no blank before the first word
        spaced = " ".join(self._cut_block(text))
        if _ASCII_MARK.search(text) is None:
            return spaced
        return _ASCII_RUN.sub(_mended, spaced)


def _mended(match: re.Match) -> str:
    """Blanks where jieba cuts an ASCII word that holds a mark, and is no part of a longer word."""
    word, start = match[0], match.start()
    is_whole = start == 0 or match.string[start - 1].isspace()
    if not is_whole or word in _DICTIONARY_ASCII or _ASCII_MARK.search(word) is None:
        return word
    return " ".join(filter(None, _ASCII_WORD.split(word)))
