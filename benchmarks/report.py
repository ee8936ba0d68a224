"""The results as a table on the terminal and as RESULTS.md."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import peers
from benchmarks.results import Comparison, Fact, Result, Run, short_number

__all__ = ["machine", "markdown", "print_results"]

_BY_SIZE = ("by_length", "by_pairs")
_HEAD = ("work", "texts", "threads", "against", "ours", "theirs", "times faster", "asked", "")
_FACT_HEAD = ("what", "value", "at most", "")


def print_results(results: Sequence[Result]) -> None:
    """Print results as they come."""
    console = Console(width=None if sys.stdout.isatty() else 160)
    comparisons = [result for result in results if isinstance(result, Comparison)]
    facts = [result for result in results if isinstance(result, Fact)]
    for head, rows in ((_HEAD, list(map(_cells, comparisons))), (_FACT_HEAD, list(map(_fact_cells, facts)))):
        if rows:
            table = Table(*head)
            for row in rows:
                table.add_row(*row)
            console.print(table)


def markdown(runs: Sequence[Run], notes: str) -> str:
    """RESULTS.md.

    Args:
        runs: the newest of each row.
        notes: Markdown that is put behind the tables.
    """
    results = [result for run in runs for result in run.results]
    comparisons = [result for result in results if isinstance(result, Comparison)]
    table = [result for result in comparisons if result.row not in _BY_SIZE]
    facts = [result for result in results if isinstance(result, Fact)]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Made by `python -m benchmarks` out of the files in `results`, which it writes. Each row runs in processes",
            "of its own, all its sides in the same one and in turn; times are medians of five rounds, and *times",
            "faster* is the median of the ratios of single rounds. Both sides have the same number of threads",
            "(`RAYON_NUM_THREADS`). On one thread processor time is measured, on several, and for new processes, the",
            "time that passes. Before a Rust package or rouge_score is timed, every F-measure of every pair is",
            "checked to be the same on both sides (not for the real Chinese texts, whose Latin words are tokenized",
            "differently, and not for peers that define the types differently). Our side is the whole of `compute`:",
            "checked input to means.",
            "",
            *_where_and_when(runs),
            "",
            *_table(_HEAD[:7], [_cells(result)[:7] for result in table], "llrlrrr"),
            "",
            *_table(_FACT_HEAD[:2], [_fact_cells(result)[:2] for result in facts], "lr"),
            "",
            *_table(_HEAD[:7], [_cells(result)[:7] for result in comparisons if result.row in _BY_SIZE], "llrlrrr"),
            "",
            notes,
        ]
    )


def _cells(result: Comparison) -> tuple[str, ...]:
    unit = {"µs a pair": "µs"}.get(result.unit, result.unit)
    return (
        result.work,
        f"{result.texts}" + (f"; {result.n:,} pairs" if result.n > 1 and "pairs" not in result.texts else ""),
        str(result.threads),
        result.peer,
        f"{short_number(result.ours)} {unit}",
        f"{short_number(result.theirs)} {unit}",
        short_number(result.ratio),
        "" if result.floor is None else f"{result.floor:.3g}",
        _mark(result.holds),
    )


def _fact_cells(result: Fact) -> tuple[str, ...]:
    limit = "" if result.limit is None else f"{result.limit:g}"
    return result.what, f"{short_number(result.value)} {result.unit}", limit, _mark(result.holds)


def _mark(holds: bool | None) -> str:
    return {None: "", True: "yes", False: "**no**"}[holds]


def _table(head: Sequence[str], rows: object, alignment: str) -> list[str]:
    marks = ["--:" if side == "r" else "---" for side in alignment[: len(head)]]
    return ["| " + " | ".join(cells) + " |" for cells in (head, marks, *rows)]  # pyright: ignore[reportGeneralTypeIssues] # rows of cells


def _where_and_when(runs: Sequence[Run]) -> list[str]:
    """On what and when the rows were measured: once, if it is the same for all."""
    rows: dict[str, list[str]] = {}
    for run in runs:
        names = rows.setdefault(f"{run.date}. {run.machine}", [])
        names += sorted({result.row for result in run.results} - {*names})
    if len(rows) == 1:
        return [*rows]
    return [f"- {', '.join(f'`{name}`' for name in names)}: {when}" for when, names in rows.items()]


def machine() -> str:
    """What is measured on, and with which versions."""
    packages = ("polyrouge", "numpy", "pyarrow", "datasets", "nltk")
    versions = {name: metadata.version(name) for name in packages} | peers.versions()
    named = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    where = f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; Python {platform.python_version()}"
    return f"{where}; commit {_commit()}; {named}."


def _commit() -> str:
    """The commit of this clone that is measured, with a + if files were changed since."""
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty=+"]
    return subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 our own


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
