"""Measures beside the source of samples that come in chunks."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.measures import SOURCE_MEASURES, SourceMeasures, measure_rows
from polyrouge.sources.unsupported import unsupported_parts

UNSUPPORTED = ("unsupported_numbers", "unsupported_names")
"""Names of the columns that list what the source lacks."""


class StreamedSources:
    """Measures of samples that come in chunks; together they are those of ``measure_sources``.

    Args:
        settings: which say what a token is.
    """

    def __init__(self, settings: RougeSettings) -> None:
        self._settings = settings
        self._parts: list[SourceMeasures] = []
        self._with_unsupported = 0

    def add(self, predictions: list[str], sources: list[str]) -> list[dict[str, Any]]:
        """Measure some more samples.

        Returns:
            For each its measures by their names, None where not defined, and two lists of what its source lacks.
        """
        found = measure_rows(zip(predictions, sources, strict=True), self._settings)
        self._parts.append(found)
        rows = []
        for row, (prediction, source) in enumerate(zip(predictions, sources, strict=True)):
            values = {name: float(column[row]) for name, column in found.columns.items()}
            lacking = unsupported_parts(prediction, source)
            self._with_unsupported += any(lacking)
            known = {name: None if value != value else value for name, value in values.items()}
            rows.append({**known, **dict(zip(UNSUPPORTED, map(list, lacking), strict=True))})
        return rows

    def means(self) -> dict[str, float]:
        """The means of all samples so far; ``unsupported``: the share that has numbers or names its source lacks."""
        columns = {name: np.concatenate([part.columns[name] for part in self._parts]) for name in SOURCE_MEASURES}
        n = len(columns[SOURCE_MEASURES[0]])
        return {**SourceMeasures(columns, "").means(), "unsupported": self._with_unsupported / n}
