"""From the scores of all samples to one number: means of every kind, bootstrap intervals, rouge_score's median."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.kernel_units import load_if_ready
from polyrouge.errors import warn_user
from polyrouge.scoring.exact_sums import ExactSums
from polyrouge.scoring.scores import rounded, scores_from_counts, with_f
from polyrouge.settings.stages import ResultRules

_DRAWS_AT_ONCE = 1 << 16  # so that they stay in the cache
_FEW_ROWS = 300
_MANY_DRAWS = 5_000_000  # take longer than loading the kernel
_FMEASURE = 2


class Aggregate(NamedTuple):
    """One number a type and measure.

    Attributes:
        middle: float64[n_types, 3]: the aggregate of precision, recall and F-measure, not scaled unless it
            was made of rounded scores; NaN for measures that were not asked for.
        low: float64[n_types, 3]: the lower bound of its interval; None where none was asked for.
        high: the upper bound.
        is_scaled: it was made of scores that were scaled, and rounded, one by one.
    """

    middle: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    is_scaled: bool = False


def aggregate_scores(scores: NDArray[np.float64], rules: ResultRules, totals: ExactSums | None = None) -> Aggregate:
    """The aggregate that ``rules`` ask for.

    Args:
        scores: float64[n_samples, n_types, 3], not scaled; NaN for a sample that is left out.
        rules: which aggregate and interval.
        totals: of the shape (n_types, 3): counts of all samples added up, which ``"micro"`` needs.

    Raises:
        ValueError: all samples are left out; or ``"micro"`` without totals.
    """
    if rules.aggregate == "micro":
        if totals is None:
            msg = "aggregate='micro' adds up the counts of all samples, which are not known here: use compute()."
            raise ValueError(msg)
        return Aggregate(scores_from_counts(totals.values(), rules.score_rule))
    scores = _without_skipped(scores)
    if rules.aggregate == "bootstrap_median":
        low, middle, high = bootstrap_median(scores, rules.confidence, rules.n_resamples)
        return Aggregate(middle) if rules.confidence is None else Aggregate(middle, low, high)
    is_rounded = rules.round_each is not None
    if is_rounded:  # what is rounded, and so scaled, is what is averaged
        scores = scale_scores(scores, rules)
    middle = _means(scores, rules)
    if rules.confidence is None:
        return Aggregate(middle, is_scaled=is_rounded)
    flat = scores.reshape(len(scores), -1)
    low, high = bootstrap_interval(flat, rules.confidence, rules.n_resamples, rules.seed)
    return Aggregate(middle, low.reshape(middle.shape), high.reshape(middle.shape), is_rounded)


def scale_scores(scores: NDArray[np.float64], rules: ResultRules) -> NDArray[np.float64]:
    """Each score on the scale that is asked for, rounded if that is asked for."""
    scaled = scores * rules.scale
    return scaled if rules.round_each is None else rounded(scaled, rules.round_each)


def _means(scores: NDArray[np.float64], rules: ResultRules) -> NDArray[np.float64]:
    """float64[n_types, 3]: the mean over the samples, of its kind."""
    flat = scores.reshape(len(scores), -1)
    if rules.aggregate == "running_mean":
        return (np.add.accumulate(flat)[-1] / len(flat)).reshape(scores.shape[1:])
    if rules.aggregate == "numpy_mean":
        return np.array([np.mean(column) for column in np.ascontiguousarray(flat.T)]).reshape(scores.shape[1:])
    if rules.aggregate == "f_of_means":
        ratios = column_means(np.ascontiguousarray(scores[..., :2]).reshape(len(scores), -1))
        return with_f(ratios.reshape(-1, 2), rules.score_rule)
    means = np.full(scores.shape[1:], np.nan)
    for measure in (_FMEASURE,) if rules.output == "fmeasure" else range(3):  # only those that are shown
        means[:, measure] = column_means(scores[..., measure])
    return means


def _without_skipped(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores that count in the mean; warns of how many don't."""
    skipped = np.isnan(scores[:, 0, _FMEASURE])
    n_skipped = int(skipped.sum())
    if n_skipped == len(skipped):
        msg = f"empty='skip' leaves out all {n_skipped} samples: none has tokens on both sides."
        raise ValueError(msg)
    if n_skipped:
        warn_user(f"empty='skip' left {n_skipped} of {len(skipped)} samples without tokens out of the mean.")
        return scores[~skipped]
    return scores


