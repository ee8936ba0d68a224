"""ROUGE for a task of lm-evaluation-harness; the task's YAML beside this file names the function."""

from polyrouge import Rouge

ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])  # once for all samples


def process_results(doc: dict, results: list[str]) -> dict[str, float]:
    """The scores of one sample: what the model generated, against all references of its row."""
    return ROUGE.compute(results, [doc["references"]])
