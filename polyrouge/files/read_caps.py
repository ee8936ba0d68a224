"""Caps for files that may be hostile: how much of one is read. Each is looked at before anything is decoded."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from polyrouge.files.file_rows import InputFileError


@dataclass(frozen=True)
class ReadCaps:
    """The caps.

    Attributes:
        unpacked: bytes of a file once it is decompressed: of all of it, of Parquet the columns that are read.
        whole: bytes of a JSON array once it is decompressed, as it is in memory as a whole.
        row: bytes of one row: a line, a record of CSV, the values of a row of Parquet or Arrow. So many
            are in memory at once.
        values: lines of a file; values of a JSON array; values in the columns that are read of Parquet.
        columns: of one file.
    """

    unpacked: int
    whole: int
    row: int
    values: int
    columns: int


class InputTooLargeError(InputFileError):
    """A file has more than a cap allows.

    Args:
        name: of the file.
        what: the cap, by its name in ``ReadCaps``.
        most: its value.
        place: where it was seen, such as ``"line 7"``; "" for the file as a whole.

    Attributes:
        name, what, most: as given.
    """

    def __init__(self, name: str, what: str, most: int, place: str = "") -> None:
        unit = {"values": "values", "columns": "columns"}.get(what, "bytes")
        where = f"{name}, {place}" if place else name
        super().__init__(f"{where}: more than {most:,} {unit} ({what}), the most that is read here.")
        self.name, self.what, self.most = name, what, most


class CappedStream(io.RawIOBase):
    """A binary stream that is read up to a number of bytes; one more is an error.

    Args:
        stream: what is read.
        name: of the file, for messages.
        what: the cap.
        most: bytes.
    """

    def __init__(self, stream: Any, name: str, what: str, most: int) -> None:
        self._stream = stream
        self._name, self._what, self._most = name, what, most
        self._read = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes.

        Raises:
            InputTooLargeError: there were more than the cap allows.
        """
        n = self._stream.readinto(buffer)
        self._read += n or 0
        if self._read > self._most:
            raise InputTooLargeError(self._name, self._what, self._most)
        return n

    def cap(self, what: str, most: int) -> None:
        """Set another cap, once it is known what the bytes are."""
        self._what, self._most = what, most
