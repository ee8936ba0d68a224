"""The pipeline: checked texts and settings to counts, to one score an example and type."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.engines import choose_engine, run_chunks
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.errors import warn_user
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.reading.notes import TextNotes
from polyrouge.scoring.scores import ScoreRule, combine_references, scores_from_counts
from polyrouge.settings.quirks import REFUSALS
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type

__all__ = ["ExampleScores", "add_up_counts", "count_pairs", "score_corpus", "score_examples", "score_rule"]

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
    kinds = [parse_rouge_type(name).kind for name in settings.rouge_types]
    rule = score_rule(settings)
    scores = np.empty((len(inputs.predictions), len(kinds), 3))
    best = np.empty(scores.shape[:2], np.int64)
    start = 0
    for pairs in _gathered(_count_chunks(inputs, settings, notes)):
        stop = start + len(pairs.offsets) - 1
        scores[start:stop], best[start:stop] = combine_references(
            pairs, settings.multi_reference, settings.empty, rule, kinds
        )
        start = stop
    return ExampleScores(scores, best)


def score_corpus(inputs: Inputs, settings: RougeSettings) -> NDArray[np.float64]:
    """Scores of the counts of all examples added up, float64[n_types, 3]."""
    return scores_from_counts(add_up_counts(inputs, settings), score_rule(settings))


def add_up_counts(inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None) -> NDArray[np.float64]:
    """Counts of all examples added up, float64[n_types, 3]; of each its first reference or all."""
    total = np.zeros((len(settings.rouge_types), 3))
    for pairs in _count_chunks(inputs, settings, notes):
        counted = pairs.counts if settings.multi_reference == "pooled" else pairs.counts[pairs.offsets[:-1]]
        total += counted.sum(axis=0)
    return total


def score_rule(settings: RougeSettings) -> ScoreRule:
    """How these settings make scores of counts."""
    powers: list[float | None] = [None] * len(settings.rouge_types)
    for column, name in enumerate(settings.rouge_types):
        kind = parse_rouge_type(name).kind
        powered_lcs = kind in ("lcs", "lcs_summary") and "powered_lcs" in settings.quirks and settings.weight != 1
        if kind == "weighted_lcs" or powered_lcs:
            powers[column] = 1 / settings.weight
    return ScoreRule(settings.beta, settings.alpha, settings.epsilon, powers, settings.quirks)


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
    bases = [chunk.weighted_bases for chunk in chunks]
    return PairCounts(
        counts=np.concatenate([chunk.counts for chunk in chunks]),
        offsets=np.concatenate([[0], np.cumsum(sizes)]),
        prediction_empty=np.concatenate([chunk.prediction_empty for chunk in chunks]),
        reference_empty=np.concatenate([chunk.reference_empty for chunk in chunks]),
        weighted_bases=np.concatenate([base for base in bases if base is not None]) if bases[0] is not None else None,
    )


def _count_chunks(
    inputs: Inputs, settings: RougeSettings, given_notes: TextNotes | None = None
) -> Iterator[PairCounts]:
    """Counts of chunk after chunk, in order; warns of what looked wrong when all are done."""
    if settings.placeholder is not None:
        filled = [text if text.strip() else settings.placeholder for text in inputs.predictions]
        inputs = inputs._replace(predictions=filled)
    has_one = isinstance(inputs.references, SingleReferences)
    if settings.multi_reference == "first" and not has_one and any(len(row) > 1 for row in inputs.references):
        warn_user(
            "multi_reference='first': only the first reference of each row is scored, as by the tool that this "
            "convention reproduces, which knows no others; multi_reference='best' takes the best of them."
        )
        inputs = inputs._replace(references=[row[:1] for row in inputs.references])
    engine = choose_engine(inputs, settings)
    notes = TextNotes(settings) if given_notes is None else given_notes
    start = 0
    for pairs, chunk_notes in run_chunks(engine, inputs, settings):
        notes.merge(chunk_notes)
        if settings.empty == "error":
            _refuse_empty(pairs, start, inputs)
        if pairs.refusals is not None:
            pairs = _without_refused(pairs, start, inputs, settings)
        start += len(pairs.offsets) - 1
        yield pairs
    if given_notes is None:
        notes.warn()


def _refuse_empty(pairs: PairCounts, start: int, inputs: Inputs) -> None:
    """Raise for the first pair in which a text has no tokens."""
    bad = np.flatnonzero(pairs.prediction_empty | pairs.reference_empty)
    if len(bad) == 0:
        return
    of_prediction, of_reference = _row_names(pairs, int(bad[0]), start, inputs)
    name = of_prediction if pairs.prediction_empty[bad[0]] else of_reference
    msg = f"{name} has no tokens, and empty='error' refuses it; choose 'zero', 'skip' or 'one_if_both' to go on."
    raise ValueError(msg)


def _row_names(pairs: PairCounts, pair: int, start: int, inputs: Inputs) -> tuple[str, str]:
    """The two texts of a pair, as the user knows them."""
    example = int(np.searchsorted(pairs.offsets, pair, side="right")) - 1
    index = f"[{pair - pairs.offsets[example]}]" if inputs.reference_kind == "list" else ""
    return f"predictions[{start + example}]", f"references[{start + example}]{index}"


def _without_refused(pairs: PairCounts, start: int, inputs: Inputs, settings: RougeSettings) -> PairCounts:
    """Raise for the first pair that the convention's tool refuses, or count it as nothing."""
    refusals = pairs.refusals or []
    refused = [pair for pair, name in enumerate(refusals) if name]
    if settings.on_error == "raise":
        prediction, reference = _row_names(pairs, refused[0], start, inputs)
        msg = (
            f"{prediction} with {reference}: the tool that this convention reproduces raises an error for "
            f"{REFUSALS[refusals[refused[0]]]}. on_error='score' or 'zero' goes on."
        )
        raise ValueError(msg)
    counts = pairs.counts.copy()
    counts[refused, :, 0] = 0.0
    return dataclasses.replace(pairs, counts=counts)
