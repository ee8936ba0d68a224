"""A lock for things that are made once in a process, which is open again in a process that was forked."""

from __future__ import annotations

import os
import threading


class ForkLock:
    """A reentrant lock, for a module to keep: ``with lock.held():``.

    Another thread may hold a lock when the process forks. That thread is not in the child, where an ordinary lock would
    stay shut for ever. This one is a new lock there.
    """

    def __init__(self) -> None:
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = threading.RLock()

    def held(self) -> threading.RLock:  # pyright: ignore[reportInvalidTypeForm] # a function before Python 3.13
        """The lock of now: ``with`` opens the one that it closed, also where a fork comes between."""
        return self._lock
