"""The columns of metadata by which samples are sliced: those that were asked for, or those that look like it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from polyrouge.files.paired_texts import Chunk, PairedTexts

NO_SLICES = "none"
"""In place of a column: slices by none."""

_MOST_VALUES = 50  # different texts in a column that is taken by itself
_LONGEST = 80  # characters of such a text
_MOST_COLUMNS = 12  # that are taken by themselves
_UNTYPED = ("csv", "tsv")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


class SliceColumns:
    """Gathers columns of metadata chunk by chunk.

    Args:
        asked: the columns that were asked for. None: a column is taken by itself if it holds numbers, or 2 to 50
            different short texts or truth values, some of which stand in several rows. One that counts the rows, and
            one that differs between the systems' files, is not.
    """

    def __init__(self, asked: Sequence[str] | None) -> None:
        self._asked = asked
        self._values: dict[str, list[Any]] = {}
        self._dropped: set[str] = set()

    def add(self, chunk: Chunk) -> None:
        """Take the values of some more rows."""
        for name, values in chunk.kept.items():
            if name in self._dropped:
                continue
            if self._asked is None and not all(map(_is_short, values)):
                self._drop(name)
                continue
            known = self._values.setdefault(name, [])
            known += values
            if self._asked is None and len(_words(known)) > _MOST_VALUES:
                self._drop(name)

    def columns(self, texts: PairedTexts) -> dict[str, list[Any]]:
        """The columns, in order. Those of CSV and TSV, which has texts only, are numbers where all their cells are.

        Args:
            texts: that were read.
        """
        plain = {
            part.column for part in texts.parts if part.role == "kept" and texts.sources[part.source].format in _UNTYPED
        }
        found = {name: _typed(each) if name in plain else each for name, each in self._values.items()}
        if self._asked is not None:
            return found
        taken = [name for name, each in found.items() if name not in texts.differing and _makes_slices(each)]
        return {name: found[name] for name in taken[:_MOST_COLUMNS]}

    def _drop(self, name: str) -> None:
        self._dropped.add(name)
        self._values.pop(name, None)


def _is_short(value: Any) -> bool:
    return value is None or isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= _LONGEST)


def _words(values: Sequence[Any]) -> set[str]:
    """The different texts that are no written numbers."""
    return {each for each in values if isinstance(each, str) and not _NUMBER.fullmatch(each)}


def _typed(values: Sequence[Any]) -> list[Any]:
    """Cells as numbers, if all that are not empty are; an empty one is missing."""
    known = [None if each == "" else each for each in values]
    if any(each is not None and _NUMBER.fullmatch(each) is None for each in known):
        return known
    return [None if each is None else _number(each) for each in known]


def _number(cell: str) -> float:
    value = float(cell)
    return int(value) if math.isfinite(value) and value == int(value) else value


def _makes_slices(values: Sequence[Any]) -> bool:
    known = [each for each in values if each is not None and each == each]
    different = set(known)
    if len(different) < 2:
        return False
    if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in known):
        is_counter = all(later - earlier == 1 for earlier, later in pairwise(known))
        return not is_counter
    return len(different) <= min(_MOST_VALUES, len(known) // 2)
