"""Partial results: some hundred bytes of sums, which merge in any order to the result of one process."""

from __future__ import annotations

import copy
import gzip
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.checked_json import read_checked, write_checked
from polyrouge.errors import Option, RefusedValue, shown_value, warn_of
from polyrouge.scoring.aggregates import (
    Aggregate,
    ExactSums,
    aggregate_result,
    are_skipped,
    f_of_result,
    mean_warnings,
    merged,
    refuse_all_skipped,
    scale_scores,
)
from polyrouge.scoring.scores import scores_from_counts
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.signature import signature_differences

_VERSION = 4
_INSTEAD = {
    "running_mean": "adds floats in the order of the rows",
    "numpy_mean": "adds floats by places of rows",
    "bootstrap_median": "draws from all rows, anew in each run",
}


class Partial:
    """Sums of the scores of some rows. ``+`` merges two; any order and grouping gives the same.

    Args:
        settings: of the scores.

    Attributes:
        signature: of the settings, see ``TableScorer.signature``.
        n_samples: number of rows.
        n_skipped: number of rows that ``empty="skip"`` leaves out.

    Raises:
        ValueError: sums can't give the result of these settings: another mean than ``"mean"``, ``"f_of_means"``
            and ``"micro"``, an interval, or lists.
    """

    def __init__(self, settings: RougeSettings) -> None:
        _refuse_without_sums(settings)
        self.settings = settings
        self.signature = self.settings.signature()
        self.n_samples = 0
        self.n_skipped = 0
        self._sums = ExactSums((len(settings.rouge_types), 3))
        self._totals: ExactSums | None = None

    def __repr__(self) -> str:
        return f"Partial(n_samples={self.n_samples}, signature={self.signature!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and self._content() == other._content()

    __hash__: Any = None  # it changes

    def add(self, scores: NDArray[np.float64], *, totals: ExactSums | None = None) -> None:
        """Add rows of ``Scores``."""
        rules = self.settings.result_rules
        self.add_scaled(scores if rules.round_each is None else scale_scores(scores, rules), totals=totals)

    def add_scaled(self, scores: NDArray[np.float64], *, totals: ExactSums | None = None) -> None:
        """``add`` scores that ``round_each`` has already scaled and rounded."""
        skipped = are_skipped(scores)
        if self.settings.aggregate != "micro":
            self._sums.add(scores[~skipped])
        self._totals = merged(self._totals, totals)
        self.n_samples += len(scores)
        self.n_skipped += int(skipped.sum())

    def __add__(self, other: Partial) -> Partial:
        if not isinstance(other, Partial):
            return NotImplemented
        refuse_other_settings(self.signature, other.signature)
        if self.settings != other.settings:  # in functions without a name, which have one signature
            raise ValueError(
                "These partial results were made by different functions (tokenizer or sentence_split), which have the "
                "same signature; use one, or register each by a name and version."
            )
        total = copy.copy(self)
        total.n_samples = self.n_samples + other.n_samples
        total.n_skipped = self.n_skipped + other.n_skipped
        total._sums = merged(self._sums, other._sums) or total._sums
        total._totals = merged(self._totals, other._totals)
        return total

    def result(self) -> dict[str, Any]:
        """Return what ``Rouge.compute`` returns for all rows, to the bit.

        Raises:
            ValueError: there are no rows, or ``empty="skip"`` leaves out all of them.
        """
        rules = self.settings.result_rules
        middle = self._means()
        is_scaled = rules.round_each is not None and rules.aggregate != "micro"
        warn_of(mean_warnings(self.n_samples, self.n_skipped, rules))
        return aggregate_result(Aggregate(middle, is_scaled=is_scaled), rules)

    def _means(self) -> NDArray[np.float64]:
        """Return the aggregate, float64[n_types, 3], scaled only with ``round_each``; raises as ``result``."""
        if not self.n_samples:
            raise ValueError("The partial results have no rows; give at least one.")
        rules = self.settings.result_rules
        if rules.aggregate == "micro" and self._totals is not None:
            return scores_from_counts(self._totals.values(), rules.score_rule)
        refuse_all_skipped(self.n_samples, self.n_skipped, rules.empty)
        means = self._sums.values() / (self.n_samples - self.n_skipped)
        return means if rules.aggregate == "mean" else f_of_result(means.reshape(-1), rules).reshape(-1, 3)

    def to_bytes(self) -> bytes:
        """Write the partial result as some hundred bytes."""
        return gzip.compress(write_checked(self._content()).encode(), mtime=0)

    @classmethod
    def from_bytes(cls, data: bytes, settings: RougeSettings | None = None) -> Partial:
        """Read a partial result that ``to_bytes`` wrote.

        Args:
            data: the bytes.
            settings: of the partial result; needed if their signature can name but not hold them, such as a
                function for a tokenizer.

        Raises:
            TypeError: no bytes.
            ValueError: other or damaged bytes, an unknown version, or other settings.
        """
        content = _read(data)
        partial = cls(settings or RougeSettings.from_signature(content["signature"]))
        if settings is not None:
            refuse_other_settings(partial.signature, content["signature"])
        partial.signature = content["signature"]
        partial.n_samples, partial.n_skipped = content["n_samples"], content["n_skipped"]
        shape = (len(partial.settings.rouge_types), 3)
        partial._sums = ExactSums(shape, content["sums"])
        if content["totals"] is not None:
            partial._totals = ExactSums(shape, content["totals"])
        return partial

    def _content(self) -> dict[str, Any]:
        """Return the full state, for JSON."""
        return {
            "version": _VERSION,
            "signature": self.signature,
            "n_samples": self.n_samples,
            "n_skipped": self.n_skipped,
            "sums": self._sums.units,
            "totals": None if self._totals is None else self._totals.units,
        }


