"""ROUGE in training: ``compute_metrics`` for Trainers, and reward functions."""

from polyrouge.training.rewards import RougeReward
from polyrouge.training.trainer import TrainerMetrics, preprocess_logits_for_metrics

__all__ = ["RougeReward", "TrainerMetrics", "preprocess_logits_for_metrics"]
