"""The result of comparing systems, and its outputs, which all show the numbers of one ``Comparison``."""

import math
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.difference import Difference, cells_of, difference_record, numbers_of, outcomes_of, shown_p
from polyrouge.results import (
    Cell,
    Result,
    ResultTable,
    count_of,
    digits_for,
    shown_interval,
    shown_level,
    shown_number,
)


@dataclass(frozen=True)
class Comparison(Result):
    """The result of ``compare_systems``. ``print`` and notebooks show it as tables.

    Attributes:
        systems: names, in the order given; the i-th has the i-th letter.
        keys: what is compared, such as ``"rouge1"``.
        means: float64[n_systems, n_keys], times ``scale``: what ``Rouge.compute`` gives.
        low: float64[n_systems, n_keys], times ``scale``: lower bounds of the means' bootstrap intervals, which
            ``Rouge.compute`` gives with ``confidence``.
        high: their upper bounds, in the same form.
        pairs: one for each pair of systems and key.
        n_samples: number of samples compared.
        n_left_out: number of samples that ``empty="skip"`` left out, for any system.
        scale: of the scores: 1, or 100 for points.
        signature: of the settings that give the means and their intervals.
        confidence: level of the intervals.
        interval: method of the intervals: ``"percentile"`` or ``"bca"``.
        alpha: level of significance, after Holm's correction.
        test: the test that decides on significance: ``"randomization"`` or ``"bootstrap"``.
        n_resamples: of each test, and of the intervals of differences.
        seed: of all draws.
        empty_predictions: number of empty predictions of each system; () if they were not counted.
        empty_references: number of empty references; None if they were not counted.
    """

    systems: tuple[str, ...]
    keys: tuple[str, ...]
    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    pairs: tuple[Difference, ...]
    n_samples: int
    n_left_out: int
    scale: float
    signature: str
    confidence: float
    interval: str
    alpha: float
    test: str
    n_resamples: int
    seed: int
    empty_predictions: tuple[int, ...] = ()
    empty_references: int | None = None

    @property
    def smallest_p(self) -> float:
        """Return the smallest p, before Holm's correction, that so many resamples can give: 1 / (n_resamples + 1)."""
        return 1 / (self.n_resamples + 1)

    @property
    def sign_rule(self) -> str:
        """Say in words what a difference and its sign mean, and whose wins are counted."""
        subject, first = "first minus second, as the pair is named", "the first"
        if len(self.systems) == 2:
            first, second = self.systems
            subject = f"{first} minus {second}"
        return (
            f"Differences are {subject}: above 0, {first} scores higher. Won / equal / lost: on how many samples "
            f"{first} scores higher, the same, lower."
        )

    def letter(self, system: str) -> str:
        """Return the letter of a system in superscripts.

        Args:
            system: one of ``systems``.

        Raises:
            ValueError: there is no such system.
        """
        return string.ascii_lowercase[self.systems.index(system)]

    def is_significant(self, pair: Difference) -> bool:
        """Say whether the corrected p of the deciding test is below alpha.

        Args:
            pair: one of ``pairs``.
        """
        return (pair.p_holm if self.test == "randomization" else pair.p_bootstrap_holm) < self.alpha

    def shown_p(self, pair: Difference, test: str | None = None) -> str:
        """Format a corrected p with four digits; ``≤`` if no resample was as extreme, so more could make it smaller.

        Args:
            pair: one of ``pairs``.
            test: ``"randomization"`` or ``"bootstrap"``; the deciding one if None.
        """
        name = "p_bootstrap" if (test or self.test) == "bootstrap" else "p"
        return shown_p(getattr(pair, f"{name}_holm"), is_smallest=getattr(pair, name) <= self.smallest_p)

    def superscript(self, system: str, key: str) -> str:
        """Return the letters of the systems that this one is significantly better than, as in ranx.

        Args:
            system: one of ``systems``.
            key: one of ``keys``.
        """
        ordered = [
            (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
            for pair in self.pairs
            if pair.key == key and self.is_significant(pair)
        ]
        return "".join(sorted(self.letter(worse) for better, worse in ordered if better == system))

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return the means, with superscripts; their intervals; and the differences of the pairs.

        Args:
            digits: of scores, after the point; None: two on the scale of papers, four on the scale of 0 to 1.
        """
        digits = digits_for(self.scale) if digits is None else digits
        level = f"{shown_level(self.confidence)} interval{'' if self.interval == 'percentile' else ' (BCa)'}"
        best = self.means.max(axis=0)
        means, intervals = [], []
        for row, system in enumerate(self.systems):
            cells = [
                Cell(shown_number(mean, digits), self.superscript(system, key), bool(mean == best[column]))
                for column, (key, mean) in enumerate(zip(self.keys, self.means[row].tolist(), strict=True))
            ]
            means.append([self.letter(system), system, *cells, *self.empty_predictions[row : row + 1]])
            ends = zip(self.low[row].tolist(), self.high[row].tolist(), strict=True)
            intervals.append([self.letter(system), system, *(shown_interval(*pair, digits) for pair in ends)])
        title = f"{len(self.systems)} systems, {count_of(self.n_samples, 'sample')}"
        if self.empty_references is not None:
            title += f", {count_of(self.empty_references, 'empty reference')}"
        header = ["", "system", *self.keys]
        pairs = [
            [
                f"{self.letter(pair.first)} − {self.letter(pair.second)}",
                pair.key,
                *cells_of(pair, digits, strong=self.is_significant(pair)),
                self.shown_p(pair, "bootstrap"),
                self.shown_p(pair, "randomization"),
                f"{pair.wins}/{pair.ties}/{pair.losses}",
            ]
            for pair in self.pairs
        ]
        header_of_pairs = ["pair", "type", "difference", level, "p boot.", "p rand.", "win/tie/loss"]
        return [
            ResultTable(title, [*header, *(["empty"] if self.empty_predictions else [])], means, 2),
            ResultTable(f"{level} of the means", header, intervals, 2),
            ResultTable("Paired differences", header_of_pairs, pairs, 2),
        ]

    def latex(self, digits: int | None = None) -> str:
        """Return the one table that a paper prints."""
        from polyrouge.comparing.paper_table import paper_table  # which knows this class

        return paper_table(self, digits=digits)

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each pair of systems and key, with both means and every number of their difference."""
        empty = dict(zip(self.systems, self.empty_predictions, strict=False))
        return [
            difference_record(
                pair,
                self,
                self,
                is_significant=self.is_significant(pair),
                first_empty_predictions=empty.get(pair.first),
                second_empty_predictions=empty.get(pair.second),
                empty_references=self.empty_references,
            )
            for pair in self.pairs
        ]

    def notes(self) -> list[str]:
        """Say what a difference means, and what is significant."""
        test = "paired approximate randomization" if self.test == "randomization" else "paired bootstrap"
        n_pairs = len({(pair.first, pair.second) for pair in self.pairs})
        corrected = f", p after Holm's correction over {n_pairs} pairs" if n_pairs > 1 else ""
        empty = " empty: how many predictions are empty texts." if self.empty_predictions else ""
        return [
            self.sign_rule,
            f"A raised letter: significantly better than that system ({test}, {self.n_resamples} resamples, seed "
            f"{self.seed}, two-sided p < {self.alpha:g}{corrected}). A p with ≤ is the smallest that so many resamples "
            f"can give.{empty}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON.

        Returns:
            ``systems``: each with its name, letter, and for each key ``mean``, ``low``, ``high`` and ``better_than``;
            ``pairs``: each with the numbers of its ``Difference`` and ``significant``; ``sign``, the rule in words;
            and the other attributes under their names.
        """
        systems: list[dict[str, Any]] = []
        for row, system in enumerate(self.systems):
            systems.append({"system": system, "letter": self.letter(system), **mean_records(self, row, self.keys)})
            for key in self.keys:
                systems[-1][key]["better_than"] = list(self.superscript(system, key))
            if self.empty_predictions:
                systems[-1]["empty_predictions"] = self.empty_predictions[row]
        pairs = [
            {
                **numbers_of(pair),
                "p_bootstrap_holm": pair.p_bootstrap_holm,
                "p_randomization_holm": pair.p_holm,
                **outcomes_of(pair),
                "significant": self.is_significant(pair),
            }
            for pair in self.pairs
        ]
        facts = ("n_samples", "n_left_out", "confidence", "interval", "alpha", "test", "n_resamples", "smallest_p")
        data = {"systems": systems, "pairs": pairs, "sign": self.sign_rule}
        data |= {name: getattr(self, name) for name in (*facts, "seed")}
        return data if self.empty_references is None else data | {"empty_references": self.empty_references}


def mean_records(of: Any, row: int, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return for each key the mean of one system, and its interval, for JSON; from its ``means``, ``low``, ``high``."""
    ends = {"mean": of.means, "low": of.low, "high": of.high}
    return {
        key: {
            name: None if math.isnan(values[row, column]) else float(values[row, column])
            for name, values in ends.items()
        }
        for column, key in enumerate(keys)
    }
