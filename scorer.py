"""The pipeline: checked texts and settings to counts, to one score an example and type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .documents import Document, DocumentReader
from .inputs import Inputs
from .plain_engine import count_pair
from .rouge_types import parse_rouge_type
from .scores import PairCounts, combine_references, scores_from_counts
from .settings import RougeSettings

__all__ = ["ExampleScores", "count_pairs", "score_examples"]

_CHUNK_PAIRS = 250  # documents of about so many pairs are held at once


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


def score_examples(inputs: Inputs, settings: RougeSettings) -> ExampleScores:
    """Score every example; memory for texts is bounded by a chunk, not by the corpus.

    Raises:
        ValueError: ``settings.empty`` is ``"error"`` and a text has no tokens; the row is named.
    """
    power = 1 / settings.weight
    kinds = [parse_rouge_type(name).kind for name in settings.rouge_types]
    powers = [power if kind == "weighted_lcs" else None for kind in kinds]
    parts = [
        combine_references(
            pairs,
            settings.multi_reference,
            settings.empty,
            lambda counts: scores_from_counts(counts, settings.beta, powers),
        )
        for pairs in _count_chunks(inputs, settings)
    ]
    scores, best = zip(*parts, strict=True)
    return ExampleScores(np.concatenate(scores), np.concatenate(best))


def count_pairs(inputs: Inputs, settings: RougeSettings) -> PairCounts:
    """Count every pair: the sufficient statistics of all scores."""
    chunks = list(_count_chunks(inputs, settings))
    sizes = np.concatenate([np.diff(chunk.offsets) for chunk in chunks])
    return PairCounts(
        counts=np.concatenate([chunk.counts for chunk in chunks]),
        offsets=np.concatenate([[0], np.cumsum(sizes)]),
        prediction_empty=np.concatenate([chunk.prediction_empty for chunk in chunks]),
        reference_empty=np.concatenate([chunk.reference_empty for chunk in chunks]),
    )


def _count_chunks(inputs: Inputs, settings: RougeSettings) -> Iterator[PairCounts]:
    reader = DocumentReader(settings)
    start = 0
    while start < len(inputs.predictions):
        stop, n_pairs = start, 0
        while stop < len(inputs.predictions) and n_pairs < _CHUNK_PAIRS:
            n_pairs += len(inputs.references[stop])
            stop += 1
        yield _count_chunk(inputs, start, stop, reader, settings)
        start = stop
    reader.warn()


def _count_chunk(inputs: Inputs, start: int, stop: int, reader: DocumentReader, settings: RougeSettings) -> PairCounts:
    documents: dict[str, Document] = {}  # each distinct text of the chunk is tokenized once

    def read(text: str) -> Document:
        document = documents.get(text)
        if document is None:
            document = documents[text] = reader.read(text)
        return document

    rows, prediction_empty, reference_empty = [], [], []
    for row in range(start, stop):
        prediction = read(inputs.predictions[row])
        for index, text in enumerate(inputs.references[row]):
            reference = read(text)
            if settings.empty == "error":
                _refuse_empty(prediction, reference, row, index if inputs.reference_kind == "list" else None)
            rows.append(count_pair(prediction, reference, settings))
            prediction_empty.append(not prediction.tokens)
            reference_empty.append(not reference.tokens)
    sizes = [len(references) for references in inputs.references[start:stop]]
    return PairCounts(
        counts=np.array(rows, dtype=np.float64),
        offsets=np.concatenate([[0], np.cumsum(sizes)]),
        prediction_empty=np.array(prediction_empty),
        reference_empty=np.array(reference_empty),
    )


def _refuse_empty(prediction: Document, reference: Document, row: int, index: int | None) -> None:
    if prediction.tokens and reference.tokens:
        return
    name = f"references[{row}]" + ("" if index is None else f"[{index}]")
    msg = (
        f"{name if prediction.tokens else f'predictions[{row}]'} has no tokens, and empty='error' refuses it; "
        "choose 'zero', 'skip' or 'one_if_both' to go on."
    )
    raise ValueError(msg)
