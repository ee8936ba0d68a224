"""Resamples: how often each sample is drawn, or whether it keeps its sign, and the sums of scores that follow."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.kernels import is_built
from polyrouge.progress import tell_progress

_DRAWS_AT_ONCE = 1 << 20
_SPARE_WORDS = 1024  # so that words whose draws are refused seldom make a block be counted anew


def draw_counts(
    n: int,
    n_resamples: int,
    generator: "np.random.Generator",  # as text: numpy.random takes a while to import
    bits: int,
) -> Iterator[NDArray[np.float64]]:
    """Yield how often each of n samples is drawn in each resample: float64[block, n], rows sum to n.

    Each draw is made of 16 or 32 ``bits``.
    """
    if is_built():
        yield from _compiled_draw_counts(n, n_resamples, generator, bits)
        return
    for size in block_sizes(n, n_resamples):
        draws = generator.integers(n, size=(size, n), dtype=f"uint{bits}")
        cells = draws + n * np.arange(size)[:, np.newaxis]  # the r-th resample counts from r n to (r + 1) n - 1
        yield np.bincount(cells.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)


def _compiled_draw_counts(
    n: int, n_resamples: int, generator: "np.random.Generator", bits: int
) -> Iterator[NDArray[np.float64]]:
    """Yield the same: NumPy makes the same draws of PCG64's words (Lemire 2019), 32 bits of them at a time."""
    from polyrouge.counting.compiled.kernels import count_draws

    in_word = 64 // bits
    share_accepted = 1 - (2**bits - n) % n / 2**bits
    words, unit = np.empty(0, np.uint64), 0
    for size in block_sizes(n, n_resamples):
        counts = np.empty((size, n))
        n_words = int(size * n / share_accepted) // in_word + _SPARE_WORDS
        end = -1
        while end < 0:
            words = np.concatenate([words, generator.bit_generator.random_raw(max(0, n_words - len(words)))])
            end = count_draws(words, unit, bits, n, counts)
            n_words += _SPARE_WORDS
        yield counts
        end += end % 2 if bits == 16 else 0
        words, unit = words[end // in_word :], end % in_word


def random_halves(n: int, n_resamples: int, generator: "np.random.Generator") -> Iterator[NDArray[np.uint8]]:
    """Yield which of n samples keep their sign: uint8[block, n] of fair, independent 0 and 1."""
    for size in block_sizes(n, n_resamples):
        random_bytes = np.frombuffer(generator.bytes(size * ((n + 7) // 8)), dtype=np.uint8)
        yield np.unpackbits(random_bytes.reshape(size, -1), axis=1, count=n)


def block_sizes(n: int, n_resamples: int) -> Iterator[int]:
    """Yield the number of resamples of n samples in each block."""
    most = max(1, _DRAWS_AT_ONCE // n)
    for start in range(0, n_resamples, most):
        yield min(most, n_resamples - start)


def sums_by_resample(blocks: Iterable[NDArray], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return blocks @ columns, block by block to save memory."""
    results = []
    for block in blocks:
        results.append(block @ columns)
        tell_progress(len(block))
    return np.concatenate(results)
