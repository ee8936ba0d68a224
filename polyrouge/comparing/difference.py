"""``Difference``: the difference of two systems, or two metrics, and its tests."""

import math
from dataclasses import dataclass
from typing import Any

from polyrouge.results import Cell, known_values, shown_difference, shown_interval_of_difference

_P_DIGITS = 4


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Two systems compared under one key, or two metrics on one dimension: first minus second.

    Attributes:
        first: name of a system; at the level ``"metrics"``, of a metric.
        second: name of a later system or metric.
        key: what is compared: ``"rouge1"`` (F-measure), ``"rouge1_recall"`` and so on; of metrics the dimension of the
            judgements.
        level: ``"all"`` samples; one ``"slice"`` of them; or ``"metrics"``, by their Pearson correlations with
            judgements over systems.
        column: of a slice, the column of its label; else None.
        label: of a slice; else None.
        n_samples: number of samples compared; of metrics, of systems.
        first_mean: mean of the first, times ``scale``; of a metric its correlation.
        second_mean: mean of the second, likewise.
        difference: first minus second, above 0 if the first is higher; NaN if a metric has no correlation.
        low: lower bound of its bootstrap interval; NaN of metrics, and of a slice of fewer than 10 samples.
        high: upper bound, likewise.
        p: two-sided p of paired approximate randomization, of metrics of Williams' test; NaN without a test: on
            a slice of fewer than 10 samples, and of metrics without a correlation or over fewer than four systems.
        p_holm: after Holm's correction over ``n_tests`` tests: for one key over the pairs compared; of a slice for one
            pair and key over the slices of all named columns, or of one unnamed column.
        p_bootstrap: two-sided p of the paired bootstrap; NaN without such a test.
        p_bootstrap_holm: the same correction over the pairs; NaN of a slice.
        n_tests: number of tests over which ``p_holm`` is corrected; 0 if it is NaN.
        wins: samples on which the first scores higher; 0 of metrics.
        ties: samples on which both score the same, within 1e-14 of the score: 2/9 is 2/9, however it was divided.
        losses: samples on which the second scores higher.
    """

    first: str
    second: str
    key: str
    level: str
    n_samples: int
    first_mean: float
    second_mean: float
    difference: float
    column: str | None = None
    label: str | None = None
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_holm: float = math.nan
    p_bootstrap: float = math.nan
    p_bootstrap_holm: float = math.nan
    n_tests: int = 0
    wins: int = 0
    ties: int = 0
    losses: int = 0

    @property
    def is_tested(self) -> bool:
        """Say whether there is a p."""
        return not math.isnan(self.p)


def numbers_of(difference: Difference) -> dict[str, Any]:
    """Return the numbers of all levels of samples, for JSON: None for NaN."""
    names = ("first", "second", "key", "difference", "low", "high", "p_bootstrap")
    return known_values({name: getattr(difference, name) for name in names} | {"p_randomization": difference.p})


def outcomes_of(difference: Difference) -> dict[str, int]:
    """Return on how many samples the first scores higher, the same, lower."""
    return {"wins": difference.wins, "ties": difference.ties, "losses": difference.losses}


def cells_of(difference: Difference, digits: int, *, strong: bool) -> tuple[Cell, str]:
    """Make the cells of a table: the difference and its interval, if any."""
    interval = shown_interval_of_difference(difference.low, difference.high, digits)
    return Cell(shown_difference(difference.difference, digits), strong=strong), interval


def difference_record(
    difference: Difference, comparison: Any, means: Any, *, is_significant: bool, **facts: Any
) -> dict[str, Any]:
    """Make the CSV line of a difference, with the counts of empty texts in ``facts``; None for NaN.

    ``comparison`` has ``systems``, ``keys`` and its settings; ``means`` has ``means``, ``low`` and ``high``.
    """
    column = comparison.keys.index(difference.key)
    record: dict[str, Any] = {"key": difference.key, "first": difference.first, "second": difference.second}
    for side in ("first", "second"):
        row = comparison.systems.index(getattr(difference, side))
        for name, values in (("mean", means.means), ("low", means.low), ("high", means.high)):
            record[f"{side}_{name}"] = float(values[row, column])
        record[f"{side}_empty_predictions"] = facts.get(f"{side}_empty_predictions")
    record |= {
        "first_minus_second": difference.difference,
        "first_minus_second_low": difference.low,
        "first_minus_second_high": difference.high,
        "p_bootstrap": difference.p_bootstrap,
        "p_randomization": difference.p,
        "p_bootstrap_holm": difference.p_bootstrap_holm,
        "p_randomization_holm": difference.p_holm,
        "significant": is_significant,
        "first_wins": difference.wins,
        "ties": difference.ties,
        "second_wins": difference.losses,
        "samples": difference.n_samples,
        "empty_references": facts.get("empty_references"),
        **{name: getattr(comparison, name) for name in ("confidence", "n_resamples", "seed")},
    }
    return known_values(record)


def shown_p(p: float, *, is_smallest: bool) -> str:
    """Format a corrected p with four digits; it is the smallest possible if no resample was as extreme."""
    if is_smallest:
        return f"≤{math.ceil(round(p * 10**_P_DIGITS, 6)) / 10**_P_DIGITS:.{_P_DIGITS}f}"
    return f"{p:.{_P_DIGITS}f}" if p >= 10**-_P_DIGITS else f"<{10**-_P_DIGITS:.{_P_DIGITS}f}"
