"""Checkpoints: means by step are those of compute, changes those of each sample's scores."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from news import news

from polyrouge import Rouge, trace_checkpoints
from polyrouge.files.checkpoint_steps import checkpoint_files

ROWS = news("zh")
REFERENCES = [row["references"] for row in ROWS]
# Each checkpoint has more of the better system's texts.
CHECKPOINTS = {
    step: [row["prediction" if n % 4 < step // 100 else "prediction_b"] for n, row in enumerate(ROWS)]
    for step in (300, 100, 200)
}

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


@pytest.mark.parametrize("settings", [{}, {"scale": 100, "confidence": 0.9}, {"aggregate": "f_of_means"}])
def test_means_are_those_of_compute_by_step(settings):
    rouge = Rouge("zh_char", rouge_types=["rouge1", "rougeL"], **settings)

    curves = trace_checkpoints(CHECKPOINTS, REFERENCES, rouge)

    assert curves.steps == (100, 200, 300)
    for row, step in enumerate(curves.steps):
        expected = rouge.compute(CHECKPOINTS[step], REFERENCES, confidence=settings.get("confidence", 0.95))
        for end, values in (("", curves.means), ("_low", curves.low), ("_high", curves.high)):
            assert values is not None
            assert values[row].tolist() == [expected[f"{key}{end}"] for key in curves.keys]


def test_means_without_an_interval():
    rouge = Rouge("zh_char", aggregate="micro", multi_reference="first")
    curves = trace_checkpoints(CHECKPOINTS, REFERENCES, rouge)

    assert (curves.low, curves.high) == (None, None)
    assert curves.means[0, 0] == rouge.compute(CHECKPOINTS[100], REFERENCES)["rouge1"]
    assert curves.to_dict()["low"] is None


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


def test_all_of_it_is_json():
    curves = trace_checkpoints(CHECKPOINTS, REFERENCES, Rouge("zh_char"))

    read = json.loads(json.dumps(curves.to_dict()))

    assert read["means"] == curves.means.tolist()
    assert read["changes"][0]["up"][0]["difference"] == curves.changes[0].up[0].difference


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


def files_in(folder, names, rows=None):
    paths = []
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        row = {"prediction": "a", "references": ["a"], **(rows[number] if rows else {})}
        path.write_text(f"{json.dumps(row)}\n{json.dumps(row)}\n", "utf-8")
        paths.append(str(path))
    return paths


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["checkpoint-1000/s.jsonl", "checkpoint-200/s.jsonl"], [(200, "checkpoint-200"), (1000, "checkpoint-1000")]),
        (["a_step_20.jsonl", "a_step_3.jsonl"], [(3, "a_step_3"), (20, "a_step_20")]),
        (["lr2/epoch=3/x.jsonl", "lr2/epoch=10/x.jsonl"], [(3, "epoch=3"), (10, "epoch=10")]),
        (["global_step7/x.jsonl", "global_step5/x.jsonl"], [(5, "global_step5"), (7, "global_step7")]),
        (
            ["samples/evaluation-000010.jsonl", "samples/evaluation-000002.jsonl"],
            [(2, "evaluation-000002"), (10, "evaluation-000010")],
        ),
        (["checkpoint-1/evaluation-000001.jsonl", "checkpoint-2/evaluation-000001.jsonl"], [(1, None), (2, None)]),
        (["a.jsonl", "b.jsonl"], []),
        (["checkpoint-5/a.jsonl", "checkpoint-5/b.jsonl"], []),  # two systems at one step
        (["checkpoint-5/a.jsonl", "other/a.jsonl"], []),
        (["footstep9.jsonl", "footstep10.jsonl"], []),
        (["checkpoint-5/a.jsonl"], []),
    ],
)
def test_steps_stand_in_paths(tmp_path, names, expected):
    files = checkpoint_files(files_in(tmp_path, names))

    assert [each.step for each in files] == [step for step, _ in expected]
    assert [each.name for each in files] == [name or f"checkpoint-{step}" for step, name in expected]
    assert all(str(each.step) in each.path for each in files)


@pytest.mark.parametrize(
    ("rows", "steps"),
    [
        ([{"step": 30}, {"step": 4}], [4, 30]),
        ([{"global_step": "30"}, {"global_step": 4.0}], [4, 30]),
        ([{"step": 30}, {"step": 30}], []),
        ([{"step": "first"}, {"step": 2}], []),
        ([{"step": True}, {"step": 2}], []),
        ([{"step": 30}, {}], []),
    ],
)
def test_steps_stand_in_rows(tmp_path, rows, steps):
    assert [each.step for each in checkpoint_files(files_in(tmp_path, ["a.jsonl", "b.jsonl"], rows))] == steps


def test_a_column_of_many_steps_is_something_else(tmp_path):
    paths = files_in(tmp_path, ["a.jsonl", "b.jsonl"], [{"step": 1}, {"step": 2}])
    with open(paths[0], "a", encoding="utf-8") as file:
        file.write('{"prediction": "a", "references": ["a"], "step": 9}\n')

    assert checkpoint_files(paths) == []


def test_keys_of_an_interval_go_with_the_samples_that_count():
    predictions = [f"a {'b' if n % 3 else 'c'} {n}" for n in range(30)]
    rouge = Rouge(rouge_types=["rouge1"], empty="skip", confidence=0.9, interval="poisson")

    curves = trace_checkpoints({1: predictions, 2: ["", *predictions[1:]]}, [f"a c {n}" for n in range(30)], rouge)
    expected = rouge.compute(predictions[1:], [f"a c {n}" for n in range(1, 30)])

    assert curves.low is not None
    assert [expected["rouge1_low"]] * 2 == curves.low[:, 0].tolist()
