"""Make the result of all samples: exact means of every kind, their intervals, and the flat dict of plain floats."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.errors import Note, Option, RefusedValue
from polyrouge.scoring.intervals import FEW_SAMPLES, bootstrap_interval, few_samples_warning
from polyrouge.scoring.scores import f_of_means, rounded, scores_from_counts
from polyrouge.settings.allowed_values import GEOMETRIC
from polyrouge.settings.rules import ResultRules

_UNIT = -1074  # the smallest float64 above 0 is 2^-1074
_ROWS_AT_ONCE = 1 << 13  # stay in the cache
_EXACT_BITS = 52  # a sum of whole numbers below 2^52 is exact in float64
_FEW_ROUNDED = 8  # rows, whose scores Python rounds sooner than numpy
_FEW_ROWS = 300  # up to here math.fsum is quicker
_DRAWN_AT_ONCE = 200_000  # samples, in rouge_score's bootstrap
_PRECISION, _RECALL, _FMEASURE = 0, 1, 2


def result_of(scores: NDArray[np.float64], rules: ResultRules, totals: ExactSums | None = None) -> dict[str, Any]:
    """Make the result of ``Rouge.compute`` from the ``scores`` and ``totals`` of ``Scores``."""
    if rules.use_aggregator:
        return aggregate_result(aggregate_scores(scores, rules, totals), rules)
    scaled = scale_scores(scores, rules)
    lists: dict[str, Any] = {key: scaled[:, column, measure].tolist() for key, column, measure in all_keys(rules)}
    for key, measure in weighted_keys(rules):
        lists[key] = weighted(scaled[..., measure].T, rules).tolist()
    return lists


def results_of(systems: Sequence[NDArray[np.float64]], rules: ResultRules) -> list[dict[str, Any]]:
    """Make ``result_of`` of several systems, with the same resamples for all."""
    return [aggregate_result(aggregate, rules) for aggregate in _aggregates(systems, rules)]


def result_of_columns(columns: list[list[float]], rules: ResultRules) -> dict[str, Any]:
    """Make ``result_of`` of few samples, none skipped, from unscaled columns of precision, recall and F by type."""
    if rules.use_aggregator and (rules.confidence is not None or rules.aggregate not in _MEANS):
        return result_of(np.array(columns).T.reshape(len(columns[0]), -1, 3), rules)
    is_rounded = rules.round_each is not None
    if rules.round_each is not None and len(columns[0]) > _FEW_ROUNDED:
        columns = rounded(np.array(columns) * rules.scale, rules.round_each).tolist()
    elif is_rounded:
        columns = [[round(value * rules.scale, rules.round_each) for value in column] for column in columns]
    elif rules.scale != 1 and not rules.use_aggregator:
        columns = [[value * rules.scale for value in column] for column in columns]
    if rules.use_aggregator:
        mean = _MEANS[rules.aggregate] if len(columns[0]) > 1 else operator.itemgetter(0)
        keys = keys_of_types(rules.rouge_types, rules.output)
        means = {key: mean(columns[3 * column + measure]) for key, column, measure in keys}
        if rules.weights is not None:
            for key, measure in weighted_keys(rules):
                means[key] = weighted(map(mean, columns[measure::3]), rules)
        return _shown(means, rules, is_scaled=is_rounded)
    lists: dict[str, Any] = {key: columns[3 * column + measure] for key, column, measure in all_keys(rules)}
    for key, measure in weighted_keys(rules):
        lists[key] = [weighted(values, rules) for values in zip(*columns[measure::3], strict=True)]
    return lists


def result_warnings(scores: NDArray[np.float64], rules: ResultRules) -> list[str]:
    """Return the warnings of the result of these scores."""
    return mean_warnings(len(scores), int(are_skipped(scores).sum()), rules)


def mean_warnings(n_samples: int, n_skipped: int, rules: ResultRules) -> list[str]:
    """Warn of samples that ``empty="skip"`` leaves out, and of too few samples for an interval."""
    messages = []
    if rules.use_aggregator and n_skipped:
        ending = f" left {n_skipped} of {n_samples} samples without tokens out of the mean."
        messages.append(Note(Option("empty", rules.empty), ending, kind="left_out", n=n_skipped, all=n_samples))
    has_interval = rules.use_aggregator and rules.aggregate != "micro" and rules.confidence is not None
    if has_interval and n_samples - n_skipped < FEW_SAMPLES:
        messages.append(few_samples_warning(n_samples - n_skipped))
    return messages


class Aggregate(NamedTuple):
    """One number for each type and measure, float64[n_types, 3], and maybe its interval."""

    middle: NDArray[np.float64]  # NaN for measures that the result does not have
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    is_scaled: bool = False  # each score was scaled and rounded


def aggregate_result(aggregate: Aggregate, rules: ResultRules) -> dict[str, Any]:
    """Make the result, a flat dict."""
    values = {}
    for key, column, measure in all_keys(rules):
        values[key] = float(aggregate.middle[column, measure])
        if aggregate.low is not None and aggregate.high is not None:
            values[f"{key}_low"] = float(aggregate.low[column, measure])
            values[f"{key}_high"] = float(aggregate.high[column, measure])
    for key, measure in weighted_keys(rules):
        values[key] = float(weighted(aggregate.middle[:, measure], rules))
    return _shown(values, rules, is_scaled=aggregate.is_scaled)


def _shown(values: dict[str, float], rules: ResultRules, *, is_scaled: bool) -> dict[str, float]:
    """Multiply values by ``scale``, and round them if ``round_result`` says so."""
    if not is_scaled and rules.scale != 1:
        values = {key: value * rules.scale for key, value in values.items()}
    if rules.round_result is None:
        return values
    return {key: round(value, rules.round_result) for key, value in values.items()}


def all_keys(rules: ResultRules) -> list[tuple[str, int, int]]:
    """Return the keys of the result, each with the index of its type and of its measure in the scores."""
    return keys_of_types(rules.rouge_types, rules.output)


@functools.lru_cache(maxsize=64)
def keys_of_types(rouge_types: tuple[str, ...], output: str) -> list[tuple[str, int, int]]:
    """Return ``all_keys`` of these types."""
    return [
        (key, column, measure) for column, name in enumerate(rouge_types) for key, measure in result_keys(name, output)
    ]


def weighted_keys(rules: ResultRules) -> list[tuple[str, int]]:
    """Return the keys of the weighted sum of the types, each with the index of its measure; none without weights."""
    return [] if rules.weights is None else result_keys("weighted", rules.output)


def result_keys(name: str, output: str) -> list[tuple[str, int]]:
    """Return the keys of one type in the result, each with the index of its measure in the last axis of scores."""
    if output == "fmeasure":
        return [(name, _FMEASURE)]
    return [(name, _FMEASURE), (f"{name}_precision", _PRECISION), (f"{name}_recall", _RECALL)]


def weighted(values: Iterable[Any], rules: ResultRules) -> Any:
    """Return the weighted sum of one number, or one column, for each type, in their order; or the geometric mean."""
    if rules.weights == GEOMETRIC:
        return _root(functools.reduce(operator.mul, values), len(rules.rouge_types))
    return functools.reduce(operator.add, map(operator.mul, rules.weights or (), values))


def _root(product: Any, n: int) -> Any:
    """Take the n-th root by Python's pow, because numpy's differs in the last digit between processors."""
    if isinstance(product, np.ndarray):
        return np.array([value ** (1 / n) for value in product.tolist()])
    return product ** (1 / n)


def scale_scores(scores: NDArray[np.float64], rules: ResultRules) -> NDArray[np.float64]:
    """Multiply scores by ``scale``, and round them if ``round_each`` says so."""
    scaled = scores * rules.scale
    return scaled if rules.round_each is None else rounded(scaled, rules.round_each)


def are_skipped(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return bool[n_samples]: which samples ``empty="skip"`` leaves out."""
    return np.isnan(scores[:, 0, _FMEASURE])


