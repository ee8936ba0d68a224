"""The counting loop: checked texts in, the counts of every pair out, chunk by chunk."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from polyrouge.counting.engines import run_chunks
from polyrouge.counting.pair_counts import PairCounts, concatenated
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.progress import tell_progress
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.stages import REFUSALS


def count_in_chunks(inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None) -> Iterator[PairCounts]:
    """Counts of chunk after chunk, in the order of the samples; ``notes`` take what looks wrong in the texts.

    Raises a ``ValueError`` that names the row where ``empty="error"`` or ``on_error="raise"`` refuses a text.
    """
    text_rules, count_rules = settings.text_rules, settings.count_rules
    notes = notes or TextNotes(text_rules)
    inputs = as_the_tool_sees_them(inputs, settings, notes)
    start = 0
    for pairs, chunk_notes in run_chunks(inputs, text_rules, count_rules, settings.run_options):
        notes.merge(chunk_notes)
        notes.look_at(inputs, start, start + len(pairs.offsets) - 1)
        if settings.empty == "error":
            _refuse_empty(pairs, start, inputs)
        if pairs.refusals is not None:
            pairs = _without_refused(pairs, start, inputs, settings)
        start += len(pairs.offsets) - 1
        tell_progress(len(pairs.offsets) - 1)
        yield pairs


def count_pairs(inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None) -> PairCounts:
    """Count every pair: the sufficient statistics of all scores; see ``count_in_chunks``."""
    return concatenated(list(count_in_chunks(inputs, settings, notes)))


def as_the_tool_sees_them(inputs: Inputs, settings: RougeSettings, notes: TextNotes | None = None) -> Inputs:
    """The first reference of each row, where the convention's tool knows no others."""
    has_one_each = isinstance(inputs.references, SingleReferences)
    if settings.multi_reference == "first" and not has_one_each and any(len(row) > 1 for row in inputs.references):
        if notes is not None:
            notes.leaves_references = True
        inputs = inputs._replace(references=[row[:1] for row in inputs.references])
    return inputs


def _refuse_empty(pairs: PairCounts, start: int, inputs: Inputs) -> None:
    """Raise for the first pair in which a text has no tokens."""
    bad = np.flatnonzero(pairs.prediction_empty | pairs.reference_empty)
    if len(bad) == 0:
        return
    of_prediction, of_reference = _row_names(pairs, int(bad[0]), start, inputs)
    name = of_prediction if pairs.prediction_empty[bad[0]] else of_reference
    raise ValueError(
        f"{name} has no tokens, and empty='error' refuses it; choose 'zero', 'skip' or 'one_if_both' to go on."
    )


def _row_names(pairs: PairCounts, pair: int, start: int, inputs: Inputs) -> tuple[str, str]:
    """The two texts of a pair, as the user knows them."""
    sample = int(np.searchsorted(pairs.offsets, pair, side="right")) - 1
    index = f"[{pair - pairs.offsets[sample]}]" if inputs.reference_kind == "list" else ""
    return inputs.row_name(0, start + sample), f"{inputs.row_name(1, start + sample)}{index}"


def _without_refused(pairs: PairCounts, start: int, inputs: Inputs, settings: RougeSettings) -> PairCounts:
    """Raise for the first pair that the convention's tool refuses, or count it as nothing."""
    refusals = pairs.refusals or []
    refused = [pair for pair, name in enumerate(refusals) if name]
    if settings.on_error == "raise":
        prediction, reference = _row_names(pairs, refused[0], start, inputs)
        raise ValueError(
            f"{prediction} with {reference}: the tool that this convention reproduces raises an error for "
            f"{REFUSALS[refusals[refused[0]]]}. on_error='score' or on_error='zero' goes on."
        )
    counts = pairs.counts.copy()
    counts[refused, :, 0] = 0.0
    return dataclasses.replace(pairs, counts=counts)
