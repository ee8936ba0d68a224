"""Another process that compiles kernels while this one counts.

It has a low priority, and goes on when the one that started it has ended, so that also many short runs come to
compiled kernels. A thread would take turns with the counting, which would take two thirds longer.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from polyrouge.counting.compiled.kernel_folder import kernel_folder

DONE, FAILED, NOT_WRITTEN = 0, 3, 4
"""How the process ends."""

_PACKAGE_PARENT = str(Path(__file__).parents[3])
# The priority first: to import takes as long as to count some hundred pairs. Linux shares a core among sessions before
# it looks at the priorities in each, and this process has a session of its own.
_CODE = """
import contextlib, os
with contextlib.suppress(AttributeError, OSError):
    os.nice({1!r})
    with open("/proc/self/autogroup", "w") as opened:
        opened.write("{1!r}")
from polyrouge.counting.compiled.compiling import compile_in_background
compile_in_background({0!r}, {2!r})
"""


class BackgroundCompiler:
    """Another process that compiles.

    Args:
        units: what to compile.
        niceness: how far its priority is below ours, from 0 to 19.
        takes_lock: it does nothing where another process compiles.

    Raises:
        OSError: no process could be started, or there is no folder for what is compiled.
    """

    def __init__(self, units: Sequence[str], niceness: int, *, takes_lock: bool = True) -> None:
        paths = [_PACKAGE_PARENT, *filter(None, sys.path)]  # as this process finds numba, so does that one
        options: dict = {"start_new_session": True}
        if sys.platform == "win32":
            options = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
        self._process = subprocess.Popen(  # noqa: S603 # ourselves
            [sys.executable, "-c", _CODE.format(list(units), niceness, takes_lock)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=kernel_folder(),  # "-c" looks for modules in the current folder first; nothing of that kind is there
            env={**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))},
            **options,
        )
        atexit.register(self._leave)

    def _leave(self) -> None:
        """It goes on after this process, and that is no mistake to warn of."""
        if self._process.poll() is None:
            self._process.returncode = 0

    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End it; what it has compiled stays."""
        self._process.terminate()
        self._process.wait()

    def trouble(self) -> str | None:
        """Why it ended without what it was to compile; None while it runs, or where all went well."""
        code = self._process.poll()
        if code is None or code == DONE:
            return None
        if code == NOT_WRITTEN:
            return f"nothing can be written to {kernel_folder()}: the disk may be full"
        return "the compiler failed" if code == FAILED else f"the process that compiled was stopped (exit code {code})"


def can_start_process() -> bool:
    """Whether ``sys.executable`` is a Python that another process can be started with."""
    name = os.path.basename(sys.executable or "").lower()
    return ("python" in name or "pypy" in name) and not getattr(sys, "frozen", False)
