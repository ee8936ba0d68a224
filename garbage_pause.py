"""Loading without the garbage collector, which would go through all that the process holds."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

__all__ = ["no_garbage_collection"]

_LONGEST = 2.0  # seconds; loading takes less


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Loading makes so many objects, all to stay, that the collector would look for garbage among all there are.

    Beside evaluate that takes 0.2 s and more, longer than the loading itself. What is there in the end counts as
    old. Where it takes long, something is compiled, which makes garbage: the collector is back before long.
    """
    if not gc.isenabled():
        yield
        return
    too_long = threading.Timer(_LONGEST, gc.enable)
    too_long.daemon = True
    gc.disable()
    too_long.start()
    try:
        yield
    finally:
        too_long.cancel()
        if not gc.get_freeze_count():  # else the user has frozen objects, which are to stay so
            gc.freeze()
            gc.unfreeze()
        gc.enable()
