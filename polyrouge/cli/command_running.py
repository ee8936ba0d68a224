"""Messages, exit codes and progress of all commands."""

from __future__ import annotations

import functools
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import typer

from polyrouge.cli.command_words import in_command_words
from polyrouge.errors import RougeWarning
from polyrouge.files.paired_texts import Chunk, PairedTexts
from polyrouge.progress import Progress, telling_progress

BAD_INPUT = 2
SECONDS_OF_A_LINE = 60
_PIPE_CLOSED = 141  # as a shell reports a process that SIGPIPE ended


def announce(message: str, quiet: bool = False) -> None:
    """Say something on stderr."""
    if not quiet:
        sys.stderr.write(f"polyrouge: {message}\n")


def reports_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Turn errors of the input into one message and exit code 2."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:  # `polyrouge ... | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(_PIPE_CLOSED) from None
        except (ValueError, OSError, ImportError) as error:
            if isinstance(error, OSError) and error.filename is not None:
                announce(f"error: {error.filename}: {error.strerror}.")
            else:
                announce(f"error: {in_command_words(str(error))}")
            raise typer.Exit(BAD_INPUT) from None

    return run


@contextmanager
def collected_warnings(quiet: bool) -> Iterator[list[str]]:
    """Write warnings to stderr, each once; yields the list of them."""
    collected: list[str] = []

    def show(message: Warning | str, category: type[Warning], *_args: Any, **_kwargs: Any) -> None:
        text = str(message)
        if issubclass(category, RougeWarning):
            text = in_command_words(text)
            if text in collected:  # from another system
                return
            collected.append(text)
        announce(f"warning: {text}", quiet)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RougeWarning)
        warnings.showwarning = show
        yield collected


class ProgressLines:
    """In place of a bar where stderr is a file: a line each minute. It has what is used of rich's ``Progress``."""

    def __init__(self, text: str, quiet: bool) -> None:
        self.disable = quiet
        self._text = text
        self._task = SimpleNamespace(description="", fields={}, completed=0, total=None)
        self._last = time.monotonic()

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *_error: object) -> None: ...

    def add_task(self, description: str, **fields: Any) -> int:
        """Begin a task."""
        self.reset(0, description=description, **fields)
        return 0

    def reset(self, _task: int, *, total: float | None = None, description: str, **fields: Any) -> None:
        """Begin it anew, as another."""
        self._task = SimpleNamespace(description=description, fields=fields, completed=0, total=total)

    def update(self, _task: int, *, advance: float = 0, **changes: Any) -> None:
        """Say how far it is."""
        task = self._task
        task.completed = changes.pop("completed", task.completed + advance) or 0
        task.total = changes.pop("total", task.total)
        task.fields |= changes
        if not self.disable and time.monotonic() - self._last >= SECONDS_OF_A_LINE:
            self._last = time.monotonic()
            share = f", {100 * task.completed / task.total:.0f} %" if task.total else ""
            announce(self._text.format(task=task) + share)


def progress_bar(text: str, quiet: bool) -> Any:
    """A bar on stderr, with a text of the task's fields; a line now and then where that is no terminal."""
    if quiet or not sys.stderr.isatty():
        return ProgressLines(text, quiet)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TextColumn(text), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def progressing(texts: PairedTexts, quiet: bool) -> Iterator[Chunk]:
    """Yield the chunks; show a bar, guesses and notes about the files."""
    for guess in texts.guesses:
        announce(f"guessed: {guess}", quiet)
    notes: list[str] = []
    with progress_bar("{task.fields[rows]:,} rows", quiet) as bar:
        task = bar.add_task("", total=None, rows=0)
        position = 0
        for chunk in texts.chunks():
            new_notes = [note for note in texts.notes if note not in notes]
            for note in new_notes:
                announce(f"note: {note}", quiet)
            notes += new_notes
            before, rows = position, len(chunk.references)
            position, total = texts.progress() or (0, None)

            def show(_stage: str, n: int, of: int) -> None:
                """Move the bar inside a chunk too, for slow segmenters."""
                part = n / of
                now = before + part * (position - before)  # noqa: B023 # called before the next chunk
                bar.update(task, completed=now, total=total, rows=texts.n_rows - rows + int(part * rows))  # noqa: B023

            with telling_progress(None if bar.disable else show, "scoring", rows * len(chunk.predictions)):
                yield chunk
            bar.update(task, completed=position, total=total, rows=texts.n_rows)


@contextmanager
def report_progress(quiet: bool) -> Iterator[Progress | None]:
    """A bar for the stages of ``write_report``; None where nobody would see it."""
    with progress_bar("{task.description}", quiet) as bar:
        task = bar.add_task("", total=None)
        before = ("", -1)

        def show(stage: str, n: int, of: int) -> None:
            """Move the bar by percents, as some stages call this for every text."""
            nonlocal before
            now = (stage, 100 * n // of if of else -1)
            if stage != before[0]:
                bar.reset(task, total=of or None, description=stage)
            if now != before:
                bar.update(task, completed=n, total=of or None)
            before = now

        yield None if bar.disable else show
