"""``polyrouge``: where the command starts. What it does is in ``commands``."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

_NEEDED = {"typer": "typer", "rich": "rich", "yaml": "pyyaml"}  # modules, and their names on PyPI


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 if all went well, 2 for bad input or usage, 143 by SIGTERM, 129 by SIGHUP."""
    missing = [name for module, name in _NEEDED.items() if find_spec(module) is None]
    if missing:
        sys.stderr.write(f"polyrouge: the command needs {', '.join(missing)}: pip install {' '.join(missing)}\n")
        raise SystemExit(2)
    from polyrouge.cli.commands import app

    for name in ("SIGTERM", "SIGHUP"):  # SIGINT is KeyboardInterrupt; Windows has no SIGHUP
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # not ignored by nohup
            signal.signal(number, _end)
    app(args=None if arguments is None else list(arguments), prog_name="polyrouge")


def _end(number: int, _frame: Any) -> None:
    """End as by an error, so that what was being written is removed; a second signal ends the process at once."""
    signal.signal(number, signal.SIG_DFL)
    raise SystemExit(128 + number)
