"""What a comparison of systems must be, checked before anything is scored."""

from __future__ import annotations

import string
from collections.abc import Sequence

from polyrouge.errors import unknown_value
from polyrouge.settings.allowed_values import FRACTION, RESAMPLES, SEED, checked_number
from polyrouge.settings.rouge_settings import RougeSettings

NO_MEANS = ("bootstrap_median", "micro")
"""Aggregates that are no means over samples, which paired tests compare."""
TESTS = ("randomization", "bootstrap")


def check_comparison(
    names: Sequence[str],
    settings: RougeSettings,
    baseline: str | None,
    confidence: float | None,
    alpha: float,
    test: str,
    n_resamples: int | None,
    seed: int | None,
) -> None:
    """Refuse what can't be compared; see ``compare_systems`` for the arguments.

    Raises:
        ValueError: fewer than two systems, or a value that is not allowed.
        TypeError: a value of the wrong type.
    """
    if len(names) < 2:
        raise ValueError(f"Give two or more systems to compare; given {len(names)}.")
    if len(names) > len(string.ascii_lowercase):
        raise ValueError(f"Give at most {len(string.ascii_lowercase)} systems: each has a letter; given {len(names)}.")
    if baseline is not None and baseline not in names:
        raise unknown_value(baseline, names, "baseline")
    if test not in TESTS:
        raise unknown_value(test, TESTS, "test")
    checked_number("alpha", alpha, FRACTION)
    if confidence is not None:
        checked_number("confidence", confidence, FRACTION)
    if n_resamples is not None:
        checked_number("n_resamples", n_resamples, RESAMPLES)
    if seed is not None:
        checked_number("seed", seed, SEED)
    if settings.interval == "poisson":
        raise ValueError(
            "interval='poisson' is for means of one system, and for polyrouge.arrow.compare_partials; where all scores "
            "are at hand, compare with interval='percentile' or 'bca'."
        )
    if settings.aggregate in NO_MEANS:
        raise ValueError(
            f"aggregate={settings.aggregate!r}: paired tests compare means over samples; set aggregate='mean'."
        )
