"""The entry point of ``polyrouge``, whose commands are in ``commands``."""

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 if all went well, 2 for bad input or usage, 130 by Ctrl-C, 143 by SIGTERM."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as nohup leaves it
            signal.signal(number, _end)
    try:
        from polyrouge.cli.commands import app

        app(args=None if arguments is None else list(arguments), prog_name="polyrouge")
    except Exception:  # Python's own exit code would be 1, which says that a rule of `check` is broken
        import traceback

        from polyrouge.errors import visible

        lines = [*traceback.format_exc().splitlines(), "polyrouge: error: a fault of polyrouge; please report it."]
        sys.stderr.write("".join(f"{visible(line)}\n" for line in lines))
        raise SystemExit(2) from None


def _end(number: int, _frame: Any) -> None:
    """Exit like after an error, which removes unfinished files; a second signal ends the process at once."""
    signal.signal(number, signal.SIG_DFL)
    if number == signal.SIGINT:
        os.write(2, b"polyrouge: interrupted\n")  # Python's own stream may be in the middle of a write
    raise SystemExit(128 + number)
