"""The results of comparing systems, and how they are written: every output shows the numbers of one ``Comparison``."""

import dataclasses
import math
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.result_table import Cell, PrintsTables, ResultTable, digits_of, shown_scores

_P_DIGITS = 4


@dataclass(frozen=True)
class PairedDifference:
    """Two systems compared under one key. Differences are first minus second: above 0 the first scores higher.

    Attributes:
        first: name of a system.
        second: name of one that was given after it.
        key: what is compared: ``"rouge1"`` (F-measure), ``"rouge1_recall"`` and so on.
        difference: mean of the first minus mean of the second, times ``scale``.
        low: lower bound of its bootstrap interval.
        high: upper bound.
        p_bootstrap: two-sided p of the paired bootstrap.
        p_randomization: two-sided p of paired approximate randomization.
        p_bootstrap_holm: after Holm's correction over all pairs of systems compared, for this key.
        p_randomization_holm: the same correction of ``p_randomization``.
        wins: samples on which the first scores higher.
        ties: samples on which both score the same, within 1e-14 of the score: 2/9 is 2/9, however it was divided.
        losses: samples on which the second scores higher.
    """

    first: str
    second: str
    key: str
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomization: float
    p_bootstrap_holm: float
    p_randomization_holm: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class Comparison(PrintsTables):
    """The result of ``compare_systems``. ``print`` and notebooks show it as tables.

    Attributes:
        systems: names, in the order given; the i-th has the i-th letter.
        keys: what is compared, such as ``"rouge1"``.
        means: float64[n_systems, n_keys], times ``scale``: what ``Rouge.compute`` gives.
        low: float64[n_systems, n_keys], times ``scale``: lower bounds of the means' bootstrap intervals, which
            ``Rouge.compute`` gives with ``confidence``.
        high: their upper bounds, in the same form.
        pairs: one for each pair of systems and key.
        n_samples: how many samples were compared.
        n_left_out: how many samples ``empty="skip"`` left out, for any system.
        signature: of the settings that give the means and their intervals.
        confidence: level of the intervals.
        interval: how they are made: ``"percentile"`` or ``"bca"``.
        alpha: level of significance, after Holm's correction.
        test: which p decides on significance: ``"randomization"`` or ``"bootstrap"``.
        n_resamples: of each test, and of the intervals of differences.
        seed: of all draws.
    """

    systems: tuple[str, ...]
    keys: tuple[str, ...]
    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    pairs: tuple[PairedDifference, ...]
    n_samples: int
    n_left_out: int
    signature: str
    confidence: float
    interval: str
    alpha: float
    test: str
    n_resamples: int
    seed: int

    @property
    def smallest_p(self) -> float:
        """The smallest p, before Holm's correction, that so many resamples can give: 1 / (n_resamples + 1)."""
        return 1 / (self.n_resamples + 1)

    @property
    def sign_rule(self) -> str:
        """In words, what a difference and its sign mean, and whose wins are counted."""
        subject, first = "first minus second, as the pair is named", "the first"
        if len(self.systems) == 2:
            first, second = self.systems
            subject = f"{first} minus {second}"
        return (
            f"Differences are {subject}: above 0, {first} scores higher. Won / equal / lost: on how many samples "
            f"{first} scores higher, the same, lower."
        )

    def letter(self, system: str) -> str:
        """The letter that stands for a system in superscripts.

        Args:
            system: one of ``systems``.

        Raises:
            ValueError: there is no such system.
        """
        return string.ascii_lowercase[self.systems.index(system)]

    def is_significant(self, pair: PairedDifference) -> bool:
        """Whether the corrected p of the deciding test is below alpha.

        Args:
            pair: one of ``pairs``.
        """
        return (pair.p_randomization_holm if self.test == "randomization" else pair.p_bootstrap_holm) < self.alpha

    def shown_p(self, pair: PairedDifference, test: str | None = None) -> str:
        """A corrected p with four digits; ``≤`` where no resample was as extreme, so that more could make it smaller.

        Args:
            pair: one of ``pairs``.
            test: ``"randomization"`` or ``"bootstrap"``; the deciding one if None.
        """
        name = "p_bootstrap" if (test or self.test) == "bootstrap" else "p_randomization"
        return shown_p(getattr(pair, f"{name}_holm"), is_smallest=getattr(pair, name) <= self.smallest_p)

    def superscript(self, system: str, key: str) -> str:
        """Letters of the systems that this one is significantly better than, as in ranx.

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

    def _tables(self) -> list[ResultTable]:
        digits = digits_of(self.means)
        means = []
        for row, system in enumerate(self.systems):
            cells: list[Any] = [self.letter(system), system]
            for key, *numbers in zip(self.keys, self.means[row], self.low[row], self.high[row], strict=True):
                mean, low, high = shown_scores(numbers, digits)
                cells += [Cell(mean, raised=self.superscript(system, key)), f"[{low}, {high}]"]
            means.append(cells)
        heads = [name for key in self.keys for name in (key, f"{100 * self.confidence:g} %")]
        pairs = [
            [
                f"{pair.first} − {pair.second}",
                pair.key,
                Cell(shown_difference(pair.difference, digits), strong=self.is_significant(pair)),
                f"[{shown_difference(pair.low, digits)}, {shown_difference(pair.high, digits)}]",
                self.shown_p(pair),
                f"{pair.wins} / {pair.ties} / {pair.losses}",
            ]
            for pair in self.pairs
        ]
        return [
            ResultTable(f"{len(self.systems)} systems, {self.n_samples} samples", ["", "system", *heads], means, 2),
            ResultTable("Differences", ["pair", "type", "difference", heads[1], "p", "won / equal / lost"], pairs, 2),
        ]

    def _notes(self) -> list[str]:
        return [self.sign_rule, f"A raised letter: significantly better than that system (p < {self.alpha:g})."]

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON.

        Returns:
            ``systems``: for each its name, letter, and for each key ``mean``, ``low``, ``high`` and ``better_than``;
            ``pairs``: for each the attributes of ``PairedDifference`` and ``significant``; ``sign`` the rule in words;
            and the other attributes under their names.
        """
        systems: list[dict[str, Any]] = []
        for row, system in enumerate(self.systems):
            systems.append({"system": system, "letter": self.letter(system), **mean_records(self, row, self.keys)})
            for key in self.keys:
                systems[-1][key]["better_than"] = list(self.superscript(system, key))
        pairs = [{**dataclasses.asdict(pair), "significant": self.is_significant(pair)} for pair in self.pairs]
        facts = ("n_samples", "n_left_out", "confidence", "interval", "alpha", "test", "n_resamples", "smallest_p")
        data = {"systems": systems, "pairs": pairs, "sign": self.sign_rule}
        return data | {name: getattr(self, name) for name in (*facts, "seed")}


def mean_records(of: Any, row: int, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each key the mean of one system, and its interval, for JSON; ``of`` has ``means``, ``low`` and ``high``."""
    ends = {"mean": of.means, "low": of.low, "high": of.high}
    return {
        key: {name: None if math.isnan(each[row, column]) else float(each[row, column]) for name, each in ends.items()}
        for column, key in enumerate(keys)
    }


def shown_p(p: float, *, is_smallest: bool) -> str:
    """A corrected p with four digits; it is the smallest possible if no resample was as extreme."""
    if is_smallest:
        return f"≤{math.ceil(round(p * 10**_P_DIGITS, 6)) / 10**_P_DIGITS:.{_P_DIGITS}f}"
    return f"{p:.{_P_DIGITS}f}" if p >= 10**-_P_DIGITS else f"<{10**-_P_DIGITS:.{_P_DIGITS}f}"


def shown_difference(value: float, digits: int) -> str:
    """A difference with its sign; 0 has none."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]
