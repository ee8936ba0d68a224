"""Bootstrap means: the ends of intervals (percentile, BCa), and the correction of p-values."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import Note
from polyrouge.scoring.resamples import draw_counts, sums_by_resample

FEWEST_SAMPLES = 2  # of an interval that is shown: that of one sample would be the score itself
FEW_SAMPLES = 20
_DIGITS = 12  # of a tail's share: more would differ between machines, by the C library's erf
ROUNDING = 2.0**-48
"""A score's rounding error is less than this times the largest: each operation of F rounds, up to 2^-50."""
SLOPE = 16
"""The rounding error of an F of means, at most, in errors of the means, for a beta from 1/3 to 3."""


def bootstrap_interval(
    columns: NDArray[np.float64],
    confidence: float,
    n_resamples: int,
    seed: int,
    method: str = "percentile",
    of_means: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return lower and upper bound, float64[k] each, of the means of float64[n, k] columns, or of ``of_means``."""
    n = len(columns)
    # Values are rounded to a grid on which a sum of n is exact in float64. So the matrix product is the same on every
    # machine, whatever order its BLAS adds in. The grid is finer than 1e-9 of the largest value up to 4e6 samples. Each
    # column has its own, so that no other column moves its ends.
    largest = np.maximum(1.0, np.abs(columns).max(axis=0))
    fraction, power = np.frexp(n * largest)
    grid = np.ldexp(1.0, 51 - power + (fraction == 0.5))  # 2^(51 - the logarithm, rounded up)
    rounded = np.asfortranarray(np.rint(columns * grid))  # makes a product with few rows nearly twice as quick
    sums = sums_by_resample(draw_counts(n, n_resamples, np.random.default_rng(seed), 32), rounded)

    def statistic(sums: NDArray[np.float64], n: int) -> NDArray[np.float64]:
        means = sums / (grid * n)
        return means if of_means is None else of_means(means)

    if method == "percentile":
        return percentile_ends(statistic(sums, n), confidence)
    total = rounded.sum(axis=0)
    without_each = statistic(total - rounded, n - 1) if n > 1 else statistic(rounded, 1)
    bound = 2 * (0.5 / grid + ROUNDING * largest) * (1 if of_means is None else SLOPE)
    return bca_ends(statistic(sums, n), confidence, statistic(total, n), without_each, bound)


def percentile_ends(
    resampled: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return quantiles (1 - confidence) / 2 and (1 + confidence) / 2 of float64[n_resamples, k], float64[k] each."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
    return low, high


def bca_ends(
    resampled: NDArray[np.float64],
    confidence: float,
    observed: NDArray[np.float64],
    without_each: NDArray[np.float64],
    bound: float | NDArray[np.float64] = 0.0,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bias-corrected and accelerated interval of Efron (1987); Efron and Tibshirani (1993), chapter 14.

    Equal to scipy.stats.bootstrap of scipy 1.17, which gives NaN if all values lie on one side of the observed one.
    ``observed``, float64[k], is the statistic of all samples; ``without_each``, float64[n, k], without each, in any
    unit. Resampled values within ``bound`` of the observed one equal it: rounding may have moved them apart.
    """
    # The share of resamples below the observed value; equal values count half.
    below, up_to = (resampled < observed - bound).sum(axis=0), (resampled <= observed + bound).sum(axis=0)
    shares = (below + up_to) / (2 * len(resampled))
    accelerations = _accelerations(without_each).tolist()
    ends = [
        np.quantile(resampled[:, column], _moved_tails((1 - confidence) / 2, share, acceleration, len(resampled)))
        for column, (share, acceleration) in enumerate(zip(shares.tolist(), accelerations, strict=True))
    ]
    low, high = np.array(ends).reshape(-1, 2).T
    return low, high


def _moved_tails(tail: float, share: float, acceleration: float, n_resamples: int) -> list[float]:
    """Return BCa's quantiles for ``tail`` and ``1 - tail``; ``share`` of the resamples are below the observed value."""
    # Quantile z of the normal distribution becomes z0 + (z0 + z) / (1 - a (z0 + z)). z0 says how far the middle of the
    # resampled values is from the observed one; a, how fast their spread grows with the value.
    from statistics import NormalDist  # here because the import is slow

    normal = NormalDist()
    furthest = 1 / (n_resamples + 1)  # a share of 0 or 1 is known to this precision
    bias = normal.inv_cdf(min(max(share, furthest), 1 - furthest))
    tails = []
    for z in (normal.inv_cdf(tail), -normal.inv_cdf(tail)):
        spread = 1 - acceleration * (bias + z)
        end = bias + (bias + z) / spread if spread > 0 else np.copysign(np.inf, bias + z)
        tails.append(round(normal.cdf(end), _DIGITS))
    return tails


def _accelerations(without_each: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sum d^3 / (6 (sum d^2)^1.5) by column, with d[i] = mean of all - value without i; 0 if all are equal."""
    deviations = without_each.mean(axis=0) - without_each
    largest = np.abs(deviations).max(axis=0)
    deviations = np.divide(
        deviations, largest, out=np.zeros_like(deviations), where=largest > 0
    )  # a has no unit; squares stay above 0
    squares = (deviations**2).sum(axis=0) ** 1.5
    return np.divide((deviations**3).sum(axis=0), 6 * squares, out=np.zeros_like(squares), where=squares > 0)


def holm_adjusted(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply Holm's (1979) step-down correction along axis 0: each column of float64[m, ...] is a family of m tests."""
    # The smallest p times m, the next times m - 1, and so on; none below the previous one, nor above 1.
    m = len(p_values)
    order = np.argsort(p_values, axis=0, kind="stable")
    factors = np.arange(m, 0, -1).reshape(-1, *[1] * (p_values.ndim - 1))
    stepped = np.maximum.accumulate(np.take_along_axis(p_values, order, axis=0) * factors, axis=0)
    adjusted = np.empty_like(stepped)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=0)
    return adjusted


def few_samples_warning(n_samples: int) -> Note:
    """Warn that an interval of so few samples is too narrow, whatever its method."""
    return Note(
        f"An interval of {n_samples} sample{'' if n_samples == 1 else 's'} is narrower than its level says: of 95% "
        "intervals of 5 samples about 83% hold the true mean, of 20 samples about 92%. Give "
        f"{FEW_SAMPLES} samples or more, or no interval.",
        kind="few_samples",
        n=n_samples,
    )
