"""Scores of single pairs, for callers in a loop; and of many pairs, in the same form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_pairs
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.engine import Counts
from polyrouge.counting.single_pairs import PairCounter
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.scores import scores_from_counts, scores_of_pair
from polyrouge.settings.rouge_settings import RougeSettings

_FEW = 2  # pairs that are scored one by one


class ScoredPair(NamedTuple):
    """One prediction against one reference.

    Attributes:
        scores: for each type precision, recall and F-measure; not scaled.
        counts: for each type the hits, the prediction's total and the reference's.
        prediction_empty: the prediction has no tokens.
        reference_empty: the reference has no tokens.
        refusal: what the convention's tool raises an error for; the empty string for nothing, or where ``on_error``
            is ``"score"``.
    """

    scores: Sequence[Sequence[float]]
    counts: Sequence[Counts]
    prediction_empty: bool
    reference_empty: bool
    refusal: str


class PairScorer:
    """Scores pairs under fixed settings: a single one with hardly any cost of the call itself, many by a run.

    Every pair stands for itself: rules for several references, for empty texts and for the result are the caller's.
    No text is checked, but that the kernels get what they can read, and nothing warns. It may be used in several
    threads, and pickled.

    Args:
        settings: of the scores, without jieba.

    Attributes:
        settings: the same.
        counter: what counts single pairs.
    """

    def __init__(self, settings: RougeSettings) -> None:
        self.settings = settings
        self.counter = PairCounter(settings)
        self._rule = settings.score_rule

    def score(self, prediction: str, reference: str) -> ScoredPair:
        """Score one pair."""
        counts, prediction_empty, reference_empty, refusal = self.counter.count(prediction, reference)
        return ScoredPair(scores_of_pair(counts, self._rule), counts, prediction_empty, reference_empty, refusal)

    def score_all(self, predictions: list[str], references: list[str]) -> Iterable[ScoredPair]:
        """Score as many references as predictions, each with its own, one after the other where refusals are asked for.

        A run gives counts as floats.
        """
        if len(predictions) <= _FEW or self.settings.on_error != "score":
            return map(self.score, predictions, references)
        pairs, scores = self.score_columns(predictions, references)
        empty = pairs.prediction_empty.tolist(), pairs.reference_empty.tolist()
        refusals = [""] * len(predictions)
        return map(ScoredPair, scores.tolist(), pairs.counts.tolist(), *empty, refusals)

    def score_columns(self, predictions: list[str], references: list[str]) -> tuple[PairCounts, NDArray[np.float64]]:
        """Score as many references as predictions by a run, without refusals.

        Returns:
            The counts, and float64[pairs, types, 3]: precision, recall and F-measure.
        """
        inputs = Inputs(predictions, SingleReferences(references), "text")
        settings = self.settings if self.settings.on_error == "score" else self.settings.replace(on_error="score")
        try:
            pairs = count_pairs(inputs, settings, TextNotes(settings.text_rules))
        except UnicodeEncodeError:  # a lone surrogate, which only the plain engine can read
            pairs = count_pairs(inputs, settings.replace(engine="plain"), TextNotes(settings.text_rules))
        return pairs, scores_from_counts(pairs.counts, self._rule)
