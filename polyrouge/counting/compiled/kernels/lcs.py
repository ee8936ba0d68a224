"""ROUGE-L over token ids, and what union ROUGE-L shares with it.

Columns of bits in words of 64: a strip is 64 reference tokens wide, and runs over the whole prediction before the
next begins, handing up one carry bit a column. So the match bits of only 64 tokens are needed at once, and memory is
linear in the texts.
"""

import cython

if not cython.compiled:
    import numpy as np

    from polyrouge.counting.compiled.kernels.bits import *
    from polyrouge.counting.compiled.kernels.room import Room, check_cancelled, check_ids, check_pairs, longest_stretch


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def set_matches(matches: p_u64, tokens: pc_u32, n: i64) -> cython.void:
    """Bit i of matches[token]: the token is at place i."""
    place: i64
    for place in range(n):
        matches[tokens[place]] |= cython.cast(u64, 1) << place


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def clear_matches(matches: p_u64, tokens: pc_u32, n: i64) -> cython.void:
    """Undo ``set_matches``."""
    place: i64
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
    start: i64
    column: i64
    n: i64
    flat: u64 = ALL
    common: u64
    total: u64
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
    cancelled: cython.const[u8][::1],
):
    """ROUGE-L of a chunk, one LCS over the whole text: see ``lcs_length``.

    Args:
        ids, text_tokens, predictions, references, n_ids: see ``ngrams.py``.
        cancelled: uint8[1], not 0 once the result is of no use any more.
    """
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
    pred: i64
    ref: i64
    n_pred: i64
    n_ref: i64
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
    sentence: i64
    other: i64
    pred: i64
    ref: i64
    n_pred: i64
    n_ref: i64
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
