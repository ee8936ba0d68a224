"""The pipeline: checked texts and settings to counts, to one score an example and type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .engines import choose_engine, run_chunks
from .inputs import Inputs
from .rouge_types import parse_rouge_type
from .scores import PairCounts, combine_references, scores_from_counts
from .settings import RougeSettings
from .text_notes import TextNotes

__all__ = ["ExampleScores", "count_pairs", "score_examples"]

_PAIRS_SCORED_AT_ONCE = 1 << 14


class ExampleScores(NamedTuple):
    """One score an example and type, in input order.

    Attributes:
        scores: float64[n_examples, n_types, 3]: precision, recall, F-measure; not scaled; NaN for
            an example that ``empty="skip"`` leaves out.
        best_reference: int64[n_examples, n_types]: index of the reference that was best; -1 where
            the multi-reference rule has none.
    """

    scores: NDArray[np.float64]
    best_reference: NDArray[np.int64]


def score_examples(inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None) -> ExampleScores:
    """Score every example; memory for texts is bounded by a chunk, not by the corpus.

    Args:
        inputs: checked texts.
        settings: how to score them.
        notes: takes what looks wrong in the texts, for a caller that warns at a later time; without
            it this call warns.

    Raises:
        ValueError: ``settings.empty`` is ``"error"`` and a text has no tokens; the row is named.
    """
    power = 1 / settings.weight
    kinds = [parse_rouge_type(name).kind for name in settings.rouge_types]
    powers = [power if kind == "weighted_lcs" else None for kind in kinds]
    parts = []
    for pairs in _gathered(_count_chunks(inputs, settings, notes)):
        scores = combine_references(
            pairs,
            settings.multi_reference,
            settings.empty,
            lambda counts: scores_from_counts(counts, settings.beta, powers),
        )
        parts.append(scores)
    scores, best = zip(*parts, strict=True)
    return ExampleScores(np.concatenate(scores), np.concatenate(best))


def count_pairs(inputs: Inputs, settings: RougeSettings) -> PairCounts:
    """Count every pair: the sufficient statistics of all scores."""
    return _concatenated(list(_count_chunks(inputs, settings)))


def _gathered(chunks: Iterator[PairCounts]) -> Iterator[PairCounts]:
    """Chunks put together, so that numpy has long columns to work on."""
    waiting: list[PairCounts] = []
    for chunk in chunks:
        waiting.append(chunk)
        if sum(len(each.counts) for each in waiting) >= _PAIRS_SCORED_AT_ONCE:
            yield _concatenated(waiting)
            waiting = []
    if waiting:
        yield _concatenated(waiting)


def _concatenated(chunks: list[PairCounts]) -> PairCounts:
    sizes = np.concatenate([np.diff(chunk.offsets) for chunk in chunks])
    return PairCounts(
        counts=np.concatenate([chunk.counts for chunk in chunks]),
        offsets=np.concatenate([[0], np.cumsum(sizes)]),
        prediction_empty=np.concatenate([chunk.prediction_empty for chunk in chunks]),
        reference_empty=np.concatenate([chunk.reference_empty for chunk in chunks]),
    )


def _count_chunks(
    inputs: Inputs, settings: RougeSettings, given_notes: TextNotes | None = None
) -> Iterator[PairCounts]:
    """Counts of chunk after chunk, in order; warns of what looked wrong when all are done."""
    engine = choose_engine(inputs, settings)
    notes = TextNotes(settings) if given_notes is None else given_notes
    start = 0
    for pairs, chunk_notes in run_chunks(engine, inputs, settings):
        notes.merge(chunk_notes)
        if settings.empty == "error":
            _refuse_empty(pairs, start, inputs)
        start += len(pairs.offsets) - 1
        yield pairs
    if given_notes is None:
        notes.warn()


def _refuse_empty(pairs: PairCounts, start: int, inputs: Inputs) -> None:
    """Raise for the first pair in which a text has no tokens."""
    bad = np.flatnonzero(pairs.prediction_empty | pairs.reference_empty)
    if len(bad) == 0:
        return
    example = int(np.searchsorted(pairs.offsets, bad[0], side="right")) - 1
    name = f"predictions[{start + example}]"
    if not pairs.prediction_empty[bad[0]]:
        index = f"[{bad[0] - pairs.offsets[example]}]" if inputs.reference_kind == "list" else ""
        name = f"references[{start + example}]{index}"
    msg = f"{name} has no tokens, and empty='error' refuses it; choose 'zero', 'skip' or 'one_if_both' to go on."
    raise ValueError(msg)
