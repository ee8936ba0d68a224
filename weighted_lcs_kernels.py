"""Compiled: ROUGE-W over token ids. The twin of ``weighted_lcs.py``, equal to it to the last bit.

Chunks are given as in ``ngram_kernels.py`` and ``lcs_kernels.py``; f is a table made by Python's own
power, and sums are added in the same order as there.
"""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["count_weighted_lcs", "count_weighted_lcs_paper"]

_DIAGONAL, _UP, _LEFT = 1, 2, 3
_MOVES_BYTES = 1 << 25  # steps back are kept for about so many cells at once


@njit(cache=True, nogil=True)
def _fill_rows(ids, pred, pred_end, ref, ref_end, f, values, runs, moves, keep_moves):
    """Rows of the table for the reference tokens from ref to ref_end, over the row before in values, runs."""
    n = pred_end - pred
    for row in range(ref_end - ref):
        token = ids[ref + row]
        above_left, run_left = values[0], runs[0]  # of the row above, one column to the left
        for column in range(1, n + 1):
            above, run_above = values[column], runs[column]
            if ids[pred + column - 1] == token:
                values[column] = above_left + f[run_left + 1] - f[run_left]
                runs[column] = run_left + 1
                move = _DIAGONAL
            elif above >= values[column - 1]:
                runs[column] = 0
                move = _UP
            else:
                values[column] = values[column - 1]
                runs[column] = 0
                move = _LEFT
            if keep_moves:
                moves[row, column] = move
            above_left, run_left = above, run_above


@njit(cache=True, nogil=True)
def count_weighted_lcs_paper(ids, text_tokens, predictions, references, f):
    """ROUGE-W of the paper over whole texts: see ``weighted_lcs_paper``.

    Args:
        ids, text_tokens, predictions, references: the chunk.
        f: float64, f[k] = k ** weight for all lengths in the chunk.

    Returns:
        float64[n_pairs, 3]: weighted hits, prediction total, reference total.
    """
    out = np.zeros((len(predictions), 3), np.float64)
    longest = 0
    for text in range(len(text_tokens) - 1):
        longest = max(longest, text_tokens[text + 1] - text_tokens[text])
    values, runs = np.zeros(longest + 1, np.float64), np.zeros(longest + 1, np.int64)
    moves = np.zeros((1, 1), np.uint8)
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1]
        n = pred_end - pred
        values[: n + 1] = 0
        runs[: n + 1] = 0
        _fill_rows(ids, pred, pred_end, ref, ref_end, f, values, runs, moves, False)
        out[pair, 0], out[pair, 1], out[pair, 2] = values[n], f[n], f[ref_end - ref]
    return out


@njit(cache=True, nogil=True)
def count_weighted_lcs(ids, sentence_tokens, text_sentences, predictions, references, n_ids, f):
    """ROUGE-W as ROUGE-1.5.5 counts it: see ``weighted_lcs``.

    Returns:
        float64[n_pairs, 3]: weighted hits, prediction total, and the reference's sum of f(length),
        which the caller weights once more.
    """
    out = np.zeros((len(predictions), 3), np.float64)
    longest = 0
    for sentence in range(len(sentence_tokens) - 1):
        longest = max(longest, sentence_tokens[sentence + 1] - sentence_tokens[sentence])
    left = np.zeros(n_ids, np.int64)
    marked = np.zeros(longest + 1, np.bool_)  # one more, so that the last place has a next one
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
                _mark_path(ids, sentence_tokens[other], sentence_tokens[other + 1], ref, ref_end, f, marked)
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
    return out


@njit(cache=True, nogil=True)
def _mark_path(ids, pred, pred_end, ref, ref_end, f, marked):
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
            ids, pred, pred_end, start, start + block, f, row_values[index + 1], row_runs[index + 1], moves, False
        )
    column = n
    for index in range(n_blocks - 1, -1, -1):
        start = ref + index * block
        end = min(start + block, ref_end)
        _fill_rows(ids, pred, pred_end, start, end, f, row_values[index], row_runs[index], moves, True)
        row = end - start
        while row and column:
            move = moves[row - 1, column]
            if move == _DIAGONAL:
                marked[start - ref + row - 1] = True
            row -= move != _LEFT
            column -= move != _UP
