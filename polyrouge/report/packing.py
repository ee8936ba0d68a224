"""Pack what the page of a report reads: compressed, in base64, the same bytes for the same values."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SIZES = (np.int8, np.int16, np.int32)


def packed(value: Mapping[str, Any], columns: Mapping[str, NDArray[np.integer]] | None = None) -> str:
    """A value as compressed JSON, with whole numbers behind it that a browser reads without an object for each.

    Args:
        value: what JSON can hold.
        columns: arrays of any shape by name, below 2 to the 31st. Each is in the fewest bytes that hold it. The value's
            key ``numbers`` then says where: ``bytes`` of a number, ``shape``, and ``start`` behind the JSON.

    Returns:
        Of the bytes the first four are the length of the JSON, which is filled up with blanks so that the numbers
        start at a multiple of 4. All numbers are little-endian.
    """
    directory, numbers = _laid_out(columns or {})
    whole = {**value, "numbers": directory} if columns else value
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return _compressed(b"".join([len(text).to_bytes(4, "little"), text, *numbers]))


def _laid_out(columns: Mapping[str, NDArray[np.integer]]) -> tuple[dict[str, dict[str, Any]], list[bytes]]:
    """Where each array stands, and the bytes of all, each at a multiple of 4."""
    directory: dict[str, dict[str, Any]] = {}
    parts: list[bytes] = []
    start = 0
    for name, column in columns.items():
        low, high = (int(column.min()), int(column.max())) if column.size else (0, 0)
        size = next(each for each in _SIZES if np.iinfo(each).min <= low and high <= np.iinfo(each).max)
        content = np.ascontiguousarray(column, np.dtype(size).newbyteorder("<")).tobytes()
        directory[name] = {"bytes": np.dtype(size).itemsize, "shape": list(column.shape), "start": start}
        parts.append(content + bytes(-len(content) % 4))
        start += len(parts[-1])
    return directory, parts


def _compressed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode()
