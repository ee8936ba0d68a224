"""What the messages of an Arrow stream will unpack to, by their metadata: nothing is decompressed or decoded."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
# Fields of the tables in Message.fbs.
_HEADER_TYPE, _HEADER = 1, 2
_DATA_OF_DICTIONARY = 1
_BUFFERS, _COMPRESSION = 2, 3
_BUFFER = struct.Struct("<qq")  # offset, length
_NOT_COMPRESSED = -1


class ArrowMessageError(ValueError):
    """These bytes are no message."""


def unpacked_bytes(message: Any) -> int:
    """How many bytes the buffers of a message have once they are decompressed.

    Args:
        message: a ``pyarrow.ipc.Message``.

    Raises:
        ArrowMessageError: its metadata can't be read.
    """
    if message.body is None:
        return 0
    try:
        return sum(_sizes_of_buffers(memoryview(message.metadata), memoryview(message.body)))
    except (struct.error, IndexError, OverflowError) as error:
        raise ArrowMessageError("a message with places outside of it") from error


def _sizes_of_buffers(metadata: memoryview, body: memoryview) -> Iterator[int]:
    message = _Table(metadata, _unsigned(metadata, 0))
    kind = metadata[place] if (place := message.field(_HEADER_TYPE)) else 0
    header = message.table(_HEADER)
    if kind == _DICTIONARY_BATCH and header is not None:
        header = header.table(_DATA_OF_DICTIONARY)
    elif kind != _RECORD_BATCH:
        return
    if header is None:
        return
    is_compressed = bool(header.field(_COMPRESSION))
    place = header.field(_BUFFERS)
    if not place:
        return
    place += _unsigned(metadata, place)
    first = place + 4
    for number in range(_unsigned(metadata, place)):
        offset, length = _BUFFER.unpack_from(metadata, first + number * _BUFFER.size)
        if min(offset, length) < 0 or offset + length > len(body):
            raise ArrowMessageError("a buffer outside of its message")
        size = struct.unpack_from("<q", body, offset)[0] if is_compressed and length >= 8 else _NOT_COMPRESSED
        if size < _NOT_COMPRESSED:
            raise ArrowMessageError("a buffer without a size")
        yield length if size == _NOT_COMPRESSED else size


class _Table:
    """A table of FlatBuffers."""

    def __init__(self, data: memoryview, place: int) -> None:
        self._data = data
        self._place = place
        self._fields = place - struct.unpack_from("<i", data, place)[0]
        if self._fields < 0:
            raise ArrowMessageError("a table outside of its message")

    def field(self, number: int) -> int:
        """Where a field is; 0 if it is not there."""
        entry = 4 + 2 * number
        if entry + 2 > struct.unpack_from("<H", self._data, self._fields)[0]:
            return 0
        offset = struct.unpack_from("<H", self._data, self._fields + entry)[0]
        return self._place + offset if offset else 0

    def table(self, number: int) -> _Table | None:
        """The table that a field holds; None if it is not there."""
        place = self.field(number)
        return _Table(self._data, place + _unsigned(self._data, place)) if place else None


def _unsigned(data: memoryview, place: int) -> int:
    return struct.unpack_from("<I", data, place)[0]
