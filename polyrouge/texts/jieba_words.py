"""Cut Chinese words as jieba does, by a dictionary that nothing else in the process can change.

jieba 0.42.1 defines these words. The compiled engine cuts in the same way, and tests compare the two. Each dictionary
has a ``jieba.Tokenizer`` of its own, from a second copy of jieba's modules. So scores don't depend on words that the
process added to jieba (``jieba.add_word``), on names that it changed there (``jieba.re_han_default``), or on the file
that another version left in the temporary folder. jieba has one list of deleted words for the process; here each
dictionary has its own.
"""

import functools
import importlib.util
import io
import os
import re
import sys
import types
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.errors import Note, Option
from polyrouge.texts.fork_lock import ForkLock
from polyrouge.texts.registration import sha256

KNOWN_JIEBA = "0.42.1"  # the version of the tests
_KNOWN_SIZE = 498_113, 60_101_967  # entries of its dictionary, with beginnings of words, and their total frequency

_MISSING = f"Chinese words are cut by jieba, which is not installed: pip install jieba=={KNOWN_JIEBA}"
_OWN_NAME = "_polyrouge_jieba"  # of our copy of jieba's modules
_IMPORTING, _LOADING = ForkLock(), ForkLock()
_CACHE_SIZE = 4  # user dictionaries: jieba takes 60 MB for each

# A dictionary: None, a path, a ``jieba.Tokenizer`` or a ``JiebaDictionary``; jieba has no types.
JiebaWords = Any
# ``jieba_cutter``, or a function with the same arguments and result: the compiled engine has its own.
MakeCutter = Callable[..., Callable[[str], list[str]]]


class JiebaDictionary:
    """Words and their frequencies at one time; ``name`` is ``jieba``, ``tokenizer`` or a file's name."""

    def __init__(self, name: str, digest: Callable[[], str], load: Callable[[], Any]) -> None:
        self.name = name
        self._digest = digest
        self._load = load

    @functools.cached_property
    def digest(self) -> str:
        """Return the hexadecimal SHA-256 of the content. Content in files needs no jieba."""
        return self._digest()

    @functools.cached_property
    def tokenizer(self) -> Any:
        """Load a ``jieba.Tokenizer`` for it; ``deleted_words`` has the words that the HMM must not make."""
        with _LOADING.held():
            return self._load()


def jieba_dictionary(words: JiebaWords = None) -> JiebaDictionary:
    """Return the present dictionary of jieba, also with a user's file added, or of a ``jieba.Tokenizer``."""
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
    """Return ``cut(text) -> words`` as ``jieba.lcut(text, HMM=hmm)``, without blank words; see ``jieba_dictionary``."""
    tokenizer = jieba_dictionary(words).tokenizer
    if keep_blanks:
        return lambda text: tokenizer.lcut(text, HMM=hmm)
    return lambda text: [word for word in tokenizer.cut(text, HMM=hmm) if not word.isspace()]


def is_jieba_tokenizer(words: object) -> bool:
    """Say whether this is a ``jieba.Tokenizer`` itself; a subclass may cut in another way."""
    jieba = sys.modules.get("jieba")
    return jieba is not None and type(words) is getattr(jieba, "Tokenizer", None)


_told: set[Any] = set()


def _untold_words(tool: str) -> Any:
    """Identify the changes of jieba's global dictionary by the process; None without changes, or if already noted."""
    jieba = sys.modules.get("jieba")
    if jieba is None or not hasattr(jieba, "dt"):
        return None
    dt = jieba.dt
    state = len(dt.FREQ), dt.total, len(sys.modules["jieba.finalseg"].Force_Split_Words), dt.dictionary
    is_changed = dt.dictionary is not None or (dt.initialized and state[:3] != (*_own_size(), 0))
    return (state, tool) if is_changed and (state, tool) not in _told else None


def has_untold_words(tool: str = "") -> bool:
    """Say quickly whether ``note_of_other_words`` yields a note."""
    return _untold_words(tool) is not None


def note_of_other_words(tool: str = "") -> Iterator[Note]:
    """Note once that the process changed jieba's global dictionary, which polyrouge does not use.

    ``tool`` is the tokenizer of another tool, which takes no dictionary.
    """
    if (words := _untold_words(tool)) is None:
        return
    _told.add(words)
    takes = "takes a user dictionary, so that others get the same scores."
    remedy = "jieba_dict=jieba.dt does; ", Option("jieba_dict", "FILE"), f" {takes}"
    yield Note(
        "jieba.dt, which jieba.add_word, del_word, load_userdict and set_dictionary change, has other words than jieba "
        "ships, and these scores don't use them. ",
        *((f"The tokenizer {tool!r} cuts by what jieba ships alone, as others get it.",) if tool else remedy),
    )


def _own_size() -> tuple[int, int]:
    if jieba_version() == KNOWN_JIEBA:
        return _KNOWN_SIZE
    tokenizer = jieba_dictionary().tokenizer
    return len(tokenizer.FREQ), tokenizer.total


@functools.cache
def _own_digest() -> str:
    return sha256(jieba_file("dict.txt"))


@functools.cache
def _own_dictionary() -> JiebaDictionary:
    return JiebaDictionary("jieba", _own_digest, _load_own_words)


@functools.lru_cache(maxsize=_CACHE_SIZE)
def _dictionary_of_file(content: bytes, path: str) -> JiebaDictionary:
    def load() -> Any:
        tokenizer = _load_own_words()
        file = io.BytesIO(content)
        file.name = path  # for jieba's errors
        with quiet_logger(_OWN_NAME):
            tokenizer.load_userdict(file)
        return tokenizer

    return JiebaDictionary(Path(path).name, lambda: sha256(_own_digest().encode() + content), load)


