"""Do long work in a thread, so that its progress can be shown and it can be stopped."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from typing import NamedTuple, TypeVar

_LOOK_SECONDS = 0.5
_Result = TypeVar("_Result")


class Step(NamedTuple):
    """How far the work is.

    Attributes:
        stage: what is done: ``"reading"``, or one of the stages of a report.
        done: rows, or what else is counted.
        of: how many there are; 0 while that is not known.
    """

    stage: str
    done: int
    of: int


class _StoppedError(Exception):
    """The work is of no use any more."""


def in_steps(work: Callable[[Callable[[str, int, int], None]], _Result]) -> Generator[Step | _Result, None, None]:
    """Yield how far the work is, twice a second, and at last what it gives.

    Args:
        work: is given a function that it tells its progress; the next time that it does so after the iterator was
            closed, it is stopped. Closing waits for that.

    Raises:
        Exception: what the work raises.
    """
    is_closed = threading.Event()
    found: queue.SimpleQueue[tuple[_Result | None, BaseException | None]] = queue.SimpleQueue()
    newest = [Step("reading", 0, 0)]

    def told(stage: str, done: int, of: int) -> None:
        newest[0] = Step(stage, done, of)
        if is_closed.is_set():
            raise _StoppedError

    def run() -> None:
        try:
            found.put((work(told), None))
        except BaseException as error:
            found.put((None, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while True:
            try:
                result, error = found.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                yield newest[0]
                continue
            if error is not None:
                raise error
            yield result  # pyright: ignore[reportReturnType] of work that has not raised
            return
    finally:
        is_closed.set()
        thread.join()
