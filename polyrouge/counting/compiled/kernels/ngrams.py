"""ROUGE-N over token ids.

A kernel takes a chunk: ``ids`` uint32[n_tokens], of one vocabulary where they are compared, below ``n_ids``;
``text_tokens`` int64[n_texts + 1], offsets of the texts in ids; ``predictions`` and ``references`` int64[n_pairs], the
texts of each pair. It returns int64[n_pairs, 3]: hits, prediction total, reference total. The other functions take one
pair of texts, the ids of each and how many there are. Tables are cleared by undoing what was written.
"""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.room import Room, check_ids, check_pairs, longest_stretch

NgramRoom = cython.struct(
    square=p_u8,  # of bigrams, a byte a cell, so that what is used of it stays in the fastest cache
    size=i64,  # slots of the hash table of n-grams: keys, names, and a stamp where the key is of this pair and order
    keys=p_u64,
    stamps=p_i64,
    names=p_i32,
    stamp=i64,
    counts=p_i32,  # by name
    pred_names=p_i32,  # by place
    ref_names=p_i32,
)


@cython.cfunc
def ngram_room(room: Room, longest: i64) -> NgramRoom:
    """Arrays for texts of so many tokens."""
    grams: NgramRoom
    grams.size = 64
    while grams.size < 4 * longest:
        grams.size *= 2
    grams.square = cython.cast(p_u8, room.zeros(WIDEST_SQUARE * WIDEST_SQUARE, 1))
    grams.keys = cython.cast(p_u64, room.zeros(grams.size, 8))
    grams.stamps = cython.cast(p_i64, room.zeros(grams.size, 8))
    grams.names = cython.cast(p_i32, room.zeros(grams.size, 4))
    grams.stamp = 0
    grams.counts = cython.cast(p_i32, room.zeros(2 * longest + 1, 4))
    grams.pred_names = cython.cast(p_i32, room.zeros(longest, 4))
    grams.ref_names = cython.cast(p_i32, room.zeros(longest, 4))
    return grams


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unigrams(
    pred: pc_u32, n_pred: i64, ref: pc_u32, n_ref: i64, distinct: flag, counts: p_i32, out: p_i64
) -> cython.void:
    """ROUGE-1 of one pair; ``counts`` is 0 before and after; ``out`` takes hits and both totals."""
    hits: i64 = 0
    place: i64
    seen: i32
    hit: i32
    out[1] = n_pred
    out[2] = n_ref
    if distinct:
        out[1] = out[2] = 0
        for place in range(n_ref):
            out[2] += counts[ref[place]] == 0
            counts[ref[place]] = 1
        for place in range(n_pred):  # 1: reference only, 2: both, 3: prediction only
            seen = counts[pred[place]]
            if seen < 2:
                hits += seen
                out[1] += 1
                counts[pred[place]] = 3 - seen
        for place in range(n_pred):
            counts[pred[place]] = 0
    else:
        for place in range(n_ref):
            counts[ref[place]] += 1
        for place in range(n_pred):
            hit = counts[pred[place]] > 0  # added, not branched on: it can't be foreseen
            counts[pred[place]] -= hit
            hits += hit
    for place in range(n_ref):
        counts[ref[place]] = 0
    out[0] = hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bigrams(pred: pc_u32, n_pred: i64, ref: pc_u32, n_ref: i64, square: p_u8, out: p_i64) -> flag:
    """ROUGE-2 of one pair of few distinct tokens in a square table; False, and no hits, where there are more."""
    hits: i64 = 0
    highest: u32 = 0
    place: i64
    width_: u32
    cell: u32
    left: u8
    hit: u8
    out[0] = 0
    out[1] = max(0, n_pred - 1)
    out[2] = max(0, n_ref - 1)
    if n_pred < 2 or n_ref < 2:
        return True
    for place in range(n_pred):
        highest = max(highest, pred[place])
    for place in range(n_ref):
        highest = max(highest, ref[place])
    if highest >= WIDEST_SQUARE or n_ref > MOST_IN_A_BYTE:
        return False
    width_ = highest + 1
    for place in range(n_ref - 1):
        square[ref[place] * width_ + ref[place + 1]] += 1
    for place in range(n_pred - 1):
        cell = pred[place] * width_ + pred[place + 1]
        left = square[cell]
        hit = left != 0
        square[cell] = left - hit
        hits += hit
    for place in range(n_ref - 1):
        square[ref[place] * width_ + ref[place + 1]] = 0
    out[0] = hits
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find_key(keys: p_u64, stamps: p_i64, stamp: i64, mask: i64, key: u64) -> i64:
    """The slot of a key written under this stamp, or the free one where it belongs."""
    slot: i64 = ((key * SPREAD) & ALL) >> 32 & cython.cast(u64, mask)
    while stamps[slot] == stamp and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ngrams(
    pred: pc_u32,
    len_pred: i64,
    ref: pc_u32,
    len_ref: i64,
    n: i64,
    distinct: flag,
    room: cython.pointer[NgramRoom],
    out: p_i64,
) -> cython.void:
    """ROUGE-N of one pair for n of 2 and more.

    An n-gram is named by the pair (name of its first n - 1 tokens, last token), an exact 64-bit key;
    names are consecutive within a pair of texts.
    """
    keys: p_u64 = room[0].keys
    stamps: p_i64 = room[0].stamps
    stamp: i64 = room[0].stamp
    names: p_i32 = room[0].names
    counts: p_i32 = room[0].counts
    pred_names: p_i32 = room[0].pred_names
    ref_names: p_i32 = room[0].ref_names
    n_pred: i64 = max(0, len_pred - n + 1)
    n_ref: i64 = max(0, len_ref - n + 1)
    mask: i64 = 63
    n_names: i64 = 0
    hits: i64 = 0
    n_distinct: i64 = 0
    order: i64
    place: i64
    slot: i64
    name: i64
    key: u64
    out[0], out[1], out[2] = 0, n_pred, n_ref
    if (n_pred == 0 and n_ref == 0) or (not distinct and (n_pred == 0 or n_ref == 0)):
        return
    # A table that is filled little stays in the fastest cache.
    while mask < 2 * (len_pred + len_ref) and mask < room[0].size - 1:
        mask = 2 * mask + 1
    for place in range(len_ref):
        ref_names[place] = ref[place]
    for place in range(len_pred):
        pred_names[place] = pred[place]
    for order in range(2, n + 1):
        stamp += 1
        n_names = 0
        for place in range(len_ref - order + 1):
            key = cython.cast(u64, ref_names[place]) << 32 | ref[place + order - 1]
            slot = find_key(keys, stamps, stamp, mask, key)
            if stamps[slot] != stamp:
                stamps[slot] = stamp
                keys[slot] = key
                names[slot] = n_names
                n_names += 1
            ref_names[place] = names[slot]
        if order == n:
            for place in range(n_ref):
                counts[ref_names[place]] += 1
        if order == n and distinct:
            out[2] = n_names
        hits = 0
        n_distinct = 0
        for place in range(len_pred - order + 1):
            key = cython.cast(u64, pred_names[place]) << 32 | pred[place + order - 1]
            slot = find_key(keys, stamps, stamp, mask, key)
            if stamps[slot] != stamp:
                if order == n and not distinct:
                    continue
                stamps[slot] = stamp
                keys[slot] = key
                names[slot] = n_names
                counts[n_names] = 0
                n_names += 1
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
    out[0] = hits
    if distinct:
        out[1] = n_distinct
    for name in range(n_names):
        counts[name] = 0
    room[0].stamp = stamp


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ngrams_of_any_order(
    pred: pc_u32,
    n_pred: i64,
    ref: pc_u32,
    n_ref: i64,
    n: i64,
    distinct: flag,
    room: cython.pointer[NgramRoom],
    out: p_i64,
) -> cython.void:
    """ROUGE-N of one pair, of bigrams by the square table where the pair has few distinct tokens."""
    if n == 1:
        unigrams(pred, n_pred, ref, n_ref, distinct, room[0].counts, out)
    elif n > 2 or distinct or not bigrams(pred, n_pred, ref, n_ref, room[0].square, out):
        ngrams(pred, n_pred, ref, n_ref, n, distinct, room, out)


