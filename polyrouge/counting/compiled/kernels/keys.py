"""Compiled: the key of a token, two numbers that are equal for equal tokens.

Up to sixteen ASCII characters are packed into the sixteen bytes of the key, lower-cased; then the highest
bit of each byte is 0. One other code point has the bit ``_ONE_POINT`` set, which no packed token has without a
byte below it. Two to five other code points are packed too, with the highest bit of the first number set.
These keys are exact. All other tokens have a hash, and the highest bit of the second number is set: then the
tokens themselves must be compared.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.codes import LOWER
from polyrouge.counting.compiled.kernels.instructions import load_eight
from polyrouge.counting.compiled.kernels.kernel import helper, inlined

INEXACT = np.uint64(1 << 63)

_ONE_POINT = np.uint64(1 << 62)
_FEW_POINTS = np.uint64(1 << 63)
_BITS_OF_POINT = 21
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio
_SPREAD_HIGH = np.uint64(0xC2B2AE3D27D4EB4F)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
# The bytes that a token of so many fills in each half of its key.
_LOW_BYTES = np.array([(1 << 8 * min(n, 8)) - 1 for n in range(17)], np.uint64)
_HIGH_BYTES = np.array([(1 << 8 * max(n - 8, 0)) - 1 for n in range(17)], np.uint64)


@inlined
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


@inlined
def slot_of(low, high, spread, mask):
    """Where in a hash table a key is looked for; another odd ``spread`` gives another place."""
    return ((low + high * _SPREAD_HIGH) * spread) >> np.uint64(40) & mask


@inlined
def _mixed(hashed, eight):
    """Take up to eight more characters of a long token into its hash."""
    product = (hashed ^ eight) * _SPREAD
    return product ^ product >> np.uint64(29)


@helper
def _hash_of_ascii(data, start, end, fold):
    hashed = _ZERO
    while start + 8 <= end:
        hashed = _mixed(hashed, load_eight(data, start) | fold)
        start += 8
    if start < end:
        hashed = _mixed(hashed, (load_eight(data, start) | fold) & _LOW_BYTES[end - start])
    return hashed | _ONE  # a low half of 0 is for slots that are free


@inlined
def key_of_ascii(data, start, end, fold):
    """The key of ASCII letters and digits.

    Args:
        data: uint8[n], the text, with fifteen bytes or more behind the token's first if it has eight or
            less, and with seven behind its last otherwise.
        start, end: the token is ``data[start:end]``; it has a byte at least.
        fold: the case bits where case is no difference, else 0.
    """
    n_bytes = np.uint64(end - start)
    low = (load_eight(data, start) | fold) & _LOW_BYTES[min(n_bytes, np.uint64(16))]
    high = (load_eight(data, start + 8) | fold) & _HIGH_BYTES[min(n_bytes, np.uint64(16))]
    if n_bytes > np.uint64(16):
        low = _hash_of_ascii(data, start, end, fold)
        high = INEXACT
    return low, high


@inlined
def key_of_point(known):
    """The first half of the key of one code point, of which this is known; the other half is 0."""
    point = np.uint64(known >> LOWER)
    return point if point < np.uint64(0x80) and point != _ZERO else point | _ONE_POINT


@inlined
def key_of_two(first, second):
    """The key of two code points, of which this is known and the first of which is not ASCII; see ``key_of_any``."""
    low = np.uint64(first >> LOWER) | np.uint64(second >> LOWER) << np.uint64(_BITS_OF_POINT)
    return low | _FEW_POINTS, np.uint64(2 << 2 * _BITS_OF_POINT)


@helper
def key_of_any(data, points, start, end):
    """The key of any token, from its code points; see ``scan_kernels.py`` for ``points``."""
    packed = _ZERO
    first_eight = _ZERO
    few_low, few_high = _ZERO, _ZERO
    hashed = _ZERO
    point = _ZERO
    n_points = 0
    is_ascii = True
    place = start
    while place < end:
        original, place = decode(data, place)
        point = np.uint64(points[original] >> LOWER)
        is_ascii &= point < np.uint64(0x80) and point != _ZERO  # NUL would not show in a packed key
        if n_points and n_points & 7 == 0:
            hashed = _mixed(hashed, packed)
            first_eight = packed if n_points == 8 else first_eight
            packed = _ZERO
        if n_points < 3:
            few_low |= point << np.uint64(_BITS_OF_POINT * n_points)
        elif n_points < 5:
            few_high |= point << np.uint64(_BITS_OF_POINT * (n_points - 3))
        packed |= point << np.uint64(8 * (n_points & 7))
        n_points += 1
    if is_ascii and n_points <= 8:
        return packed, _ZERO
    if is_ascii and n_points <= 16:
        return first_eight, packed
    if n_points == 1:
        return point | _ONE_POINT, _ZERO
    if n_points <= 5:
        return few_low | _FEW_POINTS, few_high | np.uint64(n_points << 2 * _BITS_OF_POINT)
    return _mixed(hashed, packed) | _ONE, INEXACT
