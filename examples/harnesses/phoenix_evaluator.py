"""ROUGE for any language in Phoenix: an evaluator.

::

    evaluate_dataframe(frame, [rouge_l])  # columns output and reference
"""

from phoenix.evals import create_evaluator

from polyrouge import Rouge

ROUGE = Rouge(rouge_types=["rougeL"])


@create_evaluator(name="rouge_l", kind="code")
def rouge_l(output: str, reference: str) -> float:
    """ROUGE-L F of one output."""
    return ROUGE.compute([output], [reference])["rougeL"]
