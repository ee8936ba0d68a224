"""``agreement``: does a metric rank systems and outputs as people do? Correlations, intervals, tests between metrics.

Levels and tests are those of Deutsch, Dror and Roth (2021), "A statistical analysis of summarization evaluation metrics
using resampling methods". Intervals are by the jackknife over systems and documents: with the dozen systems that there
are, they cover more nearly what they say than its bootstrap does (benchmarks/AGREEMENT.md).
"""

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import shown_difference
from polyrouge.errors import shown_value, unknown_value
from polyrouge.inputs import column_rows
from polyrouge.result_table import PrintsTables, ResultTable, shown_number
from polyrouge.scoring.intervals import holm_adjusted
from polyrouge.settings.allowed_values import FRACTION, RESAMPLES, SEED, checked_number

LEVELS = ("systems", "outputs", "documents")
COEFFICIENTS = ("pearson", "spearman", "kendall")
_FEWEST_SYSTEMS = 3  # for coefficients between systems
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
        low: lower end of its interval; NaN where there are too few systems or documents.
        high: its upper end.
    """

    metric: str
    dimension: str
    level: str
    coefficient: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MetricDifference:
    """Two metrics' correlations with the same judgements.

    Attributes:
        first: name of a metric.
        second: name of another.
        dimension: as in ``Correlation``, and so are the next.
        level: as there.
        coefficient: as there.
        difference: first minus second.
        low: lower end of its interval.
        high: its upper end.
        p_permutation: two-sided p of the paired permutation test that swaps the metrics' standardized scores of random
            systems, or documents where there are fewer than three systems, after Holm's correction over the pairs of
            metrics; None for ranks over all outputs.
        p_williams: p of Williams' test of two correlations that share a variable, for Pearson's over systems only.
    """

    first: str
    second: str
    dimension: str
    level: str
    coefficient: str
    difference: float
    low: float
    high: float
    p_permutation: float | None
    p_williams: float | None


@dataclass(frozen=True)
class Agreement(PrintsTables):
    """The result of ``agreement``; ``print`` and notebooks show it as tables.

    Attributes:
        correlations: of each metric, dimension, level and coefficient.
        differences: of each pair of metrics, likewise.
        n_systems: how many systems there are.
        n_documents: how many documents.
        n_outputs: how many outputs.
        n_missing: of each dimension, how many outputs have no judgement.
        n_undefined: of each metric and dimension (``"rouge1, relevance"``), how many documents are left out because
            their outputs all have one score or one judgement.
        confidence: level of the intervals.
        n_resamples: of the permutation tests.
        seed: of their draws.
    """

    correlations: tuple[Correlation, ...]
    differences: tuple[MetricDifference, ...]
    n_systems: int
    n_documents: int
    n_outputs: int
    n_missing: dict[str, int]
    n_undefined: dict[str, int]
    confidence: float
    n_resamples: int
    seed: int

    def _tables(self) -> list[ResultTable]:
        rows: dict[tuple[str, ...], list[str]] = {}
        for each in self.correlations:
            interval = "" if math.isnan(each.low) else f" [{_shown(each.low)}, {_shown(each.high)}]"
            rows.setdefault((each.metric, each.dimension, each.level), []).append(_shown(each.value) + interval)
        title = f"{self.n_systems} systems, {self.n_documents} documents, {self.n_outputs} outputs"
        header = ["metric", "dimension", "over", *map(str.capitalize, COEFFICIENTS)]
        tables = [ResultTable(title, header, [[*key, *cells] for key, cells in rows.items()], 3)]
        if self.differences:
            cells = [
                [
                    f"{each.first} − {each.second}", each.dimension, each.level, each.coefficient,
                    _shown(each.difference, signed=True),
                    f"[{_shown(each.low, signed=True)}, {_shown(each.high, signed=True)}]",
                    *(shown_number(p, 4) for p in (each.p_permutation, each.p_williams)),
                ]
                for each in self.differences
            ]  # fmt: skip
            header = ["metrics", "dimension", "over", "coefficient", "difference", f"{100 * self.confidence:g} %"]
            tables.append(ResultTable("Differences", [*header, "p perm.", "p Williams"], cells, 4))
        return tables

    def _notes(self) -> list[str]:
        notes = [f"Brackets: {100 * self.confidence:g} % intervals, by the jackknife over systems and documents."]
        if self.differences:
            notes.append(
                f"p: paired permutation ({self.n_resamples} resamples, seed {self.seed}) and Williams' test, "
                "two-sided, after Holm's correction over the pairs of metrics."
            )
        missing = [f"{name} {n}" for name, n in self.n_missing.items() if n]
        notes += [f"Outputs without a judgement: {', '.join(missing)}."] * bool(missing)
        undefined = [f"{name} {n}" for name, n in self.n_undefined.items() if n]
        return notes + [f"Documents on which nothing differs, left out: {'; '.join(undefined)}."] * bool(undefined)

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values for JSON: None in place of NaN."""
        values = asdict(self)
        for name in ("correlations", "differences"):
            values[name] = [
                {key: None if value != value else value for key, value in each.items()} for each in values[name]
            ]
        return values


