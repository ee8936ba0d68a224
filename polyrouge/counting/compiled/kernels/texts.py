"""Number the tokens of UTF-8 texts without Python strings, and find the flags of texts.

Equal tokens get equal ids because they are compared, never because of a hash alone.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_tokens(source: Source, words: Vocabulary, n: i64, memory: StemMemory | None, ids: p_u32) -> i64:
    """Give ids from 0 on to n tokens, in order of first occurrence; return how many, or -1 if the memory can't grow."""
    find_first_equal(source, words, n)
    if memory is not None:
        forget_if_full(memory)
        while not find_stems(memory, source, words, n):
            if memory.error is not None:
                return -2
            if not grow(memory, words.bounds[2 * n - 1]):
                return -1
    return number_distinct(words, n, ids)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def letter_balance(data: pc_u8, position: i64, end: i64) -> i64:
    """Return the number of ASCII letters less that of code points beyond ASCII."""
    balance: i64 = 0
    while position < end:
        balance += cython.cast(u8, (data[position] | 0x20) - 97) < 26
        balance -= data[position] >= 0xC0
        position += 1
    return balance


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def character_flags(points: pc_i32, data: pc_u8, n: i64) -> u8:
    """Return the flags that the characters of the first n bytes set for their text; reads eight bytes more."""
    position: i64 = 0
    flags: i32 = 0
    while position < n:
        lead: u8 = data[position]
        if lead < 0x80 and load_eight(data, position) & HIGH_BITS == 0:
            position += 8
        elif 0xE4 <= lead <= 0xE9:  # U+4000 to U+9FFF, which set none
            position += 3
        else:
            point, position = decode(data, position)
            flags |= points[point]
    return flags & CHARACTER_FLAGS
