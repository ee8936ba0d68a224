"""Number the tokens of UTF-8 texts without Python strings; and check quickly whether texts are in NFC.

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
            if not grow(memory, source.n_data):
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
def needs_a_look(a: u8, b: u8, c: u8) -> u8:
    """Say whether these bytes may begin a code point of ``documents.lookalikes.TRIGGERS``, or of Thai, kana and so on.

    These are the scripts that ``zh_char`` leaves in one piece. True of all such, and of neighbours, but of no letter of
    French or German except ß, no Vietnamese, Han or Hangul, and of no usual mark.
    """
    may: u8
    of_block: u8
    # U+00AA-00BF, U+00DF, U+0130-0133, U+013F, U+0140, U+0149, U+017F, U+01C0-01FF, U+02B0-02FF, U+0307, U+0340-037F,
    # U+03C2, U+03D0-03FF, U+0580-05BF, U+0600-06FF
    may = ((a == 0xC2) & (b >= 0xAA)) | ((a == 0xC3) & (b == 0x9F)) | ((a == 0xC4) & ((b & 0xFC) == 0xB0))
    may |= ((a == 0xC4) & (b == 0xBF)) | ((a == 0xC5) & ((b == 0x80) | (b == 0x89) | (b == 0xBF)))
    may |= ((a == 0xCA) & (b >= 0xB0)) | (a == 0xCB) | ((a == 0xCC) & (b == 0x87))
    may |= (a == 0xCF) & ((b == 0x82) | (b >= 0x90))
    may |= (a == 0xC7) | (a == 0xCD) | (a == 0xD6) | ((a & 0xFC) == 0xD8)
    # U+0E00-0FFF, U+1000-1DFF, U+1E9A-1E9F, U+2000-200F, U+2028-202F, U+2040-209F, U+20A8
    may |= ((a == 0xE0) & (b >= 0xB8)) | ((a == 0xE1) & ((b < 0xB8) | ((b == 0xBA) & (c >= 0x9A) & (c < 0xA0))))
    may |= (a == 0xE2) & ((b == 0x81) | ((b == 0x80) & ((c < 0x90) | ((c & 0xF8) == 0xA8))))
    may |= (a == 0xE2) & (b == 0x82) & ((c < 0xA0) | (c == 0xA8))
    # U+2100-218F, U+2440-24FF, U+2C40-2FFF, U+3036-303A, U+3040-33FF, U+A000-ABFF
    of_block = (b == 0x84) | (b == 0x85) | ((b == 0x86) & (c < 0x90)) | ((b >= 0x91) & (b <= 0x93)) | (b >= 0xB1)
    may |= (a == 0xE2) & of_block
    may |= (a == 0xE3) & (((b >= 0x81) & (b <= 0x8F)) | ((b == 0x80) & (c >= 0xB6) & (c <= 0xBA)))
    may |= (a == 0xEA) & (b < 0xB0)
    # U+FB00-FEFF, U+FF10-FF19, U+FF21-FF5A, U+FF66-FFDF
    of_block = (b >= 0xAC) & (b <= 0xBB)
    of_block |= (b == 0xBC) & (((c >= 0x90) & (c <= 0x99)) | (c >= 0xA1))
    of_block |= ((b == 0xBD) & ((c <= 0x9A) | (c >= 0xA6))) | (b == 0xBE) | ((b == 0xBF) & (c < 0xA0))
    may |= (a == 0xEF) & of_block
    # U+10000-1F2FF, U+1FBC0-1FBFF, U+E0000 and above
    may |= (a == 0xF0) & ((b < 0x9F) | ((b == 0x9F) & ((c < 0x8C) | (c == 0xAF))))
    return may | (a >= 0xF3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_be_decomposed(a: u8, b: u8, c: u8) -> u8:
    """Say whether a text with these bytes may not be in NFC: False for most letters, marks, CJK and emoji."""
    may: u8
    of_block: u8
    # U+0300-037F, U+0387, U+0480-07FF, U+0800-1FFF but for U+1E00-1EFF
    may = ((a & 0xFE) == 0xCC) | ((a == 0xCE) & (b == 0x87)) | ((a >= 0xD2) & (a <= 0xE0))
    may |= (a == 0xE1) & ((b & 0xFC) != 0xB8)
    # U+2000, U+2001, U+20C0-213F, U+2300-233F, U+2AC0-2AFF, U+2C00-2FFF
    of_block = ((b == 0x80) & (c < 0x82)) | (b == 0x83) | (b == 0x84) | (b == 0x8C) | (b == 0xAB) | (b >= 0xB0)
    may |= (a == 0xE2) & of_block
    # U+302A-302F, U+3097-309C, U+A000-ABFF
    may |= (a == 0xE3) & (((b == 0x80) & (c >= 0xAA) & (c <= 0xAF)) | ((b == 0x82) & (c >= 0x97) & (c <= 0x9C)))
    may |= (a == 0xEA) & (b < 0xB0)
    # U+F900-FB7F, U+FE00-FE3F, U+10000-1EFFF, U+2F000 and above
    may |= (a == 0xEF) & (((b >= 0xA4) & (b <= 0xAD)) | (b == 0xB8))
    may |= (a == 0xF0) & ((b < 0x9F) | (b > 0xAE))
    return may | (a >= 0xF1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def oddness_of(data: pc_u8, n: i64) -> u8:
    """Return NEEDS_A_LOOK and MAY_BE_DECOMPOSED if a character among the first n bytes sets them; reads eight more."""
    position: i64 = 0
    odd: u8 = 0
    while position < n:
        lead: u8 = data[position]
        if lead < 0x80 and load_eight(data, position) & HIGH_BITS == 0:
            position += 8
        elif lead < 0xC2:
            position += 1
        elif 0xE4 <= lead <= 0xED and lead != 0xEA:  # mostly Han, or Hangul
            position += 3
        else:
            if needs_a_look(lead, data[position + 1], data[position + 2]):
                odd |= NEEDS_A_LOOK
            if may_be_decomposed(lead, data[position + 1], data[position + 2]):
                odd |= MAY_BE_DECOMPOSED
            if odd == NEEDS_A_LOOK | MAY_BE_DECOMPOSED:
                break
            position += 2
    return odd
