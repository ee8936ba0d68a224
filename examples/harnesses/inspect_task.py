"""ROUGE for Chinese in Inspect AI: a scorer, a metric over all samples, a task.

From the root of a clone::

inspect eval examples/harnesses/inspect_task.py --model MODEL
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
from inspect_ai.solver import TaskState, generate

from polyrouge import Rouge

ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rouge2", "rougeL"])


@metric
def rouge_interval(confidence: float = 0.95) -> Metric:
    """The means over all samples, with their bootstrap intervals; for one epoch."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        predictions = [sample.score.answer for sample in scores]
        references = [sample.score.metadata["references"] for sample in scores]
        return ROUGE.compute(predictions, references, confidence=confidence)

    return compute


@scorer(metrics=[{"*": [mean(), stderr()]}, rouge_interval()])
def rouge() -> Scorer:
    """The scores of one sample: what the model said, against all of its targets."""

    async def score(state: TaskState, target: Target) -> Score:
        prediction, references = state.output.completion, list(target)
        value = ROUGE.compute([prediction], [references])
        return Score(value=value, answer=prediction, metadata={"references": references})

    return score


@task
def zh_news() -> Task:
    """The Chinese example data."""

    def read(row: dict) -> Sample:
        return Sample(id=row["id"], input=f"写一条{row['document_topic']}新闻：", target=row["references"])

    data = json_dataset(str(Path(__file__).parents[1] / "zh_news.jsonl"), read)
    return Task(data, solver=generate(), scorer=rouge(), metadata={"rouge": ROUGE.signature()})
