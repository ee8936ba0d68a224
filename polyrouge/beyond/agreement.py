"""``agreement``: does a metric rank systems and outputs as people do? Correlations with intervals, and Williams' test.

The levels follow Deutsch, Dror and Roth (2021), "A statistical analysis of summarization evaluation metrics using
resampling methods". Intervals are by the jackknife over systems and documents: with about a dozen systems, the usual
number, their coverage is nearer to its level than that of the paper's bootstrap (benchmarks/studies/AGREEMENT.md).
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
_NO_VARIANCE = 1e-20  # rounding error of no variance
_MOST_GROUPS = 200  # of documents that are left out together
_LARGEST = 0.999999  # coefficient for Fisher's z
_PART_OF_SPEARMAN = 0.8  # for Fisher's z


@dataclass(frozen=True)
class Correlation:
    """The correlation of a metric with people's judgements.

    Attributes:
        metric: name of the scores.
        dimension: name of the judgements.
        level: ``"systems"``, of the means of systems; ``"outputs"``, of all outputs; ``"documents"``, of the outputs
            for a document, averaged over the documents.
        coefficient: ``"pearson"``, ``"spearman"`` or ``"kendall"`` (tau-b).
        value: from -1 to 1; NaN if either side is constant.
        low: lower end of its interval; NaN without an interval.
        high: its upper end.
        no_interval: why there is no interval; ``""`` if there is one.
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
        differences: for each pair of metrics and dimension, of their Pearson correlations over systems, with Williams'
            test (1959) of two correlations that share a variable.
        n_systems: number of systems.
        n_documents: number of documents.
        n_outputs: number of outputs.
        n_missing: for each dimension, the number of outputs without a judgement.
        n_undefined: for each metric and dimension (``"rouge1, relevance"``), the documents left out because
            their outputs all have one score or one judgement.
        confidence: level of the intervals.
        signature: of the metric's settings; None for scores of any origin.
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
        """Return the coefficients with their intervals, and the differences of metrics.

        Args:
            digits: of coefficients, after the point; None: three.
        """
        digits = 3 if digits is None else digits
        rows: dict[tuple[str, ...], list[str]] = {}
        for correlation in self.correlations:
            interval = (
                f"[{_shown(correlation.low, digits)}, {_shown(correlation.high, digits)}]"
                if not correlation.no_interval
                else _DASH
            )
            cell = _shown(correlation.value, digits) + ("" if math.isnan(correlation.value) else f" {interval}")
            rows.setdefault((correlation.metric, correlation.dimension, correlation.level), []).append(cell)
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
        """Return a line for each coefficient."""
        return [known_values(vars(correlation)) for correlation in self.correlations]

    def notes(self) -> list[str]:
        """Say how intervals and p are made, and what was left out."""
        notes = [f"Brackets: {100 * self.confidence:g} % intervals, by the jackknife over systems and documents."]
        reasons = dict.fromkeys(correlation.no_interval for correlation in self.correlations if correlation.no_interval)
        notes += [f"{_DASH}: {'; '.join(reasons)}."] * bool(reasons)
        if self.differences:
            notes.append("p: Williams' test, two-sided, after Holm's correction over the pairs of metrics.")
        missing = [f"{name} {n}" for name, n in self.n_missing.items() if n]
        notes += [f"Outputs without a judgement: {', '.join(missing)}."] * bool(missing)
        undefined = [f"{name} {n}" for name, n in self.n_undefined.items() if n]
        return notes + [f"Documents on which nothing differs, left out: {'; '.join(undefined)}."] * bool(undefined)

    def to_dict(self) -> dict[str, Any]:
        """Return the full result as plain values for JSON: None in place of NaN."""
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
        scores: a number for each output; or names of metrics to such numbers, to compare metrics.
        human: judgements, likewise; several dimensions by name. None or NaN: this output has no judgement.
        systems: the system of each output.
        documents: the document of each output. A system has one output for a document.
        baseline: test only this metric against all others, instead of all pairs.
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
    rows = [list(column_rows(column, name)) for column, name in ((systems, "systems"), (documents, "documents"))]
    cells, shape = _places(*rows)
    n = len(rows[0])
    metrics = {name: _grid(f"scores of {name!r}", values, n, cells, shape) for name, values in _named("scores", scores)}
    dimensions = {name: _grid(f"human of {name!r}", values, n, cells, shape) for name, values in _named("human", human)}
    for name, grid in metrics.items():
        if np.isnan(grid[cells]).any():
            row = int(np.flatnonzero(np.isnan(grid[cells]))[0])
            raise ValueError(f"scores of {name!r}: row {row} is nan; each output needs a score.")
    for name, grid in dimensions.items():
        if np.isnan(grid).all():
            raise ValueError(f"human of {name!r}: all {n} judgements are missing; give a number for some outputs.")
    if baseline is not None and (not isinstance(baseline, str) or baseline not in metrics):
        raise unknown_value(baseline, list(metrics), "baseline")
    pairs = [pair for pair in itertools.combinations(metrics, 2) if baseline is None or baseline in pair]
    correlations, differences, undefined = [], [], {}
    for dimension, judged in dimensions.items():
        is_judged = ~np.isnan(judged)
        is_used = np.ix_(is_judged.any(axis=1), is_judged.any(axis=0))  # systems and documents with a judgement
        human_values, is_judged = _Values.of(judged[is_used]), is_judged[is_used]
        values = {name: _Values.of(grid[is_used]) for name, grid in metrics.items()}
        levels = LEVELS if len(is_judged) >= _FEWEST_COMPARED else LEVELS[1:2]
        for metric, metric_values in values.items():
            columns = zip(metric_values.tied.T, human_values.tied.T, is_judged.T, strict=True)
            is_constant = [min(len(set(x[is_in])), len(set(y[is_in]))) < 2 for x, y, is_in in columns]
            undefined[f"{metric}, {dimension}"] = sum(is_constant) if len(levels) > 1 else 0
            for level in levels:
                jackknife = _jackknife(metric_values, human_values, is_judged, level)
                level_rows = _intervals(jackknife, level, confidence)
                correlations += [
                    Correlation(metric, dimension, level, *coefficient_row) for coefficient_row in level_rows
                ]
        tests = [_difference(values[first], values[second], human_values, is_judged) for first, second in pairs]
        p_values = holm_adjusted(np.array([1.0 if math.isnan(p) else p for *_, p in tests])).tolist()
        for (first, second), (first_r, second_r, p), corrected in zip(pairs, tests, p_values, strict=True):
            is_tested = not math.isnan(p)
            differences.append(
                Difference(
                    first=first,
                    second=second,
                    key=dimension,
                    level="metrics",
                    n_samples=len(is_judged),
                    first_mean=first_r,
                    second_mean=second_r,
                    difference=first_r - second_r,
                    p=p,
                    p_holm=corrected if is_tested else math.nan,
                    n_tests=len(pairs) if is_tested else 0,
                )
            )
    missing = {name: int(np.isnan(grid[cells]).sum()) for name, grid in dimensions.items()}
    differences.sort(key=lambda pair: (pair.first, pair.second, pair.key))
    return Agreement(tuple(correlations), tuple(differences), *shape, n, missing, undefined, confidence)


