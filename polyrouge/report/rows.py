"""Pack the rows of a report for its page: texts, places of tokens and hits.

A page of rows is JSON, compressed and in base64. The browser unpacks it when it shows one of its rows, so a
report of many rows opens as fast as one of few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_pairs, telling_progress
from polyrouge.errors import hearing_warnings
from polyrouge.explaining.explanation import UnitMatcher
from polyrouge.explaining.token_places import PlacedText, PlacedToken
from polyrouge.explaining.unit_matches import is_of_sentences, match_places
from polyrouge.inputs import Inputs
from polyrouge.report.packing import packed
from polyrouge.report.report_sources import ReportSources
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type

ROWS_A_PAGE = 100
_SHOWN_TYPES = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum")  # none whose hits are worth more than 1


class ReportRows:
    """Packs the rows of some systems.

    Args:
        systems: their texts.
        settings: of the metric.
        progress: is told how many rows are packed, row by row, and 0 while they are counted; what it raises ends the
            work.

    Attributes:
        prediction_lengths: int64[n_systems, n_rows], tokens of each prediction; set by ``pages``.
        reference_lengths: for each row the tokens of each reference; set by ``pages``.
    """

    def __init__(
        self,
        systems: Sequence[Inputs],
        settings: RougeSettings,
        sources: ReportSources | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._systems = systems
        self._sources = sources
        self._progress = progress or (lambda _done: None)
        # Counts of every pair by itself, without what the settings then do to its score.
        self._settings = settings.replace(
            rouge_types=_SHOWN_TYPES,
            weights=None,
            on_error="zero" if settings.on_error == "zero" else "score",
            empty="zero",
            multi_reference="best",
            aggregate="mean",  # "micro" has no best reference
        )
        self._types = [parse_rouge_type(name) for name in _SHOWN_TYPES]
        self._matcher = UnitMatcher(self._settings)
        # Warnings are of types that were not asked for.
        with hearing_warnings(), telling_progress(lambda _counted: self._progress(0)):
            self._counts = [count_pairs(inputs, self._settings) for inputs in systems]
        n_rows = len(systems[0].predictions)
        self.prediction_lengths: NDArray[np.int64] = np.zeros((len(systems), n_rows), np.int64)
        self.reference_lengths: list[list[int]] = [[] for _ in range(n_rows)]

    def pages(self, order: Sequence[int]) -> Iterator[str]:
        """Pages of the rows in a given order, packed."""
        for start in range(0, len(order), ROWS_A_PAGE):
            page = []
            for done, row in enumerate(order[start : start + ROWS_A_PAGE], start=start + 1):
                page.append(self._row(row))
                self._progress(done)
            yield packed(page)

    def _row(self, row: int) -> dict[str, Any]:
        """One row.

        Keys: ``p`` the predictions and ``r`` the references, each a dict of ``x`` the text, ``t`` the places
        of its tokens, and ``s`` those of its sentences' tokens, one list a sentence; a reference also has
        ``m``: for each system, for each of ``_SHOWN_TYPES``, the positions of its hits on both sides. ``s`` is the
        source, if there are any; see ``ReportSources``.
        """
        predictions = [self._matcher.place_prediction(inputs.predictions[row]) for inputs in self._systems]
        references = [self._matcher.place_reference(text) for text in self._systems[0].references[row]]
        self.prediction_lengths[:, row] = [len(text.tokens) for text in predictions]
        self.reference_lengths[row] = [len(text.tokens) for text in references]
        encoded = []
        for index, reference in enumerate(references):
            matches = [
                self._matches(prediction, reference, self._pair_counts(system, row, index))
                for system, prediction in enumerate(predictions)
            ]
            encoded.append({**_encoded_text(reference), "m": matches})
        source = {} if self._sources is None else {"s": self._sources.page_row(row)}
        return {"p": list(map(_encoded_text, predictions)), "r": encoded, **source}

    def _pair_counts(self, system: int, row: int, reference: int) -> NDArray[np.float64]:
        counts = self._counts[system]
        return counts.counts[counts.offsets[row] + reference]

    def _matches(
        self, prediction: PlacedText, reference: PlacedText, counts: NDArray[np.float64]
    ) -> list[list[Any] | None]:
        """For each type the first positions of its hits on both sides, and both totals.

        None where the convention counts other hits than those that can be shown.
        """
        ours, theirs = _compared(prediction), _compared(reference)
        rules = self._settings.count_rules
        # Of texts of one sentence the union of subsequences is the subsequence, which takes most of the time.
        is_one = rules.lcs == "sentence" and ours[True] == ours[False] and theirs[True] == theirs[False]
        matches = []
        subsequence: list[tuple[int, int]] = []
        for column, rouge_type in enumerate(self._types):
            if is_one and rouge_type.kind == "lcs_summary":
                places = subsequence
            else:
                kind = is_of_sentences(rouge_type, rules)
                places = match_places(ours[kind], theirs[kind], rouge_type, rules)
            if rouge_type.kind == "lcs":
                subsequence = places
            is_right = len(places) == counts[column, 0]
            positions = [[place for place, _ in places], [place for _, place in places]]
            matches.append([*positions, *map(int, counts[column, 1:].tolist())] if is_right else None)
        return matches


def _compared(text: PlacedText) -> dict[bool, list[list[str]]]:
    """The tokens as they are compared: as one sentence (False), by sentences (True)."""
    return {
        False: [[placed.token for placed in text.tokens]],
        True: [[placed.token for placed in sentence] for sentence in text.sentences],
    }


def _encoded_text(text: PlacedText) -> dict[str, Any]:
    """A text with the places of its tokens; ``s`` holds sentences, or their sizes if the tokens are the same."""
    flat = tuple(chain.from_iterable(text.sentences))
    same = flat == text.tokens
    sentences = [len(sentence) if same else _places(sentence) for sentence in text.sentences]
    return {"x": text.text, "t": _places(text.tokens), "s": sentences}


def _places(tokens: Sequence[PlacedToken]) -> list[int]:
    """Start and length of each token in one list. A start counts from the start of the token before.

    A token that is not in the text has -1 and 0. Two tokens may begin at the same character (by NFKC): the
    second one has the start 0.
    """
    places = []
    before = 0
    for token in tokens:
        if token.start is None or token.end is None:
            places += [-1, 0]
        else:
            places += [token.start - before, token.end - token.start]
            before = token.start
    return places
