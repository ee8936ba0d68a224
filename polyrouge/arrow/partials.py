"""Partial results: a few kilobytes of sums, which merge in any order to the result of one process.

They compare systems too: a row has the same weight in each resample, whatever its prediction.
"""

from __future__ import annotations

import copy
import gzip
import itertools
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import shown_value, warn_of
from polyrouge.scoring.intervals import FEW_SAMPLES, holm_adjusted, p_values, percentile_ends
from polyrouge.scoring.poisson import ResampledSums, key_sum
from polyrouge.scoring.results import (
    Aggregate,
    ExactSums,
    aggregate_result,
    all_keys,
    are_skipped,
    around_mean,
    f_of_result,
    mean_warnings,
    merged,
    needs_keys,
    refuse_all_skipped,
    resampled_means,
    resampled_sums,
    scale_scores,
)
from polyrouge.scoring.scores import scores_from_counts
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.signature import signature_differences

_VERSION = 3
_ROWS = 1 << 128  # modulus of sums of row keys
_INSTEAD = {
    "running_mean": "adds floats in the order of the rows",
    "numpy_mean": "adds floats by places of rows",
    "bootstrap_median": "draws from all rows, anew in each run",
}


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
        _refuse_without_sums(settings)
        self.by_id = by_id
        self.settings = settings.replace(engine="auto", threads=0)
        self.signature = self.settings.signature()
        self.n_samples = 0
        self.n_skipped = 0
        rules = self.settings.result_rules
        self._sums = ExactSums((len(rules.rouge_types), 3))
        self._totals: ExactSums | None = None
        self._resampled: ResampledSums | None = resampled_sums(rules) if needs_keys(rules) else None
        self._all_rows = self._mean_rows = 0

    def __repr__(self) -> str:
        return f"Partial(n_samples={self.n_samples}, signature={self.signature!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partial) and self._content() == other._content()

    __hash__: Any = None  # it changes

    def add(
        self, scores: NDArray[np.float64], *, totals: ExactSums | None = None, keys: NDArray[np.uint64] | None = None
    ) -> None:
        """Add some rows, of ``SampleScores``."""
        rules = self.settings.result_rules
        self.add_scaled(scores if rules.round_each is None else scale_scores(scores, rules), totals=totals, keys=keys)

    def add_scaled(
        self, scores: NDArray[np.float64], *, totals: ExactSums | None = None, keys: NDArray[np.uint64] | None = None
    ) -> None:
        """``add``, for scores that ``round_each`` has already scaled and rounded."""
        skipped = are_skipped(scores)
        in_mean = scores[~skipped]
        if self.settings.aggregate != "micro":
            self._sums.add(in_mean)
        self._totals = merged(self._totals, totals)
        if self._resampled is not None and keys is not None:
            self._resampled.add(in_mean.reshape(len(in_mean), 3 * in_mean.shape[1]), keys[~skipped])
            self._all_rows += key_sum(keys)
            self._mean_rows += key_sum(keys[~skipped])
        self.n_samples += len(scores)
        self.n_skipped += int(skipped.sum())

    def __add__(self, other: Partial) -> Partial:
        if not isinstance(other, Partial):
            return NotImplemented
        refuse_other_settings(self.signature, other.signature)
        self._refuse_other_functions(other)
        if self.by_id is not other.by_id and self._resampled is not None:
            raise ValueError(
                "One of these partial results was made with an id_column, the other without; score all rows alike."
            )
        both = copy.copy(self)
        for name in ("n_samples", "n_skipped", "_all_rows", "_mean_rows"):
            setattr(both, name, getattr(self, name) + getattr(other, name))
        both._sums = merged(self._sums, other._sums) or both._sums
        both._totals = merged(self._totals, other._totals)
        if self._resampled is not None and other._resampled is not None:
            both._resampled = self._resampled + other._resampled
        return both

    def _refuse_other_functions(self, other: Partial) -> None:
        """Raise where settings with one signature differ: in functions without a name, which it can not tell apart."""
        if self.settings != other.settings:
            raise ValueError(
                "These partial results were made by different functions (tokenizer or sentence_split), which have the "
                "same signature; use one, or register each by a name and version."
            )

    def result(self) -> dict[str, Any]:
        """What ``Rouge.compute`` returns for all rows, to the bit.

        Raises:
            ValueError: there are no rows, or ``empty="skip"`` leaves out all.
        """
        rules = self.settings.result_rules
        middle = self.means()
        aggregate = Aggregate(middle, is_scaled=rules.round_each is not None and rules.aggregate != "micro")
        resampled = self.resampled_means()
        if resampled is not None:
            low, high = around_mean(middle, *percentile_ends(resampled, rules.confidence or 0.95))
            aggregate = aggregate._replace(low=low, high=high)
        warn_of(mean_warnings(self.n_samples, self.n_skipped, rules, self._n_keys()))
        return aggregate_result(aggregate, rules)

    def means(self) -> NDArray[np.float64]:
        """float64[n_types, 3]: the aggregate, scaled only with ``round_each``; raises as ``result``."""
        if not self.n_samples:
            raise ValueError("The partial results have no rows; give at least one.")
        rules = self.settings.result_rules
        if rules.aggregate == "micro" and self._totals is not None:
            return scores_from_counts(self._totals.values(), rules.score_rule)
        refuse_all_skipped(self.n_samples, self.n_skipped)
        means = self._sums.values() / (self.n_samples - self.n_skipped)
        return means if rules.aggregate == "mean" else f_of_result(means.reshape(-1), rules).reshape(-1, 3)

    def resampled_means(self) -> NDArray[np.float64] | None:
        """float64[n, n_types, 3]: ``means`` of each resample; None without an interval."""
        if self._resampled is None:
            return None
        return resampled_means(self._resampled, self.settings.result_rules).reshape(-1, *self._sums.values().shape)

    def _n_keys(self) -> int | None:
        """How many different rows there are, or as many as are enough; None without an interval."""
        return None if self._resampled is None else len(self._resampled.few_keys)

    def refuse_other_rows(self, other: Partial) -> None:
        """Raise ``ValueError`` unless both have the same settings and rows, and an interval."""
        refuse_other_settings(self.signature, other.signature)
        self._refuse_other_functions(other)
        if self._resampled is None:
            raise ValueError(
                "Partial results are compared by their resamples: give confidence=0.95, interval='poisson'."
            )
        what = None
        if self.n_samples != other.n_samples:
            what = f"one has {self.n_samples} rows, the other {other.n_samples}"
        elif self.by_id is not other.by_id:
            what = "one was made with an id_column, the other without"
        elif self._all_rows % _ROWS != other._all_rows % _ROWS:
            what = f"their {'ids' if self.by_id else 'references'} differ"
        elif self._mean_rows % _ROWS != other._mean_rows % _ROWS:
            what = "empty='skip' leaves out other rows of one than of the other; give empty='zero'"
        if what is not None:
            raise ValueError(
                f"These partial results are not of the same rows: {what}. Score both systems on the same references."
            )

    def to_bytes(self) -> bytes:
        """The partial result as bytes: some hundred; with an interval about eight a resample and score."""
        return gzip.compress(json.dumps(self._content()).encode(), mtime=0)

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
        content = _read(data)
        partial = cls(settings or RougeSettings.from_signature(content["signature"]), by_id=content["by_id"])
        if settings is not None:
            refuse_other_settings(partial.signature, content["signature"])
        partial.signature = content["signature"]
        partial.n_samples, partial.n_skipped = content["n_samples"], content["n_skipped"]
        partial._all_rows, partial._mean_rows = content["rows"]
        shape = (len(partial.settings.rouge_types), 3)
        partial._sums = ExactSums(shape, content["sums"])
        if content["totals"] is not None:
            partial._totals = ExactSums(shape, content["totals"])
        if partial._resampled is not None:
            partial._resampled.sums = np.array(content["resampled"], object)
            partial._resampled.few_keys = tuple(content["few_keys"])
        return partial

    def _content(self) -> dict[str, Any]:
        """All of its state, for JSON."""
        return {
            "version": _VERSION,
            "signature": self.signature,
            "by_id": self.by_id,
            "n_samples": self.n_samples,
            "n_skipped": self.n_skipped,
            "rows": [each % _ROWS for each in (self._all_rows, self._mean_rows)],
            "sums": self._sums.units,
            "totals": None if self._totals is None else self._totals.units,
            "resampled": None if self._resampled is None else self._resampled.sums.tolist(),
            "few_keys": None if self._resampled is None else self._resampled.few_keys,
        }


