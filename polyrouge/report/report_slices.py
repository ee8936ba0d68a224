"""Slices in a report: which samples belong to them, and the scores of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.checks import NO_MEANS
from polyrouge.comparing.sample_slices import SampleSlice, reference_columns, slices_of
from polyrouge.comparing.sliced_scores import SlicedScores
from polyrouge.comparing.slices import sliced_columns, usual_baseline
from polyrouge.errors import hearing_warnings
from polyrouge.inputs import Inputs
from polyrouge.progress import Progress, telling_progress
from polyrouge.settings.rouge_settings import RougeSettings


class ReportSlices(NamedTuple):
    """The slices of a report.

    Attributes:
        slices: which samples belong to each.
        found: what the command prints of them.
    """

    slices: Sequence[SampleSlice]
    found: SlicedScores

    def page_index(self) -> dict[str, Any]:
        """What the page has in memory: the columns with the labels of their slices, and the numbers."""
        found = self.found.to_dict()
        for written, each in zip(found["differences"], self.found.differences, strict=True):
            written["shown_p"] = self.found.shown_p(each)
        return {"columns": [{"name": name, "labels": self._labels(name)} for name in self.found.columns], **found}

    def row_numbers(self, order: NDArray[np.int64]) -> dict[str, NDArray[np.integer]]:
        """``slices`` [column, row]: in which slice each row is, in an order; -1: in none."""
        columns = []
        for name in self.found.columns:
            labels = self._labels(name)
            places = np.full(len(order), -1)
            for each in self.slices:
                if each.column == name and each.label in labels:
                    places[each.rows] = labels.index(each.label)
            columns.append(places[order])
        return {"slices": np.stack(columns)}

    def _labels(self, column: str) -> list[str]:
        return [each.label for each in self.found.slices if each.column == column]


def report_slices(
    columns: Mapping[str, Any],
    inputs: Inputs,
    scores: Mapping[str, NDArray[np.float64]],
    settings: RougeSettings,
    keys: NDArray[np.uint64] | None,
    progress: Progress | None = None,
) -> ReportSlices | None:
    """Score the slices of a report; None where its means are none over samples, or there is no slice.

    Args:
        columns: name to one value for each sample; the length and number of references are added.
        inputs: of the first system.
        scores: of each system.
        settings: of the means, with an interval where these means can have one.
        keys: of the rows, for ``interval="poisson"``.
        progress: is told how many slices are done.
    """
    if settings.aggregate in NO_MEANS:
        return None
    of_references = reference_columns(inputs, settings)
    columns = {**columns, **{name: each for name, each in of_references.items() if name not in columns}}
    slices = slices_of(columns, len(inputs.predictions))
    if not slices:
        return None
    # Warnings are of small slices; the page says how many samples each has.
    with hearing_warnings(), telling_progress(progress, "slices", len(slices)):
        options = {"keys": keys, "baseline": usual_baseline(list(scores))}
        found = sliced_columns(scores, slices, settings.replace(output="fmeasure"), **options)
    return ReportSlices(slices, found) if found.slices else None
