"""Sums of float64 numbers without any rounding, so that neither the order nor the grouping of the numbers matters.

A float64 is a whole multiple of 2^-1074, so a sum of them is a whole number of such units. It is kept as a Python int,
which has no limit. Sums of parts (chunks, threads, processes) merge by adding those ints.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_UNIT = 1074  # the smallest float64 above 0 is 2^-1074
_BITS = 53  # of a float64's significand
_FEW = 64  # numbers that are quicker added one by one than by numpy
_ROWS_AT_ONCE = 1 << 13  # so that they stay in the cache
_LOWEST_GRID, _HIGHEST_GRID = -900, 900  # powers of two whose inverses are float64 numbers as well


class ExactSums:
    """Exact sums of the columns of a table that comes in parts.

    Args:
        shape: of one row of the table, such as (n_types, 3); the sums have it too.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._units = [0] * math.prod(shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactSums) and (self._shape, self._units) == (other._shape, other._units)

    __hash__: Any = None  # it changes

    @property
    def units(self) -> list[int]:
        """The sums as whole multiples of 2^-1074, in row order of the shape."""
        return [*self._units]

    @classmethod
    def from_units(cls, shape: tuple[int, ...], units: Sequence[int]) -> ExactSums:
        """The sums whose ``units`` these are.

        Args:
            shape: as given to the class.
            units: as many as the shape has places.

        Raises:
            ValueError: they are more or fewer.
        """
        sums = cls(shape)
        if len(units) != len(sums._units):
            raise ValueError(f"{len(units)} sums are not of the shape {shape}.")
        sums._units = [*units]
        return sums

    def add(self, rows: NDArray[np.float64]) -> None:
        """Add some rows.

        Args:
            rows: float64[n_rows, *shape], all finite.

        Raises:
            ValueError: rows of another shape, or a number that is not finite.
        """
        if rows.shape[1:] != self._shape:
            raise ValueError(f"The rows have the shape {rows.shape[1:]}, the sums {self._shape}.")
        table = rows.reshape(len(rows), len(self._units))
        if table.size <= _FEW:
            for row in table.tolist():
                for column, value in enumerate(row):
                    self._units[column] += _units_of(value)
            return
        for start in range(0, len(table), _ROWS_AT_ONCE):
            self._add_block(table[start : start + _ROWS_AT_ONCE])

    def values(self) -> NDArray[np.float64]:
        """The sums as float64[*shape], each rounded once, correctly.

        Raises:
            OverflowError: a sum is larger than any float64.
        """
        return np.array([units / (1 << _UNIT) for units in self._units]).reshape(self._shape)

    def _add_block(self, table: NDArray[np.float64]) -> None:
        """Add few enough rows that a sum of their leading bits is exact.

        Each column is cut at a grid, a power of two so coarse that the sum of all multiples of it is below 2^53 of
        them. What is finer is left, and is cut at a finer grid, until nothing is left.
        """
        room = _BITS - 1 - len(table).bit_length()
        left = np.array(table.T, order="C")  # a copy, to be used up; along a row numpy is several times quicker
        while True:
            largest = np.maximum(left.max(axis=1), -left.min(axis=1))
            if not np.isfinite(largest).all():
                raise ValueError("A number to be added up is not finite.")
            if not largest.any():
                return
            grids = np.where(largest > 0, np.frexp(largest)[1] - room, 0)
            if grids.max() > _HIGHEST_GRID or grids.min() < _LOWEST_GRID:
                self._add_one_by_one(left)
                return
            sizes = np.ldexp(1.0, grids)[:, np.newaxis]
            multiples = np.rint(left * (1 / sizes))
            for column, (total, grid) in enumerate(zip(multiples.sum(axis=1).tolist(), grids.tolist(), strict=True)):
                self._units[column] += int(total) << (grid + _UNIT)
            left -= multiples * sizes

    def _add_one_by_one(self, columns: NDArray[np.float64]) -> None:
        """For numbers near the ends of what a float64 can be; float64[n_columns, n_rows]."""
        for column, values in enumerate(columns.tolist()):
            self._units[column] += sum(map(_units_of, values))


def merged(first: ExactSums | None, second: ExactSums | None) -> ExactSums | None:
    """The sums of all rows behind two sums, both left as they are; None stands for no rows.

    Raises:
        ValueError: they are sums of rows of different shapes.
    """
    if first is None or second is None:
        return first if second is None else second
    if first._shape != second._shape:
        raise ValueError(f"Sums of the shapes {first._shape} and {second._shape} can't be added up.")
    both = ExactSums(first._shape)
    both._units = [one + other for one, other in zip(first._units, second._units, strict=True)]
    return both


def _units_of(value: float) -> int:
    """A float64 as a multiple of 2^-1074.

    Raises:
        ValueError: it is not finite.
    """
    if not math.isfinite(value):
        raise ValueError("A number to be added up is not finite.")
    fraction, exponent = math.frexp(value)
    significand, places = int(math.ldexp(fraction, _BITS)), exponent - _BITS + _UNIT
    return significand << places if places >= 0 else significand >> -places  # what falls out is zeros
