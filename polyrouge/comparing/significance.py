"""Is the difference between two systems more than chance? Paired tests over the scores of samples.

A mean is linear in the scores, so thousands of resamples of all systems and kinds of score are a few matrix products.
"""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.progress import tell_progress
from polyrouge.scoring.intervals import ROUNDING, SLOPE, bca_ends, block_sizes, draw_counts, percentile_ends

_DRAWS_AT_ONCE = 1 << 20
EQUAL = 1e-14
"""Times the greater score: equal fractions differ by less as floats, others by more in texts of up to 10^6 tokens."""
# Of all fractions with so large denominators, only the score's own is within rounding of it, where none is above 128.
_LARGEST_DENOMINATOR = 1 << 20


class PairedTests(NamedTuple):
    """Result of both paired tests, each float64[n_pairs, k] for k kinds of score."""

    difference: NDArray[np.float64]  # mean of the first's scores minus the second's
    low: NDArray[np.float64]  # of its bootstrap interval
    high: NDArray[np.float64]
    p_bootstrap: NDArray[np.float64]  # two-sided, in (0, 1]
    p_randomization: NDArray[np.float64]


def score_differences(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """First minus second; exactly 0 where two scores are the same number: 2/9 is 2/9, however it was divided."""
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

    Whether a resample is as extreme is decided on fractions. A score within 2^-48 of the largest one's size of a
    fraction whose denominator is at most 2^20 stands for that fraction, which is the only one there. So scores made of
    counts up to a million are compared exactly. Other scores (a rougeW, a mean over many references), and what
    ``of_means`` gives, count as equal where rounding could have made the difference, so no p is too small by rounding.

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
    on_grid, grid = _on_grid(scores)
    columns = on_grid.transpose(1, 0, 2).reshape(n, n_systems * k)
    sums = on_grid.sum(axis=1)
    unit, bound = float(n * grid), _bound_of_sums(scores, grid)
    if of_means is not None:
        unit, bound = 1.0, SLOPE * bound / (n * grid)

    def statistic(sums: NDArray[np.float64], n: int = n) -> NDArray[np.float64]:
        """Of sums over n samples; without ``of_means`` the sums themselves."""
        return sums if of_means is None else of_means(sums / (n * grid))

    def sums_of(block: NDArray) -> NDArray[np.float64]:
        return (block.astype(np.float64) @ columns).reshape(len(block), n_systems, k)

    @functools.cache
    def differences(pair: tuple[int, int], column: int) -> "_Differences | None":
        return None if of_means is not None else _exact_differences(*scores[pair, :, column])

    def n_extreme(
        pair: tuple[int, int], null: NDArray[np.float64], observed: NDArray[np.float64], block: NDArray, times: int
    ) -> NDArray[np.int64]:
        """How many resamples are as extreme as what was observed; each sample has the weight times * block - 1."""
        further = np.abs(null) - np.abs(observed)
        counts = (further >= -bound).sum(axis=0)
        is_near = np.abs(further) <= bound
        for column in np.flatnonzero(is_near.any(axis=0)).tolist():
            exact = differences(pair, column)
            if exact is not None:
                counts[column] -= exact.n_below(times * block[is_near[:, column]][:, exact.rows].astype(np.int64) - 1)
        return counts

    observed = {pair: statistic(sums[pair[0]]) - statistic(sums[pair[1]]) for pair in pairs}
    for pair, of_pair in observed.items():
        for column in np.flatnonzero(np.abs(of_pair) <= bound).tolist():
            exact = differences(pair, column)
            of_pair[column] = 0.0 if exact is None else float(exact.total * Fraction(grid))
    resampled: dict[tuple[int, int], list[NDArray[np.float64]]] = {pair: [] for pair in pairs}
    by_bootstrap, by_swaps = ({pair: np.zeros(len(each), np.int64) for pair, each in observed.items()} for _ in "bs")
    draws, halves = (np.random.default_rng(each) for each in np.random.SeedSequence(seed).spawn(2))
    for block in _resample_counts(n, n_resamples, draws):
        drawn = sums_of(block)
        for pair, of_pair in observed.items():
            resampled[pair].append(statistic(drawn[:, pair[0]]) - statistic(drawn[:, pair[1]]))
            by_bootstrap[pair] += n_extreme(pair, resampled[pair][-1] - of_pair, of_pair, block, 1)
        tell_progress(len(block))
    for block in _random_halves(n, n_resamples, halves):
        unswapped = sums_of(block)
        for (first, second), of_pair in observed.items():
            moved = unswapped[:, first] - unswapped[:, second]  # one half keeps its scores, the other is swapped
            swapped = statistic(sums[second] + moved) - statistic(sums[first] - moved)
            by_swaps[first, second] += n_extreme((first, second), swapped, of_pair, block, 2)
        tell_progress(len(block))
    results = []
    for pair in pairs:
        drawn = np.concatenate(resampled[pair])
        if interval == "bca":
            without = [statistic(sums[each] - on_grid[each], n - 1) for each in pair]
            ends = bca_ends(drawn, confidence, observed[pair], without[0] - without[1], bound)
        else:
            ends = percentile_ends(drawn, confidence)
        low, high = (np.where(np.abs(end) <= bound, 0.0, end / unit) for end in ends)
        p_values = ((1 + each[pair]) / (1 + n_resamples) for each in (by_bootstrap, by_swaps))
        results.append((observed[pair] / unit, low, high, *p_values))
    return PairedTests(*map(np.stack, zip(*results, strict=True)))


def _on_grid(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The scores as whole multiples of 1 / grid."""
    # A sum of n of them, and twice the difference of two sums, is exact in float64, so a matrix product is the same on
    # every machine, whatever order BLAS adds in. The grid is finer than 1e-9 of the largest value up to 1e6 samples.
    largest = max(float(np.abs(scores).max()), 1e-200)
    grid = 2.0 ** (50 - math.ceil(math.log2(scores.shape[1] * largest)))
    return np.rint(scores * grid), grid


def _bound_of_sums(scores: NDArray[np.float64], grid: float) -> float:
    """How far a resampled sum of differences, beside the observed one, may be from that of the fractions."""
    # The grid moves a score by half, its own rounding by some more; weights of two systems add up to 6 n at most: 2 n
    # of the resampled samples, 2 n of the observed ones in the middle, 2 n of those that it is compared with.
    return 6 * scores.shape[1] * (0.5 + ROUNDING * float(np.abs(scores).max()) * grid)


class _Differences(NamedTuple):
    """The samples on which two systems differ, and by how much, as whole multiples of a common fraction."""

    rows: NDArray[np.int64]
    wholes: NDArray  # of Python's integers where 64 bits are too few
    unit: Fraction

    @property
    def total(self) -> Fraction:
        return self.unit * int(self.wholes.sum())

    def n_below(self, weights: NDArray[np.int64]) -> int:
        """How many rows of int64[m, n_rows] have a weighted sum of differences that is nearer to 0 than the sum."""
        if not len(self.rows):
            return 0
        kinds, times = np.unique(weights, axis=0, return_counts=True)
        below = np.abs(kinds.astype(self.wholes.dtype) @ self.wholes) < abs(self.wholes.sum())
        return int(times[below.astype(bool)].sum())


def _exact_differences(first: NDArray[np.float64], second: NDArray[np.float64]) -> _Differences | None:
    """Of the scores of two systems, float64[n] each; None where some score that differs is no such fraction."""
    values, numbers = np.unique(np.stack([first, second]), return_inverse=True)
    error = ROUNDING * 2.0 ** math.ceil(math.log2(max(float(np.abs(values).max()), 1e-200)))
    ours, theirs = np.array([_fraction_at(each, error) for each in values.tolist()], object)[numbers.reshape(2, -1)]
    rows = np.flatnonzero(ours != theirs)
    if any(isinstance(each, float) for each in (*ours[rows], *theirs[rows])):
        return None
    differences = ours[rows] - theirs[rows]
    unit = math.lcm(*(each.denominator for each in differences))
    wholes = [each.numerator * (unit // each.denominator) for each in differences]
    is_short = sum(map(abs, wholes)) * len(first) < 1 << 62  # a weight is below the number of samples
    return _Differences(rows, np.array(wholes, np.int64 if is_short else object), Fraction(1, unit))


@functools.lru_cache(maxsize=1 << 16)  # the same scores come again in each pair of systems, and in slices
def _fraction_at(score: float, error: float) -> Fraction | float:
    """The fraction that a score stands for; the score itself where there is none."""
    fraction = Fraction(score).limit_denominator(_LARGEST_DENOMINATOR)
    is_only = 2 * error * _LARGEST_DENOMINATOR**2 < 1
    return fraction if is_only and abs(fraction - Fraction(score)) <= error else score


def _resample_counts(n: int, n_resamples: int, generator: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """``draw_counts``, with the smallest numbers that n samples have."""
    return draw_counts(n, n_resamples, generator, _DRAWS_AT_ONCE, np.uint16 if n <= 1 << 16 else np.uint32)


def _random_halves(n: int, n_resamples: int, generator: np.random.Generator) -> Iterator[NDArray[np.uint8]]:
    """Which samples keep their sign: uint8[block, n] of fair, independent 0 and 1."""
    for size in block_sizes(n, n_resamples, _DRAWS_AT_ONCE):
        random_bytes = np.frombuffer(generator.bytes(size * ((n + 7) // 8)), dtype=np.uint8)
        yield np.unpackbits(random_bytes.reshape(size, -1), axis=1, count=n)
