"""Compiled: UTF-8 texts to token ids, without a Python string a token.

Equal tokens get equal ids because they are compared, never because of a hash alone.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from polyrouge.counting.compiled.kernels.distinct import MOST_SLOTS, find_firsts, number_firsts
from polyrouge.counting.compiled.kernels.keys import LOWER
from polyrouge.counting.compiled.kernels.scan import WHOLE, scan_any, scan_ascii
from polyrouge.counting.compiled.kernels.stems import find_stems, forget_if_full

_CASE_BITS = np.uint64(0x2020202020202020)  # set in lower-case letters and in digits
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@njit(cache=True, nogil=True, _nrt=False)
def longest_vocabulary(offsets, begins):
    """Bytes of the texts of the longest vocabulary."""
    longest = 0
    first = 0
    for text in range(len(begins)):
        if begins[text]:
            first = text
        longest = max(longest, offsets[text + 1] - offsets[first])
    return longest


@njit(cache=True, nogil=True)
def tokenize_texts(data, offsets, points, begins_mark, cut, lone_marks, ascii_words, begins, stems, memory):
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
        stems: tokens with the same Porter stem are the same.
        memory: ``StemMemory``; used if stems.

    Returns:
        ids uint32[n_tokens], in each vocabulary consecutive from 0 in order of first occurrence;
        text_tokens int64[n_texts + 1], offsets of the texts in ids; sentence_tokens
        int64[n_sentences + 1], offsets of the sentences in ids, each with a token at least;
        text_sentences int64[n_texts + 1], offsets of the texts in the sentences; tokens
        uint64[n, 2], bytes of data from and to at which each token of the last vocabulary occurs
        first; n_ids, every id is below; and whether the memory was large enough (if not, the rest is
        of no use).
    """
    n_texts = len(offsets) - 1
    ids = np.empty(offsets[-1] - offsets[0], np.uint32)
    text_tokens = np.zeros(n_texts + 1, np.int64)
    sentence_tokens = np.empty(offsets[-1] - offsets[0] + 1, np.int64)
    text_sentences = np.zeros(n_texts + 1, np.int64)
    longest = longest_vocabulary(offsets, begins)
    bounds = np.empty(2 * longest + 8, np.uint64)  # of the tokens of one vocabulary
    keys = np.empty((longest, 2), np.uint64)
    breaks = np.empty(longest + 1, np.int64)
    table = np.empty(MOST_SLOTS, np.int32)
    slots = np.empty(longest, np.uint32)
    odd = np.empty(longest + 1, np.int32)
    firsts = np.empty(longest, np.int32)
    numbers = np.empty(longest, np.uint32)
    room = np.empty((3, longest if stems else 0), np.int32)
    given = (data, offsets, points, begins_mark, cut, lone_marks, ascii_words, begins, stems, memory)
    found = (ids, text_tokens, sentence_tokens, text_sentences)
    vocabulary = (bounds, keys, breaks, table, slots, odd, firsts, numbers, room)
    n_here, n_tokens, n_sentences, n_ids, is_large_enough = _tokenize_into(given, found, vocabulary)
    return (
        ids[:n_tokens],
        text_tokens,
        sentence_tokens[: n_sentences + 1],
        text_sentences,
        distinct_bounds(bounds, firsts, n_here),
        n_ids,
        is_large_enough,
    )


@njit(cache=True, nogil=True, _nrt=False)
def _tokenize_into(given, found, vocabulary):
    """Write down the tokens; return those of the last vocabulary, all, sentences, ids, and whether there was room."""
    data, offsets, points, begins_mark, cut, lone_marks, ascii_words, begins, stems, memory = given
    ids, text_tokens, sentence_tokens, text_sentences = found
    bounds, keys, breaks, table, slots, odd, firsts, numbers, room = vocabulary
    known, known_stems, letters, used, local = memory
    fold = _CASE_BITS if points[65] >> LOWER != 65 else _ZERO
    is_large_enough = True
    n_here = _ZERO  # tokens of the vocabulary of the moment
    n_tokens, n_sentences, n_ids = 0, 0, 1
    for text in range(len(offsets) - 1):
        if begins[text]:
            n_here = _ZERO
        place, end = offsets[text], offsets[text + 1]
        free_bounds, free_keys = bounds[np.int64(_TWO * n_here) :], keys[np.int64(n_here) :]
        n, n_breaks = -1, 0
        if ascii_words and end + 79 <= len(data):
            n, n_breaks = scan_ascii(data, place, end, fold, cut != WHOLE, free_bounds, free_keys, breaks)
        if n < 0:
            n, n_breaks = scan_any(
                *(data, place, end, points, begins_mark, cut, lone_marks, ascii_words, fold),
                *(free_bounds, free_keys, breaks),
            )
        for each in range(n_breaks):
            sentence_tokens[n_sentences + each] = n_tokens + breaks[each]
        n_sentences += n_breaks
        n_tokens += n
        n_here += np.uint64(n)
        text_tokens[text + 1] = n_tokens
        text_sentences[text + 1] = n_sentences
        if text + 1 < len(begins) and not begins[text + 1]:
            continue
        find_firsts(data, points, fold, bounds, keys, n_here, table, slots, odd, firsts)
        if stems:
            forget_if_full(known, known_stems, used, letters)
            is_large_enough = find_stems(
                known, known_stems, letters, used, local, data, points, bounds, keys, n_here, firsts, room
            )
            if not is_large_enough:
                break
        n_ids = max(n_ids, number_firsts(firsts, n_here, numbers, ids[n_tokens - np.int64(n_here) :]))
    sentence_tokens[n_sentences] = n_tokens
    return n_here, n_tokens, n_sentences, n_ids, is_large_enough


@njit(cache=True, nogil=True)
def distinct_bounds(bounds, firsts, n):
    """Where each token that is its own first begins and ends, uint64[n_ids, 2]."""
    out = np.empty((np.int64(n), 2), np.uint64)
    n_distinct = 0
    for token in range(n):
        if np.uint64(firsts[token]) == token:
            out[n_distinct, 0], out[n_distinct, 1] = bounds[_TWO * token], bounds[_TWO * token + _ONE]
            n_distinct += 1
    return out[:n_distinct]
