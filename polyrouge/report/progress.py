"""How far a report is: whoever waits for it is told, and may end the work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from polyrouge.counting.loop import telling_progress

STAGES = ("scoring", "comparing", "sources", "slices", "writing", "examining")
"""What is done, in this order."""

# Is told which of STAGES is done, how much of it, and of how much; what it raises ends the work.
Progress = Callable[[str, int, int], None]


def telling_stage(progress: Progress | None, stage: str, of: int) -> AbstractContextManager[None]:
    """While this lasts, tell how much of a stage is done.

    Args:
        progress: is told; None: nobody is.
        stage: one of ``STAGES``.
        of: how much there is.
    """
    if progress is None:
        return nullcontext()
    done = 0

    def tell(n: int) -> None:
        nonlocal done
        done = min(done + n, of)
        progress(stage, done, of)

    return telling_progress(tell)
