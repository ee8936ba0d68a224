"""Score partitions in processes of this machine, or as tasks of Ray or Spark; yield outcomes as the tasks end."""

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, cast

from polyrouge.beyond.folder_jobs.plan import Partition
from polyrouge.beyond.folder_jobs.worker import Job, Outcome, score_partition
from polyrouge.counting.loop import usable_cores
from polyrouge.errors import needs_extra

_TRIES = 4  # of a task whose worker or node has died
_LOOK = 0.05  # seconds between two looks at the outcomes of Spark's tasks
_JOB_GROUP = "polyrouge"
_OWN_SPARK = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "FATAL",  # what matters comes back as our message
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


def run_locally(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Score partitions in ``workers`` processes; 0: one for each processor; 1: in this process."""
    workers = workers or usable_cores()
    if workers == 1:
        yield from (score_partition(job, partition) for partition in partitions)
        return
    # Spawned, as a forked process inherits locks of threads that it does not have.
    context = multiprocessing.get_context("spawn")
    todo = {partition.number: partition for partition in partitions}
    while todo:
        before = len(todo)
        pool = ProcessPoolExecutor(min(workers, before), context, initializer=_end_with_parent)
        try:
            with _without_interrupts():
                futures = [pool.submit(score_partition, job, partition) for partition in todo.values()]
            for future in as_completed(futures):
                outcome = future.result()
                del todo[outcome.number]
                yield outcome
        except BrokenProcessPool:  # a worker has died: a new pool goes on, if this one finished anything
            if len(todo) == before:
                names = ", ".join(
                    f"{partition.number} ({partition.file.name})" for partition in list(todo.values())[:workers]
                )
                raise RuntimeError(
                    f"Workers keep dying at one of the partitions {names}. Is there enough memory for {workers} "
                    "workers? Use fewer."
                ) from None
        finally:  # also when the caller needs no more, as after an error
            pool.shutdown(cancel_futures=True)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: it is for this one, which ends them."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:  # on Windows
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """End this process with its parent, which can't tell its workers when it is killed."""

    def watch() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def run_on_ray(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Score partitions as tasks of Ray, at most ``workers`` at the same time; 0: as many as Ray has processors."""
    with needs_extra("Scoring on Ray", "ray"):
        import ray
        from ray.exceptions import NodeDiedError, OutOfMemoryError, WorkerCrashedError
    is_ours = not ray.is_initialized()
    if is_ours:
        # Connect to RAY_ADDRESS or to a Ray of this machine, else start one.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
    task = ray.remote(score_partition).options(num_cpus=1, max_retries=_TRIES, scheduling_strategy="SPREAD")
    try:
        shared = ray.put(job)
        waiting = iter(partitions)
        running: list[ray.ObjectRef] = []
        while True:
            most = workers or 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            running += [task.remote(shared, partition) for partition in islice(waiting, max(0, most - len(running)))]
            if not running:
                return
            ready, running = ray.wait(running)
            yield from ray.get(ready)
    except (WorkerCrashedError, NodeDiedError, OutOfMemoryError) as error:
        reason = str(error).partition("\n")[0]
        raise RuntimeError(
            f"Ray gave up on a partition: {reason} Is there enough memory for its workers? Use fewer."
        ) from None
    finally:
        if is_ours:
            ray.shutdown()


def run_on_spark(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Score partitions as tasks of one job, in the active session or in a new one with ``workers`` on this machine."""
    with needs_extra("Scoring on Spark", "spark"):
        from pyspark.sql import SparkSession
    active = SparkSession.getActiveSession()
    session = active or start_spark(workers)
    context = session.sparkContext
    # An accumulator brings the outcomes as the tasks end; the results of a job come with its last task.
    outcomes: Any = context.accumulator([], cast("Any", _Outcomes()))
    shared = context.broadcast(job)

    def run() -> None:
        context.setJobGroup(_JOB_GROUP, "polyrouge score")
        tasks = context.parallelize(list(partitions), len(partitions))
        tasks.foreach(lambda partition: outcomes.add([score_partition(shared.value, partition)]))

    thread = ThreadPoolExecutor(1)
    future = thread.submit(run)
    n_outcomes, is_over = 0, False
    try:
        while not is_over:
            wait([future], _LOOK)
            is_over = future.done()  # before the look: the last outcomes come before the end
            new = outcomes.value[n_outcomes:]
            n_outcomes += len(new)
            yield from new
        error = future.exception()
        if error is not None:
            reason = str(getattr(error, "java_exception", error)).partition("\n")[0]
            raise RuntimeError(f"Spark gave up on a partition: {reason} Run the same command again to score the rest.")
    finally:
        if not is_over:
            context.cancelJobGroup(_JOB_GROUP)
        thread.shutdown()
        if active is None:
            session.stop()


class _Outcomes:
    """How Spark adds up outcomes, once for each task that ended well."""

    def zero(self, value: list) -> list:  # noqa: ARG002
        return []

    def addInPlace(self, first: list, second: list) -> list:  # noqa: N802 so Spark calls it
        first += second
        return first


def start_spark(workers: int) -> Any:
    """Return the session of spark-submit, or one on this machine."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder.appName("polyrouge")
    if "PYSPARK_GATEWAY_PORT" not in os.environ and "MASTER" not in os.environ:  # else spark-submit has said where
        # Without the second number a local session gives a job up when one worker dies.
        builder = builder.master(f"local[{workers or '*'},{_TRIES}]").config(map=_OWN_SPARK)
    return builder.getOrCreate()


ENGINES = {"local": run_locally, "ray": run_on_ray, "spark": run_on_spark}
