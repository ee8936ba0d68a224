"""Where the hits of n-grams and common subsequences stand: the twin of ``explaining/unit_matches.py``.

All three n-gram lengths, ROUGE-L of the whole texts and union ROUGE-L of a pair are done together, as what one of them
needs is there for the next. Texts are given as in ``ngrams.py`` and, for union ROUGE-L, as in ``lcs.py``.
"""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.lcs import *
    from polyrouge.counting.compiled.kernels.room import *

LARGEST_TABLE = 1 << 27  # cells of 64 reference tokens by one prediction token, a byte each, that callers may ask for

# Places are those of tokens; -1 is none.
PlaceRoom = cython.struct(
    longest=i64,  # no text has more tokens
    first_places=p_i32,  # by id: the first place in the prediction; none between pairs
    firsts=p_i32,  # three rows: of each n-gram of the prediction its first place
    theirs=p_i32,  # three rows: of each n-gram of the reference the first place in the prediction
    heads=p_i32,  # of each n-gram at its first place the next one that is free
    nexts=p_i32,  # and of each place the one behind it
    slots=p_i32,
    matches=p_u64,  # by id; 0 between strips
    cells=p_u64,  # of each column of a strip its matches, and the cells that rise
    carries=p_u8,  # carry into each column, by strip
    path=p_i32,  # two rows: one subsequence
    left=p_i32,  # by id: how often it can be hit; 0 between pairs
    ends=p_i32,  # two rows: of each reference place its first and last partner
    partners=p_i32,  # two rows: a partner's place, and the next one of the same reference place
    n_partners=i64,  # length of such a row
    chosen=p_i32,  # of each hit its place in the prediction
    is_taken=p_u8,  # places of the prediction
)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def look_up(
    shorter: i32, last: i32, place: i32, order: i64, firsts: p_i32, longest: i64, slots: p_i32, mask: u64
) -> i32:
    """The first place of an n-gram, told by those of what it begins and ends with; ``place`` if there is none yet."""
    key: u64 = cython.cast(u64, cython.cast(u32, shorter)) << 32 | cython.cast(u32, last)
    slot: u64 = (key * SPREAD & ALL) >> 32 & mask
    first: i32 = slots[slot]
    while first >= 0 and (firsts[(order - 1) * longest + first] != shorter or firsts[first + order] != last):
        slot = (slot + 1) & mask
        first = slots[slot]
    if first < 0:
        slots[slot] = first = place
    return first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_first_ngrams(ours: pc_u32, n_ours: i64, others: pc_u32, n_others: i64, room: PlaceRoom) -> cython.void:
    """For each n-gram of both sides the first place in the prediction where it stands."""
    longest: i64 = room.longest
    firsts: p_i32 = room.firsts
    theirs: p_i32 = room.theirs
    n_slots: i64 = 64
    order: i64
    for place in range(n_ours - 1, -1, -1):
        room.first_places[ours[place]] = place
    for place in range(n_ours):
        firsts[place] = room.first_places[ours[place]]
    for place in range(n_others):
        theirs[place] = room.first_places[others[place]]
    for place in range(n_ours):
        room.first_places[ours[place]] = -1
    while n_slots < 2 * n_ours:
        n_slots *= 2
    for order in range(1, 3):
        fill_bytes(room.slots, 0xFF, n_slots * cython.sizeof(i32))
        for place in range(n_ours - order):
            shorter, last = firsts[(order - 1) * longest + place], firsts[place + order]
            firsts[order * longest + place] = look_up(
                shorter, last, place, order, firsts, longest, room.slots, n_slots - 1
            )
        for place in range(n_others - order):
            shorter, last = theirs[(order - 1) * longest + place], theirs[place + order]
            theirs[order * longest + place] = -1
            if shorter >= 0 and last >= 0:
                theirs[order * longest + place] = look_up(
                    shorter, last, -1, order, firsts, longest, room.slots, n_slots - 1
                )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pair_ngrams(
    firsts: pc_i32,
    n_ours: i64,
    theirs: pc_i32,
    n_others: i64,
    distinct: flag,
    heads: p_i32,
    nexts: p_i32,
    pred_places: p_i32,
    ref_places: p_i32,
) -> i64:
    """Pair each n-gram of the reference with the first one of the prediction that is free; return how many pairs."""
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
def fill_strip(
    ours: pc_u32, n_ours: i64, others: pc_u32, n_others: i64, strip: i64, n_columns: i64, room: PlaceRoom
) -> cython.void:
    """The first columns of a strip of 64 reference tokens, and what they carry into the next one, if there is one."""
    tokens: pc_u32 = from_u32(others, 64 * strip)
    n_tokens: i64 = min(64, n_others - 64 * strip)
    is_last: flag = 64 * strip + 64 >= n_others
    start: i64 = strip * n_ours
    flat: u64 = ALL
    carry: u8
    set_matches(room.matches, tokens, n_tokens)
    for column in range(n_columns):
        here = room.matches[ours[column]]
        common = flat & here
        given = room.carries[start + column]
        total = (flat + common) & ALL
        carry = total < flat
        total = (total + given) & ALL
        if not is_last:
            room.carries[start + n_ours + column] = carry | (total < given)
        flat = total | (flat - common)
        room.cells[2 * column] = here
        room.cells[2 * column + 1] = ~flat & ALL
    clear_matches(room.matches, tokens, n_tokens)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_path(ours: pc_u32, n_ours: i64, others: pc_u32, n_others: i64, room: PlaceRoom) -> i64:
    """Write the subsequence of ``lcs_pairs`` into ``path``, forward; return its length.

    Forth through all strips of 64 reference tokens, keeping the carries; then back from the last, computing the columns
    of each strip below it again.
    """
    pred_path: p_i32 = room.path
    ref_path: p_i32 = from_i32(room.path, room.longest)
    n_strips: i64 = (n_others + 63) // 64
    n: i64 = 0
    column: i64 = n_ours - 1
    fill_bytes(room.carries, 0, n_ours)
    for strip in range(n_strips):
        fill_strip(ours, n_ours, others, n_others, strip, n_ours, room)
    for strip in range(n_strips - 1, -1, -1):
        if strip + 1 < n_strips:
            fill_strip(ours, n_ours, others, n_others, strip, column + 1, room)
        height = min(64, n_others - 64 * strip)
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
def place_union(
    ids: pc_u32,
    sentence_tokens: pc_i64,
    first: i64,
    behind: i64,
    ref_first: i64,
    ref_behind: i64,
    room: PlaceRoom,
    pred_places: p_i32,
    ref_places: p_i32,
) -> i64:
    """The hits of union ROUGE-L of one pair, each with a place of its own in the prediction; how many there are."""
    pred: i64 = sentence_tokens[first]
    ref: i64 = sentence_tokens[ref_first]
    n_ours: i64 = sentence_tokens[behind] - pred
    n_others: i64 = sentence_tokens[ref_behind] - ref
    ours: pc_u32 = from_u32(ids, pred)
    others: pc_u32 = from_u32(ids, ref)
    first_partners: p_i32 = room.ends
    last_partners: p_i32 = from_i32(room.ends, room.longest)
    partner_places: p_i32 = room.partners
    next_partners: p_i32 = from_i32(room.partners, room.n_partners)
    n_partners: i64 = 0
    n_hits: i64 = 0
    for place in range(n_others):
        first_partners[place] = -1
    for sentence in range(ref_first, ref_behind):
        start = sentence_tokens[sentence]
        for other in range(first, behind):
            n = find_path(
                from_u32(ids, sentence_tokens[other]),
                sentence_tokens[other + 1] - sentence_tokens[other],
                from_u32(ids, start),
                sentence_tokens[sentence + 1] - start,
                room,
            )
            for hit in range(n):
                place = start - ref + room.path[room.longest + hit]
                partner_places[n_partners] = sentence_tokens[other] - pred + room.path[hit]
                next_partners[n_partners] = -1
                if first_partners[place] < 0:
                    first_partners[place] = n_partners
                else:
                    next_partners[last_partners[place]] = n_partners
                last_partners[place] = n_partners
                n_partners += 1
    for place in range(n_ours - 1, -1, -1):
        room.left[ours[place]] += 1
        room.nexts[place] = room.first_places[ours[place]]
        room.first_places[ours[place]] = place
        room.is_taken[place] = False
    for place in range(n_others):
        if first_partners[place] >= 0 and room.left[others[place]] > 0:
            room.left[others[place]] -= 1
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
            place = room.first_places[others[ref_places[hit]]]
            while room.is_taken[place]:
                place = room.nexts[place]
            room.chosen[hit] = place
            room.is_taken[place] = True
            room.first_places[ours[place]] = place
        pred_places[hit] = room.chosen[hit]
    for place in range(n_ours):
        room.left[ours[place]] = 0
        room.first_places[ours[place]] = -1
    return n_hits


