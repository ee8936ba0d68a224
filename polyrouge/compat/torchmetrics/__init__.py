"""``torchmetrics`` 1.9: ``text.ROUGEScore`` and ``functional.text.rouge_score``; both need torchmetrics installed."""
