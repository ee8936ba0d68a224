"""What a system misses and adds: tokens and bigrams with their numbers, and its recall by how frequent a token is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyrouge.outputs.unit_counts import SystemUnits, UnitKeys, greatest, grouped

# Where a bucket of frequencies begins: 0, 1, 2-4, 5-19, 20-99, 100 and more, as compare-mt cuts them by default.
_BUCKETS = (0, 1, 2, 5, 20, 100)


@dataclass(frozen=True)
class UnitCount:
    """How often one token or bigram is missed, or added.

    Attributes:
        tokens: the token, or the two of a bigram, as they are compared.
        count: how often it is missed: in the reference, and no hit. Or added: in the prediction, and no hit.
        total: how often the references (of what is added, the predictions) hold it.
        n_samples: in how many samples it is missed, or added.
        samples: the first of these, from 0.
    """

    tokens: tuple[str, ...]
    count: int
    total: int
    n_samples: int
    samples: tuple[int, ...]

    @property
    def share(self) -> float:
        """The share of its occurrences that is missed, or added: ``count`` / ``total``."""
        return self.count / self.total


@dataclass(frozen=True)
class FrequencyBucket:
    """The tokens that stand so often in all references together.

    Attributes:
        low: least number of occurrences; 0 for the bucket of the tokens that no reference holds.
        high: the greatest; None where there is no bound.
        n_tokens: how many different tokens of this frequency the predictions and their references hold.
        hits: occurrences that are hits.
        reference_total: occurrences in the references that the predictions are held against.
        prediction_total: occurrences in the predictions.
        n_samples: samples in which one of these tokens is missed; in the bucket of frequency 0, is added.
        samples: the first of these, from 0.
    """

    low: int
    high: int | None
    n_tokens: int
    hits: int
    reference_total: int
    prediction_total: int
    n_samples: int
    samples: tuple[int, ...]

    @property
    def label(self) -> str:
        """Such as ``"2-4"`` or ``"100+"``."""
        if self.high is None:
            return f"{self.low}+"
        return f"{self.low}" if self.high == self.low else f"{self.low}-{self.high}"

    @property
    def recall(self) -> float | None:
        """``hits`` / ``reference_total``; None where the references hold none."""
        return self.hits / self.reference_total if self.reference_total else None

    @property
    def precision(self) -> float | None:
        """``hits`` / ``prediction_total``; None where the predictions hold none."""
        return self.hits / self.prediction_total if self.prediction_total else None


@dataclass(frozen=True)
class UnitTotals:
    """The units of one order of a system, added up over all samples.

    What all units miss, and the hits, add up to the total of the references; what they add, and the hits, to that of
    the predictions.

    Attributes:
        key: ``"rouge1"`` for tokens, ``"rouge2"`` for bigrams.
        hits: as ROUGE-N counts them.
        reference_total: units of the references.
        prediction_total: units of the predictions.
        n_missed: how many different units are missed.
        n_added: how many different ones are added.
        missed: those that are missed most, the most first.
        added: those that are added most.
    """

    key: str
    hits: int
    reference_total: int
    prediction_total: int
    n_missed: int
    n_added: int
    missed: tuple[UnitCount, ...]
    added: tuple[UnitCount, ...]


def unit_totals(units: SystemUnits, tokens: Sequence[str], most: int, most_samples: int) -> UnitTotals:
    """Add up the units of a system.

    Args:
        units: of one order.
        tokens: the token of each id.
        most: units to list on each side.
        most_samples: samples to list for each.
    """
    n_missed, missed = _most_frequent(units, units.held, units.held_hits, tokens, most, most_samples)
    n_added, added = _most_frequent(units, units.given, units.given_hits, tokens, most, most_samples)
    return UnitTotals(
        key=f"rouge{units.order}",
        hits=int(units.held_hits.sum()),
        reference_total=int(units.held.counts.sum()),
        prediction_total=int(units.given.counts.sum()),
        n_missed=n_missed,
        n_added=n_added,
        missed=missed,
        added=added,
    )


def _most_frequent(
    units: SystemUnits,
    side: UnitKeys,
    hits: NDArray[np.int64],
    tokens: Sequence[str],
    most: int,
    most_samples: int,
) -> tuple[int, tuple[UnitCount, ...]]:
    """How many different units of a side are no hits somewhere, and those that are most often."""
    groups = grouped(side.keys, units.n_rows)
    left = side.counts - hits
    counts, totals, samples = groups.sums(left), groups.sums(side.counts), groups.sums((left > 0).astype(np.int64))
    found = []
    for place in greatest(counts, most).tolist():
        begin = groups.begins[place]
        end = groups.begins[place + 1] if place + 1 < len(groups.begins) else len(side.keys)
        rows = side.keys[begin:end][left[begin:end] > 0] % units.n_rows
        found.append(
            UnitCount(
                tokens=tuple(tokens[each] for each in units.unit_ids(int(groups.units[place]))),
                count=int(counts[place]),
                total=int(totals[place]),
                n_samples=int(samples[place]),
                samples=tuple(rows[:most_samples].tolist()),
            )
        )
    return int((counts > 0).sum()), tuple(found)


def frequency_buckets(
    units: SystemUnits, frequencies: NDArray[np.int64], most_samples: int
) -> tuple[FrequencyBucket, ...]:
    """Add up the tokens of a system by how often all references hold them.

    Args:
        units: its tokens.
        frequencies: int64[n_tokens]: occurrences of each token in all references of all samples.
        most_samples: samples to list for each bucket.
    """
    bucket_of = np.searchsorted(_BUCKETS, frequencies, side="right") - 1
    held, given = (bucket_of[side.keys // units.n_rows] for side in (units.held, units.given))
    missed = units.held.counts - units.held_hits
    seen = np.zeros(len(frequencies), np.bool_)
    for side in (units.held, units.given):
        seen[side.keys // units.n_rows] = True
    n = len(_BUCKETS)
    of_bucket = {
        "n_tokens": np.bincount(bucket_of[seen], minlength=n),
        "hits": _sums(held, units.held_hits),
        "reference_total": _sums(held, units.held.counts),
        "prediction_total": _sums(given, units.given.counts),
    }
    found = []
    for place, low in enumerate(_BUCKETS):
        keys = units.held.keys[(held == place) & (missed > 0)] if low else units.given.keys[given == place]
        rows = np.unique(keys % units.n_rows)
        high = _BUCKETS[place + 1] - 1 if place + 1 < n else None
        numbers = {name: int(column[place]) for name, column in of_bucket.items()}
        samples = tuple(rows[:most_samples].tolist())
        found.append(FrequencyBucket(low=low, high=high, **numbers, n_samples=len(rows), samples=samples))
    return tuple(found)


def _sums(buckets: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n_buckets]: the values of each bucket added up; exact, as no sum reaches 2^53."""
    return np.bincount(buckets, weights=values, minlength=len(_BUCKETS)).astype(np.int64)
