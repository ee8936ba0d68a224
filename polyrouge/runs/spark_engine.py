"""Partitions as tasks of Spark: of the session that there is, or of one on this machine."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from polyrouge.runs.plan import Partition
from polyrouge.runs.work import Job, Outcome, score_partition

_TRIES = 4  # of a task in a session of our own; and of jobs, one after the other, in which no partition is finished
_LOOK = 0.05  # seconds between two looks at what has arrived
_GROUP = "polyrouge"
_OWN_SESSION = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "FATAL",  # what matters comes back as our message
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


def run_on_spark(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Yield how each partition ended, as they end.

    Texts and scores do not go through Spark: a task reads its partition and writes it. Spark starts it anew where its
    worker dies; where Spark gives up, what is left is given to it again.

    Args:
        job: of the run.
        partitions: to score.
        workers: of a session on this machine, if there is no other; 0: as many as it has processors.

    Raises:
        ImportError: Spark is not installed.
        RuntimeError: partitions are given up again and again.
    """
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise ImportError("--run-on spark needs Spark: pip install 'pyspark>=4.3' (and Java 17)") from None
    session: Any = SparkSession.getActiveSession()
    is_ours = session is None
    if is_ours:
        session = _session(workers)
    try:
        left = {partition.number: partition for partition in partitions}
        failures = 0
        while left:
            before = len(left)
            started = _StartedJob(session.sparkContext, job, list(left.values()))
            try:
                for outcome in started.outcomes():
                    if left.pop(outcome.number, None) is not None:
                        yield outcome
            finally:
                started.end()
            if left:
                failures = 1 if len(left) < before else failures + 1
                if failures == _TRIES:
                    raise RuntimeError(
                        f"Spark gave partitions up again and again, such as {next(iter(left))}: {started.reason()}"
                    )
    finally:
        if is_ours:
            session.stop()


def _session(workers: int) -> Any:
    """The session of spark-submit, or one on this machine."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder
    if "PYSPARK_GATEWAY_PORT" in os.environ or "MASTER" in os.environ:  # spark-submit has said where
        return builder.appName("polyrouge").getOrCreate()
    # Without the second number a local session gives a job up when one worker dies.
    builder = builder.master(f"local[{workers or '*'},{_TRIES}]").appName("polyrouge")
    for name, value in _OWN_SESSION.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


class _Outcomes:
    """How Spark adds the outcomes of tasks up: a list. It takes those of a task that has ended well, and once."""

    def zero(self, value: list) -> list:  # noqa: ARG002
        return []

    def addInPlace(self, one: list, other: list) -> list:  # noqa: N802 so Spark calls it
        one += other
        return one


class _StartedJob:
    """One job of Spark, with a task for each partition; it runs beside this thread."""

    def __init__(self, context: Any, job: Job, partitions: Sequence[Partition]) -> None:
        from pyspark import InheritableThread

        self._context = context
        self._error: BaseException | None = None
        self._outcomes = context.accumulator([], _Outcomes())
        self._thread: threading.Thread = InheritableThread(target=self._run, args=(job, list(partitions)), daemon=True)
        self._thread.start()

    def _run(self, job: Job, partitions: list[Partition]) -> None:
        outcomes, shared = self._outcomes, self._context.broadcast(job)

        def score(partition: Partition) -> None:
            outcomes.add([score_partition(shared.value, partition)])

        try:
            self._context.setJobGroup(_GROUP, "polyrouge score")
            self._context.parallelize(partitions, len(partitions)).foreach(score)
        except BaseException as error:
            self._error = error

    def outcomes(self) -> Iterator[Outcome]:
        """Yield them as they arrive, until the job has ended."""
        seen = 0
        while True:
            is_running = self._thread.is_alive()  # before the look: the last ones come before the end
            arrived = self._outcomes.value
            while seen < len(arrived):
                yield Outcome(*arrived[seen])
                seen += 1
            if not is_running:
                return
            self._thread.join(_LOOK)

    def end(self) -> None:
        """Stop it, if it runs."""
        if self._thread.is_alive():
            self._context.cancelJobGroup(_GROUP)
            self._thread.join()

    def reason(self) -> str:
        """Why it ended too early."""
        return str(getattr(self._error, "java_exception", self._error)).partition("\n")[0]
