"""Prepare sources for a report: measures of each sample, and what was copied from where."""

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
_LARGEST = 200_000.0  # measure of a sample on the page, to fit its integers
Spans = Sequence[Sequence[int]]  # of tokens: start and end, -1 for a token that is not in the text


class ReportSources:
    """The sources of a report's samples, as for ``measure_sources``, and what each system shares with them."""

    def __init__(
        self,
        systems: Mapping[str, Inputs],
        sources: Sequence[str],
        settings: RougeSettings,
        run: RunOptions,
        texts: Texts,
    ) -> None:
        """Measure all samples; ``texts`` are the systems', with the sources if these have the same tokens."""
        if len(texts.sources) != len(sources):
            texts = read_with_sources([inputs.predictions for inputs in systems.values()], sources, settings, run)
        self._texts = sources
        self._fragments: list[list[array[int]]] = [[] for _ in systems]
        stream = StreamedSources(settings, run, len(systems))
        read = texts.read
        spans = [read.spans[start:end] for start, end in pairwise(read.tokens.text_tokens.tolist())]
        for row, (tokens, source_tokens) in enumerate(token_rows(texts)):
            source_spans = spans[texts.sources[row]].tolist()
            for system, fragments in enumerate(stream.add_read(tokens, source_tokens)):
                number = texts.predictions[system, row]
                shown = [] if is_blank(read.texts[number]) else fragments
                self._fragments[system].append(_packed_fragments(shown, spans[number].tolist(), source_spans))
            tell_progress(1)
        self._values, self.coverage = stream.columns(), stream.coverage()
        self.means = dict(zip(systems, stream.means(), strict=True))  # as the command `compare` prints them

    def page_index(self) -> dict[str, Any]:
        """Return what the page has in memory: the names of the measures that it shows, and all means of each system."""
        return {"measures": _SHOWN, "means": list(map(known_values, self.means.values()))}

    def row_numbers(self, order: NDArray[np.int64]) -> dict[str, NDArray[np.integer]]:
        """Return integers of all rows, in an order: ``sources`` [system, measure, row], times 10,000, -1 for none."""
        columns = [SOURCE_MEASURES.index(name) for name in _SHOWN]
        values = np.minimum(self._values[:, order][:, :, columns].transpose(0, 2, 1), _LARGEST)
        return {"sources": ten_thousandths(values)}

    def page_row(self, row: int) -> dict[str, Any]:
        """Return the source ``x``, and for each system its ``f``, see ``_packed_fragments``."""
        return {"x": self._texts[row], "f": [rows[row].tolist() for rows in self._fragments]}


def _packed_fragments(fragments: Sequence[Fragment], prediction: Spans, source: Spans) -> array[int]:
    """Pack fragments as characters of both texts, four small numbers each, which compress well.

    In the prediction: the gap to the previous fragment, and the length; in the source: the distance from the end of the
    previous fragment (below 0: it begins earlier), and how much longer it is.
    """
    packed = array("i")
    end, end_in_source = 0, 0
    for fragment in fragments:
        pred_span = _span(prediction, fragment.prediction, fragment.length)
        source_span = _span(source, fragment.source, fragment.length)
        if pred_span and source_span:
            length = pred_span[1] - pred_span[0]
            packed.extend(
                (pred_span[0] - end, length, source_span[0] - end_in_source, source_span[1] - source_span[0] - length)
            )
            end, end_in_source = pred_span[1], source_span[1]
    return packed


def _span(spans: Spans, first_token: int, length: int) -> tuple[int, int] | None:
    """Return the start of the first of some tokens and the end of the last; None if no token is in the text."""
    in_text = [(start, end) for start, end in spans[first_token : first_token + length] if start >= 0]
    return (in_text[0][0], in_text[-1][1]) if in_text else None


def ten_thousandths(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Multiply values by 10,000, as integers; -1 in place of NaN."""
    return np.where(np.isnan(values), -1, np.rint(values * 10_000)).astype(np.int64)
