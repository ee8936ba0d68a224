"""Compare systems by their partial results: a row has the same weight in each resample, whatever its prediction."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from polyrouge.arrow.partials import Partial, merged_partial
from polyrouge.scoring.intervals import holm_adjusted, p_values, percentile_ends
from polyrouge.scoring.results import result_keys


@dataclass(frozen=True)
class PartialDifference:
    """Two systems compared under one key. Differences are first minus second: above 0 the first scores higher.

    Attributes:
        first: place of the first system among those given, from 0.
        second: place of the second.
        key: such as ``"rouge1"``.
        difference: aggregate of the first minus that of the second, times ``scale``.
        low: lower end of its bootstrap interval, of the settings' ``confidence``.
        high: upper end.
        p: two-sided p of the paired bootstrap, in (0, 1]; 1 / (1 + ``n_resamples``) at least.
        p_holm: p after Holm's correction over the pairs of systems.
    """

    first: int
    second: int
    key: str
    difference: float
    low: float
    high: float
    p: float
    p_holm: float


def compare_partials(
    first: Partial | Iterable[Partial], second: Partial | Iterable[Partial], *others: Partial | Iterable[Partial]
) -> list[PartialDifference]:
    """Compare two or more systems that were scored apart, on the same rows, with ``interval="poisson"``.

    Under the null the resampled difference varies about 0 as it varies about the observed one, so
    p = (1 + #{abs(resampled - observed) >= abs(observed)}) / (1 + resamples), as in ``compare_systems``.

    Args:
        first: partial result, or partial results, of the first system.
        second: of the second.
        *others: of more systems.

    Returns:
        For each pair of systems, and each key of ``Rouge.compute``, the difference, first minus second.

    Raises:
        ValueError: they are of different settings or rows, or have no such interval.
        TypeError: something that is no partial result.
    """
    systems = [merged_partial(each) for each in (first, second, *others)]
    for other in systems[1:]:
        systems[0].refuse_other_rows(other)
    rules = systems[0].settings.result_rules
    scale = 1.0 if rules.round_each is not None else rules.scale
    means = [each.means() for each in systems]
    resampled = [np.asarray(each.resampled_means()) for each in systems]
    pairs = list(itertools.combinations(range(len(systems)), 2))
    observed = np.stack([means[one] - means[other] for one, other in pairs])
    drawn = [resampled[one] - resampled[other] for one, other in pairs]
    p = np.stack([p_values(each - seen, seen) for each, seen in zip(drawn, observed, strict=True)])
    ends = [percentile_ends(each, rules.confidence or 0.95) for each in drawn]
    corrected = holm_adjusted(p)
    return [
        PartialDifference(
            *pair,
            key,
            float(observed[row, place, measure] * scale),
            float(ends[row][0][place, measure] * scale),
            float(ends[row][1][place, measure] * scale),
            float(p[row, place, measure]),
            float(corrected[row, place, measure]),
        )
        for row, pair in enumerate(pairs)
        for place, name in enumerate(rules.rouge_types)
        for key, measure in result_keys(name, rules.output)
    ]
