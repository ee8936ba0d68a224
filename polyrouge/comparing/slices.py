"""Compare systems slice by slice: on which kind of samples does one of them lose?"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import PairedDifference, mean_records, shown_p
from polyrouge.comparing.systems import (
    TESTS,
    ComparisonOptions,
    compare_columns,
    inputs_of_systems,
    left_out,
    resamples_warnings,
    result_arrays,
)
from polyrouge.counting.loop import count_pairs
from polyrouge.errors import shown_value, unknown_value, warn_of
from polyrouge.inputs import Inputs, column_rows
from polyrouge.metric import Rouge, checked_rouge, score_inputs
from polyrouge.progress import tell_progress, telling_progress
from polyrouge.scoring.intervals import FEW_SAMPLES, few_samples_warning, holm_adjusted
from polyrouge.scoring.results import all_keys, result_of
from polyrouge.settings.allowed_values import RESAMPLES, checked_number
from polyrouge.settings.rouge_settings import RougeSettings

REFERENCE_COLUMNS = ("reference length", "references")
"""Names of the columns that the references make."""

_FEWEST_SAMPLES = 2  # in a slice; fewer can't be compared
_MOST_NUMBERS = 8  # different ones that are slices of their own; more are cut into quarters
_MOST_SLICES = 100  # of a column
_QUARTERS = (0.25, 0.5, 0.75)
_RESAMPLES = 10_000
_FEWEST_RESAMPLES = 2  # times the number of tests / alpha: then two of them decide on the smallest p
_MOST_PAIRED = 4  # up to so many systems, all pairs are compared on each slice
_DRAWS = 100_000_000  # samples drawn in all, which takes some seconds
_MOST_DRAWS = 10 * _DRAWS


class SampleSlice(NamedTuple):
    """The samples with one value of a column."""

    column: str
    label: str  # the value, or the range of values
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class SliceMeans:
    """The means of one slice.

    Attributes:
        column: what the samples are sliced by.
        label: of the slice.
        rows: int64[n_samples], which samples; without those that ``empty="skip"`` leaves out for any system.
        means: float64[n_systems, n_keys], times ``scale``: what ``Rouge.compute`` gives for them.
        low: float64[n_systems, n_keys]: lower bounds of the means' intervals; NaN where there are none.
        high: their upper bounds.
    """

    column: str
    label: str
    rows: NDArray[np.int64]
    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class SlicedDifference:
    """Two systems compared on one slice, under one key.

    Attributes:
        column: what the samples are sliced by.
        label: of the slice.
        n_samples: how many samples are in it.
        first_mean: mean of the first system, times ``scale``.
        second_mean: mean of the second.
        pair: what ``compare_systems`` gives for these samples; its corrected p values are over the pairs of systems.
        p_holm: p of paired approximate randomization after Holm's correction over all slices and pairs, for this key.
    """

    column: str
    label: str
    n_samples: int
    first_mean: float
    second_mean: float
    pair: PairedDifference
    p_holm: float


@dataclass(frozen=True)
class SlicedScores:
    """One system or several on slices of the samples.

    Attributes:
        systems: names, in the order given.
        keys: what is compared, such as ``"rouge1"``.
        slices: one for each slice, in the order of the columns and their values.
        differences: one for each slice, pair of systems and key; those where the first system of the pair loses most
            come first (``where_loses`` gives another order). Empty for one system.
        n_tests: how many slices and pairs the p values of a key are corrected over.
        baseline: the system that alone is compared with each of the others; None: all pairs are.
        confidence: level of the intervals; None: there are none.
        alpha: level of significance, after the correction.
        n_resamples: of each test, and of the intervals of differences.
        seed: of all draws.
        loser: the system whose losses come first; None: the first of each pair.
    """

    systems: tuple[str, ...]
    keys: tuple[str, ...]
    slices: tuple[SliceMeans, ...]
    differences: tuple[SlicedDifference, ...]
    n_tests: int
    baseline: str | None
    confidence: float | None
    alpha: float
    n_resamples: int
    seed: int
    loser: str | None = None

    def where_loses(self, system: str) -> SlicedScores:
        """The same with its ``differences`` in another order: those where a system loses most come first.

        Numbers and signs stay those of the pair, first minus second. Pairs without the system come last.

        Args:
            system: one of ``systems``.

        Raises:
            ValueError: there is no such system.
        """
        if system not in self.systems:
            raise unknown_value(system, self.systems, "system")

        def place(each: SlicedDifference) -> tuple[bool, float]:
            pair = each.pair
            is_other = system not in (pair.first, pair.second)
            return is_other, -pair.difference if pair.second == system else pair.difference

        return dataclasses.replace(self, differences=tuple(sorted(self.differences, key=place)), loser=system)

    @property
    def columns(self) -> list[str]:
        """Names of the columns that made slices, in order."""
        return list(dict.fromkeys(each.column for each in self.slices))

    def is_significant(self, found: SlicedDifference) -> bool:
        """Whether a corrected p is below alpha.

        Args:
            found: one of ``differences``.
        """
        return found.p_holm < self.alpha

    def shown_p(self, found: SlicedDifference) -> str:
        """A corrected p with four digits; ``≤`` where no resample was as extreme, so that more could make it smaller.

        Args:
            found: one of ``differences``.
        """
        return shown_p(found.p_holm, is_smallest=found.pair.p_randomization <= 1 / (self.n_resamples + 1))

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON.

        Returns:
            ``slices``: for each its column, label, number of samples, and for each system and key ``mean``, ``low`` and
            ``high``; ``differences``: for each column, label, number of samples, ``p_holm``, ``significant`` and what
            ``compare_systems`` gives for it; and the other attributes under their names.
        """
        slices = [
            {
                "column": each.column,
                "label": each.label,
                "n_samples": len(each.rows),
                "systems": {system: mean_records(each, row, self.keys) for row, system in enumerate(self.systems)},
            }
            for each in self.slices
        ]
        differences = [
            {
                **{name: value for name, value in vars(each).items() if name not in ("pair", "p_holm")},
                **{name: value for name, value in vars(each.pair).items() if not name.endswith("_holm")},
                "p_holm": each.p_holm,
                "significant": self.is_significant(each),
            }
            for each in self.differences
        ]
        facts = ("n_tests", "baseline", "confidence", "alpha", "n_resamples", "seed", "loser")
        return {"slices": slices, "differences": differences, **{name: getattr(self, name) for name in facts}}


