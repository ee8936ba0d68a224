"""Scoring chunk by chunk: memory is bounded by the scores, not by the texts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import RougeWarning, warn_of, warn_user
from polyrouge.inputs import ReferenceKind, check_inputs
from polyrouge.reading.notes import TextNotes
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
        self._notes = TextNotes(settings.text_rules)
        self._said: list[str] = []
        self._has_warned = False
        self._totals: ExactSums | None = None
        self._keys: list[NDArray[np.uint64]] = []

    def add(self, predictions: list[str], references: list[Any]) -> SampleScores:
        """Score some more samples; returns their scores."""
        inputs = check_inputs(predictions, references, first_row=self.n_samples, reference_kind=self._kind)
        settings = self.settings
        if self._parts and settings.engine == "auto":  # there is much to do: worth loading the kernels
            settings = settings.replace(engine="compiled")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RougeWarning)
            scores = score_samples(inputs, settings, self._notes)
        self._said += [str(each.message) for each in caught if issubclass(each.category, RougeWarning)]
        self._kind = inputs.reference_kind
        self.n_samples += len(predictions)
        self._parts.append(scores.scores)
        self._totals = merged(self._totals, scores.totals)
        if scores.keys is not None:
            self._keys.append(scores.keys)
        return scores

    def scores(self) -> NDArray[np.float64]:
        """The scores of all samples so far, as ``SampleScores.scores``.

        Raises:
            ValueError: there are none.
        """
        if not self._parts:
            raise ValueError("There are no samples to score.")
        self._warn()
        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        return self._parts[0]

    def keys(self) -> NDArray[np.uint64] | None:
        """The ``SampleScores.keys`` of all samples so far; None where the settings need none."""
        return np.concatenate(self._keys) if self._keys else None

    def result(self) -> dict[str, Any]:
        """What ``Rouge.compute`` would return for all samples so far."""
        return result_of(self.scores(), self.settings.result_rules, self._totals, self.keys())

    def _warn(self) -> None:
        """Say what chunks said, the first of each kind, and what looks wrong in the texts of all of them; once."""
        if self._has_warned:
            return
        self._has_warned = True
        first_of_kind: dict[str, str] = {}
        for message in self._said:
            first_of_kind.setdefault(message[:20], message)
        for message in first_of_kind.values():
            warn_user(message)
        warn_of(self._notes.messages())
