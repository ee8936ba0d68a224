"""Functions of texts on all cores where they hold the GIL, as jieba and rjieba do while they cut.

A fork of a process that runs threads may hang, and ``multiprocessing``'s spawn runs a user's main script
again if it is not guarded; so each process here is a new Python that imports what it is asked to call, and
is asked through pipes. It answers only if what the result hangs on is the same there; where it is not, and
where anything fails, the function is called in this process. So nothing here moves a score.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from polyrouge.errors import hearing_warnings, warn_user

__all__ = ["TextProcesses", "call_on_all_cores", "processes_for_run", "serve", "shared_processes"]

Result = TypeVar("Result")

_MOST_PROCESSES = 16  # of 70 MB each with rjieba's dictionary, 200 MB with jieba's
_SECONDS_TO_START = 60.0
_HELLO = b"polyrouge.reading.text_processes\n"

# What a new Python runs. Its arguments are our package's name and folder, and where this process imports from,
# which comes behind Python's own library: a file of the user's may have the name of any module. The package is
# made without running its __init__, which imports much that is not needed.
_START = """
import sys, sysconfig
own = sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")
own = [path for path in sys.path if path.startswith(own) and "-packages" not in path]
(name, folder), sys.path[:] = sys.argv[1:3], own + sys.argv[3:]
import importlib, types
for end in [place for place, mark in enumerate(name + ".") if mark == "."]:
    package = sys.modules[name[:end]] = types.ModuleType(name[:end])
    package.__path__ = []
package.__path__ = [folder]
importlib.import_module(name + ".reading.text_processes").serve()
"""


class TextProcesses:
    """Processes that are started once there is enough to do, and don't outlive the ``with`` block.

    Args:
        threads: how many threads will ask at once; for one alone no process is started.
        characters: tells how many characters there are; called only if something is to be called.
    """

    def __init__(self, threads: int = 1, characters: Callable[[], int] = int) -> None:
        self._threads = threads
        self._announced: Callable[[], int] | None = characters
        self._characters = 0
        self._failure: str | None = None
        self._changing = threading.Lock()
        self._is_closed = False
        self._processes: list[_Process] = []
        self._idle: queue.SimpleQueue[_Process] = queue.SimpleQueue()

    def __enter__(self) -> TextProcesses:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        with self._changing:
            self._is_closed = True
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.end()
        if self._failure is not None and error is None:
            warn_user(f"Texts were cut on one core, as other processes can't be used ({self._failure}).")

    def announce(self, threads: int, characters: Callable[[], int] | None) -> None:
        """Say that there is more to do, as at the beginning; or, with None, that what was said is done."""
        with self._changing:
            self._threads = threads
            self._announced = characters

    def help_thread(self) -> None:
        """Serve ``call_on_all_cores`` in this thread from now on."""
        _HELPER.set(self)

    def are_worth_it(self, characters: int) -> bool:
        """Whether there is, or has been, so much to do that processes are used; if so, they are started now."""
        if self._threads < 2 or self._failure is not None:
            return False
        with self._changing:
            if self._announced is not None:
                self._characters += self._announced()
                self._announced = None
            if self._characters >= characters and not self._processes and not self._is_closed:
                self._start()
            return bool(self._processes) and self._failure is None and not self._is_closed

    def _start(self) -> None:
        if not sys.executable or getattr(sys, "frozen", False):
            self._failure = "it is not known which Python to start"
            return
        try:
            for _ in range(min(self._threads, _MOST_PROCESSES)):
                process = _Process()
                self._processes.append(process)
                self._idle.put(process)
        except Exception as error:  # a path with a NUL, an exhausted system, ...
            self._failure = f"{type(error).__name__}: {error}"

    def call(self, state: Callable[[], object], function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function of one of our modules in a process, or here if that fails."""
        process = self._idle.get()
        try:
            answers = process.ask(state, function, arguments)
            self._failure = self._failure or process.failure
        finally:
            self._idle.put(process)
        return answers[0] if answers else function(*arguments)


_HELPER: ContextVar[TextProcesses | None] = ContextVar("polyrouge_text_processes", default=None)


def call_on_all_cores(
    characters: int, state: Callable[[], object], function: Callable[..., Result], *arguments: Any
) -> Result:
    """Call a function of one of our modules, in another process if this thread has such help.

    Args:
        characters: of a run, from which on it is worth it.
        state: gives what the function's result hangs on besides its arguments: a process whose state
            differs is not used.
        function: what it takes and gives can be pickled, as can the state.
        arguments: of the function.
    """
    helper = _HELPER.get()
    if helper is None or not helper.are_worth_it(characters):
        return function(*arguments)
    return helper.call(state, function, *arguments)


