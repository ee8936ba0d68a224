"""How often each token or bigram occurs in each sample, on both sides, and how often it is a hit.

Counts are multisets clipped as ROUGE-N clips them (Lin 2004, equation 1): of a unit that the reference holds r times
and the prediction p times, min(r, p) are hits, r - min are missed, p - min are added. Conventions that count distinct
n-grams (``ngram_counts="set"``) have each unit once in a text.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.documents.document import ReadDocument
from polyrouge.progress import tell_progress

_MOST_KEYS = 2**63


class TokenRows(NamedTuple):
    """The tokens of some texts as numbers, one text after the other."""

    ids: NDArray[np.int64]  # [n_tokens]
    offsets: NDArray[np.int64]  # [n_texts + 1]: where each text begins in ids

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many tokens each text has."""
        return np.diff(self.offsets)


def token_rows(texts: Iterable[str], read: ReadDocument, ids: defaultdict[str, int]) -> TokenRows:
    """Read texts; ``ids`` numbers their tokens, and its default is the next number."""
    numbers, ends = array("q"), array("q", [0])
    for text in texts:
        numbers.extend(map(ids.__getitem__, read(text).tokens))
        ends.append(len(numbers))
        tell_progress(1)
    return TokenRows(np.array(numbers, np.int64), np.array(ends, np.int64))


class UnitTable(NamedTuple):
    """The units of one order of a system: a line for each unit in each sample, sorted by unit."""

    keys: NDArray[np.int64]  # unit * n_rows + row, ascending
    in_reference: NDArray[np.int64]  # how often the sample's reference holds the unit
    in_prediction: NDArray[np.int64]
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

    def unit_tokens(self, unit: int, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a unit."""
        return tuple(tokens[each] for each in ((unit,) if self.order == 1 else divmod(unit, self.n_tokens)))


def unit_table(
    references: TokenRows,
    predictions: TokenRows,
    text_of_row: NDArray[np.int64],  # [n_rows]: the reference of each sample; -1: count nothing
    tool_fails: NDArray[np.bool_],  # [n_rows]: samples without hits, on which the convention's tool fails
    order: int,
    n_tokens: int,
    distinct: bool,
) -> UnitTable:
    """Count the units of each prediction and of its reference; ``distinct`` counts each unit of a text once."""
    n_rows = len(text_of_row)
    if n_tokens**order * n_rows >= _MOST_KEYS:
        raise ValueError(
            f"{n_rows} samples with {n_tokens} different tokens are too many to count their {order}-grams at once."
        )
    reference_keys = _keys(references, text_of_row, order, n_tokens)
    prediction_keys = _keys(predictions, np.where(text_of_row >= 0, np.arange(n_rows), -1), order, n_tokens)
    keys, lines = np.unique(np.concatenate([reference_keys, prediction_keys]), return_inverse=True)
    in_reference = np.bincount(lines[: len(reference_keys)], minlength=len(keys))
    in_prediction = np.bincount(lines[len(reference_keys) :], minlength=len(keys))
    if distinct:
        in_reference, in_prediction = np.minimum(in_reference, 1), np.minimum(in_prediction, 1)
    hits = np.where(tool_fails[keys % n_rows], 0, np.minimum(in_reference, in_prediction))
    return UnitTable(keys, in_reference, in_prediction, hits, n_rows, n_tokens, order)


def _keys(texts: TokenRows, text_of_row: NDArray[np.int64], order: int, n_tokens: int) -> NDArray[np.int64]:
    """The key of each unit in the text of each row."""
    sizes = np.where(text_of_row >= 0, texts.sizes[text_of_row], 0)
    begins = np.cumsum(sizes) - sizes
    ids = texts.ids[np.repeat(texts.offsets[text_of_row] - begins, sizes) + np.arange(sizes.sum())]
    rows = np.repeat(np.arange(len(text_of_row)), sizes)
    if order == 2:
        together = rows[1:] == rows[:-1]
        ids, rows = (ids[:-1] * n_tokens + ids[1:])[together], rows[1:][together]
    return ids * len(text_of_row) + rows


def greatest_units(units: NDArray[np.int64], values: NDArray[np.int64], most: int) -> Iterator[tuple[int, slice]]:
    """The units with the greatest sums above 0, and their lines; ties in the order of the table."""
    begins = np.flatnonzero(np.diff(units, prepend=-1))
    ends = np.append(begins[1:], len(units))
    sums = np.add.reduceat(values, begins) if len(begins) else begins
    above = np.flatnonzero(sums > 0)
    for place in above[np.argsort(-sums[above], kind="stable")[:most]].tolist():
        yield int(units[begins[place]]), slice(int(begins[place]), int(ends[place]))
