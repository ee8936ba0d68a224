"""One run from checked texts to scores and to the result: counting, one score a sample, aggregation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_in_chunks
from polyrouge.counting.pair_counts import gathered
from polyrouge.inputs import Inputs
from polyrouge.reading.documents import Readers
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.exact_sums import ExactSums
from polyrouge.scoring.results import result_of
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.rouge_settings import RougeSettings

_PAIRS_SCORED_AT_ONCE = 1 << 14


class SampleScores(NamedTuple):
    """One score a sample and type, in input order.

    Attributes:
        scores: float64[n_samples, n_types, 3]: precision, recall, F-measure; not scaled; NaN for
            a sample that ``empty="skip"`` leaves out.
        best_reference: int64[n_samples, n_types]: index of the reference that was best; -1 where
            the multi-reference rule has none.
        totals: of the shape (n_types, 3): the counts of all samples added up, of each its first reference or,
            with ``multi_reference="pooled"``, all; what ``aggregate="micro"`` makes its scores of. None under
            another aggregate.
    """

    scores: NDArray[np.float64]
    best_reference: NDArray[np.int64]
    totals: ExactSums | None


def compute_result(inputs: Inputs, settings: RougeSettings) -> dict[str, Any]:
    """Score checked inputs and aggregate them as ``settings`` say; see ``Rouge.compute``."""
    scored = score_samples(inputs, settings)
    return result_of(scored.scores, settings.result_rules, scored.totals)


def score_samples(
    inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None, readers: Readers | None = None
) -> SampleScores:
    """Score every sample; see ``count_in_chunks`` for the arguments and errors."""
    scores = np.empty((len(inputs.predictions), len(settings.rouge_types), 3))
    best = np.empty(scores.shape[:2], np.int64)
    totals = ExactSums(scores.shape[1:]) if settings.aggregate == "micro" else None
    start = 0
    for pairs in gathered(count_in_chunks(inputs, settings, notes, readers), _PAIRS_SCORED_AT_ONCE):
        stop = start + len(pairs.offsets) - 1
        scores[start:stop], best[start:stop] = combine_references(pairs, settings.reference_rule, settings.score_rule)
        if totals is not None:
            totals.add(pairs.counts if settings.multi_reference == "pooled" else pairs.counts[pairs.offsets[:-1]])
        start = stop
    return SampleScores(scores, best, totals)
