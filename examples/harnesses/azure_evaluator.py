"""ROUGE for any language in Azure AI evaluation: an evaluator, which runs on this machine.

::

    evaluate(data="outputs.jsonl", evaluators={"rouge": RougeEvaluator()})  # columns response and ground_truth
"""

from polyrouge import Rouge


class RougeEvaluator:
    """ROUGE F of each type, by row; Azure adds the means."""

    def __init__(self, convention: str = "default") -> None:
        self.rouge = Rouge(convention, rouge_types=["rouge1", "rouge2", "rougeL"])

    def __call__(self, *, response: str, ground_truth: str) -> dict[str, float]:
        """Called by Azure for each row."""
        return self.rouge.compute([response], [ground_truth])
