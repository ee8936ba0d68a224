"""From the scores of all samples to one number: means of every kind, bootstrap intervals, rouge_score's median."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import warn_user
from polyrouge.scoring.exact_sums import ExactSums
from polyrouge.scoring.intervals import bootstrap_interval, percentile_ends, warn_of_few
from polyrouge.scoring.scores import rounded, scores_from_counts, with_f
from polyrouge.settings.stages import ResultRules, ScoreRule

if TYPE_CHECKING:
    from polyrouge.scoring.poisson import ResampledSums

_FEW_ROWS = 300
_DRAWN_AT_ONCE = 200_000  # samples, of the bootstrap that is rouge_score's
_FMEASURE = 2


class Aggregate(NamedTuple):
    """One number a type and measure, float64[n_types, 3], and maybe its interval."""

    middle: NDArray[np.float64]  # NaN for measures that were not asked for
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    is_scaled: bool = False  # it was made of scores that were scaled, and rounded, one by one


def aggregate_scores(
    scores: NDArray[np.float64],
    rules: ResultRules,
    totals: ExactSums | None = None,
    keys: NDArray[np.uint64] | None = None,
) -> Aggregate:
    """The aggregate of float64[n_samples, n_types, 3], not scaled; NaN for a sample that is left out.

    Raises:
        ValueError: all samples are left out; ``"micro"`` without the ``totals`` of all counts, or ``"poisson"`` without
            the ``keys`` of the samples.
    """
    if rules.aggregate == "micro":
        if totals is None:
            raise ValueError(
                "aggregate='micro' adds up the counts of all samples, which are not known here: use compute()."
            )
        return Aggregate(scores_from_counts(totals.values(), rules.score_rule))
    if needs_keys(rules) and keys is None:
        raise ValueError(
            "interval='poisson' draws by the references, which are not known here: use interval='percentile'."
        )
    scores, keys = _without_skipped(scores, keys)
    if rules.confidence is not None:
        warn_of_few(len(scores))
    if rules.aggregate == "bootstrap_median":
        low, middle, high = bootstrap_median(scores, rules.confidence or 0.95, rules.n_resamples)
        return Aggregate(middle) if rules.confidence is None else Aggregate(middle, low, high)
    is_rounded = rules.round_each is not None
    if is_rounded:  # what is rounded, and so scaled, is what is averaged
        scores = scale_scores(scores, rules)
    middle = _means(scores, rules)
    if rules.confidence is None:
        return Aggregate(middle, is_scaled=is_rounded)
    flat = scores.reshape(len(scores), -1)
    if keys is not None and needs_keys(rules):
        resampled = resampled_sums(rules)
        resampled.add(flat, keys)
        return with_poisson_interval(middle, resampled, rules)
    of_means = functools.partial(f_of_means, rule=rules.score_rule) if rules.aggregate == "f_of_means" else None
    low, high = bootstrap_interval(flat, rules.confidence, rules.n_resamples, rules.seed, rules.interval, of_means)
    return Aggregate(middle, low.reshape(middle.shape), high.reshape(middle.shape), is_rounded)


def needs_keys(rules: ResultRules) -> bool:
    """Whether the interval needs the key of each sample."""
    return rules.interval == "poisson" and rules.confidence is not None and rules.use_aggregator


def resampled_sums(rules: ResultRules) -> ResampledSums:
    """Sums of no samples yet, of all scores of a sample as ``aggregate_scores`` takes their mean."""
    from polyrouge.scoring.poisson import ResampledSums  # with hashlib, which no first score waits for

    scale = 1.0 if rules.round_each is None else rules.scale
    return ResampledSums(3 * len(rules.rouge_types), rules.n_resamples, rules.seed, scale)


def with_poisson_interval(middle: NDArray[np.float64], resampled: ResampledSums, rules: ResultRules) -> Aggregate:
    """An aggregate, float64[n_types, 3], with the quantiles of what was resampled."""
    low, high = percentile_ends(poisson_means(resampled, rules), rules.confidence or 0.95)
    return Aggregate(middle, low.reshape(middle.shape), high.reshape(middle.shape), rules.round_each is not None)


def poisson_means(resampled: ResampledSums, rules: ResultRules) -> NDArray[np.float64]:
    """float64[n, 3 n_types]: the aggregate of each resample."""
    means = resampled.means()
    return f_of_means(means, rules.score_rule) if rules.aggregate == "f_of_means" else means


def f_of_means(means: NDArray[np.float64], rule: ScoreRule) -> NDArray[np.float64]:
    """Put F of mean precision and mean recall in place of mean F; float64[..., 3 n_types] to the same shape."""
    by_type = means.reshape(*means.shape[:-1], -1, 3)
    return with_f(by_type[..., :2], rule).reshape(means.shape)


def scale_scores(scores: NDArray[np.float64], rules: ResultRules) -> NDArray[np.float64]:
    """Each score on the scale that is asked for, rounded if that is asked for."""
    scaled = scores * rules.scale
    return scaled if rules.round_each is None else rounded(scaled, rules.round_each)


def _means(scores: NDArray[np.float64], rules: ResultRules) -> NDArray[np.float64]:
    """float64[n_types, 3]: the mean over the samples, of its kind."""
    flat = scores.reshape(len(scores), -1)
    if rules.aggregate == "running_mean":
        return (np.add.accumulate(flat)[-1] / len(flat)).reshape(scores.shape[1:])
    if rules.aggregate == "numpy_mean":
        return np.array([np.mean(column) for column in np.ascontiguousarray(flat.T)]).reshape(scores.shape[1:])
    if rules.aggregate == "f_of_means":
        return f_of_means(column_means(flat), rules.score_rule).reshape(scores.shape[1:])
    means = np.full(scores.shape[1:], np.nan)
    for measure in (_FMEASURE,) if rules.output == "fmeasure" else range(3):  # only those that are shown
        means[:, measure] = column_means(scores[..., measure])
    return means


def _without_skipped(
    scores: NDArray[np.float64], keys: NDArray[np.uint64] | None
) -> tuple[NDArray[np.float64], NDArray[np.uint64] | None]:
    """The scores that count in the mean, and their keys; warns of how many don't."""
    skipped = are_skipped(scores)
    tell_of_skipped(int(skipped.sum()), len(skipped))
    if not skipped.any():
        return scores, keys
    return scores[~skipped], None if keys is None else keys[~skipped]


