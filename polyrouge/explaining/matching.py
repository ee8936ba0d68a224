"""Which occurrences are the hits of a score: for each type the units of two texts that are paired.

The score only says how many. Of more occurrences the first ones are taken (n-grams, skip-bigrams), or those on the
common subsequence.
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
    """One hit: an occurrence in the prediction and the one in the reference that it is paired with.

    Attributes:
        prediction: positions of its tokens, in order. One token for the LCS types, n for an n-gram, two for a
            skip-bigram; for rougeW a run of tokens, which is worth f(length).
        reference: as many positions in the reference.
    """

    prediction: tuple[int, ...]
    reference: tuple[int, ...]


def is_of_sentences(rouge_type: RougeType, rules: CountRules) -> bool:
    """Whether a type counts the tokens of the sentences, one after the other, rather than the text's."""
    if rouge_type.kind == "weighted_lcs":
        return rules.definition != "paper"
    return rouge_type.kind == "lcs_summary" or (rouge_type.kind == "lcs" and rules.lcs != "sentence")


def match_units(
    prediction: Sentences, reference: Sentences, rouge_type: RougeType, rules: CountRules
) -> list[MatchedUnit]:
    """The hits of two texts as the score counts them, by their place in the reference.

    A text is its sentences for a type ``is_of_sentences``, else one. Positions count on from sentence to sentence.
    """
    if is_of_sentences(rouge_type, rules):
        if rouge_type.kind == "weighted_lcs":
            return _weighted_runs(prediction, reference, rules.weight)
        if rouge_type.kind == "lcs" and rules.lcs == "type_union":
            return _type_union(prediction, reference)
        if rouge_type.kind == "lcs" and rules.lcs == "pairwise_sum":
            return _pairwise(prediction, reference)
        return _union(prediction, reference)
    ours, theirs = list(chain.from_iterable(prediction)), list(chain.from_iterable(reference))
    if rouge_type.kind == "ngram":
        ngram_places = partial(_ngram_places, n=rouge_type.n)
        return _shared_units(ours, theirs, ngram_places, distinct=rules.ngram_counts == "set")
    if rouge_type.kind == "skip_bigram":
        shared = set(ours).intersection(theirs)
        units = _shared_units(ours, theirs, partial(_skip_places, gap=rouge_type.gap, shared=shared))
        if rouge_type.with_unigrams:
            ours, theirs = (skip_unigrams(side, rules.definition) for side in (ours, theirs))
            units += _shared_units(ours, theirs, partial(_ngram_places, n=1))
        return units
    if rouge_type.kind == "weighted_lcs":
        return _runs(weighted_lcs_pairs(theirs, ours, rules.weight, sums_runs=True))
    return [MatchedUnit((column,), (row,)) for row, column in lcs_pairs(theirs, ours)]


def units_value(units: Sequence[MatchedUnit], rouge_type: RougeType, rules: CountRules) -> float:
    """Hits that the units stand for: their number, or for rougeW the sum of f(length)."""
    if rouge_type.kind != "weighted_lcs":
        return len(units)
    f = length_weights(max((len(unit.reference) for unit in units), default=0), rules.weight)
    return sum((f[len(unit.reference)] for unit in units), start=0.0)


def _ngram_places(tokens: Tokens, n: int) -> list[tuple[int, ...]]:
    """Positions of the n-grams, in order."""
    return [tuple(range(end - n, end)) for end in range(n, len(tokens) + 1)]


def _skip_places(tokens: Tokens, gap: int | None, shared: set[Hashable]) -> list[tuple[int, ...]]:
    """Positions of the skip-bigrams of shared tokens, in order."""
    places = [place for place, token in enumerate(tokens) if token in shared]
    reach = len(tokens) if gap is None else gap + 1
    pairs = ((first, second) for n, first in enumerate(places, 1) for second in places[n : n + reach])
    return [(first, second) for first, second in pairs if second - first <= reach]


def _shared_units(
    prediction: Tokens, reference: Tokens, places_of: Callable[[Tokens], list[tuple[int, ...]]], distinct: bool = False
) -> list[MatchedUnit]:
    """The first units that both texts hold: as many as both hold of each, or one if distinct."""
    waiting: dict[tuple, list[tuple[int, ...]]] = defaultdict(list)
    for places in reversed(places_of(prediction)):
        waiting[tuple(map(prediction.__getitem__, places))].append(places)
    units = []
    for places in places_of(reference):
        partners = waiting.get(tuple(map(reference.__getitem__, places)))
        if partners:
            units.append(MatchedUnit(partners.pop(), places))
            if distinct:
                partners.clear()
    return units


