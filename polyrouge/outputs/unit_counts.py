"""How often each token or n-gram stands in each sample, on both sides, and how often it is a hit.

Counts are multisets clipped as ROUGE-N clips them (Lin 2004, equation 1): of a unit that the reference holds r times
and the prediction p times, min(r, p) are hits, r - min are missed, p - min are added. Conventions that count distinct
n-grams (``ngram_counts="set"``) have each unit once in a text.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.outputs.token_ids import TokenRows

_MOST_KEYS = 2**63


class UnitKeys(NamedTuple):
    """The units of one text of each sample.

    Attributes:
        keys: int64[n]: unit * n_rows + row, ascending; so a unit's samples stand together, in order.
        counts: int64[n]: how often the row's text holds the unit.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]


class SystemUnits(NamedTuple):
    """The units of one order of a system and of the references that it is held against.

    Attributes:
        n_rows: how many samples there are.
        n_tokens: how many different tokens; a bigram's unit is its first token * n_tokens + the second.
        order: 1 for tokens, 2 for bigrams.
        held: units of the references.
        given: units of the predictions.
        held_hits: int64, for each of held how many are hits.
        given_hits: int64, for each of given the same.
    """

    n_rows: int
    n_tokens: int
    order: int
    held: UnitKeys
    given: UnitKeys
    held_hits: NDArray[np.int64]
    given_hits: NDArray[np.int64]

    def unit_ids(self, unit: int) -> tuple[int, ...]:
        """The ids of a unit's tokens."""
        return (unit,) if self.order == 1 else divmod(unit, self.n_tokens)


def unit_keys(
    texts: TokenRows, chosen: NDArray[np.int64], order: int, n_tokens: int, *, distinct: bool = False
) -> UnitKeys:
    """Count the units of one text of each sample.

    Args:
        texts: the texts.
        chosen: int64[n_rows]: which text is that of each sample; -1 for none.
        order: 1 for tokens, 2 for bigrams.
        n_tokens: how many different tokens there are.
        distinct: count each unit of a text once.

    Raises:
        ValueError: there are more different bigrams and samples than can be numbered.
    """
    n_rows = len(chosen)
    if n_tokens**order * n_rows >= _MOST_KEYS:
        raise ValueError(
            f"{n_rows} samples with {n_tokens} different tokens are too many to count their {order}-grams at once."
        )
    sizes = np.where(chosen >= 0, texts.sizes[chosen], 0)
    begins = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    ids = texts.ids[np.repeat(texts.offsets[chosen] - begins, sizes) + np.arange(sizes.sum())]
    rows = np.repeat(np.arange(n_rows), sizes)
    if order == 2:
        together = rows[1:] == rows[:-1]
        ids, rows = (ids[:-1] * n_tokens + ids[1:])[together], rows[1:][together]
    keys, counts = np.unique(ids * n_rows + rows, return_counts=True)
    return UnitKeys(keys, np.ones_like(counts) if distinct else counts)


def paired_units(held: UnitKeys, given: UnitKeys, order: int, n_tokens: int, refused: NDArray[np.bool_]) -> SystemUnits:
    """Bring the units of references and predictions together.

    Args:
        held: of the references.
        given: of the predictions.
        order: of both.
        n_tokens: how many different tokens there are.
        refused: bool[n_rows]: samples that the convention's tool fails on and scores 0, so that nothing is a hit.
    """
    n_rows = len(refused)
    hits = []
    for mine, other in ((held, given), (given, held)):
        found = np.minimum(mine.counts, counts_at(other, mine.keys))
        if refused.any():
            found[refused[mine.keys % n_rows]] = 0
        hits.append(found)
    return SystemUnits(n_rows, n_tokens, order, held, given, *hits)


def counts_at(units: UnitKeys, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each key is among the units; 0 where it is not."""
    if not len(units.keys):
        return np.zeros(len(keys), np.int64)
    places = np.minimum(np.searchsorted(units.keys, keys), len(units.keys) - 1)
    return np.where(units.keys[places] == keys, units.counts[places], 0)


class UnitGroups(NamedTuple):
    """The keys of each unit together.

    Attributes:
        units: int64[n_units], ascending.
        begins: int64[n_units]: where the keys of each begin.
    """

    units: NDArray[np.int64]
    begins: NDArray[np.int64]

    def sums(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The values of each unit's keys added up."""
        return np.add.reduceat(values, self.begins) if len(self.begins) else np.zeros(0, np.int64)


def grouped(keys: NDArray[np.int64], n_rows: int) -> UnitGroups:
    """Find where the keys of each unit begin; the keys are ascending."""
    units = keys // n_rows
    begins = np.flatnonzero(np.concatenate([[len(units) > 0], units[1:] != units[:-1]])) if len(units) else units
    return UnitGroups(units[begins], begins)


def greatest(values: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Where the greatest values above 0 are, the greatest first, among equals the first."""
    above = np.flatnonzero(values > 0)
    return above[np.argsort(-values[above], kind="stable")[:most]]
