"""Compiled: ROUGE-N over token ids. The twin of ``ngrams.py``.

Every kernel takes a chunk: ``ids`` uint32[n_tokens] (unsigned, and texts as slices: so numba need not ask
whether a place is negative, which would take longer than the counting), of one vocabulary where they are compared;
``text_tokens`` int64[n_texts + 1], offsets of the texts in ids; ``predictions`` and ``references``
int64[n_pairs], the texts of each pair. It returns int64[n_pairs, 3]: hits, prediction total,
reference total. Tables are cleared by undoing what was written.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.kernel import CHUNK, COUNTS, FLAG, INT, OFFSETS, inlined, kernel, together
from polyrouge.counting.compiled.kernels.rooms import longest_stretch

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
# The table of bigrams has a byte a cell, so that what is used of it stays in the fastest cache.
_WIDEST = 256
_MOST_IN_A_BYTE = 255


def count_unigrams(ids, text_tokens, predictions, references, n_ids, distinct, leave_out_last):
    """ROUGE-1: see ``clipped_hits``.

    Args:
        ids, text_tokens, predictions, references: the chunk.
        n_ids: ids are below this.
        distinct: count each token once.
        leave_out_last: without the last token of each text, as ROUGE-1.5.5's SU.
    """
    out = np.zeros((len(predictions), 3), np.int64)
    counts = np.zeros(n_ids, np.int32)
    _count_unigrams(ids, text_tokens, predictions, references, distinct, leave_out_last, counts, out)
    return out


@kernel(*CHUNK, FLAG, FLAG, "int32[::1]", COUNTS)
def _count_unigrams(ids, text_tokens, predictions, references, distinct, leave_out_last, counts, out):
    last = 1 if leave_out_last else 0
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1] - last
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1] - last
        prediction, reference = ids[pred : max(pred, pred_end)], ids[ref : max(ref, ref_end)]
        hits = 0
        if distinct:
            n_pred, n_ref = 0, 0
            for token in reference:
                n_ref += counts[token] == 0
                counts[token] = 1
            for token in prediction:  # 1: reference only, 2: both, 3: prediction only
                seen = counts[token]
                if seen < 2:
                    hits += seen
                    n_pred += 1
                    counts[token] = 3 - seen
            for token in prediction:
                counts[token] = 0
            out[pair, 1], out[pair, 2] = n_pred, n_ref
        else:
            for token in reference:
                counts[token] += 1
            for token in prediction:
                hit = np.int32(counts[token] > 0)  # added, not branched on: it can't be foreseen
                counts[token] -= hit
                hits += hit
            out[pair, 1], out[pair, 2] = len(prediction), len(reference)
        for token in reference:
            counts[token] = 0
        out[pair, 0] = hits


def count_bigrams(ids, text_tokens, predictions, references):
    """ROUGE-2 by multisets: see ``count_ngrams`` of ngrams.py and ``clipped_hits``.

    A pair of texts with few distinct tokens, nearly any of ordinary length, is counted in a square
    table; the others are left to ``count_ngrams``.

    Returns:
        The counts, and bool[n_pairs]: those that are left.
    """
    out = np.zeros((len(predictions), 3), np.int64)
    left = np.zeros(len(predictions), np.bool_)
    square = np.zeros(_WIDEST * _WIDEST, np.uint8)
    _count_bigrams(ids, text_tokens, predictions, references, square, out, left)
    return out, left


@kernel(*CHUNK, "uint8[::1]", COUNTS, "boolean[::1]")
def _count_bigrams(ids, text_tokens, predictions, references, square, out, left):
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1]
        out[pair, 1], out[pair, 2] = max(0, pred_end - pred - 1), max(0, ref_end - ref - 1)
        prediction, reference = ids[pred:pred_end], ids[ref:ref_end]
        if len(prediction) < 2 or len(reference) < 2:
            continue
        highest = np.uint32(0)  # by places: only then it is found for many tokens at once
        for place in range(len(prediction)):
            highest = max(highest, prediction[place])
        for place in range(len(reference)):
            highest = max(highest, reference[place])
        if highest >= np.uint32(_WIDEST) or len(reference) > _MOST_IN_A_BYTE:
            left[pair] = True
            continue
        width = np.uint32(highest + np.uint32(1))
        first = reference[0]
        for second in reference[1:]:
            square[np.uint32(first * width + second)] += np.uint8(1)
            first = second
        hits = 0
        first = prediction[0]
        for second in prediction[1:]:
            cell = np.uint32(first * width + second)
            left_over = square[cell]
            hit = np.uint8(left_over != 0)
            square[cell] = left_over - hit
            hits += np.int64(hit)
            first = second
        out[pair, 0] = hits
        first = reference[0]
        for second in reference[1:]:
            square[np.uint32(first * width + second)] = np.uint8(0)
            first = second


@inlined
def _find(keys, stamps, stamp, mask, key):
    """The slot of a key written under this stamp, or the free one where it belongs."""
    slot = np.int64((key * _SPREAD) >> np.uint64(32)) & mask
    while stamps[slot] == stamp and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


def count_ngrams(ids, text_tokens, predictions, references, n, distinct):
    """ROUGE-N for n of 2 and more: see ``count_ngrams`` of ngrams.py and ``clipped_hits``.

    An n-gram is named by the pair (name of its first n - 1 tokens, last token), an exact 64-bit key;
    names are consecutive within a pair of texts.

    Args:
        ids, text_tokens, predictions, references: the chunk.
        n: order, 2 or more.
        distinct: count each n-gram once.
    """
    out = np.zeros((len(predictions), 3), np.int64)
    longest = longest_stretch(text_tokens)
    size = 64
    while size < 4 * longest:
        size *= 2
    keys = np.empty(size, np.uint64)
    stamps = np.zeros(size, np.int64)
    names = np.empty(size, np.int32)
    counts = np.zeros(2 * longest + 1, np.int32)  # by name
    pred_names = np.empty(longest, np.int32)
    ref_names = np.empty(longest, np.int32)
    room = (keys, stamps, names, counts, pred_names, ref_names)
    _count_ngrams(ids, text_tokens, predictions, references, n, distinct, room, out)
    return out


_ROOM = ("uint64[::1]", OFFSETS, "int32[::1]", "int32[::1]", "int32[::1]", "int32[::1]")


@kernel(*CHUNK, INT, FLAG, together(*_ROOM), COUNTS)
def _count_ngrams(ids, text_tokens, predictions, references, n, distinct, room, out):
    keys, stamps, names, counts, pred_names, ref_names = room
    size = len(keys)
    stamp = 0
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1]
        n_pred, n_ref = max(0, pred_end - pred - n + 1), max(0, ref_end - ref - n + 1)
        out[pair, 1], out[pair, 2] = n_pred, n_ref
        if (n_pred == 0 and n_ref == 0) or (not distinct and (n_pred == 0 or n_ref == 0)):
            continue
        # A table that is filled little stays in the fastest cache.
        mask = 63
        while mask < 2 * (pred_end - pred + ref_end - ref) and mask < size - 1:
            mask = 2 * mask + 1
        for place in range(ref, ref_end):
            ref_names[place - ref] = ids[place]
        for place in range(pred, pred_end):
            pred_names[place - pred] = ids[place]
        n_names = 0
        for order in range(2, n + 1):
            stamp += 1
            n_names = 0
            for place in range(ref_end - ref - order + 1):
                key = np.uint64(ref_names[place]) << np.uint64(32) | np.uint64(ids[ref + place + order - 1])
                slot = _find(keys, stamps, stamp, mask, key)
                if stamps[slot] != stamp:
                    stamps[slot], keys[slot], names[slot] = stamp, key, n_names
                    n_names += 1
                ref_names[place] = names[slot]
            if order == n:
                for place in range(n_ref):
                    counts[ref_names[place]] += 1
            if order == n and distinct:
                out[pair, 2] = n_names
            hits = 0
            n_distinct = 0
            for place in range(pred_end - pred - order + 1):
                key = np.uint64(pred_names[place]) << np.uint64(32) | np.uint64(ids[pred + place + order - 1])
                slot = _find(keys, stamps, stamp, mask, key)
                if stamps[slot] != stamp:
                    if order == n and not distinct:
                        continue
                    stamps[slot], keys[slot], names[slot] = stamp, key, n_names
                    n_names += 1
                    counts[names[slot]] = 0
                name = names[slot]
                pred_names[place] = name
                if order == n and distinct:
                    if counts[name] >= 0:  # seen for the first time
                        n_distinct += 1
                        hits += counts[name] > 0
                        counts[name] = -1
                elif order == n and counts[name] > 0:
                    counts[name] -= 1
                    hits += 1
            if order == n:
                out[pair, 0] = hits
                if distinct:
                    out[pair, 1] = n_distinct
        for name in range(n_names):
            counts[name] = 0
