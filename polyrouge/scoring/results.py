"""The result: a flat dict of plain Python floats, from the scores of all samples."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.scoring.aggregation import Aggregate, aggregate_scores, scale_scores
from polyrouge.scoring.exact_sums import ExactSums
from polyrouge.settings.stages import ResultRules

_PRECISION, _RECALL, _FMEASURE = 0, 1, 2


def result_of(
    scores: NDArray[np.float64],
    rules: ResultRules,
    totals: ExactSums | None = None,
    keys: NDArray[np.uint64] | None = None,
) -> dict[str, Any]:
    """What ``Rouge.compute`` returns, from ``SampleScores.scores``, ``totals`` and ``keys``.

    Raises:
        ValueError: all samples are left out; ``aggregate="micro"`` without totals, or an interval without its keys.
    """
    if not rules.use_aggregator:
        scaled = scale_scores(scores, rules)
        lists: dict[str, Any] = {key: scaled[:, column, measure].tolist() for key, column, measure in all_keys(rules)}
        if rules.weights is not None:
            for key, measure in result_keys("weighted", rules.output):
                terms = scaled[..., measure] * np.array(rules.weights)
                lists[key] = functools.reduce(np.add, terms.T).tolist()
        return lists
    return shown_aggregate(aggregate_scores(scores, rules, totals, keys), rules)


def shown_aggregate(aggregate: Aggregate, rules: ResultRules) -> dict[str, Any]:
    """The result, of aggregates."""
    scale = 1.0 if aggregate.is_scaled else rules.scale

    def shown(value: float) -> float:
        value = float(value) * scale
        return value if rules.round_result is None else round(value, rules.round_result)

    result = {}
    for key, column, measure in all_keys(rules):
        result[key] = shown(aggregate.middle[column, measure])
        if aggregate.low is not None and aggregate.high is not None:
            result[f"{key}_low"] = shown(aggregate.low[column, measure])
            result[f"{key}_high"] = shown(aggregate.high[column, measure])
    if rules.weights is not None:
        for key, measure in result_keys("weighted", rules.output):
            terms = [weight * value for weight, value in zip(rules.weights, aggregate.middle[:, measure], strict=True)]
            result[key] = shown(functools.reduce(operator.add, terms))
    return result


def all_keys(rules: ResultRules) -> list[tuple[str, int, int]]:
    """Keys of the result, with the places of the type and the measure behind each."""
    return [
        (key, column, measure)
        for column, name in enumerate(rules.rouge_types)
        for key, measure in result_keys(name, rules.output)
    ]


def result_keys(name: str, output: str) -> list[tuple[str, int]]:
    """Keys of one type in the result, with the place of the measure behind each in the last axis of scores."""
    if output == "fmeasure":
        return [(name, _FMEASURE)]
    return [(name, _FMEASURE), (f"{name}_precision", _PRECISION), (f"{name}_recall", _RECALL)]