def agreement(
    scores: Any,
    human: Any,
    systems: Sequence[Hashable],
    documents: Sequence[Hashable],
    *,
    baseline: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = 1_000,
    seed: int = 0,
) -> Agreement:
    """Correlate scores with people's judgements, over systems, over outputs, and within documents.

    Needs scipy, for Student's distribution.

    Args:
        scores: a number for each output; or name of a metric to such numbers, to compare metrics.
        human: judgements, likewise; several dimensions by name. None or NaN: this output has no judgement.
        systems: the system that each output is from.
        documents: the document that each is for. A system has one output for a document.
        baseline: test only this metric against each of the others, instead of all pairs.
        confidence: level of the intervals, above 0 and below 1.
        n_resamples: of the permutation tests, 1 to 1,000,000.
        seed: of their draws, 0 to 4294967295.

    Returns:
        The correlations with their intervals, and for several metrics the differences with tests. Over
        fewer than three systems there are none.

    Raises:
        ModuleNotFoundError: scipy is missing.
        TypeError: a value that is no number.
        ValueError: no such baseline, columns of different lengths, a score that is not finite, or two outputs of a
            system for a document.
    """
    checked_number("confidence", confidence, FRACTION)
    checked_number("n_resamples", n_resamples, RESAMPLES)
    checked_number("seed", seed, SEED)
    rows = [list(column_rows(each, name)) for each, name in ((systems, "systems"), (documents, "documents"))]
    places, shape = _places(*rows)
    n = len(rows[0])
    metrics = {name: _grid(f"scores of {name!r}", each, n, places, shape) for name, each in _named(scores, "score")}
    dimensions = {name: _grid(f"human of {name!r}", each, n, places, shape) for name, each in _named(human, "human")}
    is_output = np.zeros(shape, bool)
    is_output[places] = True
    for name, grid in metrics.items():
        if not np.isfinite(grid[places]).all():
            row = int(np.flatnonzero(~np.isfinite(grid[places]))[0])
            raise ValueError(f"scores of {name!r}: row {row} is {grid[places][row]}; each output needs a score.")
    if baseline is not None and (not isinstance(baseline, str) or baseline not in metrics):
        raise unknown_value(baseline, list(metrics), "baseline")
    pairs = [pair for pair in itertools.combinations(metrics, 2) if baseline is None or baseline in pair]
    levels = LEVELS if shape[0] >= _FEWEST_SYSTEMS else LEVELS[1:2]
    correlations, differences, undefined = [], [], {}
    for dimension, judged in dimensions.items():
        known = is_output & ~np.isnan(judged)
        jackknifed = {}
        for metric, grid in metrics.items():
            undefined[f"{metric}, {dimension}"] = _n_undefined(grid, judged, known) if len(levels) > 1 else 0
            for level in levels:
                found = jackknifed[metric, level] = _jackknife(grid, judged, known, level)
                low, high = _interval(found, confidence)
                for place, coefficient in enumerate(COEFFICIENTS):
                    numbers = float(found.value[place]), float(low[place]), float(high[place])
                    correlations.append(Correlation(metric, dimension, level, coefficient, *numbers))
        for level in levels:
            generator = np.random.default_rng(seed)
            tests = []
            for first, second in pairs:
                of_pair = jackknifed[first, level], jackknifed[second, level]
                p = _permutation(metrics[first], metrics[second], judged, known, level, n_resamples, generator)
                williams = _williams(metrics[first], metrics[second], judged, known) if level == "systems" else math.nan
                ends = _interval_of_difference(*of_pair, confidence)
                difference = of_pair[0].value - of_pair[1].value
                tests.append((difference, *ends, p, np.array([williams, np.nan, np.nan])))
            if not tests:
                continue
            columns = [np.stack(each) for each in zip(*tests, strict=True)]  # float64[n_pairs, 3] each
            columns[3:] = map(_corrected, columns[3:])
            for row, pair in enumerate(pairs):
                for place, coefficient in enumerate(COEFFICIENTS):
                    value, low, high, *p_values = (float(each[row, place]) for each in columns)
                    p = (None if math.isnan(each) else each for each in p_values)
                    differences.append(MetricDifference(*pair, dimension, level, coefficient, value, low, high, *p))
    missing = {name: int(np.isnan(each[places]).sum()) for name, each in dimensions.items()}
    facts = (*shape, n, missing, undefined, confidence, n_resamples, seed)
    order = {level: place for place, level in enumerate(LEVELS)}
    differences.sort(key=lambda each: (each.first, each.second, each.dimension, order[each.level]))
    return Agreement(tuple(correlations), tuple(differences), *facts)


