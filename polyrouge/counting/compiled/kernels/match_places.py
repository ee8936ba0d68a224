"""Where the hits of n-grams and common subsequences stand: the twin of ``explaining/matching.py``.

All three n-gram lengths, ROUGE-L of the whole texts and union ROUGE-L of a pair are done together, as what one of them
needs is there for the next.
"""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.lcs import *
    from polyrouge.counting.compiled.kernels.room import *

LARGEST_TABLE = 1 << 27  # cells of 64 reference tokens by one prediction token, a byte each, that callers may ask for


@cython.cclass
class PlaceRoom(Room):
    """What hits are placed in. Places are those of tokens; -1 is none."""

    longest: i64  # no text has more tokens
    first_places: p_i32  # by id: the first place in the prediction; none between pairs
    firsts: p_i32  # three rows: of each n-gram of the prediction its first place
    theirs: p_i32  # three rows: of each n-gram of the reference the first place in the prediction
    heads: p_i32  # of each n-gram at its first place the next one that is free
    nexts: p_i32  # and of each place the one behind it
    slots: p_i32
    matches: p_u64  # by id; 0 between strips
    cells: p_u64  # of each column of a strip its matches, and the cells that rise
    carries: p_u8  # carry into each column, by strip
    path: p_i32  # two rows: one subsequence
    left: p_i32  # by id: how often it can be hit; 0 between pairs
    ends: p_i32  # two rows: of each reference place its first and last partner
    partners: p_i32  # two rows: a partner's place, and the next one of the same reference place
    n_partners: i64  # length of such a row
    chosen: p_i32  # of each hit its place in the prediction
    is_taken: p_u8  # places of the prediction

    def __cinit__(
        self,
        n_ids: cython.longlong,
        longest: cython.longlong,
        n_cells: cython.longlong,
        n_partners: cython.longlong,
    ):
        """Arrays for texts of so many tokens, and tables of so many cells."""
        n_slots: i64 = 64
        while n_slots < 2 * longest:
            n_slots *= 2
        self.longest, self.n_partners = longest, n_partners
        self.first_places = cython.cast(p_i32, self.zeros(n_ids, 4))
        fill_bytes(self.first_places, 0xFF, 4 * n_ids)
        self.firsts = cython.cast(p_i32, self.zeros(3 * longest, 4))
        self.theirs = cython.cast(p_i32, self.zeros(3 * longest, 4))
        self.heads = cython.cast(p_i32, self.zeros(longest, 4))
        self.nexts = cython.cast(p_i32, self.zeros(longest, 4))
        self.slots = cython.cast(p_i32, self.zeros(n_slots, 4))
        self.matches = cython.cast(p_u64, self.zeros(n_ids, 8))
        self.cells = cython.cast(p_u64, self.zeros(2 * longest, 8))
        self.carries = cython.cast(p_u8, self.zeros(n_cells, 1))
        self.path = cython.cast(p_i32, self.zeros(2 * longest, 4))
        self.left = cython.cast(p_i32, self.zeros(n_ids, 4))
        self.ends = cython.cast(p_i32, self.zeros(2 * longest, 4))
        self.partners = cython.cast(p_i32, self.zeros(2 * n_partners, 4))
        self.chosen = cython.cast(p_i32, self.zeros(longest, 4))
        self.is_taken = cython.cast(p_u8, self.zeros(longest, 1))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def look_up(shorter: i32, last: i32, place: i32, order: i64, mask: u64, room: PlaceRoom) -> i32:
    """The first place of an n-gram, told by those of what it begins and ends with; ``place`` if there is none yet."""
    key: u64 = cython.cast(u64, cython.cast(u32, shorter)) << 32 | cython.cast(u32, last)
    slot: u64 = (key * SPREAD & ALL) >> 32 & mask
    firsts: p_i32 = room.firsts
    slots: p_i32 = room.slots
    first: i32 = slots[slot]
    while first >= 0 and (firsts[(order - 1) * room.longest + first] != shorter or firsts[first + order] != last):
        slot = (slot + 1) & mask
        first = slots[slot]
    if first < 0:
        slots[slot] = first = place
    return first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_first_ngrams(pred: Text, ref: Text, room: PlaceRoom) -> cython.void:
    """For each n-gram of both sides the first place in the prediction where it stands."""
    longest: i64 = room.longest
    firsts: p_i32 = room.firsts
    theirs: p_i32 = room.theirs
    n_slots: i64 = 64
    order: i64
    for place in range(pred.n - 1, -1, -1):
        room.first_places[pred.ids[place]] = place
    for place in range(pred.n):
        firsts[place] = room.first_places[pred.ids[place]]
    for place in range(ref.n):
        theirs[place] = room.first_places[ref.ids[place]]
    for place in range(pred.n):
        room.first_places[pred.ids[place]] = -1
    while n_slots < 2 * pred.n:
        n_slots *= 2
    for order in range(1, 3):
        fill_bytes(room.slots, 0xFF, n_slots * cython.sizeof(i32))
        for place in range(pred.n - order):
            shorter, last = firsts[(order - 1) * longest + place], firsts[place + order]
            firsts[order * longest + place] = look_up(shorter, last, place, order, n_slots - 1, room)
        for place in range(ref.n - order):
            shorter, last = theirs[(order - 1) * longest + place], theirs[place + order]
            theirs[order * longest + place] = -1
            if shorter >= 0 and last >= 0:
                theirs[order * longest + place] = look_up(shorter, last, -1, order, n_slots - 1, room)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pair_ngrams(
    pred: Text, ref: Text, order: i64, distinct: flag, room: PlaceRoom, pred_places: p_i32, ref_places: p_i32
) -> i64:
    """Pair each n-gram of the reference with the first one of the prediction that is free; return how many pairs."""
    firsts: pc_i32 = from_i32(room.firsts, order * room.longest)
    theirs: pc_i32 = from_i32(room.theirs, order * room.longest)
    heads: p_i32 = room.heads
    nexts: p_i32 = room.nexts
    n_ours: i64 = pred.n - order
    n_others: i64 = ref.n - order
    n: i64 = 0
    for place in range(n_ours):
        heads[place] = -1
    for place in range(n_ours - 1, -1, -1):
        first = firsts[place]
        nexts[place] = heads[first]
        heads[first] = place
    for place in range(n_others):
        first = theirs[place]
        if first >= 0 and heads[first] >= 0:
            pred_places[n], ref_places[n] = heads[first], place
            heads[first] = -1 if distinct else nexts[heads[first]]
            n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_strip(pred: Text, ref: Text, strip: i64, n_columns: i64, room: PlaceRoom) -> cython.void:
    """The first columns of a strip of 64 reference tokens, and what they carry into the next one, if there is one."""
    tokens: Text = strip_of(ref, strip)
    is_last: flag = 64 * strip + 64 >= ref.n
    start: i64 = strip * pred.n
    flat: u64 = ALL
    carry: u8
    set_matches(room.matches, tokens)
    for column in range(n_columns):
        here = room.matches[pred.ids[column]]
        common = flat & here
        before = room.carries[start + column]
        total = (flat + common) & ALL
        carry = total < flat
        total = (total + before) & ALL
        if not is_last:
            room.carries[start + pred.n + column] = carry | (total < before)
        flat = total | (flat - common)
        room.cells[2 * column] = here
        room.cells[2 * column + 1] = ~flat & ALL
    clear_matches(room.matches, tokens)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_path(pred: Text, ref: Text, room: PlaceRoom) -> i64:
    """Write the subsequence of ``lcs_pairs`` into ``path``, forward; return its length.

    Forth through all strips of 64 reference tokens, keeping the carries; then back from the last, computing the columns
    of each strip below it again.
    """
    pred_path: p_i32 = room.path
    ref_path: p_i32 = from_i32(room.path, room.longest)
    n_strips: i64 = (ref.n + 63) // 64
    n: i64 = 0
    column: i64 = pred.n - 1
    fill_bytes(room.carries, 0, pred.n)
    for strip in range(n_strips):
        fill_strip(pred, ref, strip, pred.n, room)
    for strip in range(n_strips - 1, -1, -1):
        if strip + 1 < n_strips:
            fill_strip(pred, ref, strip, column + 1, room)
        height = min(64, ref.n - 64 * strip)
        while column >= 0:
            here = room.cells[2 * column]
            height = width((room.cells[2 * column + 1] | here) & low_bits(height))
            if height == 0:
                break  # on to the strip below, in the same column
            if here >> (height - 1) & 1:
                height -= 1
                pred_path[n], ref_path[n] = column, 64 * strip + height
                n += 1
            column -= 1
    for hit in range(n // 2):
        pred_path[hit], pred_path[n - 1 - hit] = pred_path[n - 1 - hit], pred_path[hit]
        ref_path[hit], ref_path[n - 1 - hit] = ref_path[n - 1 - hit], ref_path[hit]
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_union(pred: Sentences, ref: Sentences, room: PlaceRoom, pred_places: p_i32, ref_places: p_i32) -> i64:
    """The hits of union ROUGE-L of one pair, each with a place of its own in the prediction; how many there are."""
    ours: Text = tokens_in(pred)
    others: Text = tokens_in(ref)
    first_partners: p_i32 = room.ends
    last_partners: p_i32 = from_i32(room.ends, room.longest)
    partner_places: p_i32 = room.partners
    next_partners: p_i32 = from_i32(room.partners, room.n_partners)
    n_partners: i64 = 0
    n_hits: i64 = 0
    for place in range(others.n):
        first_partners[place] = -1
    for sentence in range(ref.n):
        for other in range(pred.n):
            n = find_path(sentence_of(pred, other), sentence_of(ref, sentence), room)
            for hit in range(n):
                place = ref.bounds[sentence] - ref.bounds[0] + room.path[room.longest + hit]
                partner_places[n_partners] = pred.bounds[other] - pred.bounds[0] + room.path[hit]
                next_partners[n_partners] = -1
                if first_partners[place] < 0:
                    first_partners[place] = n_partners
                else:
                    next_partners[last_partners[place]] = n_partners
                last_partners[place] = n_partners
                n_partners += 1
    for place in range(ours.n - 1, -1, -1):
        room.left[ours.ids[place]] += 1
        room.nexts[place] = room.first_places[ours.ids[place]]
        room.first_places[ours.ids[place]] = place
        room.is_taken[place] = False
    for place in range(others.n):
        if first_partners[place] >= 0 and room.left[others.ids[place]] > 0:
            room.left[others.ids[place]] -= 1
            ref_places[n_hits] = place
            n_hits += 1
    for hit in range(n_hits):
        partner = first_partners[ref_places[hit]]
        while partner >= 0 and room.is_taken[partner_places[partner]]:
            partner = next_partners[partner]
        room.chosen[hit] = -1
        if partner >= 0:
            room.chosen[hit] = partner_places[partner]
            room.is_taken[partner_places[partner]] = True
    for hit in range(n_hits):
        if room.chosen[hit] < 0:  # any place of its token that is free
            place = room.first_places[others.ids[ref_places[hit]]]
            while room.is_taken[place]:
                place = room.nexts[place]
            room.chosen[hit] = place
            room.is_taken[place] = True
            room.first_places[ours.ids[place]] = place
        pred_places[hit] = room.chosen[hit]
    for place in range(ours.n):
        room.left[ours.ids[place]] = 0
        room.first_places[ours.ids[place]] = -1
    return n_hits


def table_sizes(tokens, others):
    """Cells of the table of a prediction of so many tokens and a reference of so many others, int64[n_pairs]."""
    return (others // 64 + 1) * tokens


def place_matches(pairs: Pairs, distinct: cython.bint):
    """Places of the hits of rouge1, rouge2, rouge3, rougeL and rougeLsum: see ``unit_matches.match_places``.

    The table of a pair, see ``table_sizes``, takes a byte a cell. Returned are int32[2, n_hits], first positions in the
    prediction and in the reference, type by type in the pairs' order; and int64[n_pairs, 5], how many of them each type
    of each pair has.
    """
    pred, ref = np.asarray(pairs.predictions), np.asarray(pairs.references)
    whole = np.diff(pairs.text_tokens)
    cut = np.diff(np.asarray(pairs.sentence_tokens)[np.asarray(pairs.text_sentences)])
    sizes = np.maximum(whole, cut)
    n_sentences = np.diff(pairs.text_sentences)
    # At most so many pairs of places lie on the subsequences of two texts' sentences.
    most_partners = np.minimum(cut[pred] * n_sentences[ref], cut[ref] * n_sentences[pred]).max(initial=1)
    if sizes.max(initial=0) > MOST_TOKENS or most_partners > MOST_TOKENS:
        raise ValueError("a text may have 2,147,483,632 tokens at most, and two texts as many pairs of them")
    n_cells = table_sizes(sizes[pred], sizes[ref]).max(initial=1)
    room = PlaceRoom(pairs.n_ids, sizes.max(initial=1), n_cells, most_partners)
    # No type but the last has more hits than the shorter text has tokens.
    most: i64 = 4 * np.minimum(whole[pred], whole[ref]).sum() + np.minimum(cut[pred], cut[ref]).sum()
    all_places = np.empty((2, most + 1), np.int32)
    hit_counts = np.zeros((pairs.n, 5), np.int64)
    places: i32[:, ::1] = all_places
    counts: i64[:, ::1] = hit_counts
    pred_places: p_i32 = cython.address(places[0, 0])
    ref_places: p_i32 = cython.address(places[1, 0])
    pair: i64
    order: i64
    n: i64
    n_hits: i64 = 0
    with cython.nogil:
        for pair in range(pairs.n):
            ours: Text = text_of(pairs, pairs.predictions[pair])
            others: Text = text_of(pairs, pairs.references[pair])
            find_first_ngrams(ours, others, room)
            for order in range(3):
                n = pair_ngrams(ours, others, order, distinct, room, pred_places + n_hits, ref_places + n_hits)
                counts[pair, order] = n
                n_hits += n
            n = find_path(ours, others, room)
            copy_bytes(pred_places + n_hits, room.path, n * cython.sizeof(i32))
            copy_bytes(ref_places + n_hits, room.path + room.longest, n * cython.sizeof(i32))
            counts[pair, 3] = n
            n_hits += n
            n = place_union(
                sentences_of(pairs, pairs.predictions[pair]),
                sentences_of(pairs, pairs.references[pair]),
                room,
                pred_places + n_hits,
                ref_places + n_hits,
            )
            counts[pair, 4] = n
            n_hits += n
    return all_places[:, :n_hits], hit_counts
