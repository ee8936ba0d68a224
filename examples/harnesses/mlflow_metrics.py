"""ROUGE for Chinese in MLflow 3: metrics for ``mlflow.models.evaluate``, and the example data scored with them.

python examples/harnesses/mlflow_metrics.py
"""

from pathlib import Path

import mlflow
import pandas as pd
from mlflow.metrics import MetricValue, make_metric
from mlflow.models import EvaluationMetric

from polyrouge import Rouge

ROUGE = Rouge("zh_char")


def rouge_metric(rouge_type: str) -> EvaluationMetric:
    """A metric of one type: MLflow's table gets the score of each row, and the run their mean, variance and p90."""

    def score(predictions: pd.Series, targets: pd.Series) -> MetricValue:
        return MetricValue(
            ROUGE.compute(predictions, targets, rouge_types=[rouge_type], use_aggregator=False)[rouge_type]
        )

    return make_metric(eval_fn=score, greater_is_better=True, name=rouge_type)


if __name__ == "__main__":
    rows = pd.read_json(Path(__file__).parents[1] / "zh_news.jsonl", lines=True)
    with mlflow.start_run():
        mlflow.log_param("rouge", ROUGE.signature())
        result = mlflow.models.evaluate(
            data=rows,
            predictions="prediction",
            targets="references",
            extra_metrics=[rouge_metric(each) for each in ("rouge1", "rouge2", "rougeL")],
        )
    print(result.metrics)
