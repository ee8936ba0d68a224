"""ROUGE-L over token ids, and union ROUGE-L, that is rougeLsum.

Columns of bits in words of 64: a strip is 64 reference tokens wide, and runs over the whole prediction before the
next begins, handing up one carry bit a column. So the match bits of only 64 tokens are needed at once, and memory is
linear in the texts. Of union ROUGE-L several short reference sentences share one word of bits.
"""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.room import *


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def set_matches(matches: p_u64, tokens: pc_u32, n: i64) -> cython.void:
    """Bit i of matches[token]: the token is at place i."""
    for place in range(n):
        matches[tokens[place]] |= cython.cast(u64, 1) << place


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def clear_matches(matches: p_u64, tokens: pc_u32, n: i64) -> cython.void:
    """Undo ``set_matches``."""
    for place in range(n):
        matches[tokens[place]] = 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def low_bits(n: i64) -> u64:
    """The lowest n bits set, n from 0 to 64."""
    return ALL if n >= 64 else (cython.cast(u64, 1) << n) - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def length_of_lcs(
    one: pc_u32, n_one: i64, other: pc_u32, n_other: i64, matches: p_u64, carries: p_u8, cancelled: pc_u8
) -> i64:
    """LCS length of two stretches of ids; ``carries`` has room for the longer; anything once it is cancelled."""
    length: i64 = 0
    flat: u64 = ALL
    carry: u8
    if n_one > n_other:  # strips over the shorter side
        one, other = other, one
        n_one, n_other = n_other, n_one
    if n_one <= 64:
        set_matches(matches, one, n_one)
        for column in range(n_other):
            common = flat & matches[other[column]]
            flat = (flat + common) & ALL | (flat - common)
        clear_matches(matches, one, n_one)
        return popcount(~flat & low_bits(n_one))
    for column in range(n_other):
        carries[column] = 0
    for start in range(0, n_one, 64):
        if is_set(cancelled):
            return length
        n = min(64, n_one - start)
        flat = ALL
        set_matches(matches, from_u32(one, start), n)
        for column in range(n_other):
            common = flat & matches[other[column]]
            total = (flat + common) & ALL
            carry = total < flat
            total = (total + carries[column]) & ALL
            carries[column] = carry | (total < carries[column])
            flat = total | (flat - common)
        clear_matches(matches, from_u32(one, start), n)
        length += popcount(~flat & low_bits(n))
    return length


def count_lcs(
    ids: cython.const[u32][::1],
    text_tokens: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    cancelled: cython.const[u8][::1],  # uint8[1], not 0 once the result is of no use any more
):
    """ROUGE-L of a chunk, one LCS over the whole text: see ``lcs_length``, and for the arguments ``ngrams.py``."""
    longest: i64 = longest_stretch(text_tokens, ids.shape[0])
    check_pairs(predictions, references, text_tokens)
    check_ids(ids, n_ids)
    check_cancelled(cancelled)
    counted = np.zeros((predictions.shape[0], 3), np.int64)
    out: i64[:, ::1] = counted
    room = Room()
    matches: p_u64 = cython.cast(p_u64, room.zeros(n_ids, 8))
    carries: p_u8 = cython.cast(p_u8, room.zeros(longest, 1))
    first_id: pc_u32 = cython.address(ids[0])
    going: pc_u8 = cython.address(cancelled[0])
    pair: i64
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            if is_set(going):
                break
            pred, ref = text_tokens[predictions[pair]], text_tokens[references[pair]]
            n_pred = text_tokens[predictions[pair] + 1] - pred
            n_ref = text_tokens[references[pair] + 1] - ref
            out[pair, 0] = length_of_lcs(first_id + pred, n_pred, first_id + ref, n_ref, matches, carries, going)
            out[pair, 1], out[pair, 2] = n_pred, n_ref
    return counted


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pairwise_lcs(
    ids: pc_u32,
    sentence_tokens: pc_i64,
    pred_from: i64,
    pred_to: i64,
    ref_from: i64,
    ref_to: i64,
    matches: p_u64,
    carries: p_u8,
    cancelled: pc_u8,
    out: p_i64,
) -> cython.void:
    """Every LCS of two sentences of one pair added up."""
    out[0] = 0
    for sentence in range(ref_from, ref_to):
        ref, n_ref = sentence_tokens[sentence], sentence_tokens[sentence + 1] - sentence_tokens[sentence]
        for other in range(pred_from, pred_to):
            if is_set(cancelled):
                return
            pred, n_pred = sentence_tokens[other], sentence_tokens[other + 1] - sentence_tokens[other]
            out[0] += length_of_lcs(from_u32(ids, pred), n_pred, from_u32(ids, ref), n_ref, matches, carries, cancelled)
    out[1] = sentence_tokens[pred_to] - sentence_tokens[pred_from]
    out[2] = sentence_tokens[ref_to] - sentence_tokens[ref_from]


