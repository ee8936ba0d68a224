"""``torchmetrics.text``: its ROUGE."""

from polyrouge.compat.torchmetrics.text.rouge import ROUGEScore as ROUGEScore
