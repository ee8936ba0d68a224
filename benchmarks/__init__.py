"""Measure polyrouge beside the packages that users can choose today: ``python -m benchmarks``."""
