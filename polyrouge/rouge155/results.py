"""ROUGE-1.5.5's scores and averages from its counts, each number rounded where the script rounds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyrouge.rouge155.counting import EmptyReferenceError, PairCounts155, pooled_counts, rounded5
from polyrouge.rouge155.options import Rouge155Options
from polyrouge.rouge155.resampling import Interval155, bootstrap_corpus155, bootstrap_documents155, interval155


class Rouge155Task(NamedTuple):
    """One evaluation of one system.

    Attributes:
        name: what identifies it; the script's ``<evaluation>.<system>``. Resamples draw from the
            tasks in the order of their names as strings.
        prediction: sentences of the prediction, a text each; for basic elements its lines.
        references: sentences of each reference.
    """

    name: str
    prediction: Sequence[str]
    references: Sequence[Sequence[str]]


class DocumentScore155(NamedTuple):
    """One metric of one task.

    Attributes:
        name: the task's.
        counts: hits, prediction total and reference total, of the pooled or best references.
        precision: rounded to five decimals, as all three.
        recall: in [0, 1].
        fmeasure: from the rounded precision and recall.
    """

    name: str
    counts: PairCounts155
    precision: float
    recall: float
    fmeasure: float


@dataclass(frozen=True)
class MetricResult155:
    """One metric of all tasks.

    Attributes:
        metric: the script's name of it, such as ``ROUGE-SU4``.
        documents: one score a task, in the order of their names: the order of the resamples.
        totals: counts added up over the tasks.
        recall: average and interval; None where only counts are asked for, as all three.
        precision: average and interval.
        fmeasure: average and interval.
    """

    metric: str
    documents: list[DocumentScore155]
    totals: PairCounts155
    recall: Interval155 | None = None
    precision: Interval155 | None = None
    fmeasure: Interval155 | None = None


@dataclass(frozen=True)
class Rouge155Result:
    """What the script prints for one system.

    Attributes:
        metrics: in printed order, up to the first that fails.
        error: why a metric failed, on which the script dies; None if none did.
    """

    metrics: dict[str, MetricResult155]
    error: EmptyReferenceError | None = None


def document_score(metric: str, name: str, counts: PairCounts155, options: Rouge155Options) -> DocumentScore155:
    """Precision, recall and F of one task: each rounded before the next (1204-1219, 1594-1616)."""
    recall = counts.hits / counts.reference if counts.reference else 0.0
    precision = counts.hits / counts.prediction if counts.prediction else 0.0
    if metric.startswith("ROUGE-W"):
        inverse = 1 / (options.weight or 1.0)
        recall, precision = recall**inverse, precision**inverse
    recall, precision = rounded5(recall), rounded5(precision)
    alpha = options.alpha
    below = (1 - alpha) * precision + alpha * recall
    fmeasure = rounded5(precision * recall / below) if below > 0 else 0.0
    return DocumentScore155(name, counts, precision, recall, fmeasure)


def metric_result(
    metric: str, counts: Sequence[tuple[str, PairCounts155]], options: Rouge155Options
) -> MetricResult155:
    """Scores, totals and, where they are asked for, averages and intervals of tasks, in resampling order."""
    documents = [document_score(metric, name, pair, options) for name, pair in counts]
    totals = pooled_counts(pair for _, pair in counts)
    if options.counting == "counts":
        return MetricResult155(metric, documents, totals)
    if options.counting == "corpus":
        columns = np.array([pair[:3] for _, pair in counts], dtype=np.float64).reshape(-1, 3)
        means = bootstrap_corpus155(columns, options.n_resamples, options.alpha)
    else:
        rows = [(score.recall, score.precision, score.fmeasure) for score in documents]
        means = bootstrap_documents155(np.array(rows, dtype=np.float64).reshape(-1, 3), options.n_resamples)
    recall, precision, fmeasure = (interval155(means[:, column], options.confidence) for column in range(3))
    return MetricResult155(metric, documents, totals, recall, precision, fmeasure)
