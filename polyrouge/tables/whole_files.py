"""Write a file whole or not at all: it has a hidden name until it is finished, and errors remove it.

A process that is killed leaves its hidden file. The next one that writes the same file removes it, once it is sure that
the owner is gone: the owner holds a lock on it, which the system takes back when the process ends, however that was.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

try:
    import fcntl
except ModuleNotFoundError:  # Windows: nothing is locked there, and so nothing swept
    fcntl = None

_STEM = 40  # characters of the file's name in the hidden one, which may have 255 bytes
_HIDDEN = re.compile(r"\..*\.polyrouge-[A-Za-z0-9]*-[0-9a-f]{16}(\.[^.]*)?")
_unfinished: set[Path] = set()


@contextmanager
def whole_file(path: str) -> Iterator[str]:
    """Yield the path of an empty file, which is renamed to ``path`` if no error comes in between.

    It is in the same folder and has the same suffix.

    Raises:
        OSError: it can't be written there.
    """
    place = Path(path).absolute()
    _sweep(place)
    try:
        temporary, handle = _made_file(place)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    try:
        yield str(temporary)
        os.replace(temporary, path)
        _unfinished.discard(temporary)
    finally:
        _remove(temporary)
        if handle is not None:
            os.close(handle)


@contextmanager
def write_whole(path: str) -> Iterator[IO[str]]:
    """Open a file for writing. It takes its place only if all of it was written without an error."""
    with whole_file(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        yield file


def remove_unfinished() -> None:
    """Remove the hidden files of this process: of writers that an exception came too early or too late for."""
    for temporary in list(_unfinished):
        _remove(temporary)


def sweep_folder(folder: str) -> None:
    """Remove the hidden files in a folder, of whatever file and host, whose writers are gone."""
    if fcntl is None:
        return
    with suppress(OSError):
        for name in os.listdir(folder):
            if _HIDDEN.fullmatch(name):
                _remove_if_left(Path(folder) / name)


def _remove(temporary: Path) -> None:
    if temporary in _unfinished:
        temporary.unlink(missing_ok=True)
        _unfinished.discard(temporary)


def _start_of_hidden(place: Path) -> str:
    """How the hidden files for a place begin. They have the host's name, as a lock may not reach another host."""
    host = re.sub(r"[^A-Za-z0-9]", "", platform.node())[:20]
    return f".{place.stem[:_STEM]}.polyrouge-{host}-"


def _made_file(place: Path) -> tuple[Path, int | None]:
    """Make a hidden file; returns its path, and the handle that holds its lock, None where there are no locks."""
    while True:
        temporary = place.parent / f"{_start_of_hidden(place)}{secrets.token_hex(8)}{place.suffix}"
        _unfinished.add(temporary)  # before it is made: a signal may come at any time
        try:
            handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            if fcntl is None:
                os.close(handle)
                return temporary, None
            if _is_locked(handle):
                return temporary, handle
            os.close(handle)
        except BaseException:
            _remove(temporary)
            raise
        _remove(temporary)


def _is_locked(handle: int) -> bool:
    """Lock a file that was made; False if another process has swept it in between, or is about to."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # pyright: ignore[reportOptionalMemberAccess]
    except BlockingIOError:
        return False
    except OSError:  # no locks on this file system; then _sweep gets none either
        return True
    return os.fstat(handle).st_nlink > 0


def _sweep(place: Path) -> None:
    """Remove the hidden files that processes left which are gone."""
    if fcntl is None:
        return
    start = _start_of_hidden(place)
    with suppress(OSError):  # what can't be looked at or removed stays
        for name in os.listdir(place.parent):
            if name.startswith(start) and name.endswith(place.suffix):
                _remove_if_left(place.parent / name)


def _remove_if_left(path: Path) -> None:
    if fcntl is None:
        return
    with suppress(OSError):
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(handle)
