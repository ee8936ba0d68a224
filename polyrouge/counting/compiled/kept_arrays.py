"""Arrays in the user's cache folder, which take long to make: read and written by numpy, one file for each content."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_MOST_FILES = 16


def cache_folder() -> Path:
    """``POLYROUGE_CACHE_DIR``, or else ``polyrouge`` in the user's own cache folder."""
    chosen = os.environ.get("POLYROUGE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~\\AppData\\Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(os.path.expanduser(base), "polyrouge")
    # A user without a home has no such folder, and none is made in whatever folder the process happens to be in.
    return folder if folder.is_absolute() else Path(os.devnull, "polyrouge")


def read_arrays(name: str) -> dict[str, NDArray] | None:
    """The arrays that were written under a name; None where there are none that are whole, or somebody else's."""
    try:
        with open(cache_folder() / f"{name}.npz", "rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            with np.load(file, allow_pickle=False) as arrays:  # zip files have checksums
                return dict(arrays)
    except Exception:  # a damaged zip file may be anything: encrypted, of another version
        return None


def _is_ours(status: os.stat_result) -> bool:
    """Whether nobody but this user, or root, can have written a file."""
    if sys.platform == "win32":  # where a user's folder is closed to others
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write_arrays(name: str, arrays: Mapping[str, NDArray]) -> None:
    """Write arrays, whole or not at all; where the folder can't be written to, do nothing.

    Of all that were written there, the latest stay.
    """
    folder = cache_folder()
    temporary = None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=f"{name}.", delete=False) as file:  # for this user only
            temporary = file.name
            np.savez(file, **arrays)  # pyright: ignore[reportArgumentType] # its stubs take the names for options
        os.replace(temporary, folder / f"{name}.npz")
        temporary = None
        kept = sorted(folder.glob("*.npz"), key=lambda each: each.stat().st_mtime)
        for each in kept[:-_MOST_FILES]:
            each.unlink()
    except OSError:  # no such folder to be had, a full disk
        pass
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
