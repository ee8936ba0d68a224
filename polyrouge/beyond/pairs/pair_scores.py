"""One score of two texts: a type and a measure under a metric's settings; and the fewest hits that reach a bound."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.counts import Counts
from polyrouge.counting.text_pairs import TextPairs
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_of
from polyrouge.errors import Option, RefusedValue, shown_value, warn_of
from polyrouge.metric import as_rouge
from polyrouge.scoring.aggregates import scale_scores
from polyrouge.scoring.scores import combine_references
from polyrouge.settings.allowed_values import BILLION, Range, checked_number
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

NO_HITS = np.iinfo(np.int32).max
"""More hits than there can be: no number of them is enough."""

NEAR_DUPLICATE = 0.7  # the F of Self-Instruct, above which a text repeats another
_BOUND = Range(float, -BILLION, BILLION)  # scores are up to the largest scale
_MEASURES = {"_precision": 0, "_recall": 1, "": 2}
_PAIRS_AT_ONCE = 1 << 18


class PairScore:
    """A key of ``output="all"``, such as ``"rougeL"`` or ``"rougeL_recall"``, as a function of counts.

    Args:
        key: the type, with ``_precision`` or ``_recall`` for a measure other than F.
        rouge: the metric, a convention's name, or None.
    """

    def __init__(self, key: str, rouge: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"rouge_type is {shown_value(key)}; give one, such as 'rougeL' or 'rougeL_recall'.")
        suffix = next(measure for measure in _MEASURES if key.endswith(measure))
        metric = as_rouge(rouge, rouge_types=(key.removesuffix(suffix),))
        self.settings, self.run = metric.settings, metric.run
        self.rouge_type = self.settings.count_rules.types[0]
        self._measure = _MEASURES[suffix]

    def of_counts(self, pairs: Counts) -> NDArray[np.float64]:
        """float64[n_pairs], scaled and rounded as the settings say; NaN where ``empty="skip"`` leaves a pair out."""
        if not len(pairs.counts):
            return np.empty(0)
        scores, _ = combine_references(pairs, self.settings.reference_rule, self.settings.score_rule)
        return scale_scores(scores, self.settings.result_rules)[:, 0, self._measure]

    @property
    def is_of_shared_items(self) -> bool:
        """Whether hits are shared n-grams, or the LCS of two texts: what the bounds of ``TextIndex`` are for."""
        is_lcs = self.rouge_type.kind == "lcs" and self.settings.count_rules.lcs == "sentence"
        return is_lcs or self.rouge_type.kind == "ngram"

    def totals(self, n_tokens: NDArray[np.int64], n_items: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[n]: the totals of texts of so many tokens and items (n-grams, distinct ones where these count)."""
        rules = self.settings.count_rules
        if self.rouge_type.kind == "ngram" and rules.unclipped_totals and rules.ngram_counts == "multiset":
            return n_tokens - self.rouge_type.n + 1
        return n_items

    def of_hits(
        self, hits: NDArray[np.integer], predictions: NDArray[np.int64], references: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """``of_counts`` of pairs with so many hits; predictions and references are int64[2, n]: tokens and items."""
        totals = self.totals(*predictions), self.totals(*references)
        counts = np.stack([hits, *totals], axis=-1).astype(np.float64)[:, np.newaxis]
        return self.of_counts(Counts(counts, np.arange(len(hits) + 1), predictions[0], references[0]))

    def least_hits(
        self, predictions: NDArray[np.int64], references: NDArray[np.int64], bound: float
    ) -> NDArray[np.int32]:
        """int32[n]: how many hits pairs of int64[2, n] each must have for a score of at least a bound, or ``NO_HITS``.

        A score never falls as hits rise, its float too, so the score itself decides, and nothing can disagree with it.
        """

        def is_enough(hits: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
            return self.of_hits(hits, predictions[:, rows], references[:, rows]) >= bound

        low = np.zeros(predictions.shape[1], np.int64)
        high = np.minimum(predictions[1], references[1])
        rows = np.arange(len(low))
        enough = is_enough(high, rows)
        low[~enough], high[~enough] = NO_HITS, NO_HITS
        while len(rows := np.flatnonzero(low < high)):
            middle = (low[rows] + high[rows]) // 2
            enough = is_enough(middle, rows)
            high[rows[enough]] = middle[enough]
            low[rows[~enough]] = middle[~enough] + 1
        return low.astype(np.int32)


def least_hits_of_classes(score: PairScore, classes: NDArray[np.int64], bound: float) -> NDArray[np.int32]:
    """int32[n, n]: ``PairScore.least_hits`` of each class of texts with each; classes are int64[2, n]."""
    n = classes.shape[1]
    least = np.empty((n, n), np.int32)
    step = max(1, _PAIRS_AT_ONCE // max(1, n))
    for start in range(0, n, step):
        chunk = classes[:, start : start + step]
        chunk_size = chunk.shape[1]
        of_pairs = score.least_hits(chunk.repeat(n, axis=1), np.tile(classes, chunk_size), bound)
        least[start : start + step] = of_pairs.reshape(chunk_size, n)
    return least


def checked_bound(bound: Any, name: str) -> float:
    """Return a bound of scores, which messages call by its name."""
    return checked_number(name, bound, _BOUND)


def bound_above(above: Any, settings: RougeSettings) -> float:
    """Return the least score that counts as above a bound; None stands for 0.7 of the scale."""
    bound = NEAR_DUPLICATE * settings.scale if above is None else checked_bound(above, "above")
    return math.nextafter(bound, math.inf)


def read_columns(
    columns: Sequence[tuple[str, Sequence[str]]],
    settings: RougeSettings,
    run: RunOptions,
    group_starts: NDArray[np.int64] | None = None,
) -> TextPairs:
    """Read columns of texts, each with its name, one after the other; warn of odd ones, or refuse them."""
    notes = InputNotes(settings.text_rules)
    texts = TextPairs([text for _, column in columns for text in column], settings, run, notes, group_starts)
    refuse_empty(texts.n_tokens(), settings, [(name, len(column)) for name, column in columns])
    warn_of(messages_of(notes))
    return texts


def refuse_empty(n_tokens: NDArray[np.int64], settings: RougeSettings, columns: Sequence[tuple[str, int]]) -> None:
    """Raise for the first text without tokens that may have none; ``columns``: names and sizes, one after the other."""
    refuses = settings.empty == "error" or (settings.on_error == "raise" and settings.tool.refuses)
    empty = np.flatnonzero(n_tokens == 0)
    if not refuses or not len(empty):
        return
    row = int(empty[0])
    for name, size in columns:
        if row < size:
            zero = Option("empty", "zero"), " and ", Option("on_error", "score"), " its scores are 0."
            raise RefusedValue(f"{name}[{row}] has no tokens, which these settings refuse; with ", *zero)
        row -= size
