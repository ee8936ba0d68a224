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
    """A file can't be read as asked; ``message`` names the file, the line, and what to do.

    ``option`` is what to set on the command line: a sentence that stands behind the message there.
    """

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(f"{message} {option}".rstrip())
        self.message, self.option = message, option


class Row(NamedTuple):
    """One row of a file: the values of the columns that were asked for, in that order."""

    place: str  # "line 7" or "row 7", counted from 1
    values: tuple[Any, ...]


class TextFile(NamedTuple):
    """An open file.

    ``rows(columns, no_texts)`` yields the rows, and can be called once. The first columns are read as texts, the second
    may hold anything. Plain text has no columns, and yields its lines.
    """

    name: str  # the path as given, "standard input" for "-"
    format: str
    columns: list[str] | None  # None: plain text
    text_columns: list[str]  # that can hold texts or lists of texts, as far as the beginning of the file shows
    rows: Callable[[Sequence[str], Sequence[str]], Iterator[Row]]
    progress: Progress  # how much has been read, and of how much, in bytes or rows; None where this isn't known
    close_file: Callable[[], None] = lambda: None
    notes: Sequence[str] = ()  # what should be said of it, such as another encoding; more may come while it is read

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
