"""ROUGE-W, plainly: weighted longest common subsequences (Lin 2004, section 4).

f(k) = k ** weight rewards consecutive matches; a score is f's inverse of a ratio of weighted counts, so hits and totals
here are weighted values (floats).
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain

from polyrouge.counting.plain.lcs import Sentences


def length_weights(longest: int, weight: float) -> list[float]:
    """f(0) ... f(longest) for f(k) = k ** weight."""
    return [float(k) ** weight for k in range(longest + 1)]


def weighted_base(reference: Sentences, weight: float) -> float:
    """The sum of f(length) over the sentences: ROUGE-1.5.5's reference total before f is applied again."""
    base = 0.0
    for sentence in reference:  # not by sum(), which rounds otherwise from Python 3.12 on
        base += float(len(sentence)) ** weight
    return base


def weighted_lcs_paper(
    prediction: Sequence[Hashable], reference: Sequence[Hashable], weight: float
) -> tuple[float, float, float]:
    """WLCS(X, Y), f(n) and f(m) as in Lin (2004), section 4, over the two texts as flat sequences."""
    f = length_weights(max(len(prediction), len(reference)), weight)
    _, value = _walk_table(prediction, reference, f, sums_runs=True)
    return value, f[len(prediction)], f[len(reference)]


def weighted_lcs(
    prediction: Sentences, reference: Sentences, weight: float, *, clip: tuple[Counter, Counter] | None = None
) -> tuple[float, float, float]:
    """Weighted hits and totals as ROUGE-1.5.5 counts them (ROUGE-1.5.5.pl, lines 1495-1626 and 2387-2521).

    For each reference sentence the runs of the union of its positions on the weighted LCS with every sentence of the
    prediction are paid, each f(run). A position is a hit only while the prediction has an unmatched occurrence of its
    token left; one that is refused neither ends a run nor pays it out. The reference total is weighted twice: f of the
    sum of f(length). ``clip`` is as for ``union_lcs_hits``; the prediction total is then that of its first.
    """
    n_reference = sum(map(len, reference))
    left, left_of_reference = map(Counter, clip or map(chain.from_iterable, (prediction, reference)))
    n_prediction = left.total()
    f = length_weights(max(n_prediction, n_reference, *map(len, prediction)), weight)
    hits = 0.0
    reference_total = 0.0
    for sentence in reference:
        marked = [False] * len(sentence)
        for other in prediction:
            moves, _ = _walk_table(other, sentence, f, sums_runs=False)
            for place, _ in _path(moves, len(other)):
                marked[place] = True
        run = 0
        for place, token in enumerate(sentence):
            if marked[place] and left[token] > 0 and left_of_reference[token] > 0:
                left[token] -= 1
                left_of_reference[token] -= 1
                run += 1
                if place + 1 == len(sentence) or not marked[place + 1]:
                    hits += f[run]
                    run = 0
        reference_total += f[len(sentence)]
    return hits, f[n_prediction], reference_total**weight


def weighted_lcs_pairs(
    reference: Sequence[Hashable], prediction: Sequence[Hashable], weight: float, *, sums_runs: bool
) -> list[tuple[int, int]]:
    """The weighted LCS behind the counts, as (reference position, prediction position), in order."""
    f = length_weights(max(len(prediction), len(reference)), weight)
    moves, _ = _walk_table(prediction, reference, f, sums_runs=sums_runs)
    return _path(moves, len(prediction))


_DIAGONAL, _UP, _LEFT = 1, 2, 3


def _walk_table(
    prediction: Sequence[Hashable], reference: Sequence[Hashable], f: list[float], *, sums_runs: bool
) -> tuple[list[bytearray], float]:
    """Fill the table of weighted LCS values; return the step back from each cell, and the last value.

    A match extends the run that ends at the diagonal cell from k to k + 1 and is worth f(k + 1) - f(k). Otherwise the
    larger neighbour's value is taken, the one above (reference token dropped) on a tie, and the run is 0.

    ROUGE-1.5.5 adds the differences up, in that order, and their rounding decides ties. With ``sums_runs`` a value is
    the sum of f(run) over its runs: the same number, except that a run of all n tokens is worth f(n) to the last bit.
    """
    n = len(prediction)
    values, runs, starts = [0.0] * (n + 1), [0] * (n + 1), [0.0] * (n + 1)  # starts: the value before the run, if any
    moves = []
    for token in reference:
        above, above_runs, above_starts = values, runs, starts
        values, runs, starts = [0.0] * (n + 1), [0] * (n + 1), [0.0] * (n + 1)
        row = bytearray(n + 1)
        for column, other in enumerate(prediction, start=1):
            if token == other:
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
    """(reference position, prediction position) of the matches on the path back from the corner, in order."""
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
