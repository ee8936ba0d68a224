"""What was found slice by slice, and how it is written: every output shows the numbers of one ``SlicedScores``."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import PairedDifference, shown_p
from polyrouge.errors import unknown_value


@dataclass(frozen=True)
class SliceMeans:
    """The means of one slice.

    Attributes:
        column: what the samples are sliced by.
        label: of the slice.
        rows: int64[n_samples], which samples; without those that ``empty="skip"`` leaves out for any system.
        means: float64[n_systems, n_keys], times ``scale``: what ``Rouge.compute`` gives for them.
        low: float64[n_systems, n_keys]: lower bounds of the means' intervals; NaN where there are none.
        high: their upper bounds.
    """

    column: str
    label: str
    rows: NDArray[np.int64]
    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class SlicedDifference:
    """Two systems compared on one slice, under one key.

    Attributes:
        column: what the samples are sliced by.
        label: of the slice.
        n_samples: how many samples are in it.
        first_mean: mean of the first system, times ``scale``.
        second_mean: mean of the second.
        pair: what ``compare_systems`` gives for these samples; its corrected p values are over the pairs of systems.
        p_holm: p of paired approximate randomization after Holm's correction over all slices and pairs, for this key.
    """

    column: str
    label: str
    n_samples: int
    first_mean: float
    second_mean: float
    pair: PairedDifference
    p_holm: float


@dataclass(frozen=True)
class SlicedScores:
    """One system or several on slices of the samples.

    Attributes:
        systems: names, in the order given.
        keys: what is compared, such as ``"rouge1"``.
        slices: one for each slice, in the order of the columns and their values.
        differences: one for each slice, pair of systems and key; those where the first system of the pair loses most
            come first (``where_loses`` gives another order). None of one system.
        n_tests: how many slices and pairs the p values of a key are corrected over.
        baseline: the system that alone is compared with each of the others; None: all pairs are.
        confidence: level of the intervals; None: there are none.
        alpha: level of significance, after the correction.
        n_resamples: of each test, and of the intervals of differences.
        seed: of all draws.
        loser: the system whose losses come first; None: the first of each pair.
    """

    systems: tuple[str, ...]
    keys: tuple[str, ...]
    slices: tuple[SliceMeans, ...]
    differences: tuple[SlicedDifference, ...]
    n_tests: int
    baseline: str | None
    confidence: float | None
    alpha: float
    n_resamples: int
    seed: int
    loser: str | None = None

    def where_loses(self, system: str) -> SlicedScores:
        """The same with its ``differences`` in another order: those where a system loses most come first.

        Numbers and signs stay those of the pair, first minus second. Pairs without the system come last.

        Args:
            system: one of ``systems``.

        Raises:
            ValueError: there is no such system.
        """
        if system not in self.systems:
            raise unknown_value(system, self.systems, "system")

        def place(each: SlicedDifference) -> tuple[bool, float]:
            pair = each.pair
            is_other = system not in (pair.first, pair.second)
            return is_other, -pair.difference if pair.second == system else pair.difference

        return dataclasses.replace(self, differences=tuple(sorted(self.differences, key=place)), loser=system)

    @property
    def columns(self) -> list[str]:
        """Names of the columns that made slices, in order."""
        return list(dict.fromkeys(each.column for each in self.slices))

    def is_significant(self, found: SlicedDifference) -> bool:
        """Whether a corrected p is below alpha.

        Args:
            found: one of ``differences``.
        """
        return found.p_holm < self.alpha

    def shown_p(self, found: SlicedDifference) -> str:
        """A corrected p with four digits; ``≤`` where no resample was as extreme, so that more could make it smaller.

        Args:
            found: one of ``differences``.
        """
        return shown_p(found.p_holm, is_smallest=found.pair.p_randomization <= 1 / (self.n_resamples + 1))

    def to_dict(self) -> dict[str, Any]:
        """Everything found, as plain values for JSON.

        Returns:
            ``slices``: for each its column, label, number of samples, and for each system and key ``mean``, ``low`` and
            ``high``; ``differences``: for each column, label, number of samples, ``p_holm``, ``significant`` and what
            ``compare_systems`` gives for it; and the other attributes under their names.
        """
        slices = [
            {
                "column": each.column,
                "label": each.label,
                "n_samples": len(each.rows),
                "systems": {
                    system: {
                        key: {name: _known(getattr(each, place)[row, column]) for name, place in _PLACES.items()}
                        for column, key in enumerate(self.keys)
                    }
                    for row, system in enumerate(self.systems)
                },
            }
            for each in self.slices
        ]
        differences = [
            {
                **{name: getattr(each, name) for name in _OF_DIFFERENCE},
                **{name: value for name, value in dataclasses.asdict(each.pair).items() if not name.endswith("_holm")},
                "p_holm": each.p_holm,
                "significant": self.is_significant(each),
            }
            for each in self.differences
        ]
        facts = ("n_tests", "baseline", "confidence", "alpha", "n_resamples", "seed", "loser")
        return {"slices": slices, "differences": differences, **{name: getattr(self, name) for name in facts}}


_PLACES = {"mean": "means", "low": "low", "high": "high"}
_OF_DIFFERENCE = ("column", "label", "n_samples", "first_mean", "second_mean")


def _known(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)
