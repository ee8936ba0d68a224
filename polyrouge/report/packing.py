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


def packed(value: Any) -> str:
    """A value as compressed JSON."""
    return _compressed(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def packed_numbers(columns: Mapping[str, NDArray[np.integer]]) -> tuple[dict[str, dict[str, Any]], str]:
    """Whole numbers, each array in the fewest bytes that hold it: a browser reads them without a number object each.

    Args:
        columns: arrays of any shape by name, below 2 to the 31st.

    Returns:
        The directory, ``bytes`` of a number, ``shape`` and ``start`` of each array by its name; and the numbers,
        little-endian, one array after the other, each at a multiple of 4.
    """
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
    return directory, _compressed(b"".join(parts))


def _compressed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode()
