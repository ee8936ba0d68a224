"""Which occurrences are the hits of a score: for each type the units of two texts that are paired.

The score only says how many. Where more occurrences share a unit than are hits, the first ones are taken
(n-grams, skip-bigrams), or those on the common subsequence; the number is always that of the score.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from polyrouge.counting.plain.lcs import lcs_pairs
from polyrouge.counting.plain.skip_bigrams import skip_unigrams
from polyrouge.counting.plain.weighted_lcs import length_weights, weighted_lcs_pairs
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.stages import CountRules

Tokens = Sequence[Hashable]
Sentences = Sequence[Tokens]


class MatchedUnit(NamedTuple):
    """One hit: an occurrence in the prediction and the one in the reference that it is paired with.

    Attributes:
        prediction: positions of its tokens, in order. One token for the LCS types, n for an n-gram, two
            for a skip-bigram; for rougeW a run of tokens, which is worth f(length).
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

    A text is its sentences, for a type ``is_of_sentences``; else the whole as the only sentence. Positions count on
    from sentence to sentence.
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
        return _ngrams(ours, theirs, rouge_type.n, distinct=rules.ngram_counts == "set")
    if rouge_type.kind == "skip_bigram":
        units = _skip_bigrams(ours, theirs, rouge_type.gap)
        if rouge_type.with_unigrams:
            definition = rules.definition
            units += _ngrams(skip_unigrams(ours, definition), skip_unigrams(theirs, definition), 1, distinct=False)
        return units
    if rouge_type.kind == "weighted_lcs":
        return _runs(weighted_lcs_pairs(theirs, ours, rules.weight))
    return [MatchedUnit((column,), (row,)) for row, column in lcs_pairs(theirs, ours)]


def match_places(
    prediction: Sentences, reference: Sentences, rouge_type: RougeType, rules: CountRules
) -> list[tuple[int, int]]:
    """The first positions of the units of ``match_units``, in the prediction and in the reference."""
    if rouge_type.kind == "ngram":
        ours, theirs = chain.from_iterable(prediction), chain.from_iterable(reference)
        return _ngram_places(list(ours), list(theirs), rouge_type.n, distinct=rules.ngram_counts == "set")
    units = match_units(prediction, reference, rouge_type, rules)
    return [(unit.prediction[0], unit.reference[0]) for unit in units]


def units_value(units: Sequence[MatchedUnit], rouge_type: RougeType, rules: CountRules) -> float:
    """Hits that the units stand for: their number, or for rougeW the sum of f(length)."""
    if rouge_type.kind != "weighted_lcs":
        return len(units)
    f = length_weights(max((len(unit.reference) for unit in units), default=0), rules.weight)
    return sum((f[len(unit.reference)] for unit in units), start=0.0)


def _ngrams(prediction: Tokens, reference: Tokens, n: int, *, distinct: bool) -> list[MatchedUnit]:
    """The first occurrences of each shared n-gram, as many as both texts hold; one if distinct."""
    pairs = _ngram_places(prediction, reference, n, distinct=distinct)
    return [MatchedUnit(tuple(range(place, place + n)), tuple(range(start, start + n))) for place, start in pairs]


def _ngram_places(prediction: Tokens, reference: Tokens, n: int, *, distinct: bool) -> list[tuple[int, int]]:
    """Where the n-grams of ``_ngrams`` begin, in the prediction and in the reference."""
    grams = _grams(reference, n)
    ours = _occurrences(prediction, n, set(grams))
    pairs = []
    for start, gram in enumerate(grams):
        waiting = ours.get(gram)
        if waiting:
            pairs.append((waiting.pop(), start))
            if distinct:
                waiting.clear()
    return pairs


def _grams(tokens: Tokens, n: int) -> list[tuple]:
    return list(zip(*(tokens[start:] for start in range(n)), strict=False))


def _occurrences(tokens: Tokens, n: int, wanted: set[tuple]) -> dict[tuple, list[int]]:
    """Where each wanted n-gram occurs, the last place first; those that do not are left out."""
    places: dict[tuple, list[int]] = {}
    grams = _grams(tokens, n)
    for start in range(len(grams) - 1, -1, -1):
        if grams[start] in wanted:
            places.setdefault(grams[start], []).append(start)
    return places


def _skip_bigrams(prediction: Tokens, reference: Tokens, gap: int | None) -> list[MatchedUnit]:
    shared = set(prediction).intersection(reference)
    ours: dict[tuple, list[tuple[int, int]]] = defaultdict(list)
    for places in reversed(_skip_places(prediction, gap, shared)):
        ours[prediction[places[0]], prediction[places[1]]].append(places)
    units = []
    for places in _skip_places(reference, gap, shared):
        waiting = ours.get((reference[places[0]], reference[places[1]]))
        if waiting:
            units.append(MatchedUnit(waiting.pop(), places))
    return units


