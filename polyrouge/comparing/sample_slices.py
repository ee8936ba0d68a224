"""Slices of samples: which rows share a value of a column, or a range of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_pairs
from polyrouge.errors import warn_user
from polyrouge.inputs import Inputs
from polyrouge.settings.rouge_settings import RougeSettings

FEWEST_SAMPLES = 2
"""In a slice; fewer can't be compared."""

REFERENCE_COLUMNS = ("reference length", "references")
"""Names of the columns that the references make."""

_MOST_NUMBERS = 8  # different ones that are slices by themselves; more are cut into quarters
_MOST_SLICES = 100  # of a column
_QUARTERS = (0.25, 0.5, 0.75)


class SampleSlice(NamedTuple):
    """Some samples of one column, which they are sliced by."""

    column: str
    label: str  # the value, or the range of values, that they share
    rows: NDArray[np.int64]  # which samples


def slices_of(columns: Mapping[str, Any], n_rows: int) -> list[SampleSlice]:
    """The slices of two samples or more, but not all; ``columns`` as for ``compare_slices``."""
    found = []
    for column, values in columns.items():
        found += _slices_of_column(column, list(values), n_rows)
    return found


def reference_columns(inputs: Inputs, settings: RougeSettings) -> dict[str, list[int]]:
    """The length of the first reference of each sample in tokens, and how many references it has."""
    counted = count_pairs(inputs, settings.replace(rouge_types=("rouge1",), weights=None))
    lengths = counted.counts[counted.offsets[:-1], 0, 2].astype(np.int64)
    return dict(zip(REFERENCE_COLUMNS, (lengths.tolist(), np.diff(counted.offsets).tolist()), strict=True))


def _slices_of_column(column: str, values: Sequence[Any], n_rows: int) -> list[SampleSlice]:
    if len(values) != n_rows:
        raise ValueError(
            f"The column {column!r} has {len(values)} values but there are {n_rows} samples; give one for each."
        )
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(_labels(column, values)):
        if label is not None:
            rows.setdefault(label, []).append(row)
    found = [
        SampleSlice(column, label, np.array(each))
        for label, each in rows.items()
        if FEWEST_SAMPLES <= len(each) < n_rows
    ]
    if not found and column not in REFERENCE_COLUMNS:
        warn_user(
            f"The column {column!r} makes no slice: no value of it stands in two samples or more, but not in all."
        )
    return found


def _labels(column: str, values: Sequence[Any]) -> list[str | None]:
    known = [value for value in values if not _is_missing(value)]
    for row, value in enumerate(values):
        if not isinstance(value, (str, int, float, np.integer, np.floating, np.bool_)) and value is not None:
            raise ValueError(
                f"The column {column!r} has {type(value).__name__} in row {row}; samples are sliced by a text, a "
                "number, a truth value or None in each row."
            )
    is_number = bool(known) and all(
        isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in known
    )
    different = set(known)
    if not is_number or len(different) <= _MOST_NUMBERS:
        if len(different) > _MOST_SLICES:
            raise ValueError(
                f"The column {column!r} has {len(different)} different values, of which slices are made of at most "
                f"{_MOST_SLICES}; group them first, or give numbers, which are cut at their quartiles."
            )
        return [None if _is_missing(value) else _written(value) for value in values]
    below = [value for value in known if value < max(different)]  # nothing lies above an edge at the largest
    quartiles = set(np.quantile(known, _QUARTERS, method="inverted_cdf").tolist())
    edges = sorted(quartiles.intersection(below)) or [max(below)]
    written = _written_apart(edges)
    names = [f"≤ {written[0]}", *(f"{low} – {high}" for low, high in pairwise(written)), f"> {written[-1]}"]
    return [None if _is_missing(value) else names[int(np.searchsorted(edges, value))] for value in values]


def _written_apart(edges: Sequence[float]) -> list[str]:
    """Numbers with four digits, or as many more as tell them apart; whole ones with all of theirs."""
    for digits in range(4, 18):
        written = [f"{edge:.0f}" if float(edge).is_integer() else f"{edge:.{digits}g}" for edge in edges]
        if len(set(written)) == len(edges):
            return written
    return list(map(repr, edges))


def _written(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, (float, np.floating)) else str(value)


def _is_missing(value: Any) -> bool:
    return value is None or bool(isinstance(value, (float, np.floating)) and value != value)
