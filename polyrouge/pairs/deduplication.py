"""Near duplicates: a text is kept unless its score with one that was kept before is above a bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.text_pairs import TextPairs
from polyrouge.documents.input_notes import InputNotes
from polyrouge.errors import warn_of
from polyrouge.inputs import Inputs, SingleReferences, check_texts
from polyrouge.pairs.kept_texts import KeptTexts
from polyrouge.pairs.pair_scores import PairScore, checked_bound, refuse_empty
from polyrouge.pairs.text_search import text_search
from polyrouge.progress import Progress, tell_progress, telling_progress
from polyrouge.result_table import PrintsTables, ResultTable

_PRINTED = 10


@dataclass(frozen=True)
class Deduplication(PrintsTables):
    """Which texts were kept.

    Attributes:
        kept: int64[n_kept], the rows kept, in order.
        dropped: int64[n_dropped], all others, in order.
        similar_to: int64[n_dropped]: for each dropped row the first kept row that it is similar to; where ``in_pool``,
            the number of a text in the pool that was there before.
        in_pool: bool[n_dropped].
        score: float64[n_dropped]: the score of the two, which is above the bound.
        rouge_type: the type and measure, such as ``"rougeL"``.
        above: the bound.
        signature: of the settings.
    """

    kept: NDArray[np.int64]
    dropped: NDArray[np.int64]
    similar_to: NDArray[np.int64]
    in_pool: NDArray[np.bool_]
    score: NDArray[np.float64]
    rouge_type: str
    above: float
    signature: str

    def _tables(self) -> list[ResultTable]:
        rows = [
            [str(row), f"{'pool ' if in_pool else ''}{other}", f"{score:.4f}"]
            for row, other, in_pool, score in zip(
                self.dropped.tolist(), self.similar_to.tolist(), self.in_pool.tolist(), self.score.tolist(), strict=True
            )
        ]
        title = f"{len(self.kept)} texts kept, {len(self.dropped)} dropped: {self.rouge_type} above {self.above:g}"
        return [ResultTable(title, ["dropped", "similar to", self.rouge_type], rows[:_PRINTED], 0)]

    def _notes(self) -> list[str]:
        n_more = len(self.dropped) - _PRINTED
        return [f"… and {n_more} more."] if n_more > 0 else []


def deduplicate(
    texts: Any,
    rouge_type: str = "rougeL",
    above: float = 0.7,
    *,
    against: Any = None,
    convention: str = "default",
    progress: Progress | None = None,
    **settings: Any,
) -> Deduplication:
    """Drop near duplicates, as the filter of Self-Instruct and Alpaca does (Wang et al. 2023, section 2.2).

    Texts are taken in order. A text is kept unless its score, as the prediction, with a text kept before, as the
    reference, is above the bound. The result is that of a loop over all pairs, to the last bit of each score. For
    ROUGE-N, and for rougeL as one LCS of the whole texts, an index finds it without counting most pairs. For other
    types all pairs are counted. Without the compiled extension texts are compared one by one.

    Args:
        texts: any iterable of strings.
        rouge_type: the type, with ``_precision`` or ``_recall`` for a measure other than F.
        above: the bound, on the scale of the scores.
        against: texts that were kept before; none of them is dropped.
        convention: as for ``Rouge``; ``"rouge_score"`` decides as Self-Instruct's own code.
        progress: called with ``"deduplicating"``, the texts done, and all.
        **settings: fields of ``RougeSettings``.

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
    score = PairScore(rouge_type, convention, settings)
    bound = checked_bound(above, "above")
    notes = InputNotes(score.settings.text_rules)
    n_pool = len(pool)
    with telling_progress(progress, "deduplicating", len(rows)):
        first, scores = _first_similar([*pool, *rows], n_pool, score, bound, notes)
    warn_of(notes.messages())
    return _deduplication(first, scores, n_pool, rouge_type, above, score.settings.signature())


def _deduplication(
    first: NDArray[np.int64], scores: NDArray[np.float64], n_pool: int, rouge_type: str, above: float, signature: str
) -> Deduplication:
    """The result, from what ``_first_similar`` gives."""
    dropped = np.flatnonzero(first >= 0)
    in_pool = first[dropped] < n_pool
    similar_to = np.where(in_pool, first[dropped], first[dropped] - n_pool)
    kept = np.flatnonzero(first < 0)
    return Deduplication(kept, dropped, similar_to, in_pool, scores[dropped], rouge_type, above, signature)


def _first_similar(
    texts: list[str], n_pool: int, score: PairScore, bound: float, notes: InputNotes
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each text behind the pool the place of the first kept one that it is similar to, or -1; and their score."""
    collection = TextPairs(texts, score.settings, notes) if texts else None
    search = None if collection is None else text_search(collection, score, bound)
    if collection is not None and search is not None:
        columns = [("against", n_pool), ("texts", len(texts) - n_pool)]
        refuse_empty(collection.n_tokens(), score.settings, columns)
        search.add(0, n_pool)
        first, hits = search.keep_dissimilar(n_pool, len(texts))
        scores = np.full(len(texts), np.nan)
        similar = np.flatnonzero(first >= 0)
        scores[similar] = search.scores(similar, first[similar], hits[similar])
        return first[n_pool:].astype(np.int64), scores[n_pool:]
    kept = KeptTexts(score, bound, notes)
    for text in texts[:n_pool]:
        kept.keep(text)
    return _keep_dissimilar(kept, texts[n_pool:], score)


def _keep_dissimilar(
    kept: KeptTexts, texts: Sequence[str], score: PairScore
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """``_first_similar`` with texts kept so far, text by text."""
    n_tokens = np.array([kept.n_tokens(text) for text in texts], np.int64)
    refuse_empty(n_tokens, score.settings, [("texts", len(texts))])
    places = list(range(len(kept.texts)))  # of the kept texts among all
    first, scores = np.full(len(texts), -1, np.int64), np.full(len(texts), np.nan)
    n_before = len(places)
    for row, text in enumerate(texts):
        similar = kept.first_similar(text)
        if similar is None:
            kept.keep(text)
            places.append(n_before + row)
        else:
            first[row], scores[row] = places[similar[0]], similar[1]
        tell_progress(1)
    return first, scores


class Pool:
    """Texts that are kept as they come, for generators that produce as they go: ``deduplicate``, text by text.

    Args:
        texts: kept before, as they are.
        rouge_type: as for ``deduplicate``; so are ``above``, ``convention`` and ``settings``.

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
        above: float = 0.7,
        *,
        convention: str = "default",
        **settings: Any,
    ) -> None:
        self._score = PairScore(rouge_type, convention, settings)
        self._rouge_type, self._above = rouge_type, above
        self._notes = InputNotes(self._score.settings.text_rules)
        self._warnings: set[str] = set()  # each is given once
        self._kept = KeptTexts(self._score, checked_bound(above, "above"), self._notes)
        for text in check_texts(texts, "texts"):
            self._kept.keep(text)

    @property
    def texts(self) -> list[str]:
        """The texts kept so far, in order."""
        return list(self._kept.texts)

    def __len__(self) -> int:
        return len(self._kept.texts)

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
        n_before = len(self._kept.texts)
        first, scores = _keep_dissimilar(self._kept, rows, self._score)
        self._notes.look_at(Inputs(rows, SingleReferences(rows), "text"), 0, len(rows))
        new = [message for message in self._notes.messages() if message not in self._warnings]
        self._warnings.update(new)
        warn_of(new)
        return _deduplication(first, scores, n_before, self._rouge_type, self._above, self.signature())
