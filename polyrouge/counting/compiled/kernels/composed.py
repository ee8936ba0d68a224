"""Compiled: whether texts are in NFC for sure, by a look at their bytes that costs next to nothing."""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.kernel import TEXT, inlined, kernel

_U8 = np.uint8
_BLOCK = np.uint64(1 << 14)  # bytes, after which it is asked whether to go on
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@inlined
def _may_change(a, b, c):
    """Whether NFC may change the code point that these bytes begin with, or join it to the one before.

    True of all that it does, and of neighbours, which makes the question simple. False of Latin letters, Greek but one,
    most Cyrillic, Vietnamese, kana, Hangul's syllables, Han, and of most symbols. Without a branch, so that many bytes
    are looked at in one instruction.
    """
    # U+0300-037F, U+0387, U+0480-0FFF, U+1000-1DFF, U+1F00-1FFF
    found = (a == _U8(0xCC)) | (a == _U8(0xCD)) | ((a == _U8(0xCE)) & (b == _U8(0x87)))
    found |= (a >= _U8(0xD2)) & (a <= _U8(0xE0))
    found |= (a == _U8(0xE1)) & ((b < _U8(0xB8)) | (b > _U8(0xBB)))
    # U+2000-2001, U+20C0-213F, U+2329-233F, U+2AC0-2FFF
    symbol = ((b == _U8(0x80)) & (c < _U8(0x82))) | (b == _U8(0x83)) | (b == _U8(0x84)) | (b >= _U8(0xAB))
    symbol |= (b == _U8(0x8C)) & (c >= _U8(0xA9))
    found |= (a == _U8(0xE2)) & symbol
    # U+302A-302F, U+3099-309A
    kana = (b == _U8(0x80)) & (c >= _U8(0xAA)) & (c <= _U8(0xAF))
    kana |= (b == _U8(0x82)) & (c >= _U8(0x99)) & (c <= _U8(0x9A))
    found |= (a == _U8(0xE3)) & kana
    # U+A000-ABFF, U+D7C0-D7FF, U+F900-FB7F, U+FE20-FE2F
    found |= ((a == _U8(0xEA)) & (b < _U8(0xB0))) | ((a == _U8(0xED)) & (b > _U8(0x9E)))
    form = (b >= _U8(0xA4)) & (b <= _U8(0xAD))
    form |= (b == _U8(0xB8)) & (c >= _U8(0xA0)) & (c <= _U8(0xAF))
    found |= (a == _U8(0xEF)) & form
    # U+10000-1EFFF, U+2F000 and above
    found |= (a == _U8(0xF0)) & ((b < _U8(0x9F)) | (b > _U8(0xAE)))
    return found | (a > _U8(0xF0))


@kernel(TEXT)
def may_need_composing(data):
    """Whether some text of data, uint8[n_bytes] of valid UTF-8, may not be in NFC."""
    n = np.uint64(len(data))
    if n < _TWO:
        return False
    last = n - _TWO  # there begins a code point of two bytes, or none
    found = _may_change(data[last], data[last + _ONE], _U8(0xFF))
    start = _ZERO
    while start < last and not found:
        end = min(start + _BLOCK, last)
        for place in range(start, end):
            found = found | _may_change(data[place], data[place + _ONE], data[place + _TWO])
        start = end
    return found
