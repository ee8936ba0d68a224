"""Columns that slice the samples: which look like it, and what their values are."""

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import Any

from polyrouge.errors import Option, RefusedValue

NO_SLICES = "none"
"""As the name of a column: no slices."""

_MOST_VALUES = 50  # different texts in a column that is guessed
_LONGEST = 80  # characters of such a text
_MOST_COLUMNS = 12  # that are guessed
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_CODE = re.compile(r"[+-]?0\d")  # 01 is another value than 1


class Unsuitable(Enum):
    """Stands for a value that makes no slice."""

    VALUE = "a long text, a list or an object"


def columns_to_read(columns: Sequence[str] | None, *, guesses: bool) -> Sequence[str] | None:
    """Which columns ``open_pairs`` reads; None if it guesses them."""
    if not columns:
        return None if guesses else ()
    if NO_SLICES not in columns:
        return columns
    if len(columns) > 1:
        means = " means that there are no slices; leave out the other columns, or this one."
        raise RefusedValue(Option("slice_column", NO_SLICES), means)
    return ()


def short_value(value: Any) -> Any:
    """Return the value, or ``Unsuitable.VALUE`` for a long text, a list or an object."""
    if value is None or isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= _LONGEST):
        return value
    return Unsuitable.VALUE


def typed_cells(values: Sequence[Any]) -> list[Any]:
    """Cells of CSV; as numbers if every cell that is not empty is one, and none a code such as 01. Empty ones: None."""
    cells = [None if cell == "" else cell for cell in values]
    if any(cell is not None and (cell is Unsuitable.VALUE or _NUMBER.fullmatch(cell) is None) for cell in cells):
        return cells
    if any(cell is not None and _CODE.match(cell) for cell in cells):
        return cells
    numbers = [None if cell is None else float(cell) for cell in cells]
    return [int(number) if number is not None and number.is_integer() else number for number in numbers]


def guessed_slices(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the columns that hold numbers (but not row numbers), or 2 to 50 short texts or booleans that repeat."""
    names = [name for name, values in columns.items() if Unsuitable.VALUE not in values and _makes_slices(values)]
    return {name: columns[name] for name in names[:_MOST_COLUMNS]}


def _makes_slices(values: Sequence[Any]) -> bool:
    cells = [value for value in values if value is not None and value == value]
    different = set(cells)
    if len(different) < 2:
        return False
    if all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in cells):
        return any(later - earlier != 1 for earlier, later in pairwise(cells))  # else it counts the rows
    return len(different) <= min(_MOST_VALUES, len(cells) // 2)
