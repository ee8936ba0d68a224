"""Measures beside the source of samples that come in chunks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.measures import SOURCE_MEASURES, SourceMeasures, SourceMeter
from polyrouge.sources.unsupported import known_parts, lacking_parts

UNSUPPORTED = ("unsupported_numbers", "unsupported_names")
"""Names of the columns that list what the source lacks."""

_MOST_SLICED = 3  # systems whose coverage makes slices


class StreamedSources:
    """Measures of samples that come in chunks; together they are those of ``measure_sources``.

    Args:
        settings: which say what a token is.
        n_systems: how many systems there are.
    """

    def __init__(self, settings: RougeSettings, n_systems: int = 1) -> None:
        self._meter = SourceMeter(settings)
        self._parts: list[NDArray[np.float64]] = []
        self._with_unsupported = [0] * n_systems

    def add(self, predictions: Sequence[Sequence[str]], sources: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Measure some more samples.

        Args:
            predictions: of each system.
            sources: the text that each sample was made from.

        Returns:
            For each system and sample its measures by their names, None where not defined, and two lists of what its
            source lacks.
        """
        rows: list[list[dict[str, Any]]] = [[] for _ in predictions]
        measured = np.empty((len(predictions), len(sources), len(SOURCE_MEASURES)))
        for row, source in enumerate(sources):
            texts = [of_system[row] for of_system in predictions]
            known = known_parts(source)
            for system, values in enumerate(self._meter.measure(texts, source)):
                measured[system, row] = values
                lacking = lacking_parts(texts[system], known)
                self._with_unsupported[system] += any(lacking)
                defined = (None if value != value else value for value in values)
                rows[system].append(
                    dict(zip((*SOURCE_MEASURES, *UNSUPPORTED), (*defined, *map(list, lacking)), strict=True))
                )
        self._parts.append(measured)
        return rows

    def columns(self) -> NDArray[np.float64]:
        """float64[n_systems, n_samples, n_measures]: all measures so far."""
        return np.concatenate(self._parts, axis=1)

    def means(self) -> list[dict[str, float]]:
        """For each system the means so far; ``unsupported``: the share of samples with what their source lacks."""
        return [
            {
                **SourceMeasures(dict(zip(SOURCE_MEASURES, columns.T, strict=True)), "").means(),
                "unsupported": lacking / len(columns),
            }
            for columns, lacking in zip(self.columns(), self._with_unsupported, strict=True)
        ]


def coverage_columns(names: Sequence[str], values: NDArray[np.float64]) -> dict[str, list[float]]:
    """Columns to slice samples by: the coverage of the first systems, without those that copy all samples as much.

    Args:
        names: of the systems.
        values: what ``StreamedSources.columns`` gives.
    """
    chosen = list(zip(names, values[..., SOURCE_MEASURES.index("coverage")], strict=True))[:_MOST_SLICED]
    return {
        "coverage" if len(names) == 1 else f"coverage: {name}": each.tolist()
        for name, each in chosen
        if len(np.unique(each[~np.isnan(each)])) > 1
    }


def known_means(means: Mapping[str, float]) -> dict[str, float | None]:
    """The means for JSON, which has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in means.items()}