def are_skipped(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """bool[n_samples]: which samples ``empty="skip"`` leaves out."""
    return np.isnan(scores[:, 0, _FMEASURE])


def tell_of_skipped(n_skipped: int, n_samples: int) -> None:
    """Warn of samples that ``empty="skip"`` leaves out.

    Raises:
        ValueError: all are left out.
    """
    if n_skipped == n_samples:
        raise ValueError(f"empty='skip' leaves out all {n_skipped} samples: none has tokens on both sides.")
    if n_skipped:
        warn_user(f"empty='skip' left {n_skipped} of {n_samples} samples without tokens out of the mean.")


def column_means(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of each column of float64[n, k]. The sum is exact before its one rounding: no order of rows moves it."""
    if len(columns) <= _FEW_ROWS:
        return np.array([math.fsum(column) for column in columns.T.tolist()]) / len(columns)
    sums = ExactSums(columns.shape[1:])  # four times as quick
    sums.add(columns)
    return sums.values() / len(columns)


def bootstrap_median(columns: NDArray[np.float64], confidence: float, n_resamples: int) -> NDArray[np.float64]:
    """Low, median and high, float64[3, n_types, 3], of rouge_score 0.1.2 (scoring.py, BootstrapAggregator), bit by bit.

    Its "mid" is the median of the bootstrap means and not the mean, and its draws come from
    numpy's global generator: with the same state of ``numpy.random`` both give the same, and
    without a seed every run gives another number. Offered for comparison only.
    """
    n = len(columns)
    delta = (1 - confidence) / 2
    percents = 100 * np.array([delta, 0.5, 1 - delta])
    results = []
    for column in range(columns.shape[1]):  # each type is resampled anew, as there
        matrix = np.ascontiguousarray(columns[:, column])
        means = np.empty((n_resamples, matrix.shape[1]))
        step = max(1, _DRAWN_AT_ONCE // n)  # several resamples at once draw and add up in the same order
        for start in range(0, n_resamples, step):
            size = (min(step, n_resamples - start), n)
            means[start : start + step] = matrix[np.random.choice(n, size=size)].mean(axis=1)  # noqa: NPY002 the point
        results.append(np.percentile(means, percents, axis=0))
    return np.stack(results, axis=1)
