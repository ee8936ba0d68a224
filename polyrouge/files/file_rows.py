"""What every reader of files returns: rows with their place, and errors that name the file and the line.

A column may be a path into a value: ``filtered_resps[0]``, ``doc.summary``.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Progress = Callable[[], "tuple[int, int] | None"]
ReadRows = Callable[[Sequence[str], Sequence[str]], "Iterator[Row]"]

EMPTY_CELLS = ("refuse", "text")
"""What to do with an empty cell of CSV, which may be an empty text or a missing one."""

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_PATH = re.compile(rf"[^.\[\]]+(?:{_STEP.pattern})+")


class InputFileError(ValueError):
    """A file can't be read; ``message`` names the file and the line, ``option`` the option that would help."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(f"{message} {option}".rstrip())
        self.message, self.option = message, option


class Row(NamedTuple):
    """One row of a file."""

    place: str  # "line 7" or "row 7", counted from 1
    values: dict[str, Any]  # of the selected columns, by name; a line of plain text is that of ""


class TextFile(NamedTuple):
    """An open file.

    ``rows(texts, others)`` yields the rows of these columns and can be called once: ``texts`` must hold texts,
    ``others`` may hold anything. Plain text has no columns and yields its lines.
    """

    name: str  # the path, or "standard input" for "-"
    format: str
    columns: list[str]
    text_columns: list[str]  # that can hold texts or lists of texts, as far as the beginning of the file shows
    list_columns: list[str]  # those of them that hold lists, likewise
    rows: ReadRows
    progress: Progress  # how much has been read, and of how much, in bytes or rows; None where this isn't known
    close_file: Callable[[], None]
    notes: Sequence[str] = ()  # such as another encoding; more may come while the file is read

    def close(self) -> None:  # a method, as type checkers take no field for closing()
        """Close the file; may be called more than once."""
        self.close_file()


def outer_column(column: str, columns: Collection[str]) -> str | None:
    """The column of a file that a name stands for: itself, or the one that it is a path into; None if there is none."""
    if column in columns:
        return column
    match = _PATH.fullmatch(column)
    outer = match and _STEP.match(column)
    return outer[1] if outer and outer[1] in columns else None


def value_at(values: Mapping[str, Any], column: str) -> Any:
    """The value of a column, or the one that a path such as ``doc.answers[0]`` leads to; ``KeyError`` if none does."""
    if column in values:
        return values[column]
    value: Any = values
    for match in _STEP.finditer(column):
        step: Any = match[1] if match[2] is None else int(match[2])
        if isinstance(value, str):  # whose items are characters
            raise KeyError(column)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise KeyError(column) from None
    return value
