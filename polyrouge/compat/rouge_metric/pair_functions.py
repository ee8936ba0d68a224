"""The functions behind ``rouge_metric.PyRouge``, which its tests and some scripts import from ``py_rouge``."""

from __future__ import annotations

from collections import Counter, namedtuple
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from math import isclose as isclose  # under that package's name
from typing import Any

from polyrouge.counting.plain.lcs import lcs_length, union_lcs_hits
from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.counting.plain.weighted_lcs import weighted_lcs

Tokens = Sequence[Hashable]
ScoreType = dict[str, float]
RougeType = dict[str, ScoreType]


def check_alpha(alpha: float) -> None:
    """Raise ``ValueError`` for a weight outside 0 to 1."""
    if not 0 <= alpha <= 1:
        raise ValueError(f"Invalid alpha {alpha}: expected between [0, 1]")


def _f_score(precision: float, recall: float, alpha: float) -> float:
    """F of a precision and a recall; 0 where one of them is."""
    check_alpha(alpha)
    if precision == 0 or recall == 0:
        return 0.0
    return recall * precision / (alpha * recall + (1 - alpha) * precision)


def score_of(precision: float, recall: float, fmeasure: float) -> ScoreType:
    """The three measures under that package's keys."""
    return {"r": recall, "p": precision, "f": fmeasure}


def _ratio(above: float, below: float) -> float:
    return above / below if below else 0.0


class _Match(namedtuple("_BaseMatch", "matches hyp_size ref_size")):
    """Hits, and the sizes of hypothesis and reference."""

    __slots__ = ()

    def __add__(self, other: Any) -> _Match:
        if other == 0:
            return self
        if not isinstance(other, _Match):
            raise ValueError(f"Unexpected addend {other}")
        return _Match(*map(sum, zip(self, other, strict=True)))

    __radd__ = __add__

    def to_score(self, alpha: float) -> ScoreType:
        precision, recall = _ratio(self.matches, self.hyp_size), _ratio(self.matches, self.ref_size)
        return score_of(precision, recall, _f_score(precision, recall, alpha))

    def to_weighted_score(self, alpha: float, weight: float) -> ScoreType:
        _check_weight(weight)
        precision, recall = (_ratio(self.matches, size) ** (1 / weight) for size in self[1:])
        return score_of(precision, recall, _f_score(precision, recall, alpha))


class _MatchAggregator:
    def aggregate(self, matches: Iterable[_Match]) -> _Match:
        raise NotImplementedError


class _AverageMatchAggregator(_MatchAggregator):
    def aggregate(self, matches: Iterable[_Match]) -> _Match:
        matches = list(matches)
        if not matches:
            raise ValueError("Average on empty sequence")
        return sum(matches[1:], matches[0])


class _BestMatchAggregator(_MatchAggregator):
    def aggregate(self, matches: Iterable[_Match]) -> _Match:
        return max(matches, key=lambda match: _ratio(match.matches, match.ref_size))


def _build_match_aggregator(multi_ref_mode: str) -> _MatchAggregator:
    kinds = {"average": _AverageMatchAggregator, "best": _BestMatchAggregator}
    if multi_ref_mode not in kinds:
        raise ValueError(f"Invalid multi_ref_mode {multi_ref_mode}: expected (average, best)")
    return kinds[multi_ref_mode]()


class _RougeAggregator:
    def aggregate(self, scores: Iterable[RougeType]) -> Any:
        raise NotImplementedError


class _IndividualRougeAggregator(_RougeAggregator):
    def aggregate(self, scores: Iterable[RougeType]) -> list[RougeType]:
        return list(scores)


class _AverageRougeAggregator(_RougeAggregator):
    def __init__(self, alpha: float) -> None:
        self.alpha = alpha

    def aggregate(self, scores: Iterable[RougeType]) -> RougeType:
        scores = list(scores)
        return {kind: self.average_score(score[kind] for score in scores) for kind in (scores[0] if scores else ())}

    def average_score(self, scores: Iterable[ScoreType]) -> ScoreType:
        scores = list(scores)
        precision, recall = (_ratio(_running_sum(score[key] for score in scores), len(scores)) for key in "pr")
        return score_of(precision, recall, _f_score(precision, recall, self.alpha))


def _build_rouge_aggregator(mode: str, alpha: float) -> _RougeAggregator:
    if mode == "individual":
        return _IndividualRougeAggregator()
    if mode == "average":
        return _AverageRougeAggregator(alpha)
    raise ValueError(f"Invalid mode {mode}: expected (individual, average)")


def _running_sum(values: Iterable[float]) -> float:
    total = 0.0
    for value in values:  # not sum(): from Python 3.12 on it corrects rounding errors
        total += value
    return total