def _shown(value: float, *, signed: bool = False) -> str:
    return shown_difference(value, 3) if signed and value == value else shown_number(value, 3).replace("-", "−")


def _named(values: Any, name: str) -> list[tuple[str, Any]]:
    return [(str(key), each) for key, each in values.items()] if isinstance(values, Mapping) else [(name, values)]


def _places(
    systems: list[Any], documents: list[Any]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], tuple[int, int]]:
    """Where each output stands among systems and documents, and how many of these there are."""
    if len(systems) != len(documents):
        raise ValueError(f"{len(systems)} systems but {len(documents)} documents; give one of each for every output.")
    if not systems:
        raise ValueError("There are no outputs; give at least three.")
    try:
        numbers = [{name: place for place, name in enumerate(dict.fromkeys(column))} for column in (systems, documents)]
    except TypeError as error:
        raise TypeError(f"systems or documents: {error}; name each by a text or a number.") from None
    seen: dict[tuple[Any, Any], int] = {}
    for row, cell in enumerate(zip(systems, documents, strict=True)):
        if None in cell:
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
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"{name}: row {row} is {shown_value(value)}; give a number, or None.") from None
        if math.isinf(numbers[row]):
            raise ValueError(f"{name}: row {row} is infinite; give a number, or None.")
    grid = np.full(shape, np.nan)
    grid[places] = numbers
    return grid


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
    return np.stack([_pearson(x, y, weights), _pearson(ranks[0], ranks[1], weights), kendall])


