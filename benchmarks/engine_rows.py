"""The row on the two engines: what a machine without a C compiler misses."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.corpora import chinese, english, real
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare
from polyrouge import Rouge

__all__ = ["engines"]

_PLAIN_PAIRS = 100


def engines(setup: Setup) -> Iterator[Comparison]:
    """The compiled engine beside the plain one, four types of English and Chinese texts."""
    n = setup.pairs(2000)
    for convention, corpus in (
        ("default", english(n, 62, 3)),
        ("default", real("real CNN/DM outputs", "en_news.jsonl", n)),
        ("default", english(n, 220, 9)),
        ("zh_char", chinese(n, 100)),
        ("zh_char", real("real LCSTS outputs", "zh_short.jsonl", n)),
        ("zh_word", chinese(n, 100)),
        ("zh_word", real("real LCSTS outputs", "zh_short.jsonl", n)),
    ):
        if corpus is None:
            continue
        few = corpus.first(_PLAIN_PAIRS)
        compiled, plain = (Rouge(convention, engine=engine, threads=setup.threads) for engine in ("compiled", "plain"))
        ours = Side(lambda rouge=compiled, corpus=corpus: rouge.compute(corpus.predictions, corpus.references), n)
        plainly = Side(lambda rouge=plain, few=few: rouge.compute(few.predictions, few.references), _PLAIN_PAIRS)
        work = f"1/2/L/Lsum, {convention}"
        yield from compare("engines", work, corpus.name, setup.threads, ours, {"the plain engine": plainly})