def compare_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | None = None,
    *,
    baseline: str | None = None,
    n_resamples: int | None = None,
) -> list[SlicedDifference]:
    """Compare systems on slices of the samples.

    All numbers of a slice are those that ``compare_systems`` gives for its samples and ``n_resamples``. The p values
    are corrected for how many slices were looked at.

    Args:
        systems: two or more: name to predictions, as for ``compare_systems``.
        references: as for ``Rouge.compute``.
        slices: names of columns, each with a value for every sample: a topic, a source, a length. Numbers of more than
            eight different values are cut at their quartiles; a missing value (None, NaN) is in no slice. None: slices
            by the length of the first reference in tokens, and by the number of references.
        rouge: the metric; ``Rouge()`` if None.
        baseline: compare only this system with each of the others, instead of all pairs.
        n_resamples: of each test. None: 10,000; for many samples so few that 100 million samples are drawn in all,
            but at least twice what Holm's correction needs.

    Returns:
        One for each slice of two samples or more, pair of systems and key; those where the first system of the pair
        loses most come first.

    Raises:
        TypeError, ValueError: as ``compare_systems``; or a column does not fit, or has more than 100 different values
            that are no numbers.
    """
    rouge = checked_rouge(rouge)
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems is {shown_value(systems)}; give a mapping from the name of each to its predictions.")
    ComparisonOptions(baseline, n_resamples=n_resamples).check(tuple(systems), rouge.settings)
    sliced = score_slices(systems, references, slices, rouge, baseline=baseline, n_resamples=n_resamples)
    return list(sliced.differences)


def score_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | None = None,
    *,
    baseline: str | None = None,
    n_resamples: int | None = None,
) -> SlicedScores:
    """Score one system or several on slices of the samples: means with intervals, and what ``compare_slices`` gives.

    Args:
        systems: one or more: name to predictions.
        references: as for ``Rouge.compute``.
        slices: as for ``compare_slices``.
        rouge: the metric; ``Rouge()`` if None. Means of several systems have intervals, at 95 % if it has none.
        baseline: as for ``compare_slices``.
        n_resamples: as for ``compare_slices``.

    Returns:
        The slices, each with the means that ``Rouge.compute`` gives for its samples, and the differences.

    Raises:
        TypeError, ValueError: as ``compare_slices``.
    """
    settings = checked_rouge(rouge).settings
    if n_resamples is not None:
        checked_number("n_resamples", n_resamples, RESAMPLES)
    inputs = inputs_of_systems(systems, references)
    if not inputs:
        raise ValueError("systems is empty; give at least one: a name and its predictions.")
    samples = {name: score_inputs(each, settings) for name, each in inputs.items()}
    if slices is None:
        slices = reference_columns(next(iter(inputs.values())), settings)
    first = next(iter(samples.values()))
    chosen, messages = slices_of(slices, len(first.scores))
    warn_of(messages)
    scores = {name: each.scores for name, each in samples.items()}
    options = ComparisonOptions(baseline, n_resamples=n_resamples)
    sliced = sliced_columns(scores, chosen, settings, options, first.keys)
    warn_of(slice_warnings(sliced))
    return sliced


