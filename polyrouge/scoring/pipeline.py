"""One run from checked texts to scores and to the result: counting, one score a sample, aggregation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_in_chunks
from polyrouge.counting.pair_counts import PairCounts, gathered
from polyrouge.inputs import Inputs
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.exact_sums import ExactSums
from polyrouge.scoring.results import result_of
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.rouge_settings import RougeSettings

_PAIRS_SCORED_AT_ONCE = 1 << 14


class SampleScores(NamedTuple):
    """One score a sample and type, in input order."""

    scores: NDArray[np.float64]  # [n_samples, n_types, 3], not scaled; NaN for a sample that empty="skip" leaves out
    best_reference: NDArray[np.int64]  # [n_samples, n_types]; -1 where the multi-reference rule has none
    totals: ExactSums | None  # of all counts, see summed_counts; for aggregate="micro" only
    keys: NDArray[np.uint64] | None = None  # [n_samples], of the references of each; for interval="poisson" only


def compute_result(inputs: Inputs, settings: RougeSettings) -> dict[str, Any]:
    """Score checked inputs and aggregate them as ``settings`` say; see ``Rouge.compute``."""
    scored = score_samples(inputs, settings)
    return result_of(scored.scores, settings.result_rules, scored.totals, scored.keys)


def scored_pairs(
    inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None
) -> Iterator[tuple[PairCounts, NDArray[np.float64], NDArray[np.int64]]]:
    """The counts of some thousand pairs after the other, with what ``combine_references`` makes of them."""
    chunks = count_in_chunks(inputs, settings, notes)
    for pairs in gathered(chunks, _PAIRS_SCORED_AT_ONCE):
        yield pairs, *combine_references(pairs, settings.reference_rule, settings.score_rule)


def summed_counts(pairs: PairCounts, settings: RougeSettings) -> NDArray[np.float64]:
    """float64[n, n_types, 3]: what ``aggregate="micro"`` adds up: all pairs, or the first of each sample."""
    return pairs.counts if settings.multi_reference == "pooled" else pairs.counts[pairs.offsets[:-1]]


def score_samples(inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None) -> SampleScores:
    """Score every sample; see ``count_in_chunks`` for the arguments and errors."""
    n, n_types = len(inputs.predictions), len(settings.rouge_types)
    totals = ExactSums((n_types, 3)) if settings.aggregate == "micro" else None
    scores, best = np.empty(0), np.empty(0, np.int64)
    start = 0
    for pairs, new_scores, new_best in scored_pairs(inputs, settings, notes):
        stop = start + len(pairs.offsets) - 1
        if totals is not None:
            totals.add(summed_counts(pairs, settings))
        if stop - start == n:  # a small call, which must be quick
            scores, best = new_scores, new_best
            continue  # to the end of the counting, which warns
        if start == 0:
            scores, best = np.empty((n, n_types, 3)), np.empty((n, n_types), np.int64)
        scores[start:stop], best[start:stop] = new_scores, new_best
        start = stop
    if settings.interval != "poisson":
        return SampleScores(scores, best, totals)
    from polyrouge.scoring.poisson import row_keys

    return SampleScores(scores, best, totals, row_keys(inputs.references))
