"""Everything that is known of each row once it is counted: scores, the winning reference, counts and lengths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.pair_counts import PairCounts
from polyrouge.inputs import Inputs
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.exact_sums import ExactSums
from polyrouge.scoring.pipeline import scored_pairs, summed_counts
from polyrouge.settings.rouge_settings import RougeSettings

_WITH_WINNER = ("best", "best_recall", "first")


class ScoredRows(NamedTuple):
    """Rows of a table, scored.

    Attributes:
        scores: float64[n_rows, n_types, 3], not scaled; NaN for rows that are left out.
        best: int64[n_rows, n_types]: which reference the score is that of; -1 where there is no such.
        prediction_tokens: int64[n_rows].
        reference_tokens: int64[n_rows, n_types]: of that reference; -1 where there is none.
        counts: float64[n_rows, n_types, 3]: hits and totals of that reference, or of all together with
            ``multi_reference="pooled"``; NaN where the score is not made of such.
        totals: of the shape (n_types, 3): counts of all rows added up, for ``aggregate="micro"``; else None.
    """

    scores: NDArray[np.float64]
    best: NDArray[np.int64]
    prediction_tokens: NDArray[np.int64]
    reference_tokens: NDArray[np.int64]
    counts: NDArray[np.float64]
    totals: ExactSums | None


def score_rows(slices: Iterable[Inputs], settings: RougeSettings, *, with_counts: bool) -> ScoredRows:
    """Score slice after slice; ``counts`` are NaN without ``with_counts``. See ``count_in_chunks`` for the errors."""
    n_types = len(settings.rouge_types)
    totals = ExactSums((n_types, 3)) if settings.aggregate == "micro" else None
    notes = TextNotes(settings.text_rules)
    parts = []
    for inputs in slices:
        for pairs, scores, best in scored_pairs(inputs, settings, notes):
            if totals is not None:
                totals.add(summed_counts(pairs, settings))
            parts.append((scores, best, *_behind(pairs, best, settings if with_counts else None)))
    if not parts:
        none, empty = np.empty((0, n_types), np.int64), np.empty((0, n_types, 3))
        return ScoredRows(empty, none, none[:, 0], none, empty, totals)
    notes.warn()
    return ScoredRows(*map(np.concatenate, zip(*parts, strict=True)), totals)


def _behind(
    pairs: PairCounts, best: NDArray[np.int64], settings: RougeSettings | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Lengths of predictions, lengths of the winning references, and counts; see ``ScoredRows``."""
    firsts = pairs.offsets[:-1]
    places = firsts[:, np.newaxis] + np.maximum(best, 0)
    reference_tokens = np.where(best >= 0, pairs.reference_tokens[places], -1)
    rule = None if settings is None else settings.multi_reference
    if rule == "pooled":
        counts = np.add.reduceat(pairs.counts, firsts, axis=0) if len(pairs.counts) > len(firsts) else pairs.counts
    elif rule in _WITH_WINNER:
        counts = pairs.counts[places, np.arange(places.shape[1])]
    else:
        counts = np.full((len(firsts), places.shape[1], 3), np.nan)
    return pairs.prediction_tokens[firsts], reference_tokens, counts
