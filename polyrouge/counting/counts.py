"""The result of counting: hits and totals of each pair of texts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

HitsAndTotals = tuple[float, float, float]
"""Hits, prediction total, reference total; whole numbers except for rougeW."""


@dataclass(frozen=True)
class Counts:
    """Sufficient statistics of a batch of samples; every (prediction, reference) pair is a row.

    Attributes:
        counts: float64[n_pairs, n_types, 3]: hits, prediction total, reference total.
        offsets: int64[n_samples + 1]: sample i has the pairs offsets[i] ... offsets[i + 1] - 1, one for each reference.
        prediction_tokens: int64[n_pairs]: tokens of the prediction.
        reference_tokens: int64[n_pairs]: tokens of the reference.
        refusals: for each pair the name of the error that the convention's tool raises, or ""; None if no pair has one.
        weighted_bases: float64[n_pairs]: the reference total of rougeW before it is weighted the second time; None
            if no choice between references needs it.
    """

    counts: NDArray[np.float64]
    offsets: NDArray[np.int64]
    prediction_tokens: NDArray[np.int64]
    reference_tokens: NDArray[np.int64]
    refusals: list[str] | None = None
    weighted_bases: NDArray[np.float64] | None = None

    @property
    def prediction_empty(self) -> NDArray[np.bool_]:
        """bool[n_pairs]: the prediction has no tokens."""
        return self.prediction_tokens == 0

    @property
    def reference_empty(self) -> NDArray[np.bool_]:
        """bool[n_pairs]: the reference has no tokens."""
        return self.reference_tokens == 0


def pair_counts_of(counted: Any, n_references: Sequence[int] | None = None) -> Counts:
    """Convert the kernel's ``Counted`` of samples with one reference each, or with ``n_references``."""
    counts, tokens = counted.to_arrays()
    return Counts(counts, pair_offsets(n_references, len(counts)), tokens[:, 0], tokens[:, 1])


def pair_offsets(n_references: Sequence[int] | None, n_pairs: int) -> NDArray[np.int64]:
    """Return ``Counts.offsets`` of samples with one reference each, or with ``n_references``."""
    return np.arange(n_pairs + 1) if n_references is None else np.cumsum([0, *n_references])


def concatenated(chunks: Sequence[Counts]) -> Counts:
    """Join chunks of samples."""
    if len(chunks) == 1:
        return chunks[0]
    sizes = np.concatenate([np.diff(chunk.offsets) for chunk in chunks])
    bases = [chunk.weighted_bases for chunk in chunks if chunk.weighted_bases is not None]
    return Counts(
        counts=np.concatenate([chunk.counts for chunk in chunks]),
        offsets=np.concatenate([[0], np.cumsum(sizes)]),
        prediction_tokens=np.concatenate([chunk.prediction_tokens for chunk in chunks]),
        reference_tokens=np.concatenate([chunk.reference_tokens for chunk in chunks]),
        weighted_bases=np.concatenate(bases) if bases else None,
    )


def batched(chunks: Iterable[Counts], n_pairs: int) -> Iterator[Counts]:
    """Join chunks until they have ``n_pairs``, so that numpy works on long columns."""
    waiting: list[Counts] = []
    for chunk in chunks:
        waiting.append(chunk)
        if sum(len(part.counts) for part in waiting) >= n_pairs:
            yield concatenated(waiting)
            waiting = []
    if waiting:
        yield concatenated(waiting)
