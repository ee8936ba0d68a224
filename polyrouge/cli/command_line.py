"""``polyrouge``: where the command starts. What it does is in ``commands``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from polyrouge.cli.ending import ending_by_signals

_NEEDED = {"typer": "typer", "rich": "rich", "yaml": "pyyaml"}  # modules, and their names on PyPI


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 if all went well, 2 for bad input or usage, 143 by SIGTERM, 129 by SIGHUP.

    Args:
        arguments: without the program's name; those of the process if None.
    """
    try:
        from polyrouge.cli.commands import app
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _NEEDED:
            raise
        missing = [name for module, name in _NEEDED.items() if not _is_there(module)]
        sys.stderr.write(f"polyrouge: the command needs {', '.join(missing)}: pip install {' '.join(missing)}\n")
        raise SystemExit(2) from None
    with ending_by_signals():
        app(args=None if arguments is None else list(arguments), prog_name="polyrouge")


def _is_there(module: str) -> bool:
    try:
        import_module(module)
    except ModuleNotFoundError:
        return False
    return True
