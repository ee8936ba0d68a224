"""lm-evaluation-harness runs the task of ``examples/harnesses/lm_eval`` by its command: its numbers are ours."""

import json
import statistics
from math import sqrt
from pathlib import Path

import pytest

from polyrouge import Rouge

TASKS = Path(__file__).resolve().parents[2] / "examples" / "harnesses" / "lm_eval"
TYPES = ["rouge1", "rouge2", "rougeL"]
ROUGE = Rouge("zh_char", rouge_types=TYPES)


def test_scores_of_its_dummy_model(run, tmp_path):
    """It always says "lol": every sample's score is ours to the last bit, their mean but for the order of adding up."""
    references = [["lol " * (n % 4) + "今天" * (n % 3), "lol 很好 " * (n % 5)] for n in range(1, 31)]
    lines = [json.dumps({"document_topic": "天气", "references": row}, ensure_ascii=False) for row in references]
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "zh_news.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    options = ["--include_path", TASKS, "--output_path", tmp_path / "out", "--log_samples", "--model", "dummy"]
    run("-m", "lm_eval", "--tasks", "zh_news", *options, folder=tmp_path)

    (results,) = (tmp_path / "out").glob("**/results_*.json")
    results = json.loads(results.read_text("utf-8"))["results"]["zh_news"]
    (samples,) = (tmp_path / "out").glob("**/samples_*.jsonl")
    samples = sorted(map(json.loads, samples.read_text("utf-8").splitlines()), key=lambda row: row["doc_id"])
    expected = ROUGE.compute(["lol"] * 30, references, use_aggregator=False)
    assert len(set(expected["rouge1"])) > 5
    for kind in TYPES:
        assert [sample[kind] for sample in samples] == expected[kind]
        assert results[f"{kind},none"] == pytest.approx(statistics.fmean(expected[kind]), rel=1e-14)
        error = statistics.stdev(expected[kind]) / sqrt(30)
        assert results[f"{kind}_stderr,none"] == pytest.approx(error, rel=1e-12)
    assert results["rouge1,none"] == pytest.approx(ROUGE.compute(["lol"] * 30, references)["rouge1"], rel=1e-14)
