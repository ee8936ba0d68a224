"""From the scores of all examples to the result: a flat dict of plain Python floats."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import warn_user
from polyrouge.inputs import Inputs
from polyrouge.scoring.aggregation import bootstrap_interval, bootstrap_median, column_means
from polyrouge.scoring.pipeline import score_corpus, score_examples, score_rule
from polyrouge.scoring.scores import rounded, with_f
from polyrouge.settings.rouge_settings import RougeSettings

__all__ = ["aggregate_scores", "compute_result", "result_keys", "result_of_scores", "scale_scores"]

_PRECISION, _RECALL, _FMEASURE = 0, 1, 2


def compute_result(inputs: Inputs, settings: RougeSettings) -> dict[str, Any]:
    """Score checked inputs and aggregate them as ``settings`` say; see ``Rouge.compute``."""
    if settings.aggregate == "micro" and settings.use_aggregator:
        return result_of_scores(score_corpus(inputs, settings), settings)
    return aggregate_scores(score_examples(inputs, settings).scores, settings)


def aggregate_scores(scores: NDArray[np.float64], settings: RougeSettings) -> dict[str, Any]:
    """The result of scores that are known example by example.

    Args:
        scores: float64[n_examples, n_types, 3], as ``score_examples`` gives them.
        settings: of these scores; ``aggregate`` must not be ``"micro"``, which needs counts.

    Returns:
        What ``Rouge.compute`` does.

    Raises:
        ValueError: all examples are left out; or ``aggregate="micro"``.
    """
    if settings.aggregate == "micro" and settings.use_aggregator:
        msg = "aggregate='micro' adds up the counts of all examples, which are not known here: use compute()."
        raise ValueError(msg)
    if not settings.use_aggregator:
        scaled = scale_scores(scores, settings)
        result: dict[str, Any] = {
            key: scaled[:, column, measure].tolist() for key, column, measure in _columns(settings)
        }
        if settings.weights is not None:
            for suffix, measure in _suffixes(settings.output):
                terms = scaled[..., measure] * np.array(settings.weights)
                result[f"weighted{suffix}"] = functools.reduce(np.add, terms.T).tolist()
        return result
    scores = _without_skipped(scores)
    low = high = None
    if settings.aggregate == "bootstrap_median":
        low, middle, high = bootstrap_median(scores, settings.confidence, settings.n_resamples)
    else:
        if settings.round_each is not None:  # what is rounded, and so scaled, is what is averaged
            scores, settings = scale_scores(scores, settings), settings.replace(scale=1.0, round_each=None)
        middle = _means(scores, settings)
        if settings.confidence is not None:
            flat = scores.reshape(len(scores), -1)
            bounds = bootstrap_interval(flat, settings.confidence, settings.n_resamples, settings.seed)
            low, high = (bound.reshape(middle.shape) for bound in bounds)
    if settings.confidence is None:
        low = high = None
    return result_of_scores(middle, settings, low, high)


def scale_scores(scores: NDArray[np.float64], settings: RougeSettings) -> NDArray[np.float64]:
    """Each score on the scale that is asked for, rounded if that is asked for."""
    scaled = scores * settings.scale
    return scaled if settings.round_each is None else rounded(scaled, settings.round_each)


def _means(scores: NDArray[np.float64], settings: RougeSettings) -> NDArray[np.float64]:
    """float64[n_types, 3]: the mean over the examples, of its kind."""
    flat = scores.reshape(len(scores), -1)
    if settings.aggregate == "running_mean":
        return (np.add.accumulate(flat)[-1] / len(flat)).reshape(scores.shape[1:])
    if settings.aggregate == "numpy_mean":
        return np.array([np.mean(column) for column in np.ascontiguousarray(flat.T)]).reshape(scores.shape[1:])
    if settings.aggregate == "f_of_means":
        ratios = column_means(np.ascontiguousarray(scores[..., :2]).reshape(len(scores), -1))
        return with_f(ratios.reshape(-1, 2), score_rule(settings))
    means = np.full(scores.shape[1:], np.nan)
    for _, measure in _suffixes(settings.output):  # only those that are shown
        means[:, measure] = column_means(scores[..., measure])
    return means


def result_of_scores(
    middle: NDArray[np.float64],
    settings: RougeSettings,
    low: NDArray[np.float64] | None = None,
    high: NDArray[np.float64] | None = None,
) -> dict[str, float]:
    """The flat dict of float64[n_types, 3], and of bounds if there are any."""
    digits = settings.round_result

    def shown(value: float) -> float:
        value = float(value) * settings.scale
        return value if digits is None else round(value, digits)

    result = {}
    for key, column, measure in _columns(settings):
        result[key] = shown(middle[column, measure])
        if low is not None and high is not None:
            result[f"{key}_low"] = shown(low[column, measure])
            result[f"{key}_high"] = shown(high[column, measure])
    if settings.weights is not None:
        for suffix, measure in _suffixes(settings.output):
            terms = [weight * value for weight, value in zip(settings.weights, middle[:, measure], strict=True)]
            result[f"weighted{suffix}"] = shown(functools.reduce(operator.add, terms))
    return result


def _without_skipped(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores that count in the mean; warns of how many don't."""
    skipped = np.isnan(scores[:, 0, _FMEASURE])
    n_skipped = int(skipped.sum())
    if n_skipped == len(skipped):
        msg = f"empty='skip' leaves out all {n_skipped} examples: none has tokens on both sides."
        raise ValueError(msg)
    if n_skipped:
        warn_user(f"empty='skip' left {n_skipped} of {len(skipped)} examples without tokens out of the mean.")
        return scores[~skipped]
    return scores


def _suffixes(output: str) -> list[tuple[str, int]]:
    """What is added to a type's name, with the measure behind each key."""
    if output == "fmeasure":
        return [("", _FMEASURE)]
    return [("", _FMEASURE), ("_precision", _PRECISION), ("_recall", _RECALL)]


def result_keys(name: str, output: str) -> list[tuple[str, int]]:
    """Keys of one type in the result, with the place of the measure behind each in the last axis of scores."""
    return [(f"{name}{suffix}", measure) for suffix, measure in _suffixes(output)]


def _columns(settings: RougeSettings) -> list[tuple[str, int, int]]:
    """The keys of the result, with the column and the measure of each."""
    return [
        (key, column, measure)
        for column, name in enumerate(settings.rouge_types)
        for key, measure in result_keys(name, settings.output)
    ]
