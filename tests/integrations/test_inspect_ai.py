"""Inspect AI runs the task of ``examples/harnesses/inspect_task.py``: its numbers are ours."""

import statistics

import pytest
from inspect_ai import eval as run_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from polyrouge import Rouge

TYPES = ["rouge1", "rouge2", "rougeL"]


@pytest.mark.filterwarnings("ignore:An interval of")  # Inspect asks for it while samples are still to come
def test_scorer_and_metric(rows, references, tmp_path):
    from harnesses import inspect_task

    outputs = [ModelOutput.from_content("mockllm/model", row["prediction"]) for row in rows]
    for output in outputs:
        output.usage = ModelUsage()  # else it counts tokens, by a table that it downloads
    model = get_model("mockllm/model", custom_outputs=outputs)

    (log,) = run_eval(
        inspect_task.zh_news(), model=model, max_samples=1, max_connections=1, display="none", log_dir=str(tmp_path)
    )

    assert log.status == "success", log.error
    rouge = Rouge("zh_char", rouge_types=TYPES)
    predictions = [row["prediction"] for row in rows]
    expected = rouge.compute(predictions, references, use_aggregator=False)
    samples = {sample.id: sample.scores["rouge"].value for sample in log.samples}
    assert list(samples) == [row["id"] for row in rows]
    means = {score.name: score.metrics for score in log.results.scores}
    for kind in TYPES:
        assert [value[kind] for value in samples.values()] == expected[kind]
        assert means[kind]["mean"].value == pytest.approx(statistics.fmean(expected[kind]), rel=1e-14)
    ours = rouge.compute(predictions, references, confidence=0.95)
    interval = {name: metric.value for name, metric in means["rouge"].items()}
    assert interval == ours
    assert log.eval.metadata == {"rouge": rouge.signature()}
