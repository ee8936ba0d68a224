"""Stem tokens with NLTK's Porter stemmer, and remember stems, so that each token is stemmed once.

The stemmer is the twin of ``nltk.stem.porter.PorterStemmer`` in its default mode (Porter 1980 with NLTK's extensions),
and works in place. Rules are written ``suffix>replacement``, each after a space; the first whose suffix fits decides,
whatever its condition.

A memory outlives the chunk, and serves one thread at a time. A full memory is emptied between samples. It is two hash
tables, of tokens and of stems, over one store of letters. A slot is four numbers: both halves of the key, the first 0
in a free slot; the number of the stem; and, if the key is inexact, where its letters begin, and in the lower 32 bits
their number.
"""

import cython

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
    pc_char, b" al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize> \0"
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
def is_consonant(word: p_u8, position: i64) -> flag:
    """Say whether a letter is none of a, e, i, o, u, nor y after a consonant; digits are consonants."""
    negate: flag = False
    while word[position] == ord("y") and position > 0:
        negate = not negate
        position -= 1
    return (not is_vowel(word[position])) != negate


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_vowel(letter: u8) -> flag:
    """Say whether a letter is one of a, e, i, o, u."""
    return letter in b"aeiou"


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def measure_of(word: p_u8, n: i64) -> i64:
    """Count the consonants after a vowel in the first n letters: m of Porter (1980)."""
    measure: i64 = 0
    after_consonant: flag = True
    consonant: flag
    for position in range(n):
        if word[position] == ord("y"):
            consonant = position == 0 or not after_consonant
        else:
            consonant = not is_vowel(word[position])
        measure += consonant and not after_consonant
        after_consonant = consonant
    return measure


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_vowel(word: p_u8, n: i64) -> flag:
    """Say whether one of the first n letters is a vowel: Porter's *v*."""
    for position in range(n):
        if not is_consonant(word, position):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ends_cvc(word: p_u8, n: i64) -> flag:
    """Say whether a word ends as Porter's *o: consonant, vowel, consonant but w, x, y. NLTK adds two-letter vc."""
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
    """Say whether the first n letters end with a suffix of ``size`` letters."""
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
    """Apply the first rule whose suffix fits; return the new length, or ~n if no suffix fits."""
    # The measure of the word without the suffix (for ``logi`` with its l) must exceed ``above``.
    position: i64 = 1
    size: i64
    while rules[position] != 0:
        size = 0
        while rules[position + size] != ord(">"):
            size += 1
        if (n == size or not is_whole) and ends_with(word, n, rules + position, size):
            stem = n - size
            if (
                above >= 0
                and measure_of(word, stem + (rules[position] == ord("l") and rules[position + 1] == ord("o"))) <= above
            ):
                return n
            position += size + 1
            while rules[position] != ord(" "):
                word[stem] = rules[position]
                stem += 1
                position += 1
            return stem
        position += size + 1
        while rules[position] != ord(" "):
            position += 1
        position += 1
    return ~n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stem_in_place(word: p_u8, n: i64) -> i64:
    """Stem ``word[:n]``, lower-case ASCII, in place; return the new length. ``word`` has room for n + 1 letters."""
    stem: i64 = apply_rules(word, n, WHOLE_WORDS, -1, True)
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

    # Step 2; NLTK first removes every final -alli
    while ends_with(word, n, b"alli", 4) and measure_of(word, n - 4) > 0:
        n -= 2
    n = apply_rules(word, n, STEP_2, 0, False)
    n = apply_rules(word, n if n >= 0 else ~n, STEP_3, 0, False)
    n = n if n >= 0 else ~n

    # Step 4; -ion must follow s or t
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
    """Stem a word of lower-case ASCII; a word of at most three letters is unchanged, as in rouge_score."""
    n: i64 = len(word)
    source: pc_char = word
    room = Room()
    letters: p_u8 = cython.cast(p_u8, room.zeros(n + 1, 1))
    copy_bytes(letters, source, n)
    if not word.isascii():
        raise ValueError("a word must be ASCII")
    if n > 3:
        n = stem_in_place(letters, n)
    return bytes([letters[index] for index in range(n)])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def slot_of_key(table: p_u64, mask: u64, letters: p_u8, low: u64, high: u64, start: i64, end: i64) -> u64:
    """Return the slot of a key, or the free slot for it; an inexact key also has the letters from start to end."""
    slot: u64 = slot_of(low, high, SPREAD, mask)
    stored: i64
    n_equal: i64
    while table[4 * slot] != 0:
        if table[4 * slot] == low and table[4 * slot + 1] == high:
            if high < INEXACT:
                break
            stored = table[4 * slot + 3] >> 32
            if cython.cast(u32, table[4 * slot + 3]) == end - start:
                n_equal = 0
                while n_equal < end - start and letters[stored + n_equal] == letters[start + n_equal]:
                    n_equal += 1
                if n_equal == end - start:
                    break
        slot = (slot + 1) & mask
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_lower(letters: p_u8, first: i64, source: Source, start: i64, end: i64) -> i64:
    """Write a token in lower case, in UTF-8; return the number of bytes."""
    n: i64 = first
    while start < end:
        original, start = decode(source.data, start)
        point = source.points[original] >> LOWER
        if point < 0x80:
            letters[n] = point
            n += 1
        elif point < 0x800:
            letters[n] = 0xC0 | point >> 6
            letters[n + 1] = 0x80 | point & 0x3F
            n += 2
        elif point < 0x10000:
            letters[n] = 0xE0 | point >> 12
            letters[n + 1] = 0x80 | point >> 6 & 0x3F
            letters[n + 2] = 0x80 | point & 0x3F
            n += 3
        else:
            letters[n] = 0xF0 | point >> 18
            letters[n + 1] = 0x80 | point >> 12 & 0x3F
            letters[n + 2] = 0x80 | point >> 6 & 0x3F
            letters[n + 3] = 0x80 | point & 0x3F
            n += 4
    return n - first


