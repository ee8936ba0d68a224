"""Rows on ``polyrouge.compat``: the package itself beside ours, pair by pair and many at once."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import peers
from benchmarks.corpora import Corpus, chinese, english
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare

__all__ = ["compat_metrics"]

_KEYS = ("rouge1", "rouge2", "rougeL")
_N, _N_TOOL = 2000, 40

# From a package's or our module to what scores a corpus: pair by pair, and at once where there is a way.
Score = Callable[[Any, Corpus], object]


def compat_metrics(setup: Setup) -> Iterator[Comparison]:
    """rouge_metric, sumeval and torchmetrics."""
    sys.path.append(str(peers.folder_of("sumeval")))  # its stop words, for both
    n = setup.pairs(_N)
    news, summaries = english(n, 62, 3), chinese(n, 100)
    rouge_metric = peers.clashing_peer("rouge_metric"), _ours("rouge_metric")
    calculators = peers.clashing_peer("sumeval.metrics.rouge"), _ours("sumeval")
    yield from _rows(setup, "rouge_metric.PyRouge", rouge_metric, news, _pyrouge, _pyrouge_at_once)
    for language, corpus in (("en", news), ("zh", summaries)):
        given = [module.RougeCalculator(lang=language) for module in calculators]
        yield from _rows(setup, f"sumeval, lang={language!r}", given, corpus, _sumeval, _sumeval_at_once)
    scorers = [importlib.import_module("torchmetrics.text").ROUGEScore, _ours("torchmetrics").ROUGEScore]
    yield from _rows(setup, "torchmetrics.ROUGEScore", scorers, news, _torchmetrics, _torchmetrics_at_once)


def _ours(module: str) -> Any:
    return importlib.import_module(f"polyrouge.compat.{module}")


def _rows(setup: Setup, name: str, given: Any, corpus: Corpus, by_pair: Score, at_once: Score) -> Iterator[Comparison]:
    theirs, ours = given
    few = corpus.first(_N_TOOL)
    for way, score, mine in (("a call a pair", by_pair, few), ("one call", at_once, corpus)):
        their_way = by_pair if name.startswith("sumeval") else score  # which has no other
        side = Side(lambda score=score, mine=mine: score(ours, mine), len(mine.predictions))
        peer = Side(lambda score=their_way: score(theirs, few), _N_TOOL)
        yield from compare("compat_metrics", f"{name}, {way}", corpus.name, setup.threads, side, {"the package": peer})


def _pyrouge(module: Any, corpus: Corpus) -> object:
    rouge = module.PyRouge()
    return [rouge.evaluate([a], [[b]]) for a, b in zip(corpus.predictions, corpus.references, strict=True)]


def _pyrouge_at_once(module: Any, corpus: Corpus) -> object:
    return module.PyRouge().evaluate(corpus.predictions, [[text] for text in corpus.references])


def _sumeval(rouge: Any, corpus: Corpus) -> object:
    pairs = zip(corpus.predictions, corpus.references, strict=True)
    return [(rouge.rouge_1(a, b), rouge.rouge_2(a, b), rouge.rouge_l(a, b)) for a, b in pairs]


def _sumeval_at_once(rouge: Any, corpus: Corpus) -> object:
    return rouge.scores(corpus.predictions, corpus.references)


def _torchmetrics(kind: Any, corpus: Corpus) -> object:
    metric = kind(rouge_keys=_KEYS)
    for prediction, reference in zip(corpus.predictions, corpus.references, strict=True):
        metric.update(prediction, reference)
    return metric.compute()


def _torchmetrics_at_once(kind: Any, corpus: Corpus) -> object:
    metric = kind(rouge_keys=_KEYS)
    metric.update(corpus.predictions, corpus.references)
    return metric.compute()
