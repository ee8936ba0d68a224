"""From counts to precision, recall and F-measure, and from several references to one score.

Everything here is numpy over columns; no text is seen. Scores are float64 arrays whose last axis
is (precision, recall, F-measure).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["PairCounts", "combine_references", "f_measure", "scores_from_counts"]


@dataclass(frozen=True)
class PairCounts:
    """Sufficient statistics of a batch of examples; every (prediction, reference) pair is a row.

    Attributes:
        counts: float64[n_pairs, n_types, 3]: hits, prediction total, reference total.
        offsets: int64[n_examples + 1]: pairs offsets[i] ... offsets[i + 1] - 1 are those of
            example i, one for each of its references.
        prediction_empty: bool[n_pairs]: the prediction has no tokens.
        reference_empty: bool[n_pairs]: the reference has no tokens.
    """

    counts: NDArray[np.float64]
    offsets: NDArray[np.int64]
    prediction_empty: NDArray[np.bool_]
    reference_empty: NDArray[np.bool_]


def f_measure(precision: NDArray[np.float64], recall: NDArray[np.float64], beta: float = 1.0) -> NDArray[np.float64]:
    """F = (1 + beta^2) P R / (R + beta^2 P), Lin (2004), equation 4; in [0, 1].

    0 where P and R are 0, as in ROUGE-1.5.5 (line 1214) and rouge_score. ROUGE-1.5.5's alpha is
    1 / (1 + beta^2).
    """
    square = beta * beta
    numerator = (1 + square) * precision * recall
    denominator = recall + square * precision
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def scores_from_counts(
    counts: NDArray[np.float64], beta: float, inverse_powers: Sequence[float | None]
) -> NDArray[np.float64]:
    """Precision = hits / prediction total, recall = hits / reference total, and their F.

    Args:
        counts: float64[..., n_types, 3]: hits, prediction total, reference total.
        beta: weight of recall in F.
        inverse_powers: for each type None, or the exponent of the inverse of rougeW's f.

    Returns:
        float64[..., n_types, 3]; 0 where a total is 0.
    """
    hits, totals = counts[..., :1], counts[..., 1:]
    ratios = np.divide(hits, totals, out=np.zeros_like(totals), where=totals > 0)
    for column, power in enumerate(inverse_powers):
        if power is not None:
            # By Python's own pow: numpy's differs in the last digit from one processor to another.
            flat = [value**power for value in ratios[..., column, :].ravel().tolist()]
            ratios[..., column, :] = np.array(flat).reshape(ratios[..., column, :].shape)
    f = f_measure(ratios[..., 0], ratios[..., 1], beta)
    return np.concatenate([ratios, f[..., np.newaxis]], axis=-1)


def combine_references(
    pairs: PairCounts,
    rule: str,
    empty: str,
    to_scores: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return one score an example and type, whatever its number of references.

    Args:
        pairs: the counts of the pairs.
        rule: ``"best"`` (highest F, the first of several), ``"best_recall"``, ``"mean"`` (of
            precision, recall and F apart), ``"pooled"`` (scores of the summed counts, as
            ROUGE-1.5.5 ``-f A``), ``"jackknife"`` (Lin 2004, section 2.1: the mean over the best
            scores against all references but one).
        empty: ``"zero"`` leaves texts without tokens at 0; ``"one_if_both"`` makes a pair of two
            1; ``"skip"`` leaves out the pairs with one: examples without any other become NaN.
        to_scores: ``scores_from_counts`` with its settings.

    Returns:
        float64[n_examples, n_types, 3], and int64[n_examples, n_types]: the index of the reference
        that was best, -1 under a rule without one and for NaN.
    """
    sizes = np.diff(pairs.offsets)
    if empty == "zero" and len(pairs.counts) == len(sizes):  # one reference each, as mostly: nothing to combine
        scores = to_scores(pairs.counts)
        return scores, np.full(scores.shape[:2], 0 if rule in ("best", "best_recall") else -1)
    slots = np.arange(sizes.max())
    used = slots < sizes[:, np.newaxis]  # bool[n_examples, most references]
    rows = np.where(used, pairs.offsets[:-1, np.newaxis] + slots, 0)
    if empty == "skip":
        used &= ~(pairs.prediction_empty | pairs.reference_empty)[rows]
    both_empty = (pairs.prediction_empty & pairs.reference_empty)[rows] & used
    n_used = used.sum(axis=1)

    if rule == "pooled":
        scores = to_scores(np.where(used[:, :, np.newaxis, np.newaxis], pairs.counts[rows], 0.0).sum(axis=1))
        if empty == "one_if_both":
            scores[(both_empty.sum(axis=1) == n_used) & (n_used > 0)] = 1.0
        best = np.full(scores.shape[:2], -1)
    else:
        pair_scores = to_scores(pairs.counts)[rows]  # [n_examples, most references, n_types, 3]
        if empty == "one_if_both":
            pair_scores[both_empty] = 1.0
        scores, best = _RULES[rule](pair_scores, used, n_used)
    scores[n_used == 0] = np.nan
    best[n_used == 0] = -1
    return scores, best


_Combined = tuple[NDArray[np.float64], NDArray[np.int64]]


def _pick(pair_scores: NDArray[np.float64], used: NDArray[np.bool_], measure: int) -> _Combined:
    """Scores of the used reference with the highest measure, the first of several; and its index."""
    ranked = np.where(used[:, :, np.newaxis], pair_scores[..., measure], -np.inf)
    best = ranked.argmax(axis=1)
    return np.take_along_axis(pair_scores, best[:, np.newaxis, :, np.newaxis], axis=1)[:, 0], best


def _best(pair_scores: NDArray[np.float64], used: NDArray[np.bool_], _n_used: NDArray[np.int64]) -> _Combined:
    return _pick(pair_scores, used, measure=2)


def _best_recall(pair_scores: NDArray[np.float64], used: NDArray[np.bool_], _n_used: NDArray[np.int64]) -> _Combined:
    return _pick(pair_scores, used, measure=1)


def _mean(pair_scores: NDArray[np.float64], used: NDArray[np.bool_], n_used: NDArray[np.int64]) -> _Combined:
    total = np.where(used[:, :, np.newaxis, np.newaxis], pair_scores, 0.0).sum(axis=1)
    scores = total / np.maximum(n_used, 1)[:, np.newaxis, np.newaxis]
    return scores, np.full(scores.shape[:2], -1)


def _jackknife(pair_scores: NDArray[np.float64], used: NDArray[np.bool_], n_used: NDArray[np.int64]) -> _Combined:
    """Of n references, n - 1 of the sets without one hold the best; the last holds the second best."""
    best_scores, best = _pick(pair_scores, used, measure=2)
    scores = np.empty_like(best_scores)
    for column in range(pair_scores.shape[2]):  # the best reference differs from type to type
        others = used & (np.arange(used.shape[1]) != best[:, column, np.newaxis])
        second, _ = _pick(pair_scores[:, :, column : column + 1], others, measure=2)
        n = n_used[:, np.newaxis]
        several = ((n - 1) * best_scores[:, column] + second[:, 0]) / np.maximum(n, 1)
        scores[:, column] = np.where(n > 1, several, best_scores[:, column])
    return scores, np.full(scores.shape[:2], -1)


_RULES = {"best": _best, "best_recall": _best_recall, "mean": _mean, "jackknife": _jackknife}
