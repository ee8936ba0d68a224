"""``agreement``: does a metric rank systems and outputs as people do? Correlations with intervals, and Williams' test.

Levels are those of Deutsch, Dror and Roth (2021), "A statistical analysis of summarization evaluation metrics using
resampling methods". Intervals are by the jackknife over systems and documents: with the dozen systems that there are,
they cover more nearly what they say than its bootstrap does (benchmarks/AGREEMENT.md).
"""

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.difference import Difference
from polyrouge.comparing.significance import EQUAL
from polyrouge.errors import needs_extra, shown_value, unknown_value
from polyrouge.inputs import column_rows
from polyrouge.results import Result, ResultTable, known_values, shown_difference, shown_number
from polyrouge.scoring.intervals import holm_adjusted
from polyrouge.settings.allowed_values import FRACTION, checked_number

LEVELS = ("systems", "outputs", "documents")
COEFFICIENTS = ("pearson", "spearman", "kendall")
_FEWEST_COMPARED = 3  # systems, for coefficients between them
_FEWEST_SPREAD = 5  # systems, or documents, for a variance between them
_DASH = shown_number(None, 0)
_NO_VARIANCE = 1e-20  # what rounding leaves of none
_MOST_GROUPS = 200  # of documents that are left out at once
_LARGEST = 0.999999  # a coefficient as Fisher's z takes it
_PART_OF_SPEARMAN = 0.8  # of which Fisher's z is taken


@dataclass(frozen=True)
class Correlation:
    """How a metric correlates with people's judgements.

    Attributes:
        metric: name of the scores.
        dimension: name of the judgements.
        level: ``"systems"``, of the means of systems; ``"outputs"``, of all outputs; ``"documents"``, of the outputs
            for a document, averaged over the documents.
        coefficient: ``"pearson"``, ``"spearman"`` or ``"kendall"`` (tau-b).
        value: from -1 to 1; NaN where one side does not vary.
        low: lower end of its interval; NaN where there is none.
        high: its upper end.
        no_interval: why there is no interval; ``""`` where there is one.
    """

    metric: str
    dimension: str
    level: str
    coefficient: str
    value: float
    low: float
    high: float
    no_interval: str


