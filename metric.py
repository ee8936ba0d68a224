"""``Rouge``: the metric as an object, without evaluate, its files, locks or network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .aggregation import bootstrap_interval, bootstrap_median, column_means
from .conventions import find_convention
from .errors import warn_user
from .explanation import Explanation, explain_example
from .inputs import Inputs, check_inputs
from .scorer import ExampleScores, count_pairs, score_examples
from .scores import PairCounts
from .settings import RougeSettings

__all__ = ["Rouge", "compute_result"]

_PRECISION, _RECALL, _FMEASURE = 0, 1, 2


class Rouge:
    """ROUGE under one convention.

    >>> rouge = Rouge("zh_word")
    >>> rouge.compute(["今天天气很好"], ["今天天气不错"], rouge_types=["rouge1", "rougeL"])
    {'rouge1': 0.4, 'rougeL': 0.4}

    It keeps nothing from one call to the next, so one object may serve several threads.

    Args:
        convention: name of a convention (``polyrouge.CONVENTIONS``): ``"default"``,
            ``"zh_char"``, ``"zh_word"``, ``"rouge_score"``, ``"evaluate_rouge"``.
        **settings: fields of ``RougeSettings`` that override the convention's.

    Raises:
        ValueError: no such convention, or a value that is not allowed.
        TypeError: no such setting, or a value of the wrong type.
    """

    def __init__(self, convention: str = "default", **settings: Any) -> None:
        self._convention = find_convention(convention)
        self.settings = self._convention.override(self._convention.settings, settings)

    @classmethod
    def from_signature(cls, signature: str, **given: Any) -> Rouge:
        """Return the metric that a signature was printed by; see ``RougeSettings.from_signature``."""
        settings = RougeSettings.from_signature(signature, **given)
        return cls(**{name: getattr(settings, name) for name in RougeSettings.names()})

    def __repr__(self) -> str:
        return f"Rouge({self._convention.name!r}, signature={self.signature()!r})"

    def signature(self) -> str:
        """One line that names every setting able to move a score; put it beside the numbers."""
        return self.settings.signature()

    def settings_with(self, changes: Mapping[str, Any]) -> RougeSettings:
        """The settings of one call, checked: this object's, with changes.

        Raises:
            TypeError: a name is no setting; the message names the nearest.
            ValueError: a value is not allowed.
        """
        return self._convention.override(self.settings, changes) if changes else self.settings

    def compute(self, predictions: Any, references: Any, **settings: Any) -> dict[str, Any]:
        """Score predictions against references.

        Args:
            predictions: texts; any iterable of strings.
            references: for each prediction a text, or for each a list of texts.
            **settings: fields of ``RougeSettings``, for this call.

        Returns:
            A flat dict of plain floats: for each type the mean F-measure (``"rouge1"``); with
            ``output="all"`` also ``"rouge1_precision"`` and ``"rouge1_recall"``; with
            ``confidence`` the bounds ``"rouge1_low"`` and ``"rouge1_high"``. With
            ``use_aggregator=False`` each value is a list, one float an example, in input order.

        Raises:
            TypeError: a row is no text (the row is named), or a setting is unknown.
            ValueError: no rows, unequal numbers of them, a row without reference, a bad value.
        """
        chosen = self.settings_with(settings)
        return compute_result(check_inputs(predictions, references), chosen)

    def score(
        self, predictions: Any, references: Any, *, best_reference: bool = False, **settings: Any
    ) -> dict[str, NDArray]:
        """Score each example, as columns.

        Args:
            predictions: as for ``compute``.
            references: as for ``compute``.
            best_reference: add ``"rouge1_reference"``: which reference each score is that of.
            **settings: fields of ``RougeSettings``, for this call.

        Returns:
            float64[n_examples] for each of ``"rouge1"`` (F-measure), ``"rouge1_precision"``,
            ``"rouge1_recall"`` and so on, times ``scale``; NaN where ``empty="skip"`` leaves the
            example out. int64[n_examples] for ``"rouge1_reference"``, -1 where left out.

        Raises:
            ValueError: as ``compute``; or ``best_reference`` under a rule that has no best one.
        """
        chosen = self.settings_with(settings)
        if best_reference and chosen.multi_reference not in ("best", "best_recall"):
            msg = f"multi_reference={chosen.multi_reference!r} has no best reference; use 'best' or 'best_recall'."
            raise ValueError(msg)
        examples = score_examples(check_inputs(predictions, references), chosen)
        columns: dict[str, NDArray] = {}
        for column, name in enumerate(chosen.rouge_types):
            for key, measure in _measures(name, "all"):
                columns[key] = examples.scores[:, column, measure] * chosen.scale
            if best_reference:
                columns[f"{name}_reference"] = examples.best_reference[:, column]
        return columns

    def count(self, predictions: Any, references: Any, **settings: Any) -> PairCounts:
        """Count hits and totals of each (prediction, reference) pair; see ``PairCounts``."""
        chosen = self.settings_with(settings)
        return count_pairs(check_inputs(predictions, references), chosen)

    def explain(self, prediction: str, reference: Any, **settings: Any) -> Explanation:
        """Say what a prediction shares with its reference: the hits of each type, and where they stand.

        Args:
            prediction: one text.
            reference: a text, or the list of reference texts.
            **settings: fields of ``RougeSettings``, for this call.

        Returns:
            The tokens with their character offsets in the texts as they were given, and for each type
            the pairs of units that are the hits; ``explanation["rouge1"].prediction_spans`` is what to
            colour. Notebooks show it in colour. Of rougeS without a gap it lists every shared pair of
            tokens: their number grows with the square of the length.

        Raises:
            TypeError: a text is no text, or a setting is unknown.
            ValueError: no reference, or a bad value.
        """
        chosen = self.settings_with(settings)
        inputs = check_inputs([prediction], [reference])
        return explain_example(inputs.predictions[0], inputs.references[0], chosen)


def compute_result(inputs: Inputs, settings: RougeSettings) -> dict[str, Any]:
    """Score checked inputs and aggregate them as ``settings`` say; see ``Rouge.compute``."""
    examples = score_examples(inputs, settings)
    if not settings.use_aggregator:
        return {
            key: (examples.scores[:, column, measure] * settings.scale).tolist()
            for column, name in enumerate(settings.rouge_types)
            for key, measure in _measures(name, settings.output)
        }
    return _aggregate(_without_skipped(examples), settings)


def _aggregate(scores: NDArray[np.float64], settings: RougeSettings) -> dict[str, float]:
    """Mean, or bootstrap median, and bounds of float64[n_examples, n_types, 3]."""
    keys = [
        (key, column, measure)
        for column, name in enumerate(settings.rouge_types)
        for key, measure in _measures(name, settings.output)
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


def _without_skipped(examples: ExampleScores) -> NDArray[np.float64]:
    """The scores that count in the mean; warns of how many don't."""
    skipped = np.isnan(examples.scores[:, 0, _FMEASURE])
    n_skipped = int(skipped.sum())
    if n_skipped == len(skipped):
        msg = f"empty='skip' leaves out all {n_skipped} examples: none has tokens on both sides."
        raise ValueError(msg)
    if n_skipped:
        warn_user(f"empty='skip' left {n_skipped} of {len(skipped)} examples without tokens out of the mean.")
    return examples.scores[~skipped]


def _measures(name: str, output: str) -> list[tuple[str, int]]:
    """Keys of one type in the result, with the measure behind each."""
    if output == "fmeasure":
        return [(name, _FMEASURE)]
    return [(name, _FMEASURE), (f"{name}_precision", _PRECISION), (f"{name}_recall", _RECALL)]
