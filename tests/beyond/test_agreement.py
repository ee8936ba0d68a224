"""``agreement``: scipy's coefficients at every level, intervals by the jackknife, Williams' test between metrics."""

import math
from fractions import Fraction

import numpy as np
import pytest
from command_runs import csv_rows, run, write_rows
from peer_packages import run_peer
from scipy import stats

from polyrouge import Rouge, agreement
from polyrouge.beyond.agreement import LEVELS, coefficients

OF_SCIPY = (stats.pearsonr, stats.spearmanr, stats.kendalltau)


def drawn(seed=0, n_systems=8, n_documents=12, rounded=1):
    """Scores and judgements with ties, float64[n_systems, n_documents] each."""
    random = np.random.default_rng(seed)
    quality = random.normal(size=(n_systems, 1))
    return (np.round(quality + random.normal(size=(n_systems, n_documents)), rounded) for _ in range(2))


def columns(*grids):
    """The columns of outputs: values of each grid, systems, documents; without cells that are NaN in the first."""
    rows, places = np.nonzero(~np.isnan(grids[0]))
    return (
        *(grid[rows, places].tolist() for grid in grids),
        [f"s{row}" for row in rows],
        [f"d{place}" for place in places],
    )


def values(result, level, metric="score"):
    return [each.value for each in result.correlations if (each.level, each.metric) == (level, metric)]


@pytest.mark.parametrize("seed", range(20))
def test_coefficients_are_scipy_s_and_weights_are_repeats(seed):
    random = np.random.default_rng(seed)
    x, y = np.round(random.normal(size=(2, 30)), seed % 2)
    weights = random.integers(0, 4, 30)

    expected = [of(np.repeat(x, weights), np.repeat(y, weights))[0] for of in OF_SCIPY]
    assert coefficients(x, y, weights.astype(float)) == pytest.approx(expected, abs=1e-12)


def test_an_interval_is_the_jackknife_s():
    x, y = drawn(1)
    result = agreement(*columns(x, y), confidence=0.9)
    (pearson,) = [each for each in result.correlations if (each.level, each.coefficient) == ("systems", "pearson")]

    means = np.stack([x.mean(axis=1), y.mean(axis=1)])
    z = np.arctanh([stats.pearsonr(*np.delete(means, row, axis=1))[0] for row in range(8)])
    reach = stats.t.ppf(0.95, 6) * math.sqrt(z.var() * 7)
    middle = math.atanh(pearson.value)
    assert (pearson.low, pearson.high) == pytest.approx(
        (math.tanh(middle - reach), math.tanh(middle + reach)), abs=1e-12
    )


def levels_of(result):
    return {each.level for each in result.correlations}


def reasons_of(result, level):
    return {each.no_interval for each in result.correlations if each.level == level}


@pytest.mark.parametrize("n_systems", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n_documents", [4, 5])
def test_an_interval_takes_five_systems_and_five_documents(n_systems, n_documents):
    """Three systems had [1.000, 1.000], or [0.891, 0.891]. Of one, the documents alone vary."""
    result = agreement(*columns(*drawn(11, n_systems, n_documents, rounded=6)))
    assert n_systems > 2 or levels_of(result) == {"outputs"}

    for each in result.correlations:
        takes = [f"systems takes 5 of them, and there are {n_systems}"] * (1 < n_systems < 5)
        takes += [f"documents takes 5 of them, and there are {n_documents}"] * (
            each.level != "systems" and n_documents < 5
        )
        is_given = not takes and abs(each.value) < 1
        assert math.isnan(each.low) == math.isnan(each.high) == (not is_given)
        assert each.no_interval.startswith(f"the spread of {takes[0]}" if takes else "" if is_given else "the coeff")
        assert not is_given or each.low < each.value < each.high
    assert not 1 < n_systems < 5 or "–: the spread of systems takes 5 of them" in str(result)


def test_systems_that_both_sides_rank_alike_have_no_interval_of_rank_coefficients():
    steps = np.arange(8.0)[:, np.newaxis] + np.zeros((8, 6))
    result = agreement(*columns(steps**2, steps))

    pearson, *of_ranks = (each for each in result.correlations if each.level == "systems")
    assert (pearson.no_interval, pearson.low < pearson.value < pearson.high) == ("", True)
    for each in of_ranks:
        assert (each.value, math.isnan(each.low), math.isnan(each.high)) == (pytest.approx(1), True, True)
        assert each.no_interval == "the coefficient is the same without any one system or document"
    linear = agreement(*columns(3 * steps + 1, steps)).correlations[0]
    assert (linear.value, linear.no_interval) == (pytest.approx(1), of_ranks[0].no_interval)


@pytest.mark.parametrize("seed", range(40))
def test_a_value_lies_in_its_interval(seed):
    """Also where Fisher's z is cut, at 0.999999."""
    x, y = drawn(seed, n_systems=6 + seed % 4, rounded=seed % 3)
    for each in agreement(*columns(x, np.where(seed % 2, y, x + 1e-4 * y))).correlations:
        assert each.no_interval or each.low <= each.value <= each.high
        assert not each.no_interval or math.isnan(each.low)


@pytest.mark.parametrize("scale", [1e-300, 1e-15, 1e-9, 1, 100, 1e9, 1e300])
def test_a_constant_has_no_correlation_on_any_scale_and_what_varies_has_one(scale):
    x, y = drawn(12)
    for constant in (33.3, 1 / 3, 0.1, 0, -7.7):
        of_constant = agreement(*columns(np.full(x.shape, constant * scale), y))
        assert all(math.isnan(each.value) for each in of_constant.correlations)
        assert reasons_of(of_constant, "systems") == {"the scores or the judgements do not vary"}
        assert of_constant.n_undefined == {"score, human": 12}

    of_scaled, unscaled = agreement(*columns(x * scale, y)), agreement(*columns(x, y))
    for level in LEVELS:
        assert values(of_scaled, level) == pytest.approx(values(unscaled, level), abs=1e-12)


def test_means_of_equal_scores_tie():
    """0.1 + 0.2 + 0.3 in any order, and 1/3 + 2/3 and 1 + 0."""
    orders = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 0.5, 0.5, 0.5]
    result = agreement({"m": orders}, [2] * 6 + [5] * 3, list("AAABBBCCC"), [0, 1, 2] * 3)
    assert values(result, "systems", "m") == pytest.approx([1, 1, 1])

    thirds = [1 / 3, 2 / 3, 2 / 3, 0, 1, 2 / 3, 0.1 + 0.2, 0.3, 0.3, 1, 1, 1]
    result = agreement(thirds, [1, 1, 1, 1, 1, 1, 0, 0, 0, 2, 2, 2], list("AAABBBCCCDDD"), [0, 1, 2] * 4)
    assert values(result, "systems") == pytest.approx([stats.pearsonr([5 / 9, 5 / 9, 0.3, 1], [1, 1, 0, 2])[0], 1, 1])


