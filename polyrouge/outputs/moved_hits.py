"""Why a score moved: which hits one system has and another lacks, in which samples, at which lengths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.outputs.unit_counts import SystemUnits, UnitKeys, counts_at, greatest, grouped

_FEW = 10  # samples that are listed on each side
_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class MovedUnit:
    """One token or bigram whose hits differ between two systems.

    Attributes:
        tokens: as they are compared.
        gained: hits that the first has above the second, added up over the samples where it has more.
        lost: hits that the second has above the first.
        n_samples: in how many samples the hits differ.
        samples: the first of these, from 0.
    """

    tokens: tuple[str, ...]
    gained: int
    lost: int
    n_samples: int
    samples: tuple[int, ...]

    @property
    def difference(self) -> int:
        """Hits of the first minus hits of the second: ``gained`` - ``lost``."""
        return self.gained - self.lost


@dataclass(frozen=True)
class MovedSample:
    """One sample.

    Attributes:
        sample: its number, from 0.
        hits: hits of the first minus hits of the second.
        part: what it adds to the difference of the mean F, times ``scale``.
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
        n_samples: how many samples.
        hits: hits of the first minus hits of the second.
        part: what they add to the difference of the mean F, times ``scale``.
    """

    low: int
    high: int
    n_samples: int
    hits: int
    part: float


@dataclass(frozen=True)
class MovedHits:
    """The difference of two systems for one order of n-grams, taken apart: first minus second.

    ``gained`` - ``lost`` of all units is ``difference``, and so are the hits of all lengths added up. Parts of the
    mean F add up to ``score_difference``.

    Attributes:
        first: name of a system.
        second: of another.
        key: ``"rouge1"`` or ``"rouge2"``.
        difference: hits of the first minus hits of the second.
        gained: hits that the first has above the second, over all units and samples.
        lost: hits that the second has above the first.
        score_difference: mean F of the first minus that of the second, times ``scale``, of the samples that both have.
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


def sample_parts(first: NDArray[np.float64], second: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """float64[n_rows]: what each sample adds to the difference of two means; NaN where a system has no score.

    Args:
        first: float64[n_rows]: F of each sample, not scaled.
        second: the same of the other system.
        scale: of the means.
    """
    parts = (first - second) * scale
    return parts / max(1, int((~np.isnan(parts)).sum()))


def moved_hits(
    names: tuple[str, str],
    first: SystemUnits,
    second: SystemUnits,
    parts: NDArray[np.float64],
    lengths: NDArray[np.int64],
    tokens: Sequence[str],
    most: int,
    most_samples: int,
) -> MovedHits:
    """Take the difference of two systems apart.

    Args:
        names: of the systems.
        first: units of the first.
        second: units of the second, of the same order.
        parts: of ``sample_parts``.
        lengths: int64[n_rows]: tokens of each sample's first reference.
        tokens: the token of each id.
        most: units to list on each side.
        most_samples: samples to list for each.
    """
    n_rows = first.n_rows
    moved = _differences(first, second)
    per_row = np.bincount(moved.keys % n_rows, weights=moved.counts, minlength=n_rows).astype(np.int64)
    up, down = np.maximum(moved.counts, 0), np.maximum(-moved.counts, 0)
    groups = grouped(moved.keys, n_rows)
    gained, lost, samples = groups.sums(up), groups.sums(down), groups.sums(np.ones_like(up))

    def listed(order: NDArray[np.int64]) -> tuple[MovedUnit, ...]:
        found = []
        for place in order.tolist():
            begin, n = groups.begins[place], int(samples[place])
            ids = first.unit_ids(int(groups.units[place]))
            rows = moved.keys[begin : begin + min(n, most_samples)] % n_rows
            numbers = int(gained[place]), int(lost[place]), n
            found.append(MovedUnit(tuple(tokens[each] for each in ids), *numbers, tuple(rows.tolist())))
        return tuple(found)

    known = np.nan_to_num(parts)
    return MovedHits(
        *names,
        key=f"rouge{first.order}",
        difference=int(moved.counts.sum()),
        gained=int(up.sum()),
        lost=int(down.sum()),
        score_difference=math.fsum(known.tolist()),
        units_gained=listed(greatest(gained - lost, most)),
        units_lost=listed(greatest(lost - gained, most)),
        lengths=_by_length(lengths, per_row, known),
        samples_gained=_moved_samples(known, per_row, 1),
        samples_lost=_moved_samples(known, per_row, -1),
    )


def _differences(first: SystemUnits, second: SystemUnits) -> UnitKeys:
    """For each key whose hits differ: those of the first minus those of the second."""
    keys, hits = zip(*((each.held.keys, each.held_hits) for each in (first, second)), strict=True)
    if np.array_equal(keys[0], keys[1]):  # as where each sample has one reference
        found = UnitKeys(keys[0], hits[0] - hits[1])
    else:
        together = np.union1d(*keys)
        mine, other = (counts_at(UnitKeys(each, of_each), together) for each, of_each in zip(keys, hits, strict=True))
        found = UnitKeys(together, mine - other)
    differ = found.counts != 0
    return UnitKeys(found.keys[differ], found.counts[differ])


def _by_length(
    lengths: NDArray[np.int64], hits: NDArray[np.int64], parts: NDArray[np.float64]
) -> tuple[LengthPart, ...]:
    """Hits and parts by the quartiles of the lengths; quartiles that are equal make one group."""
    edges = np.unique(np.quantile(lengths, _QUARTERS, method="inverted_cdf"))
    group_of = np.searchsorted(edges, lengths)
    found = []
    for group in np.unique(group_of).tolist():
        rows = group_of == group
        found.append(
            LengthPart(
                low=int(lengths[rows].min()),
                high=int(lengths[rows].max()),
                n_samples=int(rows.sum()),
                hits=int(hits[rows].sum()),
                part=math.fsum(parts[rows].tolist()),
            )
        )
    return tuple(found)


def _moved_samples(parts: NDArray[np.float64], hits: NDArray[np.int64], sign: int) -> tuple[MovedSample, ...]:
    """The samples with the greatest parts of one sign."""
    order: Any = np.argsort(-sign * parts, kind="stable")[:_FEW]
    return tuple(MovedSample(row, int(hits[row]), float(parts[row])) for row in order.tolist() if sign * parts[row] > 0)
