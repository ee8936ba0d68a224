"""Compiled: ROUGE-W over token ids. The twin of ``weighted_lcs.py``, equal to it to the last bit.

Chunks are given as in ``ngram_kernels.py`` and ``lcs_kernels.py``; f is a table made by Python's own
power, and sums are added in the same order as there.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.kernel import (
    CANCELLED,
    CHUNK,
    OFFSETS,
    SENTENCES,
    helper,
    helper_with_arrays,
    inlined,
    kernel,
    together,
)
from polyrouge.counting.compiled.kernels.rooms import longest_stretch

_DIAGONAL, _UP, _LEFT = 1, 2, 3
_SHORT = 256  # tokens in a sentence, mostly fewer
_MOVES_BYTES = 1 << 25  # steps back are kept for about so many cells at once


@helper
def _fill_rows(ids, pred, pred_end, ref, ref_end, f, values, runs, moves, keep_moves, held, stamp, cancelled):
    """Rows of the table for the reference tokens from ref to ref_end, over the row before in values, runs.

    ``held[token] == stamp`` says that a token is among the prediction's, from pred to pred_end.
    """
    n = pred_end - pred
    is_rising = False  # whether no value of the row above is below the one to its left
    for row in range(ref_end - ref):
        if cancelled[0]:
            return
        token = ids[ref + row]
        if is_rising and held[token] != stamp:  # no match: the values are those of the row above
            runs[: n + 1] = 0
            if keep_moves:
                moves[row, : n + 1] = _UP
            continue
        above_left, run_left = values[0], runs[0]  # of the row above, one column to the left
        value = values[0]
        is_rising = True
        for column in range(1, n + 1):
            above, run_above = values[column], runs[column]
            if ids[pred + column - 1] == token:
                before = value
                value = above_left + f[run_left + 1] - f[run_left]
                is_rising &= value >= before
                runs[column] = run_left + 1
                move = _DIAGONAL
            else:
                move = _LEFT if value > above else _UP
                value = value if value > above else above
                runs[column] = 0
            values[column] = value
            if keep_moves:
                moves[row, column] = move
            above_left, run_left = above, run_above


@inlined
def _hold(held, stamp, ids, start, end):
    for place in range(start, end):
        held[ids[place]] = stamp


def count_weighted_lcs_paper(ids, text_tokens, predictions, references, n_ids, f, cancelled):
    """ROUGE-W of the paper over whole texts: see ``weighted_lcs_paper``.

    Args:
        ids, text_tokens, predictions, references: the chunk.
        n_ids: ids are below this.
        f: float64, f[k] = k ** weight for all lengths in the chunk.
        cancelled: uint8[1], not 0 once the result is of no use any more.

    Returns:
        float64[n_pairs, 3]: weighted hits, prediction total, reference total.
    """
    out = np.zeros((len(predictions), 3), np.float64)
    longest = longest_stretch(text_tokens)
    values, runs = np.zeros(longest + 1, np.float64), np.zeros(longest + 1, np.int32)
    moves = np.zeros((1, 1), np.uint8)
    held = np.full(n_ids, -1, np.int64)
    _count_weighted_paper(ids, text_tokens, predictions, references, f, values, runs, moves, held, cancelled, out)
    return out


@kernel(*CHUNK, "float64[::1]", "float64[::1]", "int32[::1]", "uint8[:, ::1]", OFFSETS, CANCELLED, "float64[:, ::1]")
def _count_weighted_paper(ids, text_tokens, predictions, references, f, values, runs, moves, held, cancelled, out):
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1]
        n = pred_end - pred
        values[: n + 1] = 0
        runs[: n + 1] = 0
        _hold(held, pair, ids, pred, pred_end)
        _fill_rows(ids, pred, pred_end, ref, ref_end, f, values, runs, moves, False, held, pair, cancelled)
        out[pair, 0], out[pair, 1], out[pair, 2] = values[n], f[n], f[ref_end - ref]


def count_weighted_lcs(ids, sentence_tokens, text_sentences, predictions, references, n_ids, f, cancelled):
    """ROUGE-W as ROUGE-1.5.5 counts it: see ``weighted_lcs``.

    Returns:
        float64[n_pairs, 3]: weighted hits, prediction total, and the reference's sum of f(length),
        which the caller weights once more.
    """
    out = np.zeros((len(predictions), 3), np.float64)
    longest = longest_stretch(sentence_tokens)
    left = np.zeros(n_ids, np.int64)
    held = np.full(n_ids, -1, np.int64)
    marked = np.zeros(longest + 1, np.bool_)  # one more, so that the last place has a next one
    short = min(longest, _SHORT)
    moves = np.empty((short, short + 1), np.uint8)
    values, runs = np.empty(short + 1, np.float64), np.empty(short + 1, np.int32)
    chunk = (ids, sentence_tokens, text_sentences, predictions, references)
    _count_weighted(chunk, f, (left, held, marked, moves, values, runs), cancelled, out)
    return out


_ROOM = (OFFSETS, OFFSETS, "boolean[::1]", "uint8[:, ::1]", "float64[::1]", "int32[::1]")


@kernel(
    *(together(*SENTENCES), "float64[::1]", together(*_ROOM), CANCELLED, "float64[:, ::1]"),
    makes_arrays=True,  # for long sentences
)
def _count_weighted(chunk, f, room, cancelled, out):
    ids, sentence_tokens, text_sentences, predictions, references = chunk
    left, held, marked, moves, values, runs = room
    stamp = 0
    for pair in range(len(predictions)):
        pred_from, pred_to = text_sentences[predictions[pair]], text_sentences[predictions[pair] + 1]
        ref_from, ref_to = text_sentences[references[pair]], text_sentences[references[pair] + 1]
        pred, pred_end = sentence_tokens[pred_from], sentence_tokens[pred_to]
        for place in range(pred, pred_end):
            left[ids[place]] += 1
        hits = 0.0
        base = 0.0
        for sentence in range(ref_from, ref_to):
            ref, ref_end = sentence_tokens[sentence], sentence_tokens[sentence + 1]
            marked[: ref_end - ref + 1] = False
            for other in range(pred_from, pred_to):
                start, end = sentence_tokens[other], sentence_tokens[other + 1]
                stamp += 1
                _hold(held, stamp, ids, start, end)
                if max(end - start, ref_end - ref) > _SHORT:
                    _mark_path(ids, start, end, ref, ref_end, f, marked, held, stamp, cancelled)
                    continue
                values[: end - start + 1] = 0
                runs[: end - start + 1] = 0
                _fill_rows(ids, start, end, ref, ref_end, f, values, runs, moves, True, held, stamp, cancelled)
                _walk_back(moves, end - start, 0, ref_end - ref, marked)
            run = 0
            for place in range(ref, ref_end):
                if marked[place - ref] and left[ids[place]] > 0:
                    left[ids[place]] -= 1
                    run += 1
                    if not marked[place - ref + 1]:
                        hits += f[run]
                        run = 0
            base += f[ref_end - ref]
        out[pair, 0], out[pair, 1], out[pair, 2] = hits, f[pred_end - pred], base
        for place in range(pred, pred_end):
            left[ids[place]] = 0


@helper_with_arrays
def _mark_path(ids, pred, pred_end, ref, ref_end, f, marked, held, stamp, cancelled):
    """Mark the reference places at which the path back from the last cell takes a match.

    Steps back are kept for a block of rows. Where one block does not hold the table, the row before
    each is kept, and the blocks are filled again, from the last one up.
    """
    n, m = pred_end - pred, ref_end - ref
    block = max(1, min(m, _MOVES_BYTES // (n + 1)))
    n_blocks = (m + block - 1) // block
    moves = np.empty((block, n + 1), np.uint8)
    row_values, row_runs = np.zeros((n_blocks + 1, n + 1), np.float64), np.zeros((n_blocks + 1, n + 1), np.int32)
    for index in range(n_blocks - 1):
        row_values[index + 1] = row_values[index]
        row_runs[index + 1] = row_runs[index]
        start = ref + index * block
        _fill_rows(
            *(ids, pred, pred_end, start, start + block, f, row_values[index + 1], row_runs[index + 1], moves),
            *(False, held, stamp, cancelled),
        )
    column = n
    for index in range(n_blocks - 1, -1, -1):
        start = ref + index * block
        end = min(start + block, ref_end)
        _fill_rows(
            *(ids, pred, pred_end, start, end, f, row_values[index], row_runs[index], moves),
            *(True, held, stamp, cancelled),
        )
        column = _walk_back(moves, column, start - ref, end - start, marked)


@helper
def _walk_back(moves, column, first, row, marked):
    """Walk from a column of a row of moves up and left, marking matches from ``marked[first]`` on; the last column."""
    while row and column:
        move = moves[row - 1, column]
        marked[first + row - 1] |= move == _DIAGONAL
        row -= move != _LEFT
        column -= move != _UP
    return column
