"""Count what a system misses and adds: the occurrences and hits of each token or bigram, by sample and in total.

Counts are multisets clipped as ROUGE-N clips them (Lin 2004, equation 1): of a unit with r occurrences in the reference
and p in the prediction, min(r, p) are hits, r - min are missed, p - min are added. Conventions that count distinct
n-grams (``ngram_counts="set"``) have each unit once in a text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MOST_KEYS = 2**63
# Starts of the buckets of frequencies: 0, 1, 2-4, 5-19, 20-99, 100 and more, as compare-mt cuts them by default.
_BUCKETS = (0, 1, 2, 5, 20, 100)


class TokenRows(NamedTuple):
    """The tokens of texts as numbers, one text after the other."""

    ids: NDArray[np.uint32]  # [n_tokens]
    offsets: NDArray[np.int64]  # [n_texts + 1]: where each text begins in ids

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Return the number of tokens of each text."""
        return np.diff(self.offsets)


def numbered_rows(
    rows: Sequence[tuple[NDArray[np.uint32], NDArray[np.int64]]],
) -> tuple[list[TokenRows], NDArray[np.int64]]:
    """Number tokens in order of first occurrence in columns of texts (ids and offsets); return also the number's ids.

    The order decides between units that are missed equally often.
    """
    n_ids = max((int(column.max(initial=0)) for column, _ in rows), default=0) + 1
    first_positions = np.full(n_ids, -1)
    start = sum(len(column) for column, _ in rows)
    for column, _ in reversed(rows):
        start -= len(column)
        first_positions[column[::-1]] = np.arange(
            start + len(column) - 1, start - 1, -1
        )  # the last that is written is the first
    used = np.flatnonzero(first_positions >= 0)
    used = used[np.argsort(first_positions[used])]
    numbers = np.zeros(n_ids, np.uint32)
    numbers[used] = np.arange(len(used))
    return [TokenRows(numbers[column], offsets) for column, offsets in rows], used


