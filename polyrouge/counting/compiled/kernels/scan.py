"""Where the tokens of a UTF-8 text begin and end, which key each has, where sentences begin.

One scanner serves the tokenizers ``mixed``, ``ascii``, ``zh_char``, ``char`` and ``space``, which differ only in the
class of each code point. A second one, for texts that are all ASCII, takes 64 bytes at a time.
"""

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def scan(source: Source, place: i64, end: i64, words: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """Scan the text data[place:end]; return the numbers of tokens and of sentences.

    Bounds and keys of its tokens go behind those of n_before others; ``breaks`` takes the first token of each sentence.
    """
    n: i64 = -1
    n_breaks: i64 = 0
    if source.ascii_words and end + 79 <= source.n_data:
        n, n_breaks = scan_ascii(source, place, end, words, n_before)
    if n < 0:
        n, n_breaks = scan_any(source, place, end, words, n_before)
    return n, n_breaks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_ascii(source: Source, place: i64, end: i64, into: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """``scan`` for words of letters and digits, with 79 bytes or more behind the text; -1, 0 if it is not ASCII."""
    # Nearly without branches that can't be predicted: the places where words begin and end are bits of one number for
    # 64 bytes, and are written down eight at a time, however few there are.
    data: pc_u8 = source.data
    fold: u64 = source.fold
    cuts: flag = source.cut != WHOLE
    bounds: p_u64 = into.bounds + 2 * n_before
    keys: p_u64 = into.keys + 2 * n_before
    breaks: p_i64 = into.breaks
    n_edges: i64 = 0
    n_breaks: i64 = 1
    in_word: u64 = 0  # 1: a token goes on from the 64 bytes before
    offset: i64
    breaks[0] = 0
    while place < end:
        classes: ByteClasses = classes_of(data, place)
        words: u64 = classes.words
        high: u64 = classes.high
        lines: u64 = classes.lines if cuts else 0
        if end - place < 64:
            here = (cython.cast(u64, 1) << (end - place)) - 1
            words &= here
            high &= here
            lines &= here
        if high != 0:
            return -1, 0
        edges = words ^ ((words << 1 | in_word) & ALL)
        in_word = words >> 63
        while lines != 0:
            up_to = lines ^ (lines - 1)  # a token that the break ends, ends there
            following = (n_edges + popcount(edges & up_to)) >> 1
            breaks[n_breaks] = following
            n_breaks += breaks[n_breaks - 1] != following
            lines &= lines - 1
        behind = n_edges + popcount(edges)
        while n_edges < behind:
            for offset in range(8):
                bounds[n_edges + offset] = place + ctz(edges)
                edges &= edges - 1
            n_edges += 8
        n_edges = behind
        place += 64
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
def scan_any(source: Source, place: i64, end: i64, into: Vocabulary, n_before: i64) -> tuple[i64, i64]:
    """Scan any text, code point by code point; see ``scan``."""
    data: pc_u8 = source.data
    n_data: i64 = source.n_data
    points: pc_i32 = source.points
    begins_mark: pc_u8 = source.begins_mark
    cut: i64 = source.cut
    bounds: p_u64 = into.bounds + 2 * n_before
    keys: p_u64 = into.keys + 2 * n_before
    breaks: p_i64 = into.breaks
    text: i64 = place
    n: i64 = 0
    n_breaks: i64 = 0
    is_new: flag = True
    has_word: flag
    is_run: flag
    first: i32
    kind_there: i32
    while place < end:
        start = place
        first = data[place]
        if first >= 0xE0 and first < 0xF0:
            # Three bytes, such as nearly all Chinese characters: mostly one token.
            point = decode(data, place)[0]
            known = points[point]
            if known & CLASS == SINGLE and (place + 3 >= end or not begins_mark[data[place + 3]]):
                place += 3
                bounds[2 * n] = start
                bounds[2 * n + 1] = place
                keys[2 * n] = key_of_point(known)
                keys[2 * n + 1] = 0
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += 1
                continue
        if source.ascii_words and first < 0x80:
            if points[first] & CLASS == SEPARATOR:
                is_new |= cut != WHOLE and first == NEWLINE
                if cut == CHINESE:
                    is_new |= points[first] & ENDS_SENTENCE != 0 or ends_between_han(data, text, place, end)
                place += 1
                continue
            # Eight bytes at once, while all of them go on with the token.
            while place + 8 <= n_data:
                others: u64 = word_bytes(load_eight(data, place)) ^ HIGH_BITS
                n_here = min(ctz(others) >> 3 if others != 0 else 8, end - place)
                place += n_here
                if n_here < 8:
                    break
            if max(place, start + 8) + 8 <= n_data and (place >= end or data[place] < 0x80):
                bounds[2 * n] = start
                bounds[2 * n + 1] = place
                key_of_ascii(data, start, place, source.fold, keys + 2 * n)
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += 1
                continue
            place = start
        point, place = decode(data, place)
        known = points[point]
        kind = known & CLASS
        if kind == SEPARATOR or kind == INNER or (kind == MARK and not source.lone_marks):
            is_new |= (cut == CHINESE and known & ENDS_SENTENCE != 0) or (cut != WHOLE and point == NEWLINE)
            if cut == CHINESE and first < 0x80:
                is_new |= ends_between_han(data, text, start, end)
            continue
        keys[2 * n] = key_of_point(known)
        keys[2 * n + 1] = 0
        has_word = kind != RUN_ONLY
        is_run = kind == WORD or kind == RUN_ONLY
        if is_run or (kind == SINGLE and place < end and begins_mark[data[place]]):
            behind_first = behind = place
            while behind < end:
                there, behind = decode(data, behind)
                kind_there = points[there] & CLASS
                if kind_there >= INNER:
                    continue
                if kind_there != MARK and not (is_run and (kind_there == WORD or kind_there == RUN_ONLY)):
                    break
                has_word |= kind_there != RUN_ONLY
                place = behind
            if not has_word:
                continue
            if place != behind_first:
                key_of_any(data, points, start, place, keys + 2 * n)
        bounds[2 * n] = start
        bounds[2 * n + 1] = place
        breaks[n_breaks] = n
        n_breaks += is_new
        is_new = False
        n += 1
    return n, n_breaks


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_closing(point: i64) -> flag:
    """What may close a sentence behind its mark."""
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
def ends_between_han(data: pc_u8, start: i64, place: i64, end: i64) -> flag:
    """Whether ``! ? ;`` at a place ends a sentence, as by ``split_chinese`` of ``texts/sentences.py``: between Han."""
    allows_closing: flag = True
    if data[place] not in b"!?;" or place - start < 3 or data[place - 3] < 0xE0:
        return False
    if not 0x3400 <= decode(data, place - 3)[0] <= 0x9FFF:
        return False
    place += 1
    while place < end and data[place] in b"!?;":
        place += 1
    while place < end:
        point, place = decode(data, place)
        if allows_closing and is_closing(point):
            continue
        if point != 0x20 and point != 0x3000:
            return 0x3400 <= point <= 0x9FFF
        allows_closing = False
    return False
