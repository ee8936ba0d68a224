"""The Porter stemmer as NLTK has it, in place.

The twin of ``nltk.stem.porter.PorterStemmer`` in its default mode (Porter 1980 with NLTK's extensions). Rules are
written ``suffix>replacement``, one after the other, each behind a space; the first whose suffix fits decides,
whatever its condition.
"""

import cython

if not cython.compiled:
    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.room import Room

STEP_1A = cython.declare(pc_char, b" sses>ss ies>i ss>ss s> \0")
STEP_1B = cython.declare(pc_char, b" at>ate bl>ble iz>ize \0")
STEP_2 = cython.declare(
    pc_char,
    b" ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize"
    b" ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful"
    b" logi>log \0",
)
STEP_3 = cython.declare(pc_char, b" icate>ic ative> alize>al iciti>ic ical>ic ful> ness> \0")
STEP_4 = cython.declare(
    pc_char,
    b" al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize> \0",
)
# Whole words that NLTK maps before any rule.
WHOLE_WORDS = cython.declare(
    pc_char,
    b" sky>sky skies>sky dying>die lying>lie tying>tie news>news innings>inning inning>inning outings>outing"
    b" outing>outing cannings>canning canning>canning howe>howe proceed>proceed exceed>exceed succeed>succeed \0",
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_consonant(word: p_u8, place: i64) -> flag:
    """Any letter but a, e, i, o, u, and y behind a consonant; digits are consonants."""
    negate: flag = False
    while word[place] == ord("y") and place > 0:
        negate = not negate
        place -= 1
    return (not is_vowel(word[place])) != negate


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_vowel(letter: u8) -> flag:
    """Any of a, e, i, o, u."""
    return letter in b"aeiou"


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def measure_of(word: p_u8, n: i64) -> i64:
    """How often a vowel is followed by a consonant in the first n letters: m of Porter (1980)."""
    measure: i64 = 0
    before: flag = True
    consonant: flag
    place: i64
    for place in range(n):
        if word[place] == ord("y"):
            consonant = place == 0 or not before
        else:
            consonant = not is_vowel(word[place])
        measure += consonant and not before
        before = consonant
    return measure


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_vowel(word: p_u8, n: i64) -> flag:
    """Whether one of the first n letters is no consonant: Porter's *v*."""
    place: i64
    for place in range(n):
        if not is_consonant(word, place):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ends_cvc(word: p_u8, n: i64) -> flag:
    """Porter's *o: ends consonant, vowel, consonant other than w, x, y. NLTK adds two-letter vc."""
    if n == 2:
        return not is_consonant(word, 0) and is_consonant(word, 1)
    if n < 3:
        return False
    if not is_consonant(word, n - 3) or is_consonant(word, n - 2) or not is_consonant(word, n - 1):
        return False
    return word[n - 1] not in b"wxy"


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ends_with(word: p_u8, n: i64, suffix: pc_char, size: i64) -> flag:
    """Whether the n letters end with a suffix of size letters."""
    offset: i64
    if n < size:
        return False
    for offset in range(1, size + 1):
        if word[n - offset] != cython.cast(u8, suffix[size - offset]):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def apply_rules(word: p_u8, n: i64, rules: pc_char, above: i64, is_whole: flag) -> i64:
    """Apply the first rule whose suffix fits; return the new length, or ~n if no suffix fitted.

    Args:
        word: with room for one more letter.
        n: its length.
        rules: see the module.
        above: the measure of the word without the suffix must be greater; for ``logi`` with the l of it.
        is_whole: the suffix must be the word.
    """
    place: i64 = 1
    size: i64
    stem: i64
    while rules[place] != 0:
        size = 0
        while rules[place + size] != ord(">"):
            size += 1
        if (n == size or not is_whole) and ends_with(word, n, from_char(rules, place), size):
            stem = n - size
            if (
                above >= 0
                and measure_of(word, stem + (rules[place] == ord("l") and rules[place + 1] == ord("o"))) <= above
            ):
                return n
            place += size + 1
            while rules[place] != ord(" "):
                word[stem] = rules[place]
                stem += 1
                place += 1
            return stem
        place += size + 1
        while rules[place] != ord(" "):
            place += 1
        place += 1
    return ~n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stem_in_place(word: p_u8, n: i64) -> i64:
    """Stem ``word[:n]``, lower-case ASCII, in place and return the new length; word has room for n + 1."""
    stem: i64 = apply_rules(word, n, WHOLE_WORDS, -1, True)
    measure: i64
    last: u8
    if stem >= 0:
        return stem

    # Step 1a
    if n == 4 and ends_with(word, n, b"ies", 3):
        n = 3
    else:
        n = apply_rules(word, n, STEP_1A, -1, False)
        n = n if n >= 0 else ~n

    # Step 1b
    if ends_with(word, n, b"ied", 3):
        n = 3 if n == 4 else n - 2
    elif ends_with(word, n, b"eed", 3):
        n -= measure_of(word, n - 3) > 0
    else:
        stem = -1
        if ends_with(word, n, b"ed", 2) and has_vowel(word, n - 2):
            stem = n - 2
        elif ends_with(word, n, b"ing", 3) and has_vowel(word, n - 3):
            stem = n - 3
        if stem >= 0:
            n = apply_rules(word, stem, STEP_1B, -1, False)
            if n < 0:
                n = ~n
                last = word[n - 1]
                if n >= 2 and last == word[n - 2] and is_consonant(word, n - 1):
                    n -= last not in b"lsz"
                elif measure_of(word, n) == 1 and ends_cvc(word, n):
                    word[n] = ord("e")
                    n += 1

    # Step 1c
    if n > 2 and word[n - 1] == ord("y") and is_consonant(word, n - 2):
        word[n - 1] = ord("i")

    # Step 2; NLTK takes -alli away first, as often as it is there
    while ends_with(word, n, b"alli", 4) and measure_of(word, n - 4) > 0:
        n -= 2
    n = apply_rules(word, n, STEP_2, 0, False)
    n = apply_rules(word, n if n >= 0 else ~n, STEP_3, 0, False)
    n = n if n >= 0 else ~n

    # Step 4; -ion must stand behind s or t
    if not ends_with(word, n, b"ion", 3) or (n >= 4 and word[n - 4] in b"st"):
        n = apply_rules(word, n, STEP_4, 1, False)
        n = n if n >= 0 else ~n

    # Step 5
    if n >= 1 and word[n - 1] == ord("e"):
        measure = measure_of(word, n - 1)
        n -= measure > 1 or (measure == 1 and not ends_cvc(word, n - 1))
    if ends_with(word, n, b"ll", 2) and measure_of(word, n - 1) > 1:
        n -= 1
    return n


def porter_stem(word: bytes):
    """The stem of a word of lower-case ASCII; one of three letters or fewer is its own, as in rouge_score."""
    n: i64 = len(word)
    source: pc_char = word
    room = Room()
    letters: p_u8 = cython.cast(p_u8, room.zeros(n + 1, 1))
    copy_bytes(letters, source, n)
    if not word.isascii():
        raise ValueError("a word must be ASCII")
    if n > 3:
        n = stem_in_place(letters, n)
    return bytes([letters[place] for place in range(n)])
