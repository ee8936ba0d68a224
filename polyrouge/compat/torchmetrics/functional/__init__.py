"""``torchmetrics.functional``: its ROUGE, in ``text``."""
