"""Scoring chunk by chunk: memory is bounded by the scores, not by the texts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import RougeWarning, warn_user
from polyrouge.inputs import ReferenceKind, check_inputs
from polyrouge.scoring.exact_sums import ExactSums, merged
from polyrouge.scoring.pipeline import SampleScores, score_samples
from polyrouge.scoring.results import result_of
from polyrouge.settings.rouge_settings import RougeSettings


class StreamedScores:
    """Scores of samples that come in chunks.

    The result equals ``Rouge.compute`` of all of them to the last bit. A warning is given once for
    all chunks, by ``scores``.

    Args:
        settings: as of ``Rouge.settings``.
    """

    def __init__(self, settings: RougeSettings) -> None:
        self.settings = settings
        self.n_samples = 0
        self._kind: ReferenceKind | None = None
        self._parts: list[NDArray[np.float64]] = []
        self._warned: list[list[str]] = []
        self._totals: ExactSums | None = None

    def add(self, predictions: list[str], references: list[Any]) -> SampleScores:
        """Score some more samples; returns their scores."""
        inputs = check_inputs(predictions, references, first_row=self.n_samples, reference_kind=self._kind)
        settings = self.settings
        if self._parts and settings.engine == "auto":  # there is much to do: worth loading the kernels
            settings = settings.replace(engine="compiled")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RougeWarning)
            scores = score_samples(inputs, settings)
        self._warned.append([str(each.message) for each in caught if issubclass(each.category, RougeWarning)])
        self._kind = inputs.reference_kind
        self.n_samples += len(predictions)
        self._parts.append(scores.scores)
        self._totals = merged(self._totals, scores.totals)
        return scores

    def scores(self) -> NDArray[np.float64]:
        """The scores of all samples so far, as ``SampleScores.scores``.

        Raises:
            ValueError: there are none.
        """
        if not self._parts:
            msg = "There are no samples to score."
            raise ValueError(msg)
        self._warn()
        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        return self._parts[0]

    def result(self) -> dict[str, Any]:
        """What ``Rouge.compute`` would return for all samples so far."""
        return result_of(self.scores(), self.settings.result_rules, self._totals)

    def _warn(self) -> None:
        """Repeat the first warning of each kind; that no text has a sentence break only if none has."""
        seen = set()
        for message in [message for chunk in self._warned for message in chunk]:
            kind = message[:20]
            everywhere = all(any(each.startswith(kind) for each in chunk) for chunk in self._warned)
            if kind not in seen and (everywhere or not message.startswith("rougeLsum:")):
                warn_user(message)
            seen.add(kind)
        self._warned = [[]]