def drawn_fractions(seed):
    """Scores and judgements as fractions with many ties and missing judgements, and a scale for each."""
    random = np.random.default_rng([seed, 99])
    shape = int(random.integers(3, 9)), int(random.integers(2, 9))

    def grid():
        values = random.integers(-1 if seed % 5 == 0 else 0, 4, shape).tolist()
        under = random.choice([1, 2, 3, 5, 7, 9], shape).tolist()
        return [list(map(Fraction, *row)) for row in zip(values, under, strict=True)]

    grids = grid(), grid()
    is_missing = random.random(shape) < random.choice([0, 0.2])
    if is_missing.all():
        is_missing[0, 0] = False
    return *grids, is_missing, 10.0 ** random.integers(-9, 10, 2)


def of_scipy(x, y):
    """scipy's coefficients of fractions; None where one side does not vary."""
    if min(len(set(x)), len(set(y))) < 2:
        return None
    floats = [[float(each) for each in side] for side in (x, y)]
    return [of(*floats)[0] for of in OF_SCIPY]


def test_drawn_sets_have_the_coefficients_of_scipy_at_every_level():
    """With ties, missing judgements, and scales from 1e-9 to 1e9; means are made of fractions, so equal ones tie."""
    n_checked = 0
    for seed in range(25):
        x, y, is_missing, scales = drawn_fractions(seed)
        cells = list(np.ndindex(is_missing.shape))
        scores = [float(x[row][column]) * scales[0] for row, column in cells]
        human = [None if is_missing[cell] else float(y[cell[0]][cell[1]]) * scales[1] for cell in cells]
        result = agreement(scores, human, [row for row, _ in cells], [column for _, column in cells])

        known = [cell for cell in cells if not is_missing[cell]]
        n_missing = len(cells) - len(known)
        assert (result.n_outputs, result.n_missing["human"]) == (len(cells), n_missing)
        assert (f"Outputs without a judgement: human {n_missing}." in str(result)) == (n_missing > 0)
        by_row, by_column = ([[cell for cell in known if cell[axis] == each] for each in range(9)] for axis in (0, 1))
        sides = [
            [[side[row][column] for row, column in group] for group in groups]
            for groups in (by_row, by_column)
            for side in (x, y)
        ]
        of_systems = [[sum(group) / len(group) for group in side if group] for side in sides[:2]]
        of_documents = [of for pair in zip(*sides[2:], strict=True) if (of := of_scipy(*pair))]
        expected = {
            "systems": of_scipy(*of_systems),
            "outputs": of_scipy(*([side[row][column] for row, column in known] for side in (x, y))),
            "documents": np.mean(of_documents, axis=0).tolist() if of_documents else None,
        }
        assert levels_of(result) == set(LEVELS if len(of_systems[0]) > 2 else LEVELS[1:2])
        for level in levels_of(result):
            n_checked += 1
            wanted = [math.nan] * 3 if expected[level] is None else expected[level]
            assert values(result, level) == pytest.approx(wanted, abs=1e-9, nan_ok=True), (seed, level)
        n_undefined = sum(of_scipy(*pair) is None for pair in zip(*sides[2:], strict=True) if pair[0])
        assert "documents" not in levels_of(result) or result.n_undefined.get("score, human", 0) == n_undefined
    assert n_checked > 70


