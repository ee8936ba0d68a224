"""Partial results: the sums behind a result, a few kilobytes, which merge in any order to what one process gives."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.arrow.mergeable import refuse_other_settings, refuse_without_sums, signature_of
from polyrouge.arrow.partial_bytes import packed, unpacked
from polyrouge.errors import shown_value
from polyrouge.scoring.aggregation import (
    Aggregate,
    are_skipped,
    f_of_means,
    needs_keys,
    poisson_means,
    resampled_sums,
    scale_scores,
    tell_of_skipped,
    with_poisson_interval,
)
from polyrouge.scoring.exact_sums import ExactSums, merged
from polyrouge.scoring.intervals import warn_of_few
from polyrouge.scoring.poisson import ResampledSums, key_sum
from polyrouge.scoring.results import shown_aggregate
from polyrouge.scoring.scores import scores_from_counts
from polyrouge.settings.rouge_settings import RougeSettings

_ROWS = 1 << 128  # what sums over the rows' keys are taken modulo


class Partial:
    """Sums of the scores of some rows. ``+`` merges two; any order and grouping gives the same.

    Args:
        settings: of the scores.
        by_id: the rows' identities, from which an interval draws, are of an ``id_column`` and not of the references.

    Attributes:
        signature: of the settings, see ``TableScorer.signature``.
        n_samples: how many rows.
        n_skipped: how many of them ``empty="skip"`` leaves out.

    Raises:
        ValueError: the settings ask for what can not be made of sums: another mean than ``"mean"``, ``"f_of_means"``
            and ``"micro"``, another interval than ``"poisson"``, or lists.
    """

    def __init__(self, settings: RougeSettings, *, by_id: bool = False) -> None:
        refuse_without_sums(settings)
        self.by_id = by_id
        self.settings = settings.replace(engine="auto", threads=0)
        self.signature = signature_of(settings)
        self.n_samples = 0
        self.n_skipped = 0
        rules = self.settings.result_rules
        self._sums = ExactSums((len(rules.rouge_types), 3))
        self._totals: ExactSums | None = None
        self._resampled: ResampledSums | None = resampled_sums(rules) if needs_keys(rules) else None
        self._all_rows = self._counted_rows = 0

    def __repr__(self) -> str:
        return f"Partial(n_samples={self.n_samples}, signature={self.signature!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and self._content() == other._content()

    __hash__: Any = None  # it changes

    def add(
        self,
        scores: NDArray[np.float64],
        *,
        totals: ExactSums | None = None,
        keys: NDArray[np.uint64] | None = None,
    ) -> None:
        """Add some rows.

        Args:
            scores: float64[n_rows, n_types, 3], not scaled, as ``SampleScores.scores``.
            totals: as ``SampleScores.totals``.
            keys: as ``SampleScores.keys``.
        """
        rules = self.settings.result_rules
        self.add_scaled(scores if rules.round_each is None else scale_scores(scores, rules), totals=totals, keys=keys)

    def add_scaled(
        self,
        scores: NDArray[np.float64],
        *,
        totals: ExactSums | None = None,
        keys: NDArray[np.uint64] | None = None,
    ) -> None:
        """``add``, of scores that have been scaled and rounded where ``round_each`` asks for it."""
        skipped = are_skipped(scores)
        counted = scores[~skipped]
        if self.settings.aggregate != "micro":
            self._sums.add(counted)
        self._totals = merged(self._totals, totals)
        if self._resampled is not None and keys is not None:
            self._resampled.add(counted.reshape(len(counted), 3 * counted.shape[1]), keys[~skipped])
            self._all_rows += key_sum(keys)
            self._counted_rows += key_sum(keys[~skipped])
        self.n_samples += len(scores)
        self.n_skipped += int(skipped.sum())

    def __add__(self, other: Partial) -> Partial:
        if not isinstance(other, Partial):
            return NotImplemented
        refuse_other_settings(self.signature, other.signature)
        if self.by_id is not other.by_id and self._resampled is not None:
            raise ValueError(
                "One of these partial results was made with an id_column, the other without; score all rows alike."
            )
        both = copy.copy(self)
        both.n_samples = self.n_samples + other.n_samples
        both.n_skipped = self.n_skipped + other.n_skipped
        both._sums = merged(self._sums, other._sums) or both._sums
        both._totals = merged(self._totals, other._totals)
        if self._resampled is not None and other._resampled is not None:
            both._resampled = self._resampled + other._resampled
        both._all_rows, both._counted_rows = self._all_rows + other._all_rows, self._counted_rows + other._counted_rows
        return both

    def result(self) -> dict[str, Any]:
        """What ``Rouge.compute`` returns for all rows, to the bit.

        Raises:
            ValueError: there are no rows, or ``empty="skip"`` leaves out all.
        """
        rules = self.settings.result_rules
        middle = self.means()
        if self._resampled is None:
            return shown_aggregate(Aggregate(middle, is_scaled=rules.round_each is not None), rules)
        warn_of_few(self.n_samples - self.n_skipped)
        return shown_aggregate(with_poisson_interval(middle, self._resampled, rules), rules)

    def means(self) -> NDArray[np.float64]:
        """float64[n_types, 3]: the aggregate, not scaled unless ``round_each`` is given.

        Raises:
            ValueError: as ``result``.
        """
        if not self.n_samples:
            raise ValueError("The partial results have no rows; give at least one.")
        rules = self.settings.result_rules
        if rules.aggregate == "micro" and self._totals is not None:
            return scores_from_counts(self._totals.values(), rules.score_rule)
        tell_of_skipped(self.n_skipped, self.n_samples)
        means = self._sums.values() / (self.n_samples - self.n_skipped)
        return means if rules.aggregate == "mean" else f_of_means(means.reshape(-1), rules.score_rule).reshape(-1, 3)

    def resampled_means(self) -> NDArray[np.float64] | None:
        """float64[n, n_types, 3]: ``means`` of each resample; None without an interval."""
        if self._resampled is None:
            return None
        return poisson_means(self._resampled, self.settings.result_rules).reshape(-1, *self._sums.values().shape)

    def refuse_other_rows(self, other: Partial) -> None:
        """Raise where another partial result, of another system, is not of the same rows.

        Raises:
            ValueError: other settings or rows, or no interval, without which it is not known.
        """
        refuse_other_settings(self.signature, other.signature)
        if self._resampled is None:
            raise ValueError(
                "Partial results are compared by their resamples: give confidence=0.95, interval='poisson'."
            )
        what = ""
        if self.n_samples != other.n_samples:
            what = f"one has {self.n_samples} rows, the other {other.n_samples}"
        elif self.by_id is not other.by_id:
            what = "one was made with an id_column, the other without"
        elif self._all_rows % _ROWS != other._all_rows % _ROWS:
            what = f"their {'ids' if self.by_id else 'references'} differ"
        elif self._counted_rows % _ROWS != other._counted_rows % _ROWS:
            what = "empty='skip' leaves out other rows of one than of the other; give empty='zero'"
        if what:
            raise ValueError(
                f"These partial results are not of the same rows: {what}. Score both systems on the same references."
            )

    def to_bytes(self) -> bytes:
        """The partial result as bytes: some hundred; with an interval about eight a resample and score."""
        head, numbers = self._content()
        return packed(head, numbers)

    @classmethod
    def from_bytes(cls, data: bytes, settings: RougeSettings | None = None) -> Partial:
        """The partial result that ``to_bytes`` was called on.

        Args:
            data: the bytes.
            settings: those that it was made by; needed where their signature can name but not hold them, such as a
                function for a tokenizer.

        Raises:
            TypeError: no bytes.
            ValueError: they are something else, damaged, of a version that is not known here, or of other settings.
        """
        head, numbers = unpacked(data)
        partial = cls(settings or RougeSettings.from_signature(head["signature"]), by_id=head["by_id"])
        if settings is not None:
            refuse_other_settings(partial.signature, head["signature"])
        partial.signature = head["signature"]
        partial.n_samples, partial.n_skipped = head["n_samples"], head["n_skipped"]
        partial._all_rows, partial._counted_rows = (int(each, 16) for each in head["rows"])
        shape = (len(partial.settings.rouge_types), 3)
        size = 3 * shape[0]
        partial._sums = ExactSums.from_units(shape, numbers[:size])
        rest = numbers[size:]
        if head["has_totals"]:
            partial._totals, rest = ExactSums.from_units(shape, rest[:size]), rest[size:]
        if partial._resampled is not None:
            partial._resampled.sums = np.array(rest, object).reshape(partial._resampled.sums.shape)
        return partial

    def _content(self) -> tuple[dict[str, Any], list[int]]:
        """What it knows, but for the sums; and the sums as whole numbers."""
        numbers = self._sums.units + (self._totals.units if self._totals is not None else [])
        if self._resampled is not None:
            numbers += self._resampled.sums.ravel().tolist()
        head = {
            "signature": self.signature,
            "by_id": self.by_id,
            "n_samples": self.n_samples,
            "n_skipped": self.n_skipped,
            "has_totals": self._totals is not None,
            "rows": [f"{each % _ROWS:x}" for each in (self._all_rows, self._counted_rows)],
        }
        return head, numbers


def summarize(partials: Iterable[Partial]) -> dict[str, Any]:
    """The result of all rows behind some partial results: equal to ``Rouge.compute`` to the bit.

    Args:
        partials: of the same settings, in any order, each row in one of them.

    Returns:
        What ``Rouge.compute`` returns.

    Raises:
        TypeError: something that is no partial result.
        ValueError: there are none, they have no rows, or they are of other settings; the message names what differs.
    """
    return merged_partial(partials).result()


def merged_partial(partials: Partial | Iterable[Partial]) -> Partial:
    """All of them as one; see ``summarize``."""
    total: Partial | None = None
    for number, partial in enumerate([partials] if isinstance(partials, Partial) else partials):
        if not isinstance(partial, Partial):
            raise TypeError(
                f"partials[{number}] is {shown_value(partial)}; give what Partial.from_bytes or partial_of returns."
            )
        total = partial if total is None else total + partial
    if total is None:
        raise ValueError("There are no partial results; give at least one.")
    return total