@cython.cfunc
def place_room(room: Room, n_ids: i64, longest: i64, n_cells: i64, n_partners: i64) -> PlaceRoom:
    """Arrays for texts of so many tokens, and tables of so many cells."""
    arrays: PlaceRoom
    n_slots: i64 = 64
    while n_slots < 2 * longest:
        n_slots *= 2
    arrays.longest, arrays.n_partners = longest, n_partners
    arrays.first_places = cython.cast(p_i32, room.zeros(n_ids, 4))
    fill_bytes(arrays.first_places, 0xFF, 4 * n_ids)
    arrays.firsts = cython.cast(p_i32, room.zeros(3 * longest, 4))
    arrays.theirs = cython.cast(p_i32, room.zeros(3 * longest, 4))
    arrays.heads = cython.cast(p_i32, room.zeros(longest, 4))
    arrays.nexts = cython.cast(p_i32, room.zeros(longest, 4))
    arrays.slots = cython.cast(p_i32, room.zeros(n_slots, 4))
    arrays.matches = cython.cast(p_u64, room.zeros(n_ids, 8))
    arrays.cells = cython.cast(p_u64, room.zeros(2 * longest, 8))
    arrays.carries = cython.cast(p_u8, room.zeros(n_cells, 1))
    arrays.path = cython.cast(p_i32, room.zeros(2 * longest, 4))
    arrays.left = cython.cast(p_i32, room.zeros(n_ids, 4))
    arrays.ends = cython.cast(p_i32, room.zeros(2 * longest, 4))
    arrays.partners = cython.cast(p_i32, room.zeros(2 * n_partners, 4))
    arrays.chosen = cython.cast(p_i32, room.zeros(longest, 4))
    arrays.is_taken = cython.cast(p_u8, room.zeros(longest, 1))
    return arrays


