"""Rows on large inputs: a million pairs; time by the length of texts and by the number of pairs."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import peers
from benchmarks.corpora import Corpus, chinese_titles, english
from benchmarks.results import Comparison, Fact
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare, seconds
from polyrouge import Rouge

__all__ = ["by_length", "by_pairs", "million", "resident_peak"]

_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
LENGTHS = (20, 62, 220, 700, 2000)
N_PAIRS = (30, 300, 3000, 30_000)


def million(setup: Setup) -> Iterator[Fact]:
    """Ten times the pairs: the time, and the memory that grows with them."""
    n = setup.pairs(1_000_000)
    tenths = [chinese_titles(n // 10, seed) for seed in range(1, 6)]  # each is read for the first time, as the whole is
    corpus = chinese_titles(n)
    for name, most_megabytes in (("zh_char", 600.0), ("zh_word", 400.0)):
        rouge = Rouge(name, engine="compiled", threads=setup.threads)
        short = statistics.median([_seconds_of(rouge, tenth) for tenth in tenths])
        before = resident_peak(reset=True)
        long = statistics.median([_seconds_of(rouge, corpus) for _ in range(3)])
        peak = resident_peak() - before
        what = f"{name}, 1/2/L/Lsum, {n:,} pairs of 20 characters"
        yield Fact("million", f"{what}: time", long, "s")
        yield Fact("million", f"{what}: time over that of {n // 10:,}", long / short, "times", 10.5)
        yield Fact("million", f"{what}: peak memory above the inputs", peak / 1e6, "MB", most_megabytes)


def _seconds_of(rouge: Rouge, corpus: Corpus) -> float:
    return seconds(lambda: rouge.compute(corpus.predictions, corpus.references), time.process_time)


def resident_peak(*, reset: bool = False) -> int:
    """Most bytes resident so far; with ``reset``, from now on (Linux), and what is resident now."""
    clear = Path("/proc/self/clear_refs")
    if reset and clear.exists():
        clear.write_text("5")
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) * 1024 for line in status.read_text().splitlines() if "VmHWM" in line)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def by_length(setup: Setup) -> Iterator[Comparison]:
    """Time by the length of the texts."""
    for n_words in LENGTHS:
        n = max(10, setup.pairs(200_000) // n_words)
        corpus = english(n, n_words, max(1, n_words // 22))
        yield from _four_types("by_length", corpus.name, corpus.predictions, corpus.references, setup)


def by_pairs(setup: Setup) -> Iterator[Comparison]:
    """Time by the number of pairs, with the default ``engine="auto"``."""
    corpus = english(setup.pairs(N_PAIRS[-1]), 62, 3)
    for n in N_PAIRS:
        few = corpus.first(n)
        if len(few.predictions) == n:
            yield from _four_types("by_pairs", f"{n:,} pairs", few.predictions, few.references, setup, engine="auto")


def _four_types(
    row: str, name: str, predictions: list[str], references: list[str], setup: Setup, engine: str = "compiled"
) -> Iterator[Comparison]:
    corpus = Corpus(name, predictions, references)
    slow = corpus.first(max(1, min(len(predictions), 30_000 // len(references[0]))))
    rouge = Rouge("rouge_score", engine=engine, threads=setup.threads)
    others = {
        "rouge-score-rs": Side(peers.rouge_score_rs(corpus, _TYPES), len(predictions)),
        "rouge_score": Side(peers.rouge_score(slow, _TYPES), len(slow.predictions)),
    }
    ours = Side(lambda: rouge.compute(predictions, references), len(predictions))
    yield from compare(row, "1/2/L/Lsum", name, setup.threads, ours, others)
