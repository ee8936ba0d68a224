"""Compare systems slice by slice: on which kind of samples does one of them lose?"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
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
    outcomes,
    resamples_warnings,
    result_arrays,
)
from polyrouge.counting.loop import count_pairs
from polyrouge.errors import shown_value, unknown_value, warn_of
from polyrouge.inputs import Inputs, column_rows
from polyrouge.metric import Rouge, as_rouge, score_inputs
from polyrouge.progress import tell_progress, telling_progress
from polyrouge.scoring.intervals import FEW_SAMPLES, few_samples_warning, holm_adjusted
from polyrouge.scoring.results import all_keys, results_of
from polyrouge.settings.allowed_values import RESAMPLES, checked_number
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

REFERENCE_COLUMNS = ("reference length", "references")
"""Names of the columns that the references make."""

FEWEST_TESTED = 10
"""Samples of a slice that has a p; of fewer a test says little, and each would raise the p of the others."""

_MOST_NUMBERS = 8  # different ones that are slices of their own; more are cut into quarters
_MOST_SLICES = 100  # of a column
_QUARTERS = (0.25, 0.5, 0.75)
_RESAMPLES = 10_000
_FEWEST_RESAMPLES = 2  # times the number of tests / alpha: then two of them decide on the smallest p
_MANY_TESTS = 50  # of one column
_MOST_PAIRED = 4  # up to so many systems, all pairs are compared on each slice
_DRAWS = 50_000_000  # samples drawn for a column, which takes a second or two
_MOST_DRAWS = 10 * _DRAWS


class SliceColumn(NamedTuple):
    """What samples are sliced by.

    Holm's correction is over all columns that the user has named together, and over each other one by itself.
    """

    name: str
    values: Any
    is_named: bool = True  # by the user
    system: str | None = None  # that the values are of: only pairs with it are compared on their slices


class SampleSlice(NamedTuple):
    """The samples with one value of a column."""

    column: str
    label: str  # the value, or the range of values
    rows: NDArray[np.int64]
    is_named: bool = True  # as of ``SliceColumn``
    system: str | None = None

    @property
    def family(self) -> str | None:
        """The same for slices whose p values are corrected together."""
        return None if self.is_named else self.column


@dataclass(frozen=True)
class SliceMeans:
    """The means of one slice.

    Attributes:
        column: what the samples are sliced by.
        label: of the slice.
        rows: int64[n_samples], which samples; without those that ``empty="skip"`` leaves out for any system.
        means: float64[n_systems, n_keys], times ``scale``: what ``Rouge.compute`` gives for them.
        low: float64[n_systems, n_keys]: lower bounds of the means' intervals; NaN where there are none, as of one
            sample.
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
            With fewer than 10 samples its interval and its p values are NaN.
        p_holm: p of paired approximate randomization after Holm's correction, for this pair of systems and this key,
            over the slices of the columns that were named; NaN with fewer than 10 samples. A column that nobody named
            (the lengths and numbers of references, the coverage of a source) is corrected by itself.
        n_tests: how many slices ``p_holm`` is corrected over; 0 where it is NaN.
    """

    column: str
    label: str
    n_samples: int
    first_mean: float
    second_mean: float
    pair: PairedDifference
    p_holm: float
    n_tests: int

    @property
    def is_tested(self) -> bool:
        """Whether there is a p: with 10 samples or more."""
        return self.n_samples >= FEWEST_TESTED


@dataclass(frozen=True)
class SlicedScores:
    """One system or several on slices of the samples.

    Attributes:
        systems: names, in the order given.
        keys: what is compared, such as ``"rouge1"``.
        slices: one for each slice, in the order of the columns and their values.
        differences: one for each slice, pair of systems and key; those where the first system of the pair loses most
            come first (``where_loses`` gives another order), slices of fewer than 10 samples last. Empty for one
            system.
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
    baseline: str | None
    confidence: float | None
    alpha: float
    n_resamples: int
    seed: int
    loser: str | None = None

    def where_loses(self, system: str) -> SlicedScores:
        """The same with its ``differences`` in another order: those where a system loses most come first.

        Numbers and signs stay those of the pair, first minus second. Slices of fewer than 10 samples come last, and
        after all of them the pairs without the system.

        Args:
            system: one of ``systems``.

        Raises:
            ValueError: there is no such system.
        """
        if system not in self.systems:
            raise unknown_value(system, self.systems, "system")

        def place(each: SlicedDifference) -> tuple[bool, bool, float]:
            pair = each.pair
            is_other = system not in (pair.first, pair.second)
            return is_other, not each.is_tested, -pair.difference if pair.second == system else pair.difference

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
            found: one of ``differences``; one without p has a dash.
        """
        if not found.is_tested:
            return "–"
        return shown_p(found.p_holm, is_smallest=found.pair.p_randomization <= 1 / (self.n_resamples + 1))

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON.

        Returns:
            ``slices``: for each its column, label, number of samples, and for each system and key ``mean``, ``low`` and
            ``high``; ``differences``: for each column, label, number of samples, ``p_holm``, ``n_tests``,
            ``significant`` and what ``compare_systems`` gives for it; and the other attributes under their names. None
            stands for NaN.
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
                **{name: value for name, value in vars(each).items() if name not in ("pair", "p_holm", "n_tests")},
                **{name: value for name, value in known_values(vars(each.pair)).items() if not name.endswith("_holm")},
                **known_values({"p_holm": each.p_holm}),
                "n_tests": each.n_tests,
                "significant": self.is_significant(each),
            }
            for each in self.differences
        ]
        facts = ("baseline", "confidence", "alpha", "n_resamples", "seed", "loser")
        return {"slices": slices, "differences": differences, **{name: getattr(self, name) for name in facts}}


def known_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values for JSON: None for NaN."""
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in values.items()}


