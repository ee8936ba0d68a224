"""Counts of pairs of Python's strings in one call, and their precision, recall and F as Python's floats.

A pair that is long, needs preparation or looks odd is left to the caller.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_kind(
    kind: i64, distinct: flag, pair: TextPair, grams: NgramRoom | None, lcs: LcsRoom | None, out: p_i64
) -> cython.void:
    """Count one pair by one kind of ``codes.py``, or ROUGE-N of n = kind; ``out`` takes hits and both totals."""
    if kind == 1:
        unigrams(pair.pred, pair.ref, distinct, grams.counts, out)
    elif kind > 1:
        if kind > 2 or distinct or not bigrams(pair.pred, pair.ref, grams.square, out):
            ngrams(pair.pred, pair.ref, kind, distinct, grams, out)
    elif kind == LCS:
        out[0], out[1], out[2] = length_of_lcs(pair.pred, pair.ref, lcs, 0), pair.pred.n, pair.ref.n
    elif kind == PAIRWISE_LCS:
        pairwise_lcs(pair.pred_sentences, pair.ref_sentences, lcs, out)
    elif kind == UNION_LCS:
        union_lcs(pair.pred_sentences, pair.ref_sentences, False, lcs, out)
    else:
        union_lcs(pair.ref_sentences, pair.pred_sentences, True, lcs, out)
        out[1], out[2] = out[2], out[1]


@cython.cclass
class FRule:
    """How F is made of precision and recall; ``alpha`` is below 0 for none, ``epsilon`` added below the line.

    All three are rounded to ``digits``, if that is not below 0.
    """

    square: f64
    alpha: f64
    epsilon: f64
    digits: i64
    scale: f64

    def __init__(self, beta: cython.double, alpha: cython.double, epsilon: cython.double, digits: cython.longlong = -1):
        self.square, self.alpha, self.epsilon, self.digits = beta * beta, alpha, epsilon, digits
        self.scale = 10.0**digits

    def columns_of_few(self, counted: list):
        """``columns`` of some pairs' counts, each as ``TextCounter.count`` gives them."""
        scores: f64[3]
        counts: tuple = counted[0]
        n_values: i64 = len(counts) - 3  # three more are no type's
        columns: list = [[] for _ in range(n_values)]
        for counts in counted:
            for place in range(0, n_values, 3):
                scores_of(self, counts[place], counts[place + 1], counts[place + 2], scores)
                for measure in range(3):
                    cython.cast(list, columns[place + measure]).append(scores[measure])
        return columns

    def triples(self, counts: tuple):
        """Precision, recall and F of each type, of the counts of one pair as ``TextCounter.count`` gives them."""
        triples: list = []
        scores: f64[3]
        n: i64 = len(counts) // 3 - 1  # three more are no type's
        for place in range(n):
            scores_of(self, counts[3 * place], counts[3 * place + 1], counts[3 * place + 2], scores)
            triples.append((scores[0], scores[1], scores[2]))
        return triples

    def columns(self, counts: cython.const[f64][:, :, ::1]):
        """For each type three lists: precision, recall and F of each pair; counts as of ``count_read``."""
        columns: list = []
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
def rounded_to(value: f64, rule: FRule) -> f64:
    """A score as Python's ``round`` rounds it; see ``rounded`` of ``scoring/scores.py``."""
    scaled: f64 = value * rule.scale
    whole: f64 = (scaled + NO_FRACTIONS) - NO_FRACTIONS
    if -0.4999 < scaled - whole < 0.4999 and scaled < 1e9:
        return whole / rule.scale
    return round(value, rule.digits)


@cython.cfunc
@cython.exceptval(check=False)
def scores_of(rule: FRule, hits: f64, total: f64, other: f64, scores: p_f64) -> cython.void:
    """Precision, recall and F, each by the operations of ``scores_from_counts`` in their order."""
    precision: f64 = 0
    recall: f64 = 0
    if hits != 0 and total != 0:
        precision = hits / total
    if hits != 0 and other != 0:
        recall = hits / other
    if rule.digits >= 0:
        precision, recall = rounded_to(precision, rule), rounded_to(recall, rule)
    if rule.alpha >= 0:
        above = precision * recall
        below = (1 - rule.alpha) * precision + rule.alpha * recall
    else:
        above = (1 + rule.square) * precision * recall
        below = recall + rule.square * precision
    if rule.epsilon != 0:
        below += rule.epsilon
    f: f64 = above / below if below != 0 else 0
    if rule.digits >= 0:
        f = rounded_to(f, rule)
    scores[0], scores[1], scores[2] = precision, recall, f
