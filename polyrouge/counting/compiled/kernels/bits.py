"""The twin of ``bits.h`` and of the names in ``_kernels.pyx``, for kernels that run as ordinary Python.

The kernel modules import one another with stars: each has the names of those below it.
"""

from collections import namedtuple

import cython

SPREAD, SPREAD_HIGH = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
ALL, HIGH_BITS, CASE_BITS = 0xFFFFFFFFFFFFFFFF, 0x8080808080808080, 0x2020202020202020
INEXACT, ONE_POINT, FEW_POINTS = 1 << 63, 1 << 62, 1 << 63

# Of kernels only.
MOST_TOKENS = 0x7FFFFFF0  # of what is counted or numbered in 32 bits
NEWLINE = 10
BITS_OF_POINT = 21
SLOTS_A_TOKEN = 32  # of the table in which equal tokens are found
NEAR_SLOTS, MOST_SLOTS = 1 << 16, 1 << 24  # as many as stay in a near cache; as many as a key chooses from
MOST_LETTERS = 0xFFFFFF00  # of a memory of stems
BEHIND = 32  # bytes behind a token's letters that are looked at, or overwritten by its stem
WIDEST_SQUARE, MOST_IN_A_BYTE = 256, 255  # of the table of bigrams
WIDEST_SKIP_SQUARE, MOST_IN_A_CELL = 128, 1 << 15  # of the table of skip-bigrams
DIAGONAL, UP, LEFT = 1, 2, 3  # steps back through the table of the weighted LCS
SHORT_SENTENCE = 256  # tokens, mostly fewer
BYTES_OF_MOVES = 1 << 25
LAST_DIGIT, LAST_ALNUM, CODE_OF_DOT, CODE_OF_PERCENT = 10, 62, 63, 64  # codes of jieba's characters
NO_PARENT = 0xFFFFFF
MOST_PAIR_BYTES, BEHIND_PAIR = 1 << 14, 80  # of both texts of a pair that is counted in one call, and behind them

NO_HITS = 0x7FFFFFFF  # more than there can be

i8, u8, i16, u16, i32 = cython.schar, cython.uchar, cython.short, cython.ushort, cython.int
u32, i64, u64, f64, flag = cython.uint, cython.longlong, cython.ulonglong, cython.double, cython.bint
# Pointers: p_ to what a kernel changes, pc_ to what it only reads. Here they are arrays.
p_void = list
pc_char = p_u8 = pc_u8 = p_i16 = p_u16 = pc_u16 = p_i32 = pc_i32 = p_u32 = pc_u32 = object
p_i64 = pc_i64 = p_u64 = pc_u64 = p_f64 = pc_f64 = object


ByteClasses = namedtuple("ByteClasses", "words high lines")  # of 64 bytes a bit each


def classes_of(data, place):
    """Which of 64 bytes are ASCII letters or digits; are 128 or more; are line breaks."""
    words = high = lines = 0
    for i, byte in enumerate(data[place : place + 64].tolist()):
        words |= (byte < 128 and chr(byte).isalnum()) << i
        high |= (byte >= 128) << i
        lines |= (byte == 10) << i
    return ByteClasses(words, high, lines)


def load_eight(data, place):
    """Eight bytes at a place, the first one lowest."""
    return int.from_bytes(data[place : place + 8].tobytes().ljust(8, b"\0"), "little")


def word_bytes(eight):
    """The high bit of each byte that is an ASCII letter or digit."""
    each = enumerate(int(eight).to_bytes(8, "little"))
    return sum(0x80 << 8 * i for i, byte in each if byte < 128 and chr(byte).isalnum())


def ctz(word):
    """Zero bits below the lowest set bit; 63 for 0."""
    word = int(word) & ALL | 1 << 63
    return (word & -word).bit_length() - 1


def width(word):
    """Bits up to the highest set one; 0 for 0."""
    return (int(word) & ALL).bit_length()


def popcount(word):
    """Bits that are set."""
    return (int(word) & ALL).bit_count()


def is_set(cancelled):
    """Whether a flag is not 0, which another thread may have set."""
    return bool(cancelled[0])


def from_u64(array, n):
    """An array from a place on."""
    return array[n:]


from_i32 = from_i64 = from_u8 = from_u32 = from_char = from_u64


def low_mask(n):
    """The bytes that a token of n bytes, 16 at most, fills in the first half of its key."""
    return (1 << 8 * min(int(n), 8)) - 1


def high_mask(n):
    """And in the second half."""
    return (1 << 8 * max(int(n) - 8, 0)) - 1
