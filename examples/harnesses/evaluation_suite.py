"""ROUGE for Chinese in an EvaluationSuite of evaluate, which needs transformers 4: later ones can't summarize.

::

    suite = evaluate.EvaluationSuite.load("examples/harnesses/evaluation_suite.py")
    suite.run(pipeline("summarization", model=MODEL))
"""

import evaluate
from datasets import Dataset
from evaluate.evaluation_suite import SubTask

import polyrouge

TYPES = ["rouge1", "rouge2", "rougeL"]


class Suite(evaluate.EvaluationSuite):
    """evaluate looks for this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.suite = [
            SubTask(
                task_type="summarization",
                data=Dataset.from_json("examples/zh_news.jsonl"),
                args_for_task={
                    "metric": evaluate.load(polyrouge.metric_path(), "zh_char", rouge_types=TYPES),
                    "input_column": "document_topic",
                    "label_column": "references",
                },
            )
        ]
