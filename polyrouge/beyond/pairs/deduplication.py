"""Near duplicates: a text is kept unless its score with one that was kept before is above a bound."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.pairs.index import PlainIndex, text_index
from polyrouge.beyond.pairs.pair_scores import PairScore, bound_above, read_columns, refuse_empty
from polyrouge.counting.counts import Counts
from polyrouge.counting.loop import count_pairs
from polyrouge.documents.document import readers_by_side, rules_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_on
from polyrouge.errors import warn_of
from polyrouge.inputs import Inputs, SingleReferences, check_texts
from polyrouge.metric import Rouge
from polyrouge.progress import Progress, telling_progress


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
    reference, is above the bound. A loop over all pairs gives the same result, to the last bit of each score. For
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
    index = text_index(collection, score, bound)
    with telling_progress(progress, "deduplicating", len(rows)):
        index.add(0, len(pool))
        first, scores = index.keep_dissimilar(len(pool), len(pool) + len(rows))
    return _deduplication(first[len(pool) :], scores, len(pool), score)


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
        self._notes = InputNotes(self._score.settings.text_rules)
        self._warnings: set[str] = set()  # each is given once
        self._kept = _KeptTexts(check_texts(texts, "texts"), self._score, self._notes)
        self._index = PlainIndex(self._kept, self._score, bound_above(above, self._score.settings))
        self._index.add(0, len(self))

    @property
    def texts(self) -> list[str]:
        """The texts kept so far, in order."""
        return list(self._kept.texts)

    def __len__(self) -> int:
        return len(self._kept.texts)

    def signature(self) -> str:
        """Return the line that names the settings."""
        return self._score.settings.signature()

    def add(self, texts: Any) -> Deduplication:
        """Keep the texts that are not similar to any kept before.

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
        of_rows = messages_on(replace(sample, chunks=sample.chunks[looked_at:]))
        new = [message for message in of_rows if message not in self._warnings]
        self._warnings.update(new)
        warn_of(new)
        return result

    def _add(self, texts: list[str]) -> Deduplication:
        """``add``, without a warning."""
        kept_texts = self._kept.texts
        n_tokens = np.array([self._kept.n_tokens(text) for text in texts], np.int64)
        refuse_empty(n_tokens, self._score.settings, [("texts", len(texts))])
        n_before = len(kept_texts)
        first, scores = np.full(len(texts), -1, np.int64), []
        new: list[int] = []  # rows kept
        for row, text in enumerate(texts):
            kept_texts.append(text)
            similar = self._index.first_reaching(len(kept_texts) - 1)
            if similar is None:
                new.append(row)
                continue
            kept_texts.pop()
            number, score = similar
            first[row] = number if number < n_before else n_before + new[number - n_before]
            scores.append(score)
        return _deduplication(first, np.array(scores, np.float64), n_before, self._score)


class _KeptTexts:
    """Texts of which more may come: a collection for ``PlainIndex`` that holds no tokens."""

    def __init__(self, texts: list[str], score: PairScore, notes: InputNotes) -> None:
        settings = score.settings.replace(on_error="score")
        if settings.empty == "error":  # texts are checked before
            settings = settings.replace(empty="zero")
        self.texts, self._settings, self._run = list(texts), settings, score.run
        self._read = readers_by_side(settings.text_rules, notes, cache_size=1).prediction
        self.is_one_sided = len(set(rules_by_side(settings.text_rules))) == 1

    def n_tokens(self, text: str) -> int:
        """Return the number of tokens of any text."""
        return len(self._read(text).tokens)

    def tokens(self, number: int) -> list[str]:
        """Return the tokens of a text."""
        return self._read(self.texts[number]).tokens

    def count(self, predictions: NDArray[np.int64], references: NDArray[np.int64]) -> Counts:
        """Count pairs, each a sample with one reference; both int64[n]."""
        first, second = ([self.texts[number] for number in numbers.tolist()] for numbers in (predictions, references))
        return count_pairs(Inputs(first, SingleReferences(second), "text"), self._settings, self._run)
