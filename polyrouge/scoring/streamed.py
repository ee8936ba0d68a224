"""Scoring chunk by chunk: memory is bounded by the scores, not by the texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import hearing_warnings, warn_of
from polyrouge.inputs import ReferenceKind, check_inputs
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.exact_sums import ExactSums, merged
from polyrouge.scoring.pipeline import SampleScores, score_samples
from polyrouge.scoring.results import result_of
from polyrouge.settings.rouge_settings import RougeSettings


class StreamedScores:
    """Scores of samples that come in chunks; the result is ``Rouge.compute``'s of all of them, to the last bit."""

    def __init__(self, settings: RougeSettings) -> None:
        self.settings = settings
        self.n_samples = 0
        self._kind: ReferenceKind | None = None
        self._parts: list[NDArray[np.float64]] = []
        self._keys: list[NDArray[np.uint64]] = []
        self._totals: ExactSums | None = None
        self._notes: TextNotes | None = TextNotes(settings.text_rules)  # None: its warnings were given
        self._heard: dict[str, str] = {}  # the first warning of each kind

    def add(self, predictions: list[str], references: list[Any]) -> SampleScores:
        """Score some more samples; returns their scores."""
        inputs = check_inputs(predictions, references, first_row=self.n_samples, reference_kind=self._kind)
        with hearing_warnings() as heard:
            scores = score_samples(inputs, self.settings, self._notes)
        for message in heard:
            self._heard.setdefault(message[:20], message)
        self._kind = inputs.reference_kind
        self.n_samples += len(predictions)
        self._parts.append(scores.scores)
        self._totals = merged(self._totals, scores.totals)
        if scores.keys is not None:
            self._keys.append(scores.keys)
        return scores

    def scores(self) -> NDArray[np.float64]:
        """The ``SampleScores.scores`` of all samples; warns once of what all chunks hold.

        Raises:
            ValueError: there are none.
        """
        if not self._parts:
            raise ValueError("There are no samples to score.")
        if self._notes is not None:
            warn_of([*self._heard.values(), *self._notes.messages()])
            self._notes = None
        self._parts = [np.concatenate(self._parts)] if len(self._parts) > 1 else self._parts
        return self._parts[0]

    def keys(self) -> NDArray[np.uint64] | None:
        """The ``SampleScores.keys`` of all samples; None where the settings need none."""
        return np.concatenate(self._keys) if self._keys else None

    def result(self) -> dict[str, Any]:
        """What ``Rouge.compute`` would return for all samples so far."""
        return result_of(self.scores(), self.settings.result_rules, self._totals, self.keys())
