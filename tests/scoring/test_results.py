"""The form of the result: weighted sums, lists, and what can't be made of scores alone."""

import numpy as np
import pytest

from polyrouge import Rouge, RougeSettings
from polyrouge.scoring.aggregates import result_of, results_of

PREDICTIONS, REFERENCES = ["a b c", "x", "a d"], ["a b d", "x", "b d e"]


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize("output", ["fmeasure", "all"])
def test_weighted_is_the_sum_of_the_types_in_means_and_in_lists(scale, output):
    rouge = Rouge(rouge_types=["rouge1", "rouge2", "rougeL"], weights=(0.5, 0.25, 0.25), scale=scale, output=output)

    lists = rouge.compute(PREDICTIONS, REFERENCES, use_aggregator=False)
    means = rouge.compute(PREDICTIONS, REFERENCES)

    for end in ("", "_precision", "_recall") if output == "all" else ("",):
        one, two, lcs = (np.array(lists[f"{name}{end}"]) for name in ("rouge1", "rouge2", "rougeL"))
        weighted = 0.5 * one + 0.25 * two + 0.25 * lcs
        assert lists[f"weighted{end}"] == pytest.approx(weighted.tolist(), abs=1e-15 * scale)
        assert means[f"weighted{end}"] == pytest.approx(weighted.mean(), abs=1e-15 * scale)
    assert {type(value) for value in lists["weighted"]} == {float}


def test_counts_that_are_added_up_are_not_made_of_scores():
    rules = RougeSettings(rouge_types=("rouge1",), aggregate="micro", multi_reference="first").result_rules
    with pytest.raises(ValueError, match="micro"):
        result_of(np.zeros((2, 1, 3)), rules)


@pytest.mark.parametrize("digits", [0, 2, None])
def test_means_and_bounds_are_rounded_alike(digits):
    rouge = Rouge(rouge_types=["rouge1"], scale=100, confidence=0.9, n_resamples=99)
    texts = ["a b c", "a", "d e f", "b"] * 6, ["a b", "a", "f g h i", "c"] * 6

    exact, shown = rouge.compute(*texts), rouge.compute(*texts, round_result=digits)

    assert shown == {key: value if digits is None else round(value, digits) for key, value in exact.items()}


@pytest.mark.parametrize("interval", ["percentile", "bca"])
@pytest.mark.parametrize(
    "changes",
    [
        {"output": "all"},
        {"aggregate": "f_of_means", "output": "all"},
        {"round_each": 3, "scale": 100},
        {"weights": (0.5, 0.5), "round_result": 2},
    ],
)
def test_results_of_several_systems_are_those_of_each_alone(interval, changes):
    """To the bit, whatever the other systems score, and of a system that leaves samples out."""
    options = {"rouge_types": ("rouge1", "rouge2"), "confidence": 0.9, "n_resamples": 99, "seed": 3, **changes}
    rules = RougeSettings(interval=interval, **options).result_rules
    systems = list(np.random.default_rng(1).choice([0, 0.1, 1 / 3, 0.5, 1], (4, 30, 2, 3)))
    systems[2][[3, 8]] = np.nan
    systems[3] *= 1e-3

    assert results_of(systems, rules) == [result_of(scores, rules) for scores in systems]
