"""Compiling the kernels: all of them ahead, or some by a process that is there for nothing else."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from polyrouge.counting.compiled.jieba_tables import are_kept, jieba_tables
from polyrouge.counting.compiled.kernel_folder import are_ready, compiling_lock, kernel_folder, mark_failed, sweep
from polyrouge.counting.compiled.kernel_units import UNITS, load_units
from polyrouge.texts.jieba_words import jieba_dictionary

_MOST_PROCESSES = 4
_SECONDS = {"jieba": 6.0, "jieba_tables": 4.0, "stems": 4.0, "weighted_lcs": 3.5, "texts": 3.0, "union_lcs": 2.0}
_LOOK_AGAIN = 0.05


class CompiledKernels(NamedTuple):
    """What ``compile_kernels`` has done.

    Attributes:
        folder: where the kernels are.
        units: the groups of kernels that were compiled now; none where all were there.
        seconds: how long it took.
    """

    folder: Path
    units: tuple[str, ...]
    seconds: float


def compile_kernels(
    progress: Callable[[int, int], None] | None = None, *, processes: int | None = None
) -> CompiledKernels:
    """Compile all kernels that are not there yet, and make the tables of jieba's dictionary: for images and clusters.

    Args:
        progress: called with how many groups of kernels are done, and how many there are to do.
        processes: how many compile at once; as many as there are cores if None, four at most.

    Returns:
        The folder, what was compiled, and how long it took.

    Raises:
        OSError: the folder can't be written to; set POLYROUGE_CACHE_DIR or NUMBA_CACHE_DIR to one that can.
        RuntimeError: numba's compiler is switched off by NUMBA_DISABLE_JIT, or failed.
    """
    start = time.monotonic()
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        msg = "NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it."
        raise RuntimeError(msg)
    folder = kernel_folder()
    folder.mkdir(parents=True, exist_ok=True)
    missing = tuple(unit for unit in UNITS if not are_ready([unit]))
    processes = min(_MOST_PROCESSES, os.cpu_count() or 1) if processes is None else processes
    if missing:
        with compiling_lock():  # no process in the background begins meanwhile
            if processes > 1:
                _compile_in_processes(_shares(missing, processes), missing, progress)
            for unit in missing:  # and what a process has not been able to
                load_units([] if are_ready([unit]) else [unit], may_compile=True)
                _report(progress, missing)
    if not are_kept(jieba_dictionary(None)):
        jieba_tables(jieba_dictionary(None))
    sweep()
    return CompiledKernels(folder, missing, time.monotonic() - start)


def _compile_in_processes(
    shares: Sequence[Sequence[str]], missing: Sequence[str], progress: Callable[[int, int], None] | None
) -> None:
    """Compile each share in a process, where processes can be started."""
    from polyrouge.counting.compiled.background import BackgroundCompiler, can_start_process

    if not can_start_process():
        return
    compilers = [BackgroundCompiler(share, 0, takes_lock=False) for share in shares]
    try:
        while any(compiler.is_running() for compiler in compilers):
            _report(progress, missing)
            time.sleep(_LOOK_AGAIN)
    except BaseException:
        for compiler in compilers:
            compiler.stop()
        raise


def _report(progress: Callable[[int, int], None] | None, missing: Sequence[str]) -> None:
    if progress is not None:
        progress(sum(are_ready([unit]) for unit in missing), len(missing))


def _shares(units: Sequence[str], n: int) -> list[list[str]]:
    """Units in shares that take about as long as each other."""
    shares: list[list[str]] = [[] for _ in range(n)]
    for unit in sorted(units, key=lambda unit: -_SECONDS.get(unit, 1.0)):
        min(shares, key=lambda share: sum(_SECONDS.get(each, 1.0) for each in share)).append(unit)
    return list(filter(None, shares))


def compile_in_background(units: Sequence[str], takes_lock: bool) -> None:
    """What a process in the background does; it ends with how it went as its exit code.

    Args:
        units: groups of kernels, in this order.
        takes_lock: do nothing where another process compiles.
    """
    from polyrouge.counting.compiled.background import DONE, FAILED, NOT_WRITTEN

    with compiling_lock() if takes_lock else contextlib.nullcontext(True) as is_ours:
        if not is_ours:
            sys.exit(DONE)
        try:
            for unit in units:
                if not are_ready([unit]):
                    load_units([unit], may_compile=True)
            if takes_lock and "jieba" in units and not are_kept(jieba_dictionary(None)):
                jieba_tables(jieba_dictionary(None))
        except OSError:
            sys.exit(NOT_WRITTEN)
        except Exception as error:  # whatever numba and LLVM may say
            mark_failed(f"{type(error).__name__}: {error}")
            sys.exit(FAILED)
        sweep()
