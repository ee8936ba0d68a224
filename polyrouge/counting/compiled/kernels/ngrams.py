"""Count ROUGE-N, ROUGE-S and ROUGE-SU over token ids.

A kernel takes ``Pairs``, and returns int64[n_pairs, 3]: hits, prediction total, reference total. Hits are clipped as in
``clipped_hits`` of ``plain/ngrams.py``, but without its min: the units of the reference are counted, and each unit of
the prediction takes one away while any remains. Tables are cleared by undoing what was written.
"""

import cython


@cython.cclass
class NgramRoom(Room):
    """Hold arrays for the n-grams of two texts."""

    square: p_u8  # of bigrams, a byte a cell, so that the cells in use stay in the fastest cache
    size: i64  # slots of the hash table of n-grams: keys, names, and the stamp of the pair and order that wrote the key
    keys: p_u64
    stamps: p_i64
    names: p_i32
    stamp: i64
    counts: p_i32  # by id or by name; 0 between pairs
    pred_names: p_i32  # by position
    ref_names: p_i32

    def __cinit__(self, n_ids: cython.longlong, longest: cython.longlong):
        """Make arrays for texts of ``longest`` tokens; 0 is enough for unigrams."""
        self.size = 64
        while self.size < 4 * longest:
            self.size *= 2
        self.square = cython.cast(p_u8, self.zeros(WIDEST_SQUARE * WIDEST_SQUARE, 1))
        self.keys = cython.cast(p_u64, self.zeros(self.size, 8))
        self.stamps = cython.cast(p_i64, self.zeros(self.size, 8))
        self.names = cython.cast(p_i32, self.zeros(self.size, 4))
        self.stamp = 0
        self.counts = cython.cast(p_i32, self.zeros(max(n_ids, 2 * longest + 1), 4))
        self.pred_names = cython.cast(p_i32, self.zeros(longest, 4))
        self.ref_names = cython.cast(p_i32, self.zeros(longest, 4))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unigrams(pred: Text, ref: Text, distinct: flag, counts: p_i32, out: p_i64) -> cython.void:
    """Count ROUGE-1 of one pair; ``counts`` is 0 before and after; ``out`` gets hits and both totals."""
    hits: i64 = 0
    hit: i32
    out[1] = pred.n
    out[2] = ref.n
    if distinct:
        out[1] = out[2] = 0
        for position in range(ref.n):
            out[2] += counts[ref.ids[position]] == 0
            counts[ref.ids[position]] = 1
        for position in range(pred.n):  # 1: reference only, 2: both, 3: prediction only
            seen = counts[pred.ids[position]]
            if seen < 2:
                hits += seen
                out[1] += 1
                counts[pred.ids[position]] = 3 - seen
        for position in range(pred.n):
            counts[pred.ids[position]] = 0
    else:
        for position in range(ref.n):
            counts[ref.ids[position]] += 1
        for position in range(pred.n):
            hit = counts[pred.ids[position]] > 0  # added, not branched on: it can't be predicted
            counts[pred.ids[position]] -= hit
            hits += hit
    for position in range(ref.n):
        counts[ref.ids[position]] = 0
    out[0] = hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def highest_id(pred: Text, ref: Text) -> u32:
    """Return the highest id of both texts; 0 if both are empty."""
    highest: u32 = 0
    for position in range(pred.n):
        highest = max(highest, pred.ids[position])
    for position in range(ref.n):
        highest = max(highest, ref.ids[position])
    return highest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bigrams(pred: Text, ref: Text, square: p_u8, out: p_i64) -> flag:
    """Count ROUGE-2 of one pair of few distinct tokens in a square table; return False, and no hits, if it has more."""
    hits: i64 = 0
    width_: u32
    cell: u32
    remaining: u8
    hit: u8
    out[0] = 0
    out[1] = max(0, pred.n - 1)
    out[2] = max(0, ref.n - 1)
    if pred.n < 2 or ref.n < 2:
        return True
    width_ = highest_id(pred, ref) + 1
    if width_ > WIDEST_SQUARE or ref.n > MOST_IN_A_BYTE:
        return False
    for position in range(ref.n - 1):
        square[ref.ids[position] * width_ + ref.ids[position + 1]] += 1
    for position in range(pred.n - 1):
        cell = pred.ids[position] * width_ + pred.ids[position + 1]
        remaining = square[cell]
        hit = remaining != 0
        square[cell] = remaining - hit
        hits += hit
    for position in range(ref.n - 1):
        square[ref.ids[position] * width_ + ref.ids[position + 1]] = 0
    out[0] = hits
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_key(keys: p_u64, stamps: p_i64, stamp: i64, mask: i64, key: u64) -> i64:
    """Return the slot of a key written under this stamp, or the free slot for it."""
    slot: i64 = ((key * SPREAD) & ALL) >> 32 & cython.cast(u64, mask)
    while stamps[slot] == stamp and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ngrams(pred: Text, ref: Text, n: i64, distinct: flag, room: NgramRoom, out: p_i64) -> cython.void:
    """Count ROUGE-N of one pair for n of at least 2."""
    # The pair (name of the first n - 1 tokens, last token), an exact 64-bit key, names an n-gram; names are consecutive
    # within a pair of texts.
    keys: p_u64 = room.keys
    stamps: p_i64 = room.stamps
    stamp: i64 = room.stamp
    names: p_i32 = room.names
    counts: p_i32 = room.counts
    pred_names: p_i32 = room.pred_names
    ref_names: p_i32 = room.ref_names
    n_pred: i64 = max(0, pred.n - n + 1)
    n_ref: i64 = max(0, ref.n - n + 1)
    mask: i64 = 63
    n_names: i64 = 0
    hits: i64 = 0
    n_distinct: i64 = 0
    out[0], out[1], out[2] = 0, n_pred, n_ref
    if (n_pred == 0 and n_ref == 0) or (not distinct and (n_pred == 0 or n_ref == 0)):
        return
    # A sparse table stays in the fastest cache.
    while mask < 2 * (pred.n + ref.n) and mask < room.size - 1:
        mask = 2 * mask + 1
    for position in range(ref.n):
        ref_names[position] = ref.ids[position]
    for position in range(pred.n):
        pred_names[position] = pred.ids[position]
    for order in range(2, n + 1):
        stamp += 1
        n_names = 0
        for position in range(ref.n - order + 1):
            key = cython.cast(u64, ref_names[position]) << 32 | ref.ids[position + order - 1]
            slot = find_key(keys, stamps, stamp, mask, key)
            if stamps[slot] != stamp:
                stamps[slot] = stamp
                keys[slot] = key
                names[slot] = n_names
                n_names += 1
            ref_names[position] = names[slot]
        if order == n:
            for position in range(n_ref):
                counts[ref_names[position]] += 1
        if order == n and distinct:
            out[2] = n_names
        hits = 0
        n_distinct = 0
        for position in range(pred.n - order + 1):
            key = cython.cast(u64, pred_names[position]) << 32 | pred.ids[position + order - 1]
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
            pred_names[position] = name
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
    room.stamp = stamp


