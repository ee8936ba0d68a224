"""ROUGE for any language in LangSmith: an evaluator, which runs on this machine.

::

    evaluate(target, data="my data set", evaluators=[rouge_l])  # whose outputs have answer, and examples reference
"""

from typing import Any

from polyrouge import Rouge

ROUGE = Rouge(rouge_types=["rougeL"])


def rouge_l(outputs: dict[str, Any], reference_outputs: dict[str, Any]) -> float:
    """ROUGE-L F of one output; its name is that of the feedback."""
    return ROUGE.compute([outputs["answer"]], [reference_outputs["reference"]])["rougeL"]
