"""The functions behind rouge_score's rougeL, which its tests and some scripts import from ``rouge_scorer``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate, chain

from polyrouge.compat.rouge_score.scoring import Score
from polyrouge.counting.plain.lcs import lcs_positions, union_lcs_hits
from polyrouge.scoring.scores import scores_of_pair
from polyrouge.settings.stages import ScoreRule

_Tokens = Sequence[Hashable]
_RULE = ScoreRule(inverse_powers=(None,))


def _lcs_table(ref: _Tokens, can: _Tokens) -> list[list[int]]:
    """table[i][j] is the length of an LCS of the first i and the first j tokens."""
    table = [[0] * (len(can) + 1)]
    for token in ref:
        above, row = table[-1], [0]
        for j, other in enumerate(can):
            row.append(above[j] + 1 if token == other else max(above[j + 1], row[j]))
        table.append(row)
    return table


def _backtrack_norec(t: Sequence[Sequence[int]], ref: _Tokens, can: _Tokens) -> list[int]:
    """Where in ``ref`` the tokens of one LCS stand, read out of the table."""
    i, j, places = len(ref), len(can), []
    while i > 0 and j > 0:
        if ref[i - 1] == can[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif t[i][j - 1] > t[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places[::-1]


def lcs_ind(ref: _Tokens, can: _Tokens) -> list[int]:
    """Where in ``ref`` the tokens of one LCS stand."""
    return _places(lcs_positions(ref, can))


def _find_union(lcs_list: Iterable[Iterable[int]]) -> list[int]:
    """Every place that some list holds, in order."""
    return sorted(set(chain.from_iterable(lcs_list)))


def _union_lcs(ref: _Tokens, c_list: Iterable[_Tokens]) -> list[Hashable]:
    """The tokens of ``ref`` that are on an LCS with some sentence."""
    *_, union = accumulate((lcs_positions(ref, sentence) for sentence in c_list), int.__or__, initial=0)
    return [ref[place] for place in _places(union)]


def _places(bits: int) -> list[int]:
    return [place for place, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]


def _summary_level_lcs(ref_sent: Sequence[_Tokens], can_sent: Sequence[_Tokens]) -> Score:
    """ROUGE-Lsum of two texts, given as sentences of tokens."""
    totals = sum(map(len, can_sent)), sum(map(len, ref_sent))
    if not all(totals):
        return Score(0, 0, 0)
    return Score(*scores_of_pair([(union_lcs_hits(can_sent, ref_sent), *totals)], _RULE)[0])
