"""Arrays on disk under the digest of what they were made of: mapped into memory, written whole or not at all.

Processes that map one file share its memory. Nothing here needs numba, so that the choice of an engine may ask
whether a file is there.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"polyrouge arrays\n"
_ALIGNMENT = 64
_MOST_FILES = 16
_DIGITS = 8  # hexadecimal, of the checksum of all that follows it, and of the header's length


def read_arrays(file: Path) -> tuple[dict[str, NDArray], Any] | None:
    """The arrays that were written, not to be changed, and what was noted; None where there are none that are whole."""
    try:
        with open(file, "rb") as opened:
            content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        whole = memoryview(content)
        start, checked = len(_MAGIC), len(_MAGIC) + _DIGITS
        if content[:start] != _MAGIC or zlib.crc32(whole[checked:]) != int(content[start:checked], 16):
            return None
        end = checked + _DIGITS + int(content[checked : checked + _DIGITS], 16)
        header = json.loads(content[checked + _DIGITS : end])
        body = whole[_aligned(end) :]
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
    header = json.dumps({"arrays": places, "noted": noted}).encode()
    start = f"{len(header):0{_DIGITS}x}".encode() + header
    n_start = len(_MAGIC) + _DIGITS + len(start)
    start += bytes(_aligned(n_start) - n_start)
    checksum = f"{zlib.crc32(body, zlib.crc32(start)):0{_DIGITS}x}".encode()
    temporary = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", delete=False) as opened:
            temporary = opened.name
            opened.write(_MAGIC + checksum + start)
            opened.write(body)
        os.replace(temporary, file)
        temporary = None
        kept = sorted(file.parent.glob(f"*{file.suffix}*"), key=lambda each: each.stat().st_mtime)
        for each in kept[:-_MOST_FILES]:
            each.unlink()
    except OSError:  # no such folder to be had, a full disk, a file that is mapped (on Windows)
        pass
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _aligned(n: int) -> int:
    return -(-n // _ALIGNMENT) * _ALIGNMENT
