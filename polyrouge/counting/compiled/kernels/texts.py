"""Compiled: UTF-8 texts to token ids, without a Python string a token.

Equal tokens get equal ids because they are compared, never because of a hash alone.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.codes import LOWER, WHOLE
from polyrouge.counting.compiled.kernels.distinct import find_firsts, number_firsts
from polyrouge.counting.compiled.kernels.kernel import FLAG, INT, OFFSETS, TEXT, helper, kernel, together
from polyrouge.counting.compiled.kernels.rooms import (
    FOUND,
    ROOM,
    VocabularySpans,
    longest_vocabulary,
    room_for_vocabulary,
)
from polyrouge.counting.compiled.kernels.scan import scan_any, scan_ascii
from polyrouge.counting.compiled.kernels.stems import find_stems, forget_if_full

_CASE_BITS = np.uint64(0x2020202020202020)  # set in lower-case letters and in digits
_ZERO, _TWO = np.uint64(0), np.uint64(2)


def tokenize_texts(data, offsets, points, begins_mark, cut, lone_marks, ascii_words, begins, memory=None):
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
        memory: ``StemMemory``: tokens with the same Porter stem are the same; None for none.

    Returns:
        ids uint32[n_tokens], in each vocabulary consecutive from 0 in order of first occurrence;
        text_tokens int64[n_texts + 1], offsets of the texts in ids; sentence_tokens
        int64[n_sentences + 1], offsets of the sentences in ids, each with a token at least;
        text_sentences int64[n_texts + 1], offsets of the texts in the sentences; the
        spans of the last vocabulary; n_ids, every id is below; and whether the memory was large enough
        (if not, the rest is of no use).
    """
    n_texts = len(offsets) - 1
    ids = np.empty(offsets[-1] - offsets[0], np.uint32)
    text_tokens = np.zeros(n_texts + 1, np.int64)
    sentence_tokens = np.empty(offsets[-1] - offsets[0] + 1, np.int64)
    text_sentences = np.zeros(n_texts + 1, np.int64)
    room = room_for_vocabulary(longest_vocabulary(offsets, begins))
    given = (data, offsets, points, begins_mark, cut, lone_marks, ascii_words, begins)
    found = (ids, text_tokens, sentence_tokens, text_sentences)
    if memory is None:
        n_here, n_tokens, n_sentences, n_ids = tokenize(given, found, tuple(room))
        is_large_enough = True
    else:
        stem_room = np.empty((3, len(room.firsts)), np.int32)
        n_here, n_tokens, n_sentences, n_ids, is_large_enough = tokenize_stems(
            given, tuple(memory), found, tuple(room), stem_room
        )
    return (
        ids[:n_tokens],
        text_tokens,
        sentence_tokens[: n_sentences + 1],
        text_sentences,
        VocabularySpans(room.bounds, room.firsts, n_here),
        n_ids,
        is_large_enough,
    )


_GIVEN = (TEXT, OFFSETS, "int32[::1]", "boolean[::1]", INT, FLAG, FLAG, "boolean[::1]")
_MEMORY = ("uint64[:, ::1]", "uint64[:, ::1]", "uint8[::1]", OFFSETS, "int32[::1]")


@helper
def _scan_vocabulary(given, fold, text, done, found, room):
    """Write down the tokens of the texts of one vocabulary, from a text on; return the text behind, and how many."""
    data, offsets, points, begins_mark, cut, lone_marks, ascii_words, begins = given
    _, text_tokens, sentence_tokens, text_sentences = found
    bounds, keys, breaks = room[:3]
    n_here = _ZERO  # tokens of the vocabulary
    n_tokens, n_sentences = done
    while True:
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
        text += 1
        text_tokens[text] = n_tokens
        text_sentences[text] = n_sentences
        if text == len(begins) or begins[text]:
            return text, n_here, n_tokens, n_sentences


@kernel(together(*_GIVEN), together(*FOUND), together(*ROOM))
def tokenize(given, found, room):
    """Write down the tokens; return those of the last vocabulary, all, sentences, and ids.

    Args:
        given: the first arguments of ``tokenize_texts``.
        found: takes its first results.
        room: ``VocabularyRoom``.
    """
    data, points, begins = given[0], given[2], given[7]
    ids, sentence_tokens = found[0], found[2]
    bounds, keys, _, table, slots, odd, firsts, numbers = room
    fold = _CASE_BITS if points[65] >> LOWER != 65 else _ZERO
    n_here = _ZERO
    text, n_tokens, n_sentences, n_ids = np.int64(0), np.int64(0), np.int64(0), np.int64(1)
    while text < len(begins):
        text, n_here, n_tokens, n_sentences = _scan_vocabulary(given, fold, text, (n_tokens, n_sentences), found, room)
        find_firsts(data, points, fold, bounds, keys, n_here, table, slots, odd, firsts)
        n_ids = max(n_ids, number_firsts(firsts, n_here, numbers, ids[n_tokens - np.int64(n_here) :]))
    sentence_tokens[n_sentences] = n_tokens
    return np.int64(n_here), n_tokens, n_sentences, n_ids


@kernel(together(*_GIVEN), together(*_MEMORY), together(*FOUND), together(*ROOM), "int32[:, ::1]")
def tokenize_stems(given, memory, found, room, stem_room):
    """As ``tokenize``, but that tokens with one stem are the same; return also whether the memory was large enough."""
    data, points, begins = given[0], given[2], given[7]
    known, known_stems, letters, used, local = memory
    ids, sentence_tokens = found[0], found[2]
    bounds, keys, _, table, slots, odd, firsts, numbers = room
    fold = _CASE_BITS if points[65] >> LOWER != 65 else _ZERO
    n_here = _ZERO
    text, n_tokens, n_sentences, n_ids = np.int64(0), np.int64(0), np.int64(0), np.int64(1)
    while text < len(begins):
        text, n_here, n_tokens, n_sentences = _scan_vocabulary(given, fold, text, (n_tokens, n_sentences), found, room)
        find_firsts(data, points, fold, bounds, keys, n_here, table, slots, odd, firsts)
        forget_if_full(known, known_stems, used, letters)
        if not find_stems(
            known, known_stems, letters, used, local, data, points, bounds, keys, n_here, firsts, stem_room
        ):
            return np.int64(n_here), n_tokens, n_sentences, n_ids, False
        n_ids = max(n_ids, number_firsts(firsts, n_here, numbers, ids[n_tokens - np.int64(n_here) :]))
    sentence_tokens[n_sentences] = n_tokens
    return np.int64(n_here), n_tokens, n_sentences, n_ids, True
