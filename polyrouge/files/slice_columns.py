"""The columns of metadata that slice samples: those that were asked for, or those that look like it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

NO_SLICES = "none"
"""In place of a column: slices by none."""

TOO_LONG = ...
"""In place of a value that no slice is made of."""

_MOST_VALUES = 50  # different texts in a column that is taken by itself
_LONGEST = 80  # characters of such a text
_MOST_COLUMNS = 12  # that are taken by themselves
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def kept_columns(asked: Sequence[str] | None, *, guesses: bool) -> Sequence[str] | None:
    """Which columns ``open_paired_texts`` is to keep; None: those that look like slices, where none was asked for."""
    if not asked:
        return None if guesses else ()
    if NO_SLICES not in asked:
        return asked
    if len(asked) > 1:
        raise ValueError(
            f"--slice-column {NO_SLICES} means that there are no slices; leave out the other columns, or this one."
        )
    return ()


def short_value(value: Any) -> Any:
    """The value, or ``TOO_LONG``: a column that holds long texts, lists or the like makes no slices."""
    if value is None or isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= _LONGEST):
        return value
    return TOO_LONG


def typed_cells(values: Sequence[Any]) -> list[Any]:
    """Cells of CSV as numbers, if all that are not empty are; an empty one is missing."""
    known = [None if each == "" else each for each in values]
    if any(each is not None and (each is TOO_LONG or _NUMBER.fullmatch(each) is None) for each in known):
        return known
    numbers = [None if each is None else float(each) for each in known]
    return [int(each) if each is not None and each.is_integer() else each for each in numbers]


def guessed_slices(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The columns that hold numbers, or 2 to 50 different short texts or truth values, some in several rows.

    A column that counts the rows is not among them.
    """
    names = [name for name, values in columns.items() if TOO_LONG not in values and _makes_slices(values)]
    return {name: columns[name] for name in names[:_MOST_COLUMNS]}


def _makes_slices(values: Sequence[Any]) -> bool:
    known = [each for each in values if each is not None and each == each]
    different = set(known)
    if len(different) < 2:
        return False
    if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in known):
        return any(later - earlier != 1 for earlier, later in pairwise(known))  # else it counts the rows
    return len(different) <= min(_MOST_VALUES, len(known) // 2)
