"""Rows on Chinese texts: by character and by word."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import peers
from benchmarks.corpora import Corpus, chinese, real
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge

__all__ = ["characters", "chinese_words", "cutting", "first_words"]

_MANY = 50_000  # pairs, for two threads
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


def cutting(setup: Setup) -> Iterator[Comparison]:
    """From texts to the places where jieba's words end, on one thread."""
    import rjieba

    from polyrouge.counting.compiled.jieba_tables import jieba_tables
    from polyrouge.counting.compiled.kernels import word_ends
    from polyrouge.texts.jieba_words import jieba_dictionary

    jieba = _loaded_jieba()
    tables = jieba_tables(jieba_dictionary())
    if tables is None:
        return
    for corpus in _word_corpora(setup):
        texts = [*corpus.predictions, *corpus.references]
        few = texts[:: max(1, len(texts) // 400)]
        others = {
            "list(jieba.cut(t))": Side(lambda few=few: [list(jieba.cut(text)) for text in few], _size(few), 80.0),
            "rjieba.cut(t)": Side(lambda texts=texts: [rjieba.cut(text) for text in texts], _size(texts), 4.0),
        }
        ours = Side(lambda texts=texts: word_ends(*_as_bytes(texts), tables, True), _size(texts))
        yield from compare("cutting", "texts to words", corpus.name, 1, ours, others, unit="µs a character")


def _as_bytes(texts: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The texts as UTF-8, one after the other, and where each begins."""
    encoded = list(map(str.encode, texts))
    offsets = np.cumsum([0, *map(len, encoded)])
    return np.frombuffer(b"".join(encoded), np.uint8), offsets


def chinese_words(setup: Setup) -> Iterator[Comparison]:
    """The whole of zh_word, four types and their means, beside only cutting the same texts by jieba."""
    jieba = _loaded_jieba()
    rouge = Rouge("zh_word", engine="compiled", threads=setup.threads)
    alone = Rouge("zh_word", engine="compiled", threads=1)
    corpora = _word_corpora(setup)
    if setup.threads > 1:
        corpora.append(chinese(setup.pairs(_MANY), 100))
    for corpus in corpora:
        n = len(corpus.predictions)
        few = corpus.first(min(max(10, n // 5), 1000))

        def cut(few: Corpus = few) -> None:
            for text in (*few.predictions, *few.references):
                list(jieba.cut(text))

        is_long = len(corpus.references[0]) > 50
        floor = 40.0 if setup.threads == 1 and is_long else None
        others = {"list(jieba.cut(t)) alone": Side(cut, len(few.predictions), floor)}
        if setup.threads > 1:
            one = lambda corpus=corpus: alone.compute(corpus.predictions, corpus.references)  # noqa: E731
            others["polyrouge on one thread"] = Side(one, n, 1.6 if n >= 5000 else None)
        ours = Side(lambda corpus=corpus: rouge.compute(corpus.predictions, corpus.references), n)
        yield from compare("chinese_words", "1/2/L/Lsum, zh_word", corpus.name, setup.threads, ours, others)


_FIRST_CALL = """
import json, sys
from polyrouge import Rouge
texts = json.load(open(sys.argv[1]))
Rouge("zh_word").compute(texts["predictions"], texts["references"])
"""
_LOAD_JIEBA = """
import warnings
warnings.simplefilter("ignore")
import jieba
jieba.initialize()
"""


def first_words(setup: Setup) -> Iterator[Comparison]:
    """A new process: import, score 100 pairs by word; jieba's tables are cached."""
    corpus = chinese(100, 100)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts.json")
        file.write_text(json.dumps({"predictions": corpus.predictions, "references": corpus.references}))
        Rouge("zh_word", engine="compiled").compute(corpus.predictions, corpus.references)

        def run(code: str, floor: float | None = None) -> Side:
            command = [sys.executable, "-c", code, str(file)]
            return Side(lambda: subprocess.run(command, check=True, capture_output=True), 1, floor)  # noqa: S603 our own

        yield from compare(
            "first_words",
            "new process, import, 1/2/L/Lsum, zh_word, 100 pairs",
            corpus.name,
            setup.threads,
            run(_FIRST_CALL),
            {"import jieba; jieba.initialize()": run(_LOAD_JIEBA, 1.0)},
            unit="s",
            in_new_processes=True,
        )


def _word_corpora(setup: Setup) -> list[Corpus]:
    corpora = [
        chinese(setup.pairs(2000), 100),
        real("real LCSTS outputs", "zh_short.jsonl", setup.pairs(5000)),
        real("real VCSum outputs", "zh_long.jsonl", setup.pairs(600)),
    ]
    return [corpus for corpus in corpora if corpus is not None]


def _size(texts: list[str]) -> int:
    return sum(map(len, texts))


def _loaded_jieba() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in jieba's own source
        import jieba
    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba
