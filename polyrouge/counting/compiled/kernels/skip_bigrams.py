"""Compiled: ROUGE-S and -SU over token ids. The twin of ``skipgrams.py``.

Chunks are given as in ``ngram_kernels.py``.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.kernel import CANCELLED, CHUNK, COUNTS, INT, OFFSETS, helper, kernel
from polyrouge.counting.compiled.kernels.rooms import longest_stretch

_WIDEST = 128  # rows of the table of pairs, which has 32 KB then
_MOST_OF_ONE_PAIR = 1 << 15  # what a cell counts is below


def count_skip_bigrams_of_short(ids, text_tokens, predictions, references, gap):
    """ROUGE-S with a gap, of texts with few distinct tokens: see ``count_skip_bigrams`` below.

    Args:
        ids, text_tokens, predictions, references: the chunk.
        gap: tokens allowed in between.

    Returns:
        The counts, and bool[n_pairs]: those that are left to ``count_skip_bigrams``.
    """
    out = np.zeros((len(predictions), 3), np.int64)
    left = np.zeros(len(predictions), np.bool_)
    square = np.zeros(_WIDEST * _WIDEST, np.int16)
    _count_in_square(ids, text_tokens, predictions, references, gap, square, out, left)
    return out, left


@kernel(*CHUNK, INT, "int16[::1]", COUNTS, "boolean[::1]")
def _count_in_square(ids, text_tokens, predictions, references, gap, square, out, left):
    reach = gap + 1
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1]
        prediction, reference = ids[pred:pred_end], ids[ref:ref_end]
        highest = np.uint32(0)
        for place in range(len(prediction)):
            highest = max(highest, prediction[place])
        for place in range(len(reference)):
            highest = max(highest, reference[place])
        width = np.uint64(highest) + np.uint64(1)
        if highest >= np.uint32(_WIDEST) or min(reach, ref_end - ref) * (ref_end - ref) >= _MOST_OF_ONE_PAIR:
            left[pair] = True
            continue
        out[pair, 1], out[pair, 2] = _n_pairs(pred_end - pred, gap), _n_pairs(ref_end - ref, gap)
        # Distance by distance, so that the inner loops are long.
        for distance in range(1, min(reach, ref_end - ref - 1) + 1):
            seconds = reference[distance:]
            for place in range(len(seconds)):
                square[reference[place] * width + seconds[place]] += np.int16(1)
        hits = 0
        for distance in range(1, min(reach, pred_end - pred - 1) + 1):
            seconds = prediction[distance:]
            for place in range(len(seconds)):
                cell = prediction[place] * width + seconds[place]
                hit = np.int16(square[cell] > 0)
                square[cell] -= hit
                hits += np.int64(hit)
        out[pair, 0] = hits
        square[: np.int64(width * width)] = 0


@helper
def _n_pairs(n, gap):
    """Pairs of n tokens with at most gap others in between; any number if gap is below 0."""
    reach = n - 1 if gap < 0 else min(gap + 1, n - 1)
    return reach * (n - reach) + reach * (reach - 1) // 2 if n > 1 else 0


def count_skip_bigrams(ids, text_tokens, predictions, references, n_ids, gap, cancelled):
    """ROUGE-S: see ``count_skip_bigrams`` of skipgrams.py.

    For each first token that both texts hold, the second tokens are counted in both and compared, so
    memory is that of one row of the matrix of pairs, whatever the gap.

    Args:
        ids, text_tokens, predictions, references: the chunk.
        n_ids: ids are below this.
        gap: tokens allowed in between; below 0 any number.
        cancelled: uint8[1], not 0 once the result is of no use any more.
    """
    out = np.zeros((len(predictions), 3), np.int64)
    longest = longest_stretch(text_tokens)
    done = np.zeros(n_ids, np.bool_)
    seconds = np.zeros(n_ids, np.int64)  # how often each token follows the first one, in the reference
    following = np.empty((2, longest), np.int64)  # next place of the same token, or the end
    latest = np.full(n_ids, -1, np.int64)
    _count_by_rows(ids, text_tokens, predictions, references, gap, done, seconds, following, latest, cancelled, out)
    return out


@kernel(*CHUNK, INT, "boolean[::1]", OFFSETS, "int64[:, ::1]", OFFSETS, CANCELLED, COUNTS)
def _count_by_rows(ids, text_tokens, predictions, references, gap, done, seconds, following, latest, cancelled, out):
    for pair in range(len(predictions)):
        bounds = (
            (text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]),
            (text_tokens[references[pair]], text_tokens[references[pair] + 1]),
        )
        for side in range(2):
            out[pair, 1 + side] = _n_pairs(bounds[side][1] - bounds[side][0], gap)
        pred, pred_end = bounds[0]
        ref, ref_end = bounds[1]
        for side in range(2):
            start, end = bounds[side]
            for place in range(end - 1, start - 1, -1):
                token = ids[place]
                following[side, place - start] = latest[token] if latest[token] >= 0 else end
                latest[token] = place
            if side == 0:
                for place in range(start, end):
                    latest[ids[place]] = -1
        # ``latest`` now holds the first place of each token of the reference.
        hits = 0
        for pred_place in range(pred, pred_end):
            if cancelled[0]:
                return
            first = ids[pred_place]
            if done[first] or latest[first] < 0:
                continue
            done[first] = True
            hits += _row_hits(ids, following, latest[first], ref, ref_end, pred_place, pred, pred_end, gap, seconds)
        out[pair, 0] = hits
        for place in range(pred, pred_end):
            done[ids[place]] = False
        for place in range(ref, ref_end):
            latest[ids[place]] = -1


@helper
def _row_hits(ids, following, ref_first, ref, ref_end, pred_first, pred, pred_end, gap, seconds):
    """Hits among the pairs that begin with one token, given its first place in both texts."""
    hits = 0
    if gap < 0:
        # A second token at a place makes as many pairs as the first token occurs before it.
        times = 0
        following_place = ref_first
        for place in range(ref_first, ref_end):
            seconds[ids[place]] += times
            if place == following_place:
                times += 1
                following_place = following[1, place - ref]
        times = 0
        following_place = pred_first
        for place in range(pred_first, pred_end):
            matched = min(seconds[ids[place]], times)
            seconds[ids[place]] -= matched
            hits += matched
            if place == following_place:
                times += 1
                following_place = following[0, place - pred]
        for place in range(ref_first, ref_end):
            seconds[ids[place]] = 0
        return hits
    place = ref_first
    while place < ref_end:
        for second in range(place + 1, min(place + gap + 2, ref_end)):
            seconds[ids[second]] += 1
        place = following[1, place - ref]
    place = pred_first
    while place < pred_end:
        for second in range(place + 1, min(place + gap + 2, pred_end)):
            if seconds[ids[second]] > 0:
                seconds[ids[second]] -= 1
                hits += 1
        place = following[0, place - pred]
    place = ref_first
    while place < ref_end:
        for second in range(place + 1, min(place + gap + 2, ref_end)):
            seconds[ids[second]] = 0
        place = following[1, place - ref]
    return hits
