"""Find the positions of hits of n-grams and common subsequences: the twin of ``explaining/matching.py``.

Tokens, bigrams, ROUGE-L of the full texts and union ROUGE-L of a pair are found together, because they share tables.
"""

import cython

LARGEST_TABLE = 1 << 27  # most cells that callers may ask for: a byte for 64 reference tokens by one prediction token


@cython.cclass
class MatchRoom(Room):
    """Hold arrays for finding hits. Positions are those of tokens; -1 is none."""

    longest: i64  # no text has more tokens
    first_positions: p_i32  # by id: the first position in the prediction; none between pairs
    pred_firsts: p_i32  # two rows: first position in the prediction of each of its tokens, and of its bigrams
    ref_firsts: p_i32  # two rows: the same for the tokens and bigrams of the reference
    heads: p_i32  # of each n-gram, at its first position: the next free position
    nexts: p_i32  # of each position: the next free one of the same n-gram
    slots: p_i32
    lcs: LcsRoom
    hits: p_i32  # by position in the reference: which hit it is
    is_taken: p_u8  # by position in the prediction
    waiting: p_i32  # by id: hits of the current reference sentence without a partner; 0 between sentences
    is_weighted: flag  # subsequences are those of ROUGE-W
    weighted: WeightedRoom
    partners: p_i32  # by position in the reference sentence: the position in the prediction on a weighted subsequence
    has_memory: flag

    def __cinit__(self, n_ids: cython.longlong, longest: cython.longlong, n_cells: cython.longlong):
        """Make arrays for texts of ``longest`` tokens, and tables of ``n_cells``."""
        n_slots: i64 = 64
        while n_slots < 2 * longest:
            n_slots *= 2
        self.longest = longest
        self.first_positions = cython.cast(p_i32, self.zeros(n_ids, 4))
        fill_bytes(self.first_positions, 0xFF, 4 * n_ids)
        self.pred_firsts = cython.cast(p_i32, self.zeros(2 * longest, 4))
        self.ref_firsts = cython.cast(p_i32, self.zeros(2 * longest, 4))
        self.heads = cython.cast(p_i32, self.zeros(longest, 4))
        self.nexts = cython.cast(p_i32, self.zeros(longest, 4))
        self.slots = cython.cast(p_i32, self.zeros(n_slots, 4))
        self.lcs = LcsRoom(n_ids, longest, n_cells)
        self.hits = cython.cast(p_i32, self.zeros(longest, 4))
        self.is_taken = cython.cast(p_u8, self.zeros(longest, 1))
        self.waiting = cython.cast(p_i32, self.zeros(n_ids, 4))
        self.is_weighted, self.has_memory = False, True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def look_up(token: i32, next_token: i32, position: i32, mask: u64, room: MatchRoom) -> i32:
    """Return the first position of a bigram, known by the first positions of its tokens; ``position`` if it is new."""
    key: u64 = cython.cast(u64, cython.cast(u32, token)) << 32 | cython.cast(u32, next_token)
    slot: u64 = (key * SPREAD & ALL) >> 32 & mask
    pred_firsts: p_i32 = room.pred_firsts
    slots: p_i32 = room.slots
    first: i32 = slots[slot]
    while first >= 0 and (pred_firsts[first] != token or pred_firsts[first + 1] != next_token):
        slot = (slot + 1) & mask
        first = slots[slot]
    if first < 0:
        slots[slot] = first = position
    return first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_first_ngrams(pred: Text, ref: Text, room: MatchRoom) -> cython.void:
    """Find the first position in the prediction of each token and bigram of both texts."""
    longest: i64 = room.longest
    pred_firsts: p_i32 = room.pred_firsts
    ref_firsts: p_i32 = room.ref_firsts
    n_slots: i64 = 64
    for position in range(pred.n - 1, -1, -1):
        room.first_positions[pred.ids[position]] = position
    for position in range(pred.n):
        pred_firsts[position] = room.first_positions[pred.ids[position]]
    for position in range(ref.n):
        ref_firsts[position] = room.first_positions[ref.ids[position]]
    for position in range(pred.n):
        room.first_positions[pred.ids[position]] = -1
    while n_slots < 2 * pred.n:
        n_slots *= 2
    fill_bytes(room.slots, 0xFF, n_slots * cython.sizeof(i32))
    for position in range(pred.n - 1):
        pred_firsts[longest + position] = look_up(
            pred_firsts[position], pred_firsts[position + 1], position, n_slots - 1, room
        )
    for position in range(ref.n - 1):
        ref_firsts[longest + position] = -1
        if ref_firsts[position] >= 0 and ref_firsts[position + 1] >= 0:
            ref_firsts[longest + position] = look_up(
                ref_firsts[position], ref_firsts[position + 1], -1, n_slots - 1, room
            )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pair_ngrams(
    pred: Text, ref: Text, order: i64, distinct: flag, room: MatchRoom, pred_positions: p_i32, ref_positions: p_i32
) -> i64:
    """Pair each n-gram of the reference with the first free one of the prediction; return the number of pairs."""
    pred_firsts: pc_i32 = room.pred_firsts + order * room.longest
    ref_firsts: pc_i32 = room.ref_firsts + order * room.longest
    heads: p_i32 = room.heads
    nexts: p_i32 = room.nexts
    n_pred: i64 = pred.n - order
    n_ref: i64 = ref.n - order
    n: i64 = 0
    for position in range(n_pred):
        heads[position] = -1
    for position in range(n_pred - 1, -1, -1):
        first = pred_firsts[position]
        nexts[position] = heads[first]
        heads[first] = position
    for position in range(n_ref):
        first = ref_firsts[position]
        if first >= 0 and heads[first] >= 0:
            pred_positions[n], ref_positions[n] = heads[first], position
            heads[first] = -1 if distinct else nexts[heads[first]]
            n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_pair(tokens: Text, start: i64, room: MatchRoom) -> flag:
    """Say whether a free token of a prediction sentence, which starts at a position, equals a waiting hit."""
    for position in range(tokens.n):
        if room.waiting[tokens.ids[position]] > 0 and not room.is_taken[start + position]:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def trace(pred: Text, ref: Text, room: MatchRoom) -> i64:
    """Write the positions on the subsequence of two sentences into ``path``, as ``find_path``; return their number."""
    n: i64 = 0
    if not room.is_weighted:
        return find_path(pred, ref, room.lcs)
    for position in range(ref.n):
        room.partners[position] = -1
    room.has_memory &= mark_path(pred, ref, room.weighted, room.partners)
    for position in range(ref.n):
        if room.partners[position] >= 0:
            room.lcs.path[n], room.lcs.path[room.longest + n] = room.partners[position], position
            n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_positions(pred: Text, room: MatchRoom) -> cython.void:
    """Set for each token how often it can be hit, and its positions in the prediction, all of them free."""
    remaining: p_i32 = room.lcs.remaining
    for position in range(pred.n - 1, -1, -1):
        remaining[pred.ids[position]] += 1
        room.nexts[position] = room.first_positions[pred.ids[position]]
        room.first_positions[pred.ids[position]] = position
        room.is_taken[position] = False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_rest(
    pred: Text, ref: Text, n_hits: i64, room: MatchRoom, pred_positions: p_i32, ref_positions: p_i32
) -> cython.void:
    """Give hits without a partner any free position of their token, and undo ``free_positions``."""
    for hit in range(n_hits):
        if pred_positions[hit] < 0:
            position = room.first_positions[ref.ids[ref_positions[hit]]]
            while room.is_taken[position]:
                position = room.nexts[position]
            pred_positions[hit] = position
            room.is_taken[position] = True
            room.first_positions[pred.ids[position]] = position
    for position in range(pred.n):
        room.lcs.remaining[pred.ids[position]] = 0
        room.first_positions[pred.ids[position]] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_partners(
    pred: Sentences,
    ref: Sentences,
    ref_sentence: i64,
    first_hit: i64,
    n_hits: i64,
    room: MatchRoom,
    pred_positions: p_i32,
    ref_positions: p_i32,
) -> cython.void:
    """Give each hit of a reference sentence, from ``first_hit``, the first free position on a subsequence with it.

    Two hits of one sentence never ask for the same position.
    """
    ref_tokens: Text = sentence_of(ref, ref_sentence)
    ref_start: i64 = ref.bounds[ref_sentence] - ref.bounds[0]
    n_waiting: i64 = n_hits - first_hit
    for position in range(ref_start, ref_start + ref_tokens.n):
        room.hits[position] = -1
    for hit in range(first_hit, n_hits):
        room.hits[ref_positions[hit]] = hit
        room.waiting[ref_tokens.ids[ref_positions[hit] - ref_start]] += 1
    for sentence in range(pred.n):
        if n_waiting == 0:
            break
        pred_tokens: Text = sentence_of(pred, sentence)
        pred_start: i64 = pred.bounds[sentence] - pred.bounds[0]
        if not may_pair(pred_tokens, pred_start, room):
            continue
        for index in range(trace(pred_tokens, ref_tokens, room)):
            position = pred_start + room.lcs.path[index]
            hit = room.hits[ref_start + room.lcs.path[room.longest + index]]
            if hit >= 0 and pred_positions[hit] < 0 and not room.is_taken[position]:
                pred_positions[hit] = position
                room.is_taken[position] = True
                room.waiting[pred.ids[pred.bounds[0] + position]] -= 1
                n_waiting -= 1
    for hit in range(first_hit, n_hits):
        room.waiting[ref_tokens.ids[ref_positions[hit] - ref_start]] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_union_hits(
    pred: Sentences, ref: Sentences, room: MatchRoom, pred_positions: p_i32, ref_positions: p_i32
) -> i64:
    """Find the hits of union ROUGE-L of one pair, each at a prediction position of its own; return their number."""
    ref_tokens: Text = tokens_in(ref)
    remaining: p_i32 = room.lcs.remaining
    marks: p_u64 = room.lcs.marks
    n_hits: i64 = 0
    first: i64 = 0
    free_positions(tokens_in(pred), room)
    while first < ref.n:
        stop: i64 = mark_union(pred, ref, first, room.lcs)  # asks for no memory: the room has all cells of a table
        marks_start: i64 = ref.bounds[first] - ref.bounds[0]
        hit: i64 = n_hits
        for position in range(marks_start, ref.bounds[stop] - ref.bounds[0]):
            bit = position - marks_start
            if marks[bit >> 6] >> (bit & 63) & 1 and remaining[ref_tokens.ids[position]] > 0:
                remaining[ref_tokens.ids[position]] -= 1
                pred_positions[n_hits], ref_positions[n_hits] = -1, position
                n_hits += 1
        for sentence in range(first, stop):
            first_hit: i64 = hit
            while hit < n_hits and ref_positions[hit] < ref.bounds[sentence + 1] - ref.bounds[0]:
                hit += 1
            find_partners(pred, ref, sentence, first_hit, hit, room, pred_positions, ref_positions)
        first = stop
    take_rest(tokens_in(pred), ref_tokens, n_hits, room, pred_positions, ref_positions)
    return n_hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_waiting(tokens: Text, room: MatchRoom) -> flag:
    """Say whether a token of a sentence waits for its hit."""
    for position in range(tokens.n):
        if room.waiting[tokens.ids[position]] > 0:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_type_union(
    pred: Sentences, ref: Sentences, room: MatchRoom, pred_positions: p_i32, ref_positions: p_i32
) -> i64:
    """Find for each distinct token on a subsequence of two sentences its first hit; return their number."""
    ref_tokens: Text = tokens_in(ref)
    n_hits: i64 = 0
    for position in range(ref_tokens.n):
        room.waiting[ref_tokens.ids[position]] = 1
        room.hits[position] = -1
    for sentence in range(pred.n):
        pred_sentence: Text = sentence_of(pred, sentence)
        pred_start: i64 = pred.bounds[sentence] - pred.bounds[0]
        for ref_index in range(ref.n):
            if not has_waiting(pred_sentence, room):
                break
            ref_sentence: Text = sentence_of(ref, ref_index)
            if not has_waiting(ref_sentence, room):
                continue
            ref_start: i64 = ref.bounds[ref_index] - ref.bounds[0]
            # The sides are swapped, as in ``type_union_lcs``.
            for index in range(find_path(ref_sentence, pred_sentence, room.lcs) - 1, -1, -1):
                position = room.lcs.path[index]
                if room.waiting[ref_sentence.ids[position]] > 0:
                    room.waiting[ref_sentence.ids[position]] = 0
                    room.hits[ref_start + position] = pred_start + room.lcs.path[room.longest + index]
    for position in range(ref_tokens.n):
        room.waiting[ref_tokens.ids[position]] = 0
        if room.hits[position] >= 0:
            pred_positions[n_hits], ref_positions[n_hits] = room.hits[position], position
            n_hits += 1
    return n_hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_pairwise(pred: Sentences, ref: Sentences, room: MatchRoom, pred_positions: p_i32, ref_positions: p_i32) -> i64:
    """Find all that lies on the subsequences of any two sentences, by position in the reference; return the number."""
    n_hits: i64 = 0
    for ref_index in range(ref.n):
        ref_sentence: Text = sentence_of(ref, ref_index)
        ref_start: i64 = ref.bounds[ref_index] - ref.bounds[0]
        slots: p_i32 = room.hits  # of each position: the number of its hits, then the slot of its next one
        for position in range(ref_sentence.n):
            slots[position] = 0
        for sentence in range(pred.n):
            for index in range(find_path(sentence_of(pred, sentence), ref_sentence, room.lcs)):
                slots[room.lcs.path[room.longest + index]] += 1
        for position in range(ref_sentence.n):
            n: i64 = slots[position]
            slots[position] = n_hits
            for index in range(n):
                ref_positions[n_hits + index] = ref_start + position
            n_hits += n
        for sentence in range(pred.n):
            pred_start: i64 = pred.bounds[sentence] - pred.bounds[0]
            for index in range(find_path(sentence_of(pred, sentence), ref_sentence, room.lcs)):
                position = room.lcs.path[room.longest + index]
                pred_positions[slots[position]] = pred_start + room.lcs.path[index]
                slots[position] += 1
    return n_hits