def sliced_columns(
    scores: Mapping[str, NDArray[np.float64]],
    slices: Sequence[SampleSlice],
    settings: RougeSettings,
    options: ComparisonOptions = ComparisonOptions(),  # noqa: B008 it can't change
    keys: NDArray[np.uint64] | None = None,
) -> SlicedScores:
    """``score_slices`` by the ``SampleScores.scores`` and ``keys`` of each system; see also ``slice_warnings``."""
    if settings.aggregate == "micro":
        raise ValueError("aggregate='micro': slices have means over samples; set aggregate='mean'.")
    names = tuple(scores)
    confidence = settings.confidence if len(names) == 1 else options.confidence or settings.confidence or 0.95
    seed = settings.seed if options.seed is None else options.seed
    settings = settings.replace(use_aggregator=True, confidence=confidence, seed=seed)
    is_left_out = left_out(list(scores.values()))
    slices = [each._replace(rows=each.rows[~is_left_out[each.rows]]) for each in slices]
    slices = [each for each in slices if len(each.rows) >= _FEWEST_SAMPLES]
    n_pairs = math.comb(len(names), 2) if options.baseline is None else len(names) - 1
    n_resamples = options.n_resamples
    if n_resamples is None:
        n_resamples = _resamples_of_slices([len(each.rows) for each in slices], n_pairs, options.alpha)
    options = options._replace(n_resamples=n_resamples, test=TESTS[0])
    result_keys = tuple(key for key, _, _ in all_keys(settings.result_rules))
    means, pairs = [], []
    for each in slices:
        of_slice = {name: column[each.rows] for name, column in scores.items()}
        with telling_progress(None):  # a slice is one step
            if n_pairs:
                compared = compare_columns(of_slice, settings, options)
                means.append(SliceMeans(*each, compared.means, compared.low, compared.high))
                pairs += [(means[-1], pair) for pair in compared.pairs]
            else:
                of_rows = None if keys is None else keys[each.rows]
                result = result_of(of_slice[names[0]], settings.result_rules, keys=of_rows)
                means.append(SliceMeans(*each, *result_arrays([result], result_keys)))
        tell_progress(1)
    return SlicedScores(
        systems=names,
        keys=result_keys,
        slices=tuple(means),
        differences=_differences(pairs, names, result_keys),
        n_tests=len(slices) * n_pairs,
        baseline=options.baseline,
        confidence=confidence,
        alpha=options.alpha,
        n_resamples=n_resamples,
        seed=seed,
    )


def usual_baseline(systems: Sequence[str]) -> str | None:
    """The default baseline: the first of more than four systems; a report puts the best first."""
    return systems[0] if len(systems) > _MOST_PAIRED else None


