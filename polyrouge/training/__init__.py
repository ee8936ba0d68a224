"""ROUGE inside training: compute_metrics for Trainers, reward functions."""

from polyrouge.training.rewards import RougeReward
from polyrouge.training.trainer import TrainerMetrics, preprocess_logits_for_metrics

__all__ = ["RougeReward", "TrainerMetrics", "preprocess_logits_for_metrics"]