def _weighted(pairs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums over j of pairs[..., i, j] weights[..., j]."""
    return weights @ pairs.T if pairs.ndim == 2 else (pairs @ weights[..., None])[..., 0]


def _coefficients_of_many(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """``COEFFICIENTS`` of float64[n] each, float64[3]: n may be large."""
    from scipy import stats

    if len(x) < 2:  # scipy warns
        return np.full(3, np.nan)
    ones = np.ones(len(x))
    of_ranks = _pearson(stats.rankdata(x), stats.rankdata(y), ones)
    return np.array([_pearson(x, y, ones), of_ranks, stats.kendalltau(x, y)[0]])


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weights.sum(-1, keepdims=True)
        x, y = (values - (weights * values).sum(-1, keepdims=True) / total for values in (x, y))
        spreads = [np.sqrt((weights * values**2).sum(-1)) for values in (x, y)]
        r = (weights * x * y).sum(-1) / spreads[0] / spreads[1]
    # What rounding leaves of a constant is no spread.
    return np.where((spreads[0] > 1e-14) & (spreads[1] > 1e-14), np.clip(r, -1, 1), np.nan)


def _coefficients_at(
    x: NDArray[np.float64], y: NDArray[np.float64], known: NDArray[np.bool_], level: str
) -> NDArray[np.float64]:
    """``COEFFICIENTS`` at a level, float64[3, n], of the outputs that are ``known``.

    All are [..., n_systems, n_documents]; n of the scores, or of the choices of what is known.
    """
    if level == "outputs":
        return np.stack([_coefficients_of_many(x[each], y[each]) for each in known], axis=1)
    if level == "systems":
        weights = np.where(known.any(axis=-1), 1.0, 0.0)
        return coefficients(_means_of_systems(x, known), _means_of_systems(y, known), weights)
    columns = ((x[..., each], y[..., each], known[..., each].astype(np.float64)) for each in range(known.shape[-1]))
    of_documents = np.stack([coefficients(*each) for each in columns])
    with np.errstate(invalid="ignore"):
        return np.nansum(of_documents, axis=0) / (~np.isnan(of_documents)).sum(axis=0)  # of the defined ones


def _means_of_systems(values: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The mean of each system's known outputs; 0 if there are none."""
    return np.where(known, values, 0.0).sum(axis=-1) / np.maximum(known.sum(axis=-1), 1)


def _n_undefined(x: NDArray[np.float64], y: NDArray[np.float64], known: NDArray[np.bool_]) -> int:
    """Documents on which there is no coefficient."""
    columns = zip(x.T, y.T, known.T, strict=True)
    return sum(min(len(set(of_x[is_in])), len(set(of_y[is_in]))) < 2 for of_x, of_y, is_in in columns)


class _Jackknife(NamedTuple):
    """Coefficients of all outputs, float64[3]; and without each system, and each document, float64[3, n]."""

    value: NDArray[np.float64]
    without_systems: NDArray[np.float64]
    without_documents: NDArray[np.float64]


def _jackknife(x: NDArray[np.float64], y: NDArray[np.float64], known: NDArray[np.bool_], level: str) -> _Jackknife:
    x, y = np.nan_to_num(x), np.nan_to_num(y)
    rows, columns = np.indices(known.shape)
    # Means of systems vary by their documents too: that is seen between the systems already.
    numbered = (rows,) if level == "systems" else (rows, columns)
    without = [np.empty((3, 0))] * 2
    for place, (numbers, n) in enumerate(zip(numbered, known.shape, strict=False)):
        groups = np.arange(min(n, _MOST_GROUPS))[:, None, None]
        without[place] = _coefficients_at(x, y, known & (numbers % len(groups) != groups), level)
    return _Jackknife(_coefficients_at(x, y, known[None], level)[:, 0], *without)


def _variance(found: _Jackknife) -> NDArray[np.float64]:
    """Of the three values, float64[3]: that of systems and that of documents.

    Both have that of single outputs. To take it off once (Cameron, Gelbach and Miller, 2011) covers too little with so
    few systems.
    """
    counted = (each for each in found[1:] if each.shape[1] >= _FEWEST_SYSTEMS)
    return sum((each.var(axis=1) * (each.shape[1] - 1) for each in counted), np.zeros(3))


def _interval(found: _Jackknife, confidence: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends, float64[3]."""
    scaled, half = _on_scale(found, confidence)
    return _from_scale(scaled.value - half), _from_scale(scaled.value + half)


def _interval_of_difference(
    first: _Jackknife, second: _Jackknife, confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends, float64[3]: the least and the largest difference in an ellipse around both values on their scales.

    The ellipse is as wide as their intervals, and as oblique as they go together.
    """
    (one, half), (other, other_half) = (_on_scale(each, confidence) for each in (first, second))
    of_both = _variance(_Jackknife._make(a - b for a, b in zip(one, other, strict=True)))
    variances = _variance(one), _variance(other)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (sum(variances) - of_both) / 2 / np.sqrt(np.prod(variances, axis=0))
    r = np.clip(np.nan_to_num(r), -1, 1)[:, None]
    angles = np.linspace(0, 2 * np.pi, 361)
    x = one.value[:, None] + half[:, None] * np.cos(angles)
    y = other.value[:, None] + other_half[:, None] * (r * np.cos(angles) + np.sqrt(1 - r**2) * np.sin(angles))
    differences = _from_scale(x) - _from_scale(y)
    return differences.min(axis=1), differences.max(axis=1)


def _on_scale(found: _Jackknife, confidence: float) -> tuple[_Jackknife, NDArray[np.float64]]:
    """The jackknife on the scale of each coefficient, and half the interval there, float64[3], by Student's t."""
    try:
        from scipy.special import stdtrit
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("agreement needs scipy: pip install scipy", name="scipy") from error
    scaled = _Jackknife._make(map(_to_scale, found))
    counts = [each.shape[1] for each in found[1:] if each.shape[1] >= _FEWEST_SYSTEMS]
    if not counts:
        return scaled, np.full(3, np.nan)
    return scaled, stdtrit(min(counts) - 2, (1 + confidence) / 2) * np.sqrt(_variance(scaled))


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


def _permutation(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    judged: NDArray[np.float64],
    known: NDArray[np.bool_],
    level: str,
    n_resamples: int,
    generator: np.random.Generator,
) -> NDArray[np.float64]:
    """p, two-sided, of the difference of coefficients, float64[3]: of swaps of whole systems, or documents."""
    first, second = (
        np.where(known, (each - each[known].mean()) / (each[known].std() or 1), 0) for each in (first, second)
    )
    judged = np.nan_to_num(judged)

    def at_level(x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of scores float64[n, n_systems, n_documents], float64[3, n]."""
        if level != "outputs":
            return _coefficients_at(x, judged, known, level)
        r = _pearson(x[:, known], judged[known], np.ones(len(judged[known])))
        return np.stack([r, *[np.full(len(x), np.nan)] * 2])  # ranks of all outputs anew in each draw take too long

    # Swaps of single outputs (PERM-BOTH) ask whether the outputs' scores are alike, and call metrics different that
    # agree with people equally in more than half of all cases.
    units = (len(known), 1) if len(known) >= _FEWEST_SYSTEMS else (1, known.shape[1])
    observed = (at_level(first[None]) - at_level(second[None]))[:, 0]
    n_extreme = np.zeros(3, np.int64)
    at_once = max(1, (1 << 22) // known.size)
    for start in range(0, n_resamples, at_once):
        swaps = generator.random((min(at_once, n_resamples - start), *units)) < 0.5
        drawn = at_level(np.where(swaps, second, first)) - at_level(np.where(swaps, first, second))
        n_extreme += (np.abs(drawn) >= np.abs(observed)[:, None] - 1e-12).sum(axis=1)
    return np.where(np.isnan(observed), np.nan, (1 + n_extreme) / (1 + n_resamples))


def _williams(
    first: NDArray[np.float64], second: NDArray[np.float64], judged: NDArray[np.float64], known: NDArray[np.bool_]
) -> float:
    """p, two-sided, of Williams' test (1959) of the difference of two correlations of systems' means."""
    from scipy.special import stdtr

    means = [_means_of_systems(each, known)[known.any(axis=1)] for each in (first, second, judged)]
    n = len(means[0])
    weights = np.ones(n)
    r12, r13, r23 = (float(_pearson(means[one], means[other], weights)) for one, other in ((2, 0), (2, 1), (0, 1)))
    if n <= _FEWEST_SYSTEMS or any(map(math.isnan, (r12, r13, r23))):
        return math.nan
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    under = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if under <= 0:  # two metrics that rank alike
        return 1.0
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / under)
    return float(2 * stdtr(n - 3, -abs(t)))


def _corrected(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm's correction over the pairs, float64[n_pairs, 3]; NaN stays."""
    return np.where(np.isnan(p_values), np.nan, holm_adjusted(np.nan_to_num(p_values, nan=1.0)))