def compare_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | str | None = None,
    *,
    baseline: str | None = None,
    n_resamples: int | None = None,
) -> list[SlicedDifference]:
    """Compare systems on slices of the samples.

    All numbers of a slice are those that ``compare_systems`` gives for its samples and ``n_resamples``. The p values
    are corrected for how many slices were looked at, for each pair of systems by itself.

    Args:
        systems: two or more: name to predictions, as for ``compare_systems``.
        references: as for ``Rouge.compute``.
        slices: names of columns, each with a value for every sample: a topic, a source, a length. Numbers of more than
            eight different values are cut at their quartiles; a missing value (None, NaN) is in no slice. None: slices
            by the length of the first reference in tokens, and by the number of references, each corrected by itself.
        rouge: the metric, or a convention's name; ``Rouge()`` if None.
        baseline: compare only this system with each of the others, instead of all pairs.
        n_resamples: of each test. None: 10,000; of more than 5,000 samples so few that 50 million are drawn for a
            column, but at least 2,000, which is twice what Holm's correction over 50 slices needs, or twice what it
            needs here if that is more.

    Returns:
        One for each slice, pair of systems and key; those where the first system of the pair loses most come first.
        Slices of fewer than 10 samples come last, without intervals and p.

    Raises:
        TypeError, ValueError: as ``compare_systems``; or a column does not fit, or has more than 100 different values
            that are no numbers.
    """
    rouge = as_rouge(rouge)
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems is {shown_value(systems)}; give a mapping from the name of each to its predictions.")
    ComparisonOptions(baseline, n_resamples=n_resamples).check(tuple(systems), rouge.settings)
    sliced = score_slices(systems, references, slices, rouge, baseline=baseline, n_resamples=n_resamples)
    return list(sliced.differences)


def score_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | str | None = None,
    *,
    baseline: str | None = None,
    n_resamples: int | None = None,
) -> SlicedScores:
    """Score one system or several on slices of the samples: means with intervals, and what ``compare_slices`` gives.

    Args:
        systems: one or more: name to predictions.
        references: as for ``Rouge.compute``.
        slices: as for ``compare_slices``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Means of several systems have intervals,
            at 95 % if it has none.
        baseline: as for ``compare_slices``.
        n_resamples: as for ``compare_slices``.

    Returns:
        The slices, each with the means that ``Rouge.compute`` gives for its samples, and the differences.

    Raises:
        TypeError, ValueError: as ``compare_slices``.
    """
    rouge = as_rouge(rouge)
    settings = rouge.settings
    if n_resamples is not None:
        checked_number("n_resamples", n_resamples, RESAMPLES)
    inputs = inputs_of_systems(systems, references)
    if not inputs:
        raise ValueError("systems is empty; give at least one: a name and its predictions.")
    samples = {name: score_inputs(each, settings, rouge.run) for name, each in inputs.items()}
    if slices is not None and not isinstance(slices, Mapping):
        raise TypeError(f"slices is {shown_value(slices)}; give a mapping from the name of a column to its values.")
    if slices is None:
        columns = reference_columns(next(iter(inputs.values())), settings, rouge.run)
    else:
        columns = [SliceColumn(name, values) for name, values in slices.items()]
    first = next(iter(samples.values()))
    chosen, messages = slices_of(columns, len(first.scores))
    warn_of(messages)
    scores = {name: each.scores for name, each in samples.items()}
    options = ComparisonOptions(baseline, n_resamples=n_resamples)
    sliced = sliced_columns(scores, chosen, settings, options)
    warn_of(slice_warnings(sliced))
    return sliced


