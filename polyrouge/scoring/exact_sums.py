"""Sums of float64 numbers without any rounding, so that neither the order nor the grouping of the numbers matters.

A float64 is a whole multiple of 2^-1074, so a sum of them is a whole number of such units. It is kept as a Python int,
which has no limit. Sums of parts (chunks, threads, processes) merge by adding those ints.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_UNIT = -1074  # the smallest float64 above 0 is 2^-1074
_ROWS_AT_ONCE = 1 << 13  # so that they stay in the cache
_EXACT_BITS = 52  # a sum of whole numbers is exact in float64 where it stays below 2^52


@dataclass
class ExactSums:
    """Exact sums of the columns of a table that comes in parts.

    Attributes:
        shape: of one row of the table, such as (n_types, 3); the sums have it too.
        units: the sums as multiples of 2^-1074, in row order of the shape.
    """

    shape: tuple[int, ...]
    units: list[int]

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape, self.units = shape, [0] * math.prod(shape)

    @classmethod
    def from_units(cls, shape: tuple[int, ...], units: Iterable[int]) -> ExactSums:
        """The sums of this shape whose ``units`` these are."""
        sums = cls(shape)
        sums.units = [*units]
        return sums

    def add(self, rows: NDArray[np.float64]) -> None:
        """Add float64[n_rows, *shape].

        Raises:
            ValueError: a number is not finite.
        """
        if not np.isfinite(rows).all():
            raise ValueError("A number to be added up is not finite.")
        table = rows.reshape(len(rows), len(self.units))
        for start in range(0, len(table), _ROWS_AT_ONCE):
            self._add_columns(np.array(table[start : start + _ROWS_AT_ONCE].T, order="C"))

    def _add_columns(self, left: NDArray[np.float64]) -> None:
        """Add float64[n_columns, n_rows], and use it up.

        Each column is cut at a power of two so coarse that the sum of all multiples of it is exact. What is finer is
        left, and is cut at a finer one, until nothing is left.
        """
        room = _EXACT_BITS - left.shape[1].bit_length()
        while left.any():
            exponents = np.maximum(np.frexp(np.abs(left).max(axis=1))[1] - room, _UNIT)
            grids = np.ldexp(1.0, exponents)[:, np.newaxis]
            multiples = np.rint(left / grids)
            left -= multiples * grids
            for column, (total, exponent) in enumerate(zip(multiples.sum(axis=1), exponents.tolist(), strict=True)):
                self.units[column] += int(total) << (exponent - _UNIT)

    def values(self) -> NDArray[np.float64]:
        """The sums as float64[*shape], each rounded once, correctly."""
        return np.array([units / (1 << -_UNIT) for units in self.units]).reshape(self.shape)


def merged(first: ExactSums | None, second: ExactSums | None) -> ExactSums | None:
    """The sums of all rows behind two sums of one shape, both left as they are; None stands for no rows."""
    if first is None or second is None:
        return first if second is None else second
    return ExactSums.from_units(first.shape, map(int.__add__, first.units, second.units))
