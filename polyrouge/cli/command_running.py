"""Messages on stderr, exit codes and progress of all commands."""

import os
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from polyrouge.cli.wording import in_command
from polyrouge.errors import RougeWarning, visible
from polyrouge.files.pairs import Chunk, Pairs
from polyrouge.progress import Progress, telling_progress

BAD_INPUT = 2
SECONDS_OF_A_LINE = 60
_PIPE_CLOSED = 141  # as a shell reports a process that SIGPIPE ended


def announce(message: str, quiet: bool = False) -> None:
    """Say something on stderr."""
    if not quiet:
        sys.stderr.write(f"polyrouge: {visible(message)}\n")


def run_command(command: Any, **_options: Any) -> None:
    """Run what a command line has made, a dataclass of its options.

    A refusal of anything that was given, in a file or as an option, is one message and exit code 2.
    """
    if command is None:  # of none, such as --version
        return
    try:
        command.run()
        sys.stdout.flush()
    except BrokenPipeError:  # `polyrouge ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(_PIPE_CLOSED) from None
    except (ValueError, TypeError, OSError, ImportError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            announce(f"error: {error.filename}: {error.strerror}.")
        else:
            announce(f"error: {in_command(error)}")
        raise typer.Exit(BAD_INPUT) from None


@contextmanager
def collected_warnings(quiet: bool) -> Iterator[list[str]]:
    """Write warnings to stderr, each once; yields the list of them."""
    collected: list[str] = []

    def show(message: Warning, category: type[Warning], *_args: Any, **_kwargs: Any) -> None:
        text = str(message)
        if issubclass(category, RougeWarning):
            text = in_command(message)
            if text in collected:  # from another system
                return
            collected.append(text)
        announce(f"warning: {text}", quiet)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RougeWarning)
        warnings.showwarning = show
        yield collected


@contextmanager
def progress_bar(text: str, quiet: bool, total: float | None = None) -> Iterator[Any]:
    """Yield ``show(text, done, total)``: a bar on stderr, or a line each minute if that is no terminal; None if quiet.

    ``is_new=True`` starts the bar again, for another stage of the work.
    """
    if quiet:
        yield None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(text, total=total)

            def move(text: str, done: float, total: float | None, *, is_new: bool = False) -> None:
                if is_new:
                    bar.reset(task, total=total)
                bar.update(task, completed=done, total=total, description=text)

            yield move
    else:
        last = time.monotonic()

        def write(text: str, done: float, total: float | None, **_options: bool) -> None:
            nonlocal last
            if time.monotonic() - last >= SECONDS_OF_A_LINE:
                last = time.monotonic()
                announce(text + (f", {100 * done / total:.0f}%" if total else ""))

        yield write


def with_progress(pairs: Pairs, quiet: bool) -> Iterator[Chunk]:
    """Yield the chunks; show a bar, guesses and notes about the files."""
    for guess in pairs.guesses:
        announce(f"guessed: {guess}", quiet)
    notes: list[str] = []
    with progress_bar("0 rows", quiet) as show:
        position = 0
        for chunk in pairs:
            new_notes = [note for note in pairs.notes if note not in notes]
            for note in new_notes:
                announce(f"note: {in_command(note)}", quiet)
            notes += new_notes
            before, n_rows = position, len(chunk.references)
            position, total = pairs.position() or (0, None)

            def show_part(_stage: str, n: int, of: int) -> None:
                """Move the bar inside a chunk too, for slow segmenters."""
                done = before + n / of * (position - before)  # noqa: B023 # called before the next chunk
                show(f"{pairs.n_rows - n_rows + int(n / of * n_rows):,} rows", done, total)  # noqa: B023

            with telling_progress(show and show_part, "scoring", n_rows * len(chunk.predictions)):
                yield chunk
            if show:
                show(f"{pairs.n_rows:,} rows", position, total)


@contextmanager
def report_progress(quiet: bool) -> Iterator[Progress | None]:
    """A bar for the stages of ``write_report``; None where nobody would see it."""
    with progress_bar("", quiet) as show:
        before = ("", -1)

        def show_stage(stage: str, n: int, of: int) -> None:
            """Move the bar by percents, as some stages call this for every text."""
            nonlocal before
            now = (stage, 100 * n // of if of else -1)
            if now != before:
                show(stage, n, of or None, is_new=stage != before[0])
            before = now

        yield show and show_stage