def sliced_columns(
    scores: Mapping[str, NDArray[np.float64]],
    slices: Sequence[SampleSlice],
    settings: RougeSettings,
    options: ComparisonOptions = ComparisonOptions(),  # noqa: B008 it can't change
) -> SlicedScores:
    """``score_slices`` by the ``SampleScores.scores`` of each system; see also ``slice_warnings``."""
    if settings.aggregate == "micro":
        raise ValueError("aggregate='micro': slices have means over samples; set aggregate='mean'.")
    names = tuple(scores)
    confidence = settings.confidence if len(names) == 1 else options.confidence or settings.confidence or 0.95
    seed = settings.seed if options.seed is None else options.seed
    settings = settings.replace(use_aggregator=True, confidence=confidence, seed=seed)
    is_left_out = left_out(list(scores.values()))
    slices = [each._replace(rows=each.rows[~is_left_out[each.rows]]) for each in slices]
    slices = [each for each in slices if len(each.rows)]
    n_resamples = options.n_resamples
    if n_resamples is None:
        n_named = sum(each.is_named and len(each.rows) >= FEWEST_TESTED for each in slices)
        n_resamples = _resamples_of_slices(len(is_left_out), n_named, options.alpha)
    options = options._replace(n_resamples=n_resamples, test=TESTS[0])
    result_keys = tuple(key for key, _, _ in all_keys(settings.result_rules))
    means: list[SliceMeans] = []
    pairs: list[tuple[SampleSlice, SliceMeans, PairedDifference]] = []
    for each in slices:
        of_slice = {name: column[each.rows] for name, column in scores.items()}
        place = each.column, each.label, each.rows
        with telling_progress(None):  # a slice is one step
            if len(names) > 1 and len(each.rows) >= FEWEST_TESTED:
                compared = compare_columns(of_slice, settings, options)
                means.append(SliceMeans(*place, compared.means, compared.low, compared.high))
                of_pairs: Iterable[PairedDifference] = compared.pairs
            else:
                results = results_of(list(of_slice.values()), settings.result_rules)
                means.append(SliceMeans(*place, *result_arrays(results, result_keys)))
                if len(each.rows) == 1:  # an interval would have no width
                    means[-1].low[:], means[-1].high[:] = math.nan, math.nan
                of_pairs = _untested(of_slice, means[-1].means, settings, options.baseline)
            pairs += [(each, means[-1], pair) for pair in of_pairs if each.system in (None, pair.first, pair.second)]
        tell_progress(1)
    return SlicedScores(
        systems=names,
        keys=result_keys,
        slices=tuple(means),
        differences=_differences(pairs, names, result_keys),
        baseline=options.baseline,
        confidence=confidence,
        alpha=options.alpha,
        n_resamples=n_resamples,
        seed=seed,
    )


def usual_baseline(systems: Sequence[str]) -> str | None:
    """The default baseline: the first of more than four systems; a report puts the best first."""
    return systems[0] if len(systems) > _MOST_PAIRED else None


def _untested(
    scores: Mapping[str, NDArray[np.float64]],
    means: NDArray[np.float64],
    settings: RougeSettings,
    baseline: str | None,
) -> Iterator[PairedDifference]:
    """The differences of the pairs on too few samples for a test; ``means`` are float64[n_systems, n_keys]."""
    unknown = dict.fromkeys(
        ("low", "high", "p_bootstrap", "p_randomization", "p_bootstrap_holm", "p_randomization_holm"), math.nan
    )
    for (one, first), (other, second) in combinations(enumerate(scores), 2):
        if baseline not in (None, first, second):
            continue
        signs = outcomes(scores[first], scores[second], settings)
        for column, (key, rouge_type, measure) in enumerate(all_keys(settings.result_rules)):
            of_key = signs[:, rouge_type, measure]
            yield PairedDifference(
                first=first,
                second=second,
                key=key,
                difference=float(means[one, column] - means[other, column]),
                **unknown,
                wins=int((of_key > 0).sum()),
                ties=int((of_key == 0).sum()),
                losses=int((of_key < 0).sum()),
            )


