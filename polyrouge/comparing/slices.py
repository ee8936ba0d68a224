"""Compare systems slice by slice: on which kind of samples does a system lose?"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.difference import Difference
from polyrouge.comparing.sliced_scores import FEWEST_TESTED, SlicedScores, SliceMeans
from polyrouge.comparing.systems import (
    TESTS,
    ComparisonOptions,
    check_systems,
    compare_columns,
    outcome_counts,
    outcomes,
    resamples_warnings,
    result_arrays,
    skipped_samples,
)
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.texts import SystemTexts, read_texts
from polyrouge.errors import Note, Option, RefusedValue, shown_value, warn_of
from polyrouge.inputs import Inputs, column_rows
from polyrouge.metric import Rouge, as_rouge, score_inputs
from polyrouge.progress import tell_progress, telling_progress
from polyrouge.scoring.aggregates import all_keys, results_of
from polyrouge.scoring.intervals import FEW_SAMPLES, few_samples_warning, holm_adjusted
from polyrouge.settings.allowed_values import RESAMPLES, checked_number
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

REFERENCE_COLUMNS = ("reference length", "references")
"""Names of the columns made from references."""

_MOST_NUMBERS = 8  # distinct numbers with slices of their own; more are cut into quarters
_MOST_SLICES = 100  # of a column
_QUARTERS = (0.25, 0.5, 0.75)
_RESAMPLES = 10_000
_FEWEST_RESAMPLES = 2  # times the number of tests / alpha: then two resamples decide on the smallest p
_MANY_TESTS = 50  # of one column
_MOST_PAIRED = 4  # systems; of more, not all pairs are compared
_DRAWS = 50_000_000  # samples drawn for a column, which takes a second or two
_MOST_DRAWS = 10 * _DRAWS


class SliceColumn(NamedTuple):
    """A column by which samples are sliced.

    Holm's correction is over all columns together that the user has named, and over each other column by itself.
    """

    name: str
    values: Any
    is_named: bool = True  # by the user
    system: str | None = None  # whose values these are: only pairs with it are compared on these slices


class SampleSlice(NamedTuple):
    """The samples with one value of a column."""

    column: str
    label: str  # the value, or the range of values
    rows: NDArray[np.int64]
    is_named: bool = True  # as of ``SliceColumn``
    system: str | None = None

    @property
    def family(self) -> str | None:
        """Return the family of p values that are corrected together."""
        return None if self.is_named else self.column


def compare_slices(
    systems: Mapping[str, Any],
    references: Any,
    slices: Mapping[str, Any] | None = None,
    rouge: Rouge | str | None = None,
    *,
    baseline: str | None = None,
    n_resamples: int | None = None,
) -> SlicedScores:
    """Score and compare systems on slices of the samples.

    ``compare_systems`` gives the same numbers for the samples of a slice and ``n_resamples``. The p values
    are corrected for the number of slices, separately for each pair of systems.

    Args:
        systems: one or more: name to predictions, as for ``compare_systems``.
        references: as for ``Rouge.compute``.
        slices: names of columns, each with a value for every sample: a topic, a source, a length. Numbers of more than
            eight different values are cut at their quartiles; a missing value (None, NaN) is in no slice. None: slices
            by the length of the first reference in tokens, and by the number of references, each corrected by itself.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Means of several systems have intervals, at
            95% if it has none.
        baseline: compare only this system with each of the others, instead of all pairs.
        n_resamples: of each test. None: 10,000; of more than 5,000 samples so few that 50 million are drawn for a
            column, but at least 2,000, which is twice what Holm's correction over 50 slices needs, or twice what it
            needs here if that is more.

    Returns:
        The slices, each with the means that ``Rouge.compute`` gives for its samples; and a difference for each slice,
        pair of systems and key; slices where the first system loses most come first. Slices of fewer than 10
        samples come last, without intervals and p.

    Raises:
        TypeError, ValueError: as ``compare_systems``; or a column does not fit, or has more than 100 different values
            that are no numbers.
    """
    rouge = as_rouge(rouge)
    settings = rouge.settings
    if n_resamples is not None:
        n_resamples = checked_number("n_resamples", n_resamples, RESAMPLES)
    inputs = check_systems(systems, references)
    if not inputs:
        raise ValueError("systems is empty; give at least one: a name and its predictions.")
    options = ComparisonOptions(baseline, n_resamples=n_resamples)
    if len(inputs) > 1:
        options.checked(tuple(inputs), settings)
    if slices is not None and not isinstance(slices, Mapping):
        raise TypeError(f"slices is {shown_value(slices)}; give a mapping from the name of a column to its values.")
    if slices is None:
        texts = read_texts(list(inputs.values()), settings, rouge.run)
        samples = {name: score_inputs(texts.system(number), settings, rouge.run) for number, name in enumerate(inputs)}
        columns = reference_columns(texts.system(0), settings, rouge.run)
    else:
        samples = {name: score_inputs(system_inputs, settings, rouge.run) for name, system_inputs in inputs.items()}
        columns = [SliceColumn(name, values) for name, values in slices.items()]
    first_system = next(iter(samples.values()))
    sample_slices, messages = slices_of(columns, len(first_system.scores))
    warn_of(messages)
    scores = {name: sample.scores for name, sample in samples.items()}
    sliced = sliced_columns(scores, sample_slices, settings, options)
    warn_of(slice_warnings(sliced))
    return sliced


def score_slices(
    predictions: Any, references: Any, slices: Mapping[str, Any] | None = None, rouge: Rouge | str | None = None
) -> SlicedScores:
    """Score one system on slices of the samples: ``compare_slices`` of the system ``"system"`` alone.

    Args:
        predictions: as for ``Rouge.compute``.
        references: as for ``Rouge.compute``.
        slices: as for ``compare_slices``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None.

    Returns:
        The slices, each with the means that ``Rouge.compute`` gives for its samples.

    Raises:
        TypeError, ValueError: as ``compare_slices``.
    """
    return compare_slices({"system": predictions}, references, slices, rouge)


def sliced_columns(
    scores: Mapping[str, NDArray[np.float64]],
    slices: Sequence[SampleSlice],
    settings: RougeSettings,
    options: ComparisonOptions = ComparisonOptions(),  # noqa: B008 it can't change
) -> SlicedScores:
    """``compare_slices`` from the ``Scores.scores`` of each system; see also ``slice_warnings``."""
    if settings.aggregate == "micro":
        remedy = ": slices have means over samples; set ", Option("aggregate", "mean"), "."
        raise RefusedValue(Option("aggregate", "micro"), *remedy)
    names = tuple(scores)
    confidence = settings.confidence if len(names) == 1 else options.confidence or settings.confidence or 0.95
    seed = settings.seed if options.seed is None else options.seed
    settings = settings.replace(use_aggregator=True, confidence=confidence, seed=seed)
    is_left_out = skipped_samples(list(scores.values()))
    slices = [sample_slice._replace(rows=sample_slice.rows[~is_left_out[sample_slice.rows]]) for sample_slice in slices]
    slices = [sample_slice for sample_slice in slices if len(sample_slice.rows)]
    n_resamples = options.n_resamples
    if n_resamples is None:
        n_named = sum(sample_slice.is_named and len(sample_slice.rows) >= FEWEST_TESTED for sample_slice in slices)
        n_resamples = _resamples_of_slices(len(is_left_out), n_named, options.alpha)
    options = options._replace(n_resamples=n_resamples, test=TESTS[0])
    result_keys = tuple(key for key, _, _ in all_keys(settings.result_rules))
    means: list[SliceMeans] = []
    pairs: list[tuple[SampleSlice, Difference]] = []
    for sample_slice in slices:
        slice_scores = {name: column[sample_slice.rows] for name, column in scores.items()}
        slice_fields = sample_slice.column, sample_slice.label, sample_slice.rows
        with telling_progress(None):  # a slice is one step
            if len(names) > 1 and len(sample_slice.rows) >= FEWEST_TESTED:
                compared = compare_columns(slice_scores, settings, options)
                means.append(SliceMeans(*slice_fields, compared.means, compared.low, compared.high))
                slice_pairs: Iterable[Difference] = compared.pairs
            else:
                results = results_of(list(slice_scores.values()), settings.result_rules)
                means.append(SliceMeans(*slice_fields, *result_arrays(results, result_keys)))
                if len(sample_slice.rows) == 1:  # an interval would have no width
                    means[-1].low[:], means[-1].high[:] = math.nan, math.nan
                slice_pairs = _untested(slice_scores, means[-1].means, settings, options.baseline)
            pairs += [
                (sample_slice, pair) for pair in slice_pairs if sample_slice.system in (None, pair.first, pair.second)
            ]
        tell_progress(1)
    return SlicedScores(
        systems=names,
        keys=result_keys,
        slices=tuple(means),
        differences=_differences(pairs),
        baseline=options.baseline,
        confidence=confidence,
        alpha=options.alpha,
        n_resamples=n_resamples,
        seed=seed,
        scale=settings.scale,
        signature=settings.signature(),
    )


def default_baseline(systems: Sequence[str]) -> str | None:
    """Return the default baseline: the first of more than four systems; a report puts the best first."""
    return systems[0] if len(systems) > _MOST_PAIRED else None


def _untested(
    scores: Mapping[str, NDArray[np.float64]],
    means: NDArray[np.float64],
    settings: RougeSettings,
    baseline: str | None,
) -> Iterator[Difference]:
    """Yield the differences of pairs on too few samples for a test; ``means`` are float64[n_systems, n_keys]."""
    for (first_row, first), (second_row, second) in combinations(enumerate(scores), 2):
        if baseline not in (None, first, second):
            continue
        signs = outcomes(scores[first], scores[second], settings)
        for column, (key, rouge_type, measure) in enumerate(all_keys(settings.result_rules)):
            first_mean, second_mean = float(means[first_row, column]), float(means[second_row, column])
            wins, ties, losses = outcome_counts(signs[:, rouge_type, measure])
            yield Difference(
                first=first,
                second=second,
                key=key,
                level="slice",
                n_samples=len(signs),
                first_mean=first_mean,
                second_mean=second_mean,
                difference=first_mean - second_mean,
                wins=wins,
                ties=ties,
                losses=losses,
            )


def _resamples_of_slices(n_rows: int, n_named: int, alpha: float) -> int:
    """Return the default number of resamples; unnamed columns and further systems do not change it."""
    needed = math.ceil(_FEWEST_RESAMPLES * max(n_named, _MANY_TESTS) / alpha)
    n_rows = max(1, n_rows)
    affordable = max(_DRAWS // n_rows, min(needed, _MOST_DRAWS // n_rows), 1)
    return min(max(_RESAMPLES, needed), affordable)


def slice_warnings(sliced: SlicedScores) -> Iterator[str]:
    """Yield the warnings of scores of slices: too few resamples, and slices too small for an interval."""
    n_tests = max((difference.n_tests for difference in sliced.differences), default=0)
    n_resamples, alpha = sliced.n_resamples, sliced.alpha
    if n_tests > 1 and n_tests / (n_resamples + 1) >= alpha:
        smallest = f"{n_tests / (n_resamples + 1):.2g}"
        yield Note(
            f"{n_resamples} resamples give no p below {smallest} after Holm's correction over "
            f"{n_tests} slices, so none can be significant at {alpha:g}: look at fewer slices, or give ",
            *(Option("n_resamples", math.floor(n_tests / alpha)), " or more."),
            kind="too_few_resamples_for_slices",
            resamples=n_resamples,
            p=smallest,
            tests=n_tests,
        )
    elif n_tests:
        yield from resamples_warnings(n_resamples, 1, alpha)
    if sliced.confidence is not None:
        sizes = dict.fromkeys(len(group.rows) for group in reversed(sliced.slices))
        yield from (few_samples_warning(size) for size in sizes if 1 < size < FEW_SAMPLES)


def _differences(pairs: Sequence[tuple[SampleSlice, Difference]]) -> tuple[Difference, ...]:
    """Sort differences, the first system's largest losses first, small slices last; correct p in each family."""
    families: dict[tuple[str, str, str, str | None], list[int]] = {}
    for number, (group, pair) in enumerate(pairs):
        if pair.is_tested:
            families.setdefault((pair.key, pair.first, pair.second, group.family), []).append(number)
    corrected: dict[int, tuple[float, int]] = {}
    for numbers in families.values():
        adjusted = holm_adjusted(np.array([pairs[number][1].p for number in numbers])).tolist()
        corrected |= {number: (p, len(numbers)) for number, p in zip(numbers, adjusted, strict=True)}
    differences = []
    for number, (group, pair) in enumerate(pairs):
        p_holm, n_tests = corrected.get(number, (math.nan, 0))
        corrections = {"p_holm": p_holm, "n_tests": n_tests, "p_bootstrap_holm": math.nan}
        facts = {"level": "slice", "column": group.column, "label": group.label}
        differences.append(dataclasses.replace(pair, **facts, **corrections))
    return tuple(sorted(differences, key=lambda pair: (not pair.is_tested, pair.difference, pair.key)))


