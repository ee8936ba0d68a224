"""lm-evaluation-harness runs the task of ``examples/harnesses/lm_eval`` by its command: its numbers are ours."""

import json
import random
import statistics
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from polyrouge import Rouge

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "examples" / "harnesses" / "lm_eval"
TYPES = ["rouge1", "rouge2", "rougeL"]
ROUGE = Rouge("zh_char", rouge_types=TYPES)
WITH_BOOTSTRAP = f"""
include: {TASKS / "zh_news.yaml"}
task: zh_news_bootstrap
metric_list:
  - {{metric: rouge1, aggregation: nanmean, higher_is_better: true}}
  - {{metric: rouge2, aggregation: mean, higher_is_better: true}}
  - {{metric: rougeL, aggregation: mean, higher_is_better: true}}
"""


def results_of(folder):
    """The results of the run that wrote there, and its samples in the order of the data."""
    (results,) = folder.glob("**/results_*.json")
    (samples,) = folder.glob("**/samples_*.jsonl")
    rows = [json.loads(line) for line in samples.read_text("utf-8").splitlines()]
    return json.loads(results.read_text("utf-8"))["results"], sorted(rows, key=lambda row: row["doc_id"])


@pytest.fixture
def evaluated(run, tmp_path):
    """Runs the command: a task's results and samples."""

    def evaluate(task, folder, *arguments):
        common = ["--include_path", arguments[0], "--output_path", tmp_path / "out", "--log_samples"]
        run("-m", "lm_eval", "--tasks", task, *common, *arguments[1:], folder=folder)
        results, samples = results_of(tmp_path / "out")
        return results[task], samples

    return evaluate


@pytest.fixture
def lol_references(tmp_path):
    """What the dummy model says is always "lol": a folder of data whose references say so more or less often."""
    references = [["lol " * (n % 4) + "今天" * (n % 3), "lol 很好 " * (n % 5)] for n in range(1, 31)]
    lines = [json.dumps({"document_topic": "天气", "references": row}, ensure_ascii=False) for row in references]
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "zh_news.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return references


def agree(results, samples, expected):
    """Every sample's score to the last bit, their mean but for the order of adding up, and its standard error."""
    for kind in TYPES:
        assert [sample[kind] for sample in samples] == expected[kind]
        assert results[f"{kind},none"] == pytest.approx(statistics.fmean(expected[kind]), rel=1e-14)


def test_dummy_model(evaluated, lol_references, tmp_path):
    results, samples = evaluated("zh_news", tmp_path, TASKS, "--model", "dummy")
    expected = ROUGE.compute(["lol"] * 30, lol_references, use_aggregator=False)
    assert len(set(expected["rouge1"])) > 5
    agree(results, samples, expected)
    assert results["rouge1,none"] == pytest.approx(ROUGE.compute(["lol"] * 30, lol_references)["rouge1"], rel=1e-14)
    for kind in TYPES:
        error = statistics.stdev(expected[kind]) / sqrt(30)
        assert results[f"{kind}_stderr,none"] == pytest.approx(error, rel=1e-12)


def test_its_bootstrap(evaluated, lol_references, tmp_path):
    """``mean`` has a formula for its error; ``nanmean`` is drawn 100,000 times."""
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "zh_news_bootstrap.yaml").write_text(WITH_BOOTSTRAP, encoding="utf-8")

    results, samples = evaluated("zh_news_bootstrap", tmp_path, tmp_path / "tasks", "--model", "dummy")

    agree(results, samples, ROUGE.compute(["lol"] * 30, lol_references, use_aggregator=False))
    scores = [sample["rouge1"] for sample in samples]
    means = []
    for seed in range(100):
        draws = random.Random(seed)
        means += [statistics.fmean(draws.choices(scores, k=30)) for _ in range(1000)]
    assert results["rouge1_stderr,none"] == pytest.approx(np.std(means, ddof=1), rel=1e-9)
    ours = ROUGE.compute(["lol"] * 30, lol_references, confidence=0.6827, n_resamples=20_000)
    assert (ours["rouge1_high"] - ours["rouge1_low"]) / 2 == pytest.approx(results["rouge1_stderr,none"], rel=0.03)


def test_model_of_transformers(evaluated, tiny_model, references):
    model = ["--model", "hf", "--model_args", f"pretrained={tiny_model}", "--device", "cpu"]
    results, samples = evaluated("zh_news", ROOT, TASKS, *model)
    predictions = [sample["filtered_resps"][0] for sample in samples]
    expected = ROUGE.compute(predictions, references, use_aggregator=False)
    assert sum(score > 0 for score in expected["rouge1"]) > 10
    agree(results, samples, expected)
