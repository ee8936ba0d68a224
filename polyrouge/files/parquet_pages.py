"""What the pages of a Parquet file will unpack to, by their headers: nothing is decompressed or decoded.

The sizes in the file's footer are not needed to decode it, so a file may lie there. Those in the headers of the pages
are what the memory is taken by.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

_DELTA_ENCODINGS = (6, 7)  # DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY
_DEEPEST = 16
_MOST_STEPS = 3_000_000  # a header has about 20 fields and bytes to look at; parts of a file may claim the same bytes
# Fields of a PageHeader in parquet.thrift, and of the headers within.
_UNPACKED, _PACKED = 2, 3
_DATA_HEADER, _DATA_HEADER_2 = 5, 8
_N_VALUES, _ENCODING, _ENCODING_2 = 1, 2, 4


class PageHeaderError(ValueError):
    """These bytes are no pages."""


class ColumnPages(NamedTuple):
    """The pages of a column, or of a part of it.

    Attributes:
        unpacked: bytes of all pages, decompressed.
        largest: bytes of the largest page, decompressed. No value is longer.
        values: how many values there are, nulls too.
        has_deltas: whether some values are stored as what they add to the value before.
    """

    unpacked: int
    largest: int
    values: int
    has_deltas: bool


def pages_of_column(file: Any, metadata: Any, column: int, most: int) -> ColumnPages:
    """Add up the pages of one column of all row groups.

    Args:
        file: the bytes of the file.
        metadata: its ``pyarrow.parquet.FileMetaData``.
        column: number of the column in the Parquet schema.
        most: bytes and values after which it is enough to know that there are more.

    Raises:
        PageHeaderError: a header can't be read.
    """
    unpacked = largest = values = 0
    has_deltas = False
    reader = _CompactReader(file)
    for number in range(metadata.num_row_groups):
        chunk = metadata.row_group(number).column(column)
        start = chunk.data_page_offset
        if chunk.dictionary_page_offset:
            start = min(start, chunk.dictionary_page_offset)
        for size, n_values, is_delta in _pages(reader, start, start + chunk.total_compressed_size):
            unpacked += size
            largest = max(largest, size)
            values += n_values
            has_deltas |= is_delta
            if max(unpacked, values) > most:
                return ColumnPages(unpacked, largest, values, has_deltas)
    return ColumnPages(unpacked, largest, values, has_deltas)


def _pages(reader: _CompactReader, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Of each page the bytes that it unpacks to, its number of values (at least 1), and whether these are deltas."""
    reader.go_to(start, end)
    while reader.place < end:
        header = reader.struct()
        unpacked, packed = (_number(header, key) for key in (_UNPACKED, _PACKED))
        n_values, encoding = 1, None  # a page without values takes time too, and there may be many
        for key, of_encoding in ((_DATA_HEADER, _ENCODING), (_DATA_HEADER_2, _ENCODING_2)):
            if isinstance(data := header.get(key), dict):
                n_values, encoding = max(1, _number(data, _N_VALUES)), _number(data, of_encoding)
        yield unpacked, n_values, encoding in _DELTA_ENCODINGS
        reader.place += packed


def _number(fields: dict[int, Any], key: int) -> int:
    value = fields.get(key)
    if not isinstance(value, int) or value < 0:
        raise PageHeaderError("a header without a size")
    return value


class _CompactReader:
    """Reads structures in Thrift's compact protocol, as far as headers of pages need it.

    Attributes:
        place: where the next byte is.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self._end = 0
        self._steps = 0
        self.place = 0

    def go_to(self, place: int, end: int) -> None:
        """Read from a place on, up to another."""
        if not 0 <= place <= end <= len(self._file):
            raise PageHeaderError("pages outside of the file")
        self.place, self._end = place, end

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """The fields by their number: integers, truths and structures; others are skipped."""
        if depth > _DEEPEST:
            raise PageHeaderError("a header nested too deep")
        fields: dict[int, Any] = {}
        number = 0
        while True:
            byte = self._byte()
            if byte == 0:
                return fields
            kind = byte & 15
            number = number + (byte >> 4) if byte >> 4 else self._integer()
            fields[number] = self._value(kind, depth)

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self._byte()
        if kind in (4, 5, 6):
            return self._integer()
        if kind == 12:
            return self.struct(depth + 1)
        if kind == 7:
            self._skip(8)
        elif kind == 8:
            self._skip(self._varint())
        elif kind in (9, 10):
            byte = self._byte()
            for _ in range(self._varint() if byte >> 4 == 15 else byte >> 4):
                # An element that is true or false is a byte of its own.
                self._byte() if byte & 15 in (1, 2) else self._value(byte & 15, depth + 1)
        else:
            raise PageHeaderError(f"a field of the unknown kind {kind}")
        return None

    def _byte(self) -> int:
        self._steps += 1
        if self.place >= self._end or self._steps > _MOST_STEPS:
            raise PageHeaderError("a header that is cut off, or too many of them")
        self.place += 1
        return self._file[self.place - 1]

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise PageHeaderError("a number that does not end")

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _skip(self, n: int) -> None:
        self.place += n
        if self.place > self._end:
            raise PageHeaderError("a header that is cut off")
