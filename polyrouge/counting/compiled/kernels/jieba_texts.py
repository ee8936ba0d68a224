"""Compiled: UTF-8 texts to jieba's words, and on to token ids, without a Python string a word."""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.codes import LOWER, OWN, PLTRDY
from polyrouge.counting.compiled.kernels.distinct import find_firsts, number_firsts
from polyrouge.counting.compiled.kernels.jieba_cut import cut_route, decode_text, find_route
from polyrouge.counting.compiled.kernels.jieba_tokens import own_tokens, pltrdy_tokens, rouge_chinese_tokens
from polyrouge.counting.compiled.kernels.kernel import FLAG, INT, OFFSETS, TEXT, helper, kernel, together
from polyrouge.counting.compiled.kernels.rooms import (
    CUTTING_ROOM,
    FOUND,
    ROOM,
    VocabularySpans,
    longest_stretch,
    longest_vocabulary,
    room_for_cutting,
    room_for_vocabulary,
)

_MOST_OF_ALL, _MOST_OF_ASCII = np.uint64(0xFFFF), np.uint64(62)  # codes whose single characters are put together
_CASE_BITS = np.uint64(0x2020202020202020)
_DOT = 46
_ZERO, _TWO = np.uint64(0), np.uint64(2)


_TABLES = (
    *("Array(uint16, 1, 'C', readonly=True)", "Array(uint64, 1, 'C', readonly=True)"),
    *("Array(float64, 1, 'C', readonly=True)", "Array(float64, 2, 'C', readonly=True)"),
    *("Array(float64, 1, 'C', readonly=True)", "Array(boolean, 1, 'C', readonly=True)"),
)


@helper
def _cut_text(data, place, end, tables, use_hmm, room, ends):
    """Write down where the words of a text end; return how many there are."""
    code_of, units, weights, emissions, hmm, deleted = tables
    codes, places, route, lengths, singles, backs, seconds, pairs = room
    most_single = _MOST_OF_ALL if use_hmm else _MOST_OF_ASCII
    n = decode_text(data, place, end, code_of, codes, places)
    find_route(codes, n, most_single, units, weights, route, lengths, singles, seconds, pairs)
    return cut_route(codes, n, lengths, singles, use_hmm, places, units, emissions, hmm, deleted, backs, ends, 0)


def word_ends(data, offsets, code_of, units, weights, emissions, hmm, deleted, use_hmm):
    """Where the words of texts end.

    Args:
        data: uint8[n_bytes], the texts as valid UTF-8, one after the other.
        offsets: int64[n_texts + 1], where each begins in data.
        code_of: uint16[0x10000], ``JiebaTables.codes``; the next five are of the tables too.
        use_hmm: guess words that are in no dictionary.

    Returns:
        ends int64[n_words], bytes of data, each where the next word begins; text_words int64[n_texts + 1], offsets of
        the texts in them.
    """
    ends = np.empty(offsets[-1] - offsets[0] + 1, np.int64)
    text_words = np.zeros(len(offsets), np.int64)
    room = room_for_cutting(longest_stretch(offsets))
    tables = (code_of, units, weights, emissions, hmm, deleted)
    n = _ends_into(data, offsets, tables, use_hmm, room, ends, text_words)
    return ends[:n], text_words


@kernel(TEXT, OFFSETS, together(*_TABLES), FLAG, together(*CUTTING_ROOM), OFFSETS, OFFSETS)
def _ends_into(data, offsets, tables, use_hmm, room, ends, text_words):
    """Write down the ends; return how many there are."""
    n = 0
    for text in range(len(offsets) - 1):
        start, end = offsets[text], offsets[text + 1]
        n += _cut_text(data, start, end, tables, use_hmm, room, ends[n:])
        text_words[text + 1] = n
    return n


