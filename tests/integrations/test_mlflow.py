"""MLflow evaluates with the metrics of ``examples/harnesses/mlflow_metrics.py``: its numbers are ours."""

import mlflow
import numpy as np
import pandas as pd
import pytest

from polyrouge import Rouge

TYPES = ["rouge1", "rouge2", "rougeL"]


@pytest.fixture
def metrics(monkeypatch, tmp_path):
    """The example's, with runs kept in a file of this test."""
    from harnesses import mlflow_metrics

    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    yield [mlflow_metrics.rouge_metric(kind) for kind in TYPES]
    mlflow.set_tracking_uri(None)


def test_table_and_run_have_our_scores(metrics, rows):
    data = pd.DataFrame(rows)

    with mlflow.start_run() as run:
        result = mlflow.models.evaluate(
            data=data, predictions="prediction", targets="references", extra_metrics=metrics
        )

    rouge = Rouge("zh_char", rouge_types=TYPES)
    expected = rouge.compute(data["prediction"], data["references"], use_aggregator=False)
    table = result.tables["eval_results_table"]
    logged = mlflow.get_run(run.info.run_id).data.metrics
    for kind in TYPES:
        assert table[f"{kind}/score"].tolist() == pytest.approx(expected[kind], abs=1e-10)  # the digits that it keeps
        assert result.metrics[f"{kind}/mean"] == pytest.approx(np.mean(expected[kind]), rel=1e-14)
        assert logged[f"{kind}/mean"] == result.metrics[f"{kind}/mean"]
    assert result.metrics["rouge1/mean"] == pytest.approx(
        rouge.compute(data["prediction"], data["references"])["rouge1"], rel=1e-14
    )
