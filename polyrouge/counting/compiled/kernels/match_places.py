"""Where the hits of n-grams and common subsequences stand: the twin of ``explaining/matching.py``.

Tokens and bigrams, ROUGE-L of the whole texts and union ROUGE-L of a pair are done together, because they share tables.
"""

import cython

LARGEST_TABLE = 1 << 27  # cells of 64 reference tokens by one prediction token, a byte each, that callers may ask for


@cython.cclass
class PlaceRoom(Room):
    """Arrays for placing hits. Places are those of tokens; -1 is none."""

    longest: i64  # no text has more tokens
    first_places: p_i32  # by id: the first place in the prediction; none between pairs
    firsts: p_i32  # two rows: of each token and each bigram of the prediction its first place
    theirs: p_i32  # two rows: of each token and each bigram of the reference the first place in the prediction
    heads: p_i32  # of each n-gram at its first place the next one that is free
    nexts: p_i32  # and of each place the one behind it
    slots: p_i32
    lcs: LcsRoom
    ends: p_i32  # two rows: of each reference place its first and last partner
    partners: p_i32  # two rows: a partner's place, and the next one of the same reference place
    n_partners: i64  # length of such a row
    chosen: p_i32  # of each hit its place in the prediction
    is_taken: p_u8  # places of the prediction

    def __cinit__(
        self, n_ids: cython.longlong, longest: cython.longlong, n_cells: cython.longlong, n_partners: cython.longlong
    ):
        """Arrays for texts of so many tokens, and tables of so many cells."""
        n_slots: i64 = 64
        while n_slots < 2 * longest:
            n_slots *= 2
        self.longest, self.n_partners = longest, n_partners
        self.first_places = cython.cast(p_i32, self.zeros(n_ids, 4))
        fill_bytes(self.first_places, 0xFF, 4 * n_ids)
        self.firsts = cython.cast(p_i32, self.zeros(2 * longest, 4))
        self.theirs = cython.cast(p_i32, self.zeros(2 * longest, 4))
        self.heads = cython.cast(p_i32, self.zeros(longest, 4))
        self.nexts = cython.cast(p_i32, self.zeros(longest, 4))
        self.slots = cython.cast(p_i32, self.zeros(n_slots, 4))
        self.lcs = LcsRoom(n_ids, longest, n_cells)
        self.ends = cython.cast(p_i32, self.zeros(2 * longest, 4))
        self.partners = cython.cast(p_i32, self.zeros(2 * n_partners, 4))
        self.chosen = cython.cast(p_i32, self.zeros(longest, 4))
        self.is_taken = cython.cast(p_u8, self.zeros(longest, 1))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def look_up(one: i32, next_one: i32, place: i32, mask: u64, room: PlaceRoom) -> i32:
    """The first place of a bigram, told by those of its tokens; ``place`` if there is none yet."""
    key: u64 = cython.cast(u64, cython.cast(u32, one)) << 32 | cython.cast(u32, next_one)
    slot: u64 = (key * SPREAD & ALL) >> 32 & mask
    firsts: p_i32 = room.firsts
    slots: p_i32 = room.slots
    first: i32 = slots[slot]
    while first >= 0 and (firsts[first] != one or firsts[first + 1] != next_one):
        slot = (slot + 1) & mask
        first = slots[slot]
    if first < 0:
        slots[slot] = first = place
    return first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_first_ngrams(pred: Text, ref: Text, room: PlaceRoom) -> cython.void:
    """For each token and bigram of both sides the first place in the prediction where it stands."""
    longest: i64 = room.longest
    firsts: p_i32 = room.firsts
    theirs: p_i32 = room.theirs
    n_slots: i64 = 64
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
    fill_bytes(room.slots, 0xFF, n_slots * cython.sizeof(i32))
    for place in range(pred.n - 1):
        firsts[longest + place] = look_up(firsts[place], firsts[place + 1], place, n_slots - 1, room)
    for place in range(ref.n - 1):
        theirs[longest + place] = -1
        if theirs[place] >= 0 and theirs[place + 1] >= 0:
            theirs[longest + place] = look_up(theirs[place], theirs[place + 1], -1, n_slots - 1, room)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pair_ngrams(
    pred: Text, ref: Text, order: i64, distinct: flag, room: PlaceRoom, pred_places: p_i32, ref_places: p_i32
) -> i64:
    """Pair each n-gram of the reference with the first one of the prediction that is free; return how many pairs."""
    firsts: pc_i32 = room.firsts + order * room.longest
    theirs: pc_i32 = room.theirs + order * room.longest
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
def place_union(pred: Sentences, ref: Sentences, room: PlaceRoom, pred_places: p_i32, ref_places: p_i32) -> i64:
    """The hits of union ROUGE-L of one pair, each with a place of its own in the prediction; how many there are."""
    ours: Text = tokens_in(pred)
    others: Text = tokens_in(ref)
    first_partners: p_i32 = room.ends
    last_partners: p_i32 = room.ends + room.longest
    partner_places: p_i32 = room.partners
    next_partners: p_i32 = room.partners + room.n_partners
    left: p_i32 = room.lcs.left
    n_partners: i64 = 0
    n_hits: i64 = 0
    for place in range(others.n):
        first_partners[place] = -1
    for sentence in range(ref.n):
        for other in range(pred.n):
            n = find_path(sentence_of(pred, other), sentence_of(ref, sentence), room.lcs)
            for hit in range(n):
                place = ref.bounds[sentence] - ref.bounds[0] + room.lcs.path[room.longest + hit]
                partner_places[n_partners] = pred.bounds[other] - pred.bounds[0] + room.lcs.path[hit]
                next_partners[n_partners] = -1
                if first_partners[place] < 0:
                    first_partners[place] = n_partners
                else:
                    next_partners[last_partners[place]] = n_partners
                last_partners[place] = n_partners
                n_partners += 1
    for place in range(ours.n - 1, -1, -1):
        left[ours.ids[place]] += 1
        room.nexts[place] = room.first_places[ours.ids[place]]
        room.first_places[ours.ids[place]] = place
        room.is_taken[place] = False
    for place in range(others.n):
        if first_partners[place] >= 0 and left[others.ids[place]] > 0:
            left[others.ids[place]] -= 1
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
        left[ours.ids[place]] = 0
        room.first_places[ours.ids[place]] = -1
    return n_hits


