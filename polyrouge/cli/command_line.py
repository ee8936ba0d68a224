"""``polyrouge``: where the command starts. What it does is in ``commands``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

_NEEDED = ("typer", "rich", "yaml")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 if all went well, 2 for bad input or usage.

    Args:
        arguments: without the program's name; those of the process if None.
    """
    try:
        from polyrouge.cli.commands import app
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _NEEDED:
            raise
        sys.stderr.write(f"polyrouge: the command needs {error.name}: pip install 'polyrouge[cli]'\n")
        raise SystemExit(2) from None
    app(args=None if arguments is None else list(arguments), prog_name="polyrouge")
