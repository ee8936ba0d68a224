"""Whether texts are in NFC for sure, by a look at their bytes that costs next to nothing."""

import cython

if not cython.compiled:
    from polyrouge.counting.compiled.kernels.bits import *

BYTES_AT_ONCE = cython.declare(i64, 1 << 14)  # after which it is asked whether to go on


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def nfc_may_change(a: u8, b: u8, c: u8) -> u8:
    """Whether NFC may change the code point that these bytes begin with, or join it to the one before.

    True of all that it does, and of neighbours, which makes the question simple. False of Latin letters, Greek but one,
    most Cyrillic, Vietnamese, kana, Hangul's syllables, Han, and of most symbols. Without a branch, so that many bytes
    are looked at in one instruction.
    """
    may: u8
    of_block: u8
    # U+0300-037F, U+0387, U+0480-0FFF, U+1000-1DFF, U+1F00-1FFF
    may = (a == 0xCC) | (a == 0xCD) | ((a == 0xCE) & (b == 0x87))
    may |= (a >= 0xD2) & (a <= 0xE0)
    may |= (a == 0xE1) & ((b < 0xB8) | (b > 0xBB))
    # U+2000-2001, U+20C0-213F, U+2329-233F, U+2AC0-2FFF
    of_block = ((b == 0x80) & (c < 0x82)) | (b == 0x83) | (b == 0x84) | (b >= 0xAB)
    of_block |= (b == 0x8C) & (c >= 0xA9)
    may |= (a == 0xE2) & of_block
    # U+302A-302F, U+3099-309A
    of_block = (b == 0x80) & (c >= 0xAA) & (c <= 0xAF)
    of_block |= (b == 0x82) & (c >= 0x99) & (c <= 0x9A)
    may |= (a == 0xE3) & of_block
    # U+A000-ABFF, U+D7C0-D7FF, U+F900-FB7F, U+FE20-FE2F
    may |= ((a == 0xEA) & (b < 0xB0)) | ((a == 0xED) & (b > 0x9E))
    of_block = (b >= 0xA4) & (b <= 0xAD)
    of_block |= (b == 0xB8) & (c >= 0xA0) & (c <= 0xAF)
    may |= (a == 0xEF) & of_block
    # U+10000-1EFFF, U+2F000 and above
    may |= (a == 0xF0) & ((b < 0x9F) | (b > 0xAE))
    return may | (a > 0xF0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_change_any(data: pc_u8, n: i64) -> flag:
    """Whether NFC may change a code point among the first n bytes; two more are looked at."""
    start: i64 = 0
    place: i64
    end: i64
    may: u8 = 0
    while start < n and not may:
        end = min(start + BYTES_AT_ONCE, n)
        for place in range(start, end):
            may |= nfc_may_change(data[place], data[place + 1], data[place + 2])
        start = end
    return may != 0


def may_need_composing(data: cython.const[u8][::1]):
    """Whether some text of data, uint8[n_bytes] of valid UTF-8, may not be in NFC."""
    n: i64 = data.shape[0]
    may: flag
    if n < 2:
        return False
    with cython.nogil:
        # At the last two bytes begins a code point of two, or none.
        may = nfc_may_change(data[n - 2], data[n - 1], 0xFF) or may_change_any(cython.address(data[0]), n - 2)
    return may
