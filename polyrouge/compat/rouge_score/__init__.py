"""rouge_score 0.1.2: ``from polyrouge.compat.rouge_score import rouge_scorer, scoring, tokenizers``."""
