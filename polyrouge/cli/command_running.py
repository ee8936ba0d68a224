"""Parts that all commands share: messages, exit codes and progress."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from polyrouge.cli.command_words import in_command_words
from polyrouge.errors import RougeWarning
from polyrouge.files.paired_texts import Chunk, PairedTexts
from polyrouge.progress import Progress, telling_progress

BAD_INPUT = 2
_PIPE_CLOSED = 141  # as a shell reports a process that SIGPIPE ended


def announce(message: str, quiet: bool = False) -> None:
    """Say something on stderr."""
    if not quiet:
        sys.stderr.write(f"polyrouge: {message}\n")


def reports_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Turn what is wrong with the input into one message and exit code 2."""

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
    """Write our warnings to stderr as sentences, each once; yields the list of them."""
    collected: list[str] = []

    def show(message: Warning | str, category: type[Warning], *_args: Any, **_kwargs: Any) -> None:
        text = str(message)
        if issubclass(category, RougeWarning):
            text = in_command_words(text)
            if text in collected:  # another system had it before
                return
            collected.append(text)
        announce(f"warning: {text}", quiet)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RougeWarning)
        warnings.showwarning = show
        yield collected


def progress_bar(text: str, quiet: bool) -> Any:
    """A bar on stderr, with a text of the task's fields; disabled where nobody would see it."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TextColumn(text), TimeRemainingColumn())
    is_disabled = quiet or not sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=is_disabled)


def progressing(texts: PairedTexts, quiet: bool) -> Iterator[Chunk]:
    """The chunks of the texts, with a bar, and with what is to be said of the files."""
    for guess in texts.guesses:
        announce(f"guessed: {guess}", quiet)
    notes: list[str] = []
    with progress_bar("{task.fields[rows]:,} rows", quiet) as bar:
        task = bar.add_task("", total=None, rows=0)
        done = 0
        for chunk in texts.chunks():
            new_notes = [note for note in texts.notes if note not in notes]
            for note in new_notes:
                announce(f"note: {note}", quiet)
            notes += new_notes
            before, rows = done, len(chunk.references)
            done, total = texts.progress() or (0, None)

            def show(_stage: str, counted: int, of: int) -> None:
                """A slow segmenter takes long for one chunk: as much of it is done as is counted."""
                part = counted / of
                now = before + part * (done - before)  # noqa: B023 # called before the next chunk
                bar.update(task, completed=now, total=total, rows=texts.n_rows - rows + int(part * rows))  # noqa: B023

            with telling_progress(None if bar.disable else show, "scoring", rows * len(chunk.predictions)):
                yield chunk
            bar.update(task, completed=done, total=total, rows=texts.n_rows)


@contextmanager
def report_progress(quiet: bool) -> Iterator[Progress | None]:
    """A bar for what ``write_report`` tells; None where nobody would see it."""
    with progress_bar("{task.description}", quiet) as bar:
        task = bar.add_task("", total=None)
        before = ("", -1)

        def show(stage: str, done: int, of: int) -> None:
            """Some stages tell of every text: the bar moves with the percent."""
            nonlocal before
            now = (stage, 100 * done // of if of else -1)
            if stage != before[0]:
                bar.reset(task, total=of or None, description=stage)
            if now != before:
                bar.update(task, completed=done, total=of or None)
            before = now

        yield None if bar.disable else show
