"""Compiled: which tokens are the same, by their keys.

For every token its *first*: the place, in the vocabulary's texts, of the first token that equals it. Each token writes
its place to the slot of its key, from the last to the first, without a look at what is there; then
each reads who stands in its slot. The two passes have no branch that a processor must foresee, and no read that
waits for a write. The few whose slot another token holds have another try among themselves.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.codes import LOWER, MOST_SLOTS
from polyrouge.counting.compiled.kernels.instructions import load_eight
from polyrouge.counting.compiled.kernels.kernel import helper
from polyrouge.counting.compiled.kernels.keys import INEXACT, decode, slot_of

_SLOTS_A_TOKEN = np.uint64(32)
_HIGH_BITS = np.uint64(0x8080808080808080)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@helper
def _same_token(data, points, fold, one, one_end, other, other_end):
    """Whether two stretches of text are the same after lower-casing."""
    n = one_end - one
    if n == other_end - other and max(one, other) + n + 8 <= len(data):
        # Nearly always both are ASCII letters and digits: compare eight at a time.
        done = 0
        while done < n:
            unused = np.uint64(max(0, 64 - 8 * (n - done)))
            first = load_eight(data, one + done) << unused
            second = load_eight(data, other + done) << unused
            if (first | second) & _HIGH_BITS or first | fold != second | fold:
                break
            done += 8
        if done >= n:
            return True
    while one < one_end and other < other_end:
        original, one = decode(data, one)
        original_there, other = decode(data, other)
        if points[original] >> LOWER != points[original_there] >> LOWER:
            return False
    return one == one_end and other == other_end


@helper
def find_firsts(data, points, fold, bounds, keys, n, table, slots, odd, firsts):
    """Find the first of each of n tokens.

    Args:
        data: uint8[n_bytes], the texts.
        points: int32[0x110000], what is known of each code point: see ``scan_kernels.py``.
        fold: the case bits where case is no difference, else 0.
        bounds: uint64[2 * n or more], where each token begins and ends in data, one after the other.
        keys: uint64[n or more, 2], their keys.
        n: uint64.
        table: int32[MOST_SLOTS], room to work in, as slots uint32[n] and odd int32[n + 1].
        firsts: takes the results, int32[n].
    """
    n_slots = np.uint64(64)
    while n_slots < _SLOTS_A_TOKEN * n and n_slots < np.uint64(MOST_SLOTS):
        n_slots *= _TWO
    mask = n_slots - _ONE
    for token in range(n):
        slots[token] = slot_of(keys[token, 0], keys[token, 1], _SPREAD, mask)
    for back in range(n):
        token = n - _ONE - back
        table[slots[token]] = token
    n_odd = _ZERO
    for token in range(n):
        there = table[slots[token]]
        firsts[token] = there
        first = np.uint64(np.uint32(there))
        differ = (keys[token, 0] ^ keys[first, 0]) | (keys[token, 1] ^ keys[first, 1]) | (keys[token, 1] & INEXACT)
        odd[n_odd] = token
        n_odd += np.uint64(differ != _ZERO)
    spread = _SPREAD
    while n_odd > _ZERO:
        spread = spread * _SPREAD + _TWO  # odd again
        for back in range(n_odd):
            token = np.uint64(odd[n_odd - _ONE - back])
            table[slot_of(keys[token, 0], keys[token, 1], spread, mask)] = token
        n_left = _ZERO
        for place in range(n_odd):
            token = np.uint64(odd[place])
            first = np.uint64(table[slot_of(keys[token, 0], keys[token, 1], spread, mask)])
            firsts[token] = first
            is_same = keys[token, 0] == keys[first, 0] and keys[token, 1] == keys[first, 1]
            if is_same and keys[token, 1] >= INEXACT and token != first:
                is_same = _same_token(
                    *(data, points, fold, np.int64(bounds[_TWO * token]), np.int64(bounds[_TWO * token + _ONE])),
                    *(np.int64(bounds[_TWO * first]), np.int64(bounds[_TWO * first + _ONE])),
                )
            if not is_same:
                odd[n_left] = token
                n_left += _ONE
        n_odd = n_left


@helper
def number_firsts(firsts, n, numbers, ids):
    """Give ids from 0 on to n tokens, in order of first occurrence; return how many ids there are.

    Args:
        firsts: int32[n or more].
        n: uint64.
        numbers: uint32[n], room to work in.
        ids: takes the results, uint32[n].
    """
    n_ids = np.uint32(0)
    for token in range(n):
        numbers[token] = n_ids
        n_ids += np.uint32(np.uint64(firsts[token]) == token)
    for token in range(n):
        ids[token] = numbers[np.uint64(np.uint32(firsts[token]))]
    return np.int64(n_ids)
