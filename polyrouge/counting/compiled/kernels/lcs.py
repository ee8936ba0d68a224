"""ROUGE-L over token ids, and union ROUGE-L, that is rougeLsum.

Columns of bits in words of 64: a strip is 64 reference tokens wide, and runs over the whole prediction before the next
begins, handing up one carry bit a column. So the match bits of only 64 tokens are needed at once, and memory is linear
in the texts. In union ROUGE-L several short reference sentences share one word of bits.
"""

import cython


@cython.cclass
class LcsRoom(Room):
    """Arrays for common subsequences."""

    longest: i64  # no sentence has more tokens
    matches: p_u64  # by id; 0 between pairs, as left
    left: p_i32  # by id: how often it can be hit
    marks: p_u64  # bits of the reference sentence at hand
    columns: p_u64  # of each prediction token its matches, and the cells that match or rise
    carries: p_u8  # into each column, by strip, for the two sentences at hand
    path: p_i32  # two rows: places in the prediction and in the reference, of one subsequence
    cancelled: pc_u8
    n_carries: i64
    carries_at: i64  # among the arrays

    def __cinit__(self, n_ids: cython.longlong, longest: cython.longlong, n_carries: cython.longlong):
        """``longest`` is that of sentences, 0 where only lengths are asked for."""
        self.longest = longest
        self.matches = cython.cast(p_u64, self.zeros(n_ids, 8))
        self.left = cython.cast(p_i32, self.zeros(n_ids, 4))
        self.marks = cython.cast(p_u64, self.zeros(longest // 64 + 1, 8))
        self.columns = cython.cast(p_u64, self.zeros(2 * longest + 2, 8))
        self.n_carries, self.carries_at = n_carries, self.n_arrays
        self.carries = cython.cast(p_u8, self.zeros(n_carries, 1))
        self.path = cython.cast(p_i32, self.zeros(2 * longest, 4))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow_carries(room: LcsRoom, n: i64) -> flag:
    """Make room for so many carries; False without memory."""
    if n <= room.n_carries:
        return True
    array: p_void = calloc(n, 1)
    if array == cython.NULL:
        return False
    free(room.arrays[room.carries_at])
    room.arrays[room.carries_at] = array
    room.carries, room.n_carries = cython.cast(p_u8, array), n
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_matches(matches: p_u64, text: Text) -> cython.void:
    """Bit i of matches[token]: the token is at place i of a text of 64 tokens at most."""
    for place in range(text.n):
        matches[text.ids[place]] |= cython.cast(u64, 1) << place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_matches(matches: p_u64, text: Text) -> cython.void:
    """Undo ``set_matches``."""
    for place in range(text.n):
        matches[text.ids[place]] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def low_bits(n: i64) -> u64:
    """The lowest n bits set, n from 0 to 64."""
    return ALL if n >= 64 else (cython.cast(u64, 1) << n) - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def strip_of(text: Text, strip: i64) -> Text:
    """The tokens of one strip."""
    return Text(text.ids + 64 * strip, min(64, text.n - 64 * strip))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def length_of_lcs(one: Text, other: Text, room: LcsRoom, least: i64) -> i64:
    """LCS length of two texts, or less where it is below least, or once it is cancelled.

    ``carries`` has room for the longer.
    """
    matches: p_u64 = room.matches
    carries: p_u8 = room.carries
    length: i64 = 0
    flat: u64 = ALL
    carry: u8
    if one.n > other.n:  # strips over the shorter side
        one, other = other, one
    if one.n <= 64:
        set_matches(matches, one)
        for column in range(other.n):
            common = flat & matches[other.ids[column]]
            flat = (flat + common) & ALL | (flat - common)
        clear_matches(matches, one)
        return popcount(~flat & low_bits(one.n))
    for column in range(other.n):
        carries[column] = 0
    for strip in range((one.n + 63) // 64):
        if is_set(room.cancelled) or length + one.n - 64 * strip < least:
            return length
        here: Text = strip_of(one, strip)
        flat = ALL
        set_matches(matches, here)
        for column in range(other.n):
            common = flat & matches[other.ids[column]]
            total = (flat + common) & ALL
            carry = total < flat
            total = (total + carries[column]) & ALL
            carries[column] = carry | (total < carries[column])
            flat = total | (flat - common)
        clear_matches(matches, here)
        length += popcount(~flat & low_bits(here.n))
    return length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pairwise_lcs(pred: Sentences, ref: Sentences, room: LcsRoom, out: p_i64) -> cython.void:
    """Every LCS of two sentences of one pair added up: see ``tool_lcs.pairwise_lcs``."""
    out[0], out[1], out[2] = 0, tokens_in(pred).n, tokens_in(ref).n
    for sentence in range(ref.n):
        for other in range(pred.n):
            if is_set(room.cancelled):
                return
            out[0] += length_of_lcs(sentence_of(pred, other), sentence_of(ref, sentence), room, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def distinct_of(text: Text, seen: p_i32) -> i64:
    """Distinct ids of a text; ``seen`` is 0 before and after."""
    n: i64 = 0
    for place in range(text.n):
        n += seen[text.ids[place]] == 0
        seen[text.ids[place]] = 1
    for place in range(text.n):
        seen[text.ids[place]] = 0
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_strip(pred: Text, ref: Text, strip: i64, n_columns: i64, carries_on: flag, room: LcsRoom) -> cython.void:
    """Fill the first columns of a strip of 64 reference tokens: what they carry into the next strip, or their cells."""
    tokens: Text = strip_of(ref, strip)
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
        flat = total | (flat - common)
        if carries_on:
            room.carries[start + pred.n + column] = carry | (total < before)
        else:
            room.columns[2 * column] = here
            room.columns[2 * column + 1] = here | ~flat & ALL
    clear_matches(room.matches, tokens)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_path(pred: Text, ref: Text, room: LcsRoom) -> i64:
    """Write the subsequence of ``lcs_pairs`` into ``path``, backward; return its length."""
    pred_path: p_i32 = room.path
    ref_path: p_i32 = room.path + room.longest
    n_strips: i64 = (ref.n + 63) // 64
    n: i64 = 0
    column: i64 = pred.n - 1
    # Forth through all strips but the last, for the carries; then back from the last.
    fill_bytes(room.carries, 0, pred.n)
    for strip in range(n_strips - 1):
        if is_set(room.cancelled):
            return 0
        fill_strip(pred, ref, strip, pred.n, True, room)
    for strip in range(n_strips - 1, -1, -1):
        if is_set(room.cancelled):
            return 0
        fill_strip(pred, ref, strip, column + 1, False, room)
        height = min(64, ref.n - 64 * strip)
        while column >= 0:
            height = width(room.columns[2 * column + 1] & low_bits(height))
            if height == 0:
                break  # on to the strip below, in the same column
            if room.columns[2 * column] >> (height - 1) & 1:
                height -= 1
                pred_path[n], ref_path[n] = column, 64 * strip + height
                n += 1
            column -= 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_hits(text: Text, marks: p_u64, left: p_i32) -> i64:
    """How many of a text's marked tokens are hits, clipped: only while the prediction has some left of them."""
    hits: i64 = 0
    hit: i32
    for place in range(text.n):
        token = text.ids[place]
        hit = (marks[place >> 6] >> (place & 63) & 1) & (left[token] > 0)
        left[token] -= hit
        hits += hit
    return hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_side_by_side(text: Text, ref: Sentences, first: i64, stop: i64, pred: Sentences, room: LcsRoom) -> u64:
    """``lcs_positions`` for short reference sentences side by side in one word, with all sentences of a prediction."""
    matches: p_u64 = room.matches
    columns: p_u64 = room.columns
    start: i64 = ref.bounds[first]
    one: u64 = 1
    starts: u64 = 1
    marked: u64 = 0
    n_columns: i64
    flat: u64
    lane: u64
    allowed: u64
    top: u64
    match: u64
    before: u64
    for sentence in range(first + 1, stop):
        if ref.bounds[sentence] < ref.bounds[sentence + 1]:  # an empty one may begin behind the word
            starts |= one << (ref.bounds[sentence] - start)
    set_matches(matches, text)
    tops = starts >> 1 | one << (text.n - 1)  # last token of each sentence
    for each in range(pred.n):
        other: Text = sentence_of(pred, each)
        n_columns = 0
        flat = ALL
        before = 0
        for place in range(other.n):
            # Forth: one column for a run of tokens that match nothing. The sum of the lower bits can't carry out
            # of a sentence; its highest bit is added without.
            here = matches[other.ids[place]]
            common = flat & here
            total = ((flat & ~tops) + (common & ~tops)) & ALL ^ ((flat ^ common) & tops)
            flat = total | (flat & ~here)
            columns[2 * n_columns] = here
            columns[2 * n_columns + 1] = here | ~flat & ALL
            n_columns += (here | before) != 0
            before = here
        # Back: in each sentence up the column to the next cell that is a match or rises.
        for sentence in range(first, stop):
            if ref.bounds[sentence] == ref.bounds[sentence + 1]:
                continue
            lane = low_bits(ref.bounds[sentence + 1] - ref.bounds[sentence]) << (ref.bounds[sentence] - start)
            allowed = lane
            for column in range(n_columns - 1, -1, -1):
                cells = columns[2 * column + 1] & allowed
                if cells == 0:
                    break
                top = one << (width(cells) - 1)
                match = top & columns[2 * column]
                marked |= match
                allowed = lane & ((top - 1) | (top ^ match))
    clear_matches(matches, text)
    return marked


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def union_lcs(pred: Sentences, ref: Sentences, distinct: flag, room: LcsRoom, out: p_i64) -> cython.void:
    """``union_lcs_hits`` of one pair; with ``distinct`` it is ``tool_lcs.type_union_lcs`` with the sides swapped."""
    left: p_i32 = room.left
    all_pred: Text = tokens_in(pred)
    all_ref: Text = tokens_in(ref)
    text: Text
    first: i64 = 0
    stop: i64
    out[0], out[1], out[2] = 0, all_pred.n, all_ref.n
    if distinct:
        out[1], out[2] = distinct_of(all_pred, left), distinct_of(all_ref, left)
        for place in range(all_pred.n):
            left[all_pred.ids[place]] = 1
    elif pred.n == 1 and ref.n == 1:
        out[0] = length_of_lcs(all_pred, all_ref, room, 0)
        return
    else:
        for place in range(all_pred.n):
            left[all_pred.ids[place]] += 1
    while first < ref.n and not is_set(room.cancelled):
        stop = first + 1
        while stop < ref.n and ref.bounds[stop + 1] - ref.bounds[first] <= 64:
            stop += 1  # as many sentences as there is room for in one word
        text = Text(ref.ids + ref.bounds[first], ref.bounds[stop] - ref.bounds[first])
        if text.n > 64:
            fill_bytes(room.marks, 0, (text.n + 63) // 64 * 8)
            for each in range(pred.n):
                for hit in range(find_path(sentence_of(pred, each), text, room)):
                    place = room.path[room.longest + hit]
                    room.marks[place >> 6] |= cython.cast(u64, 1) << (place & 63)
        elif text.n > 0:
            room.marks[0] = mark_side_by_side(text, ref, first, stop, pred, room)
        out[0] += take_hits(text, room.marks, left)
        first = stop
    for place in range(all_pred.n):
        left[all_pred.ids[place]] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def carries_of(pair: TextPair, kind: i64) -> i64:
    """Carries of the two sentences of a pair that have most: one for each token of the one and strip of the other."""
    widest, highest = longest_of(pair.pred_sentences), longest_of(pair.ref_sentences)
    most: i64 = max(max(pair.pred.n, pair.ref.n), max(widest, highest))
    if kind == TYPE_UNION_LCS:  # the other way round
        widest, highest = highest, widest
    elif kind != UNION_LCS or (pair.pred_sentences.n == 1 and pair.ref_sentences.n == 1):  # they have one LCS
        return most
    return max(most, (highest // 64 + 1) * widest) if highest > 64 else most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def longest_of(text: Sentences) -> i64:
    """Tokens in the longest of a text's sentences."""
    longest: i64 = 0
    for sentence in range(text.n):
        longest = max(longest, text.bounds[sentence + 1] - text.bounds[sentence])
    return longest