def column_means(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of each column of float64[n, k], correctly rounded: any order of the rows gives the same.

    The sum is exact before its one rounding, so neither the order of the rows nor how they were shared out among
    processes can move the result.
    """
    n = len(columns)
    if n <= _FEW_ROWS:  # which is quicker, and exact as well
        return np.array([math.fsum(column) / n for column in columns.T.tolist()])
    sums = ExactSums(columns.shape[1:])
    sums.add(columns)
    return sums.values() / n


def bootstrap_interval(
    columns: NDArray[np.float64], confidence: float, n_resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentile interval of the mean of each column, from resampled samples.

    Every resample draws n of the n samples with replacement, the same ones for all columns.

    Args:
        columns: float64[n, k], one row a sample.
        confidence: level of the interval, in (0, 1).
        n_resamples: number of resamples.
        seed: of a generator of this call's own; the same seed gives the same bytes.

    Returns:
        Lower and upper bound of each column, float64[k] each.
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
    # The kernel is loaded only beside the engine that counted, which has loaded numba.
    wants_kernel = n * n_resamples >= _MANY_DRAWS and np.little_endian and "numba" in sys.modules
    count = _counted_by_kernel if wants_kernel and load_if_ready("draws") else _counted_draws
    drawn = count(seed, n, at_once)
    for start in range(0, n_resamples, at_once):
        sums[start : start + at_once] = (next(drawn) @ rounded)[: n_resamples - start]
    return _bounds(sums / (grid * n), confidence)


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


def _counted_by_kernel(seed: int, n: int, n_resamples: int) -> Iterator[NDArray[np.float64]]:
    """The same, compiled; for little-endian machines."""
    from polyrouge.counting.compiled.kernels.draws import count_draws

    times, size = np.empty((n_resamples, n)), n_resamples * n
    bits, too_low = np.random.PCG64(seed), np.uint64((2**32 - n) % n)
    halves = np.empty(0, np.uint32)
    while True:
        times[...] = 0
        done = 0
        while done < size:
            if not len(halves):
                halves = bits.random_raw(size // 2 + 1).view(np.uint32)
            used, done = count_draws(halves, np.uint64(n), too_low, np.uint64(done), times.reshape(-1))
            halves = halves[used:]
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


def bootstrap_median(
    columns: NDArray[np.float64], confidence: float | None, n_resamples: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The aggregate of rouge_score 0.1.2 (scoring.py, BootstrapAggregator), bit by bit.

    Its "mid" is the median of the bootstrap means and not the mean, and its draws come from
    numpy's global generator: with the same state of ``numpy.random`` both give the same, and
    without a seed every run gives another number. Offered for comparison only.

    Args:
        columns: float64[n, n_types, 3]; each type is resampled anew, as there.
        confidence: level of the interval; 0.95 if None.
        n_resamples: 1000 there.

    Returns:
        Low, median, high: float64[n_types, 3] each.
    """
    n = len(columns)
    delta = (1 - (0.95 if confidence is None else confidence)) / 2
    percents = 100 * np.array([delta, 0.5, 1 - delta])
    results = []
    for column in range(columns.shape[1]):
        matrix = np.ascontiguousarray(columns[:, column])
        means = np.empty((n_resamples, matrix.shape[1]))
        for resample in range(n_resamples):
            means[resample] = np.mean(matrix[np.random.choice(n, size=n)], axis=0)  # noqa: NPY002 the point of it
        results.append(np.percentile(means, percents, axis=0))
    low, median, high = np.stack(results, axis=1)
    return low, median, high


def _bounds(means: NDArray[np.float64], confidence: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high