def refuse_all_skipped(n_samples: int, n_skipped: int, empty: str) -> None:
    """Raise if ``empty`` leaves out all samples."""
    if n_skipped == n_samples:
        leaves = f" leaves out all {n_skipped} samples: none has tokens on both sides."
        raise RefusedValue(Option("empty", empty), leaves)


def aggregate_scores(scores: NDArray[np.float64], rules: ResultRules, totals: ExactSums | None = None) -> Aggregate:
    """Aggregate float64[n_samples, n_types, 3], not scaled; a skipped sample is NaN."""
    if rules.aggregate == "micro":
        if totals is None:
            adds = " adds up the counts of all samples, which are not known here: use compute()."
            raise RefusedValue(Option("aggregate", "micro"), adds)
        middle = scores_from_counts(totals.values(), rules.score_rule)
        if "corpus_recall" in rules.score_rule.quirks:
            _set_corpus_recall(middle, scores, rules)
        return Aggregate(middle)
    return _aggregates([scores], rules)[0]


def _set_corpus_recall(middle: NDArray[np.float64], scores: NDArray[np.float64], rules: ResultRules) -> None:
    """Put PaddleNLP's numbers into float64[n_types, 3]: recall of all n-grams, and the mean of other types."""
    scores = _without_skipped(scores, rules.empty)
    for column, name in enumerate(rules.rouge_types):
        if name[5:].isdigit():
            middle[column, _FMEASURE] = middle[column, _RECALL]
        else:
            middle[column] = list(map(_running_mean, np.ascontiguousarray(scores[:, column].T)))