def _read(data: bytes) -> dict[str, Any]:
    """Read the content that ``Partial.to_bytes`` wrote."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"A partial result is {shown_value(data)}; give the bytes of Partial.to_bytes.")
    try:
        content = read_checked(gzip.decompress(data))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise ValueError(
            f"These bytes are no partial result, or it is damaged ({error}). Give what Partial.to_bytes returns, or "
            "score the rows again."
        ) from None
    version = content.get("version")
    if version != _VERSION:
        raise ValueError(
            f"This partial result has the version {version!r}, and this polyrouge knows {_VERSION} only; score the "
            "rows again, or use the polyrouge that made it."
        )
    return content


def _refuse_without_sums(settings: RougeSettings) -> None:
    """Raise for settings whose results sums can't give."""
    rules = settings.result_rules
    if not rules.use_aggregator:
        raise ValueError("use_aggregator=False asks for lists, which no partial result has; keep the scored table.")
    if rules.aggregate in _INSTEAD:
        raise RefusedValue(
            *(
                Option("aggregate", rules.aggregate),
                f" {_INSTEAD[rules.aggregate]}, so partial results can't give it. ",
            ),
            *(
                "Give ",
                Option("aggregate", "mean"),
                ", which is exact before its one rounding and differs in the last ",
            ),
            "digits only; or keep the scores of all rows.",
        )
    if rules.aggregate == "micro" and "corpus_recall" in rules.score_rule.quirks:
        raise RefusedValue(
            Option("tool", {"quirks": list(rules.score_rule.quirks)}),
            " mixes counts of all samples with means, so partial results can't give it: keep the texts, and "
            "use compute().",
        )
    if rules.confidence is not None:
        raise RefusedValue(
            Option("confidence", rules.confidence),
            " asks for an interval, which is drawn from the scores of all rows, and partial results hold sums. Give ",
            *(Option("confidence", None), ", and draw the interval from the columns of scores."),
        )


def refuse_other_settings(first: str, second: str) -> None:
    """Raise if two signatures differ, and name the differences."""
    different = [
        f"{key}:{first_value or '(default)'} and {key}:{second_value or '(default)'}"
        for key, (first_value, second_value) in signature_differences(first, second).items()
    ]
    if not different:
        return
    raise ValueError(
        f"These partial results were made with different settings: {'; '.join(different)}. Use the same for all rows."
    )


def summarize(partials: Iterable[Partial]) -> dict[str, Any]:
    """Make the result of all rows of some partial results: equal to ``Rouge.compute`` to the bit.

    Args:
        partials: of the same settings, in any order, each row in one of them.

    Returns:
        What ``Rouge.compute`` returns.

    Raises:
        TypeError: a value that is no partial result.
        ValueError: there are none, they have no rows, or they are of other settings; the message names what differs.
    """
    return merged_partial(partials).result()


def merged_partial(partials: Iterable[Partial]) -> Partial:
    """Merge partial results; see ``summarize``."""
    total: Partial | None = None
    if not isinstance(partials, Iterable):
        raise TypeError(f"partials is {shown_value(partials)}; give a list of what Partial.from_bytes returns.")
    for number, partial in enumerate(partials):
        if not isinstance(partial, Partial):
            raise TypeError(
                f"partials[{number}] is {shown_value(partial)}; give what Partial.from_bytes or partial_of returns."
            )
        total = partial if total is None else total + partial
    if total is None:
        raise ValueError("There are no partial results; give at least one.")
    return total