def slices_of(columns: Iterable[SliceColumn], n_rows: int) -> tuple[list[SampleSlice], list[str]]:
    """Make the slices of some samples, not all, and warnings; of columns with one name the first counts."""
    slices: list[SampleSlice] = []
    messages = []
    names = set()
    for column in columns:
        if column.name in names:
            continue
        names.add(column.name)
        column_slices = _slices_of_column(column, column_rows(column.values, f"the column {column.name!r}"), n_rows)
        slices += column_slices
        if not column_slices and column.is_named:
            message = f"The column {column.name!r} makes no slice: it has one value in all samples, or none in any."
            messages.append(Note(message, kind="no_slice", column=repr(column.name)))
        elif column.is_named and len(column_slices) == n_rows > 1:
            message = f"The column {column.name!r} has another value in each sample; name one whose values repeat."
            messages.append(Note(message, kind="unique_values", column=repr(column.name)))
    return slices, messages


def reference_columns(texts: Inputs | SystemTexts, settings: RougeSettings, run: RunOptions) -> list[SliceColumn]:
    """Make columns of the first reference's length in tokens, and of the number of references."""
    counted = count_pairs(texts, settings.replace(rouge_types=("rouge1",), weights=None), run)
    lengths = counted.counts[counted.offsets[:-1], 0, 2].astype(np.int64)
    values = lengths.tolist(), np.diff(counted.offsets).tolist()
    return [
        SliceColumn(name, column_values, is_named=False)
        for name, column_values in zip(REFERENCE_COLUMNS, values, strict=True)
    ]


