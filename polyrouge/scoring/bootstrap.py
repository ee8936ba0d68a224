"""The bootstrap interval of means: resamples of the samples, drawn by a generator of the call's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from polyrouge.progress import tell_progress
from polyrouge.scoring.intervals import bca_ends, percentile_ends

_DRAWS_AT_ONCE = 1 << 16  # so that they stay in the cache


def bootstrap_interval(
    columns: NDArray[np.float64],
    confidence: float,
    n_resamples: int,
    seed: int,
    method: str = "percentile",
    of_means: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Interval of the mean of each column, from resampled samples.

    Every resample draws n of the n samples with replacement, the same ones for all columns.

    Args:
        columns: float64[n, k], one row a sample.
        confidence: level of the interval, in (0, 1).
        n_resamples: number of resamples.
        seed: of a generator of this call's own; the same seed gives the same bytes.
        method: ``"percentile"`` or ``"bca"``, see ``scoring.intervals``.
        of_means: the interval is of this function of the means, float64[..., k] to float64[..., m].

    Returns:
        Lower and upper bound of each column, float64[k], or float64[m], each.
    """
    n = len(columns)
    # Rounded to a grid so coarse that a sum of n of them is exact in a float64: the matrix product
    # is then the same on every machine, whatever order its BLAS adds in. The grid is finer than
    # 1e-9 of the largest value up to four million samples.
    largest = max(1.0, float(np.abs(columns).max()))
    grid = 2.0 ** (52 - math.ceil(math.log2(n * largest)) - 1)
    rounded = np.rint(columns * grid)
    sums = np.empty((n_resamples, columns.shape[1]))
    rounded = np.asfortranarray(rounded)  # of which a product with few rows is nearly twice as quick
    at_once = max(1, _DRAWS_AT_ONCE // n)
    drawn = _counted_draws(seed, n, at_once)
    for start in range(0, n_resamples, at_once):
        sums[start : start + at_once] = (next(drawn) @ rounded)[: n_resamples - start]
        tell_progress(min(at_once, n_resamples - start))

    def statistic(sums: NDArray[np.float64], n: int) -> NDArray[np.float64]:
        means = sums / (grid * n)
        return means if of_means is None else of_means(means)

    if method == "percentile":
        return percentile_ends(statistic(sums, n), confidence)
    total = rounded.sum(axis=0)
    without_each = statistic(total - rounded, n - 1) if n > 1 else statistic(rounded, 1)
    return bca_ends(statistic(sums, n), confidence, statistic(total, n), without_each)


def _counted_draws(seed: int, n: int, n_resamples: int) -> Iterator[NDArray[np.float64]]:
    """How often each of n samples is drawn in each of some resamples: float64[n_resamples, n], without end.

    Each is overwritten when the next is asked for.
    """
    times, size = np.empty((n_resamples, n)), n_resamples * n
    offsets = np.repeat(np.arange(n_resamples, dtype=np.uint64) * np.uint64(n), n)
    for places in random_places(seed, n, size):
        draws = (places + offsets).view(np.int64)
        times[...] = np.bincount(draws, minlength=size).reshape(n_resamples, n)
        yield times


def random_places(seed: int, n: int, size: int) -> Iterator[NDArray[np.uint64]]:
    """Arrays of random whole numbers from 0 to n - 1, without end: ``default_rng(seed).integers(n)``, quicker.

    They are made of the raw bits of PCG64, which are the same in every numpy, as ``integers`` need not be. The
    rule is numpy's: the upper half of a product with 32 random bits, unless the lower half falls below 2^32
    modulo n (Lemire 2019, "Fast random integer generation in an interval").
    """
    bits = np.random.PCG64(seed)
    too_low = (2**32 - n) % n
    waiting = np.empty(0, np.uint64)
    while True:
        halves = bits.random_raw((size + 1) // 2).astype("<u8", copy=False).view("<u4")
        products = np.multiply(halves, np.uint64(n), dtype=np.uint64)
        lower = products.view(np.uint32)[:: 2 if np.little_endian else -2]
        places = (products >> np.uint64(32)).astype(np.uint64, copy=False)
        if lower.min() < too_low:
            places = places[(products & np.uint64(2**32 - 1)) >= too_low]
        waiting = np.concatenate([waiting, places]) if len(waiting) else places
        while len(waiting) >= size:
            yield waiting[:size]
            waiting = waiting[size:]
