"""Chinese words as jieba cuts them, by a dictionary that nothing else in the process can change.

jieba 0.42.1 is the definition of these words. The compiled engine cuts in the same way, and tests compare the two. Each
dictionary is loaded into a ``jieba.Tokenizer`` of its own, of modules that are loaded anew: words that the process
added to jieba's global one (``jieba.add_word``) don't move a score, nor does what it changed in jieba's modules
(``jieba.re_han_default``), nor what another version left in the temporary folder. jieba keeps one list of deleted words
for the whole process; here each dictionary has its own.
"""

from __future__ import annotations

import functools
import io
import os
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polyrouge.fork_lock import ForkLock
from polyrouge.texts.jieba_package import jieba_file, quiet_jieba, separate_tokenizer

_LOADING = ForkLock()
_MOST_KEPT = 4  # user dictionaries: jieba takes 60 MB for each

JiebaWords = Any  # None, a path, a ``jieba.Tokenizer`` or a ``JiebaDictionary``; jieba has no types
"""What a caller may give to name a dictionary."""


MakeCutter = Callable[..., Callable[[str], list[str]]]
"""``jieba_cutter``, or a function with the same arguments and result: the compiled engine has its own."""


class JiebaDictionary:
    """Words and their frequencies, as they are at one time.

    Attributes:
        name: ``"jieba"`` for its own words, ``"tokenizer"``, or the name of the user dictionary's file.
    """

    def __init__(self, name: str, digest: Callable[[], str], load: Callable[[], Any]) -> None:
        self.name = name
        self._digest = digest
        self._load = load

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of its content, hexadecimal. jieba is not loaded for it where the content is in files."""
        return self._digest()

    @functools.cached_property
    def tokenizer(self) -> Any:
        """A loaded ``jieba.Tokenizer`` of its own; ``deleted_words`` has its words that the HMM must not make."""
        with _LOADING.held():
            return self._load()


def jieba_dictionary(words: JiebaWords = None) -> JiebaDictionary:
    """The dictionary as it is now.

    Args:
        words: None for jieba's own; the path of a user dictionary in jieba's format, added to it; or a
            ``jieba.Tokenizer``, whose words are taken.

    Raises:
        FileNotFoundError: there is no such file.
        ModuleNotFoundError: jieba is not installed.
    """
    if isinstance(words, JiebaDictionary):
        return words
    if words is None:
        return _own_dictionary()
    if is_jieba_tokenizer(words):
        return _dictionary_of_tokenizer(words)
    return _dictionary_of_file(Path(words).read_bytes(), os.fspath(words))


def jieba_cutter(
    words: JiebaWords = None, *, hmm: bool = True, keep_blanks: bool = False
) -> Callable[[str], list[str]]:
    """Return ``cut(text) -> words`` equal to ``[w for w in jieba.cut(text, HMM=hmm) if w.strip()]``.

    Args:
        words: see ``jieba_dictionary``.
        hmm: guess words that the dictionary does not hold (jieba's default).
        keep_blanks: keep the words that are blank: equal to ``jieba.lcut(text, HMM=hmm)``.

    Raises:
        FileNotFoundError: there is no such file.
        ModuleNotFoundError: jieba is not installed.
    """
    tokenizer = jieba_dictionary(words).tokenizer
    if keep_blanks:
        return lambda text: tokenizer.lcut(text, HMM=hmm)
    return lambda text: [word for word in tokenizer.cut(text, HMM=hmm) if not word.isspace()]


def is_jieba_tokenizer(words: object) -> bool:
    """Whether it is a ``jieba.Tokenizer`` itself; a class that inherits from it may cut in another way."""
    jieba = sys.modules.get("jieba")
    return jieba is not None and type(words) is getattr(jieba, "Tokenizer", None)


@functools.cache
def _own_digest() -> str:
    import hashlib

    return hashlib.sha256(jieba_file("dict.txt")).hexdigest()


@functools.cache
def _own_dictionary() -> JiebaDictionary:
    return JiebaDictionary("jieba", _own_digest, lambda: _loaded(set()))


@functools.lru_cache(maxsize=_MOST_KEPT)
def _dictionary_of_file(content: bytes, path: str) -> JiebaDictionary:
    def load() -> Any:

        tokenizer = _loaded(set())
        file = io.BytesIO(content)
        file.name = path  # jieba's errors name it
        with quiet_jieba():
            tokenizer.load_userdict(file)
        return tokenizer

    def digest() -> str:
        import hashlib

        return hashlib.sha256(_own_digest().encode() + content).hexdigest()

    return JiebaDictionary(Path(path).name, digest, load)


class _WordsOfTokenizer:
    """The words of somebody's ``jieba.Tokenizer`` at one time."""

    def __init__(self, tokenizer: Any) -> None:
        listed = dict(tokenizer.FREQ)  # in one go: another thread may add words meanwhile
        self.words = tuple(listed)
        self.frequencies = tuple(listed.values())
        self.total = tokenizer.total
        # Those of the process's list that this tokenizer deleted: it has them with frequency 0.
        deleted = frozenset(sys.modules["jieba.finalseg"].Force_Split_Words)
        self.deleted = frozenset(word for word in deleted if listed.get(word) == 0)

    def is_same(self, other: _WordsOfTokenizer) -> bool:
        """Whether nothing was added or changed. It is fast, as both usually hold the same objects."""
        return (
            self.total == other.total
            and self.deleted == other.deleted
            and self.frequencies == other.frequencies
            and self.words == other.words
        )

    def digest(self) -> str:
        """Of all that moves a cut: also entries of frequency 0, without which jieba misses the words that go on."""
        import hashlib

        pairs = zip(self.words, self.frequencies, strict=True)
        lines = sorted(f"{len(word)} {word} {frequency}" for word, frequency in pairs)  # a word may hold anything
        lines += [f"total {self.total}", *(f"{len(word)} {word}" for word in sorted(self.deleted))]
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()

    def load(self) -> Any:
        """A tokenizer of these words."""
        tokenizer = separate_tokenizer(set(self.deleted))
        tokenizer.FREQ = dict(zip(self.words, self.frequencies, strict=True))
        tokenizer.total = self.total
        tokenizer.initialized = True
        return tokenizer


_SEEN: weakref.WeakKeyDictionary[Any, tuple[_WordsOfTokenizer, JiebaDictionary]] = weakref.WeakKeyDictionary()


def _dictionary_of_tokenizer(tokenizer: Any) -> JiebaDictionary:
    with _LOADING.held(), tokenizer.lock:
        if not tokenizer.initialized:
            with quiet_jieba("jieba"):
                tokenizer.initialize()
        words = _WordsOfTokenizer(tokenizer)
        seen = _SEEN.get(tokenizer)
        if seen is not None and seen[0].is_same(words):
            return seen[1]
        dictionary = JiebaDictionary("tokenizer", words.digest, words.load)
        _SEEN[tokenizer] = words, dictionary
        return dictionary


def _loaded(deleted: set[str]) -> Any:
    """A tokenizer with jieba's own words, without the file that jieba keeps where anybody may have put another."""
    tokenizer = separate_tokenizer(deleted)
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
