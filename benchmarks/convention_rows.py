"""Rows on other tools' conventions: each tool as its users run it, beside the convention of its name here."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import peers
from benchmarks.corpora import Corpus, chinese, english, real
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge

__all__ = ["conventions"]

_FLOOR = 50.0
_FLOOR_OF_LONG = 150.0  # by jieba's words, on more than titles
_N = 2000


def conventions(setup: Setup) -> Iterator[Comparison]:
    """Pltrdy's rouge, rouge_chinese and LLaMA-Factory's metric, segmentation by jieba included where they do it."""
    sys.setrecursionlimit(1_000_000)  # the tools walk back through the LCS table by recursion
    rouge, rouge_chinese = (peers.clashing_peer(module).Rouge() for module in ("rouge", "rouge_chinese"))
    words = _jieba_words()
    n = setup.pairs(_N)
    news = [english(n, 62, 3), real("real CNN/DM outputs", "en_news.jsonl", n)]
    titles = real("real LCSTS outputs", "zh_short.jsonl", n)
    summaries = [chinese(n, 100), real("real VCSum outputs", "zh_long.jsonl", n)]

    def mean(scorer: Any, segment: Callable[[str], str], corpus: Corpus) -> Callable[[], object]:
        predictions, references = corpus.predictions, corpus.references
        return lambda: scorer.get_scores(list(map(segment, predictions)), list(map(segment, references)), avg=True)

    for corpus in filter(None, news):
        yield from _row(setup, "pltrdy", {}, corpus, lambda few: mean(rouge, str, few), 60)
    for corpus in filter(None, [*summaries, titles]):
        yield from _row(setup, "pltrdy", {"segment": "char"}, corpus, lambda few: mean(rouge, " ".join, few), 60)
        floor = _FLOOR if corpus is titles else _FLOOR_OF_LONG
        for name in ("rouge_chinese", "llama_factory"):
            yield from _row(setup, name, {}, corpus, lambda few: mean(rouge_chinese, words, few), 60, floor)


def _row(
    setup: Setup,
    name: str,
    settings: dict[str, Any],
    corpus: Corpus,
    tool: Callable[[Corpus], Callable[[], object]],
    n_tool: int,
    floor: float = _FLOOR,
) -> Iterator[Comparison]:
    ours = Rouge(name, engine="compiled", threads=setup.threads, **settings)
    n = len(corpus.predictions)
    few = corpus.first(n_tool)
    mine = Side(lambda: ours.compute(corpus.predictions, corpus.references), n)
    theirs = {f"{ours.settings.tokenizer}, the tool": Side(tool(few), len(few.predictions), floor)}
    given = "".join(f", {key}={value!r}" for key, value in settings.items())
    yield from compare("conventions", f"{name}{given}", corpus.name, setup.threads, mine, theirs)


def _jieba_words() -> Callable[[str], str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in jieba's own source
        import jieba
    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return lambda text: " ".join(jieba.cut(text))
