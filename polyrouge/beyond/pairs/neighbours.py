"""The nearest texts of a collection, all pairs above a bound, and the scores of all pairs as a matrix."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.pairs.index import Matches, text_index
from polyrouge.beyond.pairs.pair_scores import PairScore, bound_above, checked_bound, read_columns
from polyrouge.inputs import check_texts
from polyrouge.metric import Rouge, as_rouge
from polyrouge.progress import Progress, tell_progress, telling_progress
from polyrouge.scoring.aggregates import all_keys, scale_scores
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.allowed_values import COUNT, checked_number

_PAIRS_AT_ONCE = 1 << 17
# Bounds of scores from 0 to 1 that are tried one after the other, until enough texts are above.
_STEPS = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)


@dataclass(frozen=True)
class Neighbours:
    """The nearest texts of each query.

    Attributes:
        indices: int64[n_queries, k]: rows of the corpus, the nearest first, the earlier of equal ones first; -1 where
            fewer than k texts reach ``at_least``.
        scores: float64[n_queries, k]; NaN where there is none.
        signature: of the settings.
    """

    indices: NDArray[np.int64]
    scores: NDArray[np.float64]
    signature: str

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each query and neighbour: ``query``, ``neighbour`` (int64) and ``score`` (float64)."""
        query, rank = np.nonzero(self.indices >= 0)
        return _records(query=query, neighbour=self.indices[query, rank], score=self.scores[query, rank])


