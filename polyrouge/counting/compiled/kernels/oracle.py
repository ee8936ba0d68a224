"""Choose sentences greedily by sets of words and bigrams, as PreSumm makes its labels."""

import cython

USUAL_BYTES = cython.declare(i64, 1 << 14)  # of a document
ROOMS: list = []  # of earlier calls; several threads may choose at once


@cython.cclass
class UnitSets(Room):
    """Hold the distinct words, or bigrams, of the texts of a document by ids; text 0 is the reference."""

    ids: p_i32  # text after text: for each unit the index of the first that equals it
    reference_end: i64  # units with ids below are in the reference
    starts: p_i64  # of each text in ids; n_texts + 1
    seen: p_i32  # by id: the last text that has it, from 1 on; then -1 if a chosen sentence has it
    fresh: p_i64  # by text: units that no chosen sentence has
    fresh_hits: p_i64  # by text: fresh units that the reference has
    n_reference: i64
    n_covered: i64  # of the chosen sentences
    n_hits: i64

    def __cinit__(self, n_bytes: cython.longlong, n_texts: cython.longlong):
        self.ids = cython.cast(p_i32, self.zeros(n_bytes, 4))
        self.starts = cython.cast(p_i64, self.zeros(n_texts + 1, 8))
        self.seen = cython.cast(p_i32, self.zeros(n_bytes, 4))
        self.fresh = cython.cast(p_i64, self.zeros(n_texts, 8))
        self.fresh_hits = cython.cast(p_i64, self.zeros(n_texts, 8))


@cython.cclass
class OracleRoom(Room):
    """Hold arrays for one document after the other."""

    n_bytes: i64  # of the largest document that fits
    n_texts: i64
    data: p_u8
    words: Vocabulary
    unigrams: UnitSets
    bigrams: UnitSets

    def __cinit__(self, n_bytes: cython.longlong, n_texts: cython.longlong):
        self.n_bytes, self.n_texts = n_bytes, n_texts
        self.data = cython.cast(p_u8, self.zeros(n_bytes + BEHIND_PAIR, 1))
        self.words = Vocabulary(n_bytes, False)
        self.unigrams, self.bigrams = UnitSets(n_bytes, n_texts), UnitSets(n_bytes, n_texts)