def count_unigrams(
    ids: cython.const[u32][::1],
    text_tokens: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    distinct: cython.bint,
    leave_out_last: cython.bint,
):
    """ROUGE-1 of a chunk: see ``clipped_hits``.

    Args:
        ids, text_tokens, predictions, references, n_ids: the chunk.
        distinct: count each token once.
        leave_out_last: without the last token of each text, as ROUGE-1.5.5's SU.
    """
    longest_stretch(text_tokens, ids.shape[0])
    check_pairs(predictions, references, text_tokens)
    check_ids(ids, n_ids)
    counted = np.zeros((predictions.shape[0], 3), np.int64)
    out: i64[:, ::1] = counted
    room = Room()
    counts: p_i32 = cython.cast(p_i32, room.zeros(n_ids, 4))
    first_id: pc_u32 = cython.address(ids[0])
    last: i64 = leave_out_last
    pair: i64
    pred: i64
    ref: i64
    n_pred: i64
    n_ref: i64
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            pred, ref = text_tokens[predictions[pair]], text_tokens[references[pair]]
            n_pred = max(0, text_tokens[predictions[pair] + 1] - pred - last)
            n_ref = max(0, text_tokens[references[pair] + 1] - ref - last)
            unigrams(first_id + pred, n_pred, first_id + ref, n_ref, distinct, counts, cython.address(out[pair, 0]))
    return counted


def count_ngrams(
    ids: cython.const[u32][::1],
    text_tokens: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    n: cython.longlong,
    distinct: cython.bint,
):
    """ROUGE-N of a chunk: see ``count_ngrams`` of the plain ``ngrams.py`` and ``clipped_hits``.

    Args:
        ids, text_tokens, predictions, references, n_ids: the chunk.
        n: order, 1 or more.
        distinct: count each n-gram once.
    """
    if n < 1:
        raise ValueError("n must be 1 or more")
    if n == 1:
        return count_unigrams(ids, text_tokens, predictions, references, n_ids, distinct, False)
    room = Room()
    grams: NgramRoom = ngram_room(room, longest_stretch(text_tokens, ids.shape[0]))
    check_pairs(predictions, references, text_tokens)
    check_ids(ids, n_ids)
    counted = np.zeros((predictions.shape[0], 3), np.int64)
    out: i64[:, ::1] = counted
    first_id: pc_u32 = cython.address(ids[0])
    pair: i64
    pred: i64
    ref: i64
    n_pred: i64
    n_ref: i64
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            pred, ref = text_tokens[predictions[pair]], text_tokens[references[pair]]
            n_pred = text_tokens[predictions[pair] + 1] - pred
            n_ref = text_tokens[references[pair] + 1] - ref
            ngrams_of_any_order(
                first_id + pred,
                n_pred,
                first_id + ref,
                n_ref,
                n,
                distinct,
                cython.address(grams),
                cython.address(out[pair, 0]),
            )
    return counted
