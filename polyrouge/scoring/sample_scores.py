"""Score checked texts, one score for each sample, in one call or chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.counts import Counts, batched
from polyrouge.counting.loop import count_in_chunks
from polyrouge.documents.input_notes import InputNotes
from polyrouge.inputs import Inputs, ReferenceKind, check_inputs
from polyrouge.scoring.aggregates import ExactSums, merged, result_of, result_warnings
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

if TYPE_CHECKING:
    from polyrouge.counting.texts import SystemTexts

_PAIRS_SCORED_AT_ONCE = 1 << 14


class Scores(NamedTuple):
    """One score for each sample and type, in input order."""

    scores: NDArray[np.float64]  # [n_samples, n_types, 3], not scaled; NaN for a sample that empty="skip" leaves out
    best_reference: NDArray[np.int64]  # [n_samples, n_types]; -1 where the score combines several references
    totals: ExactSums | None  # of summed_counts; for aggregate="micro" only


def scored_pairs(
    texts: Inputs | SystemTexts, settings: RougeSettings, run: RunOptions, notes: InputNotes | None = None
) -> Iterator[tuple[Counts, NDArray[np.float64], NDArray[np.int64]]]:
    """Yield the counts of thousands of pairs at a time, with the result of ``combine_references``."""
    chunks = count_in_chunks(texts, settings, run, notes)
    for pairs in batched(chunks, _PAIRS_SCORED_AT_ONCE):
        yield pairs, *combine_references(pairs, settings.reference_rule, settings.score_rule)


def summed_counts(pairs: Counts, settings: RougeSettings) -> NDArray[np.float64]:
    """Return the counts that ``aggregate="micro"`` adds, float64[n, n_types, 3]: all pairs, or each sample's first."""
    if settings.empty.startswith("skip"):
        is_used = ~(pairs.prediction_empty | pairs.reference_empty)
        if settings.multi_reference != "pooled":
            is_used &= np.isin(np.arange(len(is_used)), pairs.offsets[:-1])
        return pairs.counts[is_used]
    return pairs.counts if settings.multi_reference == "pooled" else pairs.counts[pairs.offsets[:-1]]


def score_samples(
    texts: Inputs | SystemTexts, settings: RougeSettings, run: RunOptions, notes: InputNotes | None = None
) -> Scores:
    """Score every sample; ``notes`` collects suspicious texts."""
    n, n_types = len(texts.predictions), len(settings.rouge_types)
    totals = ExactSums((n_types, 3)) if settings.aggregate == "micro" else None
    scores, best = np.empty((n, n_types, 3)), np.empty((n, n_types), np.int64)
    start = 0
    for pairs, new_scores, new_best in scored_pairs(texts, settings, run, notes):
        stop = start + len(pairs.offsets) - 1
        scores[start:stop], best[start:stop] = new_scores, new_best
        start = stop
        if totals is not None:
            totals.add(summed_counts(pairs, settings))
    return Scores(scores, best, totals)


class StreamedScores:
    """Score samples that come in chunks; the result equals that of ``Rouge.compute`` to the last bit."""

    def __init__(self, settings: RougeSettings, run: RunOptions) -> None:
        self.settings, self.run = settings, run
        self.notes = InputNotes(settings.text_rules)
        self.n_samples = 0
        self._kind: ReferenceKind | None = None
        self._scores: list[NDArray[np.float64]] = []
        self._totals: ExactSums | None = None

    def add(self, predictions: list[str], references: list[Any]) -> Scores:
        """Score more samples, and return their scores."""
        inputs = check_inputs(predictions, references, first_row=self.n_samples, reference_kind=self._kind)
        samples = score_samples(inputs, self.settings, self.run, self.notes)
        self._kind = inputs.reference_kind
        self.add_scores(samples)
        return samples

    def add_scores(self, samples: Scores) -> None:
        """Add samples that were scored before."""
        self.n_samples += len(samples.scores)
        self._scores.append(samples.scores)
        self._totals = merged(self._totals, samples.totals)

    def scores(self) -> NDArray[np.float64]:
        """Return the ``Scores.scores`` of all samples."""
        if not self._scores:
            raise ValueError("There are no samples to score.")
        self._scores = [np.concatenate(self._scores)]
        return self._scores[0]

    def result(self) -> dict[str, Any]:
        """Return the result of all samples so far, as from ``Rouge.compute``."""
        return result_of(self.scores(), self.settings.result_rules, self._totals)

    def warnings(self) -> list[str]:
        """Return the warnings of the result, besides the notes on the texts."""
        return result_warnings(self.scores(), self.settings.result_rules)
