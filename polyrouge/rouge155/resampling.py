"""ROUGE-1.5.5's averages and intervals: the bootstrap of the script (660-972), draw by draw.

Perl's generator is its own since 5.20, drand48, so the script's numbers are the same everywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.rouge155.counting import rounded5

_MASK_48 = np.uint64((1 << 48) - 1)
_MULTIPLIER = np.uint64(0x5DEECE66D)
_INCREMENT = np.uint64(0xB)


class Interval155(NamedTuple):
    """One line of the script's output, each value rounded to five decimals.

    Attributes:
        average: mean of the resamples' means, not the mean of the documents.
        low: lower end of the interval.
        high: upper end.
    """

    average: float
    low: float
    high: float


def bootstrap_documents155(scores: NDArray[np.float64], n_resamples: int) -> NDArray[np.float64]:
    """float64[n_resamples, k]: the mean of each column of float64[n, k] in each resample of documents (``-t 0``)."""
    sums = _resampled_sums(scores, n_resamples)
    return sums / len(scores) if len(scores) else sums


def bootstrap_corpus155(counts: NDArray[np.float64], n_resamples: int, alpha: float) -> NDArray[np.float64]:
    """float64[n_resamples, 3]: recall, precision and F of the summed counts, float64[n, 3], of resamples (``-t 1``).

    No inverse of the weight function is taken for ROUGE-W here, as in the script.
    """
    reference, prediction, hits = _resampled_sums(counts, n_resamples).T
    recall = _ratio(hits, reference)
    precision = _ratio(hits, prediction)
    f = _ratio(recall * precision, (1 - alpha) * precision + alpha * recall)
    return np.stack([recall, precision, f], axis=1)


def interval155(values: NDArray[np.float64], confidence: float) -> Interval155:
    """Average and interval of one column of resamples (900-960).

    The ends lie between neighbours of the sorted values, by the same fraction at both ends, so the
    interval is not symmetric. After the last value the script reads a 0.
    """
    n = len(values)
    ranked = [*np.sort(values).tolist(), 0.0]
    total = 0.0
    for value in ranked[:n]:
        total += value
    delta = n * ((100 - confidence) / 2.0) / 100.0
    upper = int(n - delta - 1)
    lower = int(delta)
    fraction = n - delta - 1 - upper

    def between(index: int) -> float:
        return rounded5(ranked[index] + (ranked[index + 1] - ranked[index]) * fraction)

    return Interval155(rounded5(total / n), between(lower), between(upper))


def _resampled_sums(columns: NDArray[np.float64], n_resamples: int) -> NDArray[np.float64]:
    """The sum of each column over n draws with replacement, added in the order of the draws.

    All resamples are computed together, draw by draw. A sum of floats depends on its order, and the script's
    sum may lie just between two printed numbers, so a faster order would print other numbers.
    """
    n = len(columns)
    sums = np.zeros((n_resamples, columns.shape[1]))
    drawn = np.empty_like(sums)
    kept = n * n_resamples <= _KEPT_DRAWS
    for draws in _kept_draws(n, n_resamples) if kept else _draws(n, n_resamples):
        sums += np.take(columns, draws, axis=0, out=drawn, mode="clip")  # clip: no copy for a check of bounds
    return sums


# All metrics of a run see the same draws: kept for the next one, up to 64 MB of them.
_KEPT_DRAWS = 1 << 24


@functools.lru_cache(maxsize=1)
def _kept_draws(n: int, n_resamples: int) -> NDArray[np.int32]:
    return np.array(list(_draws(n, n_resamples)), dtype=np.int32).reshape(n, n_resamples)


def _draws(n: int, n_resamples: int) -> Iterator[NDArray[np.int32]]:
    """The first draw of every resample, the second draw of every resample, and so on, n times.

    Resample s draws int(rand(n)) from drand48 seeded with s.
    """
    states = (np.arange(n_resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    for _ in range(n):
        states = (states * _MULTIPLIER + _INCREMENT) & _MASK_48  # 64 bits wrap: the lower 48 are right
        yield (states.astype(np.float64) * 2.0**-48 * n).astype(np.int32)


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
