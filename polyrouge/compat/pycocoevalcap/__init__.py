"""pycocoevalcap 1.2, its ROUGE: ``from polyrouge.compat.pycocoevalcap.rouge.rouge import Rouge``."""
