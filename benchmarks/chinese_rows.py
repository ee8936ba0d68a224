"""Rows on Chinese texts: by character and by word."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator

from benchmarks import peers
from benchmarks.corpora import Corpus, chinese, real
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge

__all__ = ["characters", "chinese_words"]

_MANY = 50_000  # pairs that other processes help with
_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def characters(setup: Setup) -> Iterator[Comparison]:
    """Four types by character; the pure-Python peers have no rougeLsum and count three."""
    corpora = [
        (chinese(setup.pairs(20_000), 20), None),
        (chinese(setup.pairs(10_000), 100), 8.0),
        (chinese(setup.pairs(1500), 1000), 8.0),
        (real("real LCSTS outputs", "zh_short.jsonl", setup.pairs(20_000)), None),
        (real("real VCSum outputs", "zh_long.jsonl", setup.pairs(1500)), None),
    ]
    rouge = Rouge("zh_char", sentence_split="newline", engine="compiled", threads=setup.threads)
    for corpus, floor in corpora:
        if corpus is None:
            continue
        theirs = peers.rouge_score_rs(corpus, _TYPES, by_character=True)
        if corpus.name.startswith("synthetic"):  # Han only: by characters is by characters
            scores = rouge.compute(corpus.predictions, corpus.references, use_aggregator=False)
            peers.check_same_scores(scores, theirs(), f"characters, {corpus.name}")
        others = {"rouge-score-rs, CharacterTokenizer": Side(theirs, len(corpus.predictions), floor)}
        if setup.threads == 1:
            others |= _slow_peers(corpus, asked=floor is not None)
        ours = Side(lambda corpus=corpus: rouge.compute(corpus.predictions, corpus.references), len(corpus.predictions))
        yield from compare("characters", "1/2/L/Lsum, zh_char", corpus.name, setup.threads, ours, others)


def _slow_peers(corpus: Corpus, *, asked: bool) -> dict[str, Side]:
    """rouge_chinese and pltrdy's rouge on a few pairs, given as they want them: blanks between characters."""
    sys.setrecursionlimit(1_000_000)  # they walk back through the LCS table by recursion
    n = max(1, 2000 // len(corpus.references[0]))
    few = corpus.first(n)
    predictions = [" ".join(text) for text in few.predictions]
    references = [" ".join(text) for text in few.references]
    sides = {}
    for module, floor in (("rouge_chinese", 300.0), ("rouge", 2000.0)):
        scorer = peers.clashing_peer(module).Rouge()
        run = lambda scorer=scorer: scorer.get_scores(predictions, references)  # noqa: E731 one of two
        sides[peers.CLASHING[module].partition("==")[0]] = Side(run, n, floor if asked else None)
    return sides


def chinese_words(setup: Setup) -> Iterator[Comparison]:
    """All of zh_word, four types and mean, against jieba's cutting of the same texts alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in jieba's own source
        import jieba
    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    rouge = Rouge("zh_word", engine="compiled", threads=setup.threads)
    alone = Rouge("zh_word", engine="compiled", threads=1)
    corpora = [
        chinese(setup.pairs(2000), 100),
        real("real LCSTS outputs", "zh_short.jsonl", setup.pairs(5000)),
        real("real VCSum outputs", "zh_long.jsonl", setup.pairs(600)),
        chinese(setup.pairs(_MANY), 100) if setup.threads > 1 else None,
    ]
    for corpus in filter(None, corpora):
        n = len(corpus.predictions)
        few = corpus.first(min(max(10, n // 5), 1000))

        def cut(few: Corpus = few) -> None:
            for text in (*few.predictions, *few.references):
                list(jieba.cut(text))

        def cut_in_rust(corpus: Corpus = corpus) -> None:
            for text in (*corpus.predictions, *corpus.references):
                rjieba.cut(text)

        import rjieba

        others = {"list(jieba.cut(t)) alone": Side(cut, len(few.predictions), 8.0 if setup.threads == 1 else None)}
        others["rjieba.cut(t) alone"] = Side(cut_in_rust, n)
        if setup.threads > 1:
            one = lambda corpus=corpus: alone.compute(corpus.predictions, corpus.references)  # noqa: E731
            others["polyrouge on one thread"] = Side(one, n)
        ours = Side(lambda corpus=corpus: rouge.compute(corpus.predictions, corpus.references), n)
        yield from compare("chinese_words", "1/2/L/Lsum, zh_word", corpus.name, setup.threads, ours, others)
