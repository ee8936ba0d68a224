"""Find where the tokens of a UTF-8 text begin and end, their keys, and where sentences begin.

One scanner serves the tokenizers ``mixed``, ``ascii``, ``zh_char``, ``char`` and ``space``, which differ only in the
class of each code point. A second one, for texts that are all ASCII, takes 64 bytes at a time.
"""

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def scan(source: Source, position: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """Scan the text data[position:end]; return the numbers of tokens and of sentences.

    Bounds and keys of its tokens follow those of n_before tokens; ``breaks`` gets the first token of each sentence.
    """
    n: i64 = -1
    n_breaks: i64 = 0
    # The second scanner knows one line break, \n; a Chinese sentence ends at \r too.
    is_cut: flag = source.cut == CHINESE
    has_returns: flag = is_cut and find_byte(source.data + position, ord("\r"), end - position) != cython.NULL
    if source.ascii_words and not has_returns:
        n, n_breaks = scan_ascii(source, position, end, words, n_before)
    if n < 0:
        n, n_breaks = scan_any(source, position, end, words, n_before)
    return n, n_breaks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_ascii(source: Source, position: i64, end: i64, into: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` words of letters and digits, with 79 bytes or more after the text; return -1, 0 if it is not ASCII."""
    # Nearly without branches that can't be predicted: word starts and ends are the bits of one number for 64 bytes, and
    # are written eight at a time, however few there are.
    data: pc_u8 = source.data
    fold: u64 = source.fold
    cuts: flag = source.cut != WHOLE
    bounds: p_u64 = into.bounds + 2 * n_before
    keys: p_u64 = into.keys + 2 * n_before
    breaks: p_i64 = into.breaks
    n_edges: i64 = 0
    n_breaks: i64 = 1
    in_word: u64 = 0  # 1: a token continues from the previous 64 bytes
    offset: i64
    breaks[0] = 0
    while position < end:
        classes: ByteClasses = classes_of(data, position)
        words: u64 = classes.words
        high: u64 = classes.high
        lines: u64 = classes.lines if cuts else 0
        if end - position < 64:
            in_text = (cython.cast(u64, 1) << (end - position)) - 1
            words &= in_text
            high &= in_text
            lines &= in_text
        if high != 0:
            return -1, 0
        edges = words ^ ((words << 1 | in_word) & ALL)
        in_word = words >> 63
        while lines != 0:
            up_to = lines ^ (lines - 1)  # includes a token that ends at the break
            following = (n_edges + popcount(edges & up_to)) >> 1
            breaks[n_breaks] = following
            n_breaks += breaks[n_breaks - 1] != following
            lines &= lines - 1
        stop = n_edges + popcount(edges)
        while n_edges < stop:
            for offset in range(8):
                bounds[n_edges + offset] = position + ctz(edges)
                edges &= edges - 1
            n_edges += 8
        n_edges = stop
        position += 64
    if in_word != 0:
        bounds[n_edges] = end
        n_edges += 1
    n: i64 = n_edges >> 1
    n_breaks -= breaks[n_breaks - 1] == n
    for token in range(n):
        key_of_ascii(data, bounds[2 * token], bounds[2 * token + 1], fold, keys + 2 * token)
    return n, n_breaks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_of_word(data: pc_u8, position: i64, end: i64) -> i64:
    """Return the end of the ASCII letters and digits at a position; reads up to eight bytes after ``end``."""
    non_words: u64
    while position < end:
        non_words = word_bytes(load_eight(data, position)) ^ HIGH_BITS
        if non_words != 0:
            return min(end, position + (ctz(non_words) >> 3))
        position += 8
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_any(source: Source, position: i64, end: i64, into: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """Scan any text, code point by code point; see ``scan``."""
    data: pc_u8 = source.data
    points: pc_i32 = source.points
    begins_mark: pc_u8 = source.begins_mark
    cut: i64 = source.cut
    bounds: p_u64 = into.bounds + 2 * n_before
    keys: p_u64 = into.keys + 2 * n_before
    breaks: p_i64 = into.breaks
    text_start: i64 = position
    n: i64 = 0
    n_breaks: i64 = 0
    is_new: flag = True
    has_word: flag
    is_run: flag
    lead: i32
    next_class: i32
    while position < end:
        start = position
        lead = data[position]
        if lead >= 0xE0 and lead < 0xF0:
            # Three bytes, such as nearly all Chinese characters: mostly one token.
            point = decode(data, position)[0]
            entry = points[point]
            if entry & CLASS == SINGLE and (position + 3 >= end or not begins_mark[data[position + 3]]):
                position += 3
                bounds[2 * n] = start
                bounds[2 * n + 1] = position
                keys[2 * n] = key_of_point(entry)
                keys[2 * n + 1] = 0
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += 1
                continue
        if source.ascii_words and lead < 0x80:
            if points[lead] & CLASS == SEPARATOR:
                is_new |= cut != WHOLE and lead == NEWLINE
                if cut == CHINESE:
                    is_new |= points[lead] & ENDS_SENTENCE != 0 or ends_between_han(data, text_start, position, end)
                position += 1
                continue
            position = end_of_word(data, position, end)
            if position >= end or data[position] < 0x80:
                bounds[2 * n] = start
                bounds[2 * n + 1] = position
                key_of_ascii(data, start, position, source.fold, keys + 2 * n)
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += 1
                continue
            position = start
        point, position = decode(data, position)
        entry = points[point]
        point_class = entry & CLASS
        if point_class == SEPARATOR or point_class == INNER or (point_class == MARK and not source.lone_marks):
            is_new |= (cut == CHINESE and entry & ENDS_SENTENCE != 0) or (cut != WHOLE and point == NEWLINE)
            if cut == CHINESE and lead < 0x80:
                is_new |= ends_between_han(data, text_start, start, end)
            continue
        keys[2 * n] = key_of_point(entry)
        keys[2 * n + 1] = 0
        has_word = point_class != RUN_ONLY
        is_run = point_class == WORD or point_class == RUN_ONLY
        if is_run or (point_class == SINGLE and position < end and begins_mark[data[position]]):
            first_stop = stop = position
            while stop < end:
                next_point, stop = decode(data, stop)
                next_class = points[next_point] & CLASS
                if next_class >= INNER:
                    continue
                if next_class != MARK and not (is_run and (next_class == WORD or next_class == RUN_ONLY)):
                    break
                has_word |= next_class != RUN_ONLY
                position = stop
            if not has_word:
                continue
            if position != first_stop:
                key_of_any(data, points, start, position, keys + 2 * n)
        bounds[2 * n] = start
        bounds[2 * n + 1] = position
        breaks[n_breaks] = n
        n_breaks += is_new
        is_new = False
        n += 1
    return n, n_breaks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_closing(point: i64) -> flag:
    """Say whether a character may close a sentence after its mark."""
    if point < 0x80:
        return point in (0x22, 0x27, 0x29, 0x5D)
    if point < 0x3000:
        return point in (0x2019, 0x201D)
    if point < 0xFF00:
        return point in (0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x301E, 0x301F)
    return point in (0xFF02, 0xFF07, 0xFF09, 0xFF3D, 0xFF63)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ends_between_han(data: pc_u8, start: i64, position: i64, end: i64) -> flag:
    """Say whether ``! ? ;`` between Han ends a sentence, as in ``split_chinese`` of ``texts/sentences.py``."""
    allows_closing: flag = True
    if data[position] not in b"!?;" or position - start < 3 or data[position - 3] < 0xE0:
        return False
    if not 0x3400 <= decode(data, position - 3)[0] <= 0x9FFF:
        return False
    position += 1
    while position < end and data[position] in b"!?;":
        position += 1
    while position < end:
        point, position = decode(data, position)
        if allows_closing and is_closing(point):
            continue
        if point != 0x20 and point != 0x3000:
            return 0x3400 <= point <= 0x9FFF
        allows_closing = False
    return False
