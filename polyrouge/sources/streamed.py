"""Measures beside the source of samples that come in chunks."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import hearing_warnings
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.fragments import Fragment, SourceTokens
from polyrouge.sources.measures import SOURCE_MEASURES, SourceMeasures, SourceReader, measured_tokens
from polyrouge.sources.unsupported import KnownParts, Unsupported, lacking_parts

UNSUPPORTED = ("unsupported_numbers", "unsupported_names")
"""Names of the columns that list what the source lacks."""

_MOST_SLICED = 3  # systems whose coverage makes slices


class ReadTexts(NamedTuple):
    """The predictions of all systems for one sample, and its source.

    Attributes:
        predictions: of each system.
        source: the text that they were made from.
        tokens: of each prediction.
        source_tokens: of the source.
    """

    predictions: Sequence[str]
    source: str
    tokens: Sequence[Sequence[str]]
    source_tokens: SourceTokens


class BesideSource(NamedTuple):
    """What was found of one prediction.

    Attributes:
        values: the measures, in the order of ``SOURCE_MEASURES``.
        fragments: which runs of tokens its source has too.
        lacking: the numbers and names that its source lacks.
    """

    values: list[float]
    fragments: list[Fragment]
    lacking: Unsupported


class StreamedSources:
    """Measures of samples that come in chunks; together they are those of ``measure_sources``.

    Args:
        settings: which say what a token is.
        n_systems: how many systems there are.
    """

    def __init__(self, settings: RougeSettings, n_systems: int = 1) -> None:
        self._settings = settings
        self._reader: SourceReader | None = None
        self._values: list[array[float]] = [array("d") for _ in range(n_systems)]
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
        if self._reader is None:  # only now, as the scores that were made before may have loaded kernels
            self._reader = SourceReader(self._settings)
        rows: list[list[dict[str, Any]]] = [[] for _ in predictions]
        with hearing_warnings():  # what looks wrong in texts is said where they are scored
            for source, *texts in zip(sources, *predictions, strict=True):
                tokens = list(map(self._reader.prediction, texts))
                found = self.add_read(ReadTexts(texts, source, tokens, self._reader.source(source)))
                for of_system, (values, _, lacking) in zip(rows, found, strict=True):
                    defined = (None if value != value else value for value in values)
                    columns = (*SOURCE_MEASURES, *UNSUPPORTED)
                    of_system.append(dict(zip(columns, (*defined, *map(list, lacking)), strict=True)))
        return rows

    def add_read(self, sample: ReadTexts) -> list[BesideSource]:
        """Measure one more sample whose texts are read, for each system."""
        known = KnownParts(sample.source)
        found = []
        for system, (text, tokens) in enumerate(zip(sample.predictions, sample.tokens, strict=True)):
            measured = measured_tokens(tokens, sample.source_tokens)
            lacking = lacking_parts(text, known)
            self._values[system].extend(measured.values)
            self._with_unsupported[system] += any(lacking)
            found.append(BesideSource(*measured, lacking))
        return found

    def columns(self) -> NDArray[np.float64]:
        """float64[n_systems, n_samples, n_measures]: all measures so far."""
        return np.array(self._values, np.float64).reshape(len(self._values), -1, len(SOURCE_MEASURES))

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
