"""The ends of bootstrap intervals: scipy's own, the edges that it leaves to NaN, and the warning of few samples."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from polyrouge import Rouge, RougeWarning
from polyrouge.scoring.intervals import bca_ends, bootstrap_interval
from polyrouge.scoring.scores import f_of_means
from polyrouge.settings.rules import ScoreRule


def skewed(n, k=1):
    """float64[n, k] in [0, 1], multiples of 1 / 4096, so that sums are exact and equal sums equal."""
    generator = random.Random(n)
    return np.array([[round(4096 * generator.random() ** 3) / 4096 for _ in range(k)] for _ in range(n)])


def of_scipy(columns, statistic, confidence, n_resamples, seed):
    """The ends of scipy's interval of a statistic of these columns, whose rows belong together."""
    draws = {"n_resamples": n_resamples, "rng": np.random.default_rng(seed)}
    result = stats.bootstrap(columns.T, statistic, paired=True, confidence_level=confidence, method="BCa", **draws)
    return tuple(result.confidence_interval)


@pytest.mark.parametrize(("n", "seed"), [(5, 0), (12, 1), (40, 2), (300, 3)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_bca_is_scipys(n, seed, confidence):
    low, high = bootstrap_interval(skewed(n), confidence, 999, seed, "bca")

    assert (low[0], high[0]) == pytest.approx(of_scipy(skewed(n), np.mean, confidence, 999, seed), abs=1e-9)


@pytest.mark.parametrize(("n", "seed"), [(6, 4), (50, 5)])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_bca_of_a_function_of_means_is_scipys(n, seed, confidence):
    def f_of(precisions, recalls, axis):
        p, r = precisions.mean(axis), recalls.mean(axis)
        return 2 * p * r / (p + r)

    columns = np.column_stack([skewed(n, 2), np.zeros(n)])

    low, high = bootstrap_interval(columns, confidence, 999, seed, "bca", lambda means: f_of_means(means, ScoreRule()))

    assert (low[2], high[2]) == pytest.approx(of_scipy(skewed(n, 2), f_of, confidence, 999, seed), abs=1e-9)


@given(st.lists(st.integers(0, 64), min_size=2, max_size=30), st.floats(0.2, 0.99), st.integers(0, 99))
def test_any_scores_have_scipys_bca(whole, confidence, seed):
    values = np.array(whole)[:, np.newaxis] / 64
    if len(set(whole)) == 1:
        return  # NaN there; see below
    theirs = of_scipy(values, np.mean, confidence, 99, seed)

    low, high = bootstrap_interval(values, confidence, 99, seed, "bca")

    if not np.isnan(theirs[0]):
        assert (low[0], high[0]) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_equal_scores_have_an_interval_of_one_point(method, n):
    low, high = bootstrap_interval(np.full((n, 1), 0.3), 0.95, 50, 0, method)

    assert [low[0], high[0]] == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("confidence", [1e-12, 0.5, 0.95, 1 - 2**-53])
@pytest.mark.parametrize("n_resamples", [1, 2, 50])
@pytest.mark.parametrize("scale", [1e-150, 1, 1e150])
def test_no_level_and_no_number_of_resamples_gives_nan(confidence, n_resamples, scale):
    resampled = scale * np.linspace(0.1, 0.9, n_resamples)[:, np.newaxis]
    outlier = scale * np.array([[0.0]] * 30 + [[1.0]])

    for observed in (0.0, 0.5, 1.0):  # below, among and above all that was resampled
        low, high = bca_ends(resampled, confidence, scale * np.array([observed]), outlier)
        assert scale * 0.1 <= low[0] <= high[0] <= scale * 0.9


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_no_other_column_moves_an_end(method):
    """A Trainer's metric keeps F alone; its ends are those of all measures, to the bit."""
    columns = np.random.default_rng(3).choice([0, 100 / 3, 28.5714, 50, 57.1429], (7, 1)) * [1, 2, 0.01, 1e3]
    among = np.array(bootstrap_interval(columns, 0.95, 200, 0, method))
    alone = [bootstrap_interval(columns[:, [number]], 0.95, 200, 0, method) for number in range(4)]
    assert np.array_equal(among, np.concatenate(alone, axis=1))


@pytest.mark.parametrize(
    ("wholes", "divisor"),
    [
        ([5, 7, 0, 7, 4, 2, 5], 7),
        ([2, 1, 3, 0, 3, 0, 2, 2, 3, 1], 3),
    ],
)
def test_bca_of_fractions_is_that_of_their_numerators(wholes, divisor):
    """Resamples that equal the mean count half, though some lie below it as floats, and some above."""
    numerators = np.array(wholes, float)[:, np.newaxis]

    of_fractions = bootstrap_interval(numerators / divisor, 0.9, 500, 1, "bca")

    expected = bootstrap_interval(numerators, 0.9, 500, 1, "bca")
    assert np.array(of_fractions) * divisor == pytest.approx(np.array(expected), abs=1e-12)


TEXTS = (["a b c d", "a b", "c d e", "f"] * 6, ["a b c", "b a", "c d", "a f g h"] * 6)


def test_the_setting_chooses_the_method():
    rouge = Rouge(rouge_types=["rouge1", "rouge2"], output="all", confidence=0.9, seed=3)
    result = rouge.compute(*TEXTS, interval="bca")
    for key, values in rouge.score(*TEXTS).items():
        low, high = bootstrap_interval(values[:, np.newaxis], 0.9, 1000, 3, "bca")
        assert (result[f"{key}_low"], result[f"{key}_high"]) == (low[0], high[0])
    assert result != rouge.compute(*TEXTS)


def test_an_f_of_means_has_an_interval_of_its_own():
    rouge = Rouge(rouge_types=["rouge1"], aggregate="f_of_means", confidence=0.9, n_resamples=400)
    scores = rouge.score(*TEXTS)
    ratios = np.column_stack([scores["rouge1_precision"], scores["rouge1_recall"]])
    result = rouge.compute(*TEXTS)
    assert result["rouge1_low"] < result["rouge1"] < result["rouge1_high"]
    draws = np.random.default_rng(0).integers(len(ratios), size=(400, len(ratios)))
    p, r = ratios[draws].mean(axis=1).T
    expected = np.quantile(2 * p * r / (p + r), [0.05, 0.95])
    assert [result["rouge1_low"], result["rouge1_high"]] == pytest.approx(expected.tolist())


@pytest.mark.parametrize("aggregate", ["mean", "f_of_means", "bootstrap_median"])
def test_an_interval_of_few_samples_is_warned_of(aggregate):
    rouge = Rouge(rouge_types=["rouge1"], aggregate=aggregate, confidence=0.95)
    with pytest.warns(RougeWarning, match="An interval of 19 samples"):
        rouge.compute(TEXTS[0][:19], TEXTS[1][:19])
    with pytest.warns(RougeWarning, match="An interval of 15 samples|left 6 of 21") as warned:
        rouge.compute([""] * 6 + ["a"] * 15, ["a"] * 21, empty="skip")
    assert len(warned) == 2
    rouge.compute(TEXTS[0][:20], TEXTS[1][:20])  # a RougeWarning is an error in tests
    rouge.compute(TEXTS[0][:2], TEXTS[1][:2], confidence=None)
