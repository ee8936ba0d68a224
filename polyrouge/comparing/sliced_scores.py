"""``SlicedScores``: the means of slices of the samples, and the differences of systems."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import mean_records
from polyrouge.comparing.difference import Difference, cells_of, difference_record, numbers_of, outcomes_of, shown_p
from polyrouge.errors import unknown_value
from polyrouge.results import (
    Result,
    ResultTable,
    digits_for,
    known_values,
    shown_interval,
    shown_level,
    shown_number,
    shown_scores,
)

FEWEST_TESTED = 10
"""Samples of a slice that has a p; a smaller slice tells little, and its test would raise every other p."""


@dataclass(frozen=True)
class SliceMeans:
    """The means of one slice.

    Attributes:
        column: name of the column.
        label: of the slice.
        rows: int64[n_samples], its samples, without any that ``empty="skip"`` leaves out for any system.
        means: float64[n_systems, n_keys], times ``scale``: what ``Rouge.compute`` gives for these samples.
        low: float64[n_systems, n_keys]: lower bounds of the means' intervals; NaN where there are none, as for one
            sample.
        high: their upper bounds.
    """

    column: str
    label: str
    rows: NDArray[np.int64]
    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class SlicedScores(Result):
    """The result of ``compare_slices`` and ``score_slices``. ``print`` and notebooks show it as a table.

    Attributes:
        systems: names, in the order given.
        keys: what is compared, such as ``"rouge1"``.
        slices: one for each slice, in the order of the columns and their values.
        differences: one for each slice, pair of systems and key; slices where the first system of the pair loses most
            come first (``where_loses`` gives another order), slices of fewer than 10 samples last. Empty for one
            system.
        baseline: the only system that is compared with all others; None: all pairs are compared.
        confidence: level of the intervals; None: no intervals.
        alpha: level of significance, after the correction.
        n_resamples: of each test, and of the intervals of differences.
        seed: of all draws.
        scale: of the scores: 1, or 100 for points.
        signature: of the settings that give the means and their intervals.
        loser: the system whose losses come first; None: the first of each pair.
    """

    systems: tuple[str, ...]
    keys: tuple[str, ...]
    slices: tuple[SliceMeans, ...]
    differences: tuple[Difference, ...]
    baseline: str | None
    confidence: float | None
    alpha: float
    n_resamples: int
    seed: int
    scale: float
    signature: str
    loser: str | None = None

    def where_loses(self, system: str) -> SlicedScores:
        """Sort ``differences`` anew: slices where a system loses most come first.

        Numbers and signs stay first minus second. Slices of fewer than 10 samples come last, and
        after all of them the pairs without the system.

        Args:
            system: one of ``systems``.

        Raises:
            ValueError: there is no such system.
        """
        if system not in self.systems:
            raise unknown_value(system, self.systems, "system")

        def rank(pair: Difference) -> tuple[bool, bool, float]:
            is_without = system not in (pair.first, pair.second)
            return is_without, not pair.is_tested, -pair.difference if pair.second == system else pair.difference

        return dataclasses.replace(self, differences=tuple(sorted(self.differences, key=rank)), loser=system)

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns with slices, in order."""
        return list(dict.fromkeys(group.column for group in self.slices))

    def is_significant(self, difference: Difference) -> bool:
        """Say whether a corrected p is below alpha.

        Args:
            difference: one of ``differences``.
        """
        return difference.p_holm < self.alpha

    def shown_p(self, difference: Difference) -> str:
        """Format a corrected p with four digits; ``≤`` if no resample was as extreme, so more could make it smaller.

        Args:
            difference: one of ``differences``; without p it has a dash.
        """
        if not difference.is_tested:
            return "–"
        return shown_p(difference.p_holm, is_smallest=difference.p <= 1 / (self.n_resamples + 1))

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return the differences of several systems, or the means of one, the lowest mean of the first type first.

        Args:
            digits: of scores, after the point; None: two on the scale of papers, four on the scale of 0 to 1.
        """
        digits = digits_for(self.scale) if digits is None else digits
        header, rows = (self._rows_of_pairs if len(self.systems) > 1 else self._rows_of_means)(digits)
        title = f"{len(self.slices)} slices, by {', '.join(self.columns)}"
        return [ResultTable(title, header, rows, header.index("n"))]

    def _rows_of_pairs(self, digits: int) -> tuple[list[str], list[list[Any]]]:
        is_one_pair = len(self.systems) == 2
        systems = list(self.systems) if is_one_pair else ["first", "second"]
        level = "interval" if self.confidence is None else shown_level(self.confidence)
        header = ["column", "slice", *([] if is_one_pair else ["pair"]), "type", "n", *systems]
        rows: list[list[Any]] = [
            [
                pair.column,
                pair.label,
                *([] if is_one_pair else [f"{pair.first} − {pair.second}"]),
                pair.key,
                pair.n_samples,
                *shown_scores((pair.first_mean, pair.second_mean), digits),
                *cells_of(pair, digits, strong=self.is_significant(pair)),
                self.shown_p(pair),
            ]
            for pair in self.differences
        ]
        return [*header, "difference", level, "p"], rows

    def _rows_of_means(self, digits: int) -> tuple[list[str], list[list[Any]]]:
        header = ["column", "slice", "n"]
        for key in self.keys:
            header += [key] if self.confidence is None else [key, shown_level(self.confidence)]
        rows: list[list[Any]] = []
        for group in self._weakest_first():
            rows.append([group.column, group.label, len(group.rows)])
            for mean, low, high in _means_of_first(group):
                interval = [] if self.confidence is None else [shown_interval(low, high, digits)]
                rows[-1] += [shown_number(mean, digits), *interval]
        return header, rows

    def _weakest_first(self) -> list[SliceMeans]:
        """Sort slices by the first mean of the first system; slices of fewer than 10 samples last."""
        return sorted(self.slices, key=lambda group: (len(group.rows) < FEWEST_TESTED, group.means[0, 0]))

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each difference, or for one system for each slice and key."""
        if len(self.systems) > 1:
            slices = {(group.column, group.label): group for group in self.slices}
            return [
                difference_record(
                    pair, self, slices[pair.column or "", pair.label or ""], is_significant=self.is_significant(pair)
                )
                | {"slice_column": pair.column, "slice": pair.label}
                for pair in self.differences
            ]
        records = []
        for group in self._weakest_first():
            for key, (mean, low, high) in zip(self.keys, _means_of_first(group), strict=True):
                rouge_type, _, measure = key.partition("_")
                interval = {} if self.confidence is None else known_values({"low": low, "high": high})
                records.append(
                    {"type": rouge_type, "measure": measure or "fmeasure", "value": mean}
                    | interval
                    | {"samples": len(group.rows), "slice_column": group.column, "slice": group.label}
                )
        return records

    def notes(self) -> list[str]:
        """Say how the slices are ordered, and what p is corrected for."""
        if len(self.systems) == 1:
            return [
                "Slices with the lowest mean of the first type come first; slices of fewer than "
                f"{FEWEST_TESTED} samples come last."
            ]
        loser = self.loser or (self.systems[0] if len(self.systems) == 2 else "the first of the pair")
        if not any(pair.is_tested for pair in self.differences):
            order = f"Slices where {loser} loses most come first."
            return [f"{order} None has {FEWEST_TESTED} samples, so there are no tests."]
        return [
            f"Slices where {loser} loses most come first; slices of fewer than {FEWEST_TESTED} samples come last, "
            "without p. p of a pair and type after Holm's correction over the slices of the columns that were named; "
            f"each other column is corrected separately ({self.n_resamples} resamples)."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON.

        Returns:
            ``slices``: for each its column, label, number of samples, and for each system and key ``mean``, ``low`` and
            ``high``; ``differences``: for each the numbers of its ``Difference`` and ``significant``; and how they were
            made, under the names of the attributes. None stands for NaN.
        """
        slices = [
            {
                "column": group.column,
                "label": group.label,
                "n_samples": len(group.rows),
                "systems": {system: mean_records(group, row, self.keys) for row, system in enumerate(self.systems)},
            }
            for group in self.slices
        ]
        names = ("column", "label", "n_samples", "first_mean", "second_mean")
        differences = [
            {
                **{name: getattr(pair, name) for name in names},
                **numbers_of(pair),
                **outcomes_of(pair),
                **known_values({"p_holm": pair.p_holm}),
                "n_tests": pair.n_tests,
                "significant": self.is_significant(pair),
            }
            for pair in self.differences
        ]
        facts = ("baseline", "confidence", "alpha", "n_resamples", "seed", "loser")
        return {"slices": slices, "differences": differences, **{name: getattr(self, name) for name in facts}}


def _means_of_first(group: SliceMeans) -> Iterator[tuple[float, float, float]]:
    """Return the mean of each key of the first system, and both ends of its interval."""
    return zip(group.means[0].tolist(), group.low[0].tolist(), group.high[0].tolist(), strict=True)
