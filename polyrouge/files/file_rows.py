"""What every reader of files returns: rows with their place, and errors that name the file and the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

Progress = Callable[[], "tuple[int, int] | None"]
ReadRows = Callable[[Sequence[str], Sequence[str]], "Iterator[Row]"]

EMPTY_CELLS = ("refuse", "text")
"""What to do with an empty cell of CSV, which may be an empty text or a missing one."""


class InputFileError(ValueError):
    """A file can't be read; ``message`` names the file and the line, ``option`` the option that would help."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(f"{message} {option}".rstrip())
        self.message, self.option = message, option


class Row(NamedTuple):
    """One row of a file."""

    place: str  # "line 7" or "row 7", counted from 1
    values: dict[str | None, Any]  # of the selected columns, by name; a line of plain text is that of None


class TextFile(NamedTuple):
    """An open file.

    ``rows(texts, others)`` yields the rows of these columns and can be called once: ``texts`` must hold texts,
    ``others`` may hold anything. Plain text has no columns and yields its lines.
    """

    name: str  # the path, or "standard input" for "-"
    format: str
    columns: list[str] | None  # None: plain text
    text_columns: list[str]  # that can hold texts or lists of texts, as far as the beginning of the file shows
    rows: ReadRows
    progress: Progress  # how much has been read, and of how much, in bytes or rows; None where this isn't known
    close_file: Callable[[], None]
    notes: Sequence[str] = ()  # such as another encoding; more may come while the file is read

    def close(self) -> None:  # a method, as type checkers take no field for closing()
        """Close the file; may be called more than once."""
        self.close_file()