def _union(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """The clipped union LCS: ``union_lcs_hits`` with its positions."""
    partners = _union_partners(prediction, reference, lcs_pairs)
    hits = _clipped(partners, prediction, reference)
    chosen = _choose_partners(hits, partners, prediction, reference)
    return [MatchedUnit((chosen[place],), (place,)) for place in hits]


def _type_union(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """For each distinct token that is a hit of ``type_union_lcs`` the first place where it is one."""
    units: dict[Hashable, MatchedUnit] = {}
    for start, ours in _with_starts(prediction):
        for other_start, theirs in _with_starts(reference):
            for place, other in lcs_pairs(ours, theirs):
                units.setdefault(ours[place], MatchedUnit((start + place,), (other_start + other,)))
    return sorted(units.values(), key=lambda unit: unit.reference)


def _pairwise(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """Every LCS of two sentences, as ``pairwise_lcs`` adds them up: a token may be part of several."""
    partners = _union_partners(prediction, reference, lcs_pairs)
    return [MatchedUnit((other,), (place,)) for place in sorted(partners) for other in partners[place]]


def _weighted_runs(prediction: Sentences, reference: Sentences, weight: float) -> list[MatchedUnit]:
    """The runs that ROUGE-1.5.5 pays for: ``weighted_lcs`` with its positions."""
    partners = _union_partners(prediction, reference, partial(weighted_lcs_pairs, weight=weight, sums_runs=False))
    hits = set(_clipped(partners, prediction, reference))
    runs: list[list[int]] = []
    for start, stop in pairwise(accumulate(map(len, reference), initial=0)):
        run: list[int] = []
        for place in filter(hits.__contains__, range(start, stop)):
            run.append(place)
            if place + 1 == stop or place + 1 not in partners:
                runs.append(run)
                run = []
    chosen = _choose_partners(list(chain.from_iterable(runs)), partners, prediction, reference)
    return [MatchedUnit(tuple(chosen[place] for place in run), tuple(run)) for run in runs]


def _with_starts(sentences: Sentences) -> Iterable[tuple[int, Tokens]]:
    """Each sentence with the position of its first token."""
    return zip(accumulate(map(len, sentences), initial=0), sentences, strict=False)


def _union_partners(
    prediction: Sentences, reference: Sentences, pairs: Callable[[Tokens, Tokens], list[tuple[int, int]]]
) -> dict[int, list[int]]:
    """For each marked reference position, the prediction positions on the subsequences that mark it."""
    partners: dict[int, list[int]] = defaultdict(list)
    for row_start, theirs in _with_starts(reference):
        for column_start, ours in _with_starts(prediction):
            for row, column in pairs(theirs, ours):
                partners[row_start + row].append(column_start + column)
    return partners


def _clipped(partners: Iterable[int], prediction: Sentences, reference: Sentences) -> list[int]:
    """Those reference positions, in order, whose tokens the prediction has left."""
    theirs = list(chain.from_iterable(reference))
    left = Counter(chain.from_iterable(prediction))
    hits = []
    for place in sorted(partners):
        if left[theirs[place]] > 0:
            left[theirs[place]] -= 1
            hits.append(place)
    return hits


def _choose_partners(
    hits: Sequence[int], partners: dict[int, list[int]], prediction: Sentences, reference: Sentences
) -> dict[int, int]:
    """A prediction position of its own for each hit: one on its subsequences if free, else any of the token."""
    ours, theirs = list(chain.from_iterable(prediction)), list(chain.from_iterable(reference))
    chosen: dict[int, int] = {}
    free = dict.fromkeys(reversed(range(len(ours))))
    for place in hits:
        partner = next(filter(free.__contains__, partners[place]), None)
        if partner is not None:
            chosen[place] = partner
            del free[partner]
    left: dict[Hashable, list[int]] = defaultdict(list)
    for place in free:
        left[ours[place]].append(place)
    for place in hits:
        if place not in chosen:
            chosen[place] = left[theirs[place]].pop()
    return chosen


def _runs(pairs: list[tuple[int, int]]) -> list[MatchedUnit]:
    """Pairs put together where each follows the one before on both sides."""
    runs: list[list[tuple[int, int]]] = []
    for row, column in pairs:
        if runs and runs[-1][-1] == (row - 1, column - 1):
            runs[-1].append((row, column))
        else:
            runs.append([(row, column)])
    return [MatchedUnit(tuple(column for _, column in run), tuple(row for row, _ in run)) for run in runs]
