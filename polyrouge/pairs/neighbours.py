"""The nearest texts of a collection, all pairs above a bound, and the scores of all pairs as a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from polyrouge.counting.text_pairs import TextPairs
from polyrouge.documents.input_notes import InputNotes
from polyrouge.errors import warn_of
from polyrouge.inputs import check_texts
from polyrouge.pairs.pair_scores import PairScore, check_number, checked_bound, pair_metric, refuse_empty
from polyrouge.pairs.text_search import TextSearch, text_search
from polyrouge.progress import Progress, tell_progress, telling_progress
from polyrouge.scoring.results import result_keys, scale_scores
from polyrouge.scoring.scores import combine_references

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

    def to_arrow(self) -> pa.Table:
        """A row for each query and neighbour: ``query``, ``neighbour`` (int64) and ``score`` (float64)."""
        query, rank = np.nonzero(self.indices >= 0)
        return pa.table({"query": query, "neighbour": self.indices[query, rank], "score": self.scores[query, rank]})


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

    def to_arrow(self) -> pa.Table:
        """The columns ``first``, ``second`` and ``score``."""
        return pa.table({"first": self.first, "second": self.second, "score": self.score})


def nearest(
    queries: Any,
    corpus: Any,
    k: int = 5,
    at_least: float = 0.0,
    *,
    rouge_type: str = "rougeL",
    convention: str = "default",
    progress: Progress | None = None,
    **settings: Any,
) -> Neighbours:
    """Find the k texts of a corpus with the highest scores for each query, exactly.

    A query is the prediction, a text of the corpus the reference. Equal scores rank by their row in the corpus. Types
    and settings that an index is for are those of ``deduplicate``; under others all pairs are counted.

    Args:
        queries: any iterable of strings.
        corpus: any iterable of strings.
        k: how many, at least 1.
        at_least: leave out texts with a lower score.
        rouge_type: as for ``deduplicate``.
        convention: as for ``Rouge``.
        progress: called with ``"searching"``, the queries done, and all.
        **settings: fields of ``RougeSettings``.

    Examples:
        >>> nearest(["sing a song"], ["say it again", "sing us a song"], k=1).indices.tolist()
        [[1]]

    Raises:
        TypeError: something is no text; the row is named.
        ValueError: k is below 1, a bad setting, or the convention refuses texts without tokens, and there is one.
    """
    check_number(k, "k")
    search = _Search(queries, corpus, rouge_type, convention, settings, names=("queries", "corpus"))
    least = checked_bound(at_least, "at_least")
    n_queries, n_corpus = search.sizes
    indices = np.full((n_queries, k), -1, np.int64)
    scores = np.full((n_queries, k), np.nan)
    with telling_progress(progress, "searching", n_queries):
        for rows, matches, values in search.nearest(min(k, n_corpus), least):
            indices[rows, : matches.shape[1]] = matches
            scores[rows, : matches.shape[1]] = values
    search.warn()
    return Neighbours(indices, scores, search.score.settings.signature())


def pairs_above(
    first: Any,
    second: Any = None,
    above: float = 0.7,
    *,
    rouge_type: str = "rougeL",
    convention: str = "default",
    progress: Progress | None = None,
    **settings: Any,
) -> SimilarPairs:
    """Find all pairs of texts with a score above a bound.

    Args:
        first: texts, as predictions.
        second: texts, as references; None: each text of ``first`` with the later ones.
        above: the bound, on the scale of the scores.
        rouge_type: as for ``deduplicate``.
        convention: as for ``Rouge``.
        progress: called with ``"searching"``, the texts of ``first`` done, and all.
        **settings: fields of ``RougeSettings``.

    Examples:
        >>> pairs_above(["say it again", "sing a song", "say it again please"]).to_arrow().to_pylist()
        [{'first': 0, 'second': 2, 'score': 0.8571428571428571}]

    Raises:
        TypeError: something is no text; the row is named.
        ValueError: as ``nearest``.
    """
    rows = check_texts(first, "first")
    others = rows if second is None else second
    search = _Search(rows, others, rouge_type, convention, settings, names=("first", "second"))
    bound = checked_bound(above, "above")
    parts = []
    with telling_progress(progress, "searching", search.sizes[0]):
        for queries, texts, values in search.above(bound, reach=False):
            if second is None:
                is_later = texts > queries
                queries, texts, values = queries[is_later], texts[is_later], values[is_later]
            order = np.lexsort((texts, queries))
            parts.append((queries[order], texts[order], values[order]))
    search.warn()
    parts.append((np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)))
    of_first, of_second, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    return SimilarPairs(of_first, of_second, scores, search.score.settings.signature())


def pairwise(
    first: Any,
    second: Any = None,
    *,
    rouge_types: Sequence[str] = ("rougeL",),
    convention: str = "default",
    progress: Progress | None = None,
    **settings: Any,
) -> dict[str, NDArray[np.float64]]:
    """Score each text with each: the keys of ``Rouge.score``, each with a matrix.

    Args:
        first: texts, as predictions.
        second: texts, as references; None: those of ``first``.
        rouge_types: of the scores.
        convention: as for ``Rouge``.
        progress: called with ``"scoring"``, the texts of ``first`` done, and all.
        **settings: fields of ``RougeSettings``; with ``output="all"`` precision and recall too.

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
    chosen = pair_metric(convention, rouge_types, settings).settings
    notes = InputNotes(chosen.text_rules)
    texts = rows if second is None else [*rows, *columns]
    keys = [
        (key, column, measure)
        for column, name in enumerate(chosen.rouge_types)
        for key, measure in result_keys(name, chosen.output)
    ]
    matrices = {key: np.empty((len(rows), len(columns))) for key, _, _ in keys}
    if texts and columns:
        pairs = TextPairs(texts, chosen, notes)
        refuse_empty(pairs.n_tokens(), chosen, [("first", len(rows)), ("second", len(columns))])
        places = np.arange(len(columns)) + (0 if second is None else len(rows))
        step = max(1, _PAIRS_AT_ONCE // len(columns))
        with telling_progress(progress, "scoring", len(rows)):
            for start in range(0, len(rows), step):
                stop = min(start + step, len(rows))
                counts = pairs.count(np.arange(start, stop).repeat(len(columns)), np.tile(places, stop - start))
                scores, _ = combine_references(counts, chosen.reference_rule, chosen.score_rule)
                scaled = scale_scores(scores, chosen.result_rules).reshape(stop - start, len(columns), -1, 3)
                for key, column, measure in keys:
                    matrices[key][start:stop] = scaled[:, :, column, measure]
                tell_progress(stop - start)
    warn_of(notes.messages())
    return matrices


class _Search:
    """Queries and a corpus, read as one collection: the corpus first."""

    def __init__(
        self,
        queries: Any,
        corpus: Any,
        rouge_type: str,
        convention: str,
        settings: dict[str, Any],
        names: tuple[str, str],
    ) -> None:
        queries, corpus = check_texts(queries, names[0]), check_texts(corpus, names[1])
        self.score = PairScore(rouge_type, convention, settings)
        self.sizes = len(queries), len(corpus)
        self._notes = InputNotes(self.score.settings.text_rules)
        self._texts: Any = (
            None if not (queries and corpus) else TextPairs([*corpus, *queries], self.score.settings, self._notes)
        )
        if self._texts is not None:
            sizes = [(names[1], len(corpus)), (names[0], len(queries))]
            refuse_empty(self._texts.n_tokens(), self.score.settings, sizes)

    def warn(self) -> None:
        """Warn of what looks wrong in the texts."""
        warn_of(self._notes.messages())

    def above(
        self, bound: float, *, reach: bool
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
        """Queries, texts of the corpus and scores of all pairs above the bound; a query's come together."""
        if self._texts is None:
            return
        search = self._index(bound, reach=reach)
        if search is None:
            for rows, scores in self._all_scores():
                row, column = np.nonzero(scores >= bound if reach else scores > bound)
                yield row + rows.start, column, scores[row, column]
            return
        n_queries, n_corpus = self.sizes
        for rows, matches in search.all_above(np.arange(n_corpus, n_corpus + n_queries)):
            queries, texts, hits = matches.astype(np.int64).T
            yield queries - n_corpus, texts, search.scores(queries, texts, hits)
            tell_progress(len(rows))

    def nearest(
        self, k: int, at_least: float
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
        """Queries int64[n], and for each its k texts (-1 for none) and their scores (NaN)."""
        if self._texts is None:
            return
        search = self._index(at_least, reach=True, whole=True)
        if search is None:
            for rows, scores in self._all_scores():
                queries, texts = np.divmod(np.arange(scores.size), scores.shape[1])
                best = _best(len(rows), queries, texts, scores.ravel(), k)
                yield np.arange(rows.start, rows.stop), *_without_low(*best, at_least)
            return
        left = np.arange(self.sizes[0])
        scale = self.score.settings.scale
        steps = [(step * scale, True) for step in _STEPS if step * scale > at_least]
        for bound, reach in [*steps, (at_least, True) if at_least > 0 else (0.0, False)]:
            is_last = bound <= max(at_least, 0.0)
            unsettled = []
            for queries, matches in search.all_above(left + self.sizes[1], bound, reach=reach):
                queries = queries - self.sizes[1]
                of_query = np.searchsorted(queries, matches[:, 0] - self.sizes[1])
                n_matches = np.bincount(of_query, minlength=len(queries))
                settled = np.ones(len(queries), np.bool_) if is_last else n_matches >= k
                unsettled.append(queries[~settled])
                if is_last and at_least <= 0:
                    for query in queries[n_matches < k].tolist():
                        yield np.array([query]), *self._nearest_of_all(search, query, k)
                    settled = n_matches >= k
                chosen = settled[of_query]
                texts = matches[chosen, 1].astype(np.int64)
                values = search.scores(matches[chosen, 0], texts, matches[chosen, 2])
                rows = np.cumsum(settled) - 1
                yield queries[settled], *_best(int(settled.sum()), rows[of_query[chosen]], texts, values, k)
                tell_progress(int(settled.sum()))
            left = np.concatenate(unsettled) if unsettled else left[:0]
            if not len(left):
                return

    def _nearest_of_all(self, search: TextSearch, query: int, k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """``_best`` of one query, by all scores: texts that share nothing with it are among the nearest."""
        _, matches = next(search.all_above(np.array([query + self.sizes[1]]), 0.0, reach=False))
        n = self.sizes[1]
        hits = np.zeros(n, np.int32)
        hits[matches[:, 1]] = matches[:, 2]
        texts = np.arange(n)
        values = search.scores(np.full(n, query + n), texts, hits)
        return _best(1, np.zeros(n, np.int64), texts, values, k)

    def _index(self, bound: float, *, reach: bool, whole: bool = False) -> TextSearch | None:
        """The index with the corpus in it; None where all pairs are counted."""
        search = text_search(self._texts, self.score, bound, reach=reach, whole=whole)
        if search is not None:
            search.add(0, self.sizes[1])
        return search

    def _all_scores(self) -> Iterator[tuple[range, NDArray[np.float64]]]:
        """For some queries after the other float64[n_queries, n_corpus]."""
        n_queries, n_corpus = self.sizes
        step = max(1, _PAIRS_AT_ONCE // max(1, n_corpus))
        for start in range(0, n_queries, step):
            rows = range(start, min(start + step, n_queries))
            predictions = (np.array(rows) + n_corpus).repeat(n_corpus)
            counts = self._texts.count(predictions, np.tile(np.arange(n_corpus), len(rows)))
            yield rows, self.score.of_counts(counts).reshape(len(rows), n_corpus)
            tell_progress(len(rows))


def _best(
    n_queries: int, queries: NDArray[np.int64], texts: NDArray[np.int64], scores: NDArray[np.float64], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """int64 and float64[n_queries, k]: the texts with the highest scores, the earlier of equal ones first."""
    order = np.lexsort((texts, -scores, queries))
    starts = np.searchsorted(queries[order], np.arange(n_queries))
    rank = np.arange(len(order)) - starts[queries[order]]
    order, rank = order[rank < k], rank[rank < k]
    best, values = np.full((n_queries, k), -1, np.int64), np.full((n_queries, k), np.nan)
    best[queries[order], rank], values[queries[order], rank] = texts[order], scores[order]
    best[np.isnan(values)] = -1
    return best, values


def _without_low(
    texts: NDArray[np.int64], scores: NDArray[np.float64], at_least: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Without texts whose score is below ``at_least``."""
    is_low = ~(scores >= at_least)
    return np.where(is_low, -1, texts), np.where(is_low, np.nan, scores)
