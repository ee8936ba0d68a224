"""ROUGE for any language in lm-evaluation-harness and in lighteval: metric functions to put into a task.

lm-evaluation-harness: put ``process_results`` into the ``utils.py`` beside the task, and into its YAML::

    process_results: !function utils.process_results
    metric_list:
      - {metric: rouge1, aggregation: mean, higher_is_better: true}
      - {metric: rouge2, aggregation: mean, higher_is_better: true}
      - {metric: rougeL, aggregation: mean, higher_is_better: true}

lighteval: put ``lighteval_metric()`` into the ``metrics`` of a ``LightevalTaskConfig``.
"""

from __future__ import annotations

from typing import Any

from polyrouge import Rouge

_TYPES = ["rouge1", "rouge2", "rougeL"]
_ROUGE = Rouge("zh_char", rouge_types=_TYPES)  # once: building it for each sample is what makes harnesses slow


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """The scores of one document: lm-evaluation-harness calls it with the generated texts.

    Args:
        doc: a row of the task's data set, here with the references in ``target``: a text or several.
        results: what the model generated; the first counts.
    """
    target = doc["target"]
    return _ROUGE.compute(results[:1], [[target] if isinstance(target, str) else target])


def lighteval_scores(doc: Any, model_response: Any, **_: Any) -> dict[str, float]:
    """The scores of one sample: lighteval calls it with its ``Doc`` and the model's ``ModelResponse``."""
    return _ROUGE.compute(model_response.final_text[:1], [doc.get_golds()])


def lighteval_metric() -> Any:
    """The metric group for a task of lighteval 0.13."""
    import numpy as np
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetricGrouping
    from lighteval.tasks.requests import SamplingMethod

    class PolyRouge(SampleLevelComputation):
        def compute(self, doc: Any, model_response: Any, **kwargs: Any) -> dict[str, float]:
            return lighteval_scores(doc, model_response, **kwargs)

    return SampleLevelMetricGrouping(
        metric_name=_TYPES,
        sample_level_fn=PolyRouge(),
        category=SamplingMethod.GENERATIVE,
        corpus_level_fn=dict.fromkeys(_TYPES, np.mean),
        higher_is_better=dict.fromkeys(_TYPES, True),
    )


if __name__ == "__main__":
    print(process_results({"target": ["今天天气不错", "今天是个好天气"]}, ["今天天气很好"]))
