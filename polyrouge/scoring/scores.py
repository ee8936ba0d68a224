"""Turn counts into precision, recall and F-measure, the last axis of all scores; combine several references."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.counts import Counts
from polyrouge.settings.rules import ReferenceRule, ScoreRule

_Numbers = TypeVar("_Numbers", float, NDArray[np.float64])
# Quirks that round; only numpy arrays have them.
NUMPY_ONLY = frozenset(("percent_ratios", "rounded_ratios", "float32"))


def _f_fraction(precision: _Numbers, recall: _Numbers, rule: ScoreRule) -> tuple[_Numbers, _Numbers]:
    """Return numerator and denominator of F = (1 + beta^2) P R / (R + beta^2 P), Lin (2004), equation 4."""
    if rule.alpha is not None:  # as ROUGE-1.5.5 has it: alpha is 1 / (1 + beta^2)
        numerator = precision * recall
        denominator = (1 - rule.alpha) * precision + rule.alpha * recall
    else:
        square = rule.beta * rule.beta
        numerator = (1 + square) * precision * recall
        denominator = recall + square * precision
    if rule.epsilon:
        denominator = denominator + rule.epsilon
    return numerator, denominator


def f_measure(precision: NDArray[np.float64], recall: NDArray[np.float64], rule: ScoreRule) -> NDArray[np.float64]:
    """Return F, 0 where P and R are 0, as in ROUGE-1.5.5 (line 1214) and rouge_score."""
    numerator, denominator = _f_fraction(precision, recall, rule)
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator != 0)


def point_scale(settings: Any) -> float:
    """Return the ``scale`` by which scores are points of 100; some tools' are that without one."""
    return 1.0 if "percent_ratios" in settings.tool.quirks else 100.0


def scores_from_counts(counts: NDArray[np.float64], rule: ScoreRule) -> NDArray[np.float64]:
    """Score hits, prediction total and reference total: float64[..., n_types, 3] to the same; 0 where a total is 0."""
    hits, totals = counts[..., :1], counts[..., 1:]  # the totals of py-rouge, tokens - n + 1, may be below 0
    ratios = np.divide(hits, totals, out=np.zeros_like(totals), where=(totals != 0) & (hits != 0))
    for column, power in enumerate(rule.inverse_powers):
        if power is not None:
            ratios[..., column, :] = _powers(ratios[..., column, :], power)
    if "percent_ratios" in rule.quirks:
        ratios *= 100
    if "rounded_ratios" in rule.quirks:
        ratios = rounded(ratios, 5)
    return with_f(ratios, rule)


def f_of_pair(precision: float, recall: float, rule: ScoreRule) -> float:
    """Return ``f_measure`` of two numbers, for which numpy is slow."""
    numerator, denominator = _f_fraction(precision, recall, rule)
    return numerator / denominator if denominator else 0.0


def with_f(ratios: NDArray[np.float64], rule: ScoreRule) -> NDArray[np.float64]:
    """Put F after precision and recall: float64[..., 2] to float64[..., 3]."""
    f = f_measure(ratios[..., 0], ratios[..., 1], rule)
    if "rounded_ratios" in rule.quirks:
        f = rounded(f, 5)
    scores = np.concatenate([ratios, f[..., np.newaxis]], axis=-1)
    return scores.astype(np.float32).astype(np.float64) if "float32" in rule.quirks else scores


