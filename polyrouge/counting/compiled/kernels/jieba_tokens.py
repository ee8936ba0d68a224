"""The words that ``jieba_cut.py`` ends somewhere to tokens, by the rules of each convention.

Tools that are fed with jieba's words get them with a blank between any two, and cut that text once more: at line
breaks and marks (rouge_chinese), at full stops (pltrdy). Here that text is not made; what would be cut in it is.
"""

import cython

if not cython.compiled:
    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.codes import CHINESE, CLASS, ENDS_SENTENCE, SEPARATOR, WHOLE
    from polyrouge.counting.compiled.kernels.keys import decode, key_of_any, key_of_point, key_of_two
    from polyrouge.counting.compiled.kernels.scan import ends_between_han

# The words of a text, and where its tokens go.
Words = cython.struct(
    data=pc_u8,  # valid UTF-8
    points=pc_i32,  # what is known of each code point; see ``scan.py``
    start=i64,  # where the text begins in data
    ends=p_i64,  # where each word ends
    n=i64,  # how many words there are
    skips_spaces=flag,  # words that are a space are left out before blanks are put between the others
    bounds=p_u64,  # as the next two, see ``scan``
    keys=p_u64,
    breaks=p_i64,
)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def point_of_three(data: pc_u8, start: i64) -> i64:
    """The code point of three bytes."""
    return cython.cast(i64, data[start] & 15) << 12 | (data[start + 1] & 63) << 6 | data[start + 2] & 63


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def write_token(words: Words, start: i64, end: i64, n: i64) -> i64:
    """Write down the token behind n others; return how many there are then."""
    data: pc_u8 = words.data
    points: pc_i32 = words.points
    words.bounds[2 * n] = start
    words.bounds[2 * n + 1] = end
    if end - start == 3 and data[start] >= 0xE0:
        words.keys[2 * n] = key_of_point(points[point_of_three(data, start)])
        words.keys[2 * n + 1] = 0
    elif end - start == 6 and data[start] >= 0xE0 and data[start + 3] >= 0xE0:  # as most words: two Han characters
        key_of_two(
            points[point_of_three(data, start)],
            points[point_of_three(data, start + 3)],
            from_u64(words.keys, 2 * n),
        )
    else:
        key_of_any(data, points, start, end, from_u64(words.keys, 2 * n))
    return n + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_empty(words: Words, start: i64, n: i64) -> i64:
    """Write down a token without a character: its key is that of no other."""
    words.bounds[2 * n] = start
    words.bounds[2 * n + 1] = start
    words.keys[2 * n] = 0
    words.keys[2 * n + 1] = 0
    return n + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def own_tokens(words: Words, cut: i64) -> tuple[i64, i64]:
    """Words with a character in them that is no SEPARATOR.

    Args:
        words: of the text.
        cut: WHOLE, LINES or CHINESE.

    Returns:
        The numbers of tokens and of sentences.
    """
    data: pc_u8 = words.data
    points: pc_i32 = words.points
    n: i64 = 0
    n_breaks: i64 = 0
    is_new: flag = True
    is_token: flag
    start: i64 = words.start
    end: i64
    place: i64
    point: i64
    word: i64
    known: i32
    for word in range(words.n):
        end = words.ends[word]
        is_token = False
        if cut == CHINESE and end - start == 1:
            known = points[data[start]]
            is_token = known & CLASS != SEPARATOR
            is_new |= known & ENDS_SENTENCE != 0
            is_new |= ends_between_han(data, words.start, start, words.ends[words.n - 1])
        elif end - start == 3 and data[start] >= 0xE0:
            known = points[point_of_three(data, start)]
            is_token = known & CLASS != SEPARATOR
            is_new |= cut == CHINESE and known & ENDS_SENTENCE != 0
        elif data[end - 1] == NEWLINE:
            is_new |= cut != WHOLE
        elif data[start] >= 0xE0 and end - start > 4:  # more than one character: of the block class, so this is Han
            is_token = True
        else:
            place = start
            while place < end and not is_token:
                point, place = decode(data, place)
                is_token = points[point] & CLASS != SEPARATOR
        if is_token:
            words.breaks[n_breaks] = n
            n_breaks += is_new
            is_new = False
            n = write_token(words, start, end, n)
        start = end
    return n, n_breaks


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_blank_word(words: Words, start: i64) -> flag:
    """Whether a word is blank: it is one character then, or a line break of two."""
    return words.points[decode(words.data, start)[0]] & CLASS == SEPARATOR


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ends_line(data: pc_u8, start: i64, end: i64) -> flag:
    """Whether rouge_chinese breaks lines behind a word: its marks are words of one character."""
    if end - start == 3 and data[start] >= 0xE0:
        return point_of_three(data, start) in (0x3002, 0xFF01, 0xFF1F)  # full stop, wide ! and ?
    return end - start == 1 and data[start] == QUESTION_MARK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def behind_dots(data: pc_u8, start: i64, end: i64) -> i64:
    """The place behind the first six full stops in a row; 0 if there are none."""
    n_dots: i64 = 0
    place: i64
    for place in range(start, end):
        n_dots = n_dots + 1 if data[place] == DOT else 0
        if n_dots == DOTS_OF_ELLIPSIS:
            return place + 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_cut_word(words: Words, start: i64, end: i64, n: i64) -> tuple[i64, flag]:
    """Write down a word, cut behind each six full stops; say also whether a line break follows it."""
    search: i64 = start
    behind: i64
    while end - search >= DOTS_OF_ELLIPSIS:
        behind = behind_dots(words.data, search, end)
        if behind == 0:
            break
        if behind == end:
            return write_token(words, start, end, n), True
        n = write_token(words, start, behind, n)
        start = behind
        search = behind + 1  # the pattern takes the character behind the stops along
    return write_token(words, start, end, n), False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_dot(data: pc_u8, start: i64, end: i64) -> flag:
    """Whether a full stop is between two places."""
    place: i64
    for place in range(start, end):
        if data[place] == DOT:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rouge_chinese_tokens(words: Words) -> i64:
    """The words of all lines; a line of blanks only is one empty token, but behind the last word.

    The class SEPARATOR is that of blanks, and of blanks only.

    Args:
        words: of the text.

    Returns:
        The number of tokens, all of which are one sentence.
    """
    data: pc_u8 = words.data
    n: i64 = 0
    n_waiting: i64 = 0  # empty tokens, if a word follows
    is_first: flag = True
    has_character: flag = False  # of the line
    has_token: flag = False
    is_space: flag
    breaks_line: flag
    start: i64 = words.start
    end: i64
    word: i64
    has_dots: flag = words.n > 0 and has_dot(data, start, words.ends[words.n - 1])
    for word in range(words.n):
        end = words.ends[word]
        is_space = end - start == 1 and data[start] == BLANK
        if is_space and words.skips_spaces:
            start = end
            continue
        has_character |= not is_first
        is_first = False
        breaks_line = False
        if is_space or is_blank_word(words, start):
            breaks_line = data[end - 1] == NEWLINE
            has_character |= not breaks_line or end - start > 1
        else:
            while n_waiting > 0:
                n = write_empty(words, start, n)
                n_waiting -= 1
            has_token = True
            if has_dots:
                n, breaks_line = write_cut_word(words, start, end, n)
            else:
                n = write_token(words, start, end, n)
            breaks_line |= ends_line(data, start, end)
        if breaks_line:
            n_waiting += has_character and not has_token
            has_character = False
            has_token = False
        start = end
    words.breaks[0] = 0
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pltrdy_tokens(words: Words, cut: i64) -> tuple[i64, i64]:
    """The words of the pieces between full stops, each a sentence; one of blanks only is an empty token.

    Args:
        words: of the text.
        cut: WHOLE, or anything else for pieces to be sentences.

    Returns:
        The numbers of tokens and of sentences.
    """
    data: pc_u8 = words.data
    n: i64 = 0
    n_breaks: i64 = 0
    is_new: flag = True
    is_first: flag = True
    has_character: flag = False  # of the piece
    has_token: flag = False
    is_end: flag
    is_space: flag
    is_dot: flag
    start: i64 = words.start
    end: i64
    place: i64
    piece: i64
    word: i64
    for word in range(words.n + 1):
        is_end = word == words.n
        end = start if is_end else words.ends[word]
        if not is_end:
            is_space = end - start == 1 and data[start] == BLANK
            if is_space and words.skips_spaces:
                start = end
                continue
            has_character |= not is_first
            is_first = False
            if is_space or is_blank_word(words, start):
                has_character = True
                start = end
                continue
        piece = start
        for place in range(start, end + 1):
            is_dot = place < end and data[place] == DOT
            if place > piece and (is_dot or place == end):
                words.breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n = write_token(words, piece, place, n)
                has_character = True
                has_token = True
            if is_dot or (is_end and place == end):
                if has_character and not has_token:
                    words.breaks[n_breaks] = n
                    n_breaks += is_new
                    n = write_empty(words, place, n)
                has_character = False
                has_token = False
                is_new |= cut != WHOLE
                piece = place + 1
        start = end
    return n, n_breaks