def table_sizes(tokens, others):
    """Cells of the table of a prediction of so many tokens and a reference of so many others, int64[n_pairs]."""
    return (others // 64 + 1) * tokens


def place_matches(
    flat,  # ids of the tokens, and the offsets of the texts in them
    sentences,  # ids, the offsets of the sentences in them, and of the texts in the sentences
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    distinct: cython.bint,
):
    """Places of the hits of rouge1, rouge2, rouge3, rougeL and rougeLsum: see ``unit_matches.match_places``.

    The table of a pair, see ``table_sizes``, takes a byte a cell.

    Returns:
        int32[2, n_hits], first positions in the prediction and in the reference, type by type in the pairs' order; and
        int64[n_pairs, 5], how many of them each type of each pair has.
    """
    ids: cython.const[u32][::1] = flat[0]
    text_tokens: cython.const[i64][::1] = flat[1]
    sentence_ids: cython.const[u32][::1] = sentences[0]
    sentence_tokens: cython.const[i64][::1] = sentences[1]
    text_sentences: cython.const[i64][::1] = sentences[2]
    n_texts: i64 = text_tokens.shape[0] - 1
    longest_stretch(text_tokens, ids.shape[0])
    longest_stretch(sentence_tokens, sentence_ids.shape[0])
    longest_stretch(text_sentences, sentence_tokens.shape[0] - 1)
    if text_sentences.shape[0] != n_texts + 1:
        raise ValueError("there must be as many texts with sentences as without")
    check_pairs(predictions, references, text_tokens)
    check_ids(ids, n_ids)
    check_ids(sentence_ids, n_ids)
    whole = np.diff(flat[1])
    cut = np.diff(np.asarray(sentence_tokens)[np.asarray(text_sentences)])
    sizes = np.maximum(whole, cut)
    n_sentences = np.diff(sentences[2])
    pred, ref = np.asarray(predictions), np.asarray(references)
    # At most so many pairs of places lie on the subsequences of two texts' sentences.
    most_partners = np.minimum(cut[pred] * n_sentences[ref], cut[ref] * n_sentences[pred]).max(initial=1)
    if sizes.max(initial=0) > MOST_TOKENS or most_partners > MOST_TOKENS:
        raise ValueError("a text may have 2,147,483,632 tokens at most, and two texts as many pairs of them")
    room = Room()
    arrays: PlaceRoom = place_room(
        room, n_ids, sizes.max(initial=1), table_sizes(sizes[pred], sizes[ref]).max(initial=1), most_partners
    )
    # No type but the last has more hits than the shorter text has tokens.
    most: i64 = 4 * np.minimum(whole[pred], whole[ref]).sum() + np.minimum(cut[pred], cut[ref]).sum()
    all_places = np.empty((2, most + 1), np.int32)
    hit_counts = np.zeros((predictions.shape[0], 5), np.int64)
    places: i32[:, ::1] = all_places
    counts: i64[:, ::1] = hit_counts
    pred_places: p_i32 = cython.address(places[0, 0])
    ref_places: p_i32 = cython.address(places[1, 0])
    longest: i64 = arrays.longest
    ours: pc_u32
    others: pc_u32
    pair: i64
    order: i64
    n_hits: i64 = 0
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            one, other = predictions[pair], references[pair]
            ours = cython.address(ids[0]) + text_tokens[one]
            others = cython.address(ids[0]) + text_tokens[other]
            n_ours, n_others = text_tokens[one + 1] - text_tokens[one], text_tokens[other + 1] - text_tokens[other]
            find_first_ngrams(ours, n_ours, others, n_others, arrays)
            for order in range(3):
                counts[pair, order] = pair_ngrams(
                    arrays.firsts + order * longest,
                    n_ours - order,
                    arrays.theirs + order * longest,
                    n_others - order,
                    distinct,
                    arrays.heads,
                    arrays.nexts,
                    pred_places + n_hits,
                    ref_places + n_hits,
                )
                n_hits += counts[pair, order]
            n = find_path(ours, n_ours, others, n_others, arrays)
            copy_bytes(pred_places + n_hits, arrays.path, n * cython.sizeof(i32))
            copy_bytes(ref_places + n_hits, arrays.path + longest, n * cython.sizeof(i32))
            counts[pair, 3] = n
            n_hits += n
            counts[pair, 4] = place_union(
                cython.address(sentence_ids[0]),
                cython.address(sentence_tokens[0]),
                text_sentences[one],
                text_sentences[one + 1],
                text_sentences[other],
                text_sentences[other + 1],
                arrays,
                pred_places + n_hits,
                ref_places + n_hits,
            )
            n_hits += counts[pair, 4]
    return all_places[:, :n_hits], hit_counts
