"""Jobs on uploaded files: to look into one, and to score them and write their report.

Each runs in a process of its own with limits of memory, time and files, so a hostile file ends only its own job. The
process is not trusted either: it answers in JSON.
"""

import contextlib
import gc
import json
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.errors import RefusedValue, as_plain, hearing_warnings, note_from
from polyrouge.files.columns import NO_IDS, guess_roles
from polyrouge.files.formats import open_table
from polyrouge.files.pairs import Chunk, open_pairs
from polyrouge.files.slices import NO_SLICES
from polyrouge.files.table import InputFileError
from polyrouge.page.choices import Choice
from polyrouge.page.limits import LIMITS
from polyrouge.page.wording import PageError
from polyrouge.progress import Progress
from polyrouge.report.html_report import draw_report
from polyrouge.report.report_data import report_data

_FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow")
_CONFIDENCE = 0.95
_STEP_SECONDS = 0.5  # between two answers on how far a job is
_LONGEST_ANSWER = 20_000_000  # bytes; the longest typed texts with all types take 8 MB
_REPORT_BYTES = 500_000_000
_NICENESS = 10  # the server, which answers short texts, comes first
_PROCESSES = threading.BoundedSemaphore(LIMITS.processes)

_CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()  # else it is Windows, where the page is for oneself
_CONTEXT: Any = multiprocessing.get_context("forkserver" if _CAN_FORK else "spawn")
if _CAN_FORK:
    _CONTEXT.set_forkserver_preload(
        ["__main__", __name__, "polyrouge.page.preload", "jinja2", "pyarrow.csv", "pyarrow.parquet"]
    )


def start_forkserver() -> None:
    """Start what jobs are forked from, with their modules loaded, before the first visitor needs it."""
    if _CAN_FORK:
        from multiprocessing import forkserver  # not on Windows

        forkserver.ensure_running()


class Step(NamedTuple):
    """How far a job is: its stage, what is done of it, and of how much (0: unknown)."""

    stage: str
    done: int
    of: int
    means: dict[str, dict[str, float]] | None = None  # of each system and type, in the one step that brings them


class CancelledError(PageError):
    """A job was cancelled."""

    def __init__(self) -> None:
        super().__init__("cancelled")


class Job:
    """A function that runs in a folder, in a process of its own; it takes a ``Progress``, and returns JSON."""

    def __init__(
        self,
        work: Callable[..., Any],
        folder: Path,
        *arguments: Any,
        seconds: int | None = None,
        wait: int | None = None,
    ) -> None:
        self._wait = wait or LIMITS.seconds
        self._seconds = seconds or LIMITS.seconds
        self._answers, self._sender = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=_run, args=(self._sender, work, folder, arguments), daemon=True)
        self.is_cancelled = False

    def steps(self) -> Iterator[Step | Any]:
        """Begin it when a process is free; yield how far it is, now and then, and at its end the result.

        Raises ``PageError`` (a limit, or what the visitor can correct), ``ValueError`` (what the metric refuses), and
        for anything else ``RuntimeError`` without the message, which may hold texts.
        """
        if not _PROCESSES.acquire(timeout=self._wait):
            raise PageError("busy")
        try:
            if self.is_cancelled:
                raise CancelledError()
            self._process.start()
            yield from self._steps()
        finally:
            if self._process.pid is not None:
                self._process.kill()
                self._process.join()
            self._answers.close()
            _PROCESSES.release()

    def _steps(self) -> Iterator[Step | Any]:
        self._sender.close()
        self._end = time.monotonic() + self._seconds
        try:
            while self._answers.poll(max(0.0, self._end - time.monotonic())):
                kind, value = json.loads(self._answers.recv_bytes(_LONGEST_ANSWER))
                if self.is_cancelled:
                    break
                if kind == "result":
                    yield value
                    return
                if kind != "step":
                    raise _error(kind, value)
                yield Step(*value)
            raise CancelledError() if self.is_cancelled else PageError("limitTime", most=self._seconds)
        except (EOFError, OSError):  # it was killed, here or by one of its limits
            raise (CancelledError() if self.is_cancelled else PageError("limitMemory")) from None

    def cancel(self) -> None:
        """End it."""
        self.is_cancelled = True
        if self._process.pid is not None:
            self._process.kill()


def _error(kind: str, value: Any) -> Exception:
    """Return an error of the process, from what it has answered."""
    if kind == "page":
        return PageError(value[0], **value[1])
    if kind == "metric":
        return RefusedValue(*note_from(value).sentence)
    return PageError("limitMemory") if value in ("MemoryError", "OSError") else RuntimeError(value)


def _run(sender: Connection, work: Callable[..., Any], folder: Path, arguments: Sequence[Any]) -> None:
    """The whole life of such a process."""
    last = 0.0

    def answer(kind: str, value: Any) -> None:
        sender.send_bytes(json.dumps((kind, value)).encode())

    def tell(*step: Any) -> None:
        nonlocal last
        if time.monotonic() - last >= _STEP_SECONDS or Step(*step).means is not None:
            answer("step", step)
            last = time.monotonic()

    try:
        gc.disable()  # the process ends with its job, and half its time would go into looking through a million tokens
        threading.Thread(target=_end_with_server, daemon=True).start()
        _set_limits()
        os.chdir(folder)  # so that messages have the names of files, without our folder
        answer("result", work(tell, *arguments))
    except PageError as error:
        answer("page", (error.key, error.values))
    except InputFileError as error:
        by_place = " Or choose no column of ids, and row i of each file belongs together."
        ids = by_place if error.field == "id_column" else ""
        answer("metric", as_plain(error.message + ids))
    except (ValueError, TypeError, ModuleNotFoundError, FileNotFoundError) as error:
        answer("metric", as_plain(error))
    except Exception as error:  # a traceback would go to the log
        answer("other", type(error).__name__)


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()  # it was killed; else this process ends first
        os._exit(1)


