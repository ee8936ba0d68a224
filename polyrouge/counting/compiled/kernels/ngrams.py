"""ROUGE-N, ROUGE-S and ROUGE-SU over token ids.

A kernel takes a chunk: ``ids`` uint32[n_tokens], of one vocabulary where they are compared, below ``n_ids``;
``text_tokens`` int64[n_texts + 1], offsets of the texts in ids; ``predictions`` and ``references`` int64[n_pairs], the
texts of each pair. It returns int64[n_pairs, 3]: hits, prediction total, reference total. The other functions take one
pair of texts, the ids of each and how many there are. Tables are cleared by undoing what was written.
"""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.room import *

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
    distinct: cython.bint,  # count each token once
    leave_out_last: cython.bint,  # without the last token of each text, as ROUGE-1.5.5's SU
):
    """ROUGE-1 of a chunk: see ``clipped_hits``."""
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
    """ROUGE-N of a chunk: see ``count_ngrams`` of the plain ``ngrams.py`` and ``clipped_hits``."""
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


SkipRoom = cython.struct(
    square=p_i16,  # of pairs of tokens, where there are few distinct ones; 32 KB
    is_done=p_u8,  # by id: it has been a first token; 0 between pairs of texts
    seconds=p_i64,  # by id: how often it follows the first token, in the reference; 0 between rows
    latest=p_i64,  # by id: a place behind which it was met, counted from 1; 0 for none, as between pairs of texts
    pred_nexts=p_i64,  # by place: the next place of the same token, or the end
    ref_nexts=p_i64,
)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def n_skip_bigrams(n: i64, gap: i64) -> i64:
    """Pairs of n tokens with at most gap others in between; any number if gap is below 0."""
    reach: i64 = n - 1 if gap < 0 else min(gap + 1, n - 1)
    return reach * (n - reach) + reach * (reach - 1) // 2 if n > 1 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_bigrams_in_square(
    pred: pc_u32, n_pred: i64, ref: pc_u32, n_ref: i64, gap: i64, square: p_i16, hits: p_i64
) -> flag:
    """Hits of one pair of few distinct tokens, with a gap; False where there are more, or too many for the cells."""
    reach: i64 = gap + 1
    highest: u32 = 0
    width_: i64
    hit: i16
    if min(reach, n_ref) * n_ref >= MOST_IN_A_CELL:
        return False
    for place in range(n_pred):
        highest = max(highest, pred[place])
    for place in range(n_ref):
        highest = max(highest, ref[place])
    if highest >= WIDEST_SKIP_SQUARE:
        return False
    width_ = highest + 1
    # Distance by distance, so that the inner loops are long.
    for distance in range(1, min(reach, n_ref - 1) + 1):
        for place in range(n_ref - distance):
            square[ref[place] * width_ + ref[place + distance]] += 1
    for distance in range(1, min(reach, n_pred - 1) + 1):
        for place in range(n_pred - distance):
            cell = pred[place] * width_ + pred[place + distance]
            hit = square[cell] > 0
            square[cell] -= hit
            hits[0] += hit
    fill_bytes(square, 0, width_ * width_ * cython.sizeof(i16))
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def row_hits(
    pred: pc_u32,
    pred_place: i64,
    n_pred: i64,
    ref: pc_u32,
    ref_place: i64,
    n_ref: i64,
    gap: i64,
    room: SkipRoom,
    cancelled: pc_u8,
) -> i64:
    """Hits among the pairs of tokens that begin with one token, given its first place in both texts."""
    seconds: p_i64 = room.seconds
    hits: i64 = 0
    times: i64 = 0
    if gap < 0:
        # A second token at a place makes as many pairs as the first token occurs before it.
        next_place = ref_place
        for place in range(ref_place, n_ref):
            seconds[ref[place]] += times
            if place == next_place:
                times += 1
                next_place = room.ref_nexts[place]
        times = 0
        next_place = pred_place
        for place in range(pred_place, n_pred):
            matched = min(seconds[pred[place]], times)
            seconds[pred[place]] -= matched
            hits += matched
            if place == next_place:
                times += 1
                next_place = room.pred_nexts[place]
        for place in range(ref_place, n_ref):
            seconds[ref[place]] = 0
        return hits
    place = ref_place
    while place < n_ref and not is_set(cancelled):
        for second in range(place + 1, min(place + gap + 2, n_ref)):
            seconds[ref[second]] += 1
        place = room.ref_nexts[place]
    place = pred_place
    while place < n_pred and not is_set(cancelled):
        for second in range(place + 1, min(place + gap + 2, n_pred)):
            if seconds[pred[second]] > 0:
                seconds[pred[second]] -= 1
                hits += 1
        place = room.pred_nexts[place]
    place = ref_place
    while place < n_ref and not is_set(cancelled):
        for second in range(place + 1, min(place + gap + 2, n_ref)):
            seconds[ref[second]] = 0
        place = room.ref_nexts[place]
    return hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def chain_places(tokens: pc_u32, n: i64, nexts: p_i64, latest: p_i64) -> cython.void:
    """Write down the next place of each token; ``latest`` then holds the first place of each, counted from 1."""
    for place in range(n - 1, -1, -1):
        nexts[place] = latest[tokens[place]] - 1 if latest[tokens[place]] > 0 else n
        latest[tokens[place]] = place + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_bigrams_by_rows(
    pred: pc_u32, n_pred: i64, ref: pc_u32, n_ref: i64, gap: i64, room: SkipRoom, cancelled: pc_u8
) -> i64:
    """Hits of one pair of texts.

    For each first token that both texts hold, the second tokens are counted in both and compared, so memory is that of
    one row of the matrix of pairs, whatever the gap.
    """
    hits: i64 = 0
    chain_places(pred, n_pred, room.pred_nexts, room.latest)
    for place in range(n_pred):
        room.latest[pred[place]] = 0
    chain_places(ref, n_ref, room.ref_nexts, room.latest)
    for place in range(n_pred):
        if is_set(cancelled):
            break
        first = pred[place]
        if room.is_done[first] or room.latest[first] == 0:
            continue
        room.is_done[first] = True
        hits += row_hits(pred, place, n_pred, ref, room.latest[first] - 1, n_ref, gap, room, cancelled)
    for place in range(n_pred):
        room.is_done[pred[place]] = False
    for place in range(n_ref):
        room.latest[ref[place]] = 0
    return hits