@cython.cclass
class SkipRoom(Room):
    """Hold arrays for the skip-bigrams of two texts."""

    square: p_i16  # of pairs of tokens, where there are few distinct ones; 32 KB
    is_done: p_u8  # by id: whether it was a first token; 0 between pairs of texts
    seconds: p_i64  # by id: how often it follows the first token in the reference; 0 between rows
    latest: p_i64  # by id: the earliest position seen so far, counted from 1; 0 if none, and between pairs of texts
    pred_nexts: p_i64  # by position: the next position of the same token, or the end
    ref_nexts: p_i64
    cancelled: pc_u8

    def __cinit__(self, n_ids: cython.longlong, longest: cython.longlong):
        self.square = cython.cast(p_i16, self.zeros(WIDEST_SKIP_SQUARE * WIDEST_SKIP_SQUARE, 2))
        self.is_done = cython.cast(p_u8, self.zeros(n_ids, 1))
        self.seconds = cython.cast(p_i64, self.zeros(n_ids, 8))
        self.latest = cython.cast(p_i64, self.zeros(n_ids, 8))
        self.pred_nexts = cython.cast(p_i64, self.zeros(longest, 8))
        self.ref_nexts = cython.cast(p_i64, self.zeros(longest, 8))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def n_skip_bigrams(n: i64, gap: i64) -> i64:
    """Return the number of pairs of n tokens with at most gap others in between; any number if gap is below 0."""
    reach: i64 = n - 1 if gap < 0 else min(gap + 1, n - 1)
    return reach * (n - reach) + reach * (reach - 1) // 2 if n > 1 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_bigrams_in_square(pred: Text, ref: Text, gap: i64, square: p_i16, hits: p_i64) -> flag:
    """Count hits of one pair of few distinct tokens, with a gap; return False if it has more, or too many hits."""
    reach: i64 = gap + 1
    width_: i64
    hit: i16
    if min(reach, ref.n) * ref.n >= MOST_IN_A_CELL:
        return False
    width_ = highest_id(pred, ref) + 1
    if width_ > WIDEST_SKIP_SQUARE:
        return False
    # Distance by distance, so that the inner loops are long.
    for distance in range(1, min(reach, ref.n - 1) + 1):
        for position in range(ref.n - distance):
            square[ref.ids[position] * width_ + ref.ids[position + distance]] += 1
    for distance in range(1, min(reach, pred.n - 1) + 1):
        for position in range(pred.n - distance):
            cell = pred.ids[position] * width_ + pred.ids[position + distance]
            hit = square[cell] > 0
            square[cell] -= hit
            hits[0] += hit
    fill_bytes(square, 0, width_ * width_ * cython.sizeof(i16))
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def row_hits(pred: Text, pred_start: i64, ref: Text, ref_start: i64, gap: i64, room: SkipRoom) -> i64:
    """Count hits among the skip-bigrams that begin with one token, given its first position in both texts."""
    seconds: p_i64 = room.seconds
    hits: i64 = 0
    times: i64 = 0
    if gap < 0:
        # A second token makes as many pairs as there are first tokens before it.
        next_position = ref_start
        for position in range(ref_start, ref.n):
            seconds[ref.ids[position]] += times
            if position == next_position:
                times += 1
                next_position = room.ref_nexts[position]
        times = 0
        next_position = pred_start
        for position in range(pred_start, pred.n):
            matched = min(seconds[pred.ids[position]], times)
            seconds[pred.ids[position]] -= matched
            hits += matched
            if position == next_position:
                times += 1
                next_position = room.pred_nexts[position]
        for position in range(ref_start, ref.n):
            seconds[ref.ids[position]] = 0
        return hits
    position = ref_start
    while position < ref.n and not is_set(room.cancelled):
        for second in range(position + 1, min(position + gap + 2, ref.n)):
            seconds[ref.ids[second]] += 1
        position = room.ref_nexts[position]
    position = pred_start
    while position < pred.n and not is_set(room.cancelled):
        for second in range(position + 1, min(position + gap + 2, pred.n)):
            if seconds[pred.ids[second]] > 0:
                seconds[pred.ids[second]] -= 1
                hits += 1
        position = room.pred_nexts[position]
    position = ref_start
    while position < ref.n and not is_set(room.cancelled):
        for second in range(position + 1, min(position + gap + 2, ref.n)):
            seconds[ref.ids[second]] = 0
        position = room.ref_nexts[position]
    return hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def chain_positions(text: Text, nexts: p_i64, latest: p_i64) -> cython.void:
    """Write the next position of each token; ``latest`` then has the first position of each, counted from 1."""
    for position in range(text.n - 1, -1, -1):
        token = text.ids[position]
        nexts[position] = latest[token] - 1 if latest[token] > 0 else text.n
        latest[token] = position + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_bigrams_by_rows(pred: Text, ref: Text, gap: i64, room: SkipRoom) -> i64:
    """Count hits of one pair, first token by first token, so that memory is one row of the matrix of skip-bigrams."""
    hits: i64 = 0
    chain_positions(pred, room.pred_nexts, room.latest)
    for position in range(pred.n):
        room.latest[pred.ids[position]] = 0
    chain_positions(ref, room.ref_nexts, room.latest)
    for position in range(pred.n):
        if is_set(room.cancelled):
            break
        first = pred.ids[position]
        if room.is_done[first] or room.latest[first] == 0:
            continue
        room.is_done[first] = True
        hits += row_hits(pred, position, ref, room.latest[first] - 1, gap, room)
    for position in range(pred.n):
        room.is_done[pred.ids[position]] = False
    for position in range(ref.n):
        room.latest[ref.ids[position]] = 0
    return hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_bigrams(pred: Text, ref: Text, gap: i64, room: SkipRoom, out: p_i64) -> cython.void:
    """Count ROUGE-S of one pair; a gap below 0 is any gap."""
    out[0], out[1], out[2] = 0, n_skip_bigrams(pred.n, gap), n_skip_bigrams(ref.n, gap)
    if gap < 0 or not skip_bigrams_in_square(pred, ref, gap, room.square, out):
        out[0] = skip_bigrams_by_rows(pred, ref, gap, room)
