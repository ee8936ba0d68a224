"""Compiled: the stems of the tokens met so far, so that each distinct token is stemmed once.

A memory outlives the chunk, and serves one thread at a time. It is emptied between samples when it is full.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polyrouge.counting.compiled.kernels.codes import LOWER
from polyrouge.counting.compiled.kernels.kernel import helper, inlined
from polyrouge.counting.compiled.kernels.keys import INEXACT, decode, key_of_ascii, slot_of
from polyrouge.counting.compiled.kernels.porter import stem_in_place

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_TOKENS, _STEMS, _LETTERS = 0, 1, 2
_BEHIND = 32  # bytes behind a token's letters that are looked at, or overwritten by its stem


class StemMemory(NamedTuple):
    """Two hash tables, of tokens and of stems, over one store of letters.

    Attributes:
        tokens: uint64[n_slots, 4]: both halves of the token's key, the first 0 where the slot is free;
            the number of its stem; and, if the key is inexact, where its letters begin, and in the
            lower 32 bits how many there are.
        stems: uint64[n_slots, 4], as tokens.
        letters: uint8[n], lower-cased UTF-8.
        used: int64[3], tokens, stems and letters there are.
        local: int32[n_slots], by stem: room to work in.
    """

    tokens: np.ndarray
    stems: np.ndarray
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
        np.zeros((n_slots, 4), np.uint64),
        np.zeros((n_slots, 4), np.uint64),
        np.empty(16 * n_slots + 4 * longest_token + 2 * _BEHIND, np.uint8),
        np.zeros(3, np.int64),
        np.empty(n_slots, np.int32),
    )


@helper
def forget_if_full(tokens, stems, used, letters):
    """Empty a memory in which there is little room left; no vocabulary may be in use."""
    if 8 * used[_TOKENS] > 3 * len(tokens) or 2 * used[_LETTERS] > len(letters):
        tokens[:] = 0
        stems[:] = 0
        used[:] = 0


@inlined
def _slot_of_exact(table, low, high):
    """The slot of an exact key, or the free one where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = slot_of(low, high, _SPREAD, mask)
    while table[slot, 0] != _ZERO and (table[slot, 0] != low or table[slot, 1] != high):
        slot = (slot + _ONE) & mask
    return slot


@helper
def _slot_of_letters(table, letters, low, high, start, end):
    """The slot of an inexact key and its letters, or the free one where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = slot_of(low, high, _SPREAD, mask)
    while table[slot, 0] != _ZERO:
        if table[slot, 0] == low and table[slot, 1] == high:
            there = np.int64(table[slot, 3] >> np.uint64(32))
            if np.int64(table[slot, 3] & np.uint64(0xFFFFFFFF)) == end - start:
                same = 0
                while same < end - start and letters[there + same] == letters[start + same]:
                    same += 1
                if same == end - start:
                    return slot
        slot = (slot + _ONE) & mask
    return slot


@helper
def _new_stem(tokens, stems, letters, used, data, points, start, end, low, high):
    """The number of the stem of a token, which is looked for and written down; -1 if there is no room for it.

    Args:
        tokens, stems, letters, used: of a ``StemMemory``.
        data: uint8, the text; the token is ``data[start:end]``.
        points: int32[0x110000], what is known of each code point.
        start, end: see data.
        low, high: the token's key.
    """
    first = used[_LETTERS]
    if first + 3 * (end - start) + _BEHIND > len(letters):
        return np.int64(-1)
    n = _write_lower(letters, first, data, points, start, end)
    is_exact = high < INEXACT
    if is_exact:
        slot = _slot_of_exact(tokens, low, high)
    else:
        slot = _slot_of_letters(tokens, letters, low, high, first, first + n)
    if tokens[slot, 0] != _ZERO:
        return np.int64(tokens[slot, 2])
    if 2 * (used[_TOKENS] + 1) > len(tokens):
        return np.int64(-1)
    stem_first = first if is_exact else first + n
    is_ascii = True
    for place in range(n):
        letters[stem_first + place] = letters[first + place]
        is_ascii &= letters[first + place] < 0x80
    stem_low, stem_high = low, high
    stem_end = stem_first + n
    if is_ascii and n > 3:
        stem_end = stem_first + stem_in_place(letters[stem_first : stem_first + n + 1], n)
        stem_low, stem_high = key_of_ascii(letters, stem_first, stem_end, _ZERO)
    if stem_high < INEXACT:
        stem_slot = _slot_of_exact(stems, stem_low, stem_high)
    else:
        stem_slot = _slot_of_letters(stems, letters, stem_low, stem_high, stem_first, stem_end)
    if stems[stem_slot, 0] == _ZERO:
        stems[stem_slot, 0], stems[stem_slot, 1] = stem_low, stem_high
        stems[stem_slot, 2] = used[_STEMS]
        stems[stem_slot, 3] = (stem_first << 32) | (stem_end - stem_first)
        used[_STEMS] += 1
        if stem_high >= INEXACT:
            used[_LETTERS] = stem_end
    tokens[slot, 0], tokens[slot, 1] = low, high
    tokens[slot, 2] = stems[stem_slot, 2]
    tokens[slot, 3] = (first << 32) | n
    if not is_exact:
        used[_LETTERS] = max(used[_LETTERS], first + n)
    used[_TOKENS] += 1
    return np.int64(tokens[slot, 2])


@helper
def find_stems(tokens, stems, letters, used, local, data, points, bounds, keys, n, firsts, room):
    """Make the first of each token that of its stem; return whether there was room for all.

    Args:
        tokens, stems, letters, used, local: a ``StemMemory``.
        data, points, bounds, keys, n: as for ``distinct_kernels.find_firsts``.
        firsts: int32[n or more], the first of each token; becomes the first with its stem.
        room: int32[3, n or more], room to work in.
    """
    distinct, numbers, of_stem = room[0], room[1], room[2]
    n_distinct = _ZERO
    for token in range(n):
        distinct[n_distinct] = token
        n_distinct += np.uint64(np.uint64(firsts[token]) == token)
    for place in range(n_distinct):
        token = np.uint64(distinct[place])
        low, high = keys[token, 0], keys[token, 1]
        number = np.int64(-1)
        if high < INEXACT:
            slot = _slot_of_exact(tokens, low, high)
            if tokens[slot, 0] != _ZERO:
                number = np.int64(tokens[slot, 2])
        if number < 0:
            start, end = np.int64(bounds[_TWO * token]), np.int64(bounds[_TWO * token + _ONE])
            number = _new_stem(tokens, stems, letters, used, data, points, start, end, low, high)
        if number < 0:
            return False
        numbers[place] = number
    # As in find_firsts; here the table is as large as there are stems, so no two meet in a place.
    for back in range(n_distinct):
        place = n_distinct - _ONE - back
        local[np.uint64(np.uint32(numbers[place]))] = distinct[place]
    for place in range(n_distinct):
        of_stem[np.uint64(np.uint32(distinct[place]))] = local[np.uint64(np.uint32(numbers[place]))]
    for token in range(n):
        firsts[token] = of_stem[np.uint64(np.uint32(firsts[token]))]
    return True


@helper
def _write_lower(letters, first, data, points, start, end):
    """Write a token as it is compared, in UTF-8; return how many bytes that is."""
    n = first
    while start < end:
        original, start = decode(data, start)
        point = points[original] >> LOWER
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
