"""Score partitions in processes of this machine, or as tasks of Ray or Spark; outcomes come as the tasks end.

Texts and scores do not go through an engine: a task reads its partition and writes its scores.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, cast

from polyrouge.folder_jobs.plan import Partition
from polyrouge.folder_jobs.worker import Job, Outcome, score_partition

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
    """Score partitions in ``workers`` processes: 0: one for each processor; 1: this process itself."""
    affinity = getattr(os, "sched_getaffinity", None)
    workers = workers or (len(affinity(0)) if affinity is not None else os.cpu_count() or 1)
    if workers == 1:
        yield from (score_partition(job, partition) for partition in partitions)
        return
    # A forked process inherits locks of threads that it does not have, so workers are spawned.
    context = multiprocessing.get_context("spawn")
    left = {partition.number: partition for partition in partitions}
    while left:
        before = len(left)
        pool = ProcessPoolExecutor(min(workers, before), context, initializer=_end_with_parent)
        try:
            for future in as_completed([pool.submit(score_partition, job, partition) for partition in left.values()]):
                outcome = future.result()
                del left[outcome.number]
                yield outcome
        except BrokenProcessPool:  # a worker has died: what is left is for a new pool, if this one got anywhere
            if len(left) == before:
                names = ", ".join(f"{each.number} ({each.file.name})" for each in list(left.values())[:workers])
                raise RuntimeError(
                    f"Workers die again and again at one of the partitions {names}: is there memory enough for "
                    f"{workers} workers? Give fewer."
                ) from None
        finally:  # also when the caller needs no more, as after an error
            pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """End this process when its parent does: killed, it can't say so to its workers."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def run_on_ray(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Score partitions as tasks of Ray, ``workers`` at the same time; 0: one for each of its processors."""
    try:
        import ray
        from ray.exceptions import NodeDiedError, OutOfMemoryError, WorkerCrashedError
    except ModuleNotFoundError:
        raise ImportError("--run-on ray needs Ray: pip install 'ray>=2.60'") from None
    is_ours = not ray.is_initialized()
    if is_ours:
        # That of RAY_ADDRESS, or one that runs on this machine, or a new one for this process.
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
            done, running = ray.wait(running)
            yield from ray.get(done)
    except (WorkerCrashedError, NodeDiedError, OutOfMemoryError) as error:
        reason = str(error).partition("\n")[0]
        raise RuntimeError(
            f"Ray gave a partition up: {reason} Is there memory enough for its workers? Give fewer."
        ) from None
    finally:
        if is_ours:
            ray.shutdown()


def run_on_spark(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Score partitions as tasks of one job, in the active session or in a new one with ``workers`` on this machine."""
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise ImportError("--run-on spark needs Spark: pip install 'pyspark>=4.3' (and Java 17)") from None
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
    started = thread.submit(run)
    n_seen, has_ended = 0, False
    try:
        while not has_ended:
            wait([started], _LOOK)
            has_ended = started.done()  # asked before the look: the last outcomes come before the end
            new = outcomes.value[n_seen:]
            n_seen += len(new)
            yield from new
        error = started.exception()
        if error is not None:
            reason = str(getattr(error, "java_exception", error)).partition("\n")[0]
            raise RuntimeError(f"Spark gave a partition up: {reason} Run the same command again for what is left.")
    finally:
        if not has_ended:
            context.cancelJobGroup(_JOB_GROUP)
        thread.shutdown()
        if active is None:
            session.stop()


class _Outcomes:
    """How Spark adds up the outcomes of tasks: of each task that ended well, once."""

    def zero(self, value: list) -> list:  # noqa: ARG002
        return []

    def addInPlace(self, one: list, other: list) -> list:  # noqa: N802 so Spark calls it
        one += other
        return one


def start_spark(workers: int) -> Any:
    """The session of spark-submit, or one on this machine."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder.appName("polyrouge")
    if "PYSPARK_GATEWAY_PORT" not in os.environ and "MASTER" not in os.environ:  # else spark-submit has said where
        # Without the second number a local session gives a job up when one worker dies.
        builder = builder.master(f"local[{workers or '*'},{_TRIES}]").config(map=_OWN_SPARK)
    return builder.getOrCreate()


ENGINES = {"local": run_locally, "ray": run_on_ray, "spark": run_on_spark}
