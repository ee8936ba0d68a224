"""ROUGE-1.5.5 in full: the script's options, its input formats, its scoring and what it prints."""

from polyrouge.compat.rouge155.evaluation import (
    DocumentScore155,
    Interval155,
    MetricResult155,
    Rouge155Result,
    Rouge155Task,
    evaluate_tasks,
)
from polyrouge.compat.rouge155.options import Rouge155Options

__all__ = [
    "DocumentScore155",
    "Interval155",
    "MetricResult155",
    "Rouge155Options",
    "Rouge155Result",
    "Rouge155Task",
    "evaluate_tasks",
]
