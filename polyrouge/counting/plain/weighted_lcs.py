"""Count ROUGE-W plainly: weighted longest common subsequences (Lin 2004, section 4).

f(k) = k ** weight rewards consecutive matches; a score is f's inverse of a ratio of weighted counts, so hits and totals
are weighted values (floats).
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain

from polyrouge.counting.plain.lcs import Sentences


def length_weights(longest: int, weight: float) -> list[float]:
    """Return f(0) ... f(longest) for f(k) = k ** weight."""
    return [float(k) ** weight for k in range(longest + 1)]


def weighted_base(reference: Sentences, weight: float) -> float:
    """Return the sum of f(length) over the sentences: ROUGE-1.5.5's reference total before f is applied again."""
    base = 0.0
    for sentence in reference:  # not by sum(), which rounds otherwise from Python 3.12 on
        base += float(len(sentence)) ** weight
    return base


def weighted_lcs_paper(
    prediction: Sequence[Hashable], reference: Sequence[Hashable], weight: float
) -> tuple[float, float, float]:
    """Return WLCS(X, Y), f(n) and f(m) as in Lin (2004), section 4, over the two texts as flat sequences."""
    f = length_weights(max(len(prediction), len(reference)), weight)
    _, value = _walk_table(prediction, reference, f, sums_runs=True)
    return value, f[len(prediction)], f[len(reference)]


def weighted_lcs(
    prediction: Sentences, reference: Sentences, weight: float, *, clip: tuple[Counter, Counter] | None = None
) -> tuple[float, float, float]:
    """Return weighted hits and totals as in ROUGE-1.5.5 (ROUGE-1.5.5.pl, lines 1495-1626 and 2387-2521).

    For each reference sentence, the positions on the weighted LCS with any prediction sentence form runs, and each run
    scores f(run). A position is a hit only while the prediction has an unmatched occurrence of its token; a refused
    position neither ends nor scores a run. The reference total is weighted twice: f of the sum of f(length). ``clip``
    is as for ``union_lcs_hits``; the prediction total is then that of its first.
    """
    n_reference = sum(map(len, reference))
    pred_remaining, ref_remaining = map(Counter, clip or map(chain.from_iterable, (prediction, reference)))
    n_prediction = pred_remaining.total()
    f = length_weights(max(n_prediction, n_reference, *map(len, prediction)), weight)
    hits = 0.0
    reference_total = 0.0
    for ref_sentence in reference:
        marked = [False] * len(ref_sentence)
        for pred_sentence in prediction:
            moves, _ = _walk_table(pred_sentence, ref_sentence, f, sums_runs=False)
            for position, _ in _path(moves, len(pred_sentence)):
                marked[position] = True
        run = 0
        for position, token in enumerate(ref_sentence):
            if marked[position] and pred_remaining[token] > 0 and ref_remaining[token] > 0:
                pred_remaining[token] -= 1
                ref_remaining[token] -= 1
                run += 1
                if position + 1 == len(ref_sentence) or not marked[position + 1]:
                    hits += f[run]
                    run = 0
        reference_total += f[len(ref_sentence)]
    return hits, f[n_prediction], reference_total**weight


def weighted_lcs_pairs(
    reference: Sequence[Hashable], prediction: Sequence[Hashable], weight: float, *, sums_runs: bool
) -> list[tuple[int, int]]:
    """Return the weighted LCS of the counts as (reference position, prediction position), in order."""
    f = length_weights(max(len(prediction), len(reference)), weight)
    moves, _ = _walk_table(prediction, reference, f, sums_runs=sums_runs)
    return _path(moves, len(prediction))


_DIAGONAL, _UP, _LEFT = 1, 2, 3


def _walk_table(
    prediction: Sequence[Hashable], reference: Sequence[Hashable], f: list[float], *, sums_runs: bool
) -> tuple[list[bytearray], float]:
    """Fill the table of weighted LCS values; return the backward step from each cell, and the last value.

    A match extends the run that ends at the diagonal cell from k to k + 1 and is worth f(k + 1) - f(k). Otherwise the
    larger neighbour's value is taken, on a tie the upper one (reference token dropped), and the run is 0.

    ROUGE-1.5.5 adds the differences in that order, and their rounding decides ties. With ``sums_runs`` a value is
    the sum of f(run) over its runs: the same number, except that a run of all n tokens is worth f(n) to the last bit.
    """
    n = len(prediction)
    values, runs, starts = [0.0] * (n + 1), [0] * (n + 1), [0.0] * (n + 1)  # starts: the value before the run, if any
    moves = []
    for ref_token in reference:
        above, above_runs, above_starts = values, runs, starts
        values, runs, starts = [0.0] * (n + 1), [0] * (n + 1), [0.0] * (n + 1)
        row = bytearray(n + 1)
        for column, pred_token in enumerate(prediction, start=1):
            if ref_token == pred_token:
                run, start = above_runs[column - 1], above_starts[column - 1]
                values[column] = start + f[run + 1] if sums_runs else above[column - 1] + f[run + 1] - f[run]
                runs[column], starts[column] = run + 1, start
                row[column] = _DIAGONAL
            elif above[column] >= values[column - 1]:
                values[column] = starts[column] = above[column]
                row[column] = _UP
            else:
                values[column] = starts[column] = values[column - 1]
                row[column] = _LEFT
        moves.append(row)
    return moves, values[n]


def _path(moves: list[bytearray], column: int) -> list[tuple[int, int]]:
    """Return (reference position, prediction position) of the matches on the path back from the corner, in order."""
    pairs = []
    row = len(moves)
    while row and column:
        move = moves[row - 1][column]
        if move == _DIAGONAL:
            row -= 1
            column -= 1
            pairs.append((row, column))
        elif move == _UP:
            row -= 1
        else:
            column -= 1
    return pairs[::-1]