@dataclass(frozen=True)
class Agreement(Result):
    """The result of ``agreement``; ``print`` and notebooks show it as tables.

    Attributes:
        correlations: of each metric, dimension, level and coefficient.
        differences: of each pair of metrics and dimension: of their Pearson correlations over systems, with Williams'
            test (1959) of two correlations that share a variable.
        n_systems: how many systems there are.
        n_documents: how many documents.
        n_outputs: how many outputs.
        n_missing: of each dimension, how many outputs have no judgement.
        n_undefined: of each metric and dimension (``"rouge1, relevance"``), how many documents are left out because
            their outputs all have one score or one judgement.
        confidence: level of the intervals.
        signature: of the metric's settings; None where the scores may be anybody's.
    """

    correlations: tuple[Correlation, ...]
    differences: tuple[Difference, ...]
    n_systems: int
    n_documents: int
    n_outputs: int
    n_missing: dict[str, int]
    n_undefined: dict[str, int]
    confidence: float
    signature: str | None = None

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """The coefficients with their intervals, and the differences of metrics.

        Args:
            digits: of coefficients, after the point; None: three.
        """
        digits = 3 if digits is None else digits
        rows: dict[tuple[str, ...], list[str]] = {}
        for each in self.correlations:
            interval = f"[{_shown(each.low, digits)}, {_shown(each.high, digits)}]" if not each.no_interval else _DASH
            cell = _shown(each.value, digits) + ("" if math.isnan(each.value) else f" {interval}")
            rows.setdefault((each.metric, each.dimension, each.level), []).append(cell)
        title = f"{self.n_systems} systems, {self.n_documents} documents, {self.n_outputs} outputs"
        header = ["metric", "dimension", "over", *map(str.capitalize, COEFFICIENTS)]
        tables = [ResultTable(title, header, [[*key, *cells] for key, cells in rows.items()], 3)]
        if self.differences:
            cells = [
                [
                    f"{pair.first} − {pair.second}",
                    pair.key,
                    _DASH if math.isnan(pair.difference) else shown_difference(pair.difference, digits),
                    shown_number(pair.p_holm, 4),
                ]
                for pair in self.differences
            ]
            header = ["metrics", "dimension", "difference", "p"]
            tables.append(ResultTable("Differences of Pearson's r over systems", header, cells, 2))
        return tables

    def records(self) -> list[dict[str, Any]]:
        """A line for each coefficient."""
        return [known_values(vars(correlation)) for correlation in self.correlations]

    def notes(self) -> list[str]:
        """How intervals and p are made, and what was left out."""
        notes = [f"Brackets: {100 * self.confidence:g} % intervals, by the jackknife over systems and documents."]
        reasons = dict.fromkeys(each.no_interval for each in self.correlations if each.no_interval)
        notes += [f"{_DASH}: {'; '.join(reasons)}."] * bool(reasons)
        if self.differences:
            notes.append("p: Williams' test, two-sided, after Holm's correction over the pairs of metrics.")
        missing = [f"{name} {n}" for name, n in self.n_missing.items() if n]
        notes += [f"Outputs without a judgement: {', '.join(missing)}."] * bool(missing)
        undefined = [f"{name} {n}" for name, n in self.n_undefined.items() if n]
        return notes + [f"Documents on which nothing differs, left out: {'; '.join(undefined)}."] * bool(undefined)

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON: None in place of NaN."""
        names = {"first": "first", "second": "second", "key": "dimension", "difference": "difference", "p_holm": "p"}
        differences = [
            known_values({shown: getattr(pair, name) for name, shown in names.items()}) for pair in self.differences
        ]
        return {**vars(self), "correlations": self.records(), "differences": differences}


def agreement(
    scores: Any,
    human: Any,
    systems: Sequence[Hashable],
    documents: Sequence[Hashable],
    *,
    baseline: str | None = None,
    confidence: float = 0.95,
) -> Agreement:
    """Correlate scores with people's judgements, over systems, over outputs, and within documents.

    Scores and judgements, or means of them, that differ by less than 1e-14 of their size are equal: 2/9 ties with 2/9,
    however it was divided. Needs scipy, for Student's distribution.

    Args:
        scores: a number for each output; or name of a metric to such numbers, to compare metrics.
        human: judgements, likewise; several dimensions by name. None or NaN: this output has no judgement.
        systems: the system that each output is from.
        documents: the document that each is for. A system has one output for a document.
        baseline: test only this metric against each of the others, instead of all pairs.
        confidence: level of the intervals, above 0 and below 1.

    Returns:
        The correlations with their intervals, and for several metrics the differences over systems with Williams' test.
        Fewer than three systems have correlations over outputs alone. An interval takes five systems, or a single one,
        and over outputs and within documents five documents.

    Raises:
        ModuleNotFoundError: scipy is missing.
        TypeError: a value that is no number, or a system or document that is no name.
        ValueError: no such baseline, columns of different lengths, a score that is not finite, no judgement at all, or
            two outputs of a system for a document.
    """
    with needs_extra("agreement", "agreement"):
        import scipy.special
        import scipy.stats  # noqa: F401
    confidence = checked_number("confidence", confidence, FRACTION)
    rows = [list(column_rows(each, name)) for each, name in ((systems, "systems"), (documents, "documents"))]
    places, shape = _places(*rows)
    n = len(rows[0])
    metrics = {name: _grid(f"scores of {name!r}", each, n, places, shape) for name, each in _named("scores", scores)}
    dimensions = {name: _grid(f"human of {name!r}", each, n, places, shape) for name, each in _named("human", human)}
    for name, grid in metrics.items():
        if np.isnan(grid[places]).any():
            row = int(np.flatnonzero(np.isnan(grid[places]))[0])
            raise ValueError(f"scores of {name!r}: row {row} is nan; each output needs a score.")
    for name, grid in dimensions.items():
        if np.isnan(grid).all():
            raise ValueError(f"human of {name!r}: all {n} judgements are missing; give a number for some outputs.")
    if baseline is not None and (not isinstance(baseline, str) or baseline not in metrics):
        raise unknown_value(baseline, list(metrics), "baseline")
    pairs = [pair for pair in itertools.combinations(metrics, 2) if baseline is None or baseline in pair]
    correlations, differences, undefined = [], [], {}
    for dimension, judged in dimensions.items():
        known = ~np.isnan(judged)
        is_used = np.ix_(known.any(axis=1), known.any(axis=0))  # systems and documents that somebody judged
        human_values, known = _Values.of(judged[is_used]), known[is_used]
        values = {name: _Values.of(grid[is_used]) for name, grid in metrics.items()}
        levels = LEVELS if len(known) >= _FEWEST_COMPARED else LEVELS[1:2]
        for metric, of_metric in values.items():
            columns = zip(of_metric.tied.T, human_values.tied.T, known.T, strict=True)
            alike = [min(len(set(x[is_in])), len(set(y[is_in]))) < 2 for x, y, is_in in columns]
            undefined[f"{metric}, {dimension}"] = sum(alike) if len(levels) > 1 else 0
            for level in levels:
                jackknife = _jackknife(of_metric, human_values, known, level)
                rows_of_level = _intervals(jackknife, level, confidence)
                correlations += [Correlation(metric, dimension, level, *each) for each in rows_of_level]
        tests = [_difference(values[first], values[second], human_values, known) for first, second in pairs]
        p_values = holm_adjusted(np.array([1.0 if math.isnan(p) else p for *_, p in tests])).tolist()
        for (first, second), (of_first, of_second, p), corrected in zip(pairs, tests, p_values, strict=True):
            is_tested = not math.isnan(p)
            differences.append(
                Difference(
                    first=first,
                    second=second,
                    key=dimension,
                    level="metrics",
                    n_samples=len(known),
                    first_mean=of_first,
                    second_mean=of_second,
                    difference=of_first - of_second,
                    p=p,
                    p_holm=corrected if is_tested else math.nan,
                    n_tests=len(pairs) if is_tested else 0,
                )
            )
    missing = {name: int(np.isnan(each[places]).sum()) for name, each in dimensions.items()}
    differences.sort(key=lambda pair: (pair.first, pair.second, pair.key))
    return Agreement(tuple(correlations), tuple(differences), *shape, n, missing, undefined, confidence)


def _shown(value: float, digits: int) -> str:
    return shown_number(value, digits).replace("-", "−")


def _named(name: str, values: Any) -> list[tuple[str, Any]]:
    if not isinstance(values, Mapping):
        return [(name.removesuffix("s"), values)]
    if not values:
        raise ValueError(f"{name} is {{}}; give a number for each output, or such columns by name.")
    return [(str(key), each) for key, each in values.items()]


def _places(
    systems: list[Any], documents: list[Any]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], tuple[int, int]]:
    """Where each output stands among systems and documents, and how many of these there are."""
    if len(systems) != len(documents):
        raise ValueError(f"{len(systems)} systems but {len(documents)} documents; give one of each for every output.")
    if not systems:
        raise ValueError("There are no outputs; give at least three.")
    for name, column in (("systems", systems), ("documents", documents)):
        for row, value in enumerate(column):
            if not isinstance(value, Hashable):
                raise TypeError(f"{name}: row {row} is {shown_value(value)}; give a text or a number.")
    numbers = [{value: place for place, value in enumerate(dict.fromkeys(column))} for column in (systems, documents)]
    seen: dict[tuple[Any, Any], int] = {}
    for row, cell in enumerate(zip(systems, documents, strict=True)):
        if any(value is None or value != value for value in cell):
            raise ValueError(f"Row {row} has no system or no document; name both for every output.")
        if cell in seen:
            raise ValueError(
                f"Rows {seen[cell]} and {row} are both of system {shown_value(cell[0])} and document "
                f"{shown_value(cell[1])}; give one output of each system for a document."
            )
        seen[cell] = row
    rows = np.array([numbers[0][each] for each in systems]), np.array([numbers[1][each] for each in documents])
    return rows, (len(numbers[0]), len(numbers[1]))


def _grid(name: str, values: Any, n: int, places: Any, shape: tuple[int, int]) -> NDArray[np.float64]:
    """A column as float64[n_systems, n_documents]; NaN where there is no value."""
    values = list(column_rows(values, name))
    if len(values) != n:
        raise ValueError(f"{name}: {len(values)} values but {n} outputs; give one for each.")
    numbers = np.empty(n)
    for row, value in enumerate(values):
        try:
            numbers[row] = math.nan if value is None else float(value)
        except (TypeError, ValueError):
            raise TypeError(f"{name}: row {row} is {shown_value(value)}; give a number, or None.") from None
        except OverflowError:
            raise ValueError(f"{name}: row {row} is {shown_value(value)}; give a number up to 1e308.") from None
        if math.isinf(numbers[row]):
            raise ValueError(f"{name}: row {row} is infinite; give a number, or None.")
    grid = np.full(shape, np.nan)
    grid[places] = numbers
    return grid


class _Values(NamedTuple):
    """A column, float64[n_systems, n_documents]; 0 where there is no value."""

    exact: NDArray[np.float64]
    tied: NDArray[np.float64]  # those that differ by rounding only are equal

    @classmethod
    def of(cls, grid: NDArray[np.float64]) -> "_Values":
        grid = np.nan_to_num(grid)
        # Times a power of two, which is exact: then neither squares nor sums leave the range of floats.
        grid = np.ldexp(grid, -int(np.frexp(np.abs(grid).max())[1]))
        return cls(grid, _tied(grid.ravel(), np.abs(grid.ravel())).reshape(grid.shape))


def _tied(values: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values, of those along the last axis that differ by less than rounding of their sizes the smallest one."""
    order = np.argsort(values, axis=-1)
    ordered, sizes = (np.take_along_axis(each, order, axis=-1) for each in (values, sizes))
    is_apart = np.diff(ordered, axis=-1) > EQUAL * np.maximum(sizes[..., 1:], sizes[..., :-1])
    ordered[..., 1:] = np.where(is_apart, ordered[..., 1:], -np.inf)
    tied = np.empty_like(values)
    np.put_along_axis(tied, order, np.maximum.accumulate(ordered, axis=-1), axis=-1)
    return tied