def _set_limits() -> None:
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    used_bytes = 0
    with contextlib.suppress(OSError):  # Linux alone says what is in use before: much on a machine of many cores
        used_bytes = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    most = {
        resource.RLIMIT_AS: used_bytes + LIMITS.memory_megabytes * 1_000_000,
        resource.RLIMIT_CPU: LIMITS.seconds * (os.cpu_count() or 1),  # should the server not end it
        resource.RLIMIT_FSIZE: _REPORT_BYTES,
        resource.RLIMIT_CORE: 0,  # it would hold texts
    }
    for limit, value in most.items():
        with contextlib.suppress(ValueError, OSError):  # macOS has no limit of memory
            resource.setrlimit(limit, (value, value))


# What is done there


class Mapping(NamedTuple):
    """Which column has which use."""

    predictions: Sequence[str] = ()  # of one file one for each system; of several files one, which each has
    references: Sequence[str] = ()
    id: str = ""  # "": none
    source: str = ""  # "": none
    slices: Sequence[str] = ()  # empty: those that look like it; NO_SLICES: none
    files: Sequence[str] = ()  # their names in the order of the systems; empty: all


class FileColumns(NamedTuple):
    """What is in a file, and what its columns are for, guessed by their names."""

    name: str
    format: str
    columns: Sequence[str]
    text_columns: Sequence[str]  # that can hold texts
    notes: Sequence[Any] = ()  # such as another encoding; as plain values in what a process answers
    guess: Mapping = Mapping()


def read_columns(_progress: Progress, name: str) -> FileColumns:
    """Look into a file."""
    with contextlib.closing(open_table(name)) as table:
        if table.format not in _FORMATS:
            raise PageError("unknownFormat", name=name)
        predictions, references, id_column, source = guess_roles(table, LIMITS.systems)
        guess = Mapping(predictions, references, id_column or "", source or "")
        return FileColumns(
            name, table.format, table.columns, table.text_columns, list(map(as_plain, table.notes)), guess
        )


def score_files(
    tell: Callable[..., None],
    files: Sequence[str],
    columns: Sequence[str],
    mapping: Mapping,
    choice: Choice,
    report: str,
) -> dict[str, Any]:
    """Score the systems and write their report; ``columns``: one for each system of one file, or one for each file.

    ``tell`` takes the fields of a ``Step``.
    """
    progress: Progress = tell
    rouge = choice.rouge()
    with contextlib.suppress(ValueError):  # there is no interval of such means
        rouge = choice.rouge(confidence=_CONFIDENCE)
    with hearing_warnings() as warnings:
        systems, texts, notes = _read(progress, files, columns, mapping)
        (name, predictions), *other_systems = systems.items()
        options: dict[str, Any] = {"metadata": None, **texts, "rouge": rouge, "slices": NO_SLICES not in mapping.slices}
        data = report_data(
            predictions,
            name=name,
            others=dict(other_systems),
            progress=progress,
            on_means=lambda means: tell(*Step("comparing", 0, 0, means)),
            **options,
        )
    with hearing_warnings():  # the same once more
        draw_report(Path(report), data, rouge=rouge, progress=progress)
    all_notes = [*notes, *warnings]
    first_notes = {getattr(note, "kind", "") or note[:20]: note for note in reversed(all_notes)}  # of each kind
    plain = [as_plain(note) for note in reversed(first_notes.values())]
    return {"names": list(systems), "n_rows": len(texts["references"]), "notes": plain, "key": data.key}


def _read(
    progress: Progress, files: Sequence[str], columns: Sequence[str], mapping: Mapping
) -> tuple[dict[str, list[str]], dict[str, Any], list[str]]:
    """Return the systems' predictions, the other columns of a report, and notes."""
    selected = tuple(name for name in mapping.slices if name != NO_SLICES) if mapping.slices else None
    n_rows = characters = 0

    def within_limits(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        nonlocal n_rows, characters
        for chunk in chunks:
            n_rows += len(chunk.references)
            if n_rows > LIMITS.rows:
                raise PageError("limitRows", most=LIMITS.rows)
            lists = [[row] if isinstance(row, str) else row for row in chunk.references]
            characters += sum(sum(map(len, texts)) for texts in (*chunk.predictions, chunk.sources, *lists))
            if characters > LIMITS.million_characters * 1_000_000:
                raise PageError("limitCharacters", most=LIMITS.million_characters)
            yield chunk
            progress("reading", n_rows, 0)

    with open_pairs(
        files,
        prediction_columns=columns,
        reference_columns=mapping.references,
        id_column=mapping.id or NO_IDS,
        source_column=mapping.source or None,
        metadata_columns=selected,
    ) as pairs:
        rows = pairs.read_all(within_limits(pairs))
        texts = {"references": rows.references, "ids": rows.ids or None, "sources": rows.sources or None}
        texts["metadata" if mapping.slices else "guessed"] = pairs.slices(rows.metadata)
        return dict(zip(pairs.systems, rows.predictions, strict=True)), texts, list(pairs.notes)
