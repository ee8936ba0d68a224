"""``polyrouge.compat.torchmetrics`` against the package itself."""

import json
import math
import os
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import nltk
import pytest
import torch
from punkt_data import with_punkt
from tool_texts import tool_samples
from torchmetrics.functional.text.rouge import rouge_score as their_score
from torchmetrics.text import ROUGEScore as Theirs

from polyrouge import RougeWarning
from polyrouge.compat.torchmetrics import ROUGEScore, rouge_score

pytestmark = pytest.mark.training
SAMPLES = tool_samples(2000, seed=8)
ROOT = Path(__file__).resolve().parents[2]
KEYS = ("rouge1", "rouge2", "rouge9", "rougeL", "rougeLsum")


@pytest.fixture(name="punkt", autouse=True, scope="module")
def _find_punkt(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        yield with_punkt(tmp_path_factory.mktemp("punkt"), patch)


def columns(start, stop):
    """Predictions and lists of references of some samples."""
    return [list(column) for column in zip(*SAMPLES[start:stop], strict=True)]


def numbers(result):
    """Every value to the last bit, and that it is a single float32 on the CPU."""
    for value in result.values():
        assert (value.dtype, value.shape, value.device.type) == (torch.float32, (), "cpu")
    return {name: repr(value.item()) for name, value in result.items()}


def outcome(score, *arguments, **options):
    try:
        return numbers(score(*arguments, **options))
    except (ValueError, IndexError) as error:
        return type(error).__name__


def _letters(text):
    return [letter if letter != "e" else "" for letter in text]


def _options(rng):
    return {
        "accumulate": rng.choice(["best", "avg"]),
        "use_stemmer": rng.random() < 0.5,
        "normalizer": rng.choice([None, None, str.upper, str.strip]),
        "tokenizer": rng.choice([None, None, _letters, str.split]),
        "rouge_keys": rng.choice([KEYS, KEYS[:1], "rougeLsum", "rougeL", ("rougeLsum", "rouge1", "rouge1")]),
    }


def test_rouge_score_is_the_package():
    rng, rows, seen = random.Random(9), list(SAMPLES), 0
    while rows:
        size = rng.choice([1, 1, 3, 40])
        batch, rows = rows[:size], rows[size:]
        preds, target = map(list, zip(*batch, strict=True))
        if rng.random() < 0.05:
            target[-1] = []
        elif size == 1 and rng.random() < 0.5:
            preds, target = preds[0], rng.choice([target[0], target[0][0]])
        elif rng.random() < 0.2:
            target = [references[0] for references in target]
        options = _options(rng)
        expected = outcome(their_score, preds, target, **options)
        assert outcome(rouge_score, preds, target, **options) == expected, (preds, target, options)
        seen += expected == "IndexError"
    assert seen


def test_rougescore_is_the_package():
    rng, batches = random.Random(10), [columns(start, start + 20) for start in range(0, len(SAMPLES), 20)]
    while batches:
        options, size = _options(rng), rng.choice([1, 2, 5])
        theirs, ours = Theirs(**options), ROUGEScore(**options)
        for rows in batches[:size]:
            assert numbers(theirs(*rows)) == numbers(ours(*rows)), options
        del batches[:size]
        assert numbers(theirs.compute()) == numbers(ours.compute()), options
        for metric in (theirs, ours):
            metric.reset()
            metric.update("the cat", ["a cat", "the dog"])
        assert numbers(theirs.compute()) == numbers(ours.compute())


REFUSED = [{"rouge_keys": "rouge"}, {"rouge_keys": ("rouge1", "rouge10")}, {"accumulate": "sum"}, {"unknown": 1}]


@pytest.mark.parametrize("options", REFUSED, ids=str)
def test_equal_refusals(options):
    kinds = [(Theirs, ROUGEScore, ())]
    if "rouge_keys" in options:
        kinds.append((their_score, rouge_score, ("a", "b")))
    for theirs, ours, texts in kinds:
        with pytest.raises(ValueError, match=r".") as expected:
            theirs(*texts, **options)
        with pytest.raises(ValueError, match=re.escape(str(expected.value))):
            ours(*texts, **options)


def test_no_keys_and_no_texts():
    assert rouge_score("a", "b", rouge_keys=()) == their_score("a", "b", rouge_keys=()) == {}
    assert math.isnan(rouge_score([], [])["rouge1_fmeasure"].item())
    for kind in (Theirs, ROUGEScore):
        with pytest.warns(UserWarning, match="before the ``update``"):
            assert math.isnan(kind().compute()["rougeL_recall"].item())


def test_what_is_not_as_usual():
    for texts, options, warning in (
        ((["a b", "c"], [["a b"]]), {}, "preds has 2 rows and target 1: as in torchmetrics"),
        (("a", "b"), {"accumulate": "sum", "rouge_keys": "rouge1"}, "accumulate is 'sum'"),  # NaN, as there
    ):
        with pytest.warns(RougeWarning, match=warning):
            scores = rouge_score(*texts, **options)
        assert numbers(scores) == numbers(their_score(*texts, **options))
    with pytest.raises(TypeError):
        rouge_score(["a", None], [["a"], ["b"]])
    options = {"tokenizer": lambda text: [*text.split(" "), None, 3], "normalizer": str.strip}  # None and 3 are dropped
    assert outcome(rouge_score, "a b", "a c", **options) == outcome(their_score, "a b", "a c", **options)
    # Each text of a tuple is a reference; torchmetrics takes its letters for references.
    assert numbers(rouge_score(("ab cd",), ("ab cd",))) == numbers(their_score(["ab cd"], ["ab cd"]))


def _filled(**options):
    metric = ROUGEScore(**options)
    for start in (0, 10, 20):
        metric.update(*columns(start, start + 10))
    return metric


def test_it_can_be_pickled_cloned_and_moved():
    metric = _filled(use_stemmer=True)
    expected = numbers(metric.compute())
    again = pickle.loads(pickle.dumps(metric))  # noqa: S301 our own
    for copied in (again, metric.clone(), metric.to("cpu")):
        assert numbers(copied.compute()) == expected
        copied.update("a", "b")
        assert numbers(copied.compute()) != expected
    torch.jit.script(ROUGEScore())


def test_states_are_saved_where_that_is_asked_for_theirs_too():
    metric, theirs, again = _filled(), Theirs(), ROUGEScore()
    theirs.update(*columns(0, 30))
    assert metric.state_dict() == {}
    again.persistent(True)
    for saved in (metric, theirs):
        saved.persistent(True)
        again.load_state_dict(saved.state_dict())
        assert numbers(again.compute()) == numbers(saved.compute())


def test_metrics_merge():
    whole, first, second = _filled(), ROUGEScore(), ROUGEScore()
    first.update(*columns(0, 5))
    second.update(*columns(5, 30))
    first.merge_state(second)
    assert {name: value.item() for name, value in first.compute().items()} == pytest.approx(
        {name: value.item() for name, value in whole.compute().items()}, rel=1e-6
    )


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_the_same_metric_as_a_rouge():
    rows = columns(0, 50)
    for options in ({}, {"use_stemmer": True, "accumulate": "avg"}, {"tokenizer": _letters, "use_stemmer": True}):
        scores = ROUGEScore(**options).as_polyrouge().compute(*rows, output="all")
        expected = {name.removesuffix("_fmeasure"): v.item() for name, v in ROUGEScore(**options)(*rows).items()}
        assert {name: scores[name] for name in expected} == pytest.approx(expected, rel=1e-6)


def test_missing_punkt_is_an_oserror(monkeypatch):
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(nltk, "download", Mock(side_effect=ValueError))  # no network
    for score in (their_score, rouge_score):
        with pytest.raises(OSError, match="punkt"):
            score("a", "b")
        assert score("a", "a", rouge_keys="rouge1")["rouge1_fmeasure"] == 1.0


def _batches(start, stop, size):
    return [columns(at, min(at + size, stop)) for at in range(start, stop, size)]


def test_two_processes_are_one(tmp_path, punkt, monkeypatch):
    rows = {"equal": [_batches(0, 40, 10), _batches(40, 80, 10)], "unequal": [_batches(80, 97, 4), []]}
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    (tmp_path / "nltk_data").symlink_to(punkt)
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    command = [sys.executable, str(ROOT / "tests" / "helpers" / "torchmetrics_processes.py")]
    processes = [subprocess.Popen([*command, rank, str(tmp_path)]) for rank in "01"]
    assert [process.wait() for process in processes] == [0, 0]
    results = [json.loads((tmp_path / f"found{rank}.json").read_text()) for rank in (0, 1)]
    assert results[0]["ours"] == results[0]["theirs"]  # to the last bit, its order of the samples being ours
    assert results[0]["ours"][0] == results[1]["ours"][0]
    alone = {name: value.item() for name, value in rouge_score(*columns(0, 80), accumulate="avg").items()}
    assert results[0]["ours"][0] == pytest.approx(alone, rel=1e-6)
    assert results[1]["unequal"] == {name: v.item() for name, v in rouge_score(*columns(80, 97)).items()}
    assert [each["own"] for each in results] == [[5, 17], [0, 0]]  # each has its own samples back
