"""Bootstrap whose draws do not depend on how the rows are split or ordered: each row's weights come from the row.

A resample gives each row a weight drawn from Poisson(1), the limit of how often the bootstrap draws it (Hanley and
MacGibbon 2006; Chamandy and others 2012, "Estimating uncertainty for massive data streams"). The weights are made of
the row's identity and the seed. So parts of a table can be resampled apart, and their sums added up in any order.
"""

from __future__ import annotations

import copy
import hashlib
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from polyrouge.inputs import SingleReferences
from polyrouge.utf8_texts import Utf8Lists, Utf8Texts

_GRID_BITS = 32  # scores are rounded to multiples of 2^-32, so that sums of them are whole numbers
_EXACT_BITS = 53  # of a float64: whole numbers below 2^53 are exact
_ROWS_AT_ONCE = 64  # so that their weights stay in the cache
_ROWS_BETWEEN = 1 << 16  # of which a sum fits into an int64
_MOST_TIMES = 8  # no weight is above
_STEP = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64 (Steele, Lea and Flood 2014)


def row_keys(references: Sequence[Sequence[str]]) -> NDArray[np.uint64]:
    """Identities of rows by their references: rows with the same references, in the same order, have the same.

    Args:
        references: of each row.

    Returns:
        uint64[n_rows], from a 64-bit digest of the texts.
    """
    if isinstance(references, SingleReferences):
        return _keys([text] for text in _bytes_of(references.texts))
    if isinstance(references, Utf8Lists):
        texts, bounds = list(_bytes_of(references.all_texts)), (references.offsets - references.offsets[0]).tolist()
        return _keys(texts[first:behind] for first, behind in pairwise(bounds))
    return _keys(list(_bytes_of(row)) for row in references)


def id_keys(ids: Sequence[str]) -> NDArray[np.uint64]:
    """Identities of rows by a name of each, which are none that ``row_keys`` gives.

    Args:
        ids: of each row.

    Returns:
        uint64[n_rows].
    """
    return _keys([b"id", text] for text in _bytes_of(ids))


def _bytes_of(texts: Sequence[str]) -> Iterable[bytes | memoryview]:
    if isinstance(texts, Utf8Texts):
        view, bounds = texts.data.data, texts.offsets.tolist()
        return (view[first:behind] for first, behind in pairwise(bounds))
    return map(str.encode, texts)


def _keys(rows: Iterable[Sequence[bytes | memoryview]]) -> NDArray[np.uint64]:
    blake2b = hashlib.blake2b
    digests = [
        blake2b(b"".join([len(text).to_bytes(8, "little") + text for text in map(bytes, row)]), digest_size=8).digest()
        for row in rows
    ]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each word with its bits mixed: the last step of splitmix64, one to one."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def poisson_weights(keys: NDArray[np.uint64], seed: int, n_resamples: int) -> NDArray[np.uint8]:
    """How often each resample has each row: uint8[n_rows, n_resamples], from a row's key and the seed alone."""
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


class ResampledSums:
    """Sums of scores, and of weights, in each of some resamples; whole numbers, so that any order gives the same.

    Args:
        n_columns: how many scores a row has.
        n_resamples: how many resamples.
        seed: of the weights.
        scale: what scores of 1 have been multiplied by.

    Attributes:
        sums: int (of Python) [n_resamples, n_columns + 1]: sums of scores, in units of 1 / grid, and of weights.
        seed: as given.
        grid: a power of two.
    """

    def __init__(self, n_columns: int, n_resamples: int, seed: int, scale: float = 1.0) -> None:
        self.sums = np.zeros((n_resamples, n_columns + 1), object)
        self.seed = seed
        self.grid = 2.0 ** (_GRID_BITS - max(0, math.ceil(math.log2(scale))))

    def add(self, scores: NDArray[np.float64], keys: NDArray[np.uint64]) -> None:
        """Add some rows.

        Args:
            scores: float64[n_rows, n_columns], finite.
            keys: uint64[n_rows], as ``row_keys`` gives them.

        Raises:
            ValueError: scores so large that their sums are not exact; there are none but of rougeW with a small weight.
        """
        for start in range(0, len(scores), _ROWS_BETWEEN):
            self._add_rows(scores[start : start + _ROWS_BETWEEN], keys[start : start + _ROWS_BETWEEN])

    def _add_rows(self, scores: NDArray[np.float64], keys: NDArray[np.uint64]) -> None:
        units = np.ones((len(scores), scores.shape[1] + 1))
        units[:, :-1] = np.rint(scores * self.grid)
        largest = float(np.abs(units).max())
        if largest * _MOST_TIMES * _ROWS_AT_ONCE >= 2.0**_EXACT_BITS:
            raise ValueError(
                f"interval='poisson' is for scores of up to {2**12:,} times scale; the largest here is "
                f"{largest / self.grid:g}. Give interval='percentile'."
            )
        n_resamples = len(self.sums)
        sums = np.zeros(self.sums.shape, np.int64)
        for start in range(0, len(units), _ROWS_AT_ONCE):
            weights = poisson_weights(keys[start : start + _ROWS_AT_ONCE], self.seed, n_resamples).astype(np.float64)
            sums += (weights.T @ units[start : start + _ROWS_AT_ONCE]).astype(np.int64)
        self.sums += sums.astype(object)

    def __add__(self, other: ResampledSums) -> ResampledSums:
        both = copy.copy(self)
        both.sums = self.sums + other.sums
        return both

    def means(self) -> NDArray[np.float64]:
        """float64[n, n_columns]: the mean of each column in each resample that has rows, correctly rounded.

        Raises:
            ValueError: there is no such resample: of few rows, in few resamples.
        """
        filled = self.sums[self.sums[:, -1] > 0]
        if not len(filled):
            raise ValueError(
                f"interval='poisson': no row is in any of {len(self.sums)} resamples; give n_resamples=100 or more."
            )
        return (filled[:, :-1] / (filled[:, -1:] * int(self.grid))).astype(np.float64)


def key_sum(keys: NDArray[np.uint64]) -> int:
    """The sum of 128 bits made of each key: it tells sets of rows apart, whatever their order. Sums of parts add up."""
    high, low = (mixed(keys ^ salt) for salt in (np.uint64(0), _STEP))
    return (_exact_sum(high) << 64) + _exact_sum(low)


def _exact_sum(words: NDArray[np.uint64]) -> int:
    half = np.uint64(32)
    return (int((words >> half).sum()) << 32) + int((words & np.uint64(0xFFFFFFFF)).sum())
