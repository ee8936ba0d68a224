"""Is the difference between two systems more than chance? Paired tests over the scores of samples.

A mean is linear in the scores, so thousands of resamples of all systems and kinds of score are a few matrix products.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.scoring.intervals import bca_ends, block_sizes, drawn_times, p_values, percentile_ends, products

_DRAWS_AT_ONCE = 1 << 20


class PairedTests(NamedTuple):
    """Result of both paired tests, each float64[n_pairs, k] for k kinds of score."""

    difference: NDArray[np.float64]  # mean of the first's scores minus the second's
    low: NDArray[np.float64]  # of its bootstrap interval
    high: NDArray[np.float64]
    p_bootstrap: NDArray[np.float64]  # two-sided, in (0, 1]
    p_randomization: NDArray[np.float64]


def paired_tests(
    scores: NDArray[np.float64],
    pairs: Sequence[tuple[int, int]] = ((0, 1),),
    *,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
    interval: str = "percentile",
    of_means: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
) -> PairedTests:
    """Test, two-sided, whether the mean difference of each pair of systems could be chance.

    - Paired bootstrap (Efron and Tibshirani 1993; Koehn 2004 for whole corpora): draws samples with replacement.
      p = (1 + #{abs(resampled - observed) >= abs(observed)}) / (1 + resamples), because under the null the resampled
      means vary about 0 as they vary about the observed mean.
    - Paired approximate randomization (Noreen 1989; Riezler and Maxwell 2005): swaps the systems on random samples.
      p = (1 + #{abs(swapped difference) >= abs(observed)}) / (1 + resamples).

    sacreBLEU's randomization has > in place of >=, which gives a difference of exactly 0 the smallest p. Its bootstrap
    centres the absolute differences, so for a clear difference it is one-sided, with half of our p.

    ``scores`` are float64[n_systems, n, k]; ``of_means``, float64[..., k] to [..., m], is compared in place of means.
    All pairs and kinds of score share the draws. A seed gives the same p on any machine, for any number of threads.
    """
    n_systems, n, k = scores.shape
    if n < 2:
        raise ValueError(f"A paired test needs at least 2 samples; given {n}.")
    if n_resamples < 1:
        raise ValueError(f"n_resamples is {n_resamples}; give at least 1.")
    if not np.isfinite(scores).all():
        system, row, _ = np.argwhere(~np.isfinite(scores))[0]
        raise ValueError(f"scores[{system}, {row}] holds a value that is not finite; leave such samples out first.")
    exact, grid = _on_grid(scores)
    columns = exact.transpose(1, 0, 2).reshape(n, n_systems * k)
    draws, halves = (np.random.default_rng(each) for each in np.random.SeedSequence(seed).spawn(2))
    resampled = products(_resample_counts(n, n_resamples, draws), columns).reshape(-1, n_systems, k)
    unswapped = products(_random_halves(n, n_resamples, halves), columns).reshape(-1, n_systems, k)
    sums = exact.sum(axis=1)
    unit = n * grid if of_means is None else 1.0

    def statistic(sums: NDArray[np.float64], n: int = n) -> NDArray[np.float64]:
        """Of sums over n samples; without ``of_means`` the sums themselves, whose differences are exact."""
        return sums if of_means is None else of_means(sums / (n * grid))

    results = []
    for first, second in pairs:
        observed = statistic(sums[first]) - statistic(sums[second])
        drawn = statistic(resampled[:, first]) - statistic(resampled[:, second])
        moved = unswapped[:, first] - unswapped[:, second]  # one half keeps its scores, the other is swapped
        swapped = statistic(sums[second] + moved) - statistic(sums[first] - moved)
        if interval == "bca":
            without = [statistic(sums[each] - exact[each], n - 1) for each in (first, second)]
            low, high = bca_ends(drawn, confidence, observed, without[0] - without[1])
        else:
            low, high = percentile_ends(drawn, confidence)
        by_chance = p_values(drawn - observed, observed), p_values(swapped, observed)
        results.append((observed / unit, low / unit, high / unit, *by_chance))
    return PairedTests(*map(np.stack, zip(*results, strict=True)))


def _on_grid(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The scores as whole multiples of 1 / grid."""
    # A sum of n of them, and twice the difference of two sums, is exact in float64, so a matrix product is the same on
    # every machine, whatever order BLAS adds in. The grid is finer than 1e-9 of the largest value up to 1e6 samples.
    largest = max(float(np.abs(scores).max()), 1e-200)
    grid = 2.0 ** (50 - math.ceil(math.log2(scores.shape[1] * largest)))
    return np.rint(scores * grid), grid


def _resample_counts(n: int, n_resamples: int, generator: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """``drawn_times``, with the smallest numbers that n samples have."""
    return drawn_times(n, n_resamples, generator, _DRAWS_AT_ONCE, np.uint16 if n <= 1 << 16 else np.uint32)


def _random_halves(n: int, n_resamples: int, generator: np.random.Generator) -> Iterator[NDArray[np.uint8]]:
    """Which samples keep their sign: uint8[block, n] of fair, independent 0 and 1."""
    for size in block_sizes(n, n_resamples, _DRAWS_AT_ONCE):
        random_bytes = np.frombuffer(generator.bytes(size * ((n + 7) // 8)), dtype=np.uint8)
        yield np.unpackbits(random_bytes.reshape(size, -1), axis=1, count=n)