@cython.cclass
class StemMemory:
    """Remember the stems of tokens; see the module."""

    tokens: p_u64
    stems: p_u64
    letters: p_u8
    local: p_i32
    n_slots: i64
    n_letters: i64
    n_tokens: i64
    n_stems: i64
    used: i64
    rewrite: object  # a function from a token to its replacement or None; None for Porter's stems
    error: object  # what that function raised

    def __cinit__(self, n_slots: cython.longlong = 1 << 17, rewrite: object = None):
        """Make room for about n_slots / 2 tokens; n_slots is a power of 2 and grows when needed."""
        self.rewrite, self.error = rewrite, None
        self.tokens = self.stems = cython.NULL
        self.letters = cython.NULL
        self.local = cython.NULL
        if n_slots < 1 or n_slots & (n_slots - 1):
            raise ValueError("n_slots must be a power of 2")
        if not renew(self, n_slots, 16 * n_slots):
            raise MemoryError

    def __dealloc__(self):
        free(self.tokens)
        free(self.stems)
        free(self.letters)
        free(self.local)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def renew(memory: StemMemory, n_slots: i64, n_letters: i64) -> flag:
    """Replace a memory by an empty one of these sizes; return False without memory."""
    free(memory.tokens)
    free(memory.stems)
    free(memory.letters)
    free(memory.local)
    memory.n_tokens = memory.n_stems = memory.used = 0
    memory.n_slots, memory.n_letters = n_slots, n_letters
    memory.tokens = cython.cast(p_u64, calloc(n_slots, 4 * cython.sizeof(u64)))
    memory.stems = cython.cast(p_u64, calloc(n_slots, 4 * cython.sizeof(u64)))
    memory.letters = cython.cast(p_u8, calloc(n_letters + 2 * BEHIND, 1))
    memory.local = cython.cast(p_i32, calloc(n_slots, cython.sizeof(i32)))
    if memory.tokens == cython.NULL or memory.stems == cython.NULL or memory.local == cython.NULL:
        memory.n_slots = 0
    if memory.letters == cython.NULL:
        memory.n_letters = 0
    return memory.n_slots > 0 and memory.n_letters > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow(memory: StemMemory, n_bytes: i64) -> flag:
    """Empty a memory and enlarge it for a vocabulary of n_bytes; return False without memory."""
    n_slots: i64 = 4 * max(memory.n_slots, 16)
    n_letters: i64 = 16 * n_slots + 4 * n_bytes
    if n_letters > MOST_LETTERS:  # positions of letters have 32 bits
        return False
    return renew(memory, n_slots, n_letters)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forget_if_full(memory: StemMemory) -> cython.void:
    """Empty a memory that is nearly full; no vocabulary may be in use."""
    if 8 * memory.n_tokens > 3 * memory.n_slots or 2 * memory.used > memory.n_letters:
        fill_bytes(memory.tokens, 0, 4 * cython.sizeof(u64) * memory.n_slots)
        fill_bytes(memory.stems, 0, 4 * cython.sizeof(u64) * memory.n_slots)
        memory.n_tokens = memory.n_stems = memory.used = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def new_stem(memory: StemMemory, source: Source, words: Vocabulary, token: i64) -> i64:
    """Find or add the stem of a token; return its number, or -1 without room."""
    tokens: p_u64 = memory.tokens
    stems: p_u64 = memory.stems
    letters: p_u8 = memory.letters
    mask: u64 = memory.n_slots - 1
    low: u64 = words.keys[2 * token]
    high: u64 = words.keys[2 * token + 1]
    start: i64 = words.bounds[2 * token]
    end: i64 = words.bounds[2 * token + 1]
    first: i64 = memory.used
    is_exact: flag = high < INEXACT
    is_ascii: flag = True
    stem_key: u64[2]
    if first + 3 * (end - start) + 64 > memory.n_letters:
        return -1
    n = write_lower(letters, first, source, start, end)
    slot = slot_of_key(tokens, mask, letters, low, high, first, first + n)
    if tokens[4 * slot] != 0:
        return tokens[4 * slot + 2]
    if 2 * (memory.n_tokens + 1) > memory.n_slots:
        return -1
    stem_first = first if is_exact else first + n
    for offset in range(n):
        letters[stem_first + offset] = letters[first + offset]
        is_ascii = is_ascii and letters[first + offset] < 0x80
    stem_key[0] = low
    stem_key[1] = high
    stem_n = n
    if memory.rewrite is not None:
        stem_n = rewritten(memory, first, n, stem_first)
        if stem_n < -1:
            return -1
        stem_key[0], stem_key[1] = hash_of_ascii(letters, stem_first, stem_first + stem_n, 0), INEXACT
    elif is_ascii and n > 3:
        stem_n = stem_in_place(letters + stem_first, n)
        key_of_ascii(letters, stem_first, stem_first + stem_n, 0, stem_key)
    number: i64 = LEFT_OUT
    if stem_n >= 0:
        stem_end = stem_first + stem_n
        stem_slot = slot_of_key(stems, mask, letters, stem_key[0], stem_key[1], stem_first, stem_end)
        if stems[4 * stem_slot] == 0:
            stems[4 * stem_slot] = stem_key[0]
            stems[4 * stem_slot + 1] = stem_key[1]
            stems[4 * stem_slot + 2] = memory.n_stems
            stems[4 * stem_slot + 3] = cython.cast(u64, stem_first) << 32 | cython.cast(u64, stem_n)
            memory.n_stems += 1
            if stem_key[1] >= INEXACT:
                memory.used = stem_end
        number = stems[4 * stem_slot + 2]
    tokens[4 * slot] = low
    tokens[4 * slot + 1] = high
    tokens[4 * slot + 2] = number
    tokens[4 * slot + 3] = cython.cast(u64, first) << 32 | cython.cast(u64, n)
    if not is_exact:
        memory.used = max(memory.used, first + n)
    memory.n_tokens += 1
    return number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rewritten(memory: StemMemory, first: i64, n: i64, into: i64) -> i64:
    """Write what Python's function returns for a token; return its bytes, -1 for None, -2 if it has failed."""
    with cython.gil:
        try:
            replacement = memory.rewrite(memory.letters[first : first + n].decode())
            if replacement is None:
                return -1
            encoded: bytes = replacement.encode()
            if into + len(encoded) > memory.n_letters:
                return -2
            copy_bytes(memory.letters + into, cython.cast(pc_char, encoded), len(encoded))
            fill_bytes(memory.letters + into + len(encoded), 0, 8)
            return len(encoded)
        except BaseException as error:
            memory.error = error
            return -2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_stems(memory: StemMemory, source: Source, words: Vocabulary, n: i64) -> flag:
    """Set first_equal of each token by its stem; return False, and change nothing, without room for all stems."""
    tokens: p_u64 = memory.tokens
    local: p_i32 = memory.local
    keys: p_u64 = words.keys
    first_equal: p_i32 = words.first_equal
    distinct: p_i32 = words.distinct
    numbers: p_i32 = words.stems
    mask: u64 = memory.n_slots - 1
    n_distinct: i64 = 0
    number: i64
    if memory.n_slots == 0 or memory.n_letters == 0:  # it could not grow
        return False
    for token in range(n):
        distinct[n_distinct] = token
        n_distinct += first_equal[token] == token
    for index in range(n_distinct):
        token = distinct[index]
        number = -1
        if keys[2 * token + 1] < INEXACT:
            slot = slot_of_key(tokens, mask, memory.letters, keys[2 * token], keys[2 * token + 1], 0, 0)
            if tokens[4 * slot] != 0:
                number = tokens[4 * slot + 2]
        if number < 0:
            number = new_stem(memory, source, words, token)
        if number < 0:
            return False
        numbers[index] = number if number != LEFT_OUT else -1
    # As in find_first_equal; the table has a slot for each stem, so no two stems share one.
    for index in range(n_distinct - 1, -1, -1):
        if numbers[index] >= 0:
            local[numbers[index]] = distinct[index]
    for index in range(n_distinct):
        words.of_stem[distinct[index]] = local[numbers[index]] if numbers[index] >= 0 else -1
    for token in range(n):
        first_equal[token] = words.of_stem[first_equal[token]]
    return True