class _Words(NamedTuple):
    """The words of a user's ``jieba.Tokenizer`` at one time. Comparing is fast, as most objects are the same."""

    total: int
    deleted: frozenset[str]  # which the HMM must not make
    frequencies: tuple[int, ...]
    words: tuple[str, ...]

    def digest(self) -> str:
        """Digest all that moves a cut, also entries of frequency 0, which jieba needs as beginnings of longer words."""
        pairs = zip(self.words, self.frequencies, strict=True)
        lines = sorted(f"{len(word)} {word} {frequency}" for word, frequency in pairs)  # a word may have any character
        lines += [f"total {self.total}", *(f"{len(word)} {word}" for word in sorted(self.deleted))]
        return sha256("\n".join(lines).encode("utf-8", "surrogatepass"))

    def load(self) -> Any:
        """Make a tokenizer of these words."""
        tokenizer = separate_tokenizer(set(self.deleted))
        tokenizer.FREQ = dict(zip(self.words, self.frequencies, strict=True))
        tokenizer.total = self.total
        tokenizer.initialized = True
        return tokenizer


def _words_of(tokenizer: Any) -> _Words:
    frequencies = dict(tokenizer.FREQ)  # in one go: another thread may add words meanwhile
    # Words of the process's list that this tokenizer deleted have frequency 0 in it.
    process_deleted = frozenset(sys.modules["jieba.finalseg"].Force_Split_Words)
    deleted = frozenset(word for word in process_deleted if frequencies.get(word) == 0)
    return _Words(tokenizer.total, deleted, tuple(frequencies.values()), tuple(frequencies))


_LATEST: weakref.WeakKeyDictionary[Any, tuple[_Words, JiebaDictionary]] = weakref.WeakKeyDictionary()


def _dictionary_of_tokenizer(tokenizer: Any) -> JiebaDictionary:
    with _LOADING.held(), tokenizer.lock:
        if not tokenizer.initialized:  # not by ``initialize``: it reads a file that any user of the machine can write
            tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
            tokenizer.initialized = True
        words = _words_of(tokenizer)
        latest = _LATEST.get(tokenizer)
        if latest is not None and latest[0] == words:
            return latest[1]
        dictionary = JiebaDictionary("tokenizer", words.digest, words.load)
        _LATEST[tokenizer] = words, dictionary
        return dictionary


def _load_own_words() -> Any:
    """Make a tokenizer with jieba's own words, not from the cache file, which anybody may have replaced."""
    tokenizer = separate_tokenizer(set())
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


# The installed jieba: its files, its version, and polyrouge's own copy of its modules.


def _begin_anew() -> None:
    """Drop the copy after a fork: a thread that the child lacks may hold one of jieba's locks."""
    for name in [name for name in sys.modules if name.partition(".")[0] == _OWN_NAME]:
        del sys.modules[name]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def jieba_model() -> Any:
    """Return jieba's model of unknown words: ``start_P``, ``trans_P``, ``emit_P`` are logarithms of probabilities."""
    return _own_jieba().finalseg


@functools.cache
def jieba_version() -> str:
    """Read the version of the installed jieba from its source; ``"none"`` without jieba."""
    try:
        version = re.search(rb"""^__version__ *= *["']([^"']*)""", jieba_file("__init__.py"), re.MULTILINE)
    except (ModuleNotFoundError, OSError):
        return "none"
    return version[1].decode() if version else "unknown"


def jieba_file(name: str) -> bytes:
    """Read a file in jieba's folder, without importing jieba."""
    spec = _spec()
    return spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), *name.split("/")))


def _spec() -> Any:
    spec = importlib.util.find_spec("jieba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(_MISSING, name="jieba")
    return spec


def separate_tokenizer(deleted: set[str]) -> Any:
    """Make a ``jieba.Tokenizer`` with its own deleted words."""
    # Methods go into a subclass: on the instance they would form a cycle, and 60 MB would wait for the collector.
    jieba = _own_jieba()
    finalseg = types.SimpleNamespace(
        cut=_with_names(jieba.finalseg.cut, Force_Split_Words=deleted), add_force_split=deleted.add
    )
    methods = {  # all methods that use finalseg
        name: _with_names(getattr(jieba.Tokenizer, name), finalseg=finalseg)
        for name in ("_Tokenizer__cut_DAG", "add_word")
    }
    tokenizer: Any = type("Tokenizer", (jieba.Tokenizer,), methods)()
    tokenizer.deleted_words = deleted
    return tokenizer


def _own_jieba() -> Any:
    """Load polyrouge's copy of jieba's modules: the process may have changed the usual ones."""
    with _IMPORTING.held():
        module = sys.modules.get(_OWN_NAME)
        if module is not None:
            return module
        origin = _spec().origin
        folders = [os.path.dirname(origin)]
        spec: Any = importlib.util.spec_from_file_location(_OWN_NAME, origin, submodule_search_locations=folders)
        module = importlib.util.module_from_spec(spec)
        sys.modules[_OWN_NAME] = module  # its own modules look for it there
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # invalid escapes and pkg_resources in jieba's own source
                spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[_OWN_NAME]
            raise
        return module


def _with_names(function: Any, **names: object) -> Any:
    """Copy a function with other values for some global names."""
    global_names = {**function.__globals__, **names}
    return types.FunctionType(
        function.__code__, global_names, function.__name__, function.__defaults__, function.__closure__
    )


@contextmanager
def quiet_logger(name: str) -> Iterator[None]:
    """Silence a logger below warnings."""
    import logging

    def is_warning(record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING

    logger = logging.getLogger(name)
    logger.addFilter(is_warning)
    try:
        yield
    finally:
        logger.removeFilter(is_warning)