def coefficients(x: NDArray, y: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """``COEFFICIENTS`` of pairs that each count ``weights`` times: float64[3, ...]; NaN where one side does not vary.

    All are float64[..., n]; a value does not count where its weight is 0. Many at a time, of few pairs each.
    """
    x, y = (np.where(weights > 0, values, 0.0) if values.ndim > 1 else values for values in (x, y))
    orders = [np.sign(values[..., :, None] - values[..., None, :]) for values in (x, y)]  # [..., i, j]
    ranks = [_weighted(order, weights) for order in orders]  # midranks, times two but for a constant
    concordant, untied_x, untied_y = (
        (weights * _weighted(pairs, weights)).sum(-1) for pairs in (orders[0] * orders[1], *map(np.abs, orders))
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        kendall = concordant / np.sqrt(untied_x * untied_y)
    of_all = np.stack([_pearson(x, y, weights), _pearson(ranks[0], ranks[1], weights), kendall])
    return np.where((untied_x > 0) & (untied_y > 0), of_all, np.nan)


def _weighted(pairs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums over j of pairs[..., i, j] weights[..., j]."""
    return weights @ pairs.T if pairs.ndim == 2 else (pairs @ weights[..., None])[..., 0]


def _coefficients_of_many(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """``COEFFICIENTS`` of float64[n] each, float64[3]: n may be large."""
    from scipy import stats

    if min(len(np.unique(x)), len(np.unique(y))) < 2:
        return np.full(3, np.nan)
    ones = np.ones(len(x))
    of_ranks = _pearson(stats.rankdata(x), stats.rankdata(y), ones)
    return np.array([_pearson(x, y, ones), of_ranks, stats.kendalltau(x, y)[0]])


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson's r; any number where one side does not vary."""
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weights.sum(-1, keepdims=True)
        x, y = (values - (weights * values).sum(-1, keepdims=True) / total for values in (x, y))
        spreads = [np.sqrt((weights * values**2).sum(-1)) for values in (x, y)]
        return np.clip((weights * x * y).sum(-1) / spreads[0] / spreads[1], -1, 1)


def _coefficients_at(x: _Values, y: _Values, known: NDArray[np.bool_], level: str) -> NDArray[np.float64]:
    """``COEFFICIENTS`` at a level, float64[3, n], of what is ``known``, bool[n, n_systems, n_documents]."""
    if level == "outputs":
        return np.stack([_coefficients_of_many(x.tied[each], y.tied[each]) for each in known], axis=1)
    if level == "systems":
        weights = np.where(known.any(axis=-1), 1.0, 0.0)
        return coefficients(_means_of_systems(x, known), _means_of_systems(y, known), weights)
    columns = zip(x.tied.T, y.tied.T, known.astype(np.float64).T, strict=True)
    of_documents = np.stack([coefficients(of_x, of_y, is_in.T) for of_x, of_y, is_in in columns])
    with np.errstate(invalid="ignore"):
        return np.nansum(of_documents, axis=0) / (~np.isnan(of_documents)).sum(axis=0)  # of the defined ones


def _means_of_systems(values: _Values, known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The mean of each system's known outputs, float64[n, n_systems]; 0 if there are none."""
    counts = np.maximum(known.sum(axis=-1), 1)
    means, sizes = (np.where(known, each, 0.0).sum(axis=-1) / counts for each in (values.exact, np.abs(values.exact)))
    return _tied(means, sizes)


class _Jackknife(NamedTuple):
    """Coefficients of all outputs, float64[3]; and without each system, and each document, float64[3, n]."""

    value: NDArray[np.float64]
    without_systems: NDArray[np.float64]
    without_documents: NDArray[np.float64]  # [3, 0] over systems

    def counted(self) -> list[NDArray[np.float64]]:
        """Those whose spread counts: one system's outputs vary by their documents alone."""
        return [each for each in self[1:] if each.shape[1] > 1]


def _jackknife(x: _Values, y: _Values, known: NDArray[np.bool_], level: str) -> _Jackknife:
    rows, columns = np.indices(known.shape)
    # Means of systems vary by their documents too: that is seen between the systems already.
    numbered = (rows,) if level == "systems" else (rows, columns)
    without = [np.empty((3, 0))] * 2
    for place, (numbers, n) in enumerate(zip(numbered, known.shape, strict=False)):
        groups = np.arange(min(n, _MOST_GROUPS))[:, None, None]
        without[place] = _coefficients_at(x, y, known & (numbers % len(groups) != groups), level)
    return _Jackknife(_coefficients_at(x, y, known[None], level)[:, 0], *without)


def _intervals(jackknife: _Jackknife, level: str, confidence: float) -> list[tuple[str, float, float, float, str]]:
    """Of each coefficient its name, the value, both ends, and why there are none, or ""."""
    from scipy.special import stdtrit

    value = jackknife.value
    scaled = _Jackknife._make(map(_to_scale, jackknife))
    # Both variances have that of single outputs. To take it off once (Cameron, Gelbach and Miller, 2011) covers too
    # little with so few systems.
    variance = sum((each.var(axis=1) * (each.shape[1] - 1) for each in scaled.counted()), np.zeros(3))
    n_systems, n_documents = (each.shape[1] for each in jackknife[1:])
    short = ""
    if 1 != n_systems < _FEWEST_SPREAD:
        short = f"the spread of systems takes {_FEWEST_SPREAD} of them, and there are {n_systems}"
    elif level != "systems" and n_documents < _FEWEST_SPREAD:
        short = f"the spread of documents takes {_FEWEST_SPREAD} of them, and there are {n_documents}"
    reasons = [
        "the scores or the judgements do not vary" * math.isnan(of_all)
        or short
        or "without one system or document, the scores or the judgements do not vary" * math.isnan(of_parts)
        or "the coefficient is the same without any one system or document" * (of_parts <= _NO_VARIANCE)
        for of_all, of_parts in zip(value.tolist(), variance.tolist(), strict=True)
    ]
    counts = [each.shape[1] for each in scaled.counted()]
    half = np.full(3, np.nan)
    if not all(reasons):
        is_given = [not reason for reason in reasons]
        half[is_given] = stdtrit(min(counts) - 2, (1 + confidence) / 2) * np.sqrt(variance[is_given])
    low, high = np.fmin(_from_scale(scaled.value - half), value), np.fmax(_from_scale(scaled.value + half), value)
    low, high = (np.where(np.isnan(half), np.nan, end) for end in (low, high))
    return list(zip(COEFFICIENTS, value.tolist(), low.tolist(), high.tolist(), reasons, strict=True))


def _to_scale(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients, float64[3, ...], where their spread depends little on their value.

    Fisher's z of Pearson's. Spearman's is too wide on that scale, and too narrow as it is; between them it covers what
    it says in simulations. Kendall's does as it is.
    """
    pearson, spearman, kendall = values
    pearson = np.arctanh(np.clip(pearson, -_LARGEST, _LARGEST))
    return np.stack([pearson, np.arctanh(_PART_OF_SPEARMAN * spearman), kendall])


def _from_scale(values: NDArray[np.float64]) -> NDArray[np.float64]:
    pearson, spearman, kendall = values
    return np.stack([np.tanh(pearson), *np.clip([np.tanh(spearman) / _PART_OF_SPEARMAN, kendall], -1, 1)])


def _difference(
    first: _Values, second: _Values, judged: _Values, known: NDArray[np.bool_]
) -> tuple[float, float, float]:
    """Two correlations of systems' means, and p of their difference by Williams' test; or NaN."""
    n = len(known)
    if n < _FEWEST_COMPARED:
        return math.nan, math.nan, math.nan
    means = [_means_of_systems(values, known) for values in (first, second, judged)]
    ones = np.ones(n)
    r12, r13, r23 = (float(coefficients(means[a], means[b], ones)[0]) for a, b in ((2, 0), (2, 1), (0, 1)))
    return r12, r13, williams_p(r12, r13, r23, n)


def williams_p(r12: float, r13: float, r23: float, n: int) -> float:
    """p, two-sided, of Williams' test (1959): whether r12 and r13 of n values differ; NaN for fewer than four."""
    from scipy.special import stdtr

    if n <= _FEWEST_COMPARED or any(map(math.isnan, (r12, r13, r23))):
        return math.nan
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    under = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if under <= 0:  # two metrics that rank alike
        return 1.0
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / under)
    return float(2 * stdtr(n - 3, -abs(t)))
