"""From the texts of a sample to ids of tokens: texts are written one after the other, scanned, and numbered.

A text is written as its tokenizer takes it: unchanged, or with a blank between characters or jieba's words. A *scanner*
then finds where tokens begin and end, their keys, and the first token of each sentence. Four scanners serve single
tools; the others are in ``scan.py`` and ``jieba_cut.py``.
"""

import cython

Reader = cython.struct(
    source=Source,
    rule=i64,  # which scanner: SCANS ... EVERY_CHARACTER
    segment=i64,  # where blanks are put: AS_IT_IS ... WORDS_BUT_SPACES
    jieba=Dictionary,
    drops_letters=flag,
)


@cython.cclass
class CountingRoom:
    """Hold arrays for counting two texts, as large as the largest so far in ids and in tokens."""

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
    """Hold arrays for the texts of one sample."""

    capacity: i64  # bytes
    n_texts: i64
    memory: StemMemory
    words: Vocabulary
    cutting: CuttingRoom
    arrays: Room
    data: p_u8
    ids: p_u32
    n_ids: i64  # of a sample, with its longest text, if the counting room must grow
    longest: i64
    text_bytes: p_i64  # offsets of the texts in data
    text_tokens: p_i64  # offsets of the texts in ids
    sentences: p_i64  # offsets of the sentences in ids
    text_sentences: p_i64  # offsets of the texts in the sentences
    counting: CountingRoom

    def __cinit__(
        self, capacity: cython.longlong, n_texts: cython.longlong, memory: StemMemory | None, cuts: cython.bint
    ):
        # An empty text may have a token, and each blank inserted between characters may make two.
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
def write_text(reader: cython.pointer[Reader], text: pc_u8, n: i64, into: p_u8, cutting: CuttingRoom) -> i64:
    """Write a text as its tokenizer takes it; return the number of bytes."""
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
                copy_bytes(into + out, text + start, 8)  # one instruction; the next word overwrites the surplus
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
    """Write a token; ``is_word`` if it is ASCII letters and digits, or any ASCII where case matters."""
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
def scan_pltrdy(source: Source, position: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for pltrdy's rouge: full stops end pieces, blanks words; a piece of only blanks is an empty token."""
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    n: i64 = 0
    n_breaks: i64 = 0
    piece: i64 = position
    is_new: flag = True
    is_word: flag
    byte: u8
    next_position: i64 = position
    start: i64
    point: i64
    while True:
        if position >= end or data[position] == 46:
            if is_new and position > piece:
                words.breaks[n_breaks] = n
                n_breaks += 1
                write_piece(source, words, position, position, False, n_before + n)
                n += 1
            is_new = True
            position += 1
            piece = position
            if position > end:
                return n, n_breaks
            continue
        start = position
        position = end_of_word(data, position, end)
        is_word = position > start
        while position < end:
            byte = data[position]
            if byte == 46:
                break
            if byte < 0x80:
                if points[byte] & CLASS == SEPARATOR:
                    break
                is_word = is_word and source.fold == 0 and byte != 0
                position += 1
            else:
                is_word = False
                point, next_position = decode(data, position)
                if points[point] & CLASS == SEPARATOR:
                    break
                position = next_position
        if position > start:
            words.breaks[n_breaks] = n
            n_breaks += is_new
            is_new = False
            write_piece(source, words, start, position, is_word, n_before + n)
            n += 1
        elif data[position] < 0x80:  # a blank
            position += 1
        else:
            position = next_position


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_mark(point: i64) -> flag:
    """Say whether a character is one of rouge_chinese's sentence marks."""
    return point == 0x3002 or point == 0xFF01 or point == 0xFF1F or point == 63


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_quote(point: i64) -> flag:
    """Say whether a character may close a quotation."""
    return point == 0x201D or point == 0x2019


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_rouge_chinese(source: Source, position: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for rouge_chinese: blanks end words; a line of only blanks, except the last, is an empty token.

    Lines end at line breaks, and where the tool's four patterns insert some (``break_chinese_lines``). Each pattern
    continues after its last match; a line break that another pattern inserted is never part of a match.
    """
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    n: i64 = 0
    n_empty: i64 = 0  # lines of blanks, which are tokens if a word follows
    start: i64 = -1  # of the current word
    cut_at: i64 = -1  # where a line ends
    next_mark: i64 = position  # where each pattern may match next
    next_dots: i64 = position
    next_ellipsis: i64 = position
    next_quote: i64 = position
    n_dots: i64 = 0  # directly before the position
    has_blank: flag = False  # in the line, which has no word
    has_word: flag = False
    is_word: flag = True  # the word is ASCII
    point: i64
    next_point: i64
    next_position: i64
    after: i64
    point_class: i32
    byte: u8
    while True:
        if position == cut_at or position >= end:
            if start >= 0:
                write_piece(source, words, start, position, is_word, n_before + n)
                n += 1
                start = -1
            if position >= end:
                words.breaks[0] = 0
                return n, n > 0
            n_empty += has_blank and not has_word
            has_blank = has_word = False
        byte = data[position]
        if start < 0 and byte < 0x80:
            next_position = end_of_word(data, position, end)
            if next_position > position:  # no pattern has letters or digits, except after a mark
                while n_empty > 0:
                    write_piece(source, words, position, position, False, n_before + n)
                    n += 1
                    n_empty -= 1
                start, is_word, has_word = position, True, True
                n_dots = 0
                position = next_position
                continue
        if 0xE4 <= byte <= 0xE9:  # U+4000 to U+9FFF: no pattern has them, except after a mark
            while n_empty > 0:
                write_piece(source, words, position, position, False, n_before + n)
                n += 1
                n_empty -= 1
            if start < 0:
                start, has_word = position, True
            is_word = False
            n_dots = 0
            position += 3
            while position < end and position != cut_at and 0xE4 <= data[position] <= 0xE9:
                position += 3
            continue
        point, next_position = decode(data, position)
        if 0x3400 <= point <= 0x9FFF:
            point_class = WORD
            n_dots = 0
        else:
            point_class = points[point] & CLASS
            n_dots = n_dots + 1 if point == 46 else 0
            if is_mark(point):
                if next_position < end:
                    next_point, after = decode(data, next_position)
                    if not is_quote(next_point):
                        if position >= next_mark:
                            cut_at, next_mark = next_position, after
                    elif position >= next_quote and after < end:
                        next_point, after_next = decode(data, after)
                        if next_point != 0xFF0C and not (is_mark(next_point)):
                            cut_at, next_quote = after, after_next
            elif point == 0x2026:
                if position >= next_ellipsis and next_position + 3 < end and decode(data, next_position)[0] == 0x2026:
                    next_point, after = decode(data, next_position + 3)
                    if not is_quote(next_point):
                        cut_at, next_ellipsis = next_position + 3, after
            elif n_dots >= 6 and position - 5 >= next_dots and next_position < end:
                next_point, after = decode(data, next_position)
                if not is_quote(next_point):
                    cut_at, next_dots = next_position, after
        if point_class != SEPARATOR:
            if start < 0:
                while n_empty > 0:
                    write_piece(source, words, position, position, False, n_before + n)
                    n += 1
                    n_empty -= 1
                start, is_word, has_word = position, True, True
            is_word = is_word and source.fold == 0 and point < 0x80 and point != 0
            position = next_position
            continue
        if start >= 0:
            write_piece(source, words, start, position, is_word, n_before + n)
            n += 1
            start = -1
        if point == NEWLINE:
            n_empty += has_blank and not has_word
            has_blank = has_word = False
        else:
            has_blank = True
        position = next_position


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_single_spaces(source: Source, position: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for pycocoevalcap: each single space ends a token, so tokens may be empty, and each text has one."""
    data: pc_u8 = source.data
    n: i64 = 0
    start: i64
    is_word: flag
    while True:
        start = position
        position = end_of_word(data, position, end)
        is_word = position > start
        while position < end and data[position] != 32:
            is_word = is_word and source.fold == 0 and data[position] < 0x80 and data[position] != 0
            position += 1
        write_piece(source, words, start, position, is_word, n_before + n)
        n += 1
        if position >= end:
            words.breaks[0] = 0
            return n, 1
        position += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_every_character(source: Source, position: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for lawrouge: each code point is a token except U+3002, which ends sentences."""
    data: pc_u8 = source.data
    n: i64 = 0
    n_breaks: i64 = 0
    is_new: flag = True
    start: i64
    while position < end:
        start = position
        point, position = decode(data, position)
        if point == 0x3002:
            is_new = True
            continue
        words.breaks[n_breaks] = n
        n_breaks += is_new
        is_new = False
        words.bounds[2 * (n_before + n)], words.bounds[2 * (n_before + n) + 1] = start, position
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
    """Scan a text in the reader's data."""
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
def read_texts(
    reader: cython.pointer[Reader],
    room: ReadingRoom,
    texts: cython.pointer[pc_char],
    sizes: p_i64,
    n_texts: i64,
    flags: p_u8,
) -> i64:
    """Read the texts of one sample, and write the flags of each.

    Returns the number of ids, -1 without memory, or -2 if Python's function has failed.
    """
    data: p_u8 = room.data
    start: i64 = 0
    n: i64 = 0
    n_sentences: i64 = 0
    end: i64
    reader[0].source.data = data
    room.text_bytes[0] = room.text_tokens[0] = room.text_sentences[0] = 0
    for text in range(n_texts):
        end = start + write_text(reader, cython.cast(pc_u8, texts[text]), sizes[text], data + start, room.cutting)
        fill_bytes(data + end, 0, BEHIND_PAIR)
        flags[text] = 0
        if not is_ascii(data + start, end - start):
            flags[text] = character_flags(reader[0].source.points, data + start, end - start)
            if reader[0].drops_letters and letter_balance(data, start, end) < 0:
                flags[text] |= LOSES_LETTERS
        n_tokens, n_breaks = scan_by_rule(reader, room, start, end, n)
        for index in range(n_breaks):
            room.sentences[n_sentences + index] = n + room.words.breaks[index]
        n += n_tokens
        n_sentences += n_breaks
        if n_tokens == 0:
            flags[text] |= HAS_NO_TOKEN
        if n_breaks > 1:
            flags[text] |= HAS_SENTENCES
        room.text_tokens[text + 1], room.text_sentences[text + 1] = n, n_sentences
        start = room.text_bytes[text + 1] = end
    room.sentences[n_sentences] = n
    n_ids = number_tokens(reader[0].source, room.words, n, room.memory, room.ids)
    if n_ids >= 0 and room.memory is not None and room.memory.rewrite is not None:
        drop_unnumbered(room, n, n_texts, n_sentences)
    return n_ids


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def drop_unnumbered(room: ReadingRoom, n: i64, n_texts: i64, n_sentences: i64) -> cython.void:
    """Leave out tokens without an id, such as stop words."""
    before: p_i32 = room.words.odd  # how many tokens are kept before each
    bounds: p_u64 = room.words.bounds
    n_kept: i64 = 0
    for token in range(n):
        before[token] = n_kept
        room.ids[n_kept] = room.ids[token]
        bounds[2 * n_kept], bounds[2 * n_kept + 1] = bounds[2 * token], bounds[2 * token + 1]
        n_kept += room.words.first_equal[token] >= 0
    before[n] = n_kept
    for text in range(n_texts + 1):
        room.text_tokens[text] = before[room.text_tokens[text]]
    for sentence in range(n_sentences + 1):
        room.sentences[sentence] = before[room.sentences[sentence]]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def size_of_point(lead: u8) -> i64:
    """Return the number of bytes of a code point from its first byte."""
    return 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_spans(room: ReadingRoom, text: i64, original: pc_u8, n_original: i64, spans: p_i32) -> cython.void:
    """Write for each token of a text its first character in the original text, and the position after its last.

    An inserted blank has the position after the previous character, an empty token that after the previous token.
    """
    data: pc_u8 = room.data
    bounds: p_u64 = room.words.bounds
    position: i64 = room.text_bytes[text]
    byte: i64 = 0  # in the original text
    point: i64 = 0  # characters before that byte
    first: i64
    start: i64
    end: i64
    last_stop: i64 = 0  # of the previous token
    n: i64 = 0
    for token in range(room.text_tokens[text], room.text_tokens[text + 1]):
        start, end = bounds[2 * token], bounds[2 * token + 1]
        first = -1 if start < end else last_stop
        while position < end:
            size = size_of_point(data[position])
            is_original: flag = byte + size <= n_original
            for offset in range(size if is_original else 0):
                is_original = is_original and original[byte + offset] == data[position + offset]
            if not is_original and data[position] != 32 and byte < n_original:  # left out
                byte += size_of_point(original[byte])
                point += 1
                continue
            if first < 0 and position >= start:
                first = point
            position += size
            if is_original:
                byte += size
                point += 1
        if start < end:
            last_stop = point
        spans[2 * n], spans[2 * n + 1] = first, last_stop
        n += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_ascii(data: pc_u8, n: i64) -> flag:
    """Say whether the first n bytes are ASCII; the bytes after them are 0."""
    high: u64 = 0
    for position in range(0, n, 8):
        high |= load_eight(data, position)
    return high & HIGH_BITS == 0
