"""Parts that all commands share: messages, exit codes, progress, and where the output goes."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from polyrouge.cli.command_words import in_command_words
from polyrouge.errors import RougeWarning
from polyrouge.files.atomic import atomic_write
from polyrouge.files.paired_texts import Chunk, PairedTexts
from polyrouge.tables.formats import Report, render

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
def warnings_heard(quiet: bool) -> Iterator[list[str]]:
    """Write our warnings to stderr as sentences; yields the list in which they are gathered."""
    heard: list[str] = []

    def show(message: Warning | str, category: type[Warning], *_args: Any, **_kwargs: Any) -> None:
        said = in_command_words(str(message)) if issubclass(category, RougeWarning) else str(message)
        if issubclass(category, RougeWarning):
            if said in heard:  # said for another system before
                return
            heard.append(said)
        announce(f"warning: {said}", quiet)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RougeWarning)
        warnings.showwarning = show
        yield heard


def shows_progress(quiet: bool) -> bool:
    """Whether a bar would be seen."""
    return not quiet and sys.stderr.isatty()


def progress_bar(text: str) -> Any:
    """A bar on stderr, with a text of the task's fields."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TextColumn(text), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def progressing(texts: PairedTexts, quiet: bool) -> Iterator[Chunk]:
    """The chunks of the texts, with a bar on stderr if that is a terminal."""
    for guess in texts.guesses:
        announce(f"guessed: {guess}", quiet)
    said: list[str] = []
    if not shows_progress(quiet):
        for chunk in texts.chunks():
            said = _say_notes(texts, said, quiet)
            yield chunk
        return
    from polyrouge.progress import telling_progress

    with progress_bar("{task.fields[rows]:,} rows") as bar:
        task = bar.add_task("", total=None, rows=0)
        done = 0
        for chunk in texts.chunks():
            said = _say_notes(texts, said, quiet)
            before, rows = done, len(chunk.references)
            done, whole = texts.progress() or (0, None)

            def show(_stage: str, counted: int, of: int) -> None:
                """A slow segmenter takes long for one chunk: as much of it is done as is counted."""
                part = counted / of
                now = before + part * (done - before)  # noqa: B023 # called before the next chunk
                bar.update(task, completed=now, total=whole, rows=texts.n_rows - rows + int(part * rows))  # noqa: B023

            with telling_progress(show, "scoring", rows * len(chunk.predictions)):
                yield chunk
            bar.update(task, completed=done, total=whole, rows=texts.n_rows)


@contextmanager
def report_progress(quiet: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar on stderr for what ``write_report`` tells; None where it would not be seen."""
    if not shows_progress(quiet):
        yield None
        return
    with progress_bar("{task.description}") as bar:
        task = bar.add_task("", total=None)
        shown = ("", -1)

        def show(stage: str, done: int, of: int) -> None:
            """Some stages tell of every text: the bar moves with the percent."""
            nonlocal shown
            before, shown = shown, (stage, 100 * done // of if of else -1)
            if stage != before[0]:
                bar.reset(task, total=of or None, description=stage)
            if shown != before:
                bar.update(task, completed=done, total=of or None)

        yield show


def _say_notes(texts: PairedTexts, said: list[str], quiet: bool) -> list[str]:
    """Say what is new of the files' notes; returns all of them."""
    notes = texts.notes
    for note in notes:
        if note not in said:
            announce(f"note: {note}", quiet)
    return notes


def emit(report: Report, output_format: str, save: str | None) -> None:
    """Print the report, or write it to a file."""
    if save is not None:
        with atomic_write(save) as temporary:
            Path(temporary).write_text(render(report, output_format), encoding="utf-8", newline="\n")
        return
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    color = terminal and "NO_COLOR" not in os.environ
    sys.stdout.write(render(report, output_format, width=width, color=color))