def _skip_places(tokens: Tokens, gap: int | None, shared: set[Hashable]) -> list[tuple[int, int]]:
    """Positions of the skip-bigrams of shared tokens, in order."""
    places = [place for place, token in enumerate(tokens) if token in shared]
    if gap is None:
        return list(combinations(places, 2))
    found = []
    for index, first in enumerate(places):
        for second in places[index + 1 : index + gap + 2]:
            if second - first > gap + 1:
                break
            found.append((first, second))
    return found


def _union(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """The clipped union LCS: ``union_lcs_hits`` with its positions."""
    partners = _union_partners(prediction, reference, lcs_pairs)
    ours, theirs = list(chain.from_iterable(prediction)), list(chain.from_iterable(reference))
    left = Counter(ours)
    hits = []
    for place in sorted(partners):
        if left[theirs[place]] > 0:
            left[theirs[place]] -= 1
            hits.append(place)
    chosen = _choose_partners(hits, partners, ours, theirs)
    return [MatchedUnit((chosen[place],), (place,)) for place in hits]


def _type_union(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """For each distinct token that is a hit of ``type_union_lcs`` the first place where it is one."""
    units: dict[Hashable, MatchedUnit] = {}
    start = 0
    for ours in prediction:
        other_start = 0
        for theirs in reference:
            for place, other in lcs_pairs(ours, theirs):
                units.setdefault(ours[place], MatchedUnit((start + place,), (other_start + other,)))
            other_start += len(theirs)
        start += len(ours)
    return sorted(units.values(), key=lambda unit: unit.reference)


def _pairwise(prediction: Sentences, reference: Sentences) -> list[MatchedUnit]:
    """Every LCS of two sentences, as ``pairwise_lcs`` adds them up: a token may be part of several."""
    partners = _union_partners(prediction, reference, lcs_pairs)
    return [MatchedUnit((other,), (place,)) for place in sorted(partners) for other in partners[place]]


def _weighted_runs(prediction: Sentences, reference: Sentences, weight: float) -> list[MatchedUnit]:
    """The runs that ROUGE-1.5.5 pays for: ``weighted_lcs`` with its positions."""
    partners = _union_partners(prediction, reference, lambda theirs, ours: weighted_lcs_pairs(theirs, ours, weight))
    ours, theirs = list(chain.from_iterable(prediction)), list(chain.from_iterable(reference))
    left = Counter(ours)
    paid: list[list[int]] = []
    start = 0
    for sentence in reference:
        run: list[int] = []
        for place in range(start, start + len(sentence)):
            if place in partners and left[theirs[place]] > 0:
                left[theirs[place]] -= 1
                run.append(place)
                if place + 1 == start + len(sentence) or place + 1 not in partners:
                    paid.append(run)
                    run = []
        start += len(sentence)
    chosen = _choose_partners(list(chain.from_iterable(paid)), partners, ours, theirs)
    return [MatchedUnit(tuple(chosen[place] for place in run), tuple(run)) for run in paid]


def _union_partners(
    prediction: Sentences, reference: Sentences, pairs: Callable[[Tokens, Tokens], list[tuple[int, int]]]
) -> dict[int, list[int]]:
    """For each marked reference position, the prediction positions on the subsequences that mark it."""
    partners: dict[int, list[int]] = defaultdict(list)
    row_start = 0
    for theirs in reference:
        column_start = 0
        for ours in prediction:
            for row, column in pairs(theirs, ours):
                partners[row_start + row].append(column_start + column)
            column_start += len(ours)
        row_start += len(theirs)
    return partners


def _choose_partners(hits: list[int], partners: dict[int, list[int]], ours: Tokens, theirs: Tokens) -> dict[int, int]:
    """A prediction position of its own for each hit: one on its subsequences if free, else any of the token."""
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for place in hits:
        free = next((partner for partner in partners[place] if partner not in taken), None)
        if free is not None:
            chosen[place] = free
            taken.add(free)
    rest = [place for place in hits if place not in chosen]
    places = _occurrences(ours, 1, {(theirs[place],) for place in rest})
    for place in rest:
        waiting = places[(theirs[place],)]
        while waiting[-1] in taken:
            waiting.pop()
        chosen[place] = waiting.pop()
        taken.add(chosen[place])
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
