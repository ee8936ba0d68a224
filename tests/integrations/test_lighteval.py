"""lighteval runs the task of ``examples/harnesses/lighteval_task.py`` by its command: its numbers are ours."""

import json
import statistics
from pathlib import Path

import pyarrow.parquet
import pytest

from polyrouge import Rouge

ROOT = Path(__file__).resolve().parents[2]
TYPES = ["rouge1", "rouge2", "rougeL"]
# Its command imports all of its own tasks, of which one downloads a file as it is imported.
COMMAND = """
import sys, types
own = types.ModuleType("lighteval.tasks.tasks.tiny_benchmarks")
own.TASKS_TABLE = []
sys.modules[own.__name__] = own
from lighteval.__main__ import app
app()
"""


def test_custom_metric_and_task(run, tiny_model, rows, tmp_path):
    task = ["zh_news", "--custom-tasks", ROOT / "examples" / "harnesses" / "lighteval_task.py"]
    saved = ["--output-dir", tmp_path / "out", "--save-details"]

    run("-c", COMMAND, "accelerate", f"model_name={tiny_model},device=cpu", *task, *saved)

    (results,) = (tmp_path / "out").glob("**/results_*.json")
    results = json.loads(results.read_text("utf-8"))["results"]["zh_news|0"]
    (details,) = (tmp_path / "out").glob("**/details_*.parquet")
    samples = pyarrow.parquet.read_table(details).to_pylist()
    prompts = {f"写一条{row['document_topic']}新闻：" for row in rows}
    assert len(samples) == len(rows)
    predictions = [sample["model_response"]["text"][0] for sample in samples]
    references = [sample["doc"]["choices"] for sample in samples]
    assert sorted(references) == sorted(row["references"] for row in rows)
    assert {sample["doc"]["query"] for sample in samples} == prompts
    expected = Rouge("zh_char", rouge_types=TYPES).compute(predictions, references, use_aggregator=False)
    assert sum(score > 0 for score in expected["rouge1"]) > 10
    for kind in TYPES:
        assert [sample["metric"][kind] for sample in samples] == expected[kind]
        assert results[kind] == pytest.approx(statistics.fmean(expected[kind]), rel=1e-14)
