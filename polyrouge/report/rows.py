"""Pack the rows of a report for its page: texts, places of tokens and hits.

A page of rows is compressed. The browser unpacks it when it shows one of its rows, so a report of many rows
opens as fast as one of few.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.jieba_cutter import compiled_jieba_cutter
from polyrouge.counting.loop import count_pairs
from polyrouge.errors import hearing_warnings
from polyrouge.explaining.explanation import UnitMatcher
from polyrouge.explaining.placed_hits import SHOWN_TYPES, HitPlacer
from polyrouge.explaining.token_places import TextColumns
from polyrouge.inputs import Inputs
from polyrouge.progress import tell_progress, telling_progress
from polyrouge.report.packing import packed
from polyrouge.report.report_sources import ReportSources
from polyrouge.report.text_columns import hit_columns, token_columns
from polyrouge.settings.rouge_settings import RougeSettings

ROWS_A_PAGE = 100
_MOST_WAITING = 8  # pages that are to be compressed


class ReportRows:
    """Packs the rows of some systems.

    Args:
        systems: their texts.
        settings: of the metric.
        sources: what stands beside the sources, if there are any.

    Attributes:
        prediction_lengths: int64[n_systems, n_rows], tokens of each prediction; set by ``pages``.
        reference_lengths: for each row the tokens of each reference; set by ``pages``.
    """

    def __init__(
        self,
        systems: Sequence[Inputs],
        settings: RougeSettings,
        sources: ReportSources | None = None,
    ) -> None:
        self._systems = systems
        self._sources = sources
        # Counts of every pair by itself, without what the settings then do to its score.
        settings = settings.replace(
            rouge_types=SHOWN_TYPES,
            weights=None,
            on_error="zero" if settings.on_error == "zero" else "score",
            empty="zero",
            multi_reference="best",
            aggregate="mean",  # "micro" has no best reference
        )
        self._placer = HitPlacer(settings)
        # Warnings are of types that were not asked for.
        with hearing_warnings(), telling_progress(None):
            self._counts = [count_pairs(inputs, settings) for inputs in systems]
        self._matcher = UnitMatcher(settings, compiled_jieba_cutter)
        n_rows = len(systems[0].predictions)
        self.prediction_lengths: NDArray[np.int64] = np.zeros((len(systems), n_rows), np.int64)
        self.reference_lengths: list[list[int]] = [[] for _ in range(n_rows)]

    def pages(self, order: Sequence[int]) -> Iterator[str]:
        """Pages of the rows in a given order, packed; see ``_page``. Progress is told row by row."""
        waiting: deque[Future[str]] = deque()
        with ThreadPoolExecutor(max_workers=1) as pool:  # zlib works beside Python
            for start in range(0, len(order), ROWS_A_PAGE):
                waiting.append(pool.submit(packed, *self._page(order, start)))
                if len(waiting) == _MOST_WAITING:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _page(self, order: Sequence[int], start: int) -> tuple[dict[str, Any], dict[str, NDArray[np.integer]]]:
        """One page: ``packed``'s arguments.

        Returns:
            ``texts``: of each row the predictions and the references, one after the other; ``references``: how many
            each row has; ``sources``: for each row what ``ReportSources.page_row`` gives, if there are any. The columns
            are those of ``token_columns`` for these texts, and those of ``hit_columns`` for the pairs of each row,
            reference by reference and in it system by system.
        """
        rows = order[start : start + ROWS_A_PAGE]
        texts: list[TextColumns] = []
        pairs: list[tuple[int, int]] = []  # prediction and reference, in texts
        counted: list[int] = []  # of each reference, in the counts
        offsets = self._counts[0].offsets
        for row in rows:
            first, behind = len(texts), len(texts) + len(self._systems)
            texts += (self._matcher.prediction_columns(inputs.predictions[row]) for inputs in self._systems)
            texts += map(self._matcher.reference_columns, self._systems[0].references[row])
            self.prediction_lengths[:, row] = [len(text.whole.tokens) for text in texts[first:behind]]
            self.reference_lengths[row] = [len(text.whole.tokens) for text in texts[behind:]]
            pairs += ((one, other) for other in range(behind, len(texts)) for one in range(first, behind))
            counted += range(offsets[row], offsets[row + 1])
            tell_progress(1)
        predictions, references = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
        hits = self._placer.place(texts, predictions, references)
        counts = np.stack([each.counts[counted] for each in self._counts], axis=1).reshape(-1, len(SHOWN_TYPES), 3)
        content: dict[str, Any] = {
            "texts": [text.text for text in texts],
            "references": [len(self._systems[0].references[row]) for row in rows],
        }
        if self._sources is not None:
            content["sources"] = [self._sources.page_row(row) for row in rows]
        return content, {**token_columns(texts), **hit_columns(hits, counts)}
