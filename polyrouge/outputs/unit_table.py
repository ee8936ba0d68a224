"""How often each token or bigram stands in each sample, on both sides, and how often it is a hit.

Counts are multisets clipped as ROUGE-N clips them (Lin 2004, equation 1): of a unit that the reference holds r times
and the prediction p times, min(r, p) are hits, r - min are missed, p - min are added. Conventions that count distinct
n-grams (``ngram_counts="set"``) have each unit once in a text.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled.jieba_cutter import compiled_jieba_cutter
from polyrouge.progress import tell_progress
from polyrouge.reading.documents import ReadDocument, document_readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.rouge_settings import RougeSettings

_MOST_KEYS = 2**63


class TokenRows(NamedTuple):
    """The tokens of some texts as numbers, one text after the other."""

    ids: NDArray[np.int64]  # [n_tokens]
    offsets: NDArray[np.int64]  # [n_texts + 1]: where each text begins in ids

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many tokens each text has."""
        return np.diff(self.offsets)


class TokenNumbering:
    """Reads texts as they are counted, and numbers their tokens in the order in which they are first seen."""

    def __init__(self, settings: RougeSettings) -> None:
        rules = settings.text_rules
        self._readers = document_readers(rules, TextNotes(rules), compiled_jieba_cutter, most_kept=1)
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__

    def tokens(self) -> Sequence[str]:
        """The token of each id so far."""
        return list(self._ids)

    def predictions(self, texts: Iterable[str]) -> TokenRows:
        """Number the tokens of predictions."""
        return self._numbered(texts, self._readers.prediction)

    def references(self, texts: Iterable[str]) -> TokenRows:
        """Number the tokens of references."""
        return self._numbered(texts, self._readers.reference)

    def _numbered(self, texts: Iterable[str], read: ReadDocument) -> TokenRows:
        ids, ends = array("q"), array("q", [0])
        id_of = self._ids.__getitem__
        for text in texts:
            ids.extend(map(id_of, read(text).tokens))
            ends.append(len(ids))
            tell_progress(1)
        return TokenRows(np.array(ids, np.int64), np.array(ends, np.int64))


class UnitTable(NamedTuple):
    """The units of one order of a system: a line for each unit and sample whose texts hold it, unit by unit."""

    keys: NDArray[np.int64]  # unit * n_rows + row, ascending
    held: NDArray[np.int64]  # how often the sample's reference holds it
    given: NDArray[np.int64]  # how often its prediction does
    hits: NDArray[np.int64]
    n_rows: int  # samples
    n_tokens: int  # different ones; a bigram's unit is its first token * n_tokens + the second
    order: int  # 1 for tokens, 2 for bigrams

    @property
    def units(self) -> NDArray[np.int64]:
        """The unit of each line."""
        return self.keys // self.n_rows

    @property
    def rows(self) -> NDArray[np.int64]:
        """The sample of each line."""
        return self.keys % self.n_rows

    def unit_tokens(self, key: int, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a line's unit."""
        unit = key // self.n_rows
        return tuple(tokens[each] for each in ((unit,) if self.order == 1 else divmod(unit, self.n_tokens)))


def unit_table(
    references: TokenRows,
    predictions: TokenRows,
    chosen: NDArray[np.int64],  # int64[n_rows]
    refused: NDArray[np.bool_],  # bool[n_rows]
    *,
    order: int,
    n_tokens: int,
    distinct: bool,
) -> UnitTable:
    """Count the units of each prediction and of the reference that it is held against."""
    n_rows = len(chosen)
    if n_tokens**order * n_rows >= _MOST_KEYS:
        raise ValueError(
            f"{n_rows} samples with {n_tokens} different tokens are too many to count their {order}-grams at once."
        )
    of_references = _keys(references, chosen, order, n_tokens)
    of_predictions = _keys(predictions, np.where(chosen >= 0, np.arange(n_rows), -1), order, n_tokens)
    sides = [np.unique(each, return_counts=True) for each in (of_references, of_predictions)]
    keys = merged(sides[0][0], sides[1][0])
    held, given = (values_at(keys, *side) for side in sides)
    if distinct:
        held, given = np.minimum(held, 1), np.minimum(given, 1)
    hits = np.where(refused[keys % n_rows], 0, np.minimum(held, given))
    return UnitTable(keys, held, given, hits, n_rows, n_tokens, order)


def _keys(texts: TokenRows, chosen: NDArray[np.int64], order: int, n_tokens: int) -> NDArray[np.int64]:
    """The key of each unit of the text that is chosen for each sample."""
    sizes = np.where(chosen >= 0, texts.sizes[chosen], 0)
    begins = np.cumsum(sizes) - sizes
    ids = texts.ids[np.repeat(texts.offsets[chosen] - begins, sizes) + np.arange(sizes.sum())]
    rows = np.repeat(np.arange(len(chosen)), sizes)
    if order == 2:
        together = rows[1:] == rows[:-1]
        ids, rows = (ids[:-1] * n_tokens + ids[1:])[together], rows[1:][together]
    return ids * len(chosen) + rows


def merged(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """The keys of both, which ascend; several times as quick as ``np.union1d``, which does not know that they do."""
    both = np.sort(np.concatenate([first, second]), kind="stable")
    return both[np.diff(both, prepend=-1) > 0]


def values_at(keys: NDArray[np.int64], some: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The values of some of the keys, which ascend; 0 for the others."""
    spread = np.zeros(len(keys), np.int64)
    spread[np.searchsorted(keys, some)] = values
    return spread


def greatest_units(units: NDArray[np.int64], values: NDArray[np.int64], most: int) -> Iterator[slice]:
    """The lines of the units whose values add up to most, above 0; the greatest first, among equals the first."""
    begins = np.flatnonzero(np.diff(units, prepend=-1))
    ends = np.append(begins[1:], len(units))
    sums = np.add.reduceat(values, begins) if len(begins) else begins
    above = np.flatnonzero(sums > 0)
    for place in above[np.argsort(-sums[above], kind="stable")[:most]].tolist():
        yield slice(int(begins[place]), int(ends[place]))
