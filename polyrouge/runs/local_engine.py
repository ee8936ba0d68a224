"""Partitions in processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from polyrouge.runs.plan import Partition
from polyrouge.runs.work import Job, Outcome, score_partition

_TRIES = 3  # pools that may break, one after the other, without a partition being finished in between


def run_locally(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Yield how each partition ended, as they end. One worker is this process itself.

    Where a worker dies, the pool is made anew for what is left.

    Raises:
        RuntimeError: workers die again and again.
    """
    if workers == 1:
        for partition in partitions:
            yield score_partition(job, partition)
        return
    left = {partition.number: partition for partition in partitions}
    failures = 0
    while left:
        before = len(left)
        try:
            for outcome in _of_one_pool(job, list(left.values()), min(workers, len(left))):
                del left[outcome.number]
                yield outcome
        except BrokenProcessPool:
            failures = 1 if len(left) < before else failures + 1
            if failures == _TRIES:
                names = ", ".join(f"{each.number} ({each.file})" for each in list(left.values())[:workers])
                raise RuntimeError(
                    f"Workers die again and again at one of the partitions {names}: is there memory enough for "
                    f"{workers} workers? Give fewer."
                ) from None


def _of_one_pool(job: Job, partitions: Sequence[Partition], workers: int) -> Iterator[Outcome]:
    # A process that is forked has locks of threads that it has not; so they are started anew.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _end_with_parent) as pool:
        try:
            waiting = iter(partitions)
            running: set[Future[Outcome]] = set()
            while True:
                while len(running) < 2 * workers and (partition := next(waiting, None)) is not None:
                    running.add(pool.submit(score_partition, job, partition))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:  # also when the caller needs no more, as after an error
            pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """End this process when its parent does: killed, it can't say so to its workers."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
