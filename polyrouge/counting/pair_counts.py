"""What counting hands to scoring: hits and totals of each pair of texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["PairCounts"]


@dataclass(frozen=True)
class PairCounts:
    """Sufficient statistics of a batch of examples; every (prediction, reference) pair is a row.

    Attributes:
        counts: float64[n_pairs, n_types, 3]: hits, prediction total, reference total.
        offsets: int64[n_examples + 1]: pairs offsets[i] ... offsets[i + 1] - 1 are those of
            example i, one for each of its references.
        prediction_empty: bool[n_pairs]: the prediction has no tokens.
        reference_empty: bool[n_pairs]: the reference has no tokens.
        refusals: for each pair the name of what the convention's tool raises an error for, or "";
            None where there is no such pair, or nobody asked.
        weighted_bases: float64[n_pairs]: the reference total of rougeW before it is weighted the
            second time; None where no choice between references looks at it.
    """

    counts: NDArray[np.float64]
    offsets: NDArray[np.int64]
    prediction_empty: NDArray[np.bool_]
    reference_empty: NDArray[np.bool_]
    refusals: list[str] | None = None
    weighted_bases: NDArray[np.float64] | None = None