def _shown(value: float, digits: int) -> str:
    return shown_number(value, digits).replace("-", "−")


def _named(name: str, values: Any) -> list[tuple[str, Any]]:
    if not isinstance(values, Mapping):
        return [(name.removesuffix("s"), values)]
    if not values:
        raise ValueError(f"{name} is {{}}; give a number for each output, or such columns by name.")
    return [(str(key), column) for key, column in values.items()]


def _places(
    systems: list[Any], documents: list[Any]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], tuple[int, int]]:
    """Return the system and document number of each output, and the numbers of systems and documents."""
    if len(systems) != len(documents):
        raise ValueError(f"{len(systems)} systems but {len(documents)} documents; give one of each for every output.")
    if not systems:
        raise ValueError("There are no outputs; give at least three.")
    for name, column in (("systems", systems), ("documents", documents)):
        for row, value in enumerate(column):
            if not isinstance(value, Hashable):
                raise TypeError(f"{name}: row {row} is {shown_value(value)}; give a text or a number.")
    numbers = [{value: index for index, value in enumerate(dict.fromkeys(column))} for column in (systems, documents)]
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
    rows = np.array([numbers[0][system] for system in systems]), np.array([numbers[1][system] for system in documents])
    return rows, (len(numbers[0]), len(numbers[1]))


