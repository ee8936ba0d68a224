"""``torchmetrics.functional.text``: its ROUGE."""

from polyrouge.compat.torchmetrics.functional.text.rouge import rouge_score as rouge_score
