"""Times as ratios: both sides in one run, taken in turn, the median of several."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

__all__ = ["Comparison", "compare", "compare_commands"]


class Comparison(NamedTuple):
    """Median seconds of each side, and the median of theirs / ours run by run."""

    ours: float
    theirs: float
    ratio: float


def compare(ours: Callable[[], object], theirs: Callable[[], object], runs: int = 5) -> Comparison:
    """Time two functions in turn, after one run of each that does not count."""
    ours()
    theirs()
    times = [(_seconds(ours), _seconds(theirs)) for _ in range(runs)]
    return Comparison(
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(b / a for a, b in times),
    )


def compare_commands(ours: Sequence[str], theirs: Sequence[str], runs: int = 5) -> Comparison:
    """Time two Python command lines, each in a new process."""

    def run(arguments: Sequence[str]) -> None:
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)  # noqa: S603 our own scripts

    return compare(lambda: run(ours), lambda: run(theirs), runs)


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
