"""The sub-command ``compile``."""

from __future__ import annotations

import typer

from polyrouge.cli.command_options import SETTINGS, Quiet
from polyrouge.cli.command_running import announce, reports_errors
from polyrouge.counting.compiled.compiling import compile_kernels


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compile", rich_help_panel=SETTINGS)(compile_ahead)


@reports_errors
def compile_ahead(*, quiet: Quiet = False) -> None:
    """Compile all kernels now, for an image or a cluster, so that nothing is compiled later.

    They go to the folder POLYROUGE_CACHE_DIR, or to your own cache, which must be there when they are used.
    """
    from rich.console import Console  # both take longer than --help
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet, transient=True) as bar:
        task = bar.add_task("compiling", total=None)
        done = compile_kernels(lambda n, total: bar.update(task, completed=n, total=total))
    what = (
        f"compiled {len(done.units)} {_groups(len(done.units))} of kernels in {done.seconds:.0f} s"
        if done.units
        else "all were there"
    )
    announce(f"{what}: {done.folder}", quiet)


def _groups(n: int) -> str:
    return "group" if n == 1 else "groups"
