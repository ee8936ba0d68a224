"""Measures beside the source of samples that come in chunks."""

import math
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.source_overlap.measures import (
    SOURCE_MEASURES,
    Fragment,
    SourceMeasures,
    SourceReader,
    SourceTokens,
    measured_tokens,
)
from polyrouge.source_overlap.unsupported import KnownParts, Unsupported, lacking_parts

UNSUPPORTED = ("unsupported_numbers", "unsupported_names")
"""Names of the columns that list what the source lacks."""

_MOST_SLICED = 3  # systems


class StreamedSources:
    """Measures of samples that come in chunks: the values of ``measure_sources``."""

    def __init__(self, settings: RougeSettings, n_systems: int = 1) -> None:
        self._reader = SourceReader(settings)
        self._values: list[array[float]] = [array("d") for _ in range(n_systems)]
        self._with_unsupported = [0] * n_systems

    def add(self, predictions: Sequence[Sequence[str]], sources: Sequence[str]) -> list[list[dict[str, Any]]]:
        """For each system and sample its measures by name, and two lists of what its source lacks."""
        rows: list[list[dict[str, Any]]] = [[] for _ in predictions]
        for source, *texts in zip(sources, *predictions, strict=True):
            tokens = list(map(self._reader.prediction, texts))
            by_system = self.add_read(texts, tokens, source, self._reader.source(source))
            for row, (_, lacking), values in zip(rows, by_system, self._values, strict=True):
                measures = dict(zip(SOURCE_MEASURES, values[-len(SOURCE_MEASURES) :], strict=True))
                row.append(known_means(measures) | dict(zip(UNSUPPORTED, map(list, lacking), strict=True)))
        return rows

    def add_read(
        self, texts: Sequence[str], tokens: Sequence[Sequence[str]], source: str, source_tokens: SourceTokens
    ) -> list[tuple[list[Fragment], Unsupported]]:
        """Measure a sample; returns for each system the fragments, and what the source lacks."""
        known = KnownParts(source)
        by_system = []
        for system, (text, read) in enumerate(zip(texts, tokens, strict=True)):
            measured, lacking = measured_tokens(read, source_tokens), lacking_parts(text, known)
            self._values[system].extend(measured.values)
            self._with_unsupported[system] += any(lacking)
            by_system.append((measured.fragments, lacking))
        return by_system

    def columns(self) -> NDArray[np.float64]:
        """float64[n_systems, n_samples, n_measures]: all measures so far."""
        return np.array(self._values, np.float64).reshape(len(self._values), -1, len(SOURCE_MEASURES))

    def means(self) -> list[dict[str, float]]:
        """The means of each system so far; ``unsupported`` is the share of samples with what their source lacks."""
        return [
            SourceMeasures(dict(zip(SOURCE_MEASURES, columns.T, strict=True)), "").means()
            | {"unsupported": lacking / len(columns)}
            for columns, lacking in zip(self.columns(), self._with_unsupported, strict=True)
        ]


def coverage_columns(names: Sequence[str], values: NDArray[np.float64]) -> dict[str, list[float]]:
    """The coverage of the first systems, to slice samples by; none of a system with the same for all samples."""
    columns = values[:_MOST_SLICED, :, SOURCE_MEASURES.index("coverage")]
    return {
        "coverage" if len(names) == 1 else f"coverage: {name}": column.tolist()
        for name, column in zip(names, columns, strict=False)
        if len(np.unique(column[~np.isnan(column)])) > 1
    }


def known_means(means: Mapping[str, float]) -> dict[str, float | None]:
    """The means for JSON: None for NaN."""
    return {name: None if math.isnan(value) else value for name, value in means.items()}
