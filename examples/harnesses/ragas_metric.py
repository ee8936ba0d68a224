"""ROUGE for any language in ragas: a numeric metric.

::

    rouge_l.score(response="今天天气很好", reference="今天天气不错").value
    rouge_l.batch_score([{"response": ..., "reference": ...}, ...])
"""

from ragas.metrics import numeric_metric

from polyrouge import Rouge

ROUGE = Rouge(rouge_types=["rougeL"])


@numeric_metric(name="rouge_l", allowed_values=(0.0, 1.0))
def rouge_l(response: str, reference: str) -> float:
    """ROUGE-L F of one response."""
    return ROUGE.compute([response], [reference])["rougeL"]
