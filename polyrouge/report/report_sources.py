"""Sources in a report: measures of each sample, and what was copied from where."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
from polyrouge.explaining.token_offsets import TokenColumns, placers_by_side
from polyrouge.inputs import Inputs, is_blank
from polyrouge.progress import tell_progress
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.source_overlap.measures import (
    SOURCE_MEASURES,
    Fragment,
    SourceReader,
    SourceTokens,
    StreamedSources,
    checked_sources,
    extractive_fragments,
    without_limits,
)
from polyrouge.tables.result_table import known_values

_SHOWN = tuple(name for name in SOURCE_MEASURES if name not in ("novel_1", "novel_3"))
_LARGEST = 200_000.0  # measure of a sample on the page, whose whole numbers end there


class ReportSources:
    """The sources of a report's samples, as ``measure_sources`` takes them, and what each system shares with them."""

    def __init__(self, systems: Mapping[str, Inputs], sources: Any, settings: RougeSettings) -> None:
        self._texts = checked_sources(next(iter(systems.values())).predictions, sources)
        self._fragments: list[list[array[int]]] = [[] for _ in systems]
        stream = StreamedSources(settings, len(systems))
        reader = SourceReader(settings)
        placers = of_prediction, of_source = placers_by_side(without_limits(settings), compiled_jieba_cutter)
        # Whether the tokens that have places are those that the measures are of.
        are_measured = all(placer.finds_read_tokens for placer in placers)
        for row, source in enumerate(self._texts):
            predictions = [inputs.predictions[row] for inputs in systems.values()]
            placed_source = of_source.columns(source).whole
            placed_tokens = SourceTokens(placed_source.tokens)
            nothing = TokenColumns([], [], [])
            placed = [nothing if is_blank(text) else of_prediction.columns(text).whole for text in predictions]
            tokens = [
                each.tokens if are_measured and not is_blank(text) else reader.prediction(text)
                for each, text in zip(placed, predictions, strict=True)
            ]
            source_tokens = placed_tokens if are_measured else reader.source(source)
            for system, fragments in enumerate(stream.add_read(tokens, source_tokens)):
                if not are_measured:  # other stems may make other fragments
                    fragments = extractive_fragments(placed[system].tokens, placed_tokens)
                self._fragments[system].append(_packed_fragments(fragments, placed[system], placed_source))
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


def _packed_fragments(fragments: Sequence[Fragment], prediction: TokenColumns, source: TokenColumns) -> array[int]:
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


def _span(tokens: TokenColumns, place: int, length: int) -> tuple[int, int] | None:
    """The start of the first of some tokens and the end of the last; None if none of them is in the text."""
    starts = [each for each in tokens.starts[place : place + length] if each is not None]
    ends = [each for each in tokens.ends[place : place + length] if each is not None]
    return (starts[0], ends[-1]) if starts else None


def ten_thousandths(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Values times 10,000 as whole numbers; -1 in place of NaN."""
    return np.where(np.isnan(values), -1, np.rint(values * 10_000)).astype(np.int64)
