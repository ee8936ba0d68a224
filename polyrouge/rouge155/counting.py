"""ROUGE-1.5.5's counts of one prediction with one reference, and its choice between references.

Line numbers point into ROUGE-1.5.5.pl.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from polyrouge.counting.plain.lcs import union_lcs_hits
from polyrouge.counting.plain.ngrams import clipped_hits, count_ngrams
from polyrouge.counting.plain.skip_bigrams import count_skip_bigrams, skip_bigram_total, skip_unigrams
from polyrouge.counting.plain.weighted_lcs import weighted_base, weighted_lcs
from polyrouge.tools.rouge155 import Rouge155Text


class EmptyReferenceError(ValueError):
    """ROUGE-W of a reference without tokens, at which the script dies (2454)."""


class PairCounts155(NamedTuple):
    """What the script counts for one metric.

    Attributes:
        reference: units of the reference (``M_count``); weighted for ROUGE-W.
        prediction: units of the prediction (``P_count``); weighted for ROUGE-W.
        hits: shared units (``H_count``); weighted for ROUGE-W.
        selection: what ``-f B`` compares: the recall, as each metric has it there.
    """

    reference: float
    prediction: float
    hits: float
    selection: float = 0.0


def rounded5(value: float) -> float:
    """A score as the script prints it and uses it further: ``sprintf("%7.5f")``."""
    return float(f"{value:.5f}")


def count_units155(prediction: Mapping[Hashable, int], reference: Mapping[Hashable, int]) -> PairCounts155:
    """Counts of any units: hits are clipped per unit (2219-2277)."""
    return _with_rounded_recall(sum(reference.values()), sum(prediction.values()), clipped_hits(prediction, reference))


def count_ngrams155(prediction: Sequence[Hashable], reference: Sequence[Hashable], n: int) -> PairCounts155:
    """Counts of ROUGE-N (2598-2660) over the tokens of two texts."""
    return count_units155(count_ngrams(prediction, n), count_ngrams(reference, n))


def count_skips155(
    prediction: Sequence[Hashable], reference: Sequence[Hashable], gap: int | None, *, with_unigrams: bool
) -> PairCounts155:
    """Counts of ROUGE-S, or with unigrams of ROUGE-SU (2662-2737), over the tokens of two texts.

    Args:
        prediction: tokens.
        reference: tokens.
        gap: tokens allowed in between; None means any number (``-2 -1``).
        with_unigrams: add the unigrams of all tokens but the last.
    """
    shared = set(prediction) & set(reference)
    hits = clipped_hits(count_skip_bigrams(prediction, gap, shared), count_skip_bigrams(reference, gap, shared))
    totals = [skip_bigram_total(len(tokens), gap) for tokens in (reference, prediction)]
    if with_unigrams:
        units = [skip_unigrams(tokens, "rouge155") for tokens in (reference, prediction)]
        hits += clipped_hits(Counter(units[1]), Counter(units[0]))
        totals = [total + len(tokens) for total, tokens in zip(totals, units, strict=True)]
    return _with_rounded_recall(totals[0], totals[1], hits)


def count_lcs155(prediction: Rouge155Text, reference: Rouge155Text, *, clip_apart: bool) -> PairCounts155:
    """Counts of ROUGE-L (2279-2385).

    Args:
        prediction: the text's sentences are compared, its tokens clip and are the total.
        reference: the text's sentences are compared and are the total, its tokens clip.
        clip_apart: whether tokens and sentences may differ (``-b``, ``-M``).
    """
    clip = (Counter(prediction.tokens), Counter(reference.tokens)) if clip_apart else None
    hits = union_lcs_hits(prediction.sentences, reference.sentences, clip=clip)
    total = sum(map(len, reference.sentences))
    return PairCounts155(total, len(prediction.tokens), hits, hits / total if total else 0.0)


def count_weighted_lcs155(
    prediction: Rouge155Text, reference: Rouge155Text, weight: float, *, clip_apart: bool
) -> PairCounts155:
    """Counts of ROUGE-W (2387-2521); see ``weighted_lcs.weighted_lcs`` and ``count_lcs155``.

    ``-f B`` compares recalls over f of the sentences' lengths, which are weighted once, and not over
    the total, which is weighted twice.

    Raises:
        EmptyReferenceError: the reference has no token to divide by.
    """
    base = weighted_base(reference.sentences, weight)
    if base == 0:
        raise EmptyReferenceError("ROUGE-W of a reference without tokens divides by zero")
    clip = (Counter(prediction.tokens), Counter(reference.tokens)) if clip_apart else None
    hits, prediction_total, reference_total = weighted_lcs(prediction.sentences, reference.sentences, weight, clip=clip)
    return PairCounts155(reference_total, prediction_total, hits, (hits / base) ** (1 / weight))


def pooled_counts(pairs: Iterable[PairCounts155]) -> PairCounts155:
    """The sums over the references, prediction included: ``-f A``."""
    reference: float = 0
    prediction: float = 0
    hits: float = 0
    for pair in pairs:  # not sum(): from Python 3.12 on it corrects rounding errors
        reference += pair.reference
        prediction += pair.prediction
        hits += pair.hits
    return PairCounts155(reference, prediction, hits)


def best_counts(pairs: Iterable[PairCounts155]) -> PairCounts155:
    """The counts of the reference with the greatest selection value, the first of equal ones: ``-f B``."""
    return max(pairs, key=lambda pair: pair.selection, default=PairCounts155(0, 0, 0))


def _with_rounded_recall(reference: int, prediction: int, hits: int) -> PairCounts155:
    return PairCounts155(reference, prediction, hits, rounded5(hits / reference) if reference else 0.0)