def _grid(name: str, values: Any, n: int, cells: Any, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Arrange a column as float64[n_systems, n_documents]; NaN where there is no value."""
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
    grid[cells] = numbers
    return grid


class _Values(NamedTuple):
    """A column, float64[n_systems, n_documents]; 0 where there is no value."""

    exact: NDArray[np.float64]
    tied: NDArray[np.float64]  # values that differ only by rounding are equal

    @classmethod
    def of(cls, grid: NDArray[np.float64]) -> "_Values":
        grid = np.nan_to_num(grid)
        # Multiplying by a power of two is exact; then neither squares nor sums leave the range of floats.
        grid = np.ldexp(grid, -int(np.frexp(np.abs(grid).max())[1]))
        return cls(grid, _tied(grid.ravel(), np.abs(grid.ravel())).reshape(grid.shape))


def _tied(values: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Replace values along the last axis that differ by less than rounding of their sizes by the smallest of them."""
    order = np.argsort(values, axis=-1)
    ordered, sizes = (np.take_along_axis(array, order, axis=-1) for array in (values, sizes))
    is_apart = np.diff(ordered, axis=-1) > EQUAL * np.maximum(sizes[..., 1:], sizes[..., :-1])
    ordered[..., 1:] = np.where(is_apart, ordered[..., 1:], -np.inf)
    tied = np.empty_like(values)
    np.put_along_axis(tied, order, np.maximum.accumulate(ordered, axis=-1), axis=-1)
    return tied


def coefficients(x: NDArray, y: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """Return ``COEFFICIENTS`` of pairs that count ``weights`` times: float64[3, ...]; NaN if either side is constant.

    All are float64[..., n]; a value of weight 0 does not count. For many sets of few pairs.
    """
    x, y = (np.where(weights > 0, values, 0.0) if values.ndim > 1 else values for values in (x, y))
    orders = [np.sign(values[..., :, None] - values[..., None, :]) for values in (x, y)]  # [..., i, j]
    ranks = [_weighted(order, weights) for order in orders]  # midranks, times two except for a constant
    concordant, untied_x, untied_y = (
        (weights * _weighted(pairs, weights)).sum(-1) for pairs in (orders[0] * orders[1], *map(np.abs, orders))
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        kendall = concordant / np.sqrt(untied_x * untied_y)
    stacked = np.stack([_pearson(x, y, weights), _pearson(ranks[0], ranks[1], weights), kendall])
    return np.where((untied_x > 0) & (untied_y > 0), stacked, np.nan)


def _weighted(pairs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums over j of pairs[..., i, j] weights[..., j]."""
    return weights @ pairs.T if pairs.ndim == 2 else (pairs @ weights[..., None])[..., 0]


def _coefficients_of_many(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``COEFFICIENTS`` of float64[n] each, float64[3]; n may be large."""
    from scipy import stats

    if min(len(np.unique(x)), len(np.unique(y))) < 2:
        return np.full(3, np.nan)
    ones = np.ones(len(x))
    spearman = _pearson(stats.rankdata(x), stats.rankdata(y), ones)
    return np.array([_pearson(x, y, ones), spearman, stats.kendalltau(x, y)[0]])


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's r; any number if either side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weights.sum(-1, keepdims=True)
        x, y = (values - (weights * values).sum(-1, keepdims=True) / total for values in (x, y))
        spreads = [np.sqrt((weights * values**2).sum(-1)) for values in (x, y)]
        return np.clip((weights * x * y).sum(-1) / spreads[0] / spreads[1], -1, 1)


def _coefficients_at(x: _Values, y: _Values, is_judged: NDArray[np.bool_], level: str) -> NDArray[np.float64]:
    """Return ``COEFFICIENTS`` at a level, float64[3, n], of judged outputs, bool[n, n_systems, n_documents]."""
    if level == "outputs":
        return np.stack([_coefficients_of_many(x.tied[mask], y.tied[mask]) for mask in is_judged], axis=1)
    if level == "systems":
        weights = np.where(is_judged.any(axis=-1), 1.0, 0.0)
        return coefficients(_means_of_systems(x, is_judged), _means_of_systems(y, is_judged), weights)
    columns = zip(x.tied.T, y.tied.T, is_judged.astype(np.float64).T, strict=True)
    by_document = np.stack([coefficients(x_values, y_values, is_in.T) for x_values, y_values, is_in in columns])
    with np.errstate(invalid="ignore"):
        return np.nansum(by_document, axis=0) / (~np.isnan(by_document)).sum(axis=0)  # defined ones


def _means_of_systems(values: _Values, is_judged: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the mean of each system's judged outputs, float64[n, n_systems]; 0 if there are none."""
    counts = np.maximum(is_judged.sum(axis=-1), 1)
    means, sizes = (
        np.where(is_judged, array, 0.0).sum(axis=-1) / counts for array in (values.exact, np.abs(values.exact))
    )
    return _tied(means, sizes)


class _Jackknife(NamedTuple):
    """Coefficients of all outputs, float64[3]; and without each system or each document, float64[3, n]."""

    value: NDArray[np.float64]
    without_systems: NDArray[np.float64]
    without_documents: NDArray[np.float64]  # [3, 0] over systems

    def counted(self) -> list[NDArray[np.float64]]:
        """Return the parts whose spread counts: one system's outputs vary only by their documents."""
        return [without_one for without_one in self[1:] if without_one.shape[1] > 1]


def _jackknife(x: _Values, y: _Values, is_judged: NDArray[np.bool_], level: str) -> _Jackknife:
    rows, columns = np.indices(is_judged.shape)
    # Means of systems vary by their documents too; the spread between systems already includes it.
    axes_numbers = (rows,) if level == "systems" else (rows, columns)
    without = [np.empty((3, 0))] * 2
    for axis, (numbers, n) in enumerate(zip(axes_numbers, is_judged.shape, strict=False)):
        groups = np.arange(min(n, _MOST_GROUPS))[:, None, None]
        without[axis] = _coefficients_at(x, y, is_judged & (numbers % len(groups) != groups), level)
    return _Jackknife(_coefficients_at(x, y, is_judged[None], level)[:, 0], *without)


def _intervals(jackknife: _Jackknife, level: str, confidence: float) -> list[tuple[str, float, float, float, str]]:
    """Return for each coefficient its name, value, both ends, and why there are none, or ""."""
    from scipy.special import stdtrit

    value = jackknife.value
    scaled = _Jackknife._make(map(_to_scale, jackknife))
    # Both variances include that of single outputs. Subtracting it once (Cameron, Gelbach and Miller, 2011) covers too
    # little with so few systems.
    variance = sum(
        (without_one.var(axis=1) * (without_one.shape[1] - 1) for without_one in scaled.counted()), np.zeros(3)
    )
    n_systems, n_documents = (without_one.shape[1] for without_one in jackknife[1:])
    too_few = ""
    if 1 != n_systems < _FEWEST_SPREAD:
        too_few = f"the spread of systems takes {_FEWEST_SPREAD} of them, and there are {n_systems}"
    elif level != "systems" and n_documents < _FEWEST_SPREAD:
        too_few = f"the spread of documents takes {_FEWEST_SPREAD} of them, and there are {n_documents}"
    reasons = [
        "the scores or the judgements do not vary" * math.isnan(coefficient)
        or too_few
        or "without one system or document, the scores or the judgements do not vary" * math.isnan(spread)
        or "the coefficient is the same without any one system or document" * (spread <= _NO_VARIANCE)
        for coefficient, spread in zip(value.tolist(), variance.tolist(), strict=True)
    ]
    counts = [without_one.shape[1] for without_one in scaled.counted()]
    half = np.full(3, np.nan)
    if not all(reasons):
        has_interval = [not reason for reason in reasons]
        half[has_interval] = stdtrit(min(counts) - 2, (1 + confidence) / 2) * np.sqrt(variance[has_interval])
    low, high = np.fmin(_from_scale(scaled.value - half), value), np.fmax(_from_scale(scaled.value + half), value)
    low, high = (np.where(np.isnan(half), np.nan, end) for end in (low, high))
    return list(zip(COEFFICIENTS, value.tolist(), low.tolist(), high.tolist(), reasons, strict=True))


def _to_scale(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Transform coefficients, float64[3, ...], to a scale where their spread depends little on their value.

    Pearson's by Fisher's z. Spearman's spread is too wide on that scale, and too narrow untransformed; between the two
    its coverage is right in simulations. Kendall's is right untransformed.
    """
    pearson, spearman, kendall = values
    pearson = np.arctanh(np.clip(pearson, -_LARGEST, _LARGEST))
    return np.stack([pearson, np.arctanh(_PART_OF_SPEARMAN * spearman), kendall])


def _from_scale(values: NDArray[np.float64]) -> NDArray[np.float64]:
    pearson, spearman, kendall = values
    return np.stack([np.tanh(pearson), *np.clip([np.tanh(spearman) / _PART_OF_SPEARMAN, kendall], -1, 1)])


def _difference(
    first: _Values, second: _Values, judged: _Values, is_judged: NDArray[np.bool_]
) -> tuple[float, float, float]:
    """Return two correlations of systems' means, and p of their difference by Williams' test; or NaN."""
    n = len(is_judged)
    if n < _FEWEST_COMPARED:
        return math.nan, math.nan, math.nan
    means = [_means_of_systems(values, is_judged) for values in (first, second, judged)]
    ones = np.ones(n)
    r12, r13, r23 = (float(coefficients(means[a], means[b], ones)[0]) for a, b in ((2, 0), (2, 1), (0, 1)))
    return r12, r13, williams_p(r12, r13, r23, n)


def williams_p(r12: float, r13: float, r23: float, n: int) -> float:
    """Return the two-sided p of Williams' test (1959) that r12 and r13 of n values differ; NaN for fewer than four."""
    from scipy.special import stdtr

    if n <= _FEWEST_COMPARED or any(map(math.isnan, (r12, r13, r23))):
        return math.nan
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    under = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if under <= 0:  # two metrics with the same ranks
        return 1.0
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / under)
    return float(2 * stdtr(n - 3, -abs(t)))
