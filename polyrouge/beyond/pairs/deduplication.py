"""Near duplicates: a text is kept unless its score with one that was kept before is above a bound."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.pairs.pair_scores import NO_HITS, PairScore, bound_above, read_columns, refuse_empty
from polyrouge.beyond.pairs.text_search import text_search
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.plain.ngrams import count_ngrams
from polyrouge.documents.document import document_readers, rules_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_on
from polyrouge.errors import warn_of
from polyrouge.inputs import Inputs, SingleReferences, check_texts
from polyrouge.metric import Rouge
from polyrouge.progress import Progress, tell_progress, telling_progress

_CANDIDATES_AT_ONCE = 64
_FIRST_SIZE = 1024


@dataclass(frozen=True)
class Deduplication:
    """Which texts were kept.

    Attributes:
        kept: int64[n_kept], the rows kept, in order.
        dropped: int64[n_dropped], all others, in order.
        similar_to: int64[n_dropped]: for each dropped row the first kept row that it is similar to; where ``in_pool``,
            the number of a text in the pool that was there before.
        in_pool: bool[n_dropped].
        score: float64[n_dropped]: the score of the two, which is above the bound.
        signature: of the settings.
    """

    kept: NDArray[np.int64]
    dropped: NDArray[np.int64]
    similar_to: NDArray[np.int64]
    in_pool: NDArray[np.bool_]
    score: NDArray[np.float64]
    signature: str


def deduplicate(
    texts: Any,
    rouge_type: str = "rougeL",
    above: float | None = None,
    *,
    against: Any = None,
    rouge: Rouge | str | None = None,
    progress: Progress | None = None,
) -> Deduplication:
    """Drop near duplicates, as the filter of Self-Instruct and Alpaca does (Wang et al. 2023, section 2.2).

    Texts are taken in order. A text is kept unless its score, as the prediction, with a text kept before, as the
    reference, is above the bound. The result is that of a loop over all pairs, to the last bit of each score. For
    ROUGE-N, and for rougeL as one LCS of the whole texts, an index finds it without counting most pairs. For other
    types all pairs are counted. Without the compiled extension texts are compared one by one.

    Args:
        texts: any iterable of strings.
        rouge_type: the type, with ``_precision`` or ``_recall`` for a measure other than F.
        above: the bound, on the scale of the scores; 0.7 of the scale if None.
        against: texts that were kept before; none of them is dropped.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Its types do not count. ``"rouge_score"``
            decides as Self-Instruct's own code.
        progress: called with ``"deduplicating"``, the texts done, and all.

    Examples:
        >>> deduplicate(["say it again", "sing a song", "say it again please"], above=0.8).kept.tolist()
        [0, 1]

    Returns:
        What was kept, and why the rest was not.

    Raises:
        TypeError: something is no text; the row is named.
        ValueError: a bad setting; or the convention refuses texts without tokens, and there is one.
    """
    pool = [] if against is None else check_texts(against, "against")
    rows = check_texts(texts, "texts")
    score = PairScore(rouge_type, rouge)
    bound = bound_above(above, score.settings)
    collection = read_columns([("against", pool), ("texts", rows)], score.settings, score.run)
    search = text_search(collection, score, bound)
    with telling_progress(progress, "deduplicating", len(rows)):
        if search is None:
            return Pool(pool, rouge_type, above, rouge=rouge)._add(rows)
        search.add(0, len(pool))
        first, hits = search.keep_dissimilar(len(pool), len(pool) + len(rows))
    similar = np.flatnonzero(first >= 0)
    scores = search.scores(similar, first[similar], hits[similar])
    return _deduplication(first[len(pool) :].astype(np.int64), scores, len(pool), score)


def _deduplication(
    first: NDArray[np.int64], scores: NDArray[np.float64], n_pool: int, score: PairScore
) -> Deduplication:
    """The result: for each text the place of the first it is similar to, pool and texts, or -1; the scores of these."""
    dropped = np.flatnonzero(first >= 0)
    in_pool = first[dropped] < n_pool
    similar_to = first[dropped] - np.where(in_pool, 0, n_pool)
    return Deduplication(np.flatnonzero(first < 0), dropped, similar_to, in_pool, scores, score.settings.signature())


class Pool:
    """Texts that are kept as they come, for generators that produce as they go: ``deduplicate``, text by text.

    Args:
        texts: kept before, as they are.
        rouge_type: as for ``deduplicate``; so are ``above`` and ``rouge``.

    Attributes:
        texts: the texts kept so far.

    Examples:
        >>> pool = Pool(["say it again"], above=0.8)
        >>> pool.add(["sing a song", "say it again please"]).kept.tolist()
        [0]
        >>> pool.texts
        ['say it again', 'sing a song']
    """

    def __init__(
        self,
        texts: Any = (),
        rouge_type: str = "rougeL",
        above: float | None = None,
        *,
        rouge: Rouge | str | None = None,
    ) -> None:
        self._score = PairScore(rouge_type, rouge)
        self._bound = bound_above(above, self._score.settings)
        self._settings = self._score.settings.replace(on_error="score")
        if self._settings.empty == "error":  # texts are checked before
            self._settings = self._settings.replace(empty="zero")
        rules = self._settings.text_rules
        self._notes = InputNotes(rules)
        self._warnings: set[str] = set()  # each is given once
        self._read = document_readers(rules, self._notes, cache_size=1).prediction
        self._has_bounds = self._score.is_of_shared_items and len(set(rules_by_side(rules))) == 1
        self._texts: list[str] = []
        self._signatures, self._classes = np.zeros(_FIRST_SIZE, np.uint64), np.zeros(_FIRST_SIZE, np.int64)
        self._class_numbers: dict[tuple[int, int], int] = {}
        self._sizes = np.zeros((0, 2), np.int64)  # of each class: tokens and items
        self._limits: dict[int, NDArray[np.int64]] = {}  # by class of the new text: see ``_limits_of``
        for text in check_texts(texts, "texts"):
            self._keep(text)

    @property
    def texts(self) -> list[str]:
        """The texts kept so far, in order."""
        return list(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def signature(self) -> str:
        """The line that names the settings."""
        return self._score.settings.signature()

    def add(self, texts: Any) -> Deduplication:
        """Keep those of some more texts that are similar to none kept before.

        Returns:
            As ``deduplicate``, of these texts; ``similar_to`` is a place in ``texts`` of this pool where ``in_pool``.

        Raises:
            TypeError: something is no text; nothing is added.
        """
        rows = check_texts(texts, "texts")
        result = self._add(rows)
        looked_at = len(self._notes.chunks)
        self._notes.look_at(Inputs(rows, SingleReferences(rows), "text"), 0, len(rows), is_paired=False)
        sample = self._notes.sample()
        of_rows = messages_on(sample._replace(chunks=sample.chunks[looked_at:]))
        new = [message for message in of_rows if message not in self._warnings]
        self._warnings.update(new)
        warn_of(new)
        return result

    def _add(self, texts: list[str]) -> Deduplication:
        """``add``, without a warning."""
        n_tokens = np.array([len(self._read(text).tokens) for text in texts], np.int64)
        refuse_empty(n_tokens, self._score.settings, [("texts", len(texts))])
        n_before = len(self._texts)
        first, scores = np.full(len(texts), -1, np.int64), []
        new: list[int] = []  # rows kept
        for row, text in enumerate(texts):
            similar = self._first_similar(text)
            if similar is None:
                self._keep(text)
                new.append(row)
            else:
                place, score = similar
                first[row] = place if place < n_before else n_before + new[place - n_before]
                scores.append(score)
            tell_progress(1)
        return _deduplication(first, np.array(scores, np.float64), n_before, self._score)

    def _first_similar(self, text: str) -> tuple[int, float] | None:
        """The place of the first kept text that the score with is above the bound, and the score."""
        candidates = self._candidates(text)
        for start in range(0, len(candidates), _CANDIDATES_AT_ONCE):
            places = candidates[start : start + _CANDIDATES_AT_ONCE].tolist()
            others = SingleReferences([self._texts[place] for place in places])
            counts = count_pairs(Inputs([text] * len(others), others, "text"), self._settings, self._score.run)
            scores = self._score.of_counts(counts)
            for place, value in zip(places, scores.tolist(), strict=True):
                if value >= self._bound:
                    return place, value
        return None

    def _keep(self, text: str) -> None:
        """Add a text behind all others."""
        n = len(self._texts)
        if self._has_bounds:
            if n == len(self._signatures):
                self._signatures = np.concatenate([self._signatures, np.zeros_like(self._signatures)])
                self._classes = np.concatenate([self._classes, np.zeros_like(self._classes)])
            self._classes[n], self._signatures[n] = self._class_and_signature(text)
        self._texts.append(text)

    def _candidates(self, text: str) -> NDArray[np.int64]:
        """Places of the kept texts that bounds 1 and 2 of the compiled ``TextIndex`` allow; of all for other types."""
        n = len(self._texts)
        if not self._has_bounds:
            return np.arange(n)
        kind, signature = self._class_and_signature(text)
        differences = np.bitwise_count(self._signatures[:n] ^ np.uint64(signature))
        return np.flatnonzero(differences <= self._limits_of(kind)[self._classes[:n]])

    def _class_and_signature(self, text: str) -> tuple[int, int]:
        """The number of a text's class, which may be a new one, and its signature."""
        tokens = self._read(text).tokens
        rouge_type = self._score.rouge_type
        counts = count_ngrams(tokens, rouge_type.n if rouge_type.kind == "ngram" else 1)
        is_set = rouge_type.kind == "ngram" and self._score.settings.count_rules.ngram_counts == "set"
        signature = n_items = 0
        for unit, n in counts.items():
            for occurrence in range(1 if is_set else n):
                signature ^= 1 << (hash((unit, occurrence)) & 63)
                n_items += 1
        kind = self._class_numbers.setdefault((len(tokens), n_items), len(self._class_numbers))
        if kind == len(self._sizes):
            self._sizes = np.concatenate([self._sizes, [[len(tokens), n_items]]])
        return kind, signature

    def _limits_of(self, kind: int) -> NDArray[np.int64]:
        """int64[n_classes]: in how many bits signatures may differ, by the class of the kept text; -1: not similar."""
        limits = self._limits.get(kind, np.zeros(0, np.int64))
        missing = self._sizes[len(limits) :]
        if len(missing):
            own = np.broadcast_to(self._sizes[kind], missing.shape)
            least = self._score.least_hits(own.T, missing.T, self._bound).astype(np.int64)
            new = np.where(least == NO_HITS, -1, own[:, 1] + missing[:, 1] - 2 * least)
            limits = self._limits[kind] = np.concatenate([limits, new])
        return limits
