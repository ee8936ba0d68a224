"""What every reader of files gives: rows with their place, and errors that name file and line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

__all__ = ["InputFileError", "Progress", "Row", "TextFile", "first_of", "unreadable"]

Progress = Callable[[], "tuple[int, int] | None"]
_Item = TypeVar("_Item")


class InputFileError(ValueError):
    """A file can't be read as asked; the message names the file, the line, and what to do."""


class Row(NamedTuple):
    """One row of a file.

    Attributes:
        place: where it is, for messages: ``"line 7"`` or ``"row 7"``, counted from 1.
        values: the values of the columns that were asked for, in that order.
    """

    place: str
    values: tuple[Any, ...]


class TextFile(NamedTuple):
    """An open file.

    Attributes:
        name: the path as given, ``"standard input"`` for ``-``.
        format: ``"jsonl"``, ``"json"``, ``"csv"``, ``"tsv"``, ``"parquet"``, ``"arrow"`` or ``"text"``.
        columns: names of the columns; None for plain text, which has lines only.
        text_columns: those that can hold texts or lists of texts, as far as is known without reading on.
        rows: ``rows(columns, no_texts)`` yields the rows, once: the columns that are read as texts, and
            those that may hold anything. Plain text has neither, and yields its lines.
        progress: what has been read and the whole, in bytes; None where the whole isn't known.
        close_file: what ``close`` calls.
    """

    name: str
    format: str
    columns: list[str] | None
    text_columns: list[str]
    rows: Callable[[Sequence[str], Sequence[str]], Iterator[Row]]
    progress: Progress
    close_file: Callable[[], None] = lambda: None

    def close(self) -> None:
        """Close the file; may be called more than once."""
        self.close_file()


def unreadable(name: str, error: Exception) -> InputFileError:
    """The error for a file whose bytes can't be read, or not be unzipped."""
    if isinstance(error, (EOFError, zlib.error, gzip.BadGzipFile)):
        return InputFileError(f"{name} is no whole gzip file ({error}); copy or download it again.")
    return InputFileError(f"{name} can't be read: {error}.")


def first_of(rows: Iterator[_Item], name: str) -> tuple[_Item, Iterator[_Item]]:
    """The first row, and all of them; raises for a file without any."""
    for row in rows:
        return row, chain([row], rows)
    msg = f"{name} has no rows."
    raise InputFileError(msg)