def processes_for_run(threads: int, characters: Callable[[], int]) -> contextlib.AbstractContextManager[TextProcesses]:
    """The processes for one run of an engine: the shared ones, if there are any; see ``TextProcesses``."""
    shared = _HELPER.get()
    return TextProcesses(threads, characters) if shared is None else _Borrowed(shared, threads, characters)


class _Borrowed:
    """Shared processes for the time of one run."""

    def __init__(self, shared: TextProcesses, threads: int, characters: Callable[[], int]) -> None:
        self._shared = shared
        shared.announce(threads, characters)

    def __enter__(self) -> TextProcesses:
        return self._shared

    def __exit__(self, *_: object) -> None:
        self._shared.announce(1, None)


class shared_processes(TextProcesses):  # noqa: N801 used as a function
    """Keep the processes of one run of an engine for the next: for a corpus that comes in pieces."""

    def __enter__(self) -> TextProcesses:
        self._token = _HELPER.set(self)
        return self

    def __exit__(self, *error: Any) -> None:
        _HELPER.reset(self._token)
        super().__exit__(*error)


class _Process:
    """A Python process that calls what it is asked to.

    Attributes:
        failure: why it can't be asked any longer, or None.
    """

    def __init__(self) -> None:
        paths = [path for path in sys.path if isinstance(path, str) and os.path.isabs(path)]
        options = ["-I", *["-B"][: sys.dont_write_bytecode], *["-O"] * sys.flags.optimize]
        self._process = subprocess.Popen(  # noqa: S603 this Python
            [sys.executable, *options, "-c", _START, "polyrouge", str(Path(__file__).parents[1]), *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # on Windows
        )
        self.kill = weakref.finalize(self, self._process.kill)
        self._is_ready = False
        self.failure: str | None = None

    def ask(self, state: Callable[[], object], function: Callable, arguments: tuple) -> list:
        """Return what the function gives, in a list; none if there is no answer and never will be."""
        if self.failure is not None:
            return []
        self.failure = "a question was interrupted"  # if this is not left by one of the ends below
        try:
            result, messages, is_same = self._answer((state(), state, function, arguments))
        except Exception as error:  # whatever it is, the function can be called in this process
            self.failure = f"{type(error).__name__}: {error}, exit code {self._exit_code()}"
            return []
        if not is_same:
            self.failure = "what they would load is not what is loaded here"
            return []
        self.failure = None
        for message in messages:
            warn_user(message)
        return [result]

    def _answer(self, question: tuple) -> Any:
        questions, answers = self._pipes()
        if not self._is_ready:
            killer = threading.Timer(_SECONDS_TO_START, self._process.kill)
            killer.daemon = True
            killer.start()
            try:
                hello = answers.read(len(_HELLO))
            finally:
                killer.cancel()
            if hello != _HELLO:
                msg = f"{sys.executable} did not start"
                raise RuntimeError(msg)
            self._is_ready = True
        with _no_broken_pipe_signal():
            pickle.dump(question, questions, pickle.HIGHEST_PROTOCOL)
            questions.flush()
        return pickle.load(answers)  # noqa: S301 of our own process

    def _exit_code(self) -> int:
        """Of a process that is about to end by itself, most likely; else it is made to."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(1)
        self.kill()
        return self._process.wait()

    def end(self) -> None:
        """Wait until it is gone, once it is killed."""
        self._process.wait()
        with _no_broken_pipe_signal():
            for pipe in self._pipes():
                with contextlib.suppress(OSError):  # what was never sent
                    pipe.close()

    def _pipes(self) -> tuple[Any, Any]:
        return self._process.stdin, self._process.stdout


@contextlib.contextmanager
def _no_broken_pipe_signal() -> Iterator[None]:
    """Writing to a process that is gone is an error, even where the user has SIGPIPE end this one."""
    if not hasattr(signal, "sigpending"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
    try:
        yield
    finally:
        if signal.SIGPIPE not in before:
            if signal.SIGPIPE in signal.sigpending():
                signal.sigwait({signal.SIGPIPE})
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPIPE})


def serve() -> None:
    """Answer questions from standard input on standard output, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks was interrupted too, and will end this process
    with os.fdopen(os.dup(0), "rb") as questions, os.fdopen(os.dup(1), "wb") as answers:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)  # a dictionary may be /dev/stdin
        os.dup2(nothing, 1)  # nothing that a library prints may come between
        os.close(nothing)
        answers.write(_HELLO)
        answers.flush()
        with contextlib.suppress(EOFError):
            while True:
                expected, state, function, arguments = pickle.load(questions)  # noqa: S301 of who started this process
                with hearing_warnings() as messages:
                    is_same = state() == expected
                    result = function(*arguments) if is_same else None
                pickle.dump((result, messages, is_same), answers, pickle.HIGHEST_PROTOCOL)
                answers.flush()
