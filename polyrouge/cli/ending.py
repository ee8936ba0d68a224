"""End the command by a signal as by an error, so that what it was writing is removed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from polyrouge.tables.whole_files import remove_unfinished

_SIGNALS = ("SIGTERM", "SIGHUP")  # SIGINT is KeyboardInterrupt; Windows has no SIGHUP
_ENDED = 128  # and the signal's number: as a shell reports a process that a signal ended


@contextmanager
def ending_by_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into ``SystemExit``. One that is ignored (by nohup), or handled by others, stays so."""
    before = {}
    if threading.current_thread() is threading.main_thread():  # others can't set handlers
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        remove_unfinished()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _frame: Any) -> None:
    signal.signal(number, signal.SIG_DFL)  # a second one ends the process at once
    raise SystemExit(_ENDED + number)
