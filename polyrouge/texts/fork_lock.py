"""A lock that is open in a forked process."""

import os
import threading


class ForkLock:
    """A reentrant lock of a module: ``with lock.held():``.

    If another thread holds an ordinary lock when the process forks, the lock stays closed in the child for ever.
    """

    def __init__(self) -> None:
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = threading.RLock()

    def held(self) -> threading.RLock:  # pyright: ignore[reportInvalidTypeForm] # a function before Python 3.13
        """Return the current lock; ``with`` releases the lock that it acquired, even after a fork."""
        return self._lock
