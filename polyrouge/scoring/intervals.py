"""The ends of a bootstrap interval, from what was resampled: percentile, or bias-corrected and accelerated (BCa)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import warn_user

FEW_SAMPLES = 20
_DIGITS = 12  # of a tail's share: beyond them the C library's erf may differ from one machine to another


def percentile_ends(
    resampled: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Quantiles (1 - confidence) / 2 and (1 + confidence) / 2 of what was resampled.

    Args:
        resampled: float64[n_resamples, k], the statistic of each resample.
        confidence: level of the interval, in (0, 1).

    Returns:
        Lower and upper end of the interval of each column, float64[k] each.
    """
    tail = (1 - confidence) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
    return low, high


def bca_ends(
    resampled: NDArray[np.float64],
    confidence: float,
    observed: NDArray[np.float64],
    without_each: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bias-corrected and accelerated interval of Efron (1987); Efron and Tibshirani (1993), chapter 14.

    Quantile z of the normal distribution becomes z0 + (z0 + z) / (1 - a (z0 + z)). z0 says how far the middle of the
    resampled values lies from the observed one; a, how fast their spread grows with the value, from the values without
    each sample (jackknife). Equal to scipy.stats.bootstrap of scipy 1.17, but for values that all lie on one side
    of the observed one, where scipy gives NaN.

    Args:
        resampled: float64[n_resamples, k], the statistic of each resample.
        confidence: level of the interval, in (0, 1).
        observed: float64[k], the statistic of the samples themselves. A resample of the same samples must give
            exactly the same.
        without_each: float64[n, k], the statistic without each sample, in any unit.

    Returns:
        Lower and upper end of the interval of each column, float64[k] each.
    """
    shares = ((resampled < observed).sum(axis=0) + (resampled <= observed).sum(axis=0)) / (2 * len(resampled))
    accelerations = _accelerations(without_each).tolist()
    ends = [
        np.quantile(resampled[:, column], _moved_tails((1 - confidence) / 2, share, acceleration, len(resampled)))
        for column, (share, acceleration) in enumerate(zip(shares.tolist(), accelerations, strict=True))
    ]
    low, high = np.array(ends).reshape(-1, 2).T
    return low, high


def _moved_tails(tail: float, share: float, acceleration: float, n_resamples: int) -> list[float]:
    """Which quantiles BCa takes in place of ``tail`` and ``1 - tail``.

    Args:
        tail: in (0, 0.5).
        share: of the resamples that lie below the observed value; those that are equal count half.
        acceleration: a.
        n_resamples: how many there are. A share of 0 or 1 is only known to be that near to it.
    """
    from statistics import NormalDist  # imported when it is used, as it takes long

    normal = NormalDist()
    furthest = 1 / (n_resamples + 1)
    bias = normal.inv_cdf(min(max(share, furthest), 1 - furthest))
    moved = []
    for z in (normal.inv_cdf(tail), -normal.inv_cdf(tail)):
        spread = 1 - acceleration * (bias + z)
        end = bias + (bias + z) / spread if spread > 0 else np.copysign(np.inf, bias + z)
        moved.append(round(normal.cdf(end), _DIGITS))
    return moved


def _accelerations(without_each: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each column a = sum d^3 / (6 (sum d^2)^1.5), where d[i] = mean of all - value without i; 0 for equal ones."""
    away = without_each.mean(axis=0) - without_each
    largest = np.abs(away).max(axis=0)
    away = np.divide(away, largest, out=np.zeros_like(away), where=largest > 0)  # a has no unit; squares stay above 0
    squares = (away**2).sum(axis=0) ** 1.5
    return np.divide((away**3).sum(axis=0), 6 * squares, out=np.zeros_like(squares), where=squares > 0)


def warn_of_few(n_samples: int) -> None:
    """Warn that an interval of so few samples is too narrow, by whichever method it is made."""
    if n_samples < FEW_SAMPLES:
        warn_user(few_samples_warning(n_samples))


def few_samples_warning(n_samples: int) -> str:
    """What ``warn_of_few`` says."""
    return (
        f"An interval of {n_samples} sample{'' if n_samples == 1 else 's'} is narrower than its level says: of 95 % "
        "intervals of 5 samples about 83 % hold the true mean, of 20 samples about 92 %. Give "
        f"{FEW_SAMPLES} samples or more, or no interval."
    )