def _aggregates(systems: Sequence[NDArray[np.float64]], rules: ResultRules) -> list[Aggregate]:
    """Aggregate the scores of each system, except by ``"micro"``."""
    systems = [_without_skipped(scores, rules.empty) for scores in systems]
    is_rounded = rules.round_each is not None
    if is_rounded:  # then the mean is over scaled and rounded scores
        systems = [scale_scores(scores, rules) for scores in systems]
    if rules.aggregate == "bootstrap_median":
        medians = (bootstrap_median(scores, rules.confidence or 0.95, rules.n_resamples) for scores in systems)
        if rules.confidence is None:
            return [Aggregate(middle, is_scaled=is_rounded) for _, middle, _ in medians]
        return [Aggregate(middle, low, high, is_rounded) for low, middle, high in medians]
    middles = [_means(scores, rules) for scores in systems]
    if rules.confidence is None:
        return [Aggregate(middle, is_scaled=is_rounded) for middle in middles]
    intervals = zip(middles, _intervals(systems, rules, rules.confidence), strict=True)
    return [Aggregate(middle, *_around_mean(middle, *ends), is_rounded) for middle, ends in intervals]


def _without_skipped(scores: NDArray[np.float64], empty: str) -> NDArray[np.float64]:
    skipped = are_skipped(scores)
    if not skipped.any():
        return scores
    refuse_all_skipped(len(scores), int(skipped.sum()), empty)
    return scores[~skipped]


