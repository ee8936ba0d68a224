"""Rows on ROUGE-W and ROUGE-SU, and on the bootstrap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import peers
from benchmarks.corpora import english
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge
from polyrouge.scoring.intervals import bootstrap_interval

__all__ = ["bootstrap", "weighted_and_skip"]

_PAIRS, _RESAMPLES = 11_490, 1000  # as many as CNN/DM's test set has


def weighted_and_skip(setup: Setup) -> Iterator[Comparison]:
    """ROUGE-W and ROUGE-SU4, beside rouge-metric's PyRouge, which gets tokens."""
    corpus = english(setup.pairs(5000), 62, 3)
    n = 20
    few = corpus.first(n)
    predictions = [[line.lower().split() for line in text.split("\n")] for text in few.predictions]
    references = [[[line.lower().split() for line in text.split("\n")]] for text in few.references]
    py_rouge = peers.clashing_peer("rouge_metric").PyRouge
    for name, options in (
        ("rougeW", {"rouge_w": True, "rouge_w_weight": 1.2}),
        ("rougeSU4", {"rouge_su": True, "skip_gap": 4}),
    ):
        scorer = py_rouge(rouge_n=False, rouge_l=False, **options)
        tool = {"definition": "rouge155"}  # as PyRouge
        rouge = Rouge("rouge_score", rouge_types=[name], tool=tool, engine="compiled", threads=setup.threads)
        others = {
            "rouge-metric, PyRouge": Side(
                lambda scorer=scorer: scorer.evaluate_tokenized(predictions, references), n, 100.0
            )
        }
        ours = Side(lambda rouge=rouge: rouge.compute(corpus.predictions, corpus.references), len(corpus.predictions))
        yield from compare("weighted_and_skip", name, corpus.name, setup.threads, ours, others)


def bootstrap(setup: Setup) -> Iterator[Comparison]:
    """Intervals of 12 columns, beside rouge_score's aggregator (its scores were added before)."""
    from rouge_score.scoring import BootstrapAggregator, Score

    Rouge(engine="compiled").compute(["a"], ["a"])  # an interval comes after counting
    n = setup.pairs(_PAIRS)
    columns = np.random.default_rng(0).random((n, 12))
    aggregator = BootstrapAggregator(n_samples=_RESAMPLES)
    for row in columns.tolist():
        aggregator.add_scores({f"rouge{i}": Score(*row[3 * i : 3 * i + 3]) for i in range(4)})
    yield from compare(
        "bootstrap",
        f"95 % interval, {_RESAMPLES:,} resamples",
        f"{n:,} rows of 12 scores",
        setup.threads,
        Side(lambda: bootstrap_interval(columns, 0.95, _RESAMPLES, 0), 1),
        {"rouge_score, BootstrapAggregator": Side(aggregator.aggregate, 1, 30.0)},
        unit="s",
    )
