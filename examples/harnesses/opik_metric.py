"""ROUGE for any language in Opik: a metric for ``opik.evaluate``, with one reference or several."""

from typing import Any

from opik.evaluation.metrics import base_metric, score_result

from polyrouge import Rouge


class RougeMetric(base_metric.BaseMetric):
    """ROUGE F of a type; an empty output scores 0."""

    def __init__(self, rouge_type: str = "rougeL", convention: str = "default", track: bool = True) -> None:
        super().__init__(name=rouge_type, track=track)
        self.rouge = Rouge(convention, rouge_types=[rouge_type])

    def score(self, output: str, reference: str | list[str], **_: Any) -> score_result.ScoreResult:
        """Called by Opik, item by item."""
        value = self.rouge.compute([output], [reference])[self.name]
        return score_result.ScoreResult(name=self.name, value=value, reason=self.rouge.signature())