def choose_sentences(documents: list, references: list, k: cython.longlong, table: object):
    """Return for each document the numbers of up to k sentences, in the order chosen; each has one reference text."""
    source: Source = source_of(table, WHOLE)
    choices = []
    size: cython.Py_ssize_t = 0
    text: i64 = 0
    if len(references) != len(documents):
        raise ValueError("there must be as many references as documents")
    try:
        room: OracleRoom = ROOMS.pop()
    except IndexError:
        room = OracleRoom(USUAL_BYTES, USUAL_BYTES // 16)
    for document in range(len(documents)):
        sentences: list = documents[document]
        n_texts: i64 = len(sentences) + 1
        n_bytes: i64 = 0
        for text in range(n_texts):
            utf8_of(sentences[text - 1] if text else references[document], cython.address(size))
            n_bytes += size
        if n_bytes > MOST_TOKENS // 4:
            raise ValueError("a document may have 536,870,908 bytes at most")
        if n_bytes > room.n_bytes or n_texts > room.n_texts:
            room = OracleRoom(2 * max(n_bytes, room.n_bytes), 2 * max(n_texts, room.n_texts))
        source.data = room.data
        n_words: i64 = 0
        end: i64 = 0
        for text in range(n_texts):
            data = utf8_of(sentences[text - 1] if text else references[document], cython.address(size))
            start: i64 = end
            end = copy_words(cython.cast(pc_u8, data), size, room.data, end)
            room.unigrams.starts[text] = n_words
            n_words += scan_ascii(source, start, end, room.words, n_words)[0]
        room.unigrams.starts[n_texts] = n_words
        make_sets(source, room.words, room.unigrams, room.bigrams, n_texts)
        numbers = []
        best: f64 = 0
        while len(numbers) < k:
            if numbers:
                cover(room.unigrams, text, n_texts)
                cover(room.bigrams, text, n_texts)
            text, best = best_sentence(room, n_texts, best)
            if text == 0:
                break
            numbers.append(text - 1)
        choices.append(numbers)
    if room.n_bytes == USUAL_BYTES:
        ROOMS.append(room)
    return choices


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_words(text: pc_u8, n: i64, data: p_u8, end: i64) -> i64:
    """Copy ASCII letters, digits and blanks to data[end:]; return the new end."""
    position: i64 = 0
    n_bytes: i64
    non_blanks: u64
    while position < n:
        n_bytes = min(8, n - position)
        non_blanks = ALL
        if n_bytes == 8:
            eight: u64 = load_eight(text, position)
            non_blanks = eight ^ CASE_BITS  # 0 at a blank
            non_blanks = ((non_blanks & ~HIGH_BITS) + ~HIGH_BITS | non_blanks) & ~word_bytes(eight) & HIGH_BITS
        if non_blanks == 0:
            copy_bytes(data + end, text + position, 8)
            end += 8
        else:
            for byte in range(position, position + n_bytes):
                char: u8 = text[byte]
                letter: u8 = (char | 32) - 97
                digit: u8 = char - 48
                data[end] = char
                end += (letter < 26) | (digit < 10) | (char == 32)
        position += n_bytes
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_sets(
    source: Source, words: Vocabulary, word_sets: UnitSets, bigram_sets: UnitSets, n_texts: i64
) -> cython.void:
    """Make the sets of words and bigrams of each text."""
    n: i64 = 0
    find_first_equal(source, words, word_sets.starts[n_texts])
    for text in range(n_texts):
        bigram_sets.starts[text] = n
        for word in range(word_sets.starts[text], word_sets.starts[text + 1] - 1):
            words.keys[2 * n] = cython.cast(u64, words.first_equal[word]) << 32 | words.first_equal[word + 1]
            words.keys[2 * n + 1] = 0
            n += 1
    bigram_sets.starts[n_texts] = n
    make_distinct(word_sets, words.first_equal, n_texts)
    find_first_equal(source, words, n)
    make_distinct(bigram_sets, words.first_equal, n_texts)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_distinct(units: UnitSets, first_equal: p_i32, n_texts: i64) -> cython.void:
    """Reduce the units of each text to the distinct ones."""
    ids: p_i32 = units.ids
    seen: p_i32 = units.seen
    n: i64 = 0
    hits: i64
    start: i64 = 0
    fill_bytes(seen, 0, 4 * units.starts[n_texts])
    units.n_covered = units.n_hits = 0
    units.reference_end = units.starts[1]
    for text in range(n_texts):
        end: i64 = units.starts[text + 1]
        units.starts[text] = n
        hits = 0
        for position in range(start, end):
            unit = first_equal[position]
            is_new: flag = seen[unit] != text + 1
            seen[unit] = text + 1
            ids[n] = unit
            n += is_new
            hits += is_new & (unit < units.reference_end)
        units.fresh[text], units.fresh_hits[text] = n - units.starts[text], hits
        start = end
    units.starts[n_texts] = n
    units.n_reference = units.fresh[0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_sentence(room: OracleRoom, n_texts: i64, least: f64) -> tuple[i64, f64]:
    """Return the first sentence that scores highest with the chosen ones, and its score; 0 if not above ``least``."""
    best: i64 = 0
    for text in range(1, n_texts):
        total = f_with(room.unigrams, text) + f_with(room.bigrams, text)  # a chosen sentence adds nothing
        if total > least:
            best, least = text, total
    return best, least


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def f_with(units: UnitSets, text: i64) -> f64:
    """Return F of the chosen sentences and one more, by PreSumm's operations in the same order."""
    hits: f64 = units.n_hits + units.fresh_hits[text]
    if hits == 0:
        return 0
    precision = hits / (units.n_covered + units.fresh[text])
    recall = hits / units.n_reference
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cover(units: UnitSets, sentence: i64, n_texts: i64) -> cython.void:
    """Add a sentence to the chosen ones."""
    ids: p_i32 = units.ids
    seen: p_i32 = units.seen
    units.n_covered += units.fresh[sentence]
    units.n_hits += units.fresh_hits[sentence]
    for position in range(units.starts[sentence], units.starts[sentence + 1]):
        seen[ids[position]] = -1
    for text in range(1, n_texts):
        fresh: i64 = 0
        hits: i64 = 0
        for position in range(units.starts[text], units.starts[text + 1]):
            is_fresh: flag = seen[ids[position]] >= 0
            fresh += is_fresh
            hits += is_fresh & (ids[position] < units.reference_end)
        units.fresh[text], units.fresh_hits[text] = fresh, hits
