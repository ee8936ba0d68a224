"""When the compiled engine counts: at once where its kernels are loaded, or else as soon as that is worth its cost.

Nothing here moves a score. A run never waits for a compiler, unless it would take far longer to go on without.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from polyrouge.counting.compiled.jieba_tables import are_kept
from polyrouge.counting.compiled.kernel_folder import (
    NotCompiledError,
    are_ready,
    failure,
    is_compiling,
    is_writable,
    kernel_folder,
    unmark,
)
from polyrouge.counting.compiled.kernel_units import are_loaded, load_units, needed_units
from polyrouge.errors import unknown_value, warn_user
from polyrouge.settings.stages import CountRules, TextRules, cuts_with_jieba
from polyrouge.texts.jieba_words import jieba_dictionary

if TYPE_CHECKING:
    from polyrouge.counting.compiled.background import BackgroundCompiler

_COMPILE = "POLYROUGE_COMPILE"
_COMPILE_VALUES = ("auto", "now", "never")
_LOAD_SECONDS = 0.25  # numba's import, and the kernels
_TABLES_SECONDS = 2.0  # jieba's own start, and the making of its tables
_COMPILE_SECONDS = 15.0
_LONG_WAIT = 5.0  # seconds, after which a waiting user is told why
_LOOK_AGAIN = 0.05
_LOW, _LOWEST = 5, 15  # niceness where this run gains by the compiler, and where only later ones may


class KernelChoice:
    """Whether kernels do some work, asked again and again in a run.

    What has been done plainly is remembered by the process, so that many small calls come to the kernels too.

    Args:
        units: the groups of kernels that the work needs.
        cost: seconds that their start costs.
    """

    def __init__(self, units: tuple[str, ...], cost: float = _LOAD_SECONDS) -> None:
        self.units = units
        self._cost = cost

    @classmethod
    def of_rules(cls, text_rules: TextRules, count_rules: CountRules) -> KernelChoice:
        """Whether the compiled engine counts under some rules."""
        is_slow = cuts_with_jieba(text_rules) and not has_tables(text_rules)
        return cls(needed_units(text_rules, count_rules), _LOAD_SECONDS + (_TABLES_SECONDS if is_slow else 0.0))

    def is_loaded(self) -> bool:
        """Whether the kernels are loaded now."""
        return are_loaded(self.units)

    def counted(self, seconds: float) -> None:
        """Take note of seconds of plain counting."""
        _STATE.counted[self.units] = _STATE.counted.get(self.units, 0.0) + seconds

    def take_over(self, ahead: float) -> bool:
        """Whether the kernels are loaded, now that so many seconds of plain work are ahead.

        They are loaded, or the compiler is started, where the work done and ahead is more than that costs.
        """
        if are_loaded(self.units):
            return True
        if _STATE.counted.get(self.units, 0.0) + ahead < self._cost or time.monotonic() < _STATE.look_again:
            return False
        if not _has_numba():
            return False
        if are_ready(self.units):
            return _load(self.units)
        how = compile_when()
        if how == "now":
            return load_or_compile(self.units)
        if how == "auto":
            self._start_compiler(ahead)
        _STATE.look_again = time.monotonic() + _LOOK_AGAIN
        return False

    def wait(self, ahead: float) -> bool:
        """Wait for the compiler where the next step would take far longer; whether the kernels are loaded then."""
        if ahead < _COMPILE_SECONDS or compile_when() != "auto" or not _has_numba():
            return False
        end = time.monotonic() + ahead
        with _told_when_long():
            while time.monotonic() < end:
                _STATE.look_again = 0.0
                if self.take_over(ahead):
                    return True
                if not _is_compiling():
                    return False
                time.sleep(_LOOK_AGAIN)
        return False

    def _start_compiler(self, ahead: float) -> None:
        """Start the process that compiles, once for these units."""
        with _STATE.lock:
            if _STATE.compiler is not None and not _STATE.compiler.is_running():
                trouble = _STATE.compiler.trouble()
                _STATE.compiler = None
                if trouble is not None:
                    _give_up(trouble)
            if _STATE.has_given_up or _STATE.compiler is not None or self.units in _STATE.started:
                return
            if not is_writable():
                _give_up(f"{kernel_folder()} can't be written to")
            elif failure() is not None:
                _give_up(f"the compiler failed on this machine: {failure()}")
            elif not is_compiling():
                _STATE.started.add(self.units)
                _STATE.compiler = _started(self.units, _LOW if ahead > 2 * _COMPILE_SECONDS else _LOWEST)


def _started(units: tuple[str, ...], niceness: int) -> BackgroundCompiler | None:
    """The process that compiles; None where there can be none."""
    from polyrouge.counting.compiled.background import BackgroundCompiler, can_start_process

    if not can_start_process():
        return None
    try:
        return BackgroundCompiler(units, niceness)
    except OSError as error:  # no more processes, no memory
        _give_up(str(error))
        return None


class _State:
    """What this process knows of its kernels; a child that was forked knows the same, but has no compiler."""

    def __init__(self) -> None:
        self.counted: dict[tuple[str, ...], float] = {}
        self.started: set[tuple[str, ...]] = set()
        self.compiler: BackgroundCompiler | None = None
        self.has_given_up = False
        self.look_again = 0.0
        self.lock = threading.Lock()

    def forked(self) -> None:
        self.lock = threading.Lock()
        self.compiler = None


_STATE = _State()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_STATE.forked)


def compile_when() -> str:
    """The value of POLYROUGE_COMPILE: ``"auto"`` (in the background), ``"now"`` (and wait) or ``"never"``.

    Raises:
        ValueError: another value.
    """
    value = os.environ.get(_COMPILE) or "auto"
    if value not in _COMPILE_VALUES:
        raise unknown_value(value, _COMPILE_VALUES, f"the environment variable {_COMPILE}")
    return value


def load_or_compile(units: tuple[str, ...]) -> bool:
    """Load kernels, or compile them and wait, unless POLYROUGE_COMPILE=never; warn where neither can be."""
    if are_loaded(units):
        return True
    if not _has_numba():
        _give_up("numba's compiler is not installed, or switched off by NUMBA_DISABLE_JIT")
        return False
    if are_ready(units) and _load(units):
        return True
    if compile_when() == "never":
        _give_up(f"{_COMPILE}=never forbids to compile its kernels")
        return False
    try:
        with _told_when_long():
            load_units(units, may_compile=True)
    except OSError as error:
        warn_user(f"The kernels could not be kept on disk ({error}), so the next process compiles them again.")
    except ImportError as error:
        _give_up(f"{error}")
        return False
    return True


def _load(units: tuple[str, ...]) -> bool:
    """Load kernels from disk; whether they were there."""
    try:
        load_units(units)
    except NotCompiledError:  # damaged, or of a processor that was taken for the same
        unmark(units)
        return False
    except ImportError as error:
        _give_up(f"{error}")
        return False
    return True


def _is_compiling() -> bool:
    return (_STATE.compiler is not None and _STATE.compiler.is_running()) or is_compiling()


def _give_up(reason: str) -> None:
    if not _STATE.has_given_up:
        _STATE.has_given_up = True
        warn_user(f"The compiled engine is not available ({reason}); the plain engine gives the same scores, slower.")


@functools.cache
def _has_numba() -> bool:
    is_off = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return not is_off and importlib.util.find_spec("numba") is not None


def has_tables(rules: TextRules) -> bool:
    """Whether the words of these rules can be cut without jieba being loaded."""
    try:
        return are_kept(jieba_dictionary(rules.jieba_dict))
    except (ModuleNotFoundError, OSError):  # whoever cuts will say what is missing
        return False


@contextlib.contextmanager
def _told_when_long() -> Iterator[None]:
    """Say what is being waited for, once, where it takes long."""
    notice = threading.Timer(_LONG_WAIT, _say_that_it_compiles)
    notice.daemon = True
    with contextlib.suppress(RuntimeError):  # there are as many threads as there may be
        notice.start()
    try:
        yield
    finally:
        notice.cancel()


def _say_that_it_compiles() -> None:
    sys.stderr.write(
        "polyrouge: compiling its kernels, once on this machine, which takes 5 to 30 seconds. `polyrouge compile` does "
        f"it beforehand; {_COMPILE}=never counts without.\n"
    )
    sys.stderr.flush()
