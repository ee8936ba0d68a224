"""Pair the units of two texts that are the hits of a score, by type.

The score is only a number of hits. Where a unit occurs more often, the first occurrences are taken (n-grams,
skip-bigrams), or those on the common subsequence.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from polyrouge.counting.plain.lcs import lcs_pairs
from polyrouge.counting.plain.ngrams import skip_unigrams
from polyrouge.counting.plain.weighted_lcs import length_weights, weighted_lcs_pairs
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.rules import CountRules

Tokens = Sequence[Hashable]
Sentences = Sequence[Tokens]


class MatchedUnit(NamedTuple):
    """One hit: an occurrence in the prediction, paired with one in the reference.

    Attributes:
        prediction: positions of its tokens, in order. One token for the LCS types, n for an n-gram, two for a
            skip-bigram; for rougeW a run of tokens, which is worth f(length).
        reference: as many positions in the reference.
    """

    prediction: tuple[int, ...]
    reference: tuple[int, ...]


def is_of_sentences(rouge_type: RougeType, rules: CountRules) -> bool:
    """Say whether a type counts the tokens of the sentences, one after the other, instead of the text's."""
    if rouge_type.kind == "weighted_lcs":
        return rules.definition != "paper"
    return rouge_type.kind == "lcs_summary" or (rouge_type.kind == "lcs" and rules.lcs != "sentence")


def match_units(
    prediction: Sentences, reference: Sentences, rouge_type: RougeType, rules: CountRules
) -> list[MatchedUnit]:
    """Find the hits of two texts as the score counts them, by position in the reference.

    A text is its sentences for a type ``is_of_sentences``, else one sequence. Positions run through all sentences.
    """
    if is_of_sentences(rouge_type, rules):
        if rouge_type.kind == "weighted_lcs":
            return _weighted_runs(prediction, reference, rules.weight)
        if rouge_type.kind == "lcs" and rules.lcs == "type_union":
            return _type_union(prediction, reference)
        if rouge_type.kind == "lcs" and rules.lcs == "pairwise_sum":
            return _pairwise(prediction, reference)
        return _union(prediction, reference)
    pred_tokens, ref_tokens = list(chain.from_iterable(prediction)), list(chain.from_iterable(reference))
    if rouge_type.kind == "ngram":
        ngram_positions = partial(_ngram_positions, n=rouge_type.n)
        return _shared_units(pred_tokens, ref_tokens, ngram_positions, distinct=rules.ngram_counts == "set")
    if rouge_type.kind == "skip_bigram":
        shared = set(pred_tokens).intersection(ref_tokens)
        units = _shared_units(pred_tokens, ref_tokens, partial(_skip_positions, gap=rouge_type.gap, shared=shared))
        if rouge_type.with_unigrams:
            pred_tokens, ref_tokens = (skip_unigrams(side, rules.definition) for side in (pred_tokens, ref_tokens))
            units += _shared_units(pred_tokens, ref_tokens, partial(_ngram_positions, n=1))
        return units
    if rouge_type.kind == "weighted_lcs":
        return _runs(weighted_lcs_pairs(ref_tokens, pred_tokens, rules.weight, sums_runs=True))
    return [MatchedUnit((column,), (row,)) for row, column in lcs_pairs(ref_tokens, pred_tokens)]


def hit_value(units: Sequence[MatchedUnit], rouge_type: RougeType, rules: CountRules) -> float:
    """Return the hits of units: their number, or for rougeW the sum of f(length)."""
    if rouge_type.kind != "weighted_lcs":
        return len(units)
    f = length_weights(max((len(unit.reference) for unit in units), default=0), rules.weight)
    return sum((f[len(unit.reference)] for unit in units), start=0.0)


def _ngram_positions(tokens: Tokens, n: int) -> list[tuple[int, ...]]:
    """Return the positions of the n-grams, in order."""
    return [tuple(range(end - n, end)) for end in range(n, len(tokens) + 1)]


def _skip_positions(tokens: Tokens, gap: int | None, shared: set[Hashable]) -> list[tuple[int, ...]]:
    """Return the positions of the skip-bigrams of shared tokens, in order."""
    positions = [position for position, token in enumerate(tokens) if token in shared]
    reach = len(tokens) if gap is None else gap + 1
    pairs = ((first, second) for n, first in enumerate(positions, 1) for second in positions[n : n + reach])
    return [(first, second) for first, second in pairs if second - first <= reach]


def _shared_units(
    prediction: Tokens,
    reference: Tokens,
    positions_of: Callable[[Tokens], list[tuple[int, ...]]],
    distinct: bool = False,
) -> list[MatchedUnit]:
    """Pair the first units that both texts have: as many of each as both have, or one if distinct."""
    waiting: dict[tuple, list[tuple[int, ...]]] = defaultdict(list)
    for positions in reversed(positions_of(prediction)):
        waiting[tuple(map(prediction.__getitem__, positions))].append(positions)
    units = []
    for positions in positions_of(reference):
        partners = waiting.get(tuple(map(reference.__getitem__, positions)))
        if partners:
            units.append(MatchedUnit(partners.pop(), positions))
            if distinct:
                partners.clear()
    return units


