"""Compiled: the words that ``jieba_cut.py`` ends somewhere to tokens, by the rules of each convention.

Tools that are fed with jieba's words get them with a blank between any two, and cut that text once more: at line
breaks and marks (rouge_chinese), at full stops (pltrdy). Here that text is not made; what would be cut in it is.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.codes import CHINESE, CLASS, ENDS_SENTENCE, SEPARATOR, WHOLE
from polyrouge.counting.compiled.kernels.kernel import helper, inlined
from polyrouge.counting.compiled.kernels.keys import decode, key_of_any, key_of_point, key_of_two
from polyrouge.counting.compiled.kernels.sentences import ends_between_han

_NEWLINE, _RETURN, _BLANK, _DOT, _QUESTION = 10, 13, 32, 46, 63
_FULL_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION = 0x3002, 0xFF01, 0xFF1F
_DOTS = 6  # of an ellipsis in ASCII, behind which rouge_chinese breaks lines
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@inlined
def _point_of_three(data, start):
    """The code point of three bytes."""
    point = (np.uint64(data[start]) & np.uint64(15)) << np.uint64(12)
    point |= (np.uint64(data[start + 1]) & np.uint64(63)) << np.uint64(6)
    return point | np.uint64(data[start + 2]) & np.uint64(63)


@inlined
def _write(data, points, start, end, bounds, keys, n):
    """Write down one token."""
    bounds[_TWO * n], bounds[_TWO * n + _ONE] = start, end
    n_bytes = end - start
    if n_bytes == 3 and data[start] >= 0xE0:
        keys[n, 0], keys[n, 1] = key_of_point(points[_point_of_three(data, start)]), _ZERO
    elif n_bytes == 6 and data[start] >= 0xE0 and data[start + 3] >= 0xE0:  # as most words: two Han characters
        first, second = points[_point_of_three(data, start)], points[_point_of_three(data, start + 3)]
        keys[n, 0], keys[n, 1] = key_of_two(first, second)
    else:
        keys[n, 0], keys[n, 1] = key_of_any(data, points, start, end)
    return n + _ONE


@helper
def _write_empty(start, bounds, keys, n):
    """Write down a token without a character: its key is that of no other."""
    bounds[_TWO * n], bounds[_TWO * n + _ONE] = start, start
    keys[n, 0], keys[n, 1] = _ZERO, _ZERO
    return n + _ONE


@helper
def own_tokens(data, points, start, ends, n_words, cut, bounds, keys, breaks):
    """Words with a character in them that is no SEPARATOR.

    Args:
        data: uint8[n_bytes], valid UTF-8.
        points: int32[0x110000], what is known of each code point; see ``scan.py``.
        start: where the text begins in data.
        ends: int64[n_words or more], where each word ends.
        n_words: how many words the text has.
        cut: WHOLE, LINES or CHINESE.
        bounds, keys, breaks: take the results; see ``scan_any``.

    Returns:
        The numbers of tokens, uint64, and of sentences.
    """
    n = _ZERO
    n_breaks = 0
    is_new = True
    text = start
    for word in range(n_words):
        end = ends[word]
        is_token = False
        if cut == CHINESE and end - start == 1:
            known = points[data[start]]
            is_token = known & CLASS != SEPARATOR
            is_new |= known & ENDS_SENTENCE != 0 or ends_between_han(data, text, start, ends[n_words - 1])
        elif end - start == 3 and data[start] >= 0xE0:
            known = points[_point_of_three(data, start)]
            is_token = known & CLASS != SEPARATOR
            is_new |= cut == CHINESE and known & ENDS_SENTENCE != 0
        elif data[end - 1] == _NEWLINE:
            is_new |= cut != WHOLE
        elif data[start] >= 0xE0 and end - start > 4:  # more than one character: of the block class, so this is Han
            is_token = True
        else:
            place = start
            while place < end and not is_token:
                point, place = decode(data, place)
                is_token = points[point] & CLASS != SEPARATOR
        if is_token:
            breaks[n_breaks] = n
            n_breaks += is_new
            is_new = False
            n = _write(data, points, start, end, bounds, keys, n)
        start = end
    return n, n_breaks


@helper
def _is_blank(data, points, start):
    """Whether a word is: it is one character then, or a line break of two."""
    point, _ = decode(data, start)
    return points[point] & CLASS == SEPARATOR


@helper
def _ends_line(data, start, end):
    """Whether rouge_chinese breaks lines behind a word: its marks are words of one character."""
    if end - start == 3 and data[start] >= 0xE0:
        point = _point_of_three(data, start)
        return point == _FULL_STOP or point == _WIDE_EXCLAMATION or point == _WIDE_QUESTION
    return end - start == 1 and data[start] == _QUESTION


@helper
def _behind_dots(data, start, end):
    """The place behind the first six full stops in a row; 0 if there are none."""
    n_dots = 0
    for place in range(start, end):
        n_dots = n_dots + 1 if data[place] == _DOT else 0
        if n_dots == _DOTS:
            return place + 1
    return 0


@helper
def _write_word(data, points, start, end, bounds, keys, n):
    """Write down a word, cut behind each six full stops; say also whether a line break follows it."""
    search = start
    while end - search >= _DOTS:
        behind = _behind_dots(data, search, end)
        if behind == 0:
            break
        if behind == end:
            return _write(data, points, start, end, bounds, keys, n), True
        n = _write(data, points, start, behind, bounds, keys, n)
        start = behind
        search = behind + 1  # the pattern takes the character behind the stops along
    return _write(data, points, start, end, bounds, keys, n), False


@helper
def rouge_chinese_tokens(data, points, start, ends, n_words, skips_spaces, has_dots, bounds, keys):
    """The words of all lines; a line of blanks only is one empty token, but behind the last word.

    Args:
        skips_spaces: words that are a space are left out before blanks are put between the others.
        has_dots: whether the text may hold six full stops in a row.
        others: as of ``own_tokens``; the class SEPARATOR is that of blanks, and of blanks only.

    Returns:
        The number of tokens, uint64.
    """
    n = _ZERO
    is_first = True
    has_character = False  # of the line
    has_token = False
    n_waiting = 0  # empty tokens, if a word follows
    for word in range(n_words):
        end = ends[word]
        is_space = end - start == 1 and data[start] == _BLANK
        if is_space and skips_spaces:
            start = end
            continue
        has_character |= not is_first
        is_first = False
        breaks_line = False
        if is_space or _is_blank(data, points, start):
            breaks_line = data[end - 1] == _NEWLINE
            has_character |= not breaks_line or end - start > 1
        else:
            for _ in range(n_waiting):
                n = _write_empty(start, bounds, keys, n)
            n_waiting = 0
            has_token = True
            if has_dots:
                n, breaks_line = _write_word(data, points, start, end, bounds, keys, n)
            else:
                n = _write(data, points, start, end, bounds, keys, n)
            breaks_line |= _ends_line(data, start, end)
        if breaks_line:
            n_waiting += has_character and not has_token
            has_character = False
            has_token = False
        start = end
    return n


@helper
def pltrdy_tokens(data, points, start, ends, n_words, skips_spaces, cut, bounds, keys, breaks):
    """The words of the pieces between full stops, each a sentence; one of blanks only is an empty token.

    Args:
        cut: WHOLE, or anything else for pieces to be sentences.
        others: as of ``rouge_chinese_tokens``.

    Returns:
        The numbers of tokens, uint64, and of sentences.
    """
    n = _ZERO
    n_breaks = 0
    is_new = True
    is_first = True
    has_character = False  # of the piece
    has_token = False
    for word in range(n_words + 1):
        is_end = word == n_words
        end = start if is_end else ends[word]
        if not is_end:
            is_space = end - start == 1 and data[start] == _BLANK
            if is_space and skips_spaces:
                start = end
                continue
            has_character |= not is_first
            is_first = False
            if is_space or _is_blank(data, points, start):
                has_character = True
                start = end
                continue
        piece = start
        for place in range(start, end + 1):
            is_dot = place < end and data[place] == _DOT
            if place > piece and (is_dot or place == end):
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n = _write(data, points, piece, place, bounds, keys, n)
                has_character = True
                has_token = True
            if is_dot or (is_end and place == end):
                if has_character and not has_token:
                    breaks[n_breaks] = n
                    n_breaks += is_new
                    n = _write_empty(place, bounds, keys, n)
                has_character = False
                has_token = False
                is_new |= cut != WHOLE
                piece = place + 1
        start = end
    return n, n_breaks