def coverage_columns(coverage: NDArray[np.float64], systems: Sequence[str], baseline: str | None) -> list[SliceColumn]:
    """Make columns of how much predictions copy from sources, float64[n_systems, n_samples], for compared systems."""
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
    fitting = {label: label_rows for label, label_rows in rows.items() if len(label_rows) < n_rows}
    return [
        SampleSlice(column.name, label, np.array(label_rows), column.is_named, column.system)
        for label, label_rows in fitting.items()
    ]


def _labels(column: str, values: Sequence[Any]) -> list[str | None]:
    present = [value for value in values if not _is_missing(value)]
    for row, value in enumerate(values):
        if not isinstance(value, (str, int, float, np.integer, np.floating, np.bool_)) and value is not None:
            raise ValueError(
                f"The column {column!r} has {type(value).__name__} in row {row}; samples are sliced by a text, a "
                "number, a truth value or None in each row."
            )
    are_numbers = all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in present)
    distinct = set(present)
    if not are_numbers or len(distinct) <= _MOST_NUMBERS:
        if len(distinct) > _MOST_SLICES:
            raise ValueError(
                f"The column {column!r} has {len(distinct)} different values, of which slices are made of at most "
                f"{_MOST_SLICES}; group them first, or give numbers, which are cut at their quartiles."
            )
        return [None if _is_missing(value) else _written(value) for value in values]
    below = [value for value in present if value < max(distinct)]  # the largest is no edge
    quartiles = set(np.quantile(present, _QUARTERS, method="inverted_cdf").tolist())
    edges = sorted(quartiles.intersection(below)) or [max(below)]
    if all(float(value).is_integer() for value in distinct):  # names with the first and the last value of each range
        ordered = np.array(sorted(distinct))
        ranges = np.split(ordered, np.searchsorted(ordered, edges, side="right"))
        names = [
            f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"
            for low, high in ((values_in_range[0], values_in_range[-1]) for values_in_range in ranges)
        ]
    else:
        written = _written_apart(edges)
        names = [f"≤ {written[0]}", *(f"{low}–{high}" for low, high in pairwise(written)), f"> {written[-1]}"]
    return [None if _is_missing(value) else names[int(np.searchsorted(edges, value))] for value in values]


def _written_apart(edges: Sequence[float]) -> list[str]:
    """Write numbers with four digits, or with enough to tell them apart."""
    for digits in range(4, 18):
        written = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(written)) == len(edges):
            return written
    return list(map(repr, edges))


def _written(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, (float, np.floating)) else str(value)


def _is_missing(value: Any) -> bool:
    return value is None or bool(isinstance(value, (float, np.floating)) and value != value)
