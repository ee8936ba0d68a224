"""Progress of long work: inner code reports to the callback of the entrance."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[str, int, int], None]
"""Gets a stage of the work, how much of it is done, and of how much; what it raises ends the work."""

_tell: ContextVar[Callable[[int], None] | None] = ContextVar("tell", default=None)


@contextmanager
def telling_progress(progress: Progress | None, stage: str = "", of: int = 0) -> Iterator[None]:
    """Send what ``tell_progress`` adds up to a callback, if there is one."""
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
    """Report ``n`` more samples, resamples or texts as done."""
    if (tell := _tell.get()) is not None:
        tell(n)
