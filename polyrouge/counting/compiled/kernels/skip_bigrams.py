"""ROUGE-S and -SU over token ids; chunks are given as in ``ngrams.py``."""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.room import Room, check_cancelled, check_ids, check_pairs, longest_stretch

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
    distance: i64
    place: i64
    cell: i64
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
    matched: i64
    place: i64
    next_place: i64
    second: i64
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
    place: i64
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
    place: i64
    first: u32
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
    gap: cython.longlong,
    cancelled: cython.const[u8][::1],
):
    """ROUGE-S of a chunk: see ``count_skip_bigrams`` of the plain ``skip_bigrams.py``.

    Args:
        ids, text_tokens, predictions, references, n_ids: see ``ngrams.py``.
        gap: tokens allowed in between; below 0 any number.
        cancelled: uint8[1], not 0 once the result is of no use any more.
    """
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
