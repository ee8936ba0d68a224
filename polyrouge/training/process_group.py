"""The processes of a distributed run: how many there are, which one this is, and how they share results."""

import os
import sys
from collections.abc import Callable
from typing import Any

from polyrouge.counting.loop import usable_cores

# Processes on this machine, as launchers count them: torchrun and accelerate, Intel MPI, Open MPI, MVAPICH.
_LOCAL_COUNTS = ("LOCAL_WORLD_SIZE", "MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE")


def process_count() -> int:
    """Number of processes that train together; 1 without a process group."""
    group = _torch_distributed()
    return 1 if group is None else group.get_world_size()


def is_first_process() -> bool:
    """Return whether this process is the one that writes and computes for all."""
    group = _torch_distributed()
    return os.environ.get("RANK", "0") == "0" if group is None else group.get_rank() == 0


def threads_of_process() -> int:
    """This process's share of the cores; if no launcher counts the processes here, the whole group is here."""
    counts = [os.environ.get(name, "") for name in _LOCAL_COUNTS]
    processes = next((int(count) for count in counts if count.isdigit() and int(count) > 0), process_count())
    return max(1, usable_cores() // processes)


def from_first_process(compute: Callable[[], Any]) -> Any:
    """Call on the first process and give every process what it returned, or its error; every process must call it."""
    group = _torch_distributed()
    if group is None or group.get_world_size() == 1:
        return compute()
    outcome: list[Any] = [None]
    try:
        if group.get_rank() == 0:
            outcome = [compute()]
    except BaseException as error:  # the others raise it too, so that none waits for the first
        outcome = [RuntimeError(f"Scoring failed on the first process: {type(error).__name__}: {error}")]
        raise
    finally:
        group.broadcast_object_list(outcome, src=0)
    if isinstance(outcome[0], RuntimeError):
        raise outcome[0]
    return outcome[0]


def _torch_distributed() -> Any:
    """torch.distributed if it runs a process group, else None; the training imports it, not this module."""
    module = sys.modules.get("torch.distributed")
    if module is None or not module.is_available() or not module.is_initialized():
        return None
    return module