def _flatten(sentences: Iterable[Tokens]) -> list[Hashable]:
    return list(chain.from_iterable(sentences))


def _build_ngrams(sent: Tokens, n: int) -> Counter:
    """Of an order below 1 too, whose n-grams are as that package's slices give them."""
    return Counter(tuple(sent[start : start + n]) for start in range(len(sent) - n + 1))


def _count_ngrams(ngrams: Counter) -> int:
    return ngrams.total()


def _intersect_ngrams(hyp_ngrams: Counter, ref_ngrams: Counter) -> Counter:
    return hyp_ngrams & ref_ngrams


def _union_ngrams(ngrams: Counter, other: Counter) -> Counter:
    return ngrams | other


def _units_match(hyp: Counter, ref: Counter) -> _Match:
    return _Match(clipped_hits(hyp, ref), hyp.total(), ref.total())


def _rouge_n_sentence_level(hyp: Tokens, ref: Tokens, n: int) -> _Match:
    return _units_match(_build_ngrams(hyp, n), _build_ngrams(ref, n))


def _rouge_n_summary_level(hyps: Sequence[Tokens], refs: Sequence[Tokens], n: int) -> _Match:
    return _rouge_n_sentence_level(_flatten(hyps), _flatten(refs), n)


def _lcs_table(a: Tokens, b: Tokens) -> list[list[int]]:
    """table[i][j] is the length of an LCS of the first i and the first j tokens."""
    table = [[0] * (len(b) + 1)]
    for token in a:
        above, row = table[-1], [0]
        for j, other in enumerate(b):
            row.append(above[j] + 1 if token == other else max(above[j + 1], row[j]))
        table.append(row)
    return table


def _lcs_length(a: Tokens, b: Tokens) -> int:
    return lcs_length(a, b)


def _lcs_elements(a: Tokens, b: Tokens, table: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Where in both the tokens of one LCS stand, read out of the table."""
    i, j, places = len(a), len(b), []
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            places.append((i, j))
        elif table[i][j] == table[i][j - 1]:
            j -= 1
        else:
            i -= 1
    return places[::-1]


def _rouge_l_sentence_level(hyp: Tokens, ref: Tokens) -> _Match:
    return _Match(lcs_length(hyp, ref), len(hyp), len(ref))


def _rouge_l_summary_level(hyps: Sequence[Tokens], refs: Sequence[Tokens]) -> _Match:
    return _Match(union_lcs_hits(hyps, refs), sum(map(len, hyps)), sum(map(len, refs)))


def _check_weight(weight: float) -> None:
    if weight < 1:
        raise ValueError(f"Invalid weight {weight}: expected >= 1")


def _rouge_w_sentence_level(hyp: Tokens, ref: Tokens, weight: float) -> _Match:
    return _rouge_w_summary_level([hyp], [ref], weight)


def _rouge_w_summary_level(hyps: Sequence[Tokens], refs: Sequence[Tokens], weight: float) -> _Match:
    _check_weight(weight)
    return _Match(*weighted_lcs(hyps, refs, weight))


def _skip_bigrams(sent: Tokens, skip_gap: int | None) -> Counter:
    gap = len(sent) if skip_gap is None or skip_gap < 0 else skip_gap
    return Counter((first, other) for place, first in enumerate(sent) for other in sent[place + 1 : place + gap + 2])


def _rouge_s_or_su(hyp: Tokens, ref: Tokens, skip_gap: int | None, include_unigram: bool) -> _Match:
    units: list[Counter] = []
    for tokens in (hyp, ref):
        found = _skip_bigrams(tokens, skip_gap)
        units.append(found | _build_ngrams(tokens[:-1], 1) if include_unigram else found)
    return _units_match(*units)


def _rouge_s_sentence_level(hyp: Tokens, ref: Tokens, skip_gap: int | None) -> _Match:
    return _rouge_s_or_su(hyp, ref, skip_gap, include_unigram=False)


def _rouge_s_summary_level(hyps: Sequence[Tokens], refs: Sequence[Tokens], skip_gap: int | None) -> _Match:
    return _rouge_s_sentence_level(_flatten(hyps), _flatten(refs), skip_gap)


def _rouge_su_sentence_level(hyp: Tokens, ref: Tokens, skip_gap: int | None) -> _Match:
    return _rouge_s_or_su(hyp, ref, skip_gap, include_unigram=True)


def _rouge_su_summary_level(hyps: Sequence[Tokens], refs: Sequence[Tokens], skip_gap: int | None) -> _Match:
    return _rouge_su_sentence_level(_flatten(hyps), _flatten(refs), skip_gap)
