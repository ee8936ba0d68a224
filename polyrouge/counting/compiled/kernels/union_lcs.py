"""Compiled: union ROUGE-L over token ids, that is rougeLsum. The twin of ``lcs.py``.

Several short reference sentences share one word of bits; one of more than 64 tokens goes in strips, as in
``lcs_kernels.py``. Chunks are given as in ``ngram_kernels.py``.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.instructions import bit_length
from polyrouge.counting.compiled.kernels.kernel import (
    CANCELLED,
    COUNTS,
    FLAG,
    SENTENCES,
    helper,
    inlined,
    kernel,
    together,
)
from polyrouge.counting.compiled.kernels.lcs import clear_matches, length_of_lcs, low_bits, set_matches
from polyrouge.counting.compiled.kernels.rooms import longest_stretch

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)


def count_union_lcs(ids, sentence_tokens, text_sentences, predictions, references, n_ids, distinct, cancelled):
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
        cancelled: uint8[1], not 0 once the result is of no use any more.
    """
    out = np.zeros((len(predictions), 3), np.int64)
    longest = longest_stretch(sentence_tokens)
    n_strips, n_carries = longest // 64 + 1, max(1, longest)
    if longest > 64:
        n_carries = _most_carries(sentence_tokens, text_sentences, predictions, references, distinct)
    matches = np.zeros(n_ids, np.uint64)
    left = np.zeros(n_ids, np.int32)
    union = np.zeros(n_strips, np.uint64)
    rises = np.empty(longest, np.uint64)
    columns = np.empty((longest, 2), np.uint64)  # matches, and cells that match or rise
    carries = np.empty(n_carries, np.uint8)  # carry into each column, by strip, for the two sentences at hand
    chunk = (ids, sentence_tokens, text_sentences, predictions, references)
    _count_union_lcs(chunk, distinct, (matches, left, union, rises, columns, carries), cancelled, out)
    return out


def _most_carries(sentence_tokens, text_sentences, predictions, references, distinct):
    """Carries of the two sentences of a pair that have most: one for each token of the one and strip of the other."""
    lengths = np.append(np.diff(sentence_tokens), 0)
    sizes = np.diff(text_sentences)
    longest = np.maximum.reduceat(lengths, text_sentences[:-1])  # of each text; of one without sentences any
    widest, highest = longest[predictions], longest[references]
    is_single = (sizes[predictions] == 1) & (sizes[references] == 1) & (not distinct)
    in_strips = np.where(highest > 64, (highest // 64 + 1) * widest, 1)
    return int(np.where(is_single, np.maximum(widest, highest), in_strips).max(initial=1))


_ROOM = ("uint64[::1]", "int32[::1]", "uint64[::1]", "uint64[::1]", "uint64[:, ::1]", "uint8[::1]")


@kernel(together(*SENTENCES), FLAG, together(*_ROOM), CANCELLED, COUNTS)
def _count_union_lcs(chunk, distinct, room, cancelled, out):
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
            out[pair, 0] = length_of_lcs(ids, pred, pred_end, ref, ref_end, matches, carries, cancelled)
            continue
        else:
            for token in ids[pred:pred_end]:
                left[token] += 1
        hits = 0
        sentence = ref_from
        while sentence < ref_to and not cancelled[0]:
            start, end = sentence_tokens[sentence], sentence_tokens[sentence + 1]
            if end - start > 64:
                n_strips = (end - start + 63) // 64
                union[:n_strips] = 0
                for other in range(pred_from, pred_to):
                    _mark_in_strips(
                        *(ids, start, end, sentence_tokens[other], sentence_tokens[other + 1]),
                        *(matches, carries, rises, union, cancelled),
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
            set_matches(matches, strip)
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
                    lane = low_bits(sentence_tokens[each + 1] - sentence_tokens[each]) << low
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


@inlined
def _count_distinct(ids, start, end, seen):
    """Distinct ids of a stretch; ``seen`` is 0 before and after."""
    n = 0
    for place in range(start, end):
        n += seen[ids[place]] == 0
        seen[ids[place]] = 1
    for place in range(start, end):
        seen[ids[place]] = 0
    return n


@helper
def _mark_in_strips(ids, start, end, first, behind, matches, carries, rises, union, cancelled):
    """``lcs_positions`` for a reference sentence of more than 64 tokens.

    Forth through all strips, keeping the carries; then back from the last, computing each strip's columns again.
    """
    n_columns = behind - first
    n_strips = (end - start + 63) // 64
    columns = ids[first:behind]
    carries[:n_columns] = 0
    for strip in range(n_strips - 1):
        if cancelled[0]:
            return
        strip_start = start + 64 * strip
        flat = _ALL
        set_matches(matches, ids[strip_start : strip_start + 64])
        for column in range(n_columns):
            common = flat & matches[columns[column]]
            total = flat + common
            carry = total < flat
            total += np.uint64(carries[strip * n_columns + column])
            carries[(strip + 1) * n_columns + column] = carry | (total < np.uint64(carries[strip * n_columns + column]))
            flat = total | (flat - common)
        clear_matches(matches, ids[strip_start : strip_start + 64])
    column = n_columns - 1
    for strip in range(n_strips - 1, -1, -1):
        if cancelled[0]:
            return
        strip_start = start + 64 * strip
        strip_end = min(strip_start + 64, end)
        flat = _ALL
        set_matches(matches, ids[strip_start:strip_end])
        for each in range(column + 1):
            common = flat & matches[columns[each]]
            flat = (flat + common + np.uint64(carries[strip * n_columns + each])) | (flat - common)
            rises[each] = ~flat
        height = strip_end - strip_start
        while column >= 0:
            here = matches[columns[column]]
            height = bit_length((rises[column] | here) & low_bits(height))
            if height == 0:
                break  # on to the strip below, in the same column
            bit = _ONE << np.uint64(height - 1)
            if here & bit:
                union[strip] |= bit
                height -= 1
            column -= 1
        clear_matches(matches, ids[strip_start:strip_end])
        if column < 0:
            return
