"""Counts to precision, recall and F as Python's floats: the twin of ``scoring.scores.scores_of_pair``."""

import cython

if not cython.compiled:
    from polyrouge.counting.compiled.kernels.bits import *


@cython.cclass
class FRule:
    """How F is made of precision and recall.

    Args:
        beta: the weight of recall.
        alpha: the other way to weight F; below 0 for none.
        epsilon: added below F's fraction line.
    """

    square: f64
    alpha: f64
    epsilon: f64

    def __init__(self, beta: cython.double, alpha: cython.double, epsilon: cython.double):
        self.square, self.alpha, self.epsilon = beta * beta, alpha, epsilon

    def triples(self, counts: tuple):
        """Precision, recall and F of each type, of the counts of one pair as ``PairCounter.count`` gives them."""
        triples: list = []
        place: i64
        scores: f64[3]
        n: i64 = len(counts) // 3 - 1  # three more are no type's
        for place in range(n):
            scores_of(self, counts[3 * place], counts[3 * place + 1], counts[3 * place + 2], scores)
            triples.append((scores[0], scores[1], scores[2]))
        return triples

    def columns(self, counts: cython.const[f64][:, :, ::1]):
        """For each type three lists: precision, recall and F of each pair; counts as of ``count_many``."""
        columns: list = []
        precisions: list
        recalls: list
        f_measures: list
        column: i64
        pair: i64
        scores: f64[3]
        if counts.shape[2] != 3:
            raise ValueError("counts are hits and two totals")
        for column in range(counts.shape[1]):
            precisions, recalls, f_measures = [], [], []
            for pair in range(counts.shape[0]):
                scores_of(self, counts[pair, column, 0], counts[pair, column, 1], counts[pair, column, 2], scores)
                precisions.append(scores[0])
                recalls.append(scores[1])
                f_measures.append(scores[2])
            columns += [precisions, recalls, f_measures]
        return columns


@cython.cfunc
@cython.exceptval(check=False)
def scores_of(rule: FRule, hits: f64, total: f64, other: f64, scores: p_f64) -> cython.void:
    """Precision, recall and F, each by the operations of ``scores_of_pair`` in their order."""
    precision: f64 = 0
    recall: f64 = 0
    above: f64
    below: f64
    if hits != 0 and total != 0:
        precision = hits / total
    if hits != 0 and other != 0:
        recall = hits / other
    if rule.alpha >= 0:
        above = precision * recall
        below = (1 - rule.alpha) * precision + rule.alpha * recall
    else:
        above = (1 + rule.square) * precision * recall
        below = recall + rule.square * precision
    if rule.epsilon != 0:
        below += rule.epsilon
    scores[0], scores[1], scores[2] = precision, recall, above / below if below != 0 else 0
