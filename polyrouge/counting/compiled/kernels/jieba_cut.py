"""Cut texts as jieba 0.42.1's ``cut``, by the same float64 operations in the same order; and make tokens of its words.

A text is cut in one go: characters outside jieba's block class have the code 0, at which no word continues and the
route starts anew. Ties are frequent and part of the result: the route takes the longest of equals, the HMM the state
with the greater letter. So no part may be compiled with ``-ffast-math`` or fused products.

No processor predicts whether two characters begin a word, or which word the route takes: a branch costs more than the
look-up. So words of one to three characters are looked up and compared everywhere, and masks choose among them.
"""

import cython

# Pointers into ``jieba_tables.JiebaTables``.
Dictionary = cython.struct(
    code_of=pc_u16,
    units=pc_u64,
    weights=pc_f64,  # [0] is of no word: minus infinity; the last is of freq 1
    n_weights=i64,
    emissions=pc_f64,  # four a code
    hmm=pc_f64,
    deleted=pc_u8,
    n_deleted=i64,
    use_hmm=flag,
)


@cython.cclass
class CuttingRoom(Room):
    """Hold arrays for cutting one text; by character except for the ends."""

    codes: p_u16
    starts: p_i64  # first byte of the character
    route: p_f64
    lengths: p_i32
    is_single: p_u8
    backs: p_u8
    seconds: p_u32  # slot of the character if a word begins with it and the one before
    pairs: p_u16  # index in the weights of the character and the next; 0 if they are no word
    triples: p_u64  # unit of the character and the next two; 0 if no word begins with them
    ends: p_i64  # where the words end, in bytes

    def __cinit__(self, longest: cython.longlong):
        """Make arrays for texts of ``longest`` bytes."""
        self.codes = cython.cast(p_u16, self.zeros(longest + 3, 2))
        self.starts = cython.cast(p_i64, self.zeros(longest + 3, 8))
        self.route = cython.cast(p_f64, self.zeros(longest + 3, 8))
        self.lengths = cython.cast(p_i32, self.zeros(longest + 3, 4))
        self.is_single = cython.cast(p_u8, self.zeros(longest + 3, 1))
        self.backs = cython.cast(p_u8, self.zeros(longest + 3, 1))
        self.seconds = cython.cast(p_u32, self.zeros(longest + 3, 4))
        self.pairs = cython.cast(p_u16, self.zeros(longest + 3, 2))
        self.triples = cython.cast(p_u64, self.zeros(longest + 3, 8))
        self.ends = cython.cast(p_i64, self.zeros(longest + 1, 8))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def decode_text(data: pc_u8, position: i64, end: i64, words: Dictionary, room: CuttingRoom) -> i64:
    """Write the code and first byte of each character; a line break of two is one character. Return their number."""
    code_of: pc_u16 = words.code_of
    units: pc_u64 = words.units
    codes: p_u16 = room.codes
    starts: p_i64 = room.starts
    seconds: p_u32 = room.seconds
    n: i64 = 0
    base: u64 = 0
    byte: i32
    code: u64
    while position < end:
        byte = data[position]
        starts[n] = position
        if byte >= 0xE0 and byte < 0xF0:
            code = code_of[(byte & 15) << 12 | (data[position + 1] & 63) << 6 | data[position + 2] & 63]
            position += 3
        elif byte < 0x80:
            code = code_of[byte]
            position += 1
            if byte == 13 and position < end and data[position] == 10:
                position += 1
        else:
            code = 0
            position += 2 if byte < 0xE0 else 4
        codes[n] = code
        seconds[n] = base + code
        prefetch(units + base + code)
        base = units[code] >> 16 & 0xFFFFFF
        n += 1
    starts[n] = end
    codes[n] = codes[n + 1] = codes[n + 2] = 0  # find_route reads three at once
    seconds[n] = base
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_route(n: i64, words: Dictionary, room: CuttingRoom) -> cython.void:
    """Find the best path from each of n characters, from the last to the first: ``get_DAG`` and ``calc``."""
    codes: p_u16 = room.codes
    units: pc_u64 = words.units
    weights: pc_f64 = words.weights
    route: p_f64 = room.route
    seconds: p_u32 = room.seconds
    pairs: p_u16 = room.pairs
    triples: p_u64 = room.triples
    most_single: u64 = 0xFFFF if words.use_hmm else LAST_ALNUM  # codes whose single characters are joined
    lengths: p_i32 = room.lengths
    is_single: p_u8 = room.is_single
    code: u64
    second: u64
    third: u64
    ahead: i64
    length: i64
    is_longer: i64
    r1: f64 = 0.0  # of the next three characters
    r2: f64 = 0.0
    r3: f64 = 0.0
    # The dictionary exceeds the near caches, so words of two and three are looked up for all characters first:
    # no look-up waits for another or for a branch.
    for k in range(n):
        second = seconds[k + 1]
        unit = units[second]
        unit &= cython.cast(u64, unit >> 40 != codes[k]) - 1  # 0 if the slot has another node's child
        pairs[k] = unit & 0xFFFF
        third = (unit >> 16 & 0xFFFFFF) + codes[k + 2]
        unit = units[third]
        triples[k] = unit & cython.cast(u64, unit >> 40 != second) - 1
    no_word: f64 = weights[0]
    unknown: f64 = weights[words.n_weights - 1]
    route[n] = route[n + 1] = route[n + 2] = 0.0
    is_single[n] = False
    for k in range(n - 1, -1, -1):
        code = codes[k]
        unit = triples[k]
        v2 = weights[pairs[k]] + r2
        v3 = weights[unit & 0xFFFF] + r3
        v = v2 if v2 > v3 else v3
        length = 2 + (v3 >= v2)  # the longest of equals: max((value, x))
        if unit >> 16 & 0xFFFFFF != 0:
            slot = (units[seconds[k + 1]] >> 16 & 0xFFFFFF) + codes[k + 2]
            ahead = 3
            while True:
                next_slot = (unit >> 16 & 0xFFFFFF) + codes[k + ahead]
                unit = units[next_slot]
                if unit >> 40 != slot:
                    break
                slot = next_slot
                ahead += 1
                weight_index = unit & 0xFFFF
                if weight_index != 0:
                    value = weights[weight_index] + route[k + ahead]
                    if value >= v:
                        v = value
                        length = ahead
        v1 = weights[units[code] & 0xFFFF] + r1
        is_longer = v >= v1
        r3 = r2
        r2 = r1
        r1 = v1 if v1 > v else v
        if r1 == no_word:
            is_longer = 0
            r1 = 0.0 if code == 0 else unknown + r2
        route[k] = r1
        lengths[k] = 1 + (length - 1 & -is_longer)
        is_single[k] = (code - 1 < most_single) & (is_longer ^ 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slot_of_word(codes: p_u16, start: i64, end: i64, units: pc_u64) -> u64:
    """Return the slot of codes[start:end] in the trie; 0, which no word has, if it is missing."""
    slot: u64 = codes[start]
    for i in range(start + 1, end):
        next_slot = (units[slot] >> 16 & 0xFFFFFF) + codes[i]
        if units[next_slot] >> 40 != slot:
            return 0
        slot = next_slot
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_run(start: i64, end: i64, words: Dictionary, room: CuttingRoom, n_words: i64) -> i64:
    """Cut Han characters by Viterbi, as ``finalseg.__cut``; return the new number of words."""
    codes: p_u16 = room.codes
    starts: p_i64 = room.starts
    ends: p_i64 = room.ends
    backs: p_u8 = room.backs
    emissions: pc_f64 = words.emissions
    hmm: pc_f64 = words.hmm
    state: i32
    back: i32
    if end - start == 1:
        ends[n_words] = starts[end]
        return n_words + 1
    emission: pc_f64 = emissions + 4 * codes[start]
    b: f64 = hmm[0] + emission[0]
    m: f64 = hmm[1] + emission[1]
    e: f64 = hmm[2] + emission[2]
    s: f64 = hmm[3] + emission[3]
    for t in range(start + 1, end):
        emission = emissions + 4 * codes[t]
        b_of_e: f64 = e + hmm[4] + emission[0]
        b_of_s: f64 = s + hmm[5] + emission[0]
        m_of_b: f64 = b + hmm[6] + emission[1]
        m_of_m: f64 = m + hmm[7] + emission[1]
        e_of_b: f64 = b + hmm[8] + emission[2]
        e_of_m: f64 = m + hmm[9] + emission[2]
        s_of_e: f64 = e + hmm[10] + emission[3]
        s_of_s: f64 = s + hmm[11] + emission[3]
        # Of equals the state with the greater letter.
        b_back: u8 = b_of_s >= b_of_e
        m_back: u8 = m_of_m >= m_of_b
        e_back: u8 = e_of_m >= e_of_b
        s_back: u8 = s_of_s >= s_of_e
        b = b_of_s if b_back else b_of_e
        m = m_of_m if m_back else m_of_b
        e = e_of_m if e_back else e_of_b
        s = s_of_s if s_back else s_of_e
        backs[t] = b_back | m_back << 1 | e_back << 2 | s_back << 3
    # Back along the path: backs[t] becomes whether a word ends at t. States: 0 B, 1 M, 2 E, 3 S.
    state = 3 if s >= e else 2
    backs[start] = 0
    for t in range(end - 1, start - 1, -1):
        back = (backs[t] >> state) & 1
        backs[t] = state >= 2
        if state == 0 or state == 3:
            state = 3 if back else 2
        else:
            state = 1 if back else 0
    begin = start
    for t in range(start, end):
        if words.n_deleted and backs[t]:
            if words.deleted[slot_of_word(codes, begin, t + 1, words.units)]:
                for i in range(begin, t):
                    ends[n_words] = starts[i + 1]
                    n_words += 1
            begin = t + 1
        ends[n_words] = starts[t + 1]
        n_words += backs[t]
    return n_words


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_singles(start: i64, end: i64, words: Dictionary, room: CuttingRoom, n_words: i64) -> i64:
    """Cut a run of at least two single characters as ``__cut_DAG`` does, or by ``finalseg.cut``."""
    codes: p_u16 = room.codes
    starts: p_i64 = room.starts
    ends: p_i64 = room.ends
    if words.units[slot_of_word(codes, start, end, words.units)] & 0xFFFF != 0:
        for i in range(start, end):
            ends[n_words] = starts[i + 1]
            n_words += 1
        return n_words
    i = start
    while i < end:
        first = i
        if codes[i] >= FIRST_HAN:
            while i < end and codes[i] >= FIRST_HAN:
                i += 1
            n_words = cut_run(first, i, words, room, n_words)
            continue
        if codes[i] <= LAST_ALNUM:  # [a-zA-Z0-9]+(?:\.\d+)?%?
            while i < end and codes[i] <= LAST_ALNUM:
                i += 1
            if i + 1 < end and codes[i] == CODE_OF_DOT and codes[i + 1] <= LAST_DIGIT:
                i += 2
                while i < end and codes[i] <= LAST_DIGIT:
                    i += 1
            if i < end and codes[i] == CODE_OF_PERCENT:
                i += 1
        else:
            while i < end and codes[i] > LAST_ALNUM and codes[i] < FIRST_HAN:
                i += 1
        ends[n_words] = starts[i]
        n_words += 1
    return n_words


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_text(data: pc_u8, start: i64, end: i64, words: Dictionary, room: CuttingRoom) -> i64:
    """Write where the words of a text end, as ``__cut_DAG`` or ``__cut_DAG_NO_HMM``; return their number."""
    n: i64 = decode_text(data, start, end, words, room)
    n_words: i64 = 0
    x: i64 = 0
    lengths: p_i32 = room.lengths
    is_single: p_u8 = room.is_single
    find_route(n, words, room)
    while x < n:
        y = x + lengths[x]
        if is_single[x] & is_single[y]:
            while is_single[y]:
                y += 1
            if words.use_hmm:
                n_words = cut_singles(x, y, words, room, n_words)
                x = y
                continue
        room.ends[n_words] = room.starts[y]
        n_words += 1
        x = y
    return n_words


@cython.cfunc
def dictionary_of(tables: object, use_hmm: flag) -> Dictionary:
    """Make the dictionary of ``JiebaTables``, which must outlive it; use_hmm guesses words missing in dictionaries."""
    words: Dictionary
    code_of: cython.const[u16][::1] = tables.codes
    units: cython.const[u64][::1] = tables.units
    weights: cython.const[f64][::1] = tables.weights
    emissions: cython.const[f64][:, ::1] = tables.emissions
    hmm: cython.const[f64][::1] = tables.hmm
    deleted: cython.const[u8][::1] = tables.deleted.view(np.uint8)
    is_cut = code_of.shape[0] == 0x10000 and emissions.shape[1] == 4 and hmm.shape[0] == 12 and weights.shape[0] >= 2
    if not is_cut or units.shape[0] < emissions.shape[0] or deleted.shape[0] not in (0, units.shape[0]):
        raise ValueError("these are no tables of jieba_tables")
    words.code_of, words.units = cython.address(code_of[0]), cython.address(units[0])
    words.weights, words.n_weights = cython.address(weights[0]), weights.shape[0]
    words.emissions, words.hmm = cython.address(emissions[0, 0]), cython.address(hmm[0])
    words.deleted, words.n_deleted = cython.address(deleted[0]), deleted.shape[0]
    words.use_hmm = use_hmm
    return words


def word_ends(
    data: cython.const[u8][::1],  # valid UTF-8, one text after the other
    offsets: cython.const[i64][::1],  # int64[n_texts + 1], where each text begins in data
    tables: object,
    use_hmm: cython.bint,
):
    """Return where jieba's words end in data, int64[n_words], and the texts' offsets in them, int64[n_texts + 1]."""
    n_texts: i64 = offsets.shape[0] - 1
    room = CuttingRoom(longest_stretch(offsets, data.shape[0]))
    words: Dictionary = dictionary_of(tables, use_hmm)
    all_ends = np.empty(offsets[n_texts] - offsets[0] + 1, np.int64)
    all_text_words = np.zeros(n_texts + 1, np.int64)
    ends: i64[::1] = all_ends
    text_words: i64[::1] = all_text_words
    n: i64 = 0
    with cython.nogil:
        for text in range(n_texts):
            n_words = cut_text(cython.address(data[0]), offsets[text], offsets[text + 1], words, room)
            copy_bytes(cython.address(ends[0]) + n, room.ends, n_words * cython.sizeof(i64))
            n += n_words
            text_words[text + 1] = n
    return all_ends[:n], all_text_words


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def point_of_three(data: pc_u8, start: i64) -> i64:
    """Return the code point of three bytes."""
    return cython.cast(i64, data[start] & 15) << 12 | (data[start + 1] & 63) << 6 | data[start + 2] & 63


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_token(source: Source, words: Vocabulary, start: i64, end: i64, n: i64) -> cython.void:
    """Write a token after n others."""
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    key: p_u64 = words.keys + 2 * n
    first: u64
    second: u64
    words.bounds[2 * n] = start
    words.bounds[2 * n + 1] = end
    if end - start == 3 and data[start] >= 0xE0:
        key[0] = key_of_point(points[point_of_three(data, start)])
        key[1] = 0
    elif end - start == 6 and data[start] >= 0xE0 and data[start + 3] >= 0xE0:  # like most words: two Han characters
        first, second = points[point_of_three(data, start)] >> LOWER, points[point_of_three(data, start + 3)] >> LOWER
        key[0] = first | second << BITS_OF_POINT | FEW_POINTS
        key[1] = cython.cast(u64, 2) << 2 * BITS_OF_POINT
    else:
        key_of_any(data, points, start, end, key)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_words(
    source: Source, text: i64, ends: p_i64, n_words: i64, words: Vocabulary, n_before: i64
) -> tuple[i64, i64]:
    """``scan`` a text by its words: each word with a character that is no SEPARATOR is a token."""
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    cut: i64 = source.cut
    n: i64 = 0
    n_breaks: i64 = 0
    is_new: flag = True
    is_token: flag
    start: i64 = text
    end: i64
    position: i64
    point: i64
    entry: i32
    for word in range(n_words):
        end = ends[word]
        is_token = False
        if cut == CHINESE and end - start == 1:
            entry = points[data[start]]
            is_token = entry & CLASS != SEPARATOR
            is_new |= entry & ENDS_SENTENCE != 0
            is_new |= ends_between_han(data, text, start, ends[n_words - 1])
        elif end - start == 3 and data[start] >= 0xE0:
            entry = points[point_of_three(data, start)]
            is_token = entry & CLASS != SEPARATOR
            is_new |= cut == CHINESE and entry & ENDS_SENTENCE != 0
        elif data[end - 1] == NEWLINE:
            is_new |= cut != WHOLE
        elif data[start] >= 0xE0 and end - start > 4:  # several characters of the block class, so Han
            is_token = True
        else:
            position = start
            while position < end and not is_token:
                point, position = decode(data, position)
                is_token = points[point] & CLASS != SEPARATOR
        if is_token:
            words.breaks[n_breaks] = n
            n_breaks += is_new
            is_new = False
            write_token(source, words, start, end, n_before + n)
            n += 1
        start = end
    return n, n_breaks
