"""Rows on ``polyrouge.compat.torchmetrics``: the package's metric beside ours, pair by pair and many at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.corpora import Corpus, english
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare

__all__ = ["compat_metrics"]

_KEYS = ("rouge1", "rouge2", "rougeL")
_N, _N_TOOL = 2000, 40


def compat_metrics(setup: Setup) -> Iterator[Comparison]:
    """The metric over torchmetrics' updates."""
    from torchmetrics.text import ROUGEScore as Theirs

    from polyrouge.compat.torchmetrics import ROUGEScore as Ours

    corpus = english(setup.pairs(_N), 62, 3)
    few = corpus.first(_N_TOOL)
    for way, score, mine in (("a call a pair", _by_pair, few), ("one call", _at_once, corpus)):
        side = Side(lambda score=score, mine=mine: score(Ours, mine), len(mine.predictions))
        peer = Side(lambda score=score: score(Theirs, few), _N_TOOL)
        work = f"torchmetrics.ROUGEScore, {way}"
        yield from compare("compat_metrics", work, corpus.name, setup.threads, side, {"the package": peer})


def _by_pair(kind: Any, corpus: Corpus) -> object:
    metric = kind(rouge_keys=_KEYS)
    for prediction, reference in zip(corpus.predictions, corpus.references, strict=True):
        metric.update(prediction, reference)
    return metric.compute()


def _at_once(kind: Any, corpus: Corpus) -> object:
    metric = kind(rouge_keys=_KEYS)
    metric.update(corpus.predictions, corpus.references)
    return metric.compute()