def _resamples_of_slices(n_rows: int, n_named: int, alpha: float) -> int:
    """The default number of resamples; what nobody asked for, such as further systems and columns, does not move it."""
    needed = math.ceil(_FEWEST_RESAMPLES * max(n_named, _MANY_TESTS) / alpha)
    n_rows = max(1, n_rows)
    affordable = max(_DRAWS // n_rows, min(needed, _MOST_DRAWS // n_rows), 1)
    return min(max(_RESAMPLES, needed), affordable)


def slice_warnings(sliced: SlicedScores) -> Iterator[str]:
    """The warnings of scores of slices: too few resamples, and slices too small for an interval."""
    n_tests = max((each.n_tests for each in sliced.differences), default=0)
    n_resamples, alpha = sliced.n_resamples, sliced.alpha
    if n_tests > 1 and n_tests / (n_resamples + 1) >= alpha:
        yield (
            f"{n_resamples} resamples give no p below {n_tests / (n_resamples + 1):.2g} after Holm's correction over "
            f"{n_tests} slices, so none can be significant at {alpha:g}: look at fewer slices, or give "
            f"n_resamples={math.floor(n_tests / alpha)} or more."
        )
    elif n_tests:
        yield from resamples_warnings(n_resamples, 1, alpha)
    if sliced.confidence is not None:
        sizes = dict.fromkeys(len(each.rows) for each in reversed(sliced.slices))
        yield from (few_samples_warning(size) for size in sizes if 1 < size < FEW_SAMPLES)


def _differences(
    pairs: Sequence[tuple[SampleSlice, SliceMeans, PairedDifference]], systems: Sequence[str], keys: Sequence[str]
) -> tuple[SlicedDifference, ...]:
    """Those where the first system loses most first, small slices last; p is corrected in each family of tests."""
    families: dict[tuple[str, str, str, str | None], list[int]] = {}
    for place, (each, _, pair) in enumerate(pairs):
        if len(each.rows) >= FEWEST_TESTED:
            families.setdefault((pair.key, pair.first, pair.second, each.family), []).append(place)
    corrected: dict[int, tuple[float, int]] = {}
    for places in families.values():
        adjusted = holm_adjusted(np.array([pairs[place][2].p_randomization for place in places])).tolist()
        corrected |= {place: (p, len(places)) for place, p in zip(places, adjusted, strict=True)}
    differences = []
    for place, (each, means, pair) in enumerate(pairs):
        of_key = dict(zip(systems, means.means[:, keys.index(pair.key)].tolist(), strict=True))
        of_pair = of_key[pair.first], of_key[pair.second]
        p_holm, n_tests = corrected.get(place, (math.nan, 0))
        differences.append(SlicedDifference(each.column, each.label, len(each.rows), *of_pair, pair, p_holm, n_tests))
    return tuple(sorted(differences, key=lambda each: (not each.is_tested, each.pair.difference, each.pair.key)))


def slices_of(columns: Iterable[SliceColumn], n_rows: int) -> tuple[list[SampleSlice], list[str]]:
    """The slices of one sample or more, but not all, and warnings; of two columns of a name the first counts."""
    slices: list[SampleSlice] = []
    messages = []
    names = set()
    for column in columns:
        if column.name in names:
            continue
        names.add(column.name)
        of_column = _slices_of_column(column, column_rows(column.values, f"the column {column.name!r}"), n_rows)
        slices += of_column
        if not of_column and column.is_named:
            messages.append(
                f"The column {column.name!r} makes no slice: it has one value in all samples, or none in any."
            )
    return slices, messages


def reference_columns(inputs: Inputs, settings: RougeSettings, run: RunOptions) -> list[SliceColumn]:
    """The length of the first reference of each sample in tokens, and how many references it has."""
    counted = count_pairs(inputs, settings.replace(rouge_types=("rouge1",), weights=None), run)
    lengths = counted.counts[counted.offsets[:-1], 0, 2].astype(np.int64)
    values = lengths.tolist(), np.diff(counted.offsets).tolist()
    return [SliceColumn(name, each, is_named=False) for name, each in zip(REFERENCE_COLUMNS, values, strict=True)]


def coverage_columns(coverage: NDArray[np.float64], systems: Sequence[str], baseline: str | None) -> list[SliceColumn]:
    """How much of a prediction is copied from its source, float64[n_systems, n_samples], of those that are compared."""
    return [
        SliceColumn("coverage" if len(systems) == 1 else f"coverage: {name}", column, is_named=False, system=name)
        for name, column in zip(systems, coverage.tolist(), strict=True)
        if baseline is None or name == baseline or len(systems) <= _MOST_PAIRED
    ]


def _slices_of_column(column: SliceColumn, values: Sequence[Any], n_rows: int) -> list[SampleSlice]:
    if len(values) != n_rows:
        raise ValueError(
            f"The column {column.name!r} has {len(values)} values but there are {n_rows} samples; give one for each."
        )
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(_labels(column.name, values)):
        if label is not None:
            rows.setdefault(label, []).append(row)
    fitting = {label: each for label, each in rows.items() if len(each) < n_rows}
    return [
        SampleSlice(column.name, label, np.array(each), column.is_named, column.system)
        for label, each in fitting.items()
    ]


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
