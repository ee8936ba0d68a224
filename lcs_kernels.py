"""Compiled: ROUGE-L and union ROUGE-L over token ids. The twins of ``lcs.py``.

The same columns of bits as there, but in words of 64: a strip is 64 reference tokens wide, and runs
over the whole prediction before the next begins, handing up one carry bit a column. So the match
bits of only 64 tokens are needed at once, and memory is linear in the texts.

Chunks are given as in ``ngram_kernels.py``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .bit_intrinsics import bit_length, count_bits

__all__ = ["count_lcs", "count_pairwise_lcs", "count_union_lcs"]

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)


@njit(cache=True, nogil=True, inline="always")
def _set_matches(matches, tokens):
    """Bit i of matches[token]: the token is at place i."""
    for place in range(len(tokens)):
        matches[tokens[place]] |= _ONE << np.uint64(place)


@njit(cache=True, nogil=True, inline="always")
def _clear_matches(matches, tokens):
    for token in tokens:
        matches[token] = np.uint64(0)


@njit(cache=True, nogil=True, inline="always")
def _low_bits(n):
    """The lowest n bits set, n from 0 to 64."""
    return _ALL if n >= 64 else (_ONE << np.uint64(n)) - _ONE


@njit(cache=True, nogil=True, inline="always")
def _lcs_length(ids, one, one_end, other, other_end, matches, carries):
    """LCS length of two stretches of ids; ``carries`` has room for the longer."""
    if one_end - one > other_end - other:  # strips over the shorter side
        one, one_end, other, other_end = other, other_end, one, one_end
    length = 0
    columns = ids[other:other_end]
    if one_end - one <= 64:
        flat = _ALL
        strip = ids[one:one_end]
        _set_matches(matches, strip)
        for token in columns:
            common = flat & matches[token]
            flat = (flat + common) | (flat - common)
        _clear_matches(matches, strip)
        return count_bits(~flat & _low_bits(one_end - one))
    carries[: len(columns)] = 0
    for start in range(one, one_end, 64):
        strip = ids[start : min(start + 64, one_end)]
        flat = _ALL
        _set_matches(matches, strip)
        for column in range(len(columns)):
            common = flat & matches[columns[column]]
            total = flat + common
            carry = np.uint64(total < flat)
            total += np.uint64(carries[column])
            carries[column] = carry | np.uint64(total < np.uint64(carries[column]))
            flat = total | (flat - common)
        _clear_matches(matches, strip)
        length += count_bits(~flat & _low_bits(len(strip)))
    return length


@njit(cache=True, nogil=True)
def count_lcs(ids, text_tokens, predictions, references, n_ids):
    """ROUGE-L, one LCS over the whole text: see ``lcs_length``."""
    out = np.zeros((len(predictions), 3), np.int64)
    longest = 0
    for text in range(len(text_tokens) - 1):
        longest = max(longest, text_tokens[text + 1] - text_tokens[text])
    matches = np.zeros(n_ids, np.uint64)
    carries = np.zeros(longest, np.uint8)
    _count_lcs(ids, text_tokens, predictions, references, matches, carries, out)
    return out


@njit(cache=True, nogil=True, _nrt=False)
def _count_lcs(ids, text_tokens, predictions, references, matches, carries, out):
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1]
        out[pair, 0] = _lcs_length(ids, pred, pred_end, ref, ref_end, matches, carries)
        out[pair, 1], out[pair, 2] = pred_end - pred, ref_end - ref


@njit(cache=True, nogil=True)
def count_union_lcs(ids, sentence_tokens, text_sentences, predictions, references, n_ids, distinct):
    """Union ROUGE-L, that is rougeLsum: see ``union_lcs_hits`` and ``lcs_positions``.

    With ``distinct`` it is ``tool_lcs.type_union_lcs``, for predictions and references given the other
    way round: the hits are the distinct tokens in the unions, the totals those of the texts.

    Args:
        ids: uint32[n_tokens].
        sentence_tokens: int64[n_sentences + 1], offsets of the sentences in ids.
        text_sentences: int64[n_texts + 1], offsets of the texts in the sentences.
        predictions, references: int64[n_pairs], the texts of each pair.
        n_ids: ids are below this.
        distinct: count distinct tokens.
    """
    out = np.zeros((len(predictions), 3), np.int64)
    longest = 0
    for sentence in range(len(sentence_tokens) - 1):
        longest = max(longest, sentence_tokens[sentence + 1] - sentence_tokens[sentence])
    matches = np.zeros(n_ids, np.uint64)
    left = np.zeros(n_ids, np.int32)
    union = np.zeros(longest // 64 + 1, np.uint64)
    rises = np.empty(longest, np.uint64)
    columns = np.empty((longest, 2), np.uint64)  # matches, and cells that match or rise
    carries = np.empty((len(union), longest), np.uint8)  # carry into each column, by strip
    chunk = (ids, sentence_tokens, text_sentences, predictions, references)
    _count_union_lcs(chunk, distinct, (matches, left, union, rises, columns, carries), out)
    return out


@njit(cache=True, nogil=True, _nrt=False)
def _count_union_lcs(chunk, distinct, room, out):
    ids, sentence_tokens, text_sentences, predictions, references = chunk
    matches, left, union, rises, columns, carries = room
    for pair in range(len(predictions)):
        pred_from, pred_to = text_sentences[predictions[pair]], text_sentences[predictions[pair] + 1]
        ref_from, ref_to = text_sentences[references[pair]], text_sentences[references[pair] + 1]
        pred, pred_end = sentence_tokens[pred_from], sentence_tokens[pred_to]
        ref, ref_end = sentence_tokens[ref_from], sentence_tokens[ref_to]
        out[pair, 1], out[pair, 2] = pred_end - pred, ref_end - ref
        if distinct:
            out[pair, 1] = _count_distinct(ids, pred, pred_end, left)
            out[pair, 2] = _count_distinct(ids, ref, ref_end, left)
            for token in ids[pred:pred_end]:
                left[token] = 1
        elif pred_to - pred_from == 1 and ref_to - ref_from == 1:
            out[pair, 0] = _lcs_length(ids, pred, pred_end, ref, ref_end, matches, carries[0])
            continue
        else:
            for token in ids[pred:pred_end]:
                left[token] += 1
        hits = 0
        sentence = ref_from
        while sentence < ref_to:
            start, end = sentence_tokens[sentence], sentence_tokens[sentence + 1]
            if end - start > 64:
                n_strips = (end - start + 63) // 64
                union[:n_strips] = 0
                for other in range(pred_from, pred_to):
                    _mark_in_strips(
                        *(ids, start, end, sentence_tokens[other], sentence_tokens[other + 1]),
                        *(matches, carries, rises, union),
                    )
                for place in range(start, end):
                    is_marked = union[(place - start) >> 6] >> np.uint64((place - start) & 63) & _ONE
                    hit = np.int32(is_marked != np.uint64(0)) & np.int32(left[ids[place]] > 0)
                    left[ids[place]] -= hit
                    hits += hit
                sentence += 1
                continue

            # As many sentences as there is room for lie side by side in one word.
            first = sentence
            starts = _ONE
            while sentence + 1 < ref_to and sentence_tokens[sentence + 2] - start <= 64:
                sentence += 1
                starts |= _ONE << np.uint64(sentence_tokens[sentence] - start)
            end = sentence_tokens[sentence + 1]
            strip = ids[start:end]
            _set_matches(matches, strip)
            sentence += 1
            tops = starts >> _ONE | _ONE << np.uint64(end - start - 1)  # last token of each sentence
            marked = np.uint64(0)
            for other in range(pred_from, pred_to):
                n_columns = np.uint64(0)
                flat = _ALL
                before = np.uint64(0)
                for token in ids[sentence_tokens[other] : sentence_tokens[other + 1]]:
                    # Forth: one column for a run of tokens that match nothing, as in ``lcs.py``. The
                    # sum of the lower bits can't carry out of a sentence; its highest bit is added without.
                    here = matches[token]
                    common = flat & here
                    total = ((flat & ~tops) + (common & ~tops)) ^ ((flat ^ common) & tops)
                    flat = total | (flat & ~here)
                    columns[n_columns, 0], columns[n_columns, 1] = here, here | ~flat
                    n_columns += np.uint64((here | before) != np.uint64(0))
                    before = here
                # Back: in each sentence up the column to the next cell that is a match or rises.
                for each in range(first, sentence):
                    low = np.uint64(sentence_tokens[each] - start)
                    lane = _low_bits(sentence_tokens[each + 1] - sentence_tokens[each]) << low
                    allowed = lane
                    for back in range(n_columns):
                        column = n_columns - _ONE - back
                        cells = columns[column, 1] & allowed
                        if cells == np.uint64(0):
                            break
                        top = _ONE << np.uint64(bit_length(cells) - 1)
                        match = top & columns[column, 0]
                        marked |= match
                        allowed = lane & ((top - _ONE) | (top ^ match))
            for place in range(len(strip)):
                token = strip[place]
                hit = np.int32(marked >> np.uint64(place) & _ONE) & np.int32(left[token] > 0)
                left[token] -= hit
                hits += hit
                matches[token] = np.uint64(0)
        out[pair, 0] = hits
        for token in ids[pred:pred_end]:
            left[token] = 0


@njit(cache=True, nogil=True, inline="always")
def _count_distinct(ids, start, end, seen):
    """Distinct ids of a stretch; ``seen`` is 0 before and after."""
    n = 0
    for place in range(start, end):
        n += seen[ids[place]] == 0
        seen[ids[place]] = 1
    for place in range(start, end):
        seen[ids[place]] = 0
    return n


@njit(cache=True, nogil=True)
def count_pairwise_lcs(ids, sentence_tokens, text_sentences, predictions, references, n_ids):
    """Every LCS of two sentences added up: see ``tool_lcs.pairwise_lcs``; arguments as ``count_union_lcs``."""
    out = np.zeros((len(predictions), 3), np.int64)
    longest = 0
    for sentence in range(len(sentence_tokens) - 1):
        longest = max(longest, sentence_tokens[sentence + 1] - sentence_tokens[sentence])
    matches = np.zeros(n_ids, np.uint64)
    carries = np.zeros(longest, np.uint8)
    _count_pairwise_lcs(ids, sentence_tokens, text_sentences, predictions, references, matches, carries, out)
    return out


@njit(cache=True, nogil=True, _nrt=False)
def _count_pairwise_lcs(ids, sentence_tokens, text_sentences, predictions, references, matches, carries, out):
    for pair in range(len(predictions)):
        pred_from, pred_to = text_sentences[predictions[pair]], text_sentences[predictions[pair] + 1]
        ref_from, ref_to = text_sentences[references[pair]], text_sentences[references[pair] + 1]
        for sentence in range(ref_from, ref_to):
            start, end = sentence_tokens[sentence], sentence_tokens[sentence + 1]
            for other in range(pred_from, pred_to):
                first, behind = sentence_tokens[other], sentence_tokens[other + 1]
                out[pair, 0] += _lcs_length(ids, first, behind, start, end, matches, carries)
        out[pair, 1] = sentence_tokens[pred_to] - sentence_tokens[pred_from]
        out[pair, 2] = sentence_tokens[ref_to] - sentence_tokens[ref_from]


@njit(cache=True, nogil=True, _nrt=False)
def _mark_in_strips(ids, start, end, first, behind, matches, carries, rises, union):
    """``lcs_positions`` for a reference sentence of more than 64 tokens.

    Forth through all strips, keeping the carries; then back from the last strip, computing the
    columns of each again.
    """
    n_columns = behind - first
    n_strips = (end - start + 63) // 64
    columns = ids[first:behind]
    carries[0, :n_columns] = 0
    for strip in range(n_strips - 1):
        strip_start = start + 64 * strip
        flat = _ALL
        _set_matches(matches, ids[strip_start : strip_start + 64])
        for column in range(n_columns):
            common = flat & matches[columns[column]]
            total = flat + common
            carry = total < flat
            total += np.uint64(carries[strip, column])
            carries[strip + 1, column] = carry | (total < np.uint64(carries[strip, column]))
            flat = total | (flat - common)
        _clear_matches(matches, ids[strip_start : strip_start + 64])
    column = n_columns - 1
    for strip in range(n_strips - 1, -1, -1):
        strip_start = start + 64 * strip
        strip_end = min(strip_start + 64, end)
        flat = _ALL
        _set_matches(matches, ids[strip_start:strip_end])
        for each in range(column + 1):
            common = flat & matches[columns[each]]
            flat = (flat + common + np.uint64(carries[strip, each])) | (flat - common)
            rises[each] = ~flat
        height = strip_end - strip_start
        while column >= 0:
            here = matches[columns[column]]
            height = bit_length((rises[column] | here) & _low_bits(height))
            if height == 0:
                break  # on to the strip below, in the same column
            bit = _ONE << np.uint64(height - 1)
            if here & bit:
                union[strip] |= bit
                height -= 1
            column -= 1
        _clear_matches(matches, ids[strip_start:strip_end])
        if column < 0:
            return
