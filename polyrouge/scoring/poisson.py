"""A bootstrap whose draws do not depend on how the rows are split or ordered.

A resample gives each row a weight drawn from Poisson(1), the limit of how often the bootstrap draws it (Hanley and
MacGibbon 2006; Chamandy and others 2012, "Estimating uncertainty for massive data streams"). The weights depend on the
row's identity and the seed only. So parts of a table can be resampled apart, and their sums added up in any order.
"""

import copy
import hashlib
import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from polyrouge.scoring.intervals import FEW_SAMPLES

_GRID_BITS = 32  # scores are rounded to multiples of 2^-32, so that sums of them are whole numbers
_ROWS_AT_ONCE = 64  # so that their weights stay in the cache
_ROWS_BETWEEN = 1 << 16  # of which a sum fits into an int64
_MOST_TIMES = 8  # no weight is above
_LARGEST_UNITS = 2**53 / (_ROWS_AT_ONCE * _MOST_TIMES)  # so that a sum of rows is exact in float64
_STEP = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64 (Steele, Lea and Flood 2014)


def row_keys(references: Iterable[Sequence[str]]) -> NDArray[np.uint64]:
    """Identities of rows by their references: rows with the same references, in the same order, have the same."""
    return _keys(map(str.encode, row) for row in references)


def id_keys(ids: Iterable[str]) -> NDArray[np.uint64]:
    """Identities of rows by a name for each; ``row_keys`` gives none of these."""
    return _keys((b"id", text.encode()) for text in ids)


def _keys(rows: Iterable[Iterable[bytes]]) -> NDArray[np.uint64]:
    """uint64[n_rows]: a digest of each row's texts."""
    joined = (b"".join([len(text).to_bytes(8, "little") + text for text in row]) for row in rows)
    digests = [hashlib.blake2b(row, digest_size=8).digest() for row in joined]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each word with its bits mixed: the last step of splitmix64, one to one."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def poisson_weights(keys: NDArray[np.uint64], seed: int, n_resamples: int) -> NDArray[np.uint8]:
    """How often each resample has each row: uint8[n_rows, n_resamples]; depends on a row's key and the seed only."""
    n_words = -(-n_resamples // 4)
    start = mixed(keys ^ mixed(np.array([seed], np.uint64) + _STEP))
    steps = np.arange(1, n_words + 1, dtype=np.uint64) * _STEP
    words = mixed(start[:, np.newaxis] + steps)
    return _TIMES[words.astype("<u8", copy=False).view("<u2")][:, :n_resamples]


def _times_of_draws() -> NDArray[np.uint8]:
    """For each number of 16 bits a number from Poisson(1): the mean is 1 to a millionth, the variance to 2e-4."""
    bounds, share, total = [], math.exp(-1), 0.0
    for times in range(_MOST_TIMES):
        total += share / math.factorial(times)
        bounds.append(round(total * (1 << 16)))
    return np.searchsorted(np.array(bounds), np.arange(1 << 16), side="right").astype(np.uint8)


_TIMES = _times_of_draws()


def few_keys(*keys: Iterable[int]) -> tuple[int, ...]:
    """The smallest of some keys, each once, up to ``FEW_SAMPLES``."""
    return tuple(sorted(set().union(*keys))[:FEW_SAMPLES])


class ResampledSums:
    """Sums of scores, and of weights, in each of some resamples; whole numbers, so that any order gives the same.

    ``scale`` is what scores of 1 have been multiplied by. ``sums`` are Python's int[n_resamples, n_columns + 1]: of
    scores, in units of 1 / grid, and of weights. ``few_keys`` are the smallest keys of rows, up to ``FEW_SAMPLES``,
    which tell how many different ones there are where these are few.
    """

    def __init__(self, n_columns: int, n_resamples: int, seed: int, scale: float = 1.0) -> None:
        # Python's int[n_resamples, n_columns + 1]: of scores, in units of 1 / grid, and of weights.
        self.sums = np.zeros((n_resamples, n_columns + 1), object)
        self.few_keys: tuple[int, ...] = ()
        self.seed = seed
        self.grid = 2.0 ** (_GRID_BITS - max(0, math.ceil(math.log2(scale))))

    def add(self, scores: NDArray[np.float64], keys: NDArray[np.uint64]) -> None:
        """Add rows: float64[n_rows, n_columns], finite, and their keys."""
        # Sums of larger scores, which only rougeW with a small weight has, would not be exact.
        if (largest := float(scores.max(initial=0))) * self.grid >= _LARGEST_UNITS:
            raise ValueError(
                f"interval='poisson' is for scores of up to {2**12:,} times scale; the largest here is "
                f"{largest:g}. Give interval='percentile'."
            )
        sums = np.zeros(self.sums.shape, np.int64)
        for start in range(0, len(scores), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            units = np.pad(np.rint(scores[rows] * self.grid), ((0, 0), (0, 1)), constant_values=1)
            weights = poisson_weights(keys[rows], self.seed, len(sums)).astype(np.float64)
            sums += (weights.T @ units).astype(np.int64)
            if start % _ROWS_BETWEEN == 0:
                self.sums += sums.astype(object)
                sums[...] = 0
        self.sums += sums.astype(object)
        self.few_keys = few_keys(self.few_keys, np.unique(keys)[:FEW_SAMPLES].tolist())

    def __add__(self, other: "ResampledSums") -> "ResampledSums":
        both = copy.copy(self)
        both.sums = self.sums + other.sums
        both.few_keys = few_keys(self.few_keys, other.few_keys)
        return both

    def means(self) -> NDArray[np.float64]:
        """float64[n, n_columns]: the mean of each column in each resample that has rows, correctly rounded."""
        filled = self.sums[self.sums[:, -1] > 0]
        if not len(filled):
            raise ValueError(
                f"interval='poisson': no row is in any of {len(self.sums)} resamples; give n_resamples=100 or more."
            )
        return (filled[:, :-1] / (filled[:, -1:] * int(self.grid))).astype(np.float64)


def key_sum(keys: NDArray[np.uint64]) -> int:
    """A sum of 128 bits a key that tells sets of rows apart in any order; sums of parts add up to that of the whole."""
    return (sum(mixed(keys).tolist()) << 64) + sum(mixed(keys ^ _STEP).tolist())
