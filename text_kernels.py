"""Compiled: UTF-8 texts to token ids, without a Python string a token.

One kernel serves the tokenizers ``mixed``, ``ascii``, ``zh_char``, ``char`` and ``space``: they differ in the
class that each code point has, not in the code. Equal tokens get equal ids because they are
compared, never because of a hash alone.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .bit_intrinsics import load_eight, trailing_zeros

__all__ = ["CHINESE", "LINES", "MARK", "OTHER", "RUN_ONLY", "SEPARATOR", "SINGLE", "WHOLE", "WORD", "tokenize_texts"]

# Classes of code points. A run goes over WORD, MARK and RUN_ONLY, begins with no MARK, and is a token
# if there is anything but RUN_ONLY in it. SINGLE is a token with the marks behind it, OTHER without.
SEPARATOR, WORD, SINGLE, MARK, OTHER, RUN_ONLY = 0, 1, 2, 3, 4, 5
# Where sentences end: nowhere, at line breaks, at Chinese sentence marks and line breaks.
WHOLE, LINES, CHINESE = 0, 1, 2

_NEWLINE = 10
_HIGH_BITS = np.uint64(0x8080808080808080)
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_CASE_BITS = np.uint64(0x2020202020202020)  # set in lower-case letters and in digits
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: spreads keys over the slots

# The key of a token: up to eight ASCII characters packed into eight bytes; one other code point with
# the bit below set (a packed token has no zero byte below its first, so they differ); or a hash
# with the highest bit set, which says that the token itself must be compared.
_ONE_POINT = np.uint64(1 << 62)
_INEXACT = np.uint64(1 << 63)


@njit(cache=True, nogil=True, inline="always")
def _decode(data, place):
    """The code point at a byte of valid UTF-8, and the byte behind it."""
    point = np.int64(data[place])
    behind = place + 1
    if point >= 0xF0:
        point = (point & 0x07) << 18 | (np.int64(data[place + 1]) & 0x3F) << 12
        point |= (np.int64(data[place + 2]) & 0x3F) << 6 | np.int64(data[place + 3]) & 0x3F
        behind = place + 4
    elif point >= 0xE0:
        point = (point & 0x0F) << 12 | (np.int64(data[place + 1]) & 0x3F) << 6 | np.int64(data[place + 2]) & 0x3F
        behind = place + 3
    elif point >= 0x80:
        point = (point & 0x1F) << 6 | np.int64(data[place + 1]) & 0x3F
        behind = place + 2
    return point, behind


@njit(cache=True, nogil=True, inline="always")
def _word_bytes(eight):
    """The high bit of each byte that is an ASCII letter or digit."""
    low = eight & _LOW_BITS
    letter = low | _CASE_BITS  # letters become lower case; nothing else becomes a letter
    letters = (letter + np.uint64(0x1F1F1F1F1F1F1F1F)) & ~(letter + np.uint64(0x0505050505050505))
    digits = (low + np.uint64(0x5050505050505050)) & ~(low + np.uint64(0x4646464646464646))
    return (letters | digits) & ~eight & _HIGH_BITS


@njit(cache=True, nogil=True, inline="always")
def _leading(eight, n):
    """The first n of eight bytes, n below 8."""
    return eight & ((np.uint64(1) << np.uint64(8 * n)) - np.uint64(1))


@njit(cache=True, nogil=True, inline="always")
def _mixed(hashed, eight):
    """Take up to eight more characters of a long token into its hash."""
    product = (hashed ^ eight) * _SPREAD
    return product ^ product >> np.uint64(29)


@njit(cache=True, nogil=True)
def _token_key(data, lower, start, end):
    """The key of any token, from its code points."""
    packed = np.uint64(0)
    hashed = np.uint64(0)
    point = np.uint64(0)
    n_points = 0
    is_ascii = True
    place = start
    while place < end:
        original, place = _decode(data, place)
        point = np.uint64(lower[original])
        is_ascii &= point < np.uint64(0x80) and point != np.uint64(0)  # NUL would not show in a packed key
        if n_points and n_points & 7 == 0:
            hashed = _mixed(hashed, packed)
            packed = np.uint64(0)
        packed |= point << np.uint64(8 * (n_points & 7))
        n_points += 1
    if is_ascii and n_points <= 8:
        return packed
    if n_points == 1:
        return point | _ONE_POINT
    return _mixed(hashed, packed) | _INEXACT


@njit(cache=True, nogil=True)
def _same_token(data, lower, fold, one, one_end, other, other_end):
    """Whether two stretches of text are the same after lower-casing."""
    n = one_end - one
    if n == other_end - other and max(one, other) + n + 8 <= len(data):
        # Nearly always both are ASCII letters and digits: compare eight at a time.
        done = 0
        while done < n:
            first, second = load_eight(data, one + done), load_eight(data, other + done)
            if n - done < 8:
                first, second = _leading(first, n - done), _leading(second, n - done)
            if (first | second) & _HIGH_BITS or first | fold != second | fold:
                break
            done += 8
        if done >= n:
            return True
    while one < one_end and other < other_end:
        original, one = _decode(data, one)
        original_there, other = _decode(data, other)
        if lower[original] != lower[original_there]:
            return False
    return one == one_end and other == other_end


@njit(cache=True, nogil=True)
def tokenize_texts(data, offsets, classes, lower, ends_sentence, cut, lone_marks, ascii_words, begins, n_slots):
    """Tokenize a chunk of texts.

    Args:
        data: uint8[n_bytes], the texts as valid UTF-8, one after the other.
        offsets: int64[n_texts + 1], where each begins in data.
        classes: uint8[0x110000], class of each code point.
        lower: int32[0x110000], what each code point is compared as.
        ends_sentence: bool[0x110000], marks that end a sentence under CHINESE.
        cut: WHOLE, LINES or CHINESE.
        lone_marks: a mark that follows no character of a token is a token.
        ascii_words: of ASCII, letters and digits are WORD, and all else is SEPARATOR.
        begins: bool[n_texts], texts with which a new vocabulary begins.
        n_slots: size of the hash table, a power of 2.

    Returns:
        ids int32[n_tokens], in each vocabulary consecutive from 0 in order of first occurrence;
        text_tokens int64[n_texts + 1], offsets of the texts in ids; sentence_tokens
        int64[n_sentences + 1], offsets of the sentences in ids, each with a token at least;
        text_sentences int64[n_texts + 1], offsets of the texts in the sentences; tokens
        int64[n_ids, 2], bytes of data from and to at which each id of the last vocabulary occurs
        first; and whether the table was large enough (if not, the rest is of no use).
    """
    n_data = len(data)
    n_bytes = offsets[-1] - offsets[0]
    n_texts = len(offsets) - 1
    ids = np.empty(n_bytes, np.int32)
    text_tokens = np.zeros(n_texts + 1, np.int64)
    sentence_tokens = np.empty(n_bytes + 1, np.int64)
    text_sentences = np.zeros(n_texts + 1, np.int64)
    capacity = n_slots // 2
    tokens = np.empty((capacity, 2), np.int64)
    places = np.empty(capacity, np.int64)  # slot of each id
    keys = np.zeros(n_slots, np.uint64)  # key in each slot, 0 where free: no token has that key
    slots = np.empty(n_slots, np.int32)  # id in each slot
    mask = n_slots - 1
    fold = _CASE_BITS if lower[65] != 65 else np.uint64(0)
    is_separator = np.zeros(256, np.bool_)
    for point in range(128):
        is_separator[point] = classes[point] == SEPARATOR
    is_large_enough = True
    n_ids = 0
    n_tokens = 0
    n_sentences = 0
    for text in range(n_texts):
        if begins[text]:
            for each in range(n_ids):
                keys[places[each]] = 0
            n_ids = 0
        place, end = offsets[text], offsets[text + 1]
        new_sentence = True
        while place < end and is_large_enough:
            start = place
            first = data[place]
            if is_separator[first]:
                if cut != WHOLE and (first == _NEWLINE or (cut == CHINESE and ends_sentence[first])):
                    new_sentence = True
                place += 1
                continue

            key = np.uint64(0)
            is_keyed = False
            if ascii_words and first < 0x80:
                # Eight bytes at once, while all of them go on with the token.
                hashed = np.uint64(0)
                while place + 8 <= n_data:
                    eight = load_eight(data, place)
                    n_here = min(trailing_zeros(~_word_bytes(eight) & _HIGH_BITS) >> 3, end - place)
                    if n_here < 8:
                        place += n_here
                        is_keyed = place >= end or data[place] < 0x80
                        if place - start <= 8:
                            key = _leading(eight | fold, n_here) if n_here else key
                        elif n_here:
                            key = _mixed(hashed, _leading(eight | fold, n_here)) | _INEXACT
                        else:
                            key = hashed | _INEXACT
                        break
                    key = eight | fold
                    hashed = _mixed(hashed, key)
                    place += 8
            if not is_keyed:
                place = start
                point, place = _decode(data, place)
                kind = classes[point]
                if kind == SEPARATOR:
                    if cut == CHINESE and ends_sentence[point]:
                        new_sentence = True
                    continue
                if kind == MARK and not lone_marks:
                    continue
                has_word = kind != RUN_ONLY
                is_run = kind == WORD or kind == RUN_ONLY
                behind_first = place
                while place < end and (is_run or kind == SINGLE):
                    there, behind = _decode(data, place)
                    kind_there = classes[there]
                    if kind_there != MARK and not (is_run and (kind_there == WORD or kind_there == RUN_ONLY)):
                        break
                    has_word |= kind_there != RUN_ONLY
                    place = behind
                if not has_word:
                    continue
                if place == behind_first:
                    key = np.uint64(lower[point])
                    if key >= np.uint64(0x80) or key == np.uint64(0):
                        key |= _ONE_POINT
                else:
                    key = _token_key(data, lower, start, place)

            slot = np.int64((key * _SPREAD) >> np.uint64(40)) & mask
            while keys[slot] != np.uint64(0):
                if keys[slot] == key:
                    same = slots[slot]
                    if key < _INEXACT or _same_token(data, lower, fold, tokens[same, 0], tokens[same, 1], start, place):
                        break
                slot = (slot + 1) & mask
            if keys[slot] == np.uint64(0):
                if n_ids == capacity:
                    is_large_enough = False
                    break
                slots[slot] = n_ids
                keys[slot] = key
                places[n_ids] = slot
                tokens[n_ids, 0] = start
                tokens[n_ids, 1] = place
                n_ids += 1
            ids[n_tokens] = slots[slot]
            if new_sentence:
                sentence_tokens[n_sentences] = n_tokens
                n_sentences += 1
                new_sentence = False
            n_tokens += 1
        text_tokens[text + 1] = n_tokens
        text_sentences[text + 1] = n_sentences
    sentence_tokens[n_sentences] = n_tokens
    return (
        ids[:n_tokens],
        text_tokens,
        sentence_tokens[: n_sentences + 1],
        text_sentences,
        tokens[:n_ids],
        is_large_enough,
    )
