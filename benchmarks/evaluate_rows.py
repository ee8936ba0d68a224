"""Rows through evaluate: end to end, and from a new process on."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import english
from benchmarks.results import Comparison
from benchmarks.setup import Setup
from benchmarks.timing import Side, compare

__all__ = ["cold_start", "end_to_end"]

_HERE = Path(__file__).resolve().parent
_OURS = str(_HERE.parent / "rouge_metric.py")
_EVALUATE_ROUGE = str(_HERE / "evaluate_modules" / "evaluate_rouge_peer.py")
_RUST_ROUGE = str(_HERE / "evaluate_modules" / "rust_rouge_peer.py")


def end_to_end(setup: Setup) -> Iterator[Comparison]:
    """``compute`` of a loaded metric, four types and a 95 % interval of as many pairs as CNN/DM's test set."""
    import evaluate

    corpus = english(setup.pairs(11_490), 62, 3)
    texts = {"predictions": corpus.predictions, "references": corpus.references}
    ours = evaluate.load(_OURS, "evaluate_rouge", threads=setup.threads, confidence=0.95)
    rust, python = evaluate.load(_RUST_ROUGE), evaluate.load(_EVALUATE_ROUGE)
    others = {"rouge-score-rs + BootstrapAggregator in evaluate": Side(lambda: rust.compute(**texts), 1, 8.0)}
    if setup.threads == 1:
        others["evaluate's rouge"] = Side(lambda: python.compute(**texts), 1, 100.0)
    yield from compare(
        "end_to_end",
        "evaluate's compute, 1/2/L/Lsum, confidence=0.95",
        f"{corpus.name}, {len(corpus.predictions):,} pairs",
        setup.threads,
        Side(lambda: ours.compute(**texts), 1),
        others,
        unit="s",
    )


def cold_start(setup: Setup) -> Iterator[Comparison]:
    """A new process: import evaluate, load the metric, score."""
    corpus = english(5000, 62, 3)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts.json")
        file.write_text(json.dumps({"predictions": corpus.predictions, "references": corpus.references}))

        def run(script: str, n_pairs: int) -> Side:
            command = [sys.executable, str(_HERE / "evaluate_modules" / "score_file.py"), script, str(file)]
            return Side(lambda: subprocess.run([*command, str(n_pairs)], check=True, capture_output=True), 1, 1.0)  # noqa: S603 our own scripts

        for n_ours, n_theirs in ((5000, 100), (2, 2)):
            yield from compare(
                "cold_start",
                f"new process, import evaluate, load, 1/2/L/Lsum of {n_ours:,} pairs",
                corpus.name,
                setup.threads,
                run(_OURS, n_ours),
                {f"evaluate's rouge, {n_theirs:,} pairs": run(_EVALUATE_ROUGE, n_theirs)},
                unit="s",
                in_new_processes=True,
            )