def ids_of_texts(
    data, offsets, begins, code_of, units, weights, emissions, hmm, deleted, use_hmm, points, whose, skips_spaces, cut
):
    """Tokenize a chunk of texts.

    Args:
        data: uint8[n_bytes], the texts as valid UTF-8, one after the other.
        offsets: int64[n_texts + 1], where each begins in data.
        begins: bool[n_texts], texts with which a new vocabulary begins.
        code_of: uint16[0x10000], ``JiebaTables.codes``; the next five are of the tables too.
        use_hmm: guess words that are in no dictionary.
        points: int32[0x110000], what is known of each code point; see ``scan.py``.
        whose: OWN, ROUGE_CHINESE or PLTRDY.
        skips_spaces: words that are a space are left out; not for OWN.
        cut: WHOLE, LINES or CHINESE.

    Returns:
        As ``tokenize_texts``, but for the last.
    """
    n_texts = len(offsets) - 1
    longest_text = longest_stretch(offsets)
    most = offsets[-1] - offsets[0] + n_texts  # an empty token more than bytes, at most, in a text
    longest = longest_vocabulary(offsets, begins) + n_texts
    ids = np.empty(most, np.uint32)
    text_tokens = np.zeros(n_texts + 1, np.int64)
    sentence_tokens = np.empty(most + 1, np.int64)
    text_sentences = np.zeros(n_texts + 1, np.int64)
    room = room_for_cutting(longest_text)
    ends = np.empty(longest_text + 1, np.int64)
    vocabulary = room_for_vocabulary(longest)
    tables = (code_of, units, weights, emissions, hmm, deleted)
    rules = (use_hmm, whose, skips_spaces, cut)
    found = (ids, text_tokens, sentence_tokens, text_sentences)
    n_here, n_tokens, n_sentences, n_ids = _ids_into(
        data, offsets, begins, tables, points, rules, room, ends, found, tuple(vocabulary)
    )
    return (
        ids[:n_tokens],
        text_tokens,
        sentence_tokens[: n_sentences + 1],
        text_sentences,
        VocabularySpans(vocabulary.bounds, vocabulary.firsts, n_here),
        n_ids,
    )


@kernel(
    *(TEXT, OFFSETS, "boolean[::1]", together(*_TABLES), "int32[::1]", together(FLAG, INT, FLAG, INT)),
    *(together(*CUTTING_ROOM), OFFSETS, together(*FOUND), together(*ROOM)),
)
def _ids_into(data, offsets, begins, tables, points, rules, room, ends, found, vocabulary):
    """Write down the tokens; return those of the last vocabulary, all, sentences, ids."""
    use_hmm, whose, skips_spaces, cut = rules
    ids, text_tokens, sentence_tokens, text_sentences = found
    bounds, keys, breaks, table, slots, odd, firsts, numbers = vocabulary
    fold = _CASE_BITS if points[65] >> LOWER != 65 else _ZERO
    n_here = _ZERO
    n_tokens, n_sentences, n_ids = 0, 0, 1
    for text in range(len(offsets) - 1):
        if begins[text]:
            n_here = _ZERO
        start, end = offsets[text], offsets[text + 1]
        n_words = _cut_text(data, start, end, tables, use_hmm, room, ends)
        free_bounds, free_keys = bounds[np.int64(_TWO * n_here) :], keys[np.int64(n_here) :]
        if whose == OWN:
            n, n_breaks = own_tokens(data, points, start, ends, n_words, cut, free_bounds, free_keys, breaks)
        elif whose == PLTRDY:
            n, n_breaks = pltrdy_tokens(
                data, points, start, ends, n_words, skips_spaces, cut, free_bounds, free_keys, breaks
            )
        else:
            has_dots = False
            for byte in data[start:end]:
                has_dots |= byte == _DOT
            n = rouge_chinese_tokens(data, points, start, ends, n_words, skips_spaces, has_dots, free_bounds, free_keys)
            breaks[0] = 0
            n_breaks = np.int64(n != _ZERO)
        for each in range(n_breaks):
            sentence_tokens[n_sentences + each] = n_tokens + breaks[each]
        n_sentences += n_breaks
        n_tokens += np.int64(n)
        n_here += n
        text_tokens[text + 1] = n_tokens
        text_sentences[text + 1] = n_sentences
        if text + 1 < len(begins) and not begins[text + 1]:
            continue
        find_firsts(data, points, fold, bounds, keys, n_here, table, slots, odd, firsts)
        n_ids = max(n_ids, number_firsts(firsts, n_here, numbers, ids[n_tokens - np.int64(n_here) :]))
    sentence_tokens[n_sentences] = n_tokens
    return np.int64(n_here), n_tokens, n_sentences, n_ids
