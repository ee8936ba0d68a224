"""rouge_score's ``scoring``: scores as named tuples, and their bootstrap."""

import abc
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from polyrouge.scoring.aggregates import bootstrap_median


class Score(NamedTuple):
    """Precision, recall and F-measure, in [0, 1]."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The lower end of an interval, the median, and the upper end; each a ``Score``."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(abc.ABC):
    """A scorer; subclasses define ``score``."""

    @abc.abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return a score for each type, of a prediction against its reference, the target."""


class BootstrapAggregator:
    """Return percentiles of the means of bootstrap samples, from numpy's global generator, as rouge_score draws them.

    With the same state of ``numpy.random`` it gives what rouge_score gives, bit by bit. Its ``mid`` is the median of
    the resampled means, which changes from run to run; for the plain mean use ``Rouge.compute``.

    Args:
        confidence_interval: level of the interval, 0 to 1.
        n_samples: bootstrap resamples, above 0.

    Raises:
        ValueError: a value is not allowed.
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if confidence_interval < 0 or confidence_interval > 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._scores: defaultdict[str, list[Any]] = defaultdict(list)

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add one sample: a named tuple for each type."""
        for score_type, score in scores.items():
            self._scores[score_type].append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return low, mid and high of each type; a named tuple of the samples' own class each."""
        result = {}
        for score_type, scores in self._scores.items():
            samples = np.vstack(tuple(scores))[:, np.newaxis]
            ends = np.concatenate(bootstrap_median(samples, self._confidence_interval, self._n_samples))
            result[score_type] = AggregateScore(*(scores[0].__class__(*end) for end in ends))
        return result


def fmeasure(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall; 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
