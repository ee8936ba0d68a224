"""The inputs of a fuzz test: in CI a few, always the same; in nox's session ``fuzz`` new ones, as time allows."""

import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

SECONDS = float(
    os.environ.get("POLYROUGE_FUZZ_SECONDS") or 0
)  # of the whole run; `nox -f .ci/noxfile.py -s fuzz` sets it
SEED = int(os.environ.get("POLYROUGE_FUZZ_SEED") or 0) or (random.randrange(1, 1 << 30) if SECONDS else 1)
PATIENCE = 60  # seconds for one input; only a hang needs them


class HangError(BaseException):
    """An input took longer than any may. It is no ``Exception``, so that nothing takes it for an error of a file."""


def rounds(name: str, n_in_ci: int, share: float) -> Iterator[random.Random]:
    """Yield a generator for each input of a test: ``n_in_ci``, or as many as fit in its share of ``SECONDS``."""
    end = time.monotonic() + share * SECONDS
    n = 0
    if SECONDS:
        print(f"\n{name}: {share * SECONDS:.0f} s, POLYROUGE_FUZZ_SEED={SEED}")
    while n < n_in_ci or time.monotonic() < end:
        yield random.Random(f"{SEED} {name} {n}")
        n += 1
    if SECONDS:
        print(f"{name}: {n} inputs")


@contextlib.contextmanager
def no_hang() -> Iterator[None]:
    """Raise ``HangError`` in what takes more than ``PATIENCE``; where there are no such signals, do nothing."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise HangError(f"an input took more than {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def limited_memory(gigabytes: float = 4) -> Iterator[None]:
    """Let a call that asks for more memory fail at once, by ``MemoryError``; where there is no limit, do nothing."""
    if not sys.platform.startswith("linux"):
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + int(gigabytes * 1e9), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
