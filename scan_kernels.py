"""Compiled: where the tokens of a UTF-8 text begin and end, which key each has, where sentences begin.

One scanner serves the tokenizers ``mixed``, ``ascii``, ``zh_char``, ``char`` and ``space``: they differ in the
class that each code point has, not in the code. A second one, for texts that are all ASCII, takes 64
bytes at a time.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .bit_intrinsics import alphanumeric_bytes, bytes_equal_to, count_bits, load_eight, trailing_zeros

__all__ = [
    "CHINESE",
    "ENDS_SENTENCE",
    "INEXACT",
    "LINES",
    "MARK",
    "OTHER",
    "RUN_ONLY",
    "SEPARATOR",
    "SINGLE",
    "WHOLE",
    "WORD",
    "decode",
    "packed_key",
    "scan_any",
    "scan_ascii",
]

# Classes of code points. A run goes over WORD, MARK and RUN_ONLY, begins with no MARK, and is a token
# if there is anything but RUN_ONLY in it. SINGLE is a token with the marks behind it, OTHER without.
SEPARATOR, WORD, SINGLE, MARK, OTHER, RUN_ONLY = 0, 1, 2, 3, 4, 5
# What is known of a code point is one number: its class, ENDS_SENTENCE, and above them, from bit
# _LOWER on, the code point that it is compared as.
ENDS_SENTENCE = 8
_CLASS = 7
_LOWER = 4
# Where sentences end: nowhere, at line breaks, at Chinese sentence marks and line breaks.
WHOLE, LINES, CHINESE = 0, 1, 2

_NEWLINE = 10
_HIGH_BITS = np.uint64(0x8080808080808080)
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_CASE_BITS = np.uint64(0x2020202020202020)  # set in lower-case letters and in digits
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio
_ONE = np.uint64(1)

# The key of a token: up to eight ASCII characters packed into eight bytes; one other code point with
# the bit below set (a packed token has no zero byte below its first, so they differ); or a hash
# with the highest bit set, which says that the token itself must be compared.
_ONE_POINT = np.uint64(1 << 62)
INEXACT = np.uint64(1 << 63)


@njit(cache=True, nogil=True, inline="always")
def decode(data, place):
    """The code point at a byte of valid UTF-8, and the byte behind it."""
    point = np.int64(data[place])
    behind = place + 1
    if point >= 0xF0:
        point = (point & 0x07) << 18 | (np.int64(data[place + 1]) & 0x3F) << 12
        point |= (np.int64(data[place + 2]) & 0x3F) << 6 | np.int64(data[place + 3]) & 0x3F
        behind = place + 4
    elif point >= 0xE0:
        point = (point & 0x0F) << 12 | (np.int64(data[place + 1]) & 0x3F) << 6 | np.int64(data[place + 2]) & 0x3F
        behind = place + 3
    elif point >= 0x80:
        point = (point & 0x1F) << 6 | np.int64(data[place + 1]) & 0x3F
        behind = place + 2
    return point, behind


@njit(cache=True, nogil=True, inline="always")
def _word_bytes(eight):
    """The high bit of each byte that is an ASCII letter or digit."""
    low = eight & _LOW_BITS
    letter = low | _CASE_BITS  # letters become lower case; nothing else becomes a letter
    letters = (letter + np.uint64(0x1F1F1F1F1F1F1F1F)) & ~(letter + np.uint64(0x0505050505050505))
    digits = (low + np.uint64(0x5050505050505050)) & ~(low + np.uint64(0x4646464646464646))
    return (letters | digits) & ~eight & _HIGH_BITS


@njit(cache=True, nogil=True, inline="always")
def _mixed(hashed, eight):
    """Take up to eight more characters of a long token into its hash."""
    product = (hashed ^ eight) * _SPREAD
    return product ^ product >> np.uint64(29)


@njit(cache=True, nogil=True)
def _long_key(data, start, end, fold):
    """The key of more than eight ASCII letters and digits."""
    hashed = np.uint64(0)
    while start + 8 <= end:
        hashed = _mixed(hashed, load_eight(data, start) | fold)
        start += 8
    if start < end:
        unused = np.uint64(64 - 8 * (end - start))
        hashed = _mixed(hashed, (load_eight(data, start) | fold) << unused >> unused)
    return hashed | INEXACT


@njit(cache=True, nogil=True, inline="always")
def packed_key(data, start, end, fold):
    """The key of ASCII letters and digits; the eight bytes from any of its places on must be in data."""
    if end - start <= 8:
        unused = np.uint64(64 - 8 * (end - start))
        return (load_eight(data, start) | fold) << unused >> unused
    return _long_key(data, start, end, fold)


@njit(cache=True, nogil=True)
def _any_key(data, points, start, end):
    """The key of any token, from its code points."""
    packed = np.uint64(0)
    hashed = np.uint64(0)
    point = np.uint64(0)
    n_points = 0
    is_ascii = True
    place = start
    while place < end:
        original, place = decode(data, place)
        point = np.uint64(points[original] >> _LOWER)
        is_ascii &= point < np.uint64(0x80) and point != np.uint64(0)  # NUL would not show in a packed key
        if n_points and n_points & 7 == 0:
            hashed = _mixed(hashed, packed)
            packed = np.uint64(0)
        packed |= point << np.uint64(8 * (n_points & 7))
        n_points += 1
    if is_ascii and n_points <= 8:
        return packed
    if n_points == 1:
        return point | _ONE_POINT
    return _mixed(hashed, packed) | INEXACT


@njit(cache=True, nogil=True)
def scan_ascii(data, place, end, fold, cuts, bounds, keys, breaks):
    """Scan a text in which letters and digits are words and all else separates them.

    Nearly without branches that can't be foreseen: the places where words begin and end are bits of one
    number for 64 bytes, and are written down eight by eight, whether there are so many or not.

    Args:
        data: uint8[n_bytes], with 79 bytes or more behind the text.
        place: where the text begins in data.
        end: where it ends.
        fold: the case bits where case is no difference, else 0.
        cuts: whether sentences end at line breaks.
        bounds: takes where each token begins and ends, int64[2 * n], one after the other; with 8 to spare.
        keys: takes the key of each token, uint64[n].
        breaks: takes the tokens with which a sentence begins, int64[n + 1].

    Returns:
        The numbers of tokens and of sentences; -1, 0 if the text is not ASCII.
    """
    n_edges = 0
    n_breaks = 1
    breaks[0] = 0
    in_word = np.uint64(0)  # 1: a token goes on from the 64 bytes before
    for block in range(place, end, 64):
        words, high = alphanumeric_bytes(data, block)
        lines = bytes_equal_to(data, block, _NEWLINE) if cuts else np.uint64(0)
        if end - block < 64:
            here = (_ONE << np.uint64(end - block)) - _ONE
            words &= here
            high &= here
            lines &= here
        if high != np.uint64(0):
            return -1, 0
        edges = words ^ (words << _ONE | in_word)
        in_word = words >> np.uint64(63)
        while lines != np.uint64(0):
            up_to = lines ^ (lines - _ONE)  # a token that the break ends, ends there
            following = (n_edges + count_bits(edges & up_to)) >> 1
            breaks[n_breaks] = following
            n_breaks += breaks[n_breaks - 1] != following
            lines &= lines - _ONE
        behind = n_edges + count_bits(edges)
        while n_edges < behind:
            for offset in range(8):
                bounds[n_edges + offset] = block + trailing_zeros(edges)
                edges &= edges - _ONE
            n_edges += 8
        n_edges = behind
    if in_word != np.uint64(0):
        bounds[n_edges] = end
        n_edges += 1
    n = n_edges >> 1
    n_breaks -= breaks[n_breaks - 1] == n
    for token in range(n):
        start = bounds[2 * token]
        n_bytes = bounds[2 * token + 1] - start
        first = load_eight(data, start) | fold
        second = load_eight(data, start + 8) | fold
        unused = np.uint64(64 - 8 * min(n_bytes, 8))
        unused_second = np.uint64(-8 * n_bytes & 63)
        key = first << unused >> unused
        long_key = _mixed(_mixed(np.uint64(0), first), second << unused_second >> unused_second) | INEXACT
        if n_bytes > 8:
            key = long_key
        if n_bytes > 16:
            key = _long_key(data, start, start + n_bytes, fold)
        keys[token] = key
    return n, n_breaks


@njit(cache=True, nogil=True)
def scan_any(data, place, end, points, begins_mark, cut, lone_marks, ascii_words, fold, bounds, keys, breaks):
    """Scan any text: as ``scan_ascii``, but by code point.

    Args:
        points: int32[0x110000], what is known of each code point.
        begins_mark: bool[256], bytes with which the UTF-8 of a MARK may begin.
        cut: WHOLE, LINES or CHINESE.
        lone_marks: a mark that follows no character of a token is a token.
        ascii_words: of ASCII, letters and digits are WORD, and all else is SEPARATOR.
    """
    n_data = len(data)
    n = 0
    n_breaks = 0
    is_new = True
    while place < end:
        start = place
        first = data[place]
        if first >= 0xE0 and first < 0xF0:
            # Three bytes, such as nearly all Chinese characters: mostly one token.
            point = (np.int64(first) & 0x0F) << 12 | (np.int64(data[place + 1]) & 0x3F) << 6
            point |= np.int64(data[place + 2]) & 0x3F
            known = points[point]
            if known & _CLASS == SINGLE and (place + 3 >= end or not begins_mark[data[place + 3]]):
                place += 3
                bounds[2 * n], bounds[2 * n + 1] = start, place
                keys[n] = np.uint64(known >> _LOWER) | _ONE_POINT
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += 1
                continue
        if ascii_words and first < 0x80:
            if points[first] & _CLASS == SEPARATOR:
                is_new |= cut != WHOLE and first == _NEWLINE
                place += 1
                continue
            # Eight bytes at once, while all of them go on with the token.
            while place + 8 <= n_data:
                n_here = min(trailing_zeros(~_word_bytes(load_eight(data, place)) & _HIGH_BITS) >> 3, end - place)
                place += n_here
                if n_here < 8:
                    break
            if place + 8 <= n_data and (place >= end or data[place] < 0x80):
                bounds[2 * n], bounds[2 * n + 1] = start, place
                keys[n] = packed_key(data, start, place, fold)
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += 1
                continue
            place = start
        point, place = decode(data, place)
        known = points[point]
        kind = known & _CLASS
        if kind == SEPARATOR or (kind == MARK and not lone_marks):
            is_new |= (cut == CHINESE and known & ENDS_SENTENCE != 0) or (cut != WHOLE and point == _NEWLINE)
            continue
        key = np.uint64(known >> _LOWER)
        if key >= np.uint64(0x80) or key == np.uint64(0):
            key |= _ONE_POINT
        has_word = kind != RUN_ONLY
        is_run = kind == WORD or kind == RUN_ONLY
        if is_run or (kind == SINGLE and place < end and begins_mark[data[place]]):
            behind_first = place
            while place < end:
                there, behind = decode(data, place)
                kind_there = points[there] & _CLASS
                if kind_there != MARK and not (is_run and (kind_there == WORD or kind_there == RUN_ONLY)):
                    break
                has_word |= kind_there != RUN_ONLY
                place = behind
            if not has_word:
                continue
            if place != behind_first:
                key = _any_key(data, points, start, place)
        bounds[2 * n], bounds[2 * n + 1] = start, place
        keys[n] = key
        breaks[n_breaks] = n
        n_breaks += is_new
        is_new = False
        n += 1
    return n, n_breaks
