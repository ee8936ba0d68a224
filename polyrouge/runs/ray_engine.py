"""Partitions as tasks of Ray: of the cluster at hand, or of one that is started on this machine."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence

from polyrouge.runs.plan import Partition
from polyrouge.runs.work import Job, Outcome, score_partition

_STORE = 100_000_000  # bytes of the object store of a Ray of our own: tasks get and give some hundred bytes
_TRIES = 5  # of a task whose worker or node has died


def run_on_ray(job: Job, partitions: Sequence[Partition], workers: int) -> Generator[Outcome]:
    """Yield how each partition ended, as they end.

    Texts and scores do not go through Ray: a task reads its partition and writes it. Ray starts it anew where its
    worker or node dies.

    Args:
        job: of the run.
        partitions: to score.
        workers: tasks at the same time; 0: as many as the cluster has processors.

    Raises:
        ImportError: Ray is not installed.
        RuntimeError: a partition's workers die again and again.
    """
    try:
        import ray
        from ray.exceptions import NodeDiedError, OutOfMemoryError, WorkerCrashedError
    except ModuleNotFoundError:
        raise ImportError("--run-on ray needs Ray: pip install 'ray>=2.60'") from None
    is_ours = not ray.is_initialized()
    if is_ours:
        _start(workers)
    task = ray.remote(score_partition).options(num_cpus=1, max_retries=_TRIES, scheduling_strategy="SPREAD")
    try:
        shared = ray.put(job)
        waiting = iter(partitions)
        running: list[ray.ObjectRef] = []
        while True:
            most = workers or 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(running) < most and (partition := next(waiting, None)) is not None:
                running.append(task.remote(shared, partition))
            if not running:
                return
            done, running = ray.wait(running)
            for outcome in ray.get(done):
                yield Outcome(*outcome)
    except (WorkerCrashedError, NodeDiedError, OutOfMemoryError) as error:
        reason = str(error).partition("\n")[0]
        raise RuntimeError(
            f"Ray gave a partition up: {reason} Is there memory enough for its workers? Give fewer."
        ) from None
    finally:
        if is_ours:
            ray.shutdown()


def _start(workers: int) -> None:
    """Join the cluster that there is (``RAY_ADDRESS``, or one on this machine), or start one for this process."""
    import ray

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    given = {"log_to_driver": False, "logging_level": "error", "configure_logging": True}
    try:
        ray.init(address=os.environ.get("RAY_ADDRESS", "auto"), **given)
    except ConnectionError:
        if "RAY_ADDRESS" in os.environ:
            raise
        ray.init(
            address="local", num_cpus=workers or None, object_store_memory=_STORE, include_dashboard=False, **given
        )
