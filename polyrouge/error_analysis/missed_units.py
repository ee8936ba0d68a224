"""What a system misses and adds: counts of tokens and bigrams, and recall by the frequency of a token."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyrouge.error_analysis.unit_table import UnitTable, greatest_units

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
        reference_total: occurrences in the references of the predictions.
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


def unit_totals(table: UnitTable, tokens: Sequence[str], most: int, most_samples: int) -> UnitTotals:
    """Add up the units of a system; list ``most`` units on each side, each with up to ``most_samples`` samples."""
    missed, added = table.in_reference - table.hits, table.in_prediction - table.hits
    units, rows = table.units, table.rows

    def listed(counts: NDArray[np.int64], totals: NDArray[np.int64]) -> tuple[UnitCount, ...]:
        listing = []
        for unit, lines in greatest_units(units, counts, most):
            samples = rows[lines][counts[lines] > 0]
            listing.append(
                UnitCount(
                    tokens=table.unit_tokens(unit, tokens),
                    count=int(counts[lines].sum()),
                    total=int(totals[lines].sum()),
                    n_samples=len(samples),
                    samples=tuple(samples[:most_samples].tolist()),
                )
            )
        return tuple(listing)

    return UnitTotals(
        key=f"rouge{table.order}",
        hits=int(table.hits.sum()),
        reference_total=int(table.in_reference.sum()),
        prediction_total=int(table.in_prediction.sum()),
        n_missed=_n_different(units[missed > 0]),
        n_added=_n_different(units[added > 0]),
        missed=listed(missed, table.in_reference),
        added=listed(added, table.in_prediction),
    )


def _n_different(units: NDArray[np.int64]) -> int:
    """How many different units a sorted array has; far quicker than ``np.unique``."""
    return int(np.count_nonzero(np.diff(units, prepend=-1)))


def frequency_buckets(
    table: UnitTable, frequencies: NDArray[np.int64], most_samples: int
) -> tuple[FrequencyBucket, ...]:
    """Add up the tokens of a system by ``frequencies``, the count of each token in all references."""
    units, rows = table.units, table.rows
    bucket_of = (np.searchsorted(_BUCKETS, frequencies, side="right") - 1)[units]
    buckets = []
    for place, low in enumerate(_BUCKETS):
        lines = bucket_of == place
        no_hits = table.in_reference > table.hits if low else table.in_prediction > 0
        samples = np.unique(rows[lines & no_hits])
        buckets.append(
            FrequencyBucket(
                low=low,
                high=_BUCKETS[place + 1] - 1 if place + 1 < len(_BUCKETS) else None,
                n_tokens=_n_different(units[lines]),
                hits=int(table.hits[lines].sum()),
                reference_total=int(table.in_reference[lines].sum()),
                prediction_total=int(table.in_prediction[lines].sum()),
                n_samples=len(samples),
                samples=tuple(samples[:most_samples].tolist()),
            )
        )
    return tuple(buckets)
