"""Where the machine code of our kernels is kept, and which of it is there; without numba.

To import numba takes longer than to count some hundred pairs, so the choice of an engine looks here first. The folder's
name says everything that the code depends on: a new version of the package or of numba, or another processor,
has a folder of its own.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from polyrouge.counting.compiled.cache_folder import cache_folder

_SOURCES = Path(__file__).parent / "kernels"
_MOST_FOLDERS = 8  # of other versions and processors
_MOST_OF_CPUINFO = 1 << 14
_READY, _FAILED = ".ready", ".failed"


class NotCompiledError(Exception):
    """There is no machine code of a kernel on disk, or none that is whole."""


def kernel_folder() -> Path:
    """A folder for this code: in ``NUMBA_CACHE_DIR``, if that is set, else where all our caches are."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(given, "polyrouge") if given else cache_folder()) / f"kernels-{_fingerprint()}"


@functools.cache
def source_digest() -> str:
    """Of all that is compiled: a kernel's code changes with each file that it takes something from."""
    digest = hashlib.sha256()
    for file in sorted(_SOURCES.glob("*.py")):
        digest.update(f"{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()


@functools.cache
def _fingerprint() -> str:
    parts = [source_digest(), sys.implementation.cache_tag or "", sys.byteorder, sys.platform, _processor()]
    for package in ("numba", "llvmlite", "numpy"):
        with contextlib.suppress(PackageNotFoundError):
            parts.append(version(package))
    parts += sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_CPU"))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _processor() -> str:
    """Name and abilities of the processor."""
    found = [platform.machine()]
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as opened:
            first = opened.read(_MOST_OF_CPUINFO).partition("\n\n")[0]
    except OSError:  # no Linux
        return "\n".join([*found, platform.processor()])
    names = ("model name", "flags", "Features", "CPU part", "CPU implementer")
    return "\n".join(found + [line for line in first.splitlines() if line.startswith(names)])


def are_ready(units: Iterable[str]) -> bool:
    """Whether all of these have been compiled."""
    folder = kernel_folder()
    return all((folder / f"{unit}{_READY}").exists() for unit in units)


def mark_ready(unit: str) -> None:
    """Say that all kernels of a unit have been written.

    Raises:
        OSError: the folder can't be written to.
    """
    folder = kernel_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{unit}{_READY}").touch()


def unmark(units: Iterable[str]) -> None:
    """Say that units are to be compiled, as what is there turned out to be damaged."""
    for unit in units:
        with contextlib.suppress(OSError):
            (kernel_folder() / f"{unit}{_READY}").unlink()


def mark_failed(reason: str) -> None:
    """Keep why the kernels could not be compiled, so that not every process tries again."""
    with contextlib.suppress(OSError):
        (kernel_folder() / f"compiling{_FAILED}").write_text(reason, encoding="utf-8")


def failure() -> str | None:
    """Why the kernels could not be compiled on this machine; None where nothing is known."""
    try:
        return (kernel_folder() / f"compiling{_FAILED}").read_text(encoding="utf-8")
    except OSError:
        return None


def is_writable() -> bool:
    """Whether the folder is there, or can be made, and takes files."""
    folder = kernel_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def sweep() -> None:
    """Remove the oldest folders of other versions."""
    ours = kernel_folder()
    with contextlib.suppress(OSError):
        others = [each for each in ours.parent.glob("kernels-*") if each != ours]
        for each in sorted(others, key=lambda each: each.stat().st_mtime)[:-_MOST_FOLDERS]:
            shutil.rmtree(each, ignore_errors=True)


@contextlib.contextmanager
def compiling_lock() -> Iterator[bool]:
    """Whether this process, and no other, may compile; held until the end, or until the process is gone.

    Where the file system has no locks, all may.
    """
    try:
        opened = open(kernel_folder() / "compiling.lock", "ab")  # noqa: SIM115 # closed below
    except OSError:
        yield True
        return
    with opened:
        yield _locked(opened.fileno())


def is_compiling() -> bool:
    """Whether some process compiles now."""
    with compiling_lock() as is_free:
        return not is_free


def _locked(file: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
