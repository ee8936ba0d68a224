"""ROUGE for Chinese in lighteval 0.13: a metric and a task with it.

From the root of a clone::

lighteval accelerate model_name=MODEL zh_news --custom-tasks examples/harnesses/lighteval_task.py
"""

from typing import Any

import numpy as np
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetricGrouping
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from polyrouge import Rouge

TYPES = ["rouge1", "rouge2", "rougeL"]


class RougeOfSample(SampleLevelComputation):
    """The scores of one sample: the first text generated, against all references."""

    def __init__(self) -> None:
        self.rouge = Rouge("zh_char", rouge_types=TYPES)

    def compute(self, doc: Doc, model_response: ModelResponse, **_: Any) -> dict[str, float]:
        """Called by lighteval, sample by sample."""
        return self.rouge.compute(model_response.final_text[:1], [doc.get_golds()])


ROUGE = SampleLevelMetricGrouping(
    metric_name=TYPES,
    sample_level_fn=RougeOfSample(),
    category=SamplingMethod.GENERATIVE,
    corpus_level_fn=dict.fromkeys(TYPES, np.mean),
    higher_is_better=dict.fromkeys(TYPES, True),
)


def prompt(row: dict[str, Any], task_name: str) -> Doc:
    """A row of the data set as lighteval's ``Doc``; several golds are several references."""
    references = row["references"]
    return Doc(
        query=f"写一条{row['document_topic']}新闻：",
        choices=references,
        gold_index=list(range(len(references))),
        task_name=task_name,
    )


TASKS_TABLE = [
    LightevalTaskConfig(
        name="zh_news",
        prompt_function=prompt,
        hf_repo="examples",  # a folder whose README.md names its files, or a data set on the Hub
        hf_subset="zh_news",
        hf_avail_splits=["train"],
        evaluation_splits=["train"],
        metrics=[ROUGE],
        generation_size=64,
        stop_sequence=[],
    )
]
