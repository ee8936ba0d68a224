"""Sources in a report: measures of each sample, what was copied from where, and what the source lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.explaining.explanation import UnitMatcher
from polyrouge.explaining.token_places import PlacedToken
from polyrouge.inputs import Inputs, is_blank
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.fragments import SourceTokens, extractive_fragments
from polyrouge.sources.measures import SOURCE_MEASURES, checked_sources, without_limits
from polyrouge.sources.streamed import UNSUPPORTED, StreamedSources, coverage_columns, known_means

_ROWS_AT_ONCE = 200
_LARGEST = 200_000.0  # measure of a sample on the page, whose whole numbers end there


class ReportSources:
    """The sources of a report's samples.

    Args:
        systems: the texts of each system.
        sources: as for ``measure_sources``.
        names: of the systems.
        settings: which say what a token is.
        progress: is told how many rows are measured; what it raises ends the work.

    Attributes:
        means: by the name of a system its means, as ``polyrouge compare --source-column`` prints them.
    """

    def __init__(
        self,
        systems: Sequence[Inputs],
        sources: Any,
        names: Sequence[str],
        settings: RougeSettings,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._texts = checked_sources(systems[0].predictions, sources)
        self._systems = systems
        self._names = names
        stream = StreamedSources(settings, len(systems))
        self._rows: list[list[dict[str, Any]]] = [[] for _ in systems]
        for start in range(0, len(self._texts), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            found = stream.add([inputs.predictions[rows] for inputs in systems], self._texts[rows])
            for known, more in zip(self._rows, found, strict=True):
                known += more
            if progress is not None:
                progress(min(start + _ROWS_AT_ONCE, len(self._texts)))
        self._values = stream.columns()
        self._matcher = UnitMatcher(without_limits(settings))
        self.means = dict(zip(names, stream.means(), strict=True))

    def slice_columns(self) -> dict[str, list[float]]:
        """Columns to slice the samples by: the coverage of the first systems."""
        return coverage_columns(self._names, self._values)

    def page_index(self) -> dict[str, Any]:
        """What the page has in memory: the names of the measures, and the means of each system."""
        return {"measures": SOURCE_MEASURES, "means": list(map(known_means, self.means.values()))}

    def row_numbers(self, order: NDArray[np.int64]) -> dict[str, NDArray[np.integer]]:
        """Whole numbers of all rows, in an order.

        ``sources`` [system, measure, row]: times 10,000, -1 where not defined; ``lacking`` [system, row]: how many
        numbers and names the source lacks.
        """
        values = self._values[:, order].transpose(0, 2, 1)
        whole = np.where(np.isnan(values), -1, np.rint(np.minimum(values, _LARGEST) * 10_000)).astype(np.int64)
        lacking = [[sum(len(rows[row][name]) for name in UNSUPPORTED) for row in order.tolist()] for rows in self._rows]
        return {"sources": whole, "lacking": np.array(lacking)}

    def page_row(self, row: int) -> dict[str, Any]:
        """One row.

        Keys: ``x`` the source; for each system ``f`` its fragments, each the first character and the one behind the
        last in the prediction and in the source, and ``u`` the numbers and the names that the source lacks.
        """
        placed = self._matcher.place_reference(self._texts[row]).tokens
        source = SourceTokens([each.token for each in placed])
        fragments = []
        for inputs in self._systems:
            text = inputs.predictions[row]
            tokens = () if is_blank(text) else self._matcher.place_prediction(text).tokens
            found = extractive_fragments([each.token for each in tokens], source)
            spans = (
                [
                    *_span(tokens[each.prediction : each.prediction + each.length]),
                    *_span(placed[each.source : each.source + each.length]),
                ]
                for each in found
            )
            fragments.append([span for span in spans if len(span) == 4])
        lacking = [[rows[row][name] for name in UNSUPPORTED] for rows in self._rows]
        return {"x": self._texts[row], "f": fragments, "u": lacking}


def _span(tokens: Sequence[PlacedToken]) -> list[int]:
    """The first character of some tokens and the one behind their last; nothing if none of them is in the text."""
    starts = [each.start for each in tokens if each.start is not None]
    ends = [each.end for each in tokens if each.end is not None]
    return [min(starts), max(ends)] if starts and ends else []