@dataclass(frozen=True)
class SimilarPairs:
    """Pairs of texts above a bound, in the order of the first, then of the second.

    Attributes:
        first: int64[n]: rows of the first texts, the predictions.
        second: int64[n]: rows of the second texts, the references.
        score: float64[n].
        signature: of the settings.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    score: NDArray[np.float64]
    signature: str

    def records(self) -> list[dict[str, Any]]:
        """Return the columns ``first``, ``second`` and ``score``."""
        return _records(first=self.first, second=self.second, score=self.score)


def nearest(
    queries: Any,
    corpus: Any,
    k: int = 5,
    at_least: float = 0.0,
    *,
    rouge_type: str = "rougeL",
    rouge: Rouge | str | None = None,
    progress: Progress | None = None,
) -> Neighbours:
    """Find the k texts of a corpus with the highest scores for each query, exactly.

    A query is the prediction, a text of the corpus the reference. Equal scores rank by their row in the corpus. There
    is an index for the same types and settings as in ``deduplicate``; under others all pairs are counted.

    Args:
        queries: any iterable of strings.
        corpus: any iterable of strings.
        k: how many, at least 1.
        at_least: leave out texts with a lower score.
        rouge_type: as for ``deduplicate``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Its types do not count.
        progress: called with ``"searching"``, the queries done, and all.

    Examples:
        >>> nearest(["sing a song"], ["say it again", "sing us a song"], k=1).indices.tolist()
        [[1]]

    Raises:
        TypeError: something is no text; the row is named.
        ValueError: k is below 1, a bad setting, or the convention refuses texts without tokens, and there is one.
    """
    k = checked_number("k", k, COUNT)
    least = checked_bound(at_least, "at_least")
    search = _Search(("queries", queries), ("corpus", corpus), PairScore(rouge_type, rouge), least)
    n_queries, n_corpus = search.sizes
    indices, scores = np.full((n_queries, k), -1, np.int64), np.full((n_queries, k), np.nan)
    open_queries = np.arange(n_queries)
    # Lower and lower bounds, until enough texts reach them; below the last one texts share nothing.
    bounds = [*(step * search.score.settings.scale for step in _STEPS), math.nextafter(0, 1)]
    with telling_progress(progress, "searching", n_queries):
        for bound in [
            *(high_bound for high_bound in bounds if high_bound > least and search.gains_by_high_bounds),
            least,
        ]:
            unsettled = [open_queries[:0]]
            for chunk, rows, texts, values in search.matches(open_queries, bound):
                settled = (np.bincount(rows, minlength=len(chunk)) >= min(k, n_corpus)) | (bound == least)
                unsettled.append(chunk[~settled])
                order = np.lexsort((texts, -values, rows))
                order = order[settled[rows[order]]]
                rank = np.arange(len(order)) - np.searchsorted(rows[order], rows[order])
                order, rank = order[rank < k], rank[rank < k]
                indices[chunk[rows[order]], rank], scores[chunk[rows[order]], rank] = texts[order], values[order]
                tell_progress(int(settled.sum()))
            open_queries = np.concatenate(unsettled)
    return Neighbours(indices, scores, search.score.settings.signature())


def pairs_above(
    first: Any,
    second: Any = None,
    above: float | None = None,
    *,
    rouge_type: str = "rougeL",
    rouge: Rouge | str | None = None,
    progress: Progress | None = None,
) -> SimilarPairs:
    """Find all pairs of texts with a score above a bound.

    Args:
        first: texts, as predictions.
        second: texts, as references; None: each text of ``first`` with the later ones.
        above: the bound, on the scale of the scores; 0.7 of the scale if None.
        rouge_type: as for ``deduplicate``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Its types do not count.
        progress: called with ``"searching"``, the texts of ``first`` done, and all.

    Examples:
        >>> pairs_above(["say it again", "sing a song", "say it again please"]).records()
        [{'first': 0, 'second': 2, 'score': 0.8571428571428571}]

    Raises:
        TypeError: something is no text; the row is named.
        ValueError: as ``nearest``.
    """
    score = PairScore(rouge_type, rouge)
    bound = bound_above(above, score.settings)
    columns = ("first", first), ("second", first if second is None else second)
    search = _Search(*columns, score, bound)
    parts = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    with telling_progress(progress, "searching", search.sizes[0]):
        for chunk, rows, texts, values in search.matches(np.arange(search.sizes[0]), bound):
            order = np.lexsort((texts, rows))
            if second is None:
                order = order[texts[order] > chunk[rows[order]]]
            parts.append((chunk[rows[order]], texts[order], values[order]))
            tell_progress(len(chunk))
    of_first, of_second, scores = map(np.concatenate, zip(*parts, strict=True))
    return SimilarPairs(of_first, of_second, scores, search.score.settings.signature())


def pairwise(
    first: Any,
    second: Any = None,
    *,
    rouge_types: Sequence[str] = ("rougeL",),
    rouge: Rouge | str | None = None,
    progress: Progress | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Score each text with each: the keys of ``Rouge.score``, each with a matrix.

    Args:
        first: texts, as predictions.
        second: texts, as references; None: the same as ``first``.
        rouge_types: of the scores.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Its types do not count; with ``output="all"``
            there are precision and recall too.
        progress: called with ``"scoring"``, the texts of ``first`` done, and all.

    Examples:
        >>> pairwise(["sing a song", "sing"])["rougeL"].tolist()
        [[1.0, 0.5], [0.5, 1.0]]

    Returns:
        float64[n_first, n_second] for each key.

    Raises:
        TypeError: something is no text; the row is named.
        ValueError: as ``nearest``.
    """
    rows = check_texts(first, "first")
    columns = rows if second is None else check_texts(second, "second")
    metric = as_rouge(rouge, rouge_types=rouge_types)
    settings = metric.settings
    keys = all_keys(settings.result_rules)
    matrices = {key: np.empty((len(rows), len(columns))) for key, _, _ in keys}
    pairs = read_columns([("first", rows), ("second", () if second is None else columns)], settings, metric.run)
    columns_of_texts = np.arange(len(columns)) + (0 if second is None else len(rows))
    step = max(1, _PAIRS_AT_ONCE // max(1, len(columns)))
    with telling_progress(progress, "scoring", len(rows)):
        for start in range(0, len(rows) if columns else 0, step):
            stop = min(start + step, len(rows))
            counts = pairs.count(np.arange(start, stop).repeat(len(columns)), np.tile(columns_of_texts, stop - start))
            scores, _ = combine_references(counts, settings.reference_rule, settings.score_rule)
            scaled = scale_scores(scores, settings.result_rules).reshape(stop - start, len(columns), -1, 3)
            for key, column, measure in keys:
                matrices[key][start:stop] = scaled[:, :, column, measure]
            tell_progress(stop - start)
    return matrices


class _Search:
    """Queries and a corpus, read as one collection, the corpus first and indexed for scores of at least a bound."""

    def __init__(self, queries: tuple[str, Any], corpus: tuple[str, Any], score: PairScore, least: float) -> None:
        columns = [(name, check_texts(texts, name)) for name, texts in (corpus, queries)]
        self.score, self.sizes = score, (len(columns[1][1]), len(columns[0][1]))
        self._index = text_index(read_columns(columns, score.settings, score.run), score, least)
        self._index.add(0, self.sizes[1])
        self.gains_by_high_bounds = self._index.gains_by_high_bounds

    def matches(self, queries: NDArray[np.int64], bound: float) -> Iterator[Matches]:
        """Yield the texts of the corpus whose scores with queries are at least a bound."""
        n = self.sizes[1]
        for chunk, rows, texts, scores in self._index.all_reaching(queries + n, bound):
            yield chunk - n, rows, texts, scores


def _records(**columns: NDArray[Any]) -> list[dict[str, Any]]:
    """Rows of plain Python numbers."""
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]
