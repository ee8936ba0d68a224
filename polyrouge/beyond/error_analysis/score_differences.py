"""Explain why two scores differ: by hits of only one system, by samples and lengths."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.error_analysis.missed_units import UnitTable, greatest_units

_FEW = 10  # samples that are listed on each side
_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class MovedUnit:
    """One token or bigram whose hits differ between two systems.

    Attributes:
        tokens: as they are compared.
        gained: hits of the first beyond those of the second, over the samples where it has more.
        lost: hits of the second beyond those of the first.
        n_samples: number of samples where the hits differ.
        samples: the first of these, from 0.
    """

    tokens: tuple[str, ...]
    gained: int
    lost: int
    n_samples: int
    samples: tuple[int, ...]

    @property
    def difference(self) -> int:
        """Return hits of the first minus hits of the second: ``gained`` - ``lost``."""
        return self.gained - self.lost


@dataclass(frozen=True)
class MovedSample:
    """One sample.

    Attributes:
        sample: its number, from 0.
        hits: hits of the first minus hits of the second.
        part: its share of the difference of the mean F, times ``scale``.
    """

    sample: int
    hits: int
    part: float


@dataclass(frozen=True)
class LengthPart:
    """The samples whose first reference has so many tokens: about a quarter of all.

    Attributes:
        low: least number of tokens.
        high: the greatest.
        n_samples: number of samples.
        hits: hits of the first minus hits of the second.
        part: their share of the difference of the mean F, times ``scale``.
    """

    low: int
    high: int
    n_samples: int
    hits: int
    part: float


@dataclass(frozen=True)
class MovedHits:
    """The parts of the difference of two systems for one order of n-grams: first minus second.

    ``gained`` - ``lost`` of all units is ``difference``, and so are the hits of all lengths added up. Parts of the
    mean F add up to ``score_difference``.

    Attributes:
        first: name of a system.
        second: of another.
        key: ``"rouge1"`` or ``"rouge2"``.
        difference: hits of the first minus hits of the second.
        gained: hits of the first beyond those of the second, over all units and samples.
        lost: hits of the second beyond those of the first.
        score_difference: mean F of the first minus mean F of the second, times ``scale``, over shared samples.
        units_gained: units with the greatest difference above 0.
        units_lost: units with the greatest difference below 0.
        lengths: the parts of the samples by the length of their reference, short ones first.
        samples_gained: samples with the greatest part above 0.
        samples_lost: samples with the greatest part below 0.
    """

    first: str
    second: str
    key: str
    difference: int
    gained: int
    lost: int
    score_difference: float
    units_gained: tuple[MovedUnit, ...]
    units_lost: tuple[MovedUnit, ...]
    lengths: tuple[LengthPart, ...]
    samples_gained: tuple[MovedSample, ...]
    samples_lost: tuple[MovedSample, ...]


def moved_hits(
    names: tuple[str, str],
    first: UnitTable,
    second: UnitTable,
    parts: NDArray[np.float64],  # [n_rows]: share of each sample in the difference of the mean F
    lengths: NDArray[np.int64],  # [n_rows]: tokens of each sample's first reference
    tokens: Sequence[str],
    most: int,
    most_samples: int,
) -> MovedHits:
    """Explain the difference of two systems by their tables of one order; list ``most`` units on each side."""
    hits = np.concatenate([first.hits, -second.hits])
    keys, lines = np.unique(np.concatenate([first.keys, second.keys])[hits != 0], return_inverse=True)
    change = np.bincount(lines, hits[hits != 0], len(keys)).astype(np.int64)
    keys, change = keys[change != 0], change[change != 0]
    rows, units = keys % first.n_rows, keys // first.n_rows
    row_hits = np.bincount(rows, change, first.n_rows).astype(np.int64)
    up, down = np.maximum(change, 0), np.maximum(-change, 0)

    def listed(values: NDArray[np.int64]) -> tuple[MovedUnit, ...]:
        return tuple(
            MovedUnit(
                tokens=first.unit_tokens(unit, tokens),
                gained=int(up[lines].sum()),
                lost=int(down[lines].sum()),
                n_samples=lines.stop - lines.start,
                samples=tuple(rows[lines][:most_samples].tolist()),
            )
            for unit, lines in greatest_units(units, values, most)
        )

    return MovedHits(
        *names,
        key=f"rouge{first.order}",
        difference=int(change.sum()),
        gained=int(up.sum()),
        lost=int(down.sum()),
        score_difference=math.fsum(parts.tolist()),
        units_gained=listed(change),
        units_lost=listed(-change),
        lengths=_by_length(lengths, row_hits, parts),
        samples_gained=_greatest_samples(parts, row_hits, 1),
        samples_lost=_greatest_samples(parts, row_hits, -1),
    )


def _by_length(
    lengths: NDArray[np.int64], hits: NDArray[np.int64], parts: NDArray[np.float64]
) -> tuple[LengthPart, ...]:
    """Add hits and parts by quartiles of the lengths; equal quartiles make one group."""
    edges = np.unique(np.quantile(lengths, _QUARTERS, method="inverted_cdf"))
    group_of = np.searchsorted(edges, lengths)
    groups = []
    for group in np.unique(group_of).tolist():
        rows = group_of == group
        low, high = int(lengths[rows].min()), int(lengths[rows].max())
        part = math.fsum(parts[rows].tolist())
        groups.append(LengthPart(low, high, n_samples=int(rows.sum()), hits=int(hits[rows].sum()), part=part))
    return tuple(groups)


def _greatest_samples(parts: NDArray[np.float64], hits: NDArray[np.int64], sign: int) -> tuple[MovedSample, ...]:
    """Return the samples with the greatest parts of one sign."""
    order: list[int] = np.argsort(-sign * parts, kind="stable")[:_FEW].tolist()
    return tuple(MovedSample(row, int(hits[row]), float(parts[row])) for row in order if sign * parts[row] > 0)
