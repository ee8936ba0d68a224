"""Sources in a report: measures of each sample, and what was copied from where."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.source_overlap.measures import (
    SOURCE_MEASURES,
    Fragment,
    StreamedSources,
    read_with_sources,
    token_rows,
)
from polyrouge.counting.texts import Texts
from polyrouge.inputs import Inputs, is_blank
from polyrouge.progress import tell_progress
from polyrouge.results import known_values
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

_SHOWN = tuple(name for name in SOURCE_MEASURES if name not in ("novel_1", "novel_3"))
_LARGEST = 200_000.0  # measure of a sample on the page, whose whole numbers end there
Spans = Sequence[Sequence[int]]  # of tokens: start and end, -1 for one that is not in the text


class ReportSources:
    """The sources of a report's samples, as ``measure_sources`` takes them, and what each system shares with them."""

    def __init__(
        self,
        systems: Mapping[str, Inputs],
        sources: Sequence[str],
        settings: RougeSettings,
        run: RunOptions,
        texts: Texts,
    ) -> None:
        """``texts`` are those of the systems, with the sources if they have the same tokens."""
        if len(texts.sources) != len(sources):
            texts = read_with_sources([inputs.predictions for inputs in systems.values()], sources, settings, run)
        self._texts = sources
        self._fragments: list[list[array[int]]] = [[] for _ in systems]
        stream = StreamedSources(settings, run, len(systems))
        read = texts.read
        spans = [read.spans[start:end] for start, end in pairwise(read.tokens.text_tokens.tolist())]
        for row, (tokens, source_tokens) in enumerate(token_rows(texts)):
            of_source = spans[texts.sources[row]].tolist()
            for system, fragments in enumerate(stream.add_read(tokens, source_tokens)):
                number = texts.predictions[system, row]
                shown = [] if is_blank(read.texts[number]) else fragments
                self._fragments[system].append(_packed_fragments(shown, spans[number].tolist(), of_source))
            tell_progress(1)
        self._values, self.coverage = stream.columns(), stream.coverage()
        self.means = dict(zip(systems, stream.means(), strict=True))  # as `polyrouge compare --source-column` prints

    def page_index(self) -> dict[str, Any]:
        """What the page has in memory: the names of the measures that it shows, and all means of each system."""
        return {"measures": _SHOWN, "means": list(map(known_values, self.means.values()))}

    def row_numbers(self, order: NDArray[np.int64]) -> dict[str, NDArray[np.integer]]:
        """Whole numbers of all rows, in an order: ``sources`` [system, measure, row], times 10,000, -1 for none."""
        columns = [SOURCE_MEASURES.index(name) for name in _SHOWN]
        values = np.minimum(self._values[:, order][:, :, columns].transpose(0, 2, 1), _LARGEST)
        return {"sources": ten_thousandths(values)}

    def page_row(self, row: int) -> dict[str, Any]:
        """Source ``x``, and for each system its ``f``, see ``_packed_fragments``."""
        return {"x": self._texts[row], "f": [rows[row].tolist() for rows in self._fragments]}


def _packed_fragments(fragments: Sequence[Fragment], prediction: Spans, source: Spans) -> array[int]:
    """Fragments as characters of both texts, four small numbers each, which take little room in a compressed page.

    In the prediction the gap to the fragment before, and the length; in the source the distance from the end of the
    fragment before (below 0: it begins earlier), and how much longer it is there.
    """
    packed = array("i")
    end, end_in_source = 0, 0
    for each in fragments:
        ours = _span(prediction, each.prediction, each.length)
        theirs = _span(source, each.source, each.length)
        if ours and theirs:
            length = ours[1] - ours[0]
            packed.extend((ours[0] - end, length, theirs[0] - end_in_source, theirs[1] - theirs[0] - length))
            end, end_in_source = ours[1], theirs[1]
    return packed


def _span(spans: Spans, place: int, length: int) -> tuple[int, int] | None:
    """The start of the first of some tokens and the end of the last; None if none of them is in the text."""
    known = [(start, end) for start, end in spans[place : place + length] if start >= 0]
    return (known[0][0], known[-1][1]) if known else None


def ten_thousandths(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Values times 10,000 as whole numbers; -1 in place of NaN."""
    return np.where(np.isnan(values), -1, np.rint(values * 10_000)).astype(np.int64)