def _union(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """Find the clipped union LCS: ``union_lcs_hits`` with its positions."""
    candidates = _union_candidates(prediction, reference, lcs_pairs)
    hits = _clipped(candidates, prediction, reference)
    partner_of = _assign_partners(hits, candidates, prediction, reference)
    return [MatchedUnit((partner_of[position],), (position,)) for position in hits]


def _type_union(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """Find for each distinct token that is a hit of ``type_union_lcs`` its first hit."""
    units: dict[Hashable, MatchedUnit] = {}
    for pred_start, pred_sentence in _with_starts(prediction):
        for ref_start, ref_sentence in _with_starts(reference):
            for pred_position, ref_position in lcs_pairs(pred_sentence, ref_sentence):
                units.setdefault(
                    pred_sentence[pred_position],
                    MatchedUnit((pred_start + pred_position,), (ref_start + ref_position,)),
                )
    return sorted(units.values(), key=lambda unit: unit.reference)


def _pairwise(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """Find every LCS of two sentences that ``pairwise_lcs`` adds; a token may be part of several."""
    candidates = _union_candidates(prediction, reference, lcs_pairs)
    return [MatchedUnit((partner,), (position,)) for position in sorted(candidates) for partner in candidates[position]]


def _weighted_runs(prediction: Sentences, reference: Sentences, weight: float) -> list[MatchedUnit]:
    """Find the runs that score in ROUGE-1.5.5: ``weighted_lcs`` with its positions."""
    candidates = _union_candidates(prediction, reference, partial(weighted_lcs_pairs, weight=weight, sums_runs=False))
    hits = set(_clipped(candidates, prediction, reference))
    runs: list[list[int]] = []
    for start, stop in pairwise(accumulate(map(len, reference), initial=0)):
        run: list[int] = []
        for position in filter(hits.__contains__, range(start, stop)):
            run.append(position)
            if position + 1 == stop or position + 1 not in candidates:
                runs.append(run)
                run = []
    partner_of = _assign_partners(list(chain.from_iterable(runs)), candidates, prediction, reference)
    return [MatchedUnit(tuple(partner_of[position] for position in run), tuple(run)) for run in runs]


def _with_starts(sentences: Sentences) -> Iterable[tuple[int, Tokens]]:
    """Pair each sentence with the position of its first token."""
    return zip(accumulate(map(len, sentences), initial=0), sentences, strict=False)


def _union_candidates(
    prediction: Sentences, reference: Sentences, find_pairs: Callable[[Tokens, Tokens], list[tuple[int, int]]]
) -> dict[int, list[int]]:
    """Return for each marked reference position the prediction positions on the subsequences that mark it."""
    candidates: dict[int, list[int]] = defaultdict(list)
    for ref_start, ref_sentence in _with_starts(reference):
        for pred_start, pred_sentence in _with_starts(prediction):
            for ref_position, pred_position in find_pairs(ref_sentence, pred_sentence):
                candidates[ref_start + ref_position].append(pred_start + pred_position)
    return candidates


def _clipped(candidates: Iterable[int], prediction: Sentences, reference: Sentences) -> list[int]:
    """Return the reference positions, in order, for which the prediction still has an unmatched token."""
    ref_tokens = list(chain.from_iterable(reference))
    remaining = Counter(chain.from_iterable(prediction))
    hits = []
    for position in sorted(candidates):
        if remaining[ref_tokens[position]] > 0:
            remaining[ref_tokens[position]] -= 1
            hits.append(position)
    return hits


def _assign_partners(
    hits: Sequence[int], candidates: dict[int, list[int]], prediction: Sentences, reference: Sentences
) -> dict[int, int]:
    """Give each hit a prediction position of its own: a free one on its subsequences, else any of its token."""
    pred_tokens, ref_tokens = list(chain.from_iterable(prediction)), list(chain.from_iterable(reference))
    partner_of: dict[int, int] = {}
    free = dict.fromkeys(reversed(range(len(pred_tokens))))
    for position in hits:
        partner = next(filter(free.__contains__, candidates[position]), None)
        if partner is not None:
            partner_of[position] = partner
            del free[partner]
    free_by_token: dict[Hashable, list[int]] = defaultdict(list)
    for position in free:
        free_by_token[pred_tokens[position]].append(position)
    for position in hits:
        if position not in partner_of:
            partner_of[position] = free_by_token[ref_tokens[position]].pop()
    return partner_of


def _runs(pairs: list[tuple[int, int]]) -> list[MatchedUnit]:
    """Join pairs of consecutive positions on both sides into runs."""
    runs: list[list[tuple[int, int]]] = []
    for row, column in pairs:
        if runs and runs[-1][-1] == (row - 1, column - 1):
            runs[-1].append((row, column))
        else:
            runs.append([(row, column)])
    return [MatchedUnit(tuple(column for _, column in run), tuple(row for row, _ in run)) for run in runs]