def _resamples_of_slices(sizes: Sequence[int], n_pairs: int, alpha: float) -> int:
    """The default number of resamples of each slice."""
    n_rows = max(1, sum(sizes))
    needed = math.ceil(_FEWEST_RESAMPLES * n_pairs * len(sizes) / alpha)
    affordable = max(_DRAWS // n_rows, min(needed, _MOST_DRAWS // n_rows), 1)
    return min(max(_RESAMPLES, needed), affordable)


def slice_warnings(sliced: SlicedScores) -> Iterator[str]:
    """The warnings of scores of slices: too few resamples, and slices too small for an interval."""
    n_tests, n_resamples, alpha = sliced.n_tests, sliced.n_resamples, sliced.alpha
    if n_tests / (n_resamples + 1) >= alpha:
        yield (
            f"{n_resamples} resamples give no p below {n_tests / (n_resamples + 1):.2g} after Holm's correction over "
            f"{n_tests} slices and pairs, so none can be significant at {alpha:g}: look at fewer slices or systems, or "
            f"give n_resamples={math.floor(n_tests / alpha)} or more."
        )
    if sliced.confidence is not None:
        sizes = dict.fromkeys(len(each.rows) for each in reversed(sliced.slices))
        yield from (few_samples_warning(size) for size in sizes if size < FEW_SAMPLES)
    if n_tests:
        yield from resamples_warnings(n_resamples, n_tests // len(sliced.slices), alpha)


def _differences(
    pairs: Sequence[tuple[SliceMeans, PairedDifference]], systems: Sequence[str], keys: Sequence[str]
) -> tuple[SlicedDifference, ...]:
    """Those where the first system loses most first; p is corrected over all slices and pairs of each key."""
    differences = []
    for key in sorted(keys):
        of_key = [(means, pair) for means, pair in pairs if pair.key == key]
        adjusted = holm_adjusted(np.array([pair.p_randomization for _, pair in of_key])).tolist()
        for (each, pair), p_holm in zip(of_key, adjusted, strict=True):
            means = dict(zip(systems, each.means[:, keys.index(key)].tolist(), strict=True))
            of_pair = means[pair.first], means[pair.second]
            differences.append(SlicedDifference(each.column, each.label, len(each.rows), *of_pair, pair, p_holm))
    return tuple(sorted(differences, key=lambda each: each.pair.difference))


def slices_of(columns: Mapping[str, Any], n_rows: int) -> tuple[list[SampleSlice], list[str]]:
    """The slices of two samples or more, but not all, and warnings; ``columns`` as for ``compare_slices``."""
    if not isinstance(columns, Mapping):
        raise TypeError(f"slices is {shown_value(columns)}; give a mapping from the name of a column to its values.")
    slices: list[SampleSlice] = []
    messages = []
    for column, values in columns.items():
        of_column = _slices_of_column(column, column_rows(values, f"the column {column!r}"), n_rows)
        slices += of_column
        if not of_column and column not in REFERENCE_COLUMNS:
            messages.append(
                f"The column {column!r} makes no slice: no value of it stands in two samples or more, but not in all."
            )
    return slices, messages


def reference_columns(inputs: Inputs, settings: RougeSettings) -> dict[str, list[int]]:
    """The length of the first reference of each sample in tokens, and how many references it has."""
    counted = count_pairs(inputs, settings.replace(rouge_types=("rouge1",), weights=None))
    lengths = counted.counts[counted.offsets[:-1], 0, 2].astype(np.int64)
    return dict(zip(REFERENCE_COLUMNS, (lengths.tolist(), np.diff(counted.offsets).tolist()), strict=True))


def _slices_of_column(column: str, values: Sequence[Any], n_rows: int) -> list[SampleSlice]:
    if len(values) != n_rows:
        raise ValueError(
            f"The column {column!r} has {len(values)} values but there are {n_rows} samples; give one for each."
        )
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(_labels(column, values)):
        if label is not None:
            rows.setdefault(label, []).append(row)
    fitting = {label: each for label, each in rows.items() if _FEWEST_SAMPLES <= len(each) < n_rows}
    return [SampleSlice(column, label, np.array(each)) for label, each in fitting.items()]


def _labels(column: str, values: Sequence[Any]) -> list[str | None]:
    known = [value for value in values if not _is_missing(value)]
    for row, value in enumerate(values):
        if not isinstance(value, (str, int, float, np.integer, np.floating, np.bool_)) and value is not None:
            raise ValueError(
                f"The column {column!r} has {type(value).__name__} in row {row}; samples are sliced by a text, a "
                "number, a truth value or None in each row."
            )
    are_numbers = all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in known)
    different = set(known)
    if not are_numbers or len(different) <= _MOST_NUMBERS:
        if len(different) > _MOST_SLICES:
            raise ValueError(
                f"The column {column!r} has {len(different)} different values, of which slices are made of at most "
                f"{_MOST_SLICES}; group them first, or give numbers, which are cut at their quartiles."
            )
        return [None if _is_missing(value) else _written(value) for value in values]
    below = [value for value in known if value < max(different)]  # nothing lies above the largest
    quartiles = set(np.quantile(known, _QUARTERS, method="inverted_cdf").tolist())
    edges = sorted(quartiles.intersection(below)) or [max(below)]
    if all(float(value).is_integer() for value in different):  # the first and the last value that each range holds
        ordered = np.array(sorted(different))
        ranges = np.split(ordered, np.searchsorted(ordered, edges, side="right"))
        names = [
            f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"
            for low, high in ((each[0], each[-1]) for each in ranges)
        ]
    else:
        written = _written_apart(edges)
        names = [f"≤ {written[0]}", *(f"{low}–{high}" for low, high in pairwise(written)), f"> {written[-1]}"]
    return [None if _is_missing(value) else names[int(np.searchsorted(edges, value))] for value in values]


def _written_apart(edges: Sequence[float]) -> list[str]:
    """Numbers with four digits, or with enough to tell them apart."""
    for digits in range(4, 18):
        written = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(written)) == len(edges):
            return written
    return list(map(repr, edges))


def _written(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, (float, np.floating)) else str(value)


def _is_missing(value: Any) -> bool:
    return value is None or bool(isinstance(value, (float, np.floating)) and value != value)
