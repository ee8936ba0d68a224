"""Test whether the difference between two systems is more than chance: paired tests over the scores of samples.

A mean is linear in the scores, so thousands of resamples of all systems and kinds of score are a few matrix products.
"""

import functools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import Option, RefusedValue
from polyrouge.progress import tell_progress
from polyrouge.scoring.intervals import ROUNDING, SLOPE, bca_ends, percentile_ends
from polyrouge.scoring.resamples import draw_counts, random_halves

EQUAL = 1e-14
"""Times the greater score: equal fractions differ by less as floats, other fractions by more up to 10^6 tokens."""
# Only one fraction with denominators up to this is within rounding of a score, if no score exceeds 128.
_LARGEST_DENOMINATOR = 1 << 20


class PairedTests(NamedTuple):
    """Result of both paired tests, each float64[n_pairs, k] for k kinds of score."""

    difference: NDArray[np.float64]  # mean of the first's scores minus the second's
    low: NDArray[np.float64]  # of its bootstrap interval
    high: NDArray[np.float64]
    p_bootstrap: NDArray[np.float64]  # two-sided, in (0, 1]
    p_randomization: NDArray[np.float64]


def score_differences(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return first minus second; exactly 0 if both scores are the same number: 2/9 is 2/9, however it was divided."""
    difference = first - second
    return np.where(np.abs(difference) <= EQUAL * np.maximum(np.abs(first), np.abs(second)), 0.0, difference)


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

    Whether a resample is as extreme is decided on fractions. A score within 2^-48 (times the largest score) of a
    fraction whose denominator is at most 2^20 stands for that fraction, the only one so near. So scores made of counts
    up to a million are compared exactly. Other scores (a rougeW, a mean over many references), and results of
    ``of_means``, count as equal if rounding could have made the difference, so no p is too small by rounding.

    sacreBLEU's randomization has > in place of >=, which gives a difference of exactly 0 the smallest p. Its bootstrap
    centres the absolute differences, so for a clear difference it is one-sided, with half of our p.

    ``scores`` are float64[n_systems, n, k]; ``of_means``, float64[..., k] to [..., m], is compared in place of means.
    All pairs and kinds of score share the draws. A seed gives the same p on any machine, for any number of threads.
    """
    n_systems, n, k = scores.shape
    if n < 2:
        raise ValueError(f"A paired test needs at least 2 samples; given {n}.")
    if n_resamples < 1:
        raise RefusedValue(Option("n_resamples"), f" is {n_resamples}; give at least 1.")
    if not np.isfinite(scores).all():
        system, row, _ = np.argwhere(~np.isfinite(scores))[0]
        raise ValueError(f"scores[{system}, {row}] holds a value that is not finite; leave such samples out first.")
    distinct, kind_numbers = _distinct_kinds(scores)
    if len(distinct) < k and of_means is None:
        options = {"confidence": confidence, "n_resamples": n_resamples, "seed": seed, "interval": interval}
        tests = paired_tests(scores[:, :, distinct], pairs, **options)
        return PairedTests(*(values[:, kind_numbers] for values in tests))
    on_grid, grid = _on_grid(scores)
    columns = on_grid.transpose(1, 0, 2).reshape(n, n_systems * k)
    sums = on_grid.sum(axis=1)
    unit, bound = float(n * grid), _bound_of_sums(scores, grid)
    if of_means is not None:
        unit, bound = 1.0, SLOPE * bound / (n * grid)

    def statistic(sums: NDArray[np.float64], n: int = n) -> NDArray[np.float64]:
        """Apply ``of_means`` to the means of sums over n samples; without it return the sums."""
        return sums if of_means is None else of_means(sums / (n * grid))

    def sums_of(block: NDArray) -> NDArray[np.float64]:
        return (block.astype(np.float64, copy=False) @ columns).reshape(len(block), n_systems, k)

    @functools.cache
    def differences(pair: tuple[int, int], column: int) -> "_Differences | None":
        return None if of_means is not None else _exact_differences(*scores[pair, :, column])

    def n_extreme(
        pair: tuple[int, int], null: NDArray[np.float64], observed: NDArray[np.float64], block: NDArray, times: int
    ) -> NDArray[np.int64]:
        """Count resamples as extreme as the observed difference; each sample has the weight times * block - 1."""
        further = np.abs(null) - np.abs(observed)
        counts = (further >= -bound).sum(axis=0)
        is_near = np.abs(further) <= bound
        for column in np.flatnonzero(is_near.any(axis=0)).tolist():
            exact = differences(pair, column)
            if exact is not None:
                counts[column] -= exact.n_below(times * block[is_near[:, column]][:, exact.rows].astype(np.int64) - 1)
        return counts

    observed = {pair: statistic(sums[pair[0]]) - statistic(sums[pair[1]]) for pair in pairs}
    for pair, pair_observed in observed.items():
        for column in np.flatnonzero(np.abs(pair_observed) <= bound).tolist():
            exact = differences(pair, column)
            pair_observed[column] = 0.0 if exact is None else float(exact.total * Fraction(grid))
    resampled: dict[tuple[int, int], list[NDArray[np.float64]]] = {pair: [] for pair in pairs}
    by_bootstrap, by_swaps = (
        {pair: np.zeros(len(pair_observed), np.int64) for pair, pair_observed in observed.items()} for _ in "bs"
    )
    draws, halves = (np.random.default_rng(sequence) for sequence in np.random.SeedSequence(seed).spawn(2))
    for block in draw_counts(n, n_resamples, draws, 16 if n <= 1 << 16 else 32):
        drawn = sums_of(block)
        for pair, pair_observed in observed.items():
            resampled[pair].append(statistic(drawn[:, pair[0]]) - statistic(drawn[:, pair[1]]))
            by_bootstrap[pair] += n_extreme(pair, resampled[pair][-1] - pair_observed, pair_observed, block, 1)
        tell_progress(len(block))
    for block in random_halves(n, n_resamples, halves):
        unswapped = sums_of(block)
        for (first, second), pair_observed in observed.items():
            half_difference = (
                unswapped[:, first] - unswapped[:, second]
            )  # one half keeps its scores, the other is swapped
            swapped = statistic(sums[second] + half_difference) - statistic(sums[first] - half_difference)
            by_swaps[first, second] += n_extreme((first, second), swapped, pair_observed, block, 2)
        tell_progress(len(block))
    results = []
    for pair in pairs:
        drawn = np.concatenate(resampled[pair])
        if interval == "bca":
            without = [statistic(sums[system] - on_grid[system], n - 1) for system in pair]
            ends = bca_ends(drawn, confidence, observed[pair], without[0] - without[1], bound)
        else:
            ends = percentile_ends(drawn, confidence)
        low, high = (np.where(np.abs(end) <= bound, 0.0, end / unit) for end in ends)
        p_values = ((1 + counts[pair]) / (1 + n_resamples) for counts in (by_bootstrap, by_swaps))
        results.append((observed[pair] / unit, low, high, *p_values))
    return PairedTests(*map(np.stack, zip(*results, strict=True)))


def _distinct_kinds(scores: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """Return the kinds of float64[n_systems, n, k] that no earlier one equals, and for each kind its number there."""
    # rougeLsum is rougeL where texts are one sentence each; a test of it costs as much as any other.
    distinct: list[int] = []
    numbers = []
    for kind in range(scores.shape[2]):
        equal = (number for number, d in enumerate(distinct) if np.array_equal(scores[:, :, d], scores[:, :, kind]))
        numbers.append(next(equal, len(distinct)))
        if numbers[-1] == len(distinct):
            distinct.append(kind)
    return distinct, numbers


def _on_grid(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Round scores to multiples of 1 / grid; return the multiples, and the grid."""
    # A sum of n multiples, and twice the difference of two sums, is exact in float64, so a matrix product is the same
    # on every machine, whatever order BLAS adds in. The grid is finer than 1e-9 of the largest value up to 1e6 samples.
    largest = max(float(np.abs(scores).max()), 1e-200)
    grid = 2.0 ** (50 - math.ceil(math.log2(scores.shape[1] * largest)))
    return np.rint(scores * grid), grid


def _bound_of_sums(scores: NDArray[np.float64], grid: float) -> float:
    """Bound the rounding error of a resampled sum of differences less the observed one."""
    # The grid moves a score by half, its rounding by some more; weights of two systems add up to 6 n at most: 2 n
    # of the resample, 2 n of the observed sum that is subtracted, 2 n of the observed sum that it is compared with.
    return 6 * scores.shape[1] * (0.5 + ROUNDING * float(np.abs(scores).max()) * grid)


class _Differences(NamedTuple):
    """The samples on which two systems differ, and their differences as whole multiples of a common fraction."""

    rows: NDArray[np.int64]
    wholes: NDArray  # Python integers if 64 bits are too few
    unit: Fraction

    @property
    def total(self) -> Fraction:
        return self.unit * int(self.wholes.sum())

    def n_below(self, weights: NDArray[np.int64]) -> int:
        """Count the rows of int64[m, n_rows] whose weighted sum of differences is nearer to 0 than the plain sum."""
        if not len(self.rows):
            return 0
        distinct_weights, times = np.unique(weights, axis=0, return_counts=True)
        below = np.abs(distinct_weights.astype(self.wholes.dtype) @ self.wholes) < abs(self.wholes.sum())
        return int(times[below.astype(bool)].sum())


def _exact_differences(first: NDArray[np.float64], second: NDArray[np.float64]) -> _Differences | None:
    """Find the exact differences of two systems, float64[n] each; None if a differing score is no such fraction."""
    values, numbers = np.unique(np.stack([first, second]), return_inverse=True)
    error = ROUNDING * 2.0 ** math.ceil(math.log2(max(float(np.abs(values).max()), 1e-200)))
    first_fractions, second_fractions = np.array([_fraction_at(value, error) for value in values.tolist()], object)[
        numbers.reshape(2, -1)
    ]
    rows = np.flatnonzero(first_fractions != second_fractions)
    if any(isinstance(fraction, float) for fraction in (*first_fractions[rows], *second_fractions[rows])):
        return None
    differences = first_fractions[rows] - second_fractions[rows]
    unit = math.lcm(*(difference.denominator for difference in differences))
    wholes = [difference.numerator * (unit // difference.denominator) for difference in differences]
    is_short = sum(map(abs, wholes)) * len(first) < 1 << 62  # a weight is below the number of samples
    return _Differences(rows, np.array(wholes, np.int64 if is_short else object), Fraction(1, unit))


@functools.lru_cache(maxsize=1 << 16)  # scores recur in each pair of systems, and in slices
def _fraction_at(score: float, error: float) -> Fraction | float:
    """Return the fraction that a score stands for, or the score if there is none."""
    fraction = Fraction(score).limit_denominator(_LARGEST_DENOMINATOR)
    is_only = 2 * error * _LARGEST_DENOMINATOR**2 < 1
    return fraction if is_only and abs(fraction - Fraction(score)) <= error else score
