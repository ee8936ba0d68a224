"""Mean, interval and rouge_score's bootstrap median."""

import functools
import math
import operator
import random

import numpy as np
import pytest

from polyrouge import Rouge, RougeSettings
from polyrouge.scoring.aggregates import aggregate_scores
from polyrouge.scoring.intervals import bootstrap_interval


def textbook_interval(values: list[float], confidence: float, n_resamples: int, seed: int) -> tuple[float, float]:
    """One resample after the other, by Python's own arithmetic, over the same draws."""
    n = len(values)
    resamples = np.random.default_rng(seed).integers(0, n, size=(n_resamples, n)).tolist()
    means = sorted(math.fsum(values[i] for i in draws) / n for draws in resamples)

    def quantile(q: float) -> float:
        place = q * (n_resamples - 1)
        below = min(int(place), n_resamples - 2)
        return means[below] + (place - below) * (means[below + 1] - means[below])

    return quantile((1 - confidence) / 2), quantile(1 - (1 - confidence) / 2)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("n", [1, 2, 37, 400])
def test_interval_equals_a_textbook_version(n, confidence):
    draw = random.Random(n)
    values = [draw.random() for _ in range(n)]

    low, high = bootstrap_interval(np.array([values]).T, confidence, 200, seed=7)

    assert textbook_interval(values, confidence, 200, 7) == pytest.approx((low[0], high[0]), abs=1e-9)


def test_interval_does_not_depend_on_blocks(monkeypatch):
    values = np.random.default_rng(3).random((100, 5))
    together = bootstrap_interval(values, 0.9, 300, seed=1)
    monkeypatch.setattr("polyrouge.scoring.resamples._DRAWS_AT_ONCE", 1000)
    assert np.array_equal(together, bootstrap_interval(values, 0.9, 300, seed=1))


@pytest.mark.filterwarnings("ignore:An interval of")
def test_no_interval_disturbs_the_global_generators():
    before = random.getstate(), repr(np.random.get_state())
    Rouge(rouge_types=["rouge1"], confidence=0.95).compute(["a b", "c"], ["a", "c"])
    assert before == (random.getstate(), repr(np.random.get_state()))


@pytest.mark.filterwarnings("ignore:seed=99 has no effect")
def test_bootstrap_median_of_the_metric_depends_on_numpys_global_state_only():
    rouge = Rouge("evaluate_rouge", rouge_types=["rouge1"], aggregate="bootstrap_median", n_resamples=20)
    words = "one two three four five six seven eight nine ten eleven twelve".split()
    arguments = (words, [" ".join(words[: i + 1]) for i in range(12)])
    np.random.seed(4)
    first = rouge.compute(*arguments)
    np.random.seed(4)
    assert first == rouge.compute(*arguments, seed=99)
    assert first != rouge.compute(*arguments)


def test_each_kind_of_mean_is_added_up_as_it_says():
    scores = np.random.default_rng(8).random((1000, 1, 3))  # of which they differ
    means = [
        aggregate_scores(scores, RougeSettings(rouge_types=["rouge1"], aggregate=kind).result_rules).middle[0, 2]
        for kind in ("mean", "running_mean", "numpy_mean")
    ]

    column = scores[:, 0, 2].tolist()
    one_by_one = functools.reduce(operator.add, column)
    assert means == [math.fsum(column) / 1000, one_by_one / 1000, np.mean(np.array(column))]
    assert len(set(means)) == 3
