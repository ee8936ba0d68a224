"""How far long work is: one callback that whatever counts inside of the work tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[str, int, int], None]
"""Is told a stage of the work, how much of it is done, and of how much; what it raises ends the work."""

_tell: ContextVar[Callable[[int], None] | None] = ContextVar("tell", default=None)


@contextmanager
def telling_progress(progress: Progress | None, stage: str = "", of: int = 0) -> Iterator[None]:
    """While this lasts, tell a callback how much of a stage is done; None: nobody is told."""
    done = 0

    def tell(n: int) -> None:
        nonlocal done
        done = min(done + n, of)
        if progress is not None:
            progress(stage, done, of)

    token = _tell.set(tell)
    try:
        yield
    finally:
        _tell.reset(token)


def tell_progress(n: int) -> None:
    """Say that so much more is done: samples that are counted, resamples that are drawn, texts that are examined."""
    if (tell := _tell.get()) is not None:
        tell(n)
