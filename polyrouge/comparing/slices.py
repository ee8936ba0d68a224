"""Compare systems slice by slice: on which kind of samples does one of them lose?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import PairedDifference
from polyrouge.comparing.systems import compare_columns
from polyrouge.errors import hearing_warnings, warn_user
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.scoring.p_values import holm_adjusted
from polyrouge.scoring.pipeline import score_samples

_FEWEST = 2  # samples that can be compared
_MOST_VALUES = 8  # of numbers; more are cut into quarters
_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class SlicedDifference:
    """Two systems compared on one slice, under one key.

    Attributes:
        column: what the samples are sliced by.
        label: of the slice.
        n_samples: how many samples are in it.
        first_mean: mean of the first system, times ``scale``.
        second_mean: mean of the second.
        pair: what ``compare_systems`` gives for these samples; its corrected p values are over the pairs of systems.
        p_holm: p of paired approximate randomization after Holm's correction over all slices and pairs, for this key.
    """

    column: str
    label: str
    n_samples: int
    first_mean: float
    second_mean: float
    pair: PairedDifference
    p_holm: float


def compare_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | None = None,
    *,
    n_resamples: int | None = None,
) -> list[SlicedDifference]:
    """Compare systems on slices of the samples.

    All numbers of a slice are those that ``compare_systems`` gives for its samples. The p values are corrected for how
    many slices were looked at.

    Args:
        systems: two or more: name to predictions, as for ``compare_systems``.
        references: as for ``Rouge.compute``.
        slices: name of a column to one value for each sample: a topic, a source, a length. Numbers of more than eight
            different values are cut at their quartiles; a missing value (None, NaN) is in no slice. None: slices by the
            length of the first reference in tokens, and by the number of references.
        rouge: the metric; ``Rouge()`` if None.
        n_resamples: of each test; as ``compare_systems``.

    Returns:
        One for each slice of two samples or more, pair of systems and key; those where the first system of the pair
        loses most come first.

    Raises:
        TypeError, ValueError: as ``compare_systems``; or a column has not as many values as there are samples.
    """
    rouge = rouge or Rouge()
    references = references if isinstance(references, (list, str)) else list(references)
    inputs = {name: check_inputs(predictions, references) for name, predictions in systems.items()}
    scores = {name: score_samples(each, rouge.settings).scores for name, each in inputs.items()}
    n_rows = len(references)
    if slices is None:
        first = next(iter(inputs.values()))
        slices = _of_references(first.predictions, references, rouge)
    found: list[SlicedDifference] = []
    with hearing_warnings() as heard:
        for column, values in slices.items():
            for label, rows in _rows_by_label(column, list(values), n_rows):
                found += _compared(
                    column, label, {name: each[rows] for name, each in scores.items()}, rouge, n_resamples
                )
    for message in {each[:20]: each for each in reversed(heard)}.values():  # of many slices the first that said so
        warn_user(message)
    return sorted(_corrected(found), key=lambda each: each.pair.difference)


def _of_references(predictions: Any, references: Any, rouge: Rouge) -> dict[str, Any]:
    """The length of the first reference of each row in tokens, and how many references it has."""
    counted = rouge.count(predictions, references, rouge_types=["rouge1"], weights=None)
    lengths = counted.counts[counted.offsets[:-1], 0, 2]
    return {"reference length": lengths.tolist(), "references": np.diff(counted.offsets).tolist()}


def _rows_by_label(column: str, values: Sequence[Any], n_rows: int) -> list[tuple[str, NDArray[np.int64]]]:
    """The slices of a column, in order: label and rows."""
    if len(values) != n_rows:
        msg = f"The column {column!r} has {len(values)} values but there are {n_rows} samples; give one for each."
        raise ValueError(msg)
    labels = _labels(values)
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        if label is not None:
            rows.setdefault(label, []).append(row)
    return [(label, np.array(each)) for label, each in rows.items() if len(each) >= _FEWEST]


def _labels(values: Sequence[Any]) -> list[str | None]:
    known = [value for value in values if not _is_missing(value)]
    is_number = bool(known) and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in known)
    if not is_number or len(set(known)) <= _MOST_VALUES:
        return [None if _is_missing(value) else _written(value) for value in values]
    edges = sorted(set(np.quantile(known, _QUARTERS, method="inverted_cdf").tolist()))
    names = [f"≤ {edges[0]:g}", *(f"{low:g} – {high:g}" for low, high in pairwise(edges))]
    names.append(f"> {edges[-1]:g}")
    return [None if _is_missing(value) else names[int(np.searchsorted(edges, value))] for value in values]


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _compared(
    column: str, label: str, scores: dict[str, NDArray[np.float64]], rouge: Rouge, n_resamples: int | None
) -> list[SlicedDifference]:
    found = compare_columns(scores, rouge.settings, n_resamples=n_resamples)
    means = {
        (system, key): float(found.means[row, place])
        for row, system in enumerate(found.systems)
        for place, key in enumerate(found.keys)
    }
    return [
        SlicedDifference(
            column=column,
            label=label,
            n_samples=found.n_samples,
            first_mean=means[pair.first, pair.key],
            second_mean=means[pair.second, pair.key],
            pair=pair,
            p_holm=pair.p_randomization,
        )
        for pair in found.pairs
    ]


def _corrected(found: Sequence[SlicedDifference]) -> list[SlicedDifference]:
    """The same with p values corrected over all slices and pairs of each key."""
    corrected = []
    for key in dict.fromkeys(each.pair.key for each in found):
        of_key = [each for each in found if each.pair.key == key]
        adjusted = holm_adjusted(np.array([[each.pair.p_randomization] for each in of_key]))[:, 0].tolist()
        corrected += [SlicedDifference(**{**vars(each), "p_holm": p}) for each, p in zip(of_key, adjusted, strict=True)]
    return corrected
