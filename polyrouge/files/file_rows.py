"""The form in which every reader gives a file: rows with their place, and errors that name file and line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

Progress = Callable[[], "tuple[int, int] | None"]
_Item = TypeVar("_Item")


EMPTY_CELLS = ("refuse", "text")
"""What to do with an empty cell of CSV, which may be an empty text or a missing one."""


class InputFileError(ValueError):
    """A file can't be read as asked; the message names the file, the line, and what to do.

    Args:
        message: what is wrong, for every reader of files.
        option: what to set on the command line; a sentence that stands behind the message there.

    Attributes:
        message: without that sentence.
        option: that sentence.
    """

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(f"{message} {option}".rstrip())
        self.message, self.option = message, option


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
        text_columns: those that can hold texts or lists of texts, as far as the beginning of the file shows.
        rows: ``rows(columns, no_texts)`` yields the rows, and can be called once. The first columns are read
            as texts, the second may hold anything. Plain text has no columns, and yields its lines.
        progress: how much has been read, and of how much, in bytes or rows; None where this isn't known.
        close_file: what ``close`` calls.
        notes: what should be said of it, such as another encoding; more may come while it is read.
    """

    name: str
    format: str
    columns: list[str] | None
    text_columns: list[str]
    rows: Callable[[Sequence[str], Sequence[str]], Iterator[Row]]
    progress: Progress
    close_file: Callable[[], None] = lambda: None
    notes: Sequence[str] = ()

    def close(self) -> None:
        """Close the file; may be called more than once."""
        self.close_file()


def unreadable(name: str, error: Exception) -> InputFileError:
    """The error for a file whose bytes can't be read or can't be unzipped."""
    if isinstance(error, (EOFError, zlib.error, gzip.BadGzipFile)):
        return InputFileError(f"{name} is no whole gzip file ({error}); copy or download it again.")
    return InputFileError(f"{name} can't be read: {error}.")


def first_of(rows: Iterator[_Item], name: str) -> tuple[_Item, Iterator[_Item]]:
    """The first row, and an iterator over all rows; raises for a file without rows."""
    for row in rows:
        return row, chain([row], rows)
    raise InputFileError(f"{name} has no rows.")
