"""Compiled: UTF-8 texts to token ids, without a Python string a token.

Equal tokens get equal ids because they are compared, never because of a hash alone.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .bit_intrinsics import load_eight
from .scan_kernels import INEXACT, WHOLE, decode, scan_any, scan_ascii
from .stem_kernels import forget_if_full, known_long_stem, known_stem, stem_id

__all__ = ["tokenize_texts"]

_CASE_BITS = np.uint64(0x2020202020202020)  # set in lower-case letters and in digits
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: spreads keys over the slots
_HIGH_BITS = np.uint64(0x8080808080808080)
_LOWER = 4  # as in scan_kernels.py


@njit(cache=True, nogil=True)
def _same_token(data, points, fold, one, one_end, other, other_end):
    """Whether two stretches of text are the same after lower-casing."""
    n = one_end - one
    if n == other_end - other and max(one, other) + n + 8 <= len(data):
        # Nearly always both are ASCII letters and digits: compare eight at a time.
        done = 0
        while done < n:
            unused = np.uint64(max(0, 64 - 8 * (n - done)))
            first = load_eight(data, one + done) << unused
            second = load_eight(data, other + done) << unused
            if (first | second) & _HIGH_BITS or first | fold != second | fold:
                break
            done += 8
        if done >= n:
            return True
    while one < one_end and other < other_end:
        original, one = decode(data, one)
        original_there, other = decode(data, other)
        if points[original] >> _LOWER != points[original_there] >> _LOWER:
            return False
    return one == one_end and other == other_end


@njit(cache=True, nogil=True)
def tokenize_texts(
    data, offsets, points, begins_mark, cut, lone_marks, ascii_words, begins, n_slots, longest, stems, memory
):
    """Tokenize a chunk of texts.

    Args:
        data: uint8[n_bytes], the texts as valid UTF-8, one after the other.
        offsets: int64[n_texts + 1], where each begins in data.
        points: int32[0x110000], what is known of each code point: see ``scan_kernels.py``.
        begins_mark: bool[256], bytes with which the UTF-8 of a MARK may begin.
        cut: WHOLE, LINES or CHINESE.
        lone_marks: a mark that follows no character of a token is a token.
        ascii_words: of ASCII, letters and digits are WORD, and all else is SEPARATOR.
        begins: bool[n_texts], texts with which a new vocabulary begins.
        n_slots: size of the hash table, a power of 2.
        longest: no text has more bytes.
        stems: tokens with the same Porter stem are the same.
        memory: ``StemMemory``; used if stems.

    Returns:
        ids int32[n_tokens], in each vocabulary consecutive from 0 in order of first occurrence;
        text_tokens int64[n_texts + 1], offsets of the texts in ids; sentence_tokens
        int64[n_sentences + 1], offsets of the sentences in ids, each with a token at least;
        text_sentences int64[n_texts + 1], offsets of the texts in the sentences; tokens
        int64[n, 2], bytes of data from and to at which each token of the last vocabulary occurs
        first; and whether the tables were large enough (if not, the rest is of no use).
    """
    n_data = len(data)
    n_texts = len(offsets) - 1
    ids = np.empty(offsets[-1] - offsets[0], np.int32)
    text_tokens = np.zeros(n_texts + 1, np.int64)
    sentence_tokens = np.empty(offsets[-1] - offsets[0] + 1, np.int64)
    text_sentences = np.zeros(n_texts + 1, np.int64)
    bounds = np.empty(2 * longest + 8, np.int64)  # of the tokens of one text
    scanned = np.empty(longest, np.uint64)
    breaks = np.empty(longest + 1, np.int64)
    capacity = n_slots // 2
    tokens = np.empty((capacity + 1, 2), np.int64)
    places = np.empty(capacity + 1, np.uint64)  # slot of each token
    values = np.empty(capacity + 1, np.int32)  # id of each token: its number, or that of its stem
    stem_of_value = np.empty(capacity if stems else 1, np.int64)
    keys = np.zeros(n_slots, np.uint64)  # key in each slot, 0 where free: no token has that key
    slots = np.empty(n_slots, np.int32)  # token in each slot
    local = memory.local
    token_keys, token_stems, token_places = memory.token_keys, memory.token_stems, memory.token_places
    stem_keys, stem_numbers, stem_places = memory.stem_keys, memory.stem_numbers, memory.stem_places
    letters, used = memory.letters, memory.used
    mask = np.uint64(n_slots - 1)
    one = np.uint64(1)
    fold = _CASE_BITS if points[65] >> _LOWER != 65 else np.uint64(0)
    is_large_enough = True
    n_known = np.uint64(0)  # unsigned, as slots are: numba need not ask whether an index is negative
    n_values = 0
    n_tokens = 0
    n_sentences = 0
    for text in range(n_texts):
        if begins[text]:
            for each in range(n_known):
                keys[places[each]] = 0
            n_known = np.uint64(0)
            if stems:
                for each in range(n_values):
                    local[stem_of_value[each]] = -1
                forget_if_full(token_keys, stem_keys, letters, used)
            n_values = 0
        place, end = offsets[text], offsets[text + 1]
        n, n_breaks = -1, 0
        if ascii_words and end + 79 <= n_data:
            n, n_breaks = scan_ascii(data, place, end, fold, cut != WHOLE, bounds, scanned, breaks)
        is_ascii = n >= 0
        if n < 0:
            n, n_breaks = scan_any(
                data, place, end, points, begins_mark, cut, lone_marks, ascii_words, fold, bounds, scanned, breaks
            )
        here = ids[n_tokens : n_tokens + n]
        for each in range(n):
            key = scanned[each]
            slot = (key * _SPREAD) >> np.uint64(40) & mask
            there = keys[slot]
            if there != np.uint64(0) and (there != key or key >= INEXACT):
                while keys[slot] != np.uint64(0):
                    if keys[slot] == key:
                        same = slots[slot]
                        if key < INEXACT or _same_token(
                            *(data, points, fold, tokens[same, 0], tokens[same, 1], bounds[2 * each]),
                            bounds[2 * each + 1],
                        ):
                            break
                    slot = (slot + one) & mask
                there = keys[slot]
            # Written whether it is a new token or a known one: which it is can't be foreseen.
            is_new = there == np.uint64(0)
            token = np.int32(n_known) if is_new else slots[slot]
            keys[slot] = key
            slots[slot] = token
            places[n_known] = slot
            tokens[n_known, 0], tokens[n_known, 1] = bounds[2 * each], bounds[2 * each + 1]
            if stems:
                if is_new:
                    stem = np.int32(-1)
                    if key < INEXACT:
                        stem = known_stem(token_keys, token_stems, key)
                    elif is_ascii:
                        stem = known_long_stem(
                            *(token_keys, token_stems, token_places, letters, data),
                            *(bounds[2 * each], bounds[2 * each + 1], fold, key),
                        )
                    if stem < 0:
                        stem = stem_id(
                            *(token_keys, token_stems, token_places, stem_keys, stem_numbers, stem_places),
                            *(letters, used, data, points, bounds[2 * each], bounds[2 * each + 1], key),
                        )
                    if stem < 0:
                        is_large_enough = False
                        break
                    value = local[stem]
                    if value < 0:
                        value = np.int32(n_values)
                        local[stem] = value
                        stem_of_value[value] = stem
                        n_values += 1
                    values[n_known] = value
                here[each] = values[token]
            else:
                here[each] = token
            n_known += np.uint64(is_new)
            if n_known > np.uint64(capacity):
                is_large_enough = False
                break
        if not is_large_enough:
            break
        for each in range(n_breaks):
            sentence_tokens[n_sentences + each] = n_tokens + breaks[each]
        n_sentences += n_breaks
        n_tokens += n
        text_tokens[text + 1] = n_tokens
        text_sentences[text + 1] = n_sentences
    if stems:
        for each in range(n_values):
            local[stem_of_value[each]] = -1
    sentence_tokens[n_sentences] = n_tokens
    return (
        ids[:n_tokens],
        text_tokens,
        sentence_tokens[: n_sentences + 1],
        text_sentences,
        tokens[:n_known],
        is_large_enough,
    )