def table_sizes(n_pred, n_ref):
    """Return the cells, a byte each, of the tables for predictions and references of so many tokens, int64[n_pairs]."""
    return (n_ref // 64 + 1) * n_pred


def match_hits(pairs: Pairs, distinct: cython.bint, lcs: str):
    """Return int32[2, n_hits], positions of hits by pair and type; and int64[n_pairs, 4], the numbers of hits.

    ``lcs`` is that of ``ToolRules``: what rougeL means.
    """
    is_union: flag = lcs == "union"
    is_type_union: flag = lcs == "type_union"
    is_pairwise: flag = lcs == "pairwise_sum"
    pred, ref = np.asarray(pairs.predictions), np.asarray(pairs.references)
    n_tokens = np.diff(pairs.text_tokens)
    n_sentence_tokens = np.diff(np.asarray(pairs.sentence_tokens)[np.asarray(pairs.text_sentences)])
    sizes = np.maximum(n_tokens, n_sentence_tokens)
    if sizes.max(initial=0) > MOST_TOKENS:
        raise ValueError("a text may have 2,147,483,632 tokens at most")
    n_cells = table_sizes(sizes[pred], sizes[ref]).max(initial=1)
    room = MatchRoom(pairs.n_ids, sizes.max(initial=1), n_cells)
    room.lcs.cancelled = cython.address(pairs.cancelled[0])
    n: i64
    n_hits: i64 = 0
    n_pairwise: i64 = 0
    lengths: i64[3]
    if is_pairwise:
        for pair in range(pairs.n):
            pairwise_lcs(
                sentences_of(pairs, pairs.predictions[pair]),
                sentences_of(pairs, pairs.references[pair]),
                room.lcs,
                cython.cast(p_i64, lengths),
            )
            n_pairwise += lengths[0]
        if n_pairwise > MOST_TOKENS:
            raise ValueError("the texts have more than 2,147,483,632 hits of rougeL, each a part of its sum")
    # No type has more hits than the shorter text has tokens, or tokens of sentences; but for pairwise LCS.
    most: i64 = (
        3 * np.minimum(n_tokens[pred], n_tokens[ref]).sum()
        + 2 * np.minimum(n_sentence_tokens[pred], n_sentence_tokens[ref]).sum()
        + n_pairwise
    )
    all_positions = np.empty((2, most + 1), np.int32)
    hit_counts = np.zeros((pairs.n, 4), np.int64)
    positions: i32[:, ::1] = all_positions
    counts: i64[:, ::1] = hit_counts
    pred_positions: p_i32 = cython.address(positions[0, 0])
    ref_positions: p_i32 = cython.address(positions[1, 0])
    order: i64
    with cython.nogil:
        for pair in range(pairs.n):
            pred_text: Text = text_of(pairs, pairs.predictions[pair])
            ref_text: Text = text_of(pairs, pairs.references[pair])
            find_first_ngrams(pred_text, ref_text, room)
            for order in range(2):
                n = pair_ngrams(
                    pred_text, ref_text, order, distinct, room, pred_positions + n_hits, ref_positions + n_hits
                )
                counts[pair, order] = n
                n_hits += n
            pred_sentences: Sentences = sentences_of(pairs, pairs.predictions[pair])
            ref_sentences: Sentences = sentences_of(pairs, pairs.references[pair])
            if is_type_union:
                n = find_type_union(
                    pred_sentences, ref_sentences, room, pred_positions + n_hits, ref_positions + n_hits
                )
            elif is_pairwise:
                n = find_pairwise(pred_sentences, ref_sentences, room, pred_positions + n_hits, ref_positions + n_hits)
            elif is_union:
                n = find_union_hits(
                    pred_sentences, ref_sentences, room, pred_positions + n_hits, ref_positions + n_hits
                )
            else:
                n = find_path(pred_text, ref_text, room.lcs)
                for hit in range(n):
                    pred_positions[n_hits + hit] = room.lcs.path[n - 1 - hit]
                    ref_positions[n_hits + hit] = room.lcs.path[room.longest + n - 1 - hit]
            counts[pair, 2] = n
            n_hits += n
            n = find_union_hits(pred_sentences, ref_sentences, room, pred_positions + n_hits, ref_positions + n_hits)
            counts[pair, 3] = n
            n_hits += n
    return all_positions[:, :n_hits], hit_counts
