"""Arrays on disk under the digest of what they were made of: mapped into memory, written whole or not at all.

Processes that map one file share its memory. Nothing here needs numba, so that the choice of an engine may ask
whether a file is there. Files go to ``POLYROUGE_CACHE_DIR``, or else to ``polyrouge`` in the user's own cache folder:
not to the temporary folder, where another user could put one.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import sys
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["cache_folder", "read_arrays", "write_arrays"]

_MAGIC = b"polyrouge arrays\n"
_ALIGNMENT = 64
_MOST_FILES = 16
_HEADER_DIGITS = 8  # how the header's length is written


def cache_folder() -> Path:
    """Where files are kept that can be made again."""
    given = os.environ.get("POLYROUGE_CACHE_DIR")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~\\AppData\\Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base), "polyrouge")


def read_arrays(file: Path) -> tuple[dict[str, NDArray], Any] | None:
    """The arrays that were written, not to be changed, and what was noted; None where there are none that are whole."""
    try:
        with open(file, "rb") as opened:
            content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        start = len(_MAGIC) + _HEADER_DIGITS
        if content[: len(_MAGIC)] != _MAGIC:
            return None
        end = start + int(content[len(_MAGIC) : start])
        header = json.loads(content[start:end])
        body = memoryview(content)[_aligned(end) :]
        if len(body) != header["size"] or zlib.crc32(body) != header["checksum"]:
            return None
        with contextlib.suppress(OSError):
            os.utime(file)  # says that it is in use
        return {
            name: np.frombuffer(body, dtype, int(np.prod(shape)), offset).reshape(shape)
            for name, (dtype, shape, offset) in header["arrays"].items()
        }, header["noted"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_arrays(file: Path, arrays: Mapping[str, NDArray], noted: Any) -> None:
    """Write arrays, and something that JSON can hold; where the folder can't be written to, do nothing.

    The file appears under its name when it is complete. Of all that were written there, the latest that were used stay.
    """
    places: dict[str, tuple[str, list[int], int]] = {}
    body = bytearray()
    for name, array in arrays.items():
        places[name] = (array.dtype.str, list(array.shape), len(body))
        body += np.ascontiguousarray(array).tobytes()
        body += bytes(_aligned(len(body)) - len(body))
    header = json.dumps({"arrays": places, "size": len(body), "checksum": zlib.crc32(body), "noted": noted}).encode()
    start = _MAGIC + f"{len(header):0{_HEADER_DIGITS}d}".encode() + header
    start += bytes(_aligned(len(start)) - len(start))
    temporary = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", delete=False) as opened:
            temporary = opened.name
            opened.write(start)
            opened.write(body)
        os.replace(temporary, file)
        kept = sorted(file.parent.glob(f"*{file.suffix}*"), key=lambda each: each.stat().st_mtime)
        for each in kept[:-_MOST_FILES]:
            each.unlink()
    except OSError:  # no such folder to be had, a full disk, a file that is mapped (on Windows)
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _aligned(n: int) -> int:
    return -(-n // _ALIGNMENT) * _ALIGNMENT
