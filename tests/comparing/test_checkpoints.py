"""Checkpoints: means by step are those of compute, changes those of each sample's scores."""

import re
from itertools import pairwise

import numpy as np
import pytest
from news import news

from polyrouge import Rouge, trace_checkpoints

ROWS = news("zh")
REFERENCES = [row["references"] for row in ROWS]
# Each checkpoint has more of the better system's texts.
CHECKPOINTS = {
    step: [row["prediction" if n % 4 < step // 100 else "prediction_b"] for n, row in enumerate(ROWS)]
    for step in (300, 100, 200)
}

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
MICRO = {"aggregate": "micro", "multi_reference": "first"}  # has no interval


@pytest.mark.parametrize("settings", [{"scale": 100, "confidence": 0.9}, {"aggregate": "f_of_means"}, MICRO])
def test_means_are_those_of_compute_by_step(settings):
    rouge = Rouge("zh_char", rouge_types=["rouge1", "rougeL"], **settings)

    curves = trace_checkpoints(CHECKPOINTS, REFERENCES, rouge)

    assert curves.steps == (100, 200, 300)
    for row, step in enumerate(curves.steps):
        confidence = None if settings == MICRO else settings.get("confidence", 0.95)
        expected = rouge.compute(CHECKPOINTS[step], REFERENCES, confidence=confidence)
        for end, values in (("", curves.means), ("_low", curves.low), ("_high", curves.high)):
            assert (values is None) == (end != "" and settings == MICRO)
            assert values is None or values[row].tolist() == [expected[f"{key}{end}"] for key in curves.keys]


def test_changes_are_later_minus_earlier():
    rouge = Rouge("zh_char", scale=100, rouge_types=["rouge1", "rouge2"])
    curves = trace_checkpoints(CHECKPOINTS, REFERENCES, rouge)
    scores = {step: rouge.score(texts, REFERENCES) for step, texts in CHECKPOINTS.items()}

    assert [(each.before, each.after) for each in curves.changes if each.key == "rouge1"] == list(
        pairwise(curves.steps)
    )
    for change in curves.changes:
        before, after = scores[change.before][change.key], scores[change.after][change.key]
        moved = after - before
        assert (change.better, change.worse) == ((moved > 0).sum(), (moved < 0).sum())
        assert [each.difference for each in change.up] == pytest.approx(np.sort(moved[moved > 0])[::-1][:10])
        assert [each.difference for each in change.down] == pytest.approx(np.sort(moved[moved < 0])[:10])
        for each in change.up + change.down:
            assert (each.before, each.after) == (before[each.sample], after[each.sample])


def test_equal_fractions_do_not_change():
    """2/9 by 3 hits of 19 and 8 tokens, and by 2 of 10 and 8: floats that differ in the last digit."""
    checkpoints = {1: [f"a a a {'x ' * 16}"] * 2, 2: [f"a a {'x ' * 8}"] * 2}

    curves = trace_checkpoints(checkpoints, ["a a a 1 2 3 4 5"] * 2, Rouge(rouge_types=["rouge1"]))

    assert curves.means[0, 0] != curves.means[1, 0]
    (change,) = curves.changes
    assert (change.better, change.worse, change.up, change.down) == (0, 0, (), ())


@pytest.mark.parametrize(
    ("checkpoints", "error", "message"),
    [
        ([["a"]], TypeError, "give a mapping"),
        ({1: ["a"]}, ValueError, "1 checkpoint; give two or more"),
        ({"1": ["a"], 2: ["a"]}, TypeError, "A step is '1' (str)"),
        ({float("inf"): ["a"], 2: ["a"]}, ValueError, "The step inf is given twice or is not finite"),
    ],
)
def test_what_is_refused(checkpoints, error, message):
    with pytest.raises(error, match=re.escape(message)):
        trace_checkpoints(checkpoints, ["a"])


def test_an_interval_is_of_the_samples_that_count():
    predictions = [f"a {'b' if n % 3 else 'c'} {n}" for n in range(30)]
    rouge = Rouge(rouge_types=["rouge1"], empty="skip", confidence=0.9)

    curves = trace_checkpoints({1: predictions, 2: ["", *predictions[1:]]}, [f"a c {n}" for n in range(30)], rouge)
    expected = rouge.compute(predictions[1:], [f"a c {n}" for n in range(1, 30)])

    assert curves.low is not None
    assert [expected["rouge1_low"]] * 2 == curves.low[:, 0].tolist()