def rounded(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """Round each value correctly, as Python's ``round`` and C's ``printf`` do and ``numpy.round`` does not."""
    # If the scaled value is not near the middle between two integers, the integer is right although scaling rounds, and
    # dividing two exact numbers rounds once, as reading the decimal number does.
    scale = 10.0**digits
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = values * scale
        integers = np.rint(scaled)
        result = integers / scale
        is_sure = (np.abs(scaled) < 2.0**30) & (np.abs(scaled - integers) < 0.5 - 2.0**-20)
    if not 0 <= digits <= 22:  # the scale is not exact
        is_sure[...] = False
    result[~is_sure] = [round(value, digits) for value in values[~is_sure].tolist()]
    return result


def f_of_means(means: NDArray[np.float64], rule: ScoreRule, scale: float = 1.0) -> NDArray[np.float64]:
    """Replace the mean F by the F of mean P and mean R, float64[..., 3 n_types]; the means are times ``scale``."""
    if rule.epsilon and scale != 1:
        rule = rule._replace(epsilon=rule.epsilon * scale)
    by_type = means.reshape(*means.shape[:-1], -1, 3)
    return with_f(by_type[..., :2], rule).reshape(means.shape)


def _powers(values: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Raise to a power by Python's pow, because numpy's differs in the last digit between processors."""
    return np.array([value**power for value in values.ravel().tolist()]).reshape(values.shape)


def recall_ranks(
    pairs: Counts, scores: NDArray[np.float64], rule: ScoreRule, kinds: Sequence[str]
) -> NDArray[np.float64]:
    """Return the recall that ``"best_recall"`` compares, float64[n_pairs, n_types]; ROUGE-1.5.5 has its own."""
    ranks = scores[..., 1].copy()
    if not {"rouge155_choice", "py_rouge_choice"} & set(rule.quirks):
        return ranks
    for column, kind in enumerate(kinds):
        hits, base = pairs.counts[:, column, 0], pairs.counts[:, column, 2]
        power = rule.inverse_powers[column]
        if kind == "weighted_lcs" and power is not None:
            base = _powers(base, power) if pairs.weighted_bases is None else pairs.weighted_bases
        elif kind != "lcs":  # the tools round all others first
            continue
        ratios = np.divide(hits, base, out=np.zeros_like(hits), where=base > 0)
        ranks[:, column] = ratios if power is None else _powers(ratios, power)
    return ranks


def combine_references(
    pairs: Counts, reference_rule: ReferenceRule, score_rule: ScoreRule
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the score of each sample and type, float64[n_samples, n_types, 3], and its best reference, without axis 2.

    The best reference is -1 where the rule combines several; samples that ``empty="skip"`` leaves out have NaN and -1.
    """
    rule, empty = reference_rule.multi_reference, reference_rule.empty
    n_samples = len(pairs.offsets) - 1
    if rule in ("best", "best_recall") and empty == "zero" and len(pairs.counts) == n_samples:
        scores = scores_from_counts(pairs.counts, score_rule)  # one reference each, the usual case: it is the best
        return scores, np.zeros(scores.shape[:2], np.int64)
    sizes = np.diff(pairs.offsets)
    slots = np.arange(sizes.max())
    used = slots < sizes[:, np.newaxis]  # bool[n_samples, most references]
    rows = np.where(used, pairs.offsets[:-1, np.newaxis] + slots, 0)
    if empty.startswith("skip"):
        used &= ~(pairs.prediction_empty | pairs.reference_empty)[rows]
    both_empty = (pairs.prediction_empty & pairs.reference_empty)[rows] & used
    n_used = used.sum(axis=1)

    if rule == "pooled":  # as ROUGE-1.5.5 -f A
        pooled = np.where(used[:, :, np.newaxis, np.newaxis], pairs.counts[rows], 0.0).sum(axis=1)
        scores, best = scores_from_counts(pooled, score_rule), None
        if empty == "one_if_both":
            scores[(both_empty.sum(axis=1) == n_used) & (n_used > 0)] = 1.0
    else:
        all_pair_scores = scores_from_counts(pairs.counts, score_rule)
        pair_scores = all_pair_scores[rows]  # [n_samples, most references, n_types, 3]
        ranks = pair_scores[..., 2]
        if rule == "best_recall":
            ranks = recall_ranks(pairs, all_pair_scores, score_rule, reference_rule.kinds)[rows]
        if empty == "one_if_both":
            pair_scores[both_empty] = 1.0
            ranks[both_empty] = 1.0
        if rule == "mean":  # of precision, recall and F separately
            total = np.where(used[:, :, np.newaxis, np.newaxis], pair_scores, 0.0).sum(axis=1)
            scores, best = total / np.maximum(n_used, 1)[:, np.newaxis, np.newaxis], None
        elif rule == "jackknife":
            scores, best = _jackknife(pair_scores, used, n_used), None
        elif rule == "best_each":
            ratios = np.where(used[:, :, np.newaxis, np.newaxis], pair_scores[..., :2], 0.0).max(axis=1)
            scores, best = with_f(ratios, score_rule), None
        else:
            scores, best = _pick(pair_scores, used, np.zeros_like(ranks) if rule == "first" else ranks)
    if best is None:  # a sample with one reference has its score
        best = np.where(sizes[:, np.newaxis] == 1, 0, np.full(scores.shape[:2], -1))
    scores[n_used == 0], best[n_used == 0] = np.nan, -1
    return scores, best


def _pick(
    pair_scores: NDArray[np.float64], used: NDArray[np.bool_], ranks: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the scores of the used reference with the highest rank (the first of equal ones), and its index."""
    ranked = np.where(used[:, :, np.newaxis], ranks, -np.inf)
    best = ranked.argmax(axis=1)
    return np.take_along_axis(pair_scores, best[:, np.newaxis, :, np.newaxis], axis=1)[:, 0], best


def _jackknife(
    pair_scores: NDArray[np.float64], used: NDArray[np.bool_], n_used: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean over the best scores against all references but one: Lin (2004), section 2.1."""
    # Of the n sets without one reference, n - 1 have the best reference; the last has the second best.
    scores, best = _pick(pair_scores, used, pair_scores[..., 2])
    n = n_used[:, np.newaxis]
    for column in range(pair_scores.shape[2]):  # the best reference differs from type to type
        other_references = used & (np.arange(used.shape[1]) != best[:, column, np.newaxis])
        column_scores = pair_scores[:, :, column : column + 1]
        second, _ = _pick(column_scores, other_references, column_scores[..., 2])
        jackknifed = ((n - 1) * scores[:, column] + second[:, 0]) / np.maximum(n, 1)
        scores[:, column] = np.where(n > 1, jackknifed, scores[:, column])
    return scores
