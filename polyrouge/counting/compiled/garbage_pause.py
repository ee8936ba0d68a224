"""Loading without the garbage collector, which would go through all that the process holds."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from collections.abc import Iterator

__all__ = ["no_garbage_collection"]

_LONGEST = 2.0  # seconds; loading takes less

_pauses: list[None] = []  # one while the collector is off
if hasattr(os, "register_at_fork"):  # a timer has no thread in the child
    os.register_at_fork(after_in_child=lambda: gc.enable() if _pauses else None)


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Loading makes so many objects, all to stay, that the collector would look for garbage among all there are.

    Beside evaluate that takes 0.2 s and more, longer than the loading itself. What is there in the end counts as
    old. Where it takes long, something is compiled, which makes garbage: the collector is back before long.
    """
    too_long = threading.Timer(_LONGEST, gc.enable)
    too_long.daemon = True
    if not gc.isenabled() or not _is_started(too_long):
        yield
        return
    try:
        _pauses.append(None)
        gc.disable()
        yield
    finally:
        too_long.cancel()
        if not gc.get_freeze_count():  # else the user has frozen objects, which are to stay so
            gc.freeze()
            gc.unfreeze()
        gc.enable()
        _pauses.clear()


def _is_started(thread: threading.Thread) -> bool:
    try:
        thread.start()
    except RuntimeError:  # there are as many as there may be
        return False
    return True
