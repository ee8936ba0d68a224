"""Functions of texts on all cores where they hold the GIL, as jieba and rjieba do while they cut.

A fork of a process that runs threads may hang, and ``multiprocessing``'s spawn runs a user's main script
again if it is not guarded; so each process here is a new Python that imports what it is asked to call, and
is asked through pipes. It runs the same code, so nothing here moves a score; where anything fails, the
function is called in this process.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from .errors import warn_user

__all__ = ["TextProcesses", "call_on_all_cores", "processes_for_run", "serve", "shared_processes"]

Result = TypeVar("Result")

_MOST_PROCESSES = 16  # of 70 MB each with rjieba's dictionary, 200 MB with jieba's
_SECONDS_TO_START = 60.0
_HELLO = b"polyrouge.text_processes\n"

# What a new Python runs. Its arguments are our package's name and folder, and where to import from: before
# that is known it imports nothing but sys, as a file of the user's own may have the name of any module. The
# package is made without running its __init__, which imports much that is not needed.
_START = """
import sys
(name, folder), sys.path[:] = sys.argv[1:3], sys.argv[3:]
import importlib, types
for end in [place for place, mark in enumerate(name + ".") if mark == "."]:
    package = sys.modules[name[:end]] = types.ModuleType(name[:end])
    package.__path__ = []
package.__path__ = [folder]
importlib.import_module(name + ".text_processes").serve()
"""


class TextProcesses:
    """Processes that are started once there is enough to do, and don't outlive the ``with`` block.

    Args:
        threads: how many threads will ask at once; for one alone no process is started.
        characters: tells how many characters there are; called only if something is to be called.
    """

    def __init__(self, threads: int = 1, characters: Callable[[], int] = int) -> None:
        self._threads = threads
        self._announced = [characters]
        self._characters = 0
        self._failure: str | None = None
        self._starting = threading.Lock()
        self._processes: list[_Process] = []
        self._idle: queue.SimpleQueue[_Process] = queue.SimpleQueue()

    def __enter__(self) -> TextProcesses:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.end()
        if self._failure is not None:
            warn_user(f"Texts were cut on one core, as other processes can't be used ({self._failure}).")

    def announce(self, threads: int, characters: Callable[[], int]) -> None:
        """Say that there is more to do; as at the beginning."""
        self._threads = threads
        self._announced.append(characters)

    def help_thread(self) -> None:
        """Serve ``call_on_all_cores`` in this thread from now on."""
        _HELPER.set(self)

    def are_worth_it(self, characters: int) -> bool:
        """Whether there is, or has been, so much to do that processes are used; if so, they are started now."""
        if self._threads < 2 or self._failure is not None:
            return False
        with self._starting:
            while self._announced:
                self._characters += self._announced.pop()()
            if self._characters >= characters and not self._processes:
                self._start()
        return bool(self._processes) and self._failure is None

    def _start(self) -> None:
        if not sys.executable or getattr(sys, "frozen", False):
            self._failure = "it is not known which Python to start"
            return
        try:
            for _ in range(min(self._threads, _MOST_PROCESSES)):
                process = _Process()
                self._processes.append(process)
                self._idle.put(process)
        except OSError as error:
            self._failure = f"{error}"

    def call(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function of one of our modules in a process, or here if that fails."""
        process = self._idle.get()
        try:
            answers = process.ask(function, arguments)
            self._failure = self._failure or process.failure
        finally:
            self._idle.put(process)
        return answers[0] if answers else function(*arguments)


_HELPER: ContextVar[TextProcesses | None] = ContextVar("polyrouge_text_processes", default=None)


def call_on_all_cores(characters: int, function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function of one of our modules, in another process if this thread has such help.

    Args:
        characters: of a run, from which on it is worth it.
        function: gives the same in every process; what it takes and gives can be pickled.
        arguments: of the function.
    """
    helper = _HELPER.get()
    if helper is None or not helper.are_worth_it(characters):
        return function(*arguments)
    return helper.call(function, *arguments)


@contextlib.contextmanager
def processes_for_run(threads: int, characters: Callable[[], int]) -> Iterator[TextProcesses]:
    """The processes for one run of an engine: the shared ones, if there are any; see ``TextProcesses``."""
    shared = _HELPER.get()
    if shared is not None:
        shared.announce(threads, characters)
        yield shared
        return
    with TextProcesses(threads, characters) as processes:
        yield processes


@contextlib.contextmanager
def shared_processes() -> Iterator[None]:
    """Keep the processes of one run of an engine for the next: for a corpus that comes in pieces."""
    with TextProcesses() as processes:
        token = _HELPER.set(processes)
        try:
            yield
        finally:
            _HELPER.reset(token)


class _Process:
    """A Python process that calls what it is asked to.

    Attributes:
        failure: why it can't be asked any longer, or None.
    """

    def __init__(self) -> None:
        paths = [path for path in sys.path if isinstance(path, str)]
        self._process = subprocess.Popen(  # noqa: S603 this Python
            [sys.executable, "-I", "-c", _START, str(__package__), str(Path(__file__).parent), *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # on Windows
        )
        self._is_ready = False
        self.failure: str | None = None

    def ask(self, function: Callable, arguments: tuple) -> list:
        """Return what the function gives, in a list; none if there is no answer and never will be."""
        if self.failure is not None:
            return []
        self.failure = "a question was interrupted"  # if this is not left by one of the two ends
        try:
            answer = self._answer(function, arguments)
        except Exception as error:  # whatever it is, the function can be called in this process
            self._process.kill()
            self.failure = f"{type(error).__name__}: {error}, exit code {self._process.wait()}"
            return []
        self.failure = None
        return [answer]

    def _answer(self, function: Callable, arguments: tuple) -> Any:
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
        pickle.dump((function.__module__, function.__name__, arguments), questions, pickle.HIGHEST_PROTOCOL)
        questions.flush()
        return pickle.load(answers)  # noqa: S301 of our own process

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in self._pipes():
            with contextlib.suppress(OSError):  # what was never sent
                pipe.close()

    def _pipes(self) -> tuple[Any, Any]:
        return self._process.stdin, self._process.stdout


def serve() -> None:
    """Answer questions from standard input on standard output, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks was interrupted too, and will end this process
    questions = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # nothing that a library prints may come between
        answers.write(_HELLO)
        answers.flush()
        with contextlib.suppress(EOFError):
            while True:
                module, name, arguments = pickle.load(questions)  # noqa: S301 of the process that started this one
                answer = getattr(importlib.import_module(module), name)(*arguments)
                pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
                answers.flush()