def test_williams_test_tells_metrics_apart():
    x, y = drawn(4, n_systems=24, n_documents=40, rounded=6)
    random = np.random.default_rng(5)
    scores = {"near": x, "far": x + random.normal(size=(24, 1)) * 3, "as near": x + 0.01 * random.normal(size=x.shape)}
    *grids, systems, documents = columns(y, *scores.values())
    result = agreement(dict(zip(scores, grids[1:], strict=True)), grids[0], systems, documents, baseline="near")

    alike, far = result.differences  # by name
    assert ((far.first, far.second), (alike.first, alike.second)) == (("near", "far"), ("near", "as near"))
    assert far.difference == pytest.approx(values(result, "systems", "near")[0] - values(result, "systems", "far")[0])
    assert (far.first_mean, far.second_mean) == tuple(values(result, "systems", name)[0] for name in ("near", "far"))
    assert (far.level, far.n_samples, far.n_tests, far.is_tested) == ("metrics", 24, 2, True)
    assert far.p_holm == 2 * far.p < 0.01
    assert alike.p_holm > 0.05
    # Williams' t by Steiger (1980), formula 7, for the correlations of these means.
    means = [grid.mean(axis=1) for grid in (scores["near"], scores["far"], y)]
    r12, r13, r23 = (np.corrcoef(means[one], means[other])[0, 1] for one, other in ((2, 0), (2, 1), (0, 1)))
    determinant = np.linalg.det([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    t = (r12 - r13) * math.sqrt(23 * (1 + r23) / (2 * 23 / 21 * determinant + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3))
    assert far.p_holm == pytest.approx(min(1, 2 * 2 * stats.t.sf(abs(t), 21)), rel=1e-9)  # the smaller of two: Holm
    few = agreement(dict(zip("ab", grids[1:], strict=False)), grids[0], ["s"] * len(systems), range(len(systems)))
    assert [(pair.is_tested, pair.n_tests) for pair in few.differences] == [(False, 0)]
    assert [(pair["difference"], pair["p"]) for pair in few.to_dict()["differences"]] == [(None, None)]


_NLPSTATS = """
import json, sys
import numpy as np
from nlpstats.correlations import correlate, williams_test
x, y, z = np.array(json.load(sys.stdin), float)
coefficients = ("pearson", "spearman", "kendall")
levels = [[correlate(x, z, level, each) for each in coefficients] for level in ("system", "global", "input")]
print(json.dumps([levels, williams_test(x, y, z, "system", "pearson").pvalue]))
"""


@pytest.mark.peers
@pytest.mark.parametrize("seed", [6, 7])
def test_coefficients_and_tests_are_those_of_nlpstats(seed):
    """By an author of the paper; where a judgement is missing, it takes no score either."""
    x, human = drawn(seed, n_systems=12, n_documents=30)
    random = np.random.default_rng(seed)
    y = x + random.normal(size=(12, 1))
    human[random.random(human.shape) < 0.2] = np.nan
    x, y = (np.where(np.isnan(human), np.nan, grid) for grid in (x, y))
    levels, williams = run_peer("nlpstats", _NLPSTATS, [grid.tolist() for grid in (x, y, human)])

    judged, score, other, *places = columns(human, x, y)
    result = agreement({"score": score, "other": other}, judged, *places)
    for level, expected in zip(LEVELS, levels, strict=True):
        assert values(result, level) == pytest.approx(expected, abs=1e-12)
    assert result.differences[0].p_holm == pytest.approx(williams, abs=1e-12)


def test_one_system_has_correlations_over_its_outputs():
    result = agreement([1, 2, 3, 5], [1, 3, 2, 4], ["a"] * 4, range(4))
    assert levels_of(result) == {"outputs"}
    assert values(result, "outputs") == pytest.approx([5.5 / math.sqrt(8.75 * 5), 0.8, 2 / 3])


def test_the_command_has_the_numbers_of_python(tmp_path):
    references = ["the cat sat on the mat", "a dog barked at night", "it rained all day", "we ate bread"]
    outputs = list(np.ndindex(4, 4))
    names = ("prediction", "reference", "system", "id", "good")
    rows = [
        (" ".join(references[n].split()[: 2 + system]), references[n], f"s{system}", n, system + n % 2)
        for system, n in outputs
    ]
    path = write_rows(tmp_path / "rows.jsonl", [dict(zip(names, row, strict=True)) for row in rows])
    done = run("agreement", path, "--human", "good", "--rouge-types", "rouge1,rougeL", "-f", "csv", "-q")

    assert done.exit_code == 0, done.stderr
    predictions, texts, systems, ids, good = zip(*rows, strict=True)
    scores = Rouge(scale=100, rouge_types=["rouge1", "rougeL"]).score(predictions, texts)
    expected = agreement({key: scores[key] for key in ("rouge1", "rougeL")}, {"good": good}, systems, ids)
    assert [float(row["value"]) for row in csv_rows(done.stdout)] == [each.value for each in expected.correlations]