def _read(data: bytes) -> dict[str, Any]:
    """The content that ``Partial.to_bytes`` wrote."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"A partial result is {shown_value(data)}; give the bytes of Partial.to_bytes.")
    try:
        content = json.loads(gzip.decompress(data))
    except (OSError, EOFError, ValueError, RecursionError, zlib.error) as error:
        raise ValueError(
            f"These bytes are no partial result, or it is damaged: {error}. Give those of Partial.to_bytes, or score "
            "the rows again."
        ) from None
    version = content.get("version") if isinstance(content, dict) else None
    if version != _VERSION:
        raise ValueError(
            f"This partial result has the version {version!r}, and this polyrouge knows {_VERSION} only; score the "
            "rows again, or use the polyrouge that made it."
        )
    return content


def _refuse_without_sums(settings: RougeSettings) -> None:
    """Raise for settings whose results sums can not give."""
    rules = settings.result_rules
    if not rules.use_aggregator:
        raise ValueError("use_aggregator=False asks for lists, which no partial result has; keep the scored table.")
    if rules.aggregate in _INSTEAD:
        raise ValueError(
            f"aggregate={rules.aggregate!r} {_INSTEAD[rules.aggregate]}, so partial results can't give it. "
            "Give aggregate='mean', which is exact before its one rounding and differs in the last digits only; or "
            "keep the scores of all rows."
        )
    if rules.confidence is not None and rules.interval != "poisson":
        raise ValueError(
            f"interval={rules.interval!r} draws rows by their places among all rows, so partial results can't give it. "
            "Give interval='poisson', here and on one machine."
        )


def refuse_other_settings(first: str, second: str) -> None:
    """Raise if two signatures differ, and name the entries that do."""
    different = [
        f"{key}:{one or '(default)'} and {key}:{other or '(default)'}"
        for key, (one, other) in signature_differences(first, second).items()
    ]
    if not different:
        return
    raise ValueError(
        f"These partial results were made with different settings: {'; '.join(different)}. Use the same for all rows."
    )


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


@dataclass(frozen=True)
class PartialDifference:
    """Two systems compared under one key. Differences are first minus second: above 0 the first scores higher.

    Attributes:
        first: place of the first system among those given, from 0.
        second: place of the second.
        key: such as ``"rouge1"``.
        difference: aggregate of the first minus that of the second, times ``scale``.
        low: lower end of its bootstrap interval, of the settings' ``confidence``.
        high: upper end.
        p: two-sided p of the paired bootstrap, in (0, 1]; 1 / (1 + ``n_resamples``) at least.
        p_holm: p after Holm's correction over the pairs of systems.
    """

    first: int
    second: int
    key: str
    difference: float
    low: float
    high: float
    p: float
    p_holm: float


def compare_partials(
    first: Partial | Iterable[Partial], second: Partial | Iterable[Partial], *others: Partial | Iterable[Partial]
) -> list[PartialDifference]:
    """Compare two or more systems that were scored apart, on the same rows, with ``interval="poisson"``.

    Under the null the resampled difference varies about 0 as it varies about the observed one, so
    p = (1 + #{abs(resampled - observed) >= abs(observed)}) / (1 + resamples), as in ``compare_systems``.

    Args:
        first: partial result, or partial results, of the first system.
        second: of the second.
        *others: of more systems.

    Returns:
        For each pair of systems, and each key of ``Rouge.compute``, the difference, first minus second.

    Raises:
        ValueError: they are of different settings or rows, or have no such interval.
        TypeError: something that is no partial result.
    """
    systems = [merged_partial(each) for each in (first, second, *others)]
    for other in systems[1:]:
        systems[0].refuse_other_rows(other)
    rules = systems[0].settings.result_rules
    scale = 1.0 if rules.round_each is not None else rules.scale
    means = [each.means() for each in systems]
    for each in systems:
        warn_of(mean_warnings(each.n_samples, each.n_skipped, rules._replace(confidence=None, interval="percentile")))
    warn_of(mean_warnings(FEW_SAMPLES, 0, rules, systems[0]._n_keys()))
    resampled = [np.asarray(each.resampled_means()) for each in systems]
    pairs = list(itertools.combinations(range(len(systems)), 2))
    differences = np.stack([means[one] - means[other] for one, other in pairs])
    resamples = [resampled[one] - resampled[other] for one, other in pairs]
    p = np.stack(
        [p_values(each - difference, difference) for each, difference in zip(resamples, differences, strict=True)]
    )
    ends = np.stack([percentile_ends(each, rules.confidence or 0.95) for each in resamples])
    # float64[n_pairs, 5, n_types, 3]: the numbers of a PartialDifference, in the order of its fields
    values = np.stack([differences * scale, ends[:, 0] * scale, ends[:, 1] * scale, p, holm_adjusted(p)], axis=1)
    return [
        PartialDifference(*pair, key, *values[row, :, column, measure].tolist())
        for row, pair in enumerate(pairs)
        for key, column, measure in all_keys(rules)
    ]