def table_sizes(tokens, others):
    """Cells, a byte each, of the tables of predictions of so many tokens and references of so many, int64[n_pairs]."""
    return (others // 64 + 1) * tokens


def place_matches(pairs: Pairs, distinct: cython.bint):
    """int32[2, n_hits], places of hits, pair by pair and type by type; and int64[n_pairs, 4], how many."""
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
    room.lcs.cancelled = cython.address(pairs.cancelled[0])
    # No type but the last has more hits than the shorter text has tokens.
    most: i64 = 3 * np.minimum(whole[pred], whole[ref]).sum() + np.minimum(cut[pred], cut[ref]).sum()
    all_places = np.empty((2, most + 1), np.int32)
    hit_counts = np.zeros((pairs.n, 4), np.int64)
    places: i32[:, ::1] = all_places
    counts: i64[:, ::1] = hit_counts
    pred_places: p_i32 = cython.address(places[0, 0])
    ref_places: p_i32 = cython.address(places[1, 0])
    order: i64
    n: i64
    n_hits: i64 = 0
    with cython.nogil:
        for pair in range(pairs.n):
            ours: Text = text_of(pairs, pairs.predictions[pair])
            others: Text = text_of(pairs, pairs.references[pair])
            find_first_ngrams(ours, others, room)
            for order in range(2):
                n = pair_ngrams(ours, others, order, distinct, room, pred_places + n_hits, ref_places + n_hits)
                counts[pair, order] = n
                n_hits += n
            n = find_path(ours, others, room.lcs)
            for hit in range(n):
                pred_places[n_hits + hit] = room.lcs.path[n - 1 - hit]
                ref_places[n_hits + hit] = room.lcs.path[room.longest + n - 1 - hit]
            counts[pair, 2] = n
            n_hits += n
            pred_sentences: Sentences = sentences_of(pairs, pairs.predictions[pair])
            ref_sentences: Sentences = sentences_of(pairs, pairs.references[pair])
            n = place_union(pred_sentences, ref_sentences, room, pred_places + n_hits, ref_places + n_hits)
            counts[pair, 3] = n
            n_hits += n
    return all_places[:, :n_hits], hit_counts