def _intervals(
    systems: Sequence[NDArray[np.float64]], rules: ResultRules, confidence: float
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return the interval of each system's means, float64[n_types, 3] twice; NaN for measures not in the result.

    Resamples depend on the number of samples and the seed alone, so they are drawn once for systems of the same number.
    """
    is_mean = rules.aggregate != "f_of_means"
    shown = slice(_FMEASURE, None, 3) if is_mean and rules.output == "fmeasure" else slice(None)
    of_means = None if is_mean else functools.partial(f_of_result, rules=rules)
    ends = [(np.full(scores.shape[1:], np.nan), np.full(scores.shape[1:], np.nan)) for scores in systems]
    for n in dict.fromkeys(map(len, systems)):
        group = [system for system, scores in enumerate(systems) if len(scores) == n]
        columns = [systems[system].reshape(n, -1)[:, shown] for system in group]
        bounds = bootstrap_interval(
            np.concatenate(columns, axis=1) if len(columns) > 1 else columns[0],
            confidence,
            rules.n_resamples,
            rules.seed,
            rules.interval,
            of_means,
        )
        for bound, bound_columns in enumerate(bounds):
            for system, values in zip(group, np.split(bound_columns, len(group)), strict=True):
                ends[system][bound].reshape(-1)[shown] = values
    return ends


def _around_mean(
    middle: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Extend an interval to the mean where only rounding has put it outside, as with equal scores."""
    nearly = np.isclose(low, middle, rtol=1e-9, atol=0), np.isclose(high, middle, rtol=1e-9, atol=0)
    low = np.where(nearly[0] & (low > middle), middle, low)
    return low, np.where(nearly[1] & (high < middle), middle, high)


def f_of_result(means: NDArray[np.float64], rules: ResultRules) -> NDArray[np.float64]:
    """Return ``f_of_means`` of means, which are scaled if each score is rounded."""
    return f_of_means(means, rules.score_rule, 1.0 if rules.round_each is None else rules.scale)


def _means(scores: NDArray[np.float64], rules: ResultRules) -> NDArray[np.float64]:
    """Return float64[n_types, 3]: the mean over the samples, as ``aggregate`` says."""
    flat = scores.reshape(len(scores), -1)
    if rules.aggregate in ("running_mean", "numpy_mean"):
        means = np.array(list(map(_MEANS[rules.aggregate], np.ascontiguousarray(flat.T))))
    elif rules.aggregate == "f_of_means":
        means = f_of_result(column_means(flat), rules)
    else:
        means = np.full(flat.shape[1], np.nan)
        shown = slice(_FMEASURE, None, 3) if rules.output == "fmeasure" else slice(None)
        means[shown] = column_means(flat[:, shown])
    return means.reshape(scores.shape[1:])


def _exact_mean(column: Sequence[float]) -> float:
    return math.fsum(column) / len(column)  # the sum is exact before its one rounding


def _running_mean(column: Sequence[float] | NDArray[np.float64]) -> float:
    return float(np.add.accumulate(column)[-1]) / len(column)  # not by sum(), which rounds otherwise from Python 3.12


def _numpy_mean(column: Sequence[float] | NDArray[np.float64]) -> float:
    return float(np.mean(column))


_MEANS = {"mean": _exact_mean, "running_mean": _running_mean, "numpy_mean": _numpy_mean}


def column_means(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each column of float64[n, k]: an exact sum, rounded once, so row order does not matter."""
    if len(columns) <= _FEW_ROWS:
        return np.array(list(map(_exact_mean, columns.T.tolist())))
    sums = ExactSums(columns.shape[1:])  # four times as quick
    sums.add(columns)
    return sums.values() / len(columns)


def bootstrap_median(columns: NDArray[np.float64], confidence: float, n_resamples: int) -> NDArray[np.float64]:
    """Return low, median, high, float64[3, n_types, 3], of rouge_score 0.1.2 (BootstrapAggregator), to the bit.

    Its "mid" is the median of the bootstrap means, and changes from run to run: it draws from numpy's global generator.
    """
    n = len(columns)
    delta = (1 - confidence) / 2
    percents = 100 * np.array([delta, 0.5, 1 - delta])
    results = []
    for column in range(columns.shape[1]):  # rouge_score resamples each type separately
        matrix = np.ascontiguousarray(columns[:, column])
        means = np.empty((n_resamples, matrix.shape[1]))
        step = max(1, _DRAWN_AT_ONCE // n)  # several resamples at once draw and add up in the same order
        for start in range(0, n_resamples, step):
            size = (min(step, n_resamples - start), n)
            means[start : start + step] = matrix[np.random.choice(n, size=size)].mean(axis=1)  # noqa: NPY002 the point
        results.append(np.percentile(means, percents, axis=0))
    return np.stack(results, axis=1)


@dataclass
class ExactSums:
    """Exact sums of the columns of a table that comes in chunks; neither order nor grouping matters."""

    # A float64 is a whole multiple of 2^-1074, so a sum of them is a whole number of such units.
    shape: tuple[int, ...]  # of one row of the table, such as (n_types, 3)
    units: list[int] = field(default_factory=list)  # the sums as multiples of 2^-1074, in row order of the shape

    def __post_init__(self) -> None:
        self.units = self.units or [0] * math.prod(self.shape)

    def add(self, rows: NDArray[np.float64]) -> None:
        """Add float64[n_rows, *shape], finite."""
        if not np.isfinite(rows).all():
            raise ValueError("A number to be added up is not finite.")
        table = rows.reshape(len(rows), len(self.units))
        for start in range(0, len(table), _ROWS_AT_ONCE):
            self._add_columns(np.array(table[start : start + _ROWS_AT_ONCE].T, order="C"))

    def _add_columns(self, remainders: NDArray[np.float64]) -> None:
        """Add float64[n_columns, n_rows], which is overwritten."""
        # Each column is rounded to multiples of a power of two whose sum is exact. The remainders are rounded to finer
        # multiples, until they are 0.
        n_bits = _EXACT_BITS - remainders.shape[1].bit_length()
        while remainders.any():
            exponents = np.maximum(np.frexp(np.abs(remainders).max(axis=1))[1] - n_bits, _UNIT)
            grids = np.ldexp(1.0, exponents)[:, np.newaxis]
            multiples = np.rint(remainders / grids)
            remainders -= multiples * grids
            for column, (total, exponent) in enumerate(zip(multiples.sum(axis=1), exponents.tolist(), strict=True)):
                self.units[column] += int(total) << (exponent - _UNIT)

    def values(self) -> NDArray[np.float64]:
        """Return the sums as float64[*shape], each rounded once, correctly."""
        return np.array([units / (1 << -_UNIT) for units in self.units]).reshape(self.shape)


def merged(first: ExactSums | None, second: ExactSums | None) -> ExactSums | None:
    """Add two sums; None stands for no rows."""
    if first is None or second is None:
        return first if second is None else second
    return ExactSums(first.shape, [*map(operator.add, first.units, second.units)])
