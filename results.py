"""From the scores of all examples to the result: a flat dict of plain Python floats."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .aggregation import bootstrap_interval, bootstrap_median, column_means
from .errors import warn_user
from .inputs import Inputs
from .scorer import score_examples
from .settings import RougeSettings

__all__ = ["aggregate_scores", "compute_result", "result_keys"]

_PRECISION, _RECALL, _FMEASURE = 0, 1, 2


def compute_result(inputs: Inputs, settings: RougeSettings) -> dict[str, Any]:
    """Score checked inputs and aggregate them as ``settings`` say; see ``Rouge.compute``."""
    examples = score_examples(inputs, settings)
    if not settings.use_aggregator:
        return {
            key: (examples.scores[:, column, measure] * settings.scale).tolist()
            for column, name in enumerate(settings.rouge_types)
            for key, measure in result_keys(name, settings.output)
        }
    return aggregate_scores(examples.scores, settings)


def aggregate_scores(scores: NDArray[np.float64], settings: RougeSettings) -> dict[str, float]:
    """Mean, or bootstrap median, and bounds of float64[n_examples, n_types, 3].

    Args:
        scores: precision, recall and F-measure of each example and type, NaN where left out.
        settings: which of them, how they are brought together, and the scale.

    Raises:
        ValueError: all examples are left out.
    """
    scores = _without_skipped(scores)
    keys = [
        (key, column, measure)
        for column, name in enumerate(settings.rouge_types)
        for key, measure in result_keys(name, settings.output)
    ]
    _, columns, measures = zip(*keys, strict=True)
    if settings.aggregate == "bootstrap_median":
        bounds = bootstrap_median(scores, settings.confidence, settings.n_resamples)
        low, middle, high = (bound[columns, measures] for bound in bounds)
    else:
        chosen = scores[:, columns, measures]
        low = middle = high = column_means(chosen)
        if settings.confidence is not None:
            low, high = bootstrap_interval(chosen, settings.confidence, settings.n_resamples, settings.seed)
    result = {}
    for place, (key, _, _) in enumerate(keys):
        result[key] = float(middle[place]) * settings.scale
        if settings.confidence is not None:
            result[f"{key}_low"] = float(low[place]) * settings.scale
            result[f"{key}_high"] = float(high[place]) * settings.scale
    return result


def _without_skipped(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores that count in the mean; warns of how many don't."""
    skipped = np.isnan(scores[:, 0, _FMEASURE])
    n_skipped = int(skipped.sum())
    if not n_skipped:
        return scores
    if n_skipped == len(skipped):
        msg = f"empty='skip' leaves out all {n_skipped} examples: none has tokens on both sides."
        raise ValueError(msg)
    warn_user(f"empty='skip' left {n_skipped} of {len(skipped)} examples without tokens out of the mean.")
    return scores[~skipped]


def result_keys(name: str, output: str) -> list[tuple[str, int]]:
    """Keys of one type in the result, with the place of the measure behind each in the last axis of scores."""
    if output == "fmeasure":
        return [(name, _FMEASURE)]
    return [(name, _FMEASURE), (f"{name}_precision", _PRECISION), (f"{name}_recall", _RECALL)]
