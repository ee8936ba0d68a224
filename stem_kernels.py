"""Compiled: the stems of the tokens met so far, so that each distinct token is stemmed once.

A memory outlives the chunk, and serves one thread at a time. It is emptied between examples when it is full.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from .bit_intrinsics import load_eight
from .porter_kernels import stem_in_place
from .scan_kernels import INEXACT, decode, packed_key

__all__ = ["StemMemory", "forget_if_full", "known_long_stem", "known_stem", "new_stem_memory", "stem_id"]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_LOWER = 4  # as in scan_kernels.py
_TOKENS, _STEMS, _LETTERS = 0, 1, 2


class StemMemory(NamedTuple):
    """Two hash tables, of tokens and of stems, over one store of letters.

    Attributes:
        token_keys: uint64[n_slots], key of the token in each slot, 0 where free.
        token_stems: int32[n_slots], number of its stem.
        token_places: int64[n_slots, 2], where its letters are, if its key is inexact.
        stem_keys: uint64[n_slots], as token_keys.
        stem_numbers: int32[n_slots], number of the stem in each slot.
        stem_places: int64[n_slots, 2], as token_places.
        letters: uint8[n], lower-cased UTF-8.
        used: int64[3], tokens, stems and letters there are.
        local: int32[n_slots], by stem: its id in the vocabulary of the moment, or -1.
    """

    token_keys: np.ndarray
    token_stems: np.ndarray
    token_places: np.ndarray
    stem_keys: np.ndarray
    stem_numbers: np.ndarray
    stem_places: np.ndarray
    letters: np.ndarray
    used: np.ndarray
    local: np.ndarray


def new_stem_memory(n_slots: int, longest_token: int) -> StemMemory:
    """An empty memory.

    Args:
        n_slots: size of each table, a power of 2.
        longest_token: no token has more bytes.
    """
    return StemMemory(
        np.zeros(n_slots, np.uint64),
        np.empty(n_slots, np.int32),
        np.empty((n_slots, 2), np.int64),
        np.zeros(n_slots, np.uint64),
        np.empty(n_slots, np.int32),
        np.empty((n_slots, 2), np.int64),
        np.empty(16 * n_slots + 4 * longest_token + 64, np.uint8),
        np.zeros(3, np.int64),
        np.full(n_slots, -1, np.int32),
    )


@njit(cache=True, nogil=True)
def forget_if_full(token_keys, stem_keys, letters, used):
    """Empty a memory in which there is little room left; no vocabulary may be in use."""
    if 8 * used[_TOKENS] > 3 * len(token_keys) or 2 * used[_LETTERS] > len(letters):
        token_keys[:] = 0
        stem_keys[:] = 0
        used[:] = 0


@njit(cache=True, nogil=True)
def _find(keys, places, letters, key, start, end):
    """The slot of a key and its letters, or the free one where it belongs."""
    mask = len(keys) - 1
    slot = np.int64((key * _SPREAD) >> np.uint64(40)) & mask
    while keys[slot] != np.uint64(0):
        if keys[slot] == key:
            if key < INEXACT:
                return slot
            there = places[slot, 0]
            if places[slot, 1] - there == end - start:
                same = 0
                while same < end - start and letters[there + same] == letters[start + same]:
                    same += 1
                if same == end - start:
                    return slot
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True, inline="always")
def known_stem(token_keys, token_stems, key):
    """The number of the stem of a token with an exact key; -1 if it was not met yet."""
    mask = len(token_keys) - 1
    slot = np.int64((key * _SPREAD) >> np.uint64(40)) & mask
    while token_keys[slot] != key:
        if token_keys[slot] == np.uint64(0):
            return np.int32(-1)
        slot = (slot + 1) & mask
    return token_stems[slot]


@njit(cache=True, nogil=True)
def known_long_stem(token_keys, token_stems, token_places, letters, data, start, end, fold, key):
    """The number of the stem of more than eight ASCII letters and digits; -1 if they were not met yet."""
    mask = len(token_keys) - 1
    slot = np.int64((key * _SPREAD) >> np.uint64(40)) & mask
    while token_keys[slot] != np.uint64(0):
        if token_keys[slot] == key:
            there = token_places[slot, 0]
            if token_places[slot, 1] - there == end - start:
                place = start
                while place + 8 < end and load_eight(data, place) | fold == load_eight(letters, there):
                    place += 8
                    there += 8
                if place + 8 >= end:
                    unused = np.uint64(64 - 8 * (end - place))
                    if (load_eight(data, place) | fold) << unused == load_eight(letters, there) << unused:
                        return token_stems[slot]
        slot = (slot + 1) & mask
    return np.int32(-1)


@njit(cache=True, nogil=True)
def stem_id(
    token_keys,
    token_stems,
    token_places,
    stem_keys,
    stem_numbers,
    stem_places,
    letters,
    used,
    data,
    points,
    start,
    end,
    key,
):
    """The number of a token's stem; -1 if there is no room for it.

    Args:
        token_keys, token_stems, token_places, stem_keys, stem_numbers, stem_places, letters, used: of a
            ``StemMemory`` (one by one: numba counts references to arrays in a tuple).
        data: uint8, the text; the token is ``data[start:end]``.
        points: int32[0x110000], what is known of each code point.
        start, end: see data.
        key: the token's.
    """
    first = used[_LETTERS]
    if first + 3 * (end - start) + 16 > len(letters):  # the token, its stem, and what load_eight looks at
        return np.int32(-1)
    n = _write_lower(letters, first, data, points, start, end)
    slot = _find(token_keys, token_places, letters, key, first, first + n)
    if token_keys[slot] != np.uint64(0):
        return token_stems[slot]

    if 2 * (used[_TOKENS] + 1) > len(token_keys):
        return np.int32(-1)
    stem_first = first + n if key >= INEXACT else first
    is_ascii = True
    for place in range(n):
        letters[stem_first + place] = letters[first + place]
        is_ascii &= letters[first + place] < 0x80
    stem_key = key
    stem_end = stem_first + n
    if is_ascii and n > 3:
        stem_end = stem_first + stem_in_place(letters[stem_first : stem_first + n + 1], n)
        stem_key = packed_key(letters, stem_first, stem_end, np.uint64(0))
    stem_slot = _find(stem_keys, stem_places, letters, stem_key, stem_first, stem_end)
    if stem_keys[stem_slot] == np.uint64(0):
        stem_keys[stem_slot] = stem_key
        stem_numbers[stem_slot] = used[_STEMS]
        stem_places[stem_slot, 0], stem_places[stem_slot, 1] = stem_first, stem_end
        used[_STEMS] += 1
        if stem_key >= INEXACT:
            used[_LETTERS] = stem_end
    token_keys[slot] = key
    token_stems[slot] = stem_numbers[stem_slot]
    token_places[slot, 0], token_places[slot, 1] = first, first + n
    if key >= INEXACT:
        used[_LETTERS] = max(used[_LETTERS], first + n)
    used[_TOKENS] += 1
    return token_stems[slot]


@njit(cache=True, nogil=True)
def _write_lower(letters, first, data, points, start, end):
    """Write a token as it is compared, in UTF-8; return how many bytes that is."""
    n = first
    while start < end:
        original, start = decode(data, start)
        point = points[original] >> _LOWER
        if point < 0x80:
            letters[n] = point
            n += 1
        elif point < 0x800:
            letters[n], letters[n + 1] = 0xC0 | point >> 6, 0x80 | point & 0x3F
            n += 2
        elif point < 0x10000:
            letters[n], letters[n + 1] = 0xE0 | point >> 12, 0x80 | point >> 6 & 0x3F
            letters[n + 2] = 0x80 | point & 0x3F
            n += 3
        else:
            letters[n], letters[n + 1] = 0xF0 | point >> 18, 0x80 | point >> 12 & 0x3F
            letters[n + 2], letters[n + 3] = 0x80 | point >> 6 & 0x3F, 0x80 | point & 0x3F
            n += 4
    return n - first