def count_pairwise_lcs(
    ids: cython.const[u32][::1],
    sentence_tokens: cython.const[i64][::1],
    text_sentences: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    cancelled: cython.const[u8][::1],
):
    """Every LCS of two sentences added up: see ``tool_lcs.pairwise_lcs``; arguments as ``count_union_lcs``."""
    longest: i64 = longest_stretch(sentence_tokens, ids.shape[0])
    longest_stretch(text_sentences, sentence_tokens.shape[0] - 1)
    check_pairs(predictions, references, text_sentences)
    check_ids(ids, n_ids)
    check_cancelled(cancelled)
    counted = np.zeros((predictions.shape[0], 3), np.int64)
    out: i64[:, ::1] = counted
    room = Room()
    matches: p_u64 = cython.cast(p_u64, room.zeros(n_ids, 8))
    carries: p_u8 = cython.cast(p_u8, room.zeros(longest, 1))
    pair: i64
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            pairwise_lcs(
                cython.address(ids[0]),
                cython.address(sentence_tokens[0]),
                text_sentences[predictions[pair]],
                text_sentences[predictions[pair] + 1],
                text_sentences[references[pair]],
                text_sentences[references[pair] + 1],
                matches,
                carries,
                cython.address(cancelled[0]),
                cython.address(out[pair, 0]),
            )
    return counted


UnionRoom = cython.struct(
    matches=p_u64,  # by id; 0 between pairs, as left
    left=p_i32,  # by id: how often it can be hit
    marks=p_u64,  # bits of the reference sentence at hand
    columns=p_u64,  # of each prediction token its matches, and the cells that match or rise
    rises=p_u64,
    carries=p_u8,  # into each column, by strip, for the two sentences at hand
)


