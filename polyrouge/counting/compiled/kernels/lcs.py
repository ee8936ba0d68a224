"""Count ROUGE-L over token ids, and union ROUGE-L, which is rougeLsum.

Columns of bits in words of 64: a strip is 64 reference tokens wide, and runs over the whole prediction before the next
begins, handing up one carry bit a column. So the match bits of only 64 tokens are needed at once, and memory is linear
in the texts. In union ROUGE-L several short reference sentences share one word of bits.
"""

import cython


@cython.cclass
class LcsRoom(Room):
    """Arrays for common subsequences."""

    longest: i64  # no sentence has more tokens
    matches: p_u64  # by id; 0 between pairs, like remaining
    remaining: p_i32  # by id: how often it can still be hit
    marks: p_u64  # bits of the current reference sentence
    columns: p_u64  # by prediction token: its matches, and the cells that match or rise
    carries: p_u8  # into each column, by strip, for the current two sentences
    path: p_i32  # of one subsequence, two rows: positions in the prediction and in the reference
    cancelled: pc_u8
    n_carries: i64
    carries_at: i64  # among the arrays

    def __cinit__(self, n_ids: cython.longlong, longest: cython.longlong, n_carries: cython.longlong):
        """Make arrays for sentences of ``longest`` tokens; 0 is enough where only lengths are needed."""
        self.longest = longest
        self.matches = cython.cast(p_u64, self.zeros(n_ids, 8))
        self.remaining = cython.cast(p_i32, self.zeros(n_ids, 4))
        self.marks = cython.cast(p_u64, self.zeros(longest // 64 + 1, 8))
        self.columns = cython.cast(p_u64, self.zeros(2 * longest + 2, 8))
        self.n_carries, self.carries_at = n_carries, self.n_arrays
        self.carries = cython.cast(p_u8, self.zeros(n_carries, 1))
        self.path = cython.cast(p_i32, self.zeros(2 * longest, 4))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow_carries(room: LcsRoom, n: i64) -> flag:
    """Make room for n carries; return False without memory."""
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
    """Set bit i of matches[token] if the token is at position i of a text of at most 64 tokens."""
    for position in range(text.n):
        matches[text.ids[position]] |= cython.cast(u64, 1) << position


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_matches(matches: p_u64, text: Text) -> cython.void:
    """Undo ``set_matches``."""
    for position in range(text.n):
        matches[text.ids[position]] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def low_bits(n: i64) -> u64:
    """Return a number with the lowest n bits set, n from 0 to 64."""
    return ALL if n >= 64 else (cython.cast(u64, 1) << n) - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def strip_of(text: Text, strip: i64) -> Text:
    """Return the tokens of one strip."""
    return Text(text.ids + 64 * strip, min(64, text.n - 64 * strip))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def length_of_lcs(shorter: Text, longer: Text, room: LcsRoom, least: i64) -> i64:
    """Return the LCS length of two texts; a smaller number if it is below ``least``, or when cancelled.

    ``carries`` has room for the longer text.
    """
    matches: p_u64 = room.matches
    carries: p_u8 = room.carries
    length: i64 = 0
    flat: u64 = ALL
    carry: u8
    if shorter.n > longer.n:  # strips over the shorter side
        shorter, longer = longer, shorter
    if shorter.n <= 64:
        set_matches(matches, shorter)
        for column in range(longer.n):
            common = flat & matches[longer.ids[column]]
            flat = (flat + common) & ALL | (flat - common)
        clear_matches(matches, shorter)
        return popcount(~flat & low_bits(shorter.n))
    for column in range(longer.n):
        carries[column] = 0
    for strip in range((shorter.n + 63) // 64):
        if is_set(room.cancelled) or length + shorter.n - 64 * strip < least:
            return length
        tokens: Text = strip_of(shorter, strip)
        flat = ALL
        set_matches(matches, tokens)
        for column in range(longer.n):
            common = flat & matches[longer.ids[column]]
            total = (flat + common) & ALL
            carry = total < flat
            total = (total + carries[column]) & ALL
            carries[column] = carry | (total < carries[column])
            flat = total | (flat - common)
        clear_matches(matches, tokens)
        length += popcount(~flat & low_bits(tokens.n))
    return length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pairwise_lcs(pred: Sentences, ref: Sentences, room: LcsRoom, out: p_i64) -> cython.void:
    """Add the LCS lengths of all pairs of sentences: see ``pairwise_lcs`` of ``plain/lcs.py``."""
    out[0], out[1], out[2] = 0, tokens_in(pred).n, tokens_in(ref).n
    for ref_sentence in range(ref.n):
        for pred_sentence in range(pred.n):
            if is_set(room.cancelled):
                return
            out[0] += length_of_lcs(sentence_of(pred, pred_sentence), sentence_of(ref, ref_sentence), room, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def distinct_of(text: Text, seen: p_i32) -> i64:
    """Count the distinct ids of a text; ``seen`` is 0 before and after."""
    n: i64 = 0
    for position in range(text.n):
        n += seen[text.ids[position]] == 0
        seen[text.ids[position]] = 1
    for position in range(text.n):
        seen[text.ids[position]] = 0
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_strip(pred: Text, ref: Text, strip: i64, n_columns: i64, carries_on: flag, room: LcsRoom) -> cython.void:
    """Fill the first columns of a strip of 64 reference tokens: their carries into the next strip, or their cells."""
    tokens: Text = strip_of(ref, strip)
    start: i64 = strip * pred.n
    flat: u64 = ALL
    carry: u8
    set_matches(room.matches, tokens)
    for column in range(n_columns):
        match_bits = room.matches[pred.ids[column]]
        common = flat & match_bits
        before = room.carries[start + column]
        total = (flat + common) & ALL
        carry = total < flat
        total = (total + before) & ALL
        flat = total | (flat - common)
        if carries_on:
            room.carries[start + pred.n + column] = carry | (total < before)
        else:
            room.columns[2 * column] = match_bits
            room.columns[2 * column + 1] = match_bits | ~flat & ALL
    clear_matches(room.matches, tokens)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_path(pred: Text, ref: Text, room: LcsRoom) -> i64:
    """Write the subsequence of ``lcs_pairs`` into ``path``, backward; return its length, or -1 without memory."""
    pred_path: p_i32 = room.path
    ref_path: p_i32 = room.path + room.longest
    n_strips: i64 = (ref.n + 63) // 64
    n: i64 = 0
    column: i64 = pred.n - 1
    if not grow_carries(room, n_strips * pred.n):
        return -1
    # Forward through all strips but the last, for the carries; then backward from the last.
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
def take_hits(text: Text, marks: p_u64, remaining: p_i32) -> i64:
    """Count the marked tokens of a text that are hits: each takes one of the prediction's tokens while any remains."""
    hits: i64 = 0
    hit: i32
    for position in range(text.n):
        token = text.ids[position]
        hit = (marks[position >> 6] >> (position & 63) & 1) & (remaining[token] > 0)
        remaining[token] -= hit
        hits += hit
    return hits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_side_by_side(text: Text, ref: Sentences, first: i64, stop: i64, pred: Sentences, room: LcsRoom) -> u64:
    """Mark the ``lcs_positions`` of short reference sentences in one word of bits, with all prediction sentences."""
    matches: p_u64 = room.matches
    columns: p_u64 = room.columns
    start: i64 = ref.bounds[first]
    bit: u64 = 1
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
        if ref.bounds[sentence] < ref.bounds[sentence + 1]:  # an empty sentence may begin after the word
            starts |= bit << (ref.bounds[sentence] - start)
    set_matches(matches, text)
    tops = starts >> 1 | bit << (text.n - 1)  # last token of each sentence
    for pred_sentence in range(pred.n):
        tokens: Text = sentence_of(pred, pred_sentence)
        n_columns = 0
        flat = ALL
        before = 0
        for position in range(tokens.n):
            # Forward: one column for a run of tokens without a match. The sum of the lower bits can't carry out
            # of a sentence; its highest bit is added without.
            match_bits = matches[tokens.ids[position]]
            common = flat & match_bits
            total = ((flat & ~tops) + (common & ~tops)) & ALL ^ ((flat ^ common) & tops)
            flat = total | (flat & ~match_bits)
            columns[2 * n_columns] = match_bits
            columns[2 * n_columns + 1] = match_bits | ~flat & ALL
            n_columns += (match_bits | before) != 0
            before = match_bits
        # Backward: in each sentence up the column to the next cell that matches or rises.
        for sentence in range(first, stop):
            if ref.bounds[sentence] == ref.bounds[sentence + 1]:
                continue
            lane = low_bits(ref.bounds[sentence + 1] - ref.bounds[sentence]) << (ref.bounds[sentence] - start)
            allowed = lane
            for column in range(n_columns - 1, -1, -1):
                cells = columns[2 * column + 1] & allowed
                if cells == 0:
                    break
                top = bit << (width(cells) - 1)
                match = top & columns[2 * column]
                marked |= match
                allowed = lane & ((top - 1) | (top ^ match))
    clear_matches(matches, text)
    return marked


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_union(pred: Sentences, ref: Sentences, first: i64, room: LcsRoom) -> i64:
    """Mark the ``lcs_positions`` of reference sentence ``first``, and of as many more as fit into one word of bits.

    ``marks`` begins at the first token of that sentence. Returns the sentence after the last, or -1 without memory.
    """
    stop: i64 = first + 1
    while stop < ref.n and ref.bounds[stop + 1] - ref.bounds[first] <= 64:
        stop += 1
    text: Text = tokens_between(ref, first, stop)
    if text.n > 64:
        fill_bytes(room.marks, 0, (text.n + 63) // 64 * 8)
        for sentence in range(pred.n):
            n_path = find_path(sentence_of(pred, sentence), text, room)
            if n_path < 0:
                return -1
            for hit in range(n_path):
                position = room.path[room.longest + hit]
                room.marks[position >> 6] |= cython.cast(u64, 1) << (position & 63)
    elif text.n > 0:
        room.marks[0] = mark_side_by_side(text, ref, first, stop, pred, room)
    return stop


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def union_lcs(pred: Sentences, ref: Sentences, distinct: flag, room: LcsRoom, out: p_i64) -> flag:
    """Count ``union_lcs_hits`` of one pair; with ``distinct``, ``type_union_lcs`` with the sides swapped.

    Returns False without memory.
    """
    remaining: p_i32 = room.remaining
    all_pred: Text = tokens_in(pred)
    all_ref: Text = tokens_in(ref)
    first: i64 = 0
    stop: i64
    out[0], out[1], out[2] = 0, all_pred.n, all_ref.n
    if distinct:
        out[1], out[2] = distinct_of(all_pred, remaining), distinct_of(all_ref, remaining)
        for position in range(all_pred.n):
            remaining[all_pred.ids[position]] = 1
    elif pred.n == 1 and ref.n == 1:
        out[0] = length_of_lcs(all_pred, all_ref, room, 0)
        return True
    else:
        for position in range(all_pred.n):
            remaining[all_pred.ids[position]] += 1
    while first < ref.n and not is_set(room.cancelled):
        stop = mark_union(pred, ref, first, room)
        if stop < 0:
            return False
        out[0] += take_hits(tokens_between(ref, first, stop), room.marks, remaining)
        first = stop
    for position in range(all_pred.n):
        remaining[all_pred.ids[position]] = 0
    return True
