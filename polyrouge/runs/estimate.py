"""What a run will cost, from scoring a few of its rows."""

from __future__ import annotations

import time
from typing import NamedTuple

from polyrouge.errors import hearing_warnings
from polyrouge.runs.partition_rows import rows_of
from polyrouge.runs.run import Run

_ROWS = 2000  # of each of three partitions: the first, the last, and one between
_LEAST = 0.05  # seconds that are measured


class Estimate(NamedTuple):
    """What a run will cost.

    Attributes:
        rows: how many there are, about.
        core_seconds: of reading and scoring, without starting an engine.
        rows_measured: how many were scored to tell.
    """

    rows: int
    core_seconds: float
    rows_measured: int


def estimated(run: Run) -> Estimate:
    """Read and score some rows of a run, and tell what all of them will take on processors such as this one.

    Raises:
        InputFileError: a row is no text.
    """
    partitions = run.plan.partitions
    chosen = {0, len(partitions) // 2, len(partitions) - 1}
    rows = size = 0
    seconds = 0.0
    for number in sorted(chosen):
        partition = partitions[number]
        begin = time.perf_counter()
        some = next(rows_of(run.input, partition, run.plan.columns), None)
        reading = time.perf_counter() - begin
        if some is None:
            continue
        share = min(1.0, _ROWS / len(some.table))
        table = some.table.slice(0, _ROWS)
        scoring = _seconds_of(run, table)
        rows += len(table)
        size += table.nbytes
        seconds += reading * share + scoring
    if not rows:
        return Estimate(0, 0.0, 0)
    known = run.plan.rows
    n_rows = known if known is not None else round(run.plan.size / size * rows)
    return Estimate(n_rows, seconds / rows * n_rows, rows)


def _seconds_of(run: Run, table: object) -> float:
    """The time of one scoring, once what is loaded at the first is there."""
    with hearing_warnings():
        run.scorer.score_with_partial(table)
        rounds, begin = 0, time.perf_counter()
        while rounds == 0 or time.perf_counter() - begin < _LEAST:
            run.scorer.score_with_partial(table)
            rounds += 1
        return (time.perf_counter() - begin) / rounds