def count_skip_bigrams(
    ids: cython.const[u32][::1],
    text_tokens: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    gap: cython.longlong,  # below 0 for any
    cancelled: cython.const[u8][::1],  # uint8[1], not 0 once the result is of no use any more
):
    """ROUGE-S of a chunk: see ``count_skip_bigrams`` of the plain ``skip_bigrams.py``."""
    longest: i64 = longest_stretch(text_tokens, ids.shape[0])
    check_pairs(predictions, references, text_tokens)
    check_ids(ids, n_ids)
    check_cancelled(cancelled)
    counted = np.zeros((predictions.shape[0], 3), np.int64)
    out: i64[:, ::1] = counted
    room = Room()
    arrays: SkipRoom
    arrays.square = cython.cast(p_i16, room.zeros(WIDEST_SKIP_SQUARE * WIDEST_SKIP_SQUARE, 2))
    arrays.is_done = cython.cast(p_u8, room.zeros(n_ids, 1))
    arrays.seconds = cython.cast(p_i64, room.zeros(n_ids, 8))
    arrays.latest = cython.cast(p_i64, room.zeros(n_ids, 8))
    arrays.pred_nexts = cython.cast(p_i64, room.zeros(longest, 8))
    arrays.ref_nexts = cython.cast(p_i64, room.zeros(longest, 8))
    between: i64 = min(gap, MOST_TOKENS)  # no text has more
    going: pc_u8 = cython.address(cancelled[0])
    pred: pc_u32
    ref: pc_u32
    pair: i64
    n_pred: i64
    n_ref: i64
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            if is_set(going):
                break
            pred = cython.address(ids[0]) + text_tokens[predictions[pair]]
            ref = cython.address(ids[0]) + text_tokens[references[pair]]
            n_pred = text_tokens[predictions[pair] + 1] - text_tokens[predictions[pair]]
            n_ref = text_tokens[references[pair] + 1] - text_tokens[references[pair]]
            out[pair, 1], out[pair, 2] = n_skip_bigrams(n_pred, between), n_skip_bigrams(n_ref, between)
            if between < 0 or not skip_bigrams_in_square(
                pred, n_pred, ref, n_ref, between, arrays.square, cython.address(out[pair, 0])
            ):
                out[pair, 0] = skip_bigrams_by_rows(pred, n_pred, ref, n_ref, between, arrays, going)
    return counted
