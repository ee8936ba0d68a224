"""Keeps what a visitor sent out of the log: of an exception it says the kind and the place, not the message."""

import logging
import sys
import traceback
from typing import Any

_OMITTED = "(its message may hold what a visitor sent, and is left out)"


def omit_messages() -> None:
    """Let Gradio, which prints tracebacks, and the server, which logs them, leave messages of exceptions out."""
    traceback.print_exc = _print_exception
    make_record = logging.getLogRecordFactory()

    def without_message(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make_record(*args, **kwargs)
        if record.exc_info and record.exc_info[0] is not None:
            record.msg, record.args = f"{_traceback(*record.exc_info)}", ()
            record.exc_info = None
        return record

    logging.setLogRecordFactory(without_message)


def _print_exception(*_args: Any, **_options: Any) -> None:
    sys.stderr.write(_traceback(*sys.exc_info()) + "\n")


def _traceback(kind: Any, _error: Any, trace: Any) -> str:
    frames = "".join(traceback.format_tb(trace))
    return f"{frames}{getattr(kind, '__name__', kind)} {_OMITTED}"