class UnitTable(NamedTuple):
    """The units of one order of a system: a line for each unit in each sample, sorted by unit."""

    keys: NDArray[np.int64]  # unit * n_rows + row, ascending
    in_reference: NDArray[np.int64]  # occurrences in the sample's reference
    in_prediction: NDArray[np.int64]
    hits: NDArray[np.int64]
    n_rows: int  # samples
    n_tokens: int  # distinct; a bigram's unit is its first token * n_tokens + the second
    order: int  # 1 for tokens, 2 for bigrams

    @property
    def units(self) -> NDArray[np.int64]:
        """Return the unit of each line."""
        return self.keys // self.n_rows

    @property
    def rows(self) -> NDArray[np.int64]:
        """Return the sample of each line."""
        return self.keys % self.n_rows

    def unit_tokens(self, unit: int, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens of a unit."""
        return tuple(tokens[token] for token in ((unit,) if self.order == 1 else divmod(unit, self.n_tokens)))


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
    """Return the key of each unit in the text of each row."""
    sizes = np.where(text_of_row >= 0, texts.sizes[text_of_row], 0)
    begins = np.cumsum(sizes) - sizes
    ids = texts.ids[np.repeat(texts.offsets[text_of_row] - begins, sizes) + np.arange(sizes.sum())].astype(np.int64)
    rows = np.repeat(np.arange(len(text_of_row)), sizes)
    if order == 2:
        together = rows[1:] == rows[:-1]
        ids, rows = (ids[:-1] * n_tokens + ids[1:])[together], rows[1:][together]
    return ids * len(text_of_row) + rows


def greatest_units(units: NDArray[np.int64], values: NDArray[np.int64], most: int) -> Iterator[tuple[int, slice]]:
    """Yield the units with the greatest sums above 0, and their lines; ties in the order of the table."""
    begins = np.flatnonzero(np.diff(units, prepend=-1))
    ends = np.append(begins[1:], len(units))
    sums = np.add.reduceat(values, begins) if len(begins) else begins
    above = np.flatnonzero(sums > 0)
    for index in above[np.argsort(-sums[above], kind="stable")[:most]].tolist():
        yield int(units[begins[index]]), slice(int(begins[index]), int(ends[index]))


@dataclass(frozen=True)
class UnitCount:
    """The number of times one token or bigram is missed, or added.

    Attributes:
        tokens: the token, or the two of a bigram, in the form compared.
        count: times that it is missed: in the reference, and no hit. Or added: in the prediction, and no hit.
        total: its occurrences in the references (if added, in the predictions).
        n_samples: number of samples where it is missed, or added.
        samples: the first of these, from 0.
    """

    tokens: tuple[str, ...]
    count: int
    total: int
    n_samples: int
    samples: tuple[int, ...]

    @property
    def share(self) -> float:
        """Return the share of its occurrences that is missed, or added: ``count`` / ``total``."""
        return self.count / self.total


@dataclass(frozen=True)
class FrequencyBucket:
    """The tokens of one range of frequencies in all references.

    Attributes:
        low: least number of occurrences; 0 for tokens that no reference has.
        high: the greatest; None without a bound.
        n_tokens: number of distinct tokens of this frequency in predictions and their references.
        hits: occurrences that are hits.
        reference_total: occurrences in the references of the predictions.
        prediction_total: occurrences in the predictions.
        n_samples: samples in which one of these tokens is missed; in the bucket of frequency 0, is added.
        samples: the first of these, from 0.
    """

    low: int
    high: int | None
    n_tokens: int
    hits: int
    reference_total: int
    prediction_total: int
    n_samples: int
    samples: tuple[int, ...]

    @property
    def label(self) -> str:
        """Return the range, such as ``"2-4"`` or ``"100+"``."""
        if self.high is None:
            return f"{self.low}+"
        return f"{self.low}" if self.high == self.low else f"{self.low}-{self.high}"

    @property
    def recall(self) -> float | None:
        """Return ``hits`` / ``reference_total``; None if the references have none."""
        return self.hits / self.reference_total if self.reference_total else None

    @property
    def precision(self) -> float | None:
        """Return ``hits`` / ``prediction_total``; None if the predictions have none."""
        return self.hits / self.prediction_total if self.prediction_total else None


@dataclass(frozen=True)
class UnitTotals:
    """The units of one order of a system, added up over all samples.

    Missed units and hits add up to the total of the references, added units and hits to the total of
    the predictions.

    Attributes:
        key: ``"rouge1"`` for tokens, ``"rouge2"`` for bigrams.
        hits: as ROUGE-N counts them.
        reference_total: units of the references.
        prediction_total: units of the predictions.
        n_missed: number of distinct units that are missed.
        n_added: number of distinct units that are added.
        missed: the units missed most often, in this order.
        added: the units added most often, likewise.
    """

    key: str
    hits: int
    reference_total: int
    prediction_total: int
    n_missed: int
    n_added: int
    missed: tuple[UnitCount, ...]
    added: tuple[UnitCount, ...]


def unit_totals(table: UnitTable, tokens: Sequence[str], most: int, most_samples: int) -> UnitTotals:
    """Add up the units of a system; list ``most`` units on each side, each with up to ``most_samples`` samples."""
    missed, added = table.in_reference - table.hits, table.in_prediction - table.hits
    units, rows = table.units, table.rows

    def listed(counts: NDArray[np.int64], totals: NDArray[np.int64]) -> tuple[UnitCount, ...]:
        listing = []
        for unit, lines in greatest_units(units, counts, most):
            samples = rows[lines][counts[lines] > 0]
            listing.append(
                UnitCount(
                    tokens=table.unit_tokens(unit, tokens),
                    count=int(counts[lines].sum()),
                    total=int(totals[lines].sum()),
                    n_samples=len(samples),
                    samples=tuple(samples[:most_samples].tolist()),
                )
            )
        return tuple(listing)

    return UnitTotals(
        key=f"rouge{table.order}",
        hits=int(table.hits.sum()),
        reference_total=int(table.in_reference.sum()),
        prediction_total=int(table.in_prediction.sum()),
        n_missed=_n_different(units[missed > 0]),
        n_added=_n_different(units[added > 0]),
        missed=listed(missed, table.in_reference),
        added=listed(added, table.in_prediction),
    )


def _n_different(units: NDArray[np.int64]) -> int:
    """Count the distinct units of a sorted array; far quicker than ``np.unique``."""
    return int(np.count_nonzero(np.diff(units, prepend=-1)))


def frequency_buckets(
    table: UnitTable, frequencies: NDArray[np.int64], most_samples: int
) -> tuple[FrequencyBucket, ...]:
    """Add up the tokens of a system by ``frequencies``, the count of each token in all references."""
    units, rows = table.units, table.rows
    bucket_of = (np.searchsorted(_BUCKETS, frequencies, side="right") - 1)[units]
    buckets = []
    for index, low in enumerate(_BUCKETS):
        lines = bucket_of == index
        no_hits = table.in_reference > table.hits if low else table.in_prediction > 0
        samples = np.unique(rows[lines & no_hits])
        buckets.append(
            FrequencyBucket(
                low=low,
                high=_BUCKETS[index + 1] - 1 if index + 1 < len(_BUCKETS) else None,
                n_tokens=_n_different(units[lines]),
                hits=int(table.hits[lines].sum()),
                reference_total=int(table.in_reference[lines].sum()),
                prediction_total=int(table.in_prediction[lines].sum()),
                n_samples=len(samples),
                samples=tuple(samples[:most_samples].tolist()),
            )
        )
    return tuple(buckets)