@cython.cfunc
def union_room(room: Room, n_ids: i64, longest: i64, n_carries: i64) -> UnionRoom:
    """Arrays for sentences of so many tokens."""
    arrays: UnionRoom
    arrays.matches = cython.cast(p_u64, room.zeros(n_ids, 8))
    arrays.left = cython.cast(p_i32, room.zeros(n_ids, 4))
    arrays.marks = cython.cast(p_u64, room.zeros(longest // 64 + 1, 8))
    arrays.columns = cython.cast(p_u64, room.zeros(2 * longest + 2, 8))
    arrays.rises = cython.cast(p_u64, room.zeros(longest + 1, 8))
    arrays.carries = cython.cast(p_u8, room.zeros(n_carries, 1))
    return arrays


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def distinct_of(ids: pc_u32, start: i64, end: i64, seen: p_i32) -> i64:
    """Distinct ids of a stretch; ``seen`` is 0 before and after."""
    n: i64 = 0
    for place in range(start, end):
        n += seen[ids[place]] == 0
        seen[ids[place]] = 1
    for place in range(start, end):
        seen[ids[place]] = 0
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_in_strips(
    sentence: pc_u32,
    n: i64,
    columns: pc_u32,
    n_columns: i64,
    matches: p_u64,
    carries: p_u8,
    rises: p_u64,
    marks: p_u64,
    cancelled: pc_u8,
) -> cython.void:
    """``lcs_positions`` for a reference sentence of more than 64 tokens.

    Forth through all strips, keeping the carries; then back from the last, computing each strip's columns again.
    """
    n_strips: i64 = (n + 63) // 64
    strip: i64
    total: u64
    carry: u8
    for column in range(n_columns):
        carries[column] = 0
    for strip in range(n_strips - 1):
        if is_set(cancelled):
            return
        flat = ALL
        set_matches(matches, from_u32(sentence, 64 * strip), 64)
        for column in range(n_columns):
            common = flat & matches[columns[column]]
            given = carries[strip * n_columns + column]
            total = (flat + common) & ALL
            carry = total < flat
            total = (total + given) & ALL
            carries[(strip + 1) * n_columns + column] = carry | (total < given)
            flat = total | (flat - common)
        clear_matches(matches, from_u32(sentence, 64 * strip), 64)
    column = n_columns - 1
    for strip in range(n_strips - 1, -1, -1):
        if is_set(cancelled):
            return
        begin = 64 * strip
        height = min(64, n - begin)
        flat = ALL
        set_matches(matches, from_u32(sentence, begin), height)
        for each in range(column + 1):
            common = flat & matches[columns[each]]
            flat = (flat + common + carries[strip * n_columns + each]) & ALL | (flat - common)
            rises[each] = ~flat & ALL
        while column >= 0:
            here = matches[columns[column]]
            height = width((rises[column] | here) & low_bits(height))
            if height == 0:
                break  # on to the strip below, in the same column
            bit = cython.cast(u64, 1) << (height - 1)
            if here & bit:
                marks[strip] |= bit
                height -= 1
            column -= 1
        clear_matches(matches, from_u32(sentence, begin), min(64, n - begin))
        if column < 0:
            return


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def union_lcs(
    ids: pc_u32,
    sentence_tokens: pc_i64,
    pred_from: i64,
    pred_to: i64,
    ref_from: i64,
    ref_to: i64,
    distinct: flag,
    room: UnionRoom,
    cancelled: pc_u8,
    out: p_i64,
) -> cython.void:
    """Union ROUGE-L of one pair: of the sentences from pred_from to pred_to, and from ref_from to ref_to."""
    matches: p_u64 = room.matches
    left: p_i32 = room.left
    marks: p_u64 = room.marks
    columns: p_u64 = room.columns
    pred: i64 = sentence_tokens[pred_from]
    pred_end: i64 = sentence_tokens[pred_to]
    ref: i64 = sentence_tokens[ref_from]
    ref_end: i64 = sentence_tokens[ref_to]
    hits: i64 = 0
    sentence: i64 = ref_from
    place: i64
    n_columns: i64
    hit: i32
    token: u32
    one: u64 = 1
    marked: u64
    flat: u64
    here: u64
    lane: u64
    allowed: u64
    top: u64
    match: u64
    out[1] = pred_end - pred
    out[2] = ref_end - ref
    if distinct:
        out[1] = distinct_of(ids, pred, pred_end, left)
        out[2] = distinct_of(ids, ref, ref_end, left)
        for place in range(pred, pred_end):
            left[ids[place]] = 1
    elif pred_to - pred_from == 1 and ref_to - ref_from == 1:
        out[0] = length_of_lcs(
            from_u32(ids, pred), pred_end - pred, from_u32(ids, ref), ref_end - ref, matches, room.carries, cancelled
        )
        return
    else:
        for place in range(pred, pred_end):
            left[ids[place]] += 1
    while sentence < ref_to and not is_set(cancelled):
        start, end = sentence_tokens[sentence], sentence_tokens[sentence + 1]
        if end - start > 64:
            for place in range((end - start + 63) // 64):
                marks[place] = 0
            for other in range(pred_from, pred_to):
                mark_in_strips(
                    from_u32(ids, start),
                    end - start,
                    from_u32(ids, sentence_tokens[other]),
                    sentence_tokens[other + 1] - sentence_tokens[other],
                    matches,
                    room.carries,
                    room.rises,
                    marks,
                    cancelled,
                )
            for place in range(end - start):
                token = ids[start + place]
                hit = (marks[place >> 6] >> (place & 63) & 1) & (left[token] > 0)
                left[token] -= hit
                hits += hit
            sentence += 1
            continue

        # As many sentences as there is room for lie side by side in one word.
        first = sentence
        starts = 1
        while sentence + 1 < ref_to and sentence_tokens[sentence + 2] - start <= 64:
            sentence += 1
            if sentence_tokens[sentence] < sentence_tokens[sentence + 1]:  # an empty one may begin behind the word
                starts |= one << (sentence_tokens[sentence] - start)
        end = sentence_tokens[sentence + 1]
        sentence += 1
        if start == end:
            continue
        set_matches(matches, from_u32(ids, start), end - start)
        tops = starts >> 1 | one << (end - start - 1)  # last token of each sentence
        marked = 0
        for other in range(pred_from, pred_to):
            n_columns = 0
            flat = ALL
            before = 0
            for place in range(sentence_tokens[other], sentence_tokens[other + 1]):
                # Forth: one column for a run of tokens that match nothing. The sum of the lower bits can't carry out
                # of a sentence; its highest bit is added without.
                here = matches[ids[place]]
                common = flat & here
                total = ((flat & ~tops) + (common & ~tops)) ^ ((flat ^ common) & tops)
                flat = total | (flat & ~here)
                columns[2 * n_columns] = here
                columns[2 * n_columns + 1] = here | ~flat
                n_columns += (here | before) != 0
                before = here
            # Back: in each sentence up the column to the next cell that is a match or rises.
            for each in range(first, sentence):
                if sentence_tokens[each] == sentence_tokens[each + 1]:
                    continue
                lane = low_bits(sentence_tokens[each + 1] - sentence_tokens[each]) << (sentence_tokens[each] - start)
                allowed = lane
                for column in range(n_columns - 1, -1, -1):
                    cells = columns[2 * column + 1] & allowed
                    if cells == 0:
                        break
                    top = one << (width(cells) - 1)
                    match = top & columns[2 * column]
                    marked |= match
                    allowed = lane & ((top - 1) | (top ^ match))
        for place in range(end - start):
            token = ids[start + place]
            hit = (marked >> place & 1) & (left[token] > 0)
            left[token] -= hit
            hits += hit
            matches[token] = 0
    out[0] = hits
    for place in range(pred, pred_end):
        left[ids[place]] = 0


@cython.cfunc
@cython.exceptval(-1)
def carries_of_pairs(
    sentence_tokens: cython.const[i64][::1],
    text_sentences: cython.const[i64][::1],
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    distinct: flag,
) -> i64:
    """Carries of the two sentences of a pair that have most: one for each token of the one and strip of the other."""
    most: i64 = 1
    pair: i64
    for pair in range(predictions.shape[0]):
        pred, ref = predictions[pair], references[pair]
        widest = longest_between(sentence_tokens, text_sentences[pred], text_sentences[pred + 1])
        highest = longest_between(sentence_tokens, text_sentences[ref], text_sentences[ref + 1])
        n_pred = text_sentences[pred + 1] - text_sentences[pred]
        n_ref = text_sentences[ref + 1] - text_sentences[ref]
        if n_pred == 1 and n_ref == 1 and not distinct:
            most = max(most, widest, highest)  # of these it is one LCS
        elif highest > 64:
            most = max(most, (highest // 64 + 1) * widest)
    return most


@cython.cfunc
@cython.exceptval(check=False)
def longest_between(offsets: cython.const[i64][::1], first: i64, behind: i64) -> i64:
    """Length of the longest of some stretches."""
    longest: i64 = 0
    for place in range(first, behind):
        longest = max(longest, offsets[place + 1] - offsets[place])
    return longest


def count_union_lcs(
    ids: cython.const[u32][::1],
    sentence_tokens: cython.const[i64][::1],  # int64[n_sentences + 1], offsets of the sentences in ids
    text_sentences: cython.const[i64][::1],  # int64[n_texts + 1], offsets of the texts in the sentences
    predictions: cython.const[i64][::1],
    references: cython.const[i64][::1],
    n_ids: cython.longlong,
    distinct: cython.bint,
    cancelled: cython.const[u8][::1],
):
    """Union ROUGE-L of a chunk: see ``union_lcs_hits`` and ``lcs_positions``.

    With ``distinct`` it is ``tool_lcs.type_union_lcs``, for predictions and references given the other way round.
    """
    longest: i64 = longest_stretch(sentence_tokens, ids.shape[0])
    longest_stretch(text_sentences, sentence_tokens.shape[0] - 1)
    check_pairs(predictions, references, text_sentences)
    check_ids(ids, n_ids)
    check_cancelled(cancelled)
    counted = np.zeros((predictions.shape[0], 3), np.int64)
    out: i64[:, ::1] = counted
    room = Room()
    n_carries: i64 = longest
    if longest > 64:
        n_carries = carries_of_pairs(sentence_tokens, text_sentences, predictions, references, distinct)
    arrays: UnionRoom = union_room(room, n_ids, longest, n_carries)
    pair: i64
    with cython.nogil:
        for pair in range(predictions.shape[0]):
            union_lcs(
                cython.address(ids[0]),
                cython.address(sentence_tokens[0]),
                text_sentences[predictions[pair]],
                text_sentences[predictions[pair] + 1],
                text_sentences[references[pair]],
                text_sentences[references[pair] + 1],
                distinct,
                arrays,
                cython.address(cancelled[0]),
                cython.address(out[pair, 0]),
            )
    return counted
