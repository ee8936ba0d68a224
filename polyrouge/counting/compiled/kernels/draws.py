"""Compiled: random places drawn and counted in one pass. The twin of what ``aggregation.py`` does by numpy."""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.kernel import kernel

_ONE, _HALF = np.uint64(1), np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)


@kernel("Array(uint32, 1, 'C')", "uint64", "uint64", "uint64", "float64[::1]")
def count_draws(halves, n, too_low, done, times):
    """Draw places below n, and count each in the resample whose turn it is.

    Args:
        halves: uint32[m], random bits.
        n: uint64, draws of a resample.
        too_low: uint64: a half is left out if the lower half of its product with n is below.
        done: uint64, draws made before.
        times: float64[n_resamples * n], how often each place was drawn, resample after resample.

    Returns:
        How many halves were used, and the draws made; at most ``len(times)``.
    """
    row = done // n * n
    left = n - (done - row)
    for used in range(len(halves)):
        if done == np.uint64(len(times)):
            return used, done
        product = np.uint64(halves[used]) * n
        if product & _LOW_HALF < too_low:
            continue
        times[row + (product >> _HALF)] += 1.0
        done += _ONE
        left -= _ONE
        if left == np.uint64(0):
            row, left = row + n, n
    return len(halves), done
