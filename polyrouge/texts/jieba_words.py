"""Chinese words as jieba cuts them, by a dictionary that nothing else in the process can change.

jieba 0.42.1 is the definition of these words. The compiled engine cuts in the same way, and tests compare the two.
Each dictionary is loaded into a ``jieba.Tokenizer`` of its own, so that neither words that the process added to
jieba's global one (``jieba.add_word``) nor a file that another version left in the temporary folder moves a score.
jieba keeps one list of deleted words for the whole process; here each dictionary has its own.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import io
import logging
import os
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

__all__ = [
    "KNOWN_JIEBA",
    "JiebaDictionary",
    "JiebaWords",
    "MakeCutter",
    "is_jieba_tokenizer",
    "jieba_cutter",
    "jieba_dictionary",
    "jieba_file",
    "jieba_model",
    "jieba_version",
]

KNOWN_JIEBA = "0.42.1"  # the version that our tests compare with

_MISSING = f"Chinese words are cut by jieba, which is not installed: pip install jieba=={KNOWN_JIEBA}"
_LOADING = threading.RLock()

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
        with _LOADING:
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


def jieba_model() -> Any:
    """Jieba's model of unknown words: ``start_P``, ``trans_P`` and ``emit_P`` hold its probabilities, as logarithms."""
    from jieba import finalseg

    return finalseg


@functools.cache
def jieba_version() -> str:
    """The version of jieba that is installed, ``"none"`` where it is not."""
    try:
        return metadata.version("jieba")
    except metadata.PackageNotFoundError:
        return str(getattr(sys.modules.get("jieba"), "__version__", "none"))


@functools.cache
def jieba_file(name: str) -> bytes:
    """What a file in jieba's folder holds; jieba is not imported for it.

    Raises:
        ModuleNotFoundError: jieba is not installed.
        OSError: it has no such file.
    """
    spec = importlib.util.find_spec("jieba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(_MISSING, name="jieba")
    loader: Any = spec.loader
    return loader.get_data(os.path.join(os.path.dirname(spec.origin), *name.split("/")))


def is_jieba_tokenizer(words: object) -> bool:
    """Whether it is a ``jieba.Tokenizer`` itself; a class that inherits from it may cut in another way."""
    jieba = sys.modules.get("jieba")
    return jieba is not None and type(words) is getattr(jieba, "Tokenizer", None)


@functools.cache
def _own_digest() -> str:
    return hashlib.sha256(jieba_file("dict.txt")).hexdigest()


@functools.cache
def _own_dictionary() -> JiebaDictionary:
    return JiebaDictionary("jieba", _own_digest, lambda: _loaded(set()))


@functools.lru_cache(maxsize=8)
def _dictionary_of_file(content: bytes, path: str) -> JiebaDictionary:
    def load() -> Any:
        tokenizer = _loaded(set())
        file = io.BytesIO(content)
        file.name = path  # jieba's errors name it
        with _quiet_jieba():
            tokenizer.load_userdict(file)
        return tokenizer

    digest = hashlib.sha256(_own_digest().encode() + content).hexdigest
    return JiebaDictionary(Path(path).name, digest, load)


class _WordsOfTokenizer:
    """The words of somebody's ``jieba.Tokenizer`` at one time."""

    def __init__(self, tokenizer: Any) -> None:
        self.words = tuple(tokenizer.FREQ)
        self.frequencies = tuple(tokenizer.FREQ.values())
        self.total = tokenizer.total
        # Of the process's list, the words that this tokenizer deleted: it holds them with frequency 0.
        listed = sys.modules["jieba.finalseg"].Force_Split_Words
        self.deleted = frozenset(word for word in listed if tokenizer.FREQ.get(word) == 0)

    def is_same(self, other: _WordsOfTokenizer) -> bool:
        """Whether nothing was added or changed. It is fast, as both usually hold the same objects."""
        return (
            self.total == other.total
            and self.deleted == other.deleted
            and self.frequencies == other.frequencies
            and self.words == other.words
        )

    def digest(self) -> str:
        """SHA-256 of all that can move a cut. Entries of frequency 0 can't: they are only beginnings of other words."""
        pairs = zip(self.words, self.frequencies, strict=True)
        lines = sorted(f"{word} {frequency}" for word, frequency in pairs if frequency)
        lines += [f"total {self.total}", *sorted(self.deleted)]
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()

    def load(self) -> Any:
        """A tokenizer of these words."""
        tokenizer = _separate_tokenizer(set(self.deleted))
        tokenizer.FREQ = dict(zip(self.words, self.frequencies, strict=True))
        tokenizer.total = self.total
        tokenizer.initialized = True
        return tokenizer


_SEEN: weakref.WeakKeyDictionary[Any, tuple[_WordsOfTokenizer, JiebaDictionary]] = weakref.WeakKeyDictionary()


def _dictionary_of_tokenizer(tokenizer: Any) -> JiebaDictionary:
    with _LOADING, tokenizer.lock:
        if not tokenizer.initialized:
            with _quiet_jieba():
                tokenizer.initialize()
        words = _WordsOfTokenizer(tokenizer)
        seen = _SEEN.get(tokenizer)
        if seen is not None and seen[0].is_same(words):
            return seen[1]
        dictionary = JiebaDictionary("tokenizer", words.digest, words.load)
        _SEEN[tokenizer] = words, dictionary
        return dictionary


def _loaded(deleted: set[str]) -> Any:
    """A tokenizer with jieba's own words; loading prints nothing and is over when this returns."""
    tokenizer = _separate_tokenizer(deleted)
    # jieba's own file in the temporary folder may be that of another version's dictionary.
    tokenizer.cache_file = f"jieba.{_own_digest()[:16]}.cache"
    with _quiet_jieba():
        tokenizer.initialize()
    return tokenizer


def _separate_tokenizer(deleted: set[str]) -> Any:
    """A ``jieba.Tokenizer`` whose deleted words are its own, not those of the process."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes and pkg_resources in jieba's own source
            import jieba
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(_MISSING, name="jieba") from error
    tokenizer: Any = jieba.Tokenizer()
    tokenizer.deleted_words = deleted
    finalseg = types.SimpleNamespace(
        cut=_with_names(jieba.finalseg.cut, Force_Split_Words=deleted), add_force_split=deleted.add
    )
    for name in ("_Tokenizer__cut_DAG", "add_word"):  # all methods that look finalseg up
        method = _with_names(getattr(jieba.Tokenizer, name), finalseg=finalseg)
        setattr(tokenizer, name, types.MethodType(method, tokenizer))
    return tokenizer


def _with_names(function: Any, **names: object) -> Any:
    """The same function, except that some global names mean something else to it."""
    given = {**function.__globals__, **names}
    return types.FunctionType(function.__code__, given, function.__name__, function.__defaults__, function.__closure__)


class _quiet_jieba:  # noqa: N801 used as a function
    """While jieba loads, it says nothing."""

    def __enter__(self) -> None:
        self._log = logging.getLogger("jieba")
        self._level = self._log.level
        self._log.setLevel(logging.WARNING)

    def __exit__(self, *_: object) -> None:
        self._log.setLevel(self._level)
