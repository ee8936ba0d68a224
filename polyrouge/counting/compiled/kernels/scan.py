"""Compiled: where the tokens of a UTF-8 text begin and end, which key each has, where sentences begin.

One scanner serves the tokenizers ``mixed``, ``ascii``, ``zh_char``, ``char`` and ``space``: they differ in the
class that each code point has, not in the code. A second one, for texts that are all ASCII, takes 64
bytes at a time.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.codes import (
    CHINESE,
    CLASS,
    ENDS_SENTENCE,
    MARK,
    RUN_ONLY,
    SEPARATOR,
    SINGLE,
    WHOLE,
    WORD,
)
from polyrouge.counting.compiled.kernels.instructions import (
    alphanumeric_bytes,
    bytes_equal_to,
    count_bits,
    load_eight,
    trailing_zeros,
)
from polyrouge.counting.compiled.kernels.kernel import OFFSETS, TEXT, helper, inlined, kernel
from polyrouge.counting.compiled.kernels.keys import decode, key_of_any, key_of_ascii, key_of_point
from polyrouge.counting.compiled.kernels.sentences import ends_between_han

_NEWLINE = 10
_HIGH_BITS = np.uint64(0x8080808080808080)
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_CASE_BITS = np.uint64(0x2020202020202020)  # set in lower-case letters and in digits
_ZERO, _ONE, _TWO, _EIGHT = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(8)


@inlined
def _word_bytes(eight):
    """The high bit of each byte that is an ASCII letter or digit."""
    low = eight & _LOW_BITS
    letter = low | _CASE_BITS  # letters become lower case; nothing else becomes a letter
    letters = (letter + np.uint64(0x1F1F1F1F1F1F1F1F)) & ~(letter + np.uint64(0x0505050505050505))
    digits = (low + np.uint64(0x5050505050505050)) & ~(low + np.uint64(0x4646464646464646))
    return (letters | digits) & ~eight & _HIGH_BITS


@helper
def scan_ascii(data, place, end, fold, cuts, bounds, keys, breaks):
    """Scan a text in which letters and digits are words and all else separates them.

    Nearly without branches that can't be foreseen: the places where words begin and end are bits of one
    number for 64 bytes, and are written down eight by eight, whether there are so many or not.

    Args:
        data: uint8[n_bytes], with 79 bytes or more behind the text.
        place: where the text begins in data.
        end: where it ends.
        fold: the case bits where case is no difference, else 0.
        cuts: whether sentences end at line breaks.
        bounds: takes where each token begins and ends, uint64[2 * n], one after the other; with 8 to spare.
        keys: takes the key of each token, uint64[n, 2].
        breaks: takes the tokens with which a sentence begins, int64[n + 1].

    Returns:
        The numbers of tokens and of sentences; -1, 0 if the text is not ASCII.
    """
    n_edges = _ZERO
    n_breaks = 1
    breaks[0] = 0
    in_word = _ZERO  # 1: a token goes on from the 64 bytes before
    for block in range(place, end, 64):
        words, high = alphanumeric_bytes(data, block)
        lines = bytes_equal_to(data, block, _NEWLINE) if cuts else _ZERO
        if end - block < 64:
            here = (_ONE << np.uint64(end - block)) - _ONE
            words &= here
            high &= here
            lines &= here
        if high != _ZERO:
            return -1, 0
        edges = words ^ (words << _ONE | in_word)
        in_word = words >> np.uint64(63)
        while lines != _ZERO:
            up_to = lines ^ (lines - _ONE)  # a token that the break ends, ends there
            following = np.int64((n_edges + np.uint64(count_bits(edges & up_to))) >> _ONE)
            breaks[n_breaks] = following
            n_breaks += breaks[n_breaks - 1] != following
            lines &= lines - _ONE
        behind = n_edges + np.uint64(count_bits(edges))
        first = np.uint64(block)
        while n_edges < behind:
            for offset in range(_EIGHT):
                bounds[n_edges + offset] = first + np.uint64(trailing_zeros(edges))
                edges &= edges - _ONE
            n_edges += _EIGHT
        n_edges = behind
    if in_word != _ZERO:
        bounds[n_edges] = end
        n_edges += _ONE
    n = n_edges >> _ONE
    n_breaks -= breaks[n_breaks - 1] == np.int64(n)
    for token in range(n):
        start, behind = np.int64(bounds[_TWO * token]), np.int64(bounds[_TWO * token + _ONE])
        keys[token, 0], keys[token, 1] = key_of_ascii(data, start, behind, fold)
    return np.int64(n), n_breaks


@helper
def scan_any(data, place, end, points, begins_mark, cut, lone_marks, ascii_words, fold, bounds, keys, breaks):
    """Scan any text: as ``scan_ascii``, but by code point.

    Args:
        points: int32[0x110000], what is known of each code point.
        begins_mark: bool[256], bytes with which the UTF-8 of a MARK may begin.
        cut: WHOLE, LINES or CHINESE.
        lone_marks: a mark that follows no character of a token is a token.
        ascii_words: of ASCII, letters and digits are WORD, and all else is SEPARATOR.
    """
    n_data = len(data)
    text = place
    n = _ZERO
    n_breaks = 0
    is_new = True
    while place < end:
        start = place
        first = data[place]
        if first >= 0xE0 and first < 0xF0:
            # Three bytes, such as nearly all Chinese characters: mostly one token.
            point = (np.int64(first) & 0x0F) << 12 | (np.int64(data[place + 1]) & 0x3F) << 6
            point |= np.int64(data[place + 2]) & 0x3F
            known = points[point]
            if known & CLASS == SINGLE and (place + 3 >= end or not begins_mark[data[place + 3]]):
                place += 3
                bounds[_TWO * n], bounds[_TWO * n + _ONE] = start, place
                keys[n, 0], keys[n, 1] = key_of_point(known), _ZERO
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += _ONE
                continue
        if ascii_words and first < 0x80:
            if points[first] & CLASS == SEPARATOR:
                is_new |= cut != WHOLE and first == _NEWLINE
                if cut == CHINESE:
                    is_new |= points[first] & ENDS_SENTENCE != 0 or ends_between_han(data, text, place, end)
                place += 1
                continue
            # Eight bytes at once, while all of them go on with the token.
            while place + 8 <= n_data:
                n_here = min(trailing_zeros(~_word_bytes(load_eight(data, place)) & _HIGH_BITS) >> 3, end - place)
                place += n_here
                if n_here < 8:
                    break
            if max(place, start + 8) + 8 <= n_data and (place >= end or data[place] < 0x80):
                bounds[_TWO * n], bounds[_TWO * n + _ONE] = start, place
                keys[n, 0], keys[n, 1] = key_of_ascii(data, start, place, fold)
                breaks[n_breaks] = n
                n_breaks += is_new
                is_new = False
                n += _ONE
                continue
            place = start
        point, place = decode(data, place)
        known = points[point]
        kind = known & CLASS
        if kind == SEPARATOR or (kind == MARK and not lone_marks):
            is_new |= (cut == CHINESE and known & ENDS_SENTENCE != 0) or (cut != WHOLE and point == _NEWLINE)
            if cut == CHINESE and first < 0x80:
                is_new |= ends_between_han(data, text, start, end)
            continue
        low, high = key_of_point(known), _ZERO
        has_word = kind != RUN_ONLY
        is_run = kind == WORD or kind == RUN_ONLY
        if is_run or (kind == SINGLE and place < end and begins_mark[data[place]]):
            behind_first = place
            while place < end:
                there, behind = decode(data, place)
                kind_there = points[there] & CLASS
                if kind_there != MARK and not (is_run and (kind_there == WORD or kind_there == RUN_ONLY)):
                    break
                has_word |= kind_there != RUN_ONLY
                place = behind
            if not has_word:
                continue
            if place != behind_first:
                low, high = key_of_any(data, points, start, place)
        bounds[_TWO * n], bounds[_TWO * n + _ONE] = start, place
        keys[n, 0], keys[n, 1] = low, high
        breaks[n_breaks] = n
        n_breaks += is_new
        is_new = False
        n += _ONE
    return np.int64(n), n_breaks


def has_more_ascii_letters(data, offsets, texts):
    """For each of some texts, whether ASCII letters are at least as many as code points that are not ASCII.

    Args:
        data: uint8[n_bytes], valid UTF-8.
        offsets: int64[n_texts + 1], where each text begins in data.
        texts: int64[n], which.
    """
    out = np.empty(len(texts), np.bool_)
    note_ascii_letters(data, offsets, texts, out)
    return out


@kernel(TEXT, OFFSETS, OFFSETS, "boolean[::1]")
def note_ascii_letters(data, offsets, texts, out):
    """See ``has_more_ascii_letters``."""
    for place in range(len(texts)):
        n_letters, n_others = 0, 0
        for byte in data[offsets[texts[place]] : offsets[texts[place] + 1]]:
            n_letters += np.uint8((byte | np.uint8(0x20)) - np.uint8(97)) < 26
            n_others += byte >= 0xC0
        out[place] = n_letters >= n_others
