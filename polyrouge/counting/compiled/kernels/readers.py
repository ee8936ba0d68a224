"""From the texts of a sample to ids of tokens: texts laid down one behind the other, scanned, and numbered.

A text is laid down as its tokenizer takes it: as it is, or with a blank between characters or jieba's words. A
*scanner* then writes down where tokens begin and end, their keys, and with which tokens sentences begin. Beside those
of ``scan.py`` and ``jieba_cut.py`` there are four of single tools.
"""

import cython

Reader = cython.struct(
    source=Source,
    rule=i64,  # which scanner: SCANS ... EVERY_CHARACTER
    segment=i64,  # where blanks are put: AS_IT_IS ... WORDS_BUT_SPACES
    jieba=Dictionary,
    checks_case=flag,  # a text with a letter of ``LOWERED_BEFORE`` is left to Python
    drops_letters=flag,
)


@cython.cclass
class CountingRoom:
    """Arrays for counting two texts, as large as the largest so far; by ids and by tokens."""

    n_ids: i64
    longest: i64
    grams: NgramRoom
    lcs: LcsRoom
    skips: SkipRoom
    weighted: WeightedRoom
    f: f64[::1]
    n_f: i64

    def __cinit__(self):
        self.n_ids = self.longest = self.n_f = -1


@cython.cclass
class ReadingRoom:
    """Arrays for the texts of one sample."""

    capacity: i64  # bytes
    n_texts: i64
    memory: StemMemory
    words: Vocabulary
    cutting: CuttingRoom
    arrays: Room
    data: p_u8
    ids: p_u32
    n_ids: i64  # of a sample, and its longest text, where the counting room must grow
    longest: i64
    text_bytes: p_i64  # offsets of the texts in data
    text_tokens: p_i64  # offsets of the texts in ids
    sentences: p_i64  # offsets of the sentences in ids
    text_sentences: p_i64  # offsets of the texts in the sentences
    counting: CountingRoom

    def __cinit__(
        self, capacity: cython.longlong, n_texts: cython.longlong, memory: StemMemory | None, cuts: cython.bint
    ):
        # An empty text may have a token, and where a blank is put between characters, each blank may make two.
        most: i64 = 2 * capacity + n_texts
        self.capacity, self.n_texts = capacity, n_texts
        self.memory = memory
        self.words = Vocabulary(most, memory is not None)
        self.cutting = CuttingRoom(capacity if cuts else 0)
        self.arrays = Room()
        self.data = cython.cast(p_u8, self.arrays.zeros(2 * capacity + BEHIND_PAIR, 1))
        self.ids = cython.cast(p_u32, self.arrays.zeros(most, 4))
        self.sentences = cython.cast(p_i64, self.arrays.zeros(most + 1, 8))
        self.text_bytes = cython.cast(p_i64, self.arrays.zeros(n_texts + 1, 8))
        self.text_tokens = cython.cast(p_i64, self.arrays.zeros(n_texts + 1, 8))
        self.text_sentences = cython.cast(p_i64, self.arrays.zeros(n_texts + 1, 8))
        self.counting = CountingRoom()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lay_down(reader: cython.pointer[Reader], text: pc_u8, n: i64, into: p_u8, cutting: CuttingRoom) -> i64:
    """Write a text as its tokenizer takes it; return how many bytes that is."""
    points: pc_i32 = reader[0].source.points
    start: i64 = 0
    out: i64 = 0
    end: i64
    if reader[0].segment == AS_IT_IS:
        copy_bytes(into, text, n)
        return n
    if reader[0].segment == CHARACTERS or reader[0].segment == VISIBLE_CHARACTERS:
        while start < n:
            point, end = decode(text, start)
            if reader[0].segment == CHARACTERS or points[point] & CLASS != SEPARATOR:
                while start < end:
                    into[out] = text[start]
                    start += 1
                    out += 1
                into[out] = 32
                out += 1
            start = end
        return max(0, out - 1)
    n_words = cut_text(text, 0, n, reader[0].jieba, cutting)
    for word in range(n_words):
        end = cutting.ends[word]
        size = end - start
        if reader[0].segment == WORDS or size != 1 or text[start] != 32:
            if size <= 8 and start + 8 <= n:
                copy_bytes(into + out, text + start, 8)  # one instruction; what is too much is overwritten
            else:
                copy_bytes(into + out, text + start, size)
            into[out + size] = 32
            out += size + 1
        start = end
    return max(0, out - 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def write_piece(source: Source, words: Vocabulary, start: i64, end: i64, is_word: flag, n: i64) -> cython.void:
    """Write down a token; ``is_word`` if it is ASCII letters and digits, or any ASCII where case is a difference."""
    if is_word:
        words.bounds[2 * n], words.bounds[2 * n + 1] = start, end
        key_of_ascii(source.data, start, end, source.fold, words.keys + 2 * n)
    elif start == end:
        words.bounds[2 * n] = words.bounds[2 * n + 1] = start
        words.keys[2 * n] = words.keys[2 * n + 1] = 0
    else:
        write_token(source, words, start, end, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_of_word(data: pc_u8, place: i64, end: i64) -> i64:
    """Behind the ASCII letters and digits that begin at a place; eight bytes behind the end are looked at."""
    others: u64
    while place < end:
        others = word_bytes(load_eight(data, place)) ^ HIGH_BITS
        if others != 0:
            return min(end, place + (ctz(others) >> 3))
        place += 8
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_pltrdy(source: Source, place: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for pltrdy's rouge: full stops cut pieces, blanks words; a piece of blanks only is an empty token."""
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    n: i64 = 0
    n_breaks: i64 = 0
    piece: i64 = place
    is_new: flag = True
    is_word: flag
    byte: u8
    behind: i64 = place
    start: i64
    point: i64
    while True:
        if place >= end or data[place] == 46:
            if is_new and place > piece:
                words.breaks[n_breaks] = n
                n_breaks += 1
                write_piece(source, words, place, place, False, n_before + n)
                n += 1
            is_new = True
            place += 1
            piece = place
            if place > end:
                return n, n_breaks
            continue
        start = place
        place = end_of_word(data, place, end)
        is_word = place > start
        while place < end:
            byte = data[place]
            if byte == 46:
                break
            if byte < 0x80:
                if points[byte] & CLASS == SEPARATOR:
                    break
                is_word = is_word and source.fold == 0 and byte != 0
                place += 1
            else:
                is_word = False
                point, behind = decode(data, place)
                if points[point] & CLASS == SEPARATOR:
                    break
                place = behind
        if place > start:
            words.breaks[n_breaks] = n
            n_breaks += is_new
            is_new = False
            write_piece(source, words, start, place, is_word, n_before + n)
            n += 1
        elif data[place] < 0x80:  # a blank
            place += 1
        else:
            place = behind


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_mark(point: i64) -> flag:
    """Any of rouge_chinese's sentence marks of one character."""
    return point == 0x3002 or point == 0xFF01 or point == 0xFF1F or point == 63


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_quote(point: i64) -> flag:
    """What may close a quotation."""
    return point == 0x201D or point == 0x2019


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_rouge_chinese(source: Source, place: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for rouge_chinese: blanks cut words; a line of blanks only, but the last, is an empty token.

    Lines end at line breaks, and where the tool's four patterns put some (``break_chinese_lines``). Each pattern goes
    on behind what it has matched; what the others put in is never part of a match.
    """
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    n: i64 = 0
    n_empty: i64 = 0  # lines of blanks, which are tokens if a word follows
    start: i64 = -1  # of the word at hand
    cut_at: i64 = -1  # a line ends there
    behind_mark: i64 = place  # where each pattern may match next
    behind_dots: i64 = place
    behind_ellipsis: i64 = place
    behind_quote: i64 = place
    n_dots: i64 = 0  # up to here
    has_blank: flag = False  # in the line, which has no word
    has_word: flag = False
    is_word: flag = True  # the word is ASCII
    point: i64
    there: i64
    behind: i64
    after: i64
    known: i32
    byte: u8
    while True:
        if place == cut_at or place >= end:
            if start >= 0:
                write_piece(source, words, start, place, is_word, n_before + n)
                n += 1
                start = -1
            if place >= end:
                words.breaks[0] = 0
                return n, n > 0
            n_empty += has_blank and not has_word
            has_blank = has_word = False
        byte = data[place]
        if start < 0 and byte < 0x80:
            behind = end_of_word(data, place, end)
            if behind > place:  # letters and digits are in no pattern, but for the character behind a mark
                while n_empty > 0:
                    write_piece(source, words, place, place, False, n_before + n)
                    n += 1
                    n_empty -= 1
                start, is_word, has_word = place, True, True
                n_dots = 0
                place = behind
                continue
        point, behind = decode(data, place)
        if 0x3400 <= point <= 0x9FFF:
            known = WORD
            n_dots = 0
        else:
            known = points[point] & CLASS
            n_dots = n_dots + 1 if point == 46 else 0
            if is_mark(point):
                if behind < end:
                    there, after = decode(data, behind)
                    if not is_quote(there):
                        if place >= behind_mark:
                            cut_at, behind_mark = behind, after
                    elif place >= behind_quote and after < end:
                        there, behind_there = decode(data, after)
                        if there != 0xFF0C and not (is_mark(there)):
                            cut_at, behind_quote = after, behind_there
            elif point == 0x2026:
                if place >= behind_ellipsis and behind + 3 < end and decode(data, behind)[0] == 0x2026:
                    there, after = decode(data, behind + 3)
                    if not is_quote(there):
                        cut_at, behind_ellipsis = behind + 3, after
            elif n_dots >= 6 and place - 5 >= behind_dots and behind < end:
                there, after = decode(data, behind)
                if not is_quote(there):
                    cut_at, behind_dots = behind, after
        if known != SEPARATOR:
            if start < 0:
                while n_empty > 0:
                    write_piece(source, words, place, place, False, n_before + n)
                    n += 1
                    n_empty -= 1
                start, is_word, has_word = place, True, True
            is_word = is_word and source.fold == 0 and point < 0x80 and point != 0
            place = behind
            continue
        if start >= 0:
            write_piece(source, words, start, place, is_word, n_before + n)
            n += 1
            start = -1
        if point == NEWLINE:
            n_empty += has_blank and not has_word
            has_blank = has_word = False
        else:
            has_blank = True
        place = behind


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_single_spaces(source: Source, place: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for pycocoevalcap: each single space cuts, so some tokens are empty, and there is always one."""
    data: pc_u8 = source.data
    n: i64 = 0
    start: i64
    is_word: flag
    while True:
        start = place
        place = end_of_word(data, place, end)
        is_word = place > start
        while place < end and data[place] != 32:
            is_word = is_word and source.fold == 0 and data[place] < 0x80 and data[place] != 0
            place += 1
        write_piece(source, words, start, place, is_word, n_before + n)
        n += 1
        if place >= end:
            words.breaks[0] = 0
            return n, 1
        place += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_every_character(source: Source, place: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for lawrouge: each code point is a token, but for U+3002, which ends sentences."""
    data: pc_u8 = source.data
    n: i64 = 0
    n_breaks: i64 = 0
    is_new: flag = True
    start: i64
    while place < end:
        start = place
        point, place = decode(data, place)
        if point == 0x3002:
            is_new = True
            continue
        words.breaks[n_breaks] = n
        n_breaks += is_new
        is_new = False
        words.bounds[2 * (n_before + n)], words.bounds[2 * (n_before + n) + 1] = start, place
        words.keys[2 * (n_before + n)] = key_of_point(source.points[point])
        words.keys[2 * (n_before + n) + 1] = 0
        n += 1
    return n, n_breaks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_by_rule(
    reader: cython.pointer[Reader], room: ReadingRoom, start: i64, end: i64, n_before: i64
) -> tuple[i64, i64]:
    """Scan a text that is laid down."""
    if reader[0].rule == JIEBA_WORDS:
        n = cut_text(reader[0].source.data, start, end, reader[0].jieba, room.cutting)
        return scan_words(reader[0].source, start, room.cutting.ends, n, room.words, n_before)
    if reader[0].rule == PLTRDY:
        return scan_pltrdy(reader[0].source, start, end, room.words, n_before)
    if reader[0].rule == ROUGE_CHINESE:
        return scan_rouge_chinese(reader[0].source, start, end, room.words, n_before)
    if reader[0].rule == SINGLE_SPACES:
        return scan_single_spaces(reader[0].source, start, end, room.words, n_before)
    if reader[0].rule == EVERY_CHARACTER:
        return scan_every_character(reader[0].source, start, end, room.words, n_before)
    return scan(reader[0].source, start, end, room.words, n_before)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_odd_case(data: pc_u8, n: i64) -> flag:
    """Whether a letter of ``LOWERED_BEFORE`` is there: U+0130, U+03A3, U+212A; two bytes more are looked at."""
    has: u8 = 0
    for place in range(n):
        has |= (data[place] == 0xC4) & (data[place + 1] == 0xB0)
        has |= (data[place] == 0xCE) & (data[place + 1] == 0xA3)
        has |= (data[place] == 0xE2) & (data[place + 1] == 0x84) & (data[place + 2] == 0xAA)
    return has != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_hangul(data: pc_u8, n: i64) -> flag:
    """Whether a syllable of Korean is there, U+AC00-D7A3; one byte more is looked at."""
    has: u8 = 0
    for place in range(n):
        has |= (data[place] == 0xEB) | (data[place] == 0xEC) | ((data[place] == 0xEA) & (data[place + 1] >= 0xB0))
        has |= (data[place] == 0xED) & (data[place + 1] < 0x9F)
    return has != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_texts(
    reader: cython.pointer[Reader],
    room: ReadingRoom,
    texts: cython.pointer[pc_char],
    sizes: p_i64,
    n_texts: i64,
    flags: p_u8,
) -> i64:
    """Read the texts of one sample; ``flags`` takes what is to be known of each.

    Returns how many ids there are, -1 without memory, or -2 where Python's function has failed.
    """
    data: p_u8 = room.data
    place: i64 = 0
    n: i64 = 0
    n_sentences: i64 = 0
    end: i64
    reader[0].source.data = data
    room.text_bytes[0] = room.text_tokens[0] = room.text_sentences[0] = 0
    for text in range(n_texts):
        end = place + lay_down(reader, cython.cast(pc_u8, texts[text]), sizes[text], data + place, room.cutting)
        fill_bytes(data + end, 0, BEHIND_PAIR)
        reader[0].source.n_data = end + BEHIND_PAIR
        flags[text] = 0
        if not is_ascii(data + place, end - place):
            if reader[0].checks_case and has_odd_case(data + place, end - place):
                flags[text] |= HAS_ODD_CASE
            if reader[0].drops_letters and letter_balance(data, place, end) < 0:
                flags[text] |= LOSES_LETTERS
            flags[text] |= oddness_of(data + place, end - place)
            if has_hangul(data + place, end - place):
                flags[text] |= HAS_HANGUL
        n_here, n_breaks = scan_by_rule(reader, room, place, end, n)
        for each in range(n_breaks):
            room.sentences[n_sentences + each] = n + room.words.breaks[each]
        n += n_here
        n_sentences += n_breaks
        if n_here == 0:
            flags[text] |= HAS_NO_TOKEN
        if n_breaks > 1:
            flags[text] |= HAS_SENTENCES
        room.text_tokens[text + 1], room.text_sentences[text + 1] = n, n_sentences
        place = room.text_bytes[text + 1] = end
    room.sentences[n_sentences] = n
    n_ids = number_tokens(reader[0].source, room.words, n, room.memory, room.ids)
    if n_ids >= 0 and room.memory is not None and room.memory.rewrite is not None:
        leave_out(room, n, n_texts, n_sentences)
    return n_ids


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leave_out(room: ReadingRoom, n: i64, n_texts: i64, n_sentences: i64) -> cython.void:
    """Leave out the tokens that have no id, as stop words."""
    before: p_i32 = room.words.odd  # how many stay before each token
    bounds: p_u64 = room.words.bounds
    kept: i64 = 0
    for token in range(n):
        before[token] = kept
        room.ids[kept] = room.ids[token]
        bounds[2 * kept], bounds[2 * kept + 1] = bounds[2 * token], bounds[2 * token + 1]
        kept += room.words.firsts[token] >= 0
    before[n] = kept
    for text in range(n_texts + 1):
        room.text_tokens[text] = before[room.text_tokens[text]]
    for sentence in range(n_sentences + 1):
        room.sentences[sentence] = before[room.sentences[sentence]]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def size_of_point(lead: u8) -> i64:
    """How many bytes a code point has, by its first."""
    return 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_spans(room: ReadingRoom, text: i64, given: pc_u8, n_given: i64, spans: p_i32) -> cython.void:
    """For each token of a text that was read, its first character in the text as given, and the one behind its last.

    A blank that was put in stands behind the character before it, an empty token behind the token before it.
    """
    data: pc_u8 = room.data
    bounds: p_u64 = room.words.bounds
    place: i64 = room.text_bytes[text]
    byte: i64 = 0  # in the text as given
    point: i64 = 0  # characters before that
    first: i64
    start: i64
    end: i64
    behind: i64 = 0  # the last token
    n: i64 = 0
    for token in range(room.text_tokens[text], room.text_tokens[text + 1]):
        start, end = bounds[2 * token], bounds[2 * token + 1]
        first = -1 if start < end else behind
        while place < end:
            size = size_of_point(data[place])
            is_given: flag = byte + size <= n_given
            for each in range(size if is_given else 0):
                is_given = is_given and given[byte + each] == data[place + each]
            if not is_given and data[place] != 32 and byte < n_given:  # left out
                byte += size_of_point(given[byte])
                point += 1
                continue
            if first < 0 and place >= start:
                first = point
            place += size
            if is_given:
                byte += size
                point += 1
        if start < end:
            behind = point
        spans[2 * n], spans[2 * n + 1] = first, behind
        n += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_ascii(data: pc_u8, n: i64) -> flag:
    """Whether the first n bytes are ASCII; bytes behind them are 0."""
    high: u64 = 0
    for place in range(0, n, 8):
        high |= load_eight(data, place)
    return high & HIGH_BITS == 0
