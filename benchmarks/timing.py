"""Times as ratios: all sides in one process, taken in turn, the medians of several rounds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from benchmarks.results import Comparison

__all__ = ["Side", "compare", "seconds", "take_turns"]


class Side(NamedTuple):
    """One side of a comparison.

    Attributes:
        run: does the work once.
        size: how much work that is (pairs or texts); slow peers get less of the same work.
        floor: how many times faster we must be for the same size of work; None if there is no floor.
    """

    run: Callable[[], object]
    size: int
    floor: float | None = None


def compare(
    row: str,
    work: str,
    texts: str,
    threads: int,
    ours: Side,
    peers: Mapping[str, Side],
    *,
    unit: str = "µs a pair",
    in_new_processes: bool = False,
) -> Iterator[Comparison]:
    """Time our side and each peer's in turn, and yield one comparison for each peer.

    The ratio is the median of the ratios of single rounds, and each round measures both. On one thread
    the processor time is taken, so that other work on the machine matters as little as possible. On
    several threads, and where new processes do the work, it is the time on the clock.
    """
    clock = time.process_time if threads == 1 and not in_new_processes else time.perf_counter
    rounds = take_turns([ours.run, *(side.run for side in peers.values())], clock)
    factor = 1e6 if unit.startswith("µs") else 1.0
    mine = [times[0] / ours.size * factor for times in rounds]
    for place, (peer, side) in enumerate(peers.items(), start=1):
        theirs = [times[place] / side.size * factor for times in rounds]
        ratio = statistics.median(b / a for a, b in zip(mine, theirs, strict=True))
        medians = statistics.median(mine), statistics.median(theirs)
        yield Comparison(row, work, texts, ours.size, threads, peer, *medians, ratio, side.floor, unit)


def take_turns(functions: list[Callable[[], object]], clock: Callable[[], float], rounds: int = 5) -> list[list[float]]:
    """Seconds of each function in each of some rounds, after one round that does not count."""
    for function in functions:
        function()
    return [[seconds(function, clock) for function in functions] for _ in range(rounds)]


def seconds(function: Callable[[], object], clock: Callable[[], float]) -> float:
    """Seconds that one call takes by a clock."""
    start = clock()
    function()
    return clock() - start
