"""One index for near duplicates and nearest texts: which texts of a collection score at least a bound with others."""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.pairs.pair_scores import NO_HITS, PairScore, least_hits_of_classes
from polyrouge.counting.counts import Counts
from polyrouge.counting.loop import usable_cores
from polyrouge.counting.plain.ngrams import count_ngrams
from polyrouge.counting.text_pairs import TextPairs
from polyrouge.progress import tell_progress

_MOST_CLASSES = 8192  # distinct totals, whose square is held: 256 MB
_TEXTS_AT_ONCE = 2048
_MATCHES_AT_ONCE = 1 << 20
_QUERIES_AT_ONCE = 256
_PAIRS_AT_ONCE = 1 << 17
_FIRST_CANDIDATES = 64  # counted at once; then twice as many, and so on

Matches = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Some queries int64[n]; and of each match the position of its query among them, the indexed text, and the score."""


class Collection(Protocol):
    """Texts by their numbers."""

    is_one_sided: bool  # a text has the same tokens as a prediction and as a reference

    def tokens(self, number: int) -> list[Any]:
        """Return the tokens of a text, or their ids."""
        ...

    def count(self, predictions: NDArray[np.int64], references: NDArray[np.int64]) -> Counts:
        """Count pairs, each a sample with one reference; both int64[n]."""
        ...


def text_index(texts: TextPairs, score: PairScore, bound: float) -> CompiledIndex | PlainIndex:
    """Return an index, still empty, of those texts: by the kernels where these settings and texts allow it.

    Both implementations find the same pairs, with the same scores: those of all pairs counted.
    """
    if texts.batch is not None and texts.is_one_sided and score.is_of_shared_items:
        units = _units(texts.batch, score)
        sizes = np.stack([texts.n_tokens(), np.diff(units[1])])
        classes, of_texts = np.unique(sizes, axis=1, return_inverse=True)
        if classes.shape[1] <= _MOST_CLASSES:
            return CompiledIndex(units, sizes, (classes, of_texts.reshape(-1)), score, bound)
    return PlainIndex(texts, score, bound)


class PlainIndex:
    """Counts the pairs that bounds leave: for texts that come one by one, and wherever the kernels' index is not for.

    The bounds are the first two of the kernels' ``TextIndex``, and for the same types; of others all pairs are counted.
    """

    gains_by_high_bounds = False  # a lower bound counts all of its pairs anew

    def __init__(self, texts: Collection, score: PairScore, bound: float) -> None:
        self._texts, self._score, self._bound = texts, score, bound
        self._has_bounds = score.is_of_shared_items and texts.is_one_sided
        # Of each text that is indexed; arrays of Python, as these grow.
        self._numbers, self._classes, self._signatures = array("q"), array("q"), array("Q")
        self._class_numbers: dict[tuple[int, int], int] = {}
        self._sizes = np.zeros((0, 2), np.int64)  # of each class: tokens and items
        self._limits: dict[int, NDArray[np.int32]] = {}  # by class of the query: see ``_limits_of``

    def add(self, start: int, stop: int) -> None:
        """Index the texts from start to stop."""
        for number in range(start, stop):
            self._add(number, *self._class_and_signature(number))

    def first_reaching(self, number: int) -> tuple[int, float] | None:
        """Return the first indexed text that reaches the bound with a text, and their score; else index the text."""
        text_class, signature = self._class_and_signature(number)
        candidates = self._candidates(text_class, signature)
        start, step = 0, _FIRST_CANDIDATES
        while start < len(candidates):
            references = candidates[start : start + step]
            start, step = start + step, 2 * step
            scores = self._score.of_counts(self._texts.count(np.full(len(references), number), references))
            reaching = np.flatnonzero(scores >= self._bound)
            if len(reaching):
                return int(references[reaching[0]]), float(scores[reaching[0]])
        self._add(number, text_class, signature)
        return None

    def keep_dissimilar(self, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Do as ``CompiledIndex`` does."""
        first, scores = np.full(stop, -1, np.int64), []
        for number in range(start, stop):
            similar = self.first_reaching(number)
            if similar is not None:
                first[number] = similar[0]
                scores.append(similar[1])
            tell_progress(1)
        return first, np.array(scores, np.float64)

    def all_reaching(self, queries: NDArray[np.int64], bound: float) -> Iterator[Matches]:
        """Do as ``CompiledIndex`` does; the bound is that of the index."""
        step = max(1, _PAIRS_AT_ONCE // max(1, len(self._numbers)))
        for start in range(0, len(queries), step):
            chunk = queries[start : start + step]
            of_queries = [self._candidates(*self._class_and_signature(number)) for number in chunk.tolist()]
            rows = np.arange(len(chunk)).repeat([len(candidates) for candidates in of_queries])
            texts = np.concatenate(of_queries)
            scores = self._score.of_counts(self._texts.count(chunk[rows], texts))
            reaches = scores >= bound
            yield chunk, rows[reaches], texts[reaches], scores[reaches]

    def _add(self, number: int, text_class: int, signature: int) -> None:
        self._numbers.append(number)
        self._classes.append(text_class)
        self._signatures.append(signature)

    def _candidates(self, text_class: int, signature: int) -> NDArray[np.int64]:
        """Return the indexed texts that may reach the bound with a text of a class and signature, in order."""
        numbers = np.array(self._numbers, np.int64)
        if not self._has_bounds:
            return numbers
        differences = np.bitwise_count(np.array(self._signatures, np.uint64) ^ np.uint64(signature))
        return numbers[differences <= self._limits_of(text_class)[np.array(self._classes, np.int64)]]

    def _class_and_signature(self, number: int) -> tuple[int, int]:
        """Return the number of a text's class, which may be a new one, and its signature."""
        if not self._has_bounds:
            return 0, 0
        tokens = self._texts.tokens(number)
        rouge_type = self._score.rouge_type
        counts = count_ngrams(tokens, rouge_type.n if rouge_type.kind == "ngram" else 1)
        is_set = rouge_type.kind == "ngram" and self._score.settings.count_rules.ngram_counts == "set"
        signature = n_items = 0
        for unit, n in counts.items():
            for occurrence in range(1 if is_set else n):
                signature ^= 1 << (hash((unit, occurrence)) & 63)
                n_items += 1
        text_class = self._class_numbers.setdefault((len(tokens), n_items), len(self._class_numbers))
        if text_class == len(self._sizes):
            self._sizes = np.concatenate([self._sizes, [[len(tokens), n_items]]])
        return text_class, signature

    def _limits_of(self, text_class: int) -> NDArray[np.int32]:
        """int32[n_classes]: in how many bits signatures may differ, by the indexed text's class; -1: not similar."""
        limits = self._limits.get(text_class, np.zeros(0, np.int32))
        missing = self._sizes[len(limits) :]
        if len(missing):
            own_sizes = np.broadcast_to(self._sizes[text_class], missing.shape)
            least = self._score.least_hits(own_sizes.T, missing.T, self._bound).astype(np.int64)
            new = np.where(least == NO_HITS, -1, own_sizes[:, 1] + missing[:, 1] - 2 * least).astype(np.int32)
            limits = self._limits[text_class] = np.concatenate([limits, new])
        return limits


class CompiledIndex:
    """The kernels' ``TextIndex`` over a collection that is read.

    Args:
        units: what hits are made of; see ``_units``.
        sizes: int64[2, n_texts]: tokens and items of each text.
        classes: int64[2, n_classes], the distinct columns of ``sizes``, and int64[n_texts], which each text has.
        score: of two texts.
        bound: the lowest score that counts.
    """

    gains_by_high_bounds = True

    def __init__(
        self,
        units: _Units,
        sizes: NDArray[np.int64],
        classes: tuple[NDArray[np.int64], NDArray[np.int64]],
        score: PairScore,
        bound: float,
    ) -> None:
        from polyrouge.counting.compiled.kernels import TextIndex

        self._score = score
        self._threads = score.run.threads or usable_cores()
        self._sizes = sizes
        self._classes, of_texts = classes
        self._least = least_hits_of_classes(score, self._classes, bound)
        n_items_of_class = self._classes[1]
        fewest = self._least.min(axis=0)
        prefixes = np.where(fewest == NO_HITS, 0, n_items_of_class - fewest + 1)
        ids, offsets, n_ids = units
        items, n_items = _ranked_items(ids, offsets, n_ids)
        self._index = TextIndex(
            *(ids, items, offsets, _signatures(items, offsets), of_texts.astype(np.uint16), self._least),
            prefixes.astype(np.int32),
            score.rouge_type.kind == "lcs",
            *(n_ids, n_items),
        )

    def _scores(
        self, predictions: NDArray[np.integer], references: NDArray[np.integer], hits: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """float64[n]: the scores of pairs with these hits."""
        return self._score.of_hits(hits, self._sizes[:, predictions], self._sizes[:, references])

    def add(self, start: int, stop: int) -> None:
        """Index the texts from start to stop."""
        self._index.add(start, stop)

    def keep_dissimilar(self, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Index the texts from start to stop that reach the bound with none that is indexed.

        Returns int64[stop], the first that a text reaches it with, or -1; and the scores of those that have one.
        """
        first, hits = np.full(stop, -1, np.int32), np.zeros(stop, np.int32)
        threads = self._threads if stop - start > _TEXTS_AT_ONCE else 1
        cancelled = np.zeros(1, np.uint8)
        with ThreadPoolExecutor(threads) as pool:
            try:
                for begin in range(start, stop, _TEXTS_AT_ONCE):
                    end = min(begin + _TEXTS_AT_ONCE, stop)
                    if threads > 1:  # a text indexed before the block comes before those of the block
                        bounds = np.linspace(begin, end, threads + 1).astype(int).tolist()
                        looks = [
                            pool.submit(self._index.first_of_each, start, stop, 0, False, first, hits, cancelled)
                            for start, stop in itertools.pairwise(bounds)
                        ]
                        for look in looks:
                            look.result()
                    first_text = begin if threads > 1 else 0
                    pool.submit(
                        self._index.first_of_each, begin, end, first_text, True, first, hits, cancelled
                    ).result()
                    tell_progress(end - begin)
            finally:
                cancelled[0] = 1
        similar = np.flatnonzero(first >= 0)
        return first.astype(np.int64), self._scores(similar, first[similar], hits[similar])

    def all_reaching(self, queries: NDArray[np.int64], bound: float) -> Iterator[Matches]:
        """Yield the indexed texts whose scores with queries, texts of the collection, are at least a bound."""
        for chunk, matches in self._all_matches(queries, bound):
            predictions, texts, hits = matches.astype(np.int64).T
            yield chunk, np.searchsorted(chunk, predictions), texts, self._scores(predictions, texts, hits)

    def _all_matches(
        self, texts: NDArray[np.int64], bound: float
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """Yield some texts, and int32[n, 3]: a text, an indexed text that reaches a bound with it, their hits."""
        least = least_hits_of_classes(self._score, self._classes, bound)
        cancelled = np.zeros(1, np.uint8)
        step = max(1, min(_QUERIES_AT_ONCE, math.ceil(len(texts) / (2 * self._threads))))

        def look(start: int) -> list[tuple[NDArray[np.int64], NDArray[np.int32]]]:
            chunk, parts = texts[start : start + step], []
            while len(chunk) and not cancelled[0]:
                done, matches = self._index.all_of_each(chunk, least, _MATCHES_AT_ONCE, cancelled)
                parts.append((chunk[:done], matches))
                chunk = chunk[done:]
            return parts

        starts = range(0, len(texts), step)
        group = 2 * self._threads  # spans under way, whose matches are held
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                for begin in range(0, len(starts), group):
                    for parts in pool.map(look, starts[begin : begin + group]):
                        yield from parts
            finally:
                cancelled[0] = 1


_Units = tuple[NDArray[np.uint32], NDArray[np.int64], int]


def _units(batch: Any, score: PairScore) -> _Units:
    """What hits are made of: ids uint32[n], offsets int64[n_texts + 1], and a number that all ids are below."""
    ids, offsets, n_ids = batch.ids, batch.text_tokens, batch.n_ids
    sizes = np.diff(offsets)
    ids = ids[offsets[0] : offsets[-1]]
    offsets = offsets - offsets[0]
    order = score.rouge_type.n if score.rouge_type.kind == "ngram" else 1
    if order > 1:
        names, n_names = ids.astype(np.uint64), n_ids
        for step in range(1, order):  # an n-gram is named by the (n-1)-gram it begins with, and its last token
            keys = names[:-1] * np.uint64(n_ids) + ids[step:]
            distinct, names = np.unique(keys, return_inverse=True)
            names = names.reshape(-1).astype(np.uint64)
            n_names = len(distinct)
        sizes = np.maximum(sizes - order + 1, 0)
        starts = offsets[:-1].repeat(sizes)
        offsets = _offsets(sizes)
        ids = names[starts + np.arange(offsets[-1]) - offsets[:-1].repeat(sizes)].astype(np.uint32)
        n_ids = max(1, n_names)
    if score.rouge_type.kind == "ngram" and score.settings.count_rules.ngram_counts == "set":
        texts = np.arange(len(sizes)).repeat(sizes).astype(np.uint64)
        keys = np.unique(texts << np.uint64(32) | ids)
        ids = keys.astype(np.uint32)
        offsets = _offsets(np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=len(sizes)))
    return np.ascontiguousarray(ids, np.uint32), offsets.astype(np.int64), int(n_ids)


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _ranked_items(ids: NDArray[np.uint32], offsets: NDArray[np.int64], n_ids: int) -> tuple[NDArray[np.int32], int]:
    """int32[n]: the items of each text, as ranks in rising order; and how many distinct items there are.

    An item is a unit with the number of its occurrence in the text. Rank 0 is the item that fewest texts have.
    """
    if not len(ids):
        return np.empty(0, np.int32), 0
    low = np.uint64(0xFFFFFFFF)
    keys = np.arange(len(offsets) - 1, dtype=np.uint64).repeat(np.diff(offsets)) << np.uint64(32)
    texts = keys.copy()
    keys |= ids
    keys.sort()
    positions = np.arange(len(keys), dtype=np.int64)
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = keys[1:] != keys[:-1]
    occurrences = positions - np.maximum.accumulate(np.where(is_first, positions, 0))
    units = (keys & low).astype(np.int64)
    most = np.zeros(n_ids + 1, np.int64)
    np.maximum.at(most, units + 1, occurrences + 1)
    items = np.cumsum(most)[units] + occurrences
    n_texts_with = np.bincount(items)
    ranks = np.empty(len(n_texts_with), np.int64)
    ranks[np.argsort(n_texts_with, kind="stable")] = np.arange(len(n_texts_with))
    keys = texts | ranks[items].astype(np.uint64)
    keys.sort()
    return (keys & low).astype(np.int32), len(ranks)


def _signatures(items: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """uint64[n_texts]: a bit for each of 64 groups of items, set where a text has an odd number of them."""
    signatures = np.zeros(len(offsets) - 1, np.uint64)
    has_items = np.flatnonzero(np.diff(offsets))
    if len(has_items):
        groups = (items.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(58)
        signatures[has_items] = np.bitwise_xor.reduceat(np.uint64(1) << groups, offsets[:-1][has_items])
    return signatures
