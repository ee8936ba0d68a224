"""Run every comparison, print the table and write it to RESULTS.md beside this file."""

from __future__ import annotations

import os
import platform
import sys
import warnings
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from rouge_score.rouge_scorer import RougeScorer

from benchmarks.corpora import Corpus, english, real_english
from benchmarks.timing import Comparison, compare, compare_commands
from polyrouge import Rouge, RougeWarning

_HERE = Path(__file__).resolve().parent
_TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


class Row(NamedTuple):
    """One comparison: what was done on which texts, against whom."""

    work: str
    texts: str
    peer: str
    result: Comparison


def against_rouge_score(corpus: Corpus, use_stemmer: bool) -> Row:
    """The plain engine's four default types against rouge_score's, mean and all, one thread each."""
    scorer = RougeScorer(_TYPES, use_stemmer=use_stemmer)
    rouge = Rouge("rouge_score", engine="plain", use_stemmer=use_stemmer)

    def theirs() -> dict[str, float]:
        scores = [scorer.score(r, p) for p, r in zip(corpus.predictions, corpus.references, strict=True)]
        return {name: sum(score[name].fmeasure for score in scores) / len(scores) for name in _TYPES}

    result = compare(lambda: rouge.compute(corpus.predictions, corpus.references), theirs)
    work = f"1, 2, L, Lsum{', stemmer' if use_stemmer else ''}; {len(corpus.predictions):,} pairs, 1 thread"
    return Row(work, corpus.name, "rouge_score", result)


def cold_start() -> Row:
    """A new process imports evaluate, loads the metric from disk and scores two short pairs."""
    script = str(_HERE / "cold_start" / "load_and_compute.py")
    ours = [script, str(_HERE.parent / "rouge_metric.py")]
    theirs = [script, str(_HERE / "cold_start" / "evaluate_rouge_peer.py")]
    return Row(
        "new process, import evaluate, load, 2 pairs",
        "hand-written",
        "evaluate's rouge",
        compare_commands(ours, theirs),
    )


def rows() -> Iterator[Row]:
    """All comparisons, one after the other."""
    corpora = [
        english(2000, 62, 3),
        english(2000, 22, 1),
        real_english("real news (CNN/DM outputs)", "en_news.jsonl", 2000),
        real_english("real XSum outputs", "en_short.jsonl", 2000),
    ]
    for corpus in filter(None, corpora):
        for use_stemmer in (False, True):
            yield against_rouge_score(corpus, use_stemmer)
    yield cold_start()


def machine() -> str:
    """What was measured on, and with which versions."""
    packages = ("polyrouge", "rouge-score", "evaluate", "datasets", "numpy", "nltk")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in packages)
    return f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; {versions}."


def main() -> None:
    """Measure, print, write."""
    warnings.simplefilter("ignore", RougeWarning)  # one-sentence texts are meant here
    lines = [
        "# Benchmarks",
        "",
        "Made by `python -m benchmarks`. Both sides run in turn in one process (or in new processes where the",
        "row says so); seconds are medians of five runs, the ratio is the median of the run-by-run ratios.",
        "",
        machine(),
        "",
        "| work | texts | against | ours, s | theirs, s | times faster |",
        "|---|---|---|--:|--:|--:|",
    ]
    print("\n".join(lines), flush=True)
    for row in rows():
        ours, theirs, ratio = row.result
        lines.append(f"| {row.work} | {row.texts} | {row.peer} | {ours:.3f} | {theirs:.3f} | {ratio:.1f} |")
        print(lines[-1], flush=True)
    (_HERE / "RESULTS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written to {_HERE / 'RESULTS.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
