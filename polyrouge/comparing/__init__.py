"""Compare systems, checkpoints and conventions; check scores; find the settings of published scores."""
