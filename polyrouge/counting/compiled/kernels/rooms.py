"""Arrays that kernels work in. Python makes them, as kernels make none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polyrouge.counting.compiled.kernels.codes import MOST_SLOTS
from polyrouge.counting.compiled.kernels.kernel import IDS, OFFSETS


def longest_stretch(offsets: np.ndarray) -> int:
    """Tokens in the longest of the stretches between these offsets."""
    return int((offsets[1:] - offsets[:-1]).max(initial=0))


class VocabularyRoom(NamedTuple):
    """Arrays that kernels work in, for the tokens of one vocabulary."""

    bounds: np.ndarray
    keys: np.ndarray
    breaks: np.ndarray
    table: np.ndarray
    slots: np.ndarray
    odd: np.ndarray
    firsts: np.ndarray
    numbers: np.ndarray


ROOM = ("uint64[::1]", "uint64[:, ::1]", OFFSETS, "int32[::1]", IDS, "int32[::1]", "int32[::1]", IDS)
FOUND = (IDS, OFFSETS, OFFSETS, OFFSETS)


def room_for_vocabulary(longest: int) -> VocabularyRoom:
    """Room for so many tokens at most."""
    return VocabularyRoom(
        bounds=np.empty(2 * longest + 8, np.uint64),
        keys=np.empty((longest, 2), np.uint64),
        breaks=np.empty(longest + 1, np.int64),
        table=np.empty(MOST_SLOTS, np.int32),
        slots=np.empty(longest, np.uint32),
        odd=np.empty(longest + 1, np.int32),
        firsts=np.empty(longest, np.int32),
        numbers=np.empty(longest, np.uint32),
    )


def longest_vocabulary(offsets: np.ndarray, begins: np.ndarray) -> int:
    """Bytes of the texts of the longest vocabulary."""
    starts = offsets[:-1][begins]
    if len(starts) == 0:
        return int(offsets[-1])
    longest = (starts[1:] - starts[:-1]).max(initial=offsets[-1] - starts[-1])
    return int(max(longest, starts[0]))


class VocabularySpans(NamedTuple):
    """Where the tokens of a vocabulary stand in the texts' bytes.

    Attributes:
        bounds: uint64[2 * n or more]: of each token from and to.
        firsts: int32[n or more]: of each token the first that equals it.
        n: how many tokens there are.
    """

    bounds: np.ndarray
    firsts: np.ndarray
    n: int


def distinct_bounds(spans: VocabularySpans) -> np.ndarray:
    """The bounds of each token that is its own first, uint64[n_ids, 2]."""
    bounds, firsts, n = spans
    is_first = firsts[:n] == np.arange(n)
    return bounds[: 2 * n].reshape(n, 2)[is_first]


def room_for_cutting(longest: int) -> tuple[np.ndarray, ...]:
    """Room to work in, for texts of so many bytes."""
    return (
        np.empty(longest + 3, np.uint16),
        np.empty(longest + 3, np.int64),
        np.empty(longest + 3, np.float64),
        np.empty(longest + 3, np.int32),
        np.empty(longest + 3, np.bool_),
        np.empty(longest + 3, np.uint8),
        np.empty(longest + 3, np.uint32),
        np.empty(longest + 3, np.uint64),
    )


CUTTING_ROOM = (
    *("uint16[::1]", OFFSETS, "float64[::1]", "int32[::1]", "boolean[::1]", "uint8[::1]", "uint32[::1]", "uint64[::1]"),
)
