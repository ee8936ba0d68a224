"""Texts that are UTF-8 in one buffer, as Arrow has them: kernels take the bytes, and strings are made on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_CONTINUES = np.uint8(0xC0)  # a byte of UTF-8 that does not begin a character is 0b10xxxxxx


class Utf8Texts(Sequence[str]):
    """Texts as bytes and offsets. A slice of them copies nothing.

    Attributes:
        data: uint8[n_bytes], valid UTF-8, one byte at least.
        offsets: int64[n_texts + 1]: text i is data[offsets[i]:offsets[i + 1]].
    """

    __slots__ = ("data", "offsets")

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self.data = data if len(data) else np.zeros(1, np.uint8)
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Utf8Texts: ...
    def __getitem__(self, row: int | slice) -> str | Utf8Texts:
        if isinstance(row, slice):
            start, stop, step = row.indices(len(self))
            if step != 1:
                return taken([self], np.arange(start, stop, step))
            return Utf8Texts(self.data, self.offsets[start : max(start, stop) + 1])
        if not -len(self) <= row < len(self):
            raise IndexError("There is no text of this number.")
        row %= len(self)
        return self.data[self.offsets[row] : self.offsets[row + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        start = int(self.offsets[0])
        whole = self.data[start : self.offsets[-1]].tobytes()
        bounds = (self.offsets - start).tolist()
        return (whole[first:behind].decode() for first, behind in pairwise(bounds))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # pyright: ignore[reportAssignmentType] # a list has none either

    def __repr__(self) -> str:
        return f"Utf8Texts({[*self]!r})"

    @property
    def bytes(self) -> NDArray[np.uint8]:
        """uint8[n]: the bytes of these texts alone."""
        return self.data[self.offsets[0] : self.offsets[-1]]

    @property
    def n_bytes(self) -> int:
        """How many bytes these texts have."""
        return int(self.offsets[-1] - self.offsets[0])

    def joined(self) -> str:
        """All texts as one."""
        return self.bytes.tobytes().decode()

    def are_ascii(self) -> list[bool]:
        """For each text whether it is ASCII."""
        from pyarrow.compute import call_function

        if self.bytes.tobytes().isascii():
            return [True] * len(self)
        return np.asarray(call_function("string_is_ascii", [_as_arrow(self)])).tolist()

    def lengths(self) -> list[int]:
        """How many characters each text has."""
        continues = (self.bytes & _CONTINUES) == 128
        before = np.concatenate([[0], np.cumsum(continues)])
        return (np.diff(self.offsets) - np.diff(before[self.offsets - self.offsets[0]])).tolist()

    def hold_any(self, characters: Sequence[str]) -> bool:
        """Whether some text holds one of these characters."""
        whole = self.bytes.tobytes()
        encoded = map(str.encode, characters)
        return any(each[:1] in whole and each in whole for each in encoded)  # one byte alone is found much faster


class Utf8Lists(Sequence[Utf8Texts]):
    """Lists of such texts, one a row, each with one text at least.

    Attributes:
        texts: the texts of all rows.
        offsets: int64[n_rows + 1]: row i has texts[offsets[i]:offsets[i + 1]].
    """

    __slots__ = ("offsets", "texts")

    def __init__(self, texts: Utf8Texts, offsets: NDArray[np.int64]) -> None:
        self.texts = texts
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> Utf8Texts: ...
    @overload
    def __getitem__(self, row: slice) -> Utf8Lists: ...
    def __getitem__(self, row: int | slice) -> Utf8Texts | Utf8Lists:
        if isinstance(row, slice):
            start, stop, step = row.indices(len(self))
            if step != 1:
                raise ValueError("Rows are taken in order only.")
            return Utf8Lists(self.texts, self.offsets[start : max(start, stop) + 1])
        if not -len(self) <= row < len(self):
            raise IndexError("There is no row of this number.")
        row %= len(self)
        return self.texts[int(self.offsets[row]) : int(self.offsets[row + 1])]

    @property
    def all_texts(self) -> Utf8Texts:
        """The texts of these rows, one after the other."""
        return self.texts[int(self.offsets[0]) : int(self.offsets[-1])]


def taken(parts: Sequence[Utf8Texts], places: NDArray[np.int64]) -> Utf8Texts:
    """Texts in another order, copied, by Arrow's own code, which lets other threads run.

    Args:
        parts: texts, numbered through from the first part to the last.
        places: int64[n]: which of them.

    Returns:
        n texts whose offsets begin at 0.
    """
    import pyarrow as pa

    numbers = pa.Int64Array.from_buffers(pa.int64(), len(places), [None, pa.py_buffer(np.ascontiguousarray(places))])
    return of_arrow(pa.concat_arrays(list(map(_as_arrow, parts))).take(numbers))


def of_arrow(column: Any) -> Utf8Texts:
    """A ``pyarrow.StringArray`` or ``LargeStringArray`` without nulls, of valid UTF-8, as texts; none is copied."""
    _, offsets, data = column.buffers()
    if offsets is None or len(column) == 0:
        return Utf8Texts(np.empty(0, np.uint8), np.zeros(1, np.int64))
    kind = np.dtype(np.int64 if str(column.type) == "large_string" else np.int32)
    begins = np.frombuffer(offsets, kind, len(column) + 1, kind.itemsize * column.offset).astype(np.int64, copy=False)
    return Utf8Texts(np.frombuffer(data, np.uint8) if data else np.empty(0, np.uint8), begins)


def _as_arrow(texts: Utf8Texts) -> Any:
    """The texts as a ``pyarrow.LargeStringArray``; nothing is copied."""
    import pyarrow as pa

    return pa.LargeStringArray.from_buffers(len(texts), pa.py_buffer(texts.offsets), pa.py_buffer(texts.data))
