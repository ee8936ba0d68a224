"""One open page: the files of its visitor, and the job that runs for them or whose report is shown."""

import contextlib
import os
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gradio.utils import get_upload_folder

from polyrouge.errors import note_from
from polyrouge.page.choices import Choice
from polyrouge.page.job import CancelledError, FileColumns, Job, Mapping, Step, read_columns, score_files
from polyrouge.page.limits import LIMITS
from polyrouge.page.wording import PageError

_PREFIX = "polyrouge-"  # of a visitor's folder


class Scored(NamedTuple):
    """What was scored: as ``score_files`` returns it, with the report and what it is of."""

    names: list[str]
    n_rows: int
    notes: list[str]
    key: str
    report: Path
    files: list[str]
    choice: Choice


class Visitor:
    """Lives as long as the page is open; its files are deleted with it."""

    def __init__(self) -> None:
        self.files: dict[str, FileColumns] = {}  # the columns of each file, by its name, in the order of the uploads
        self.scored: Scored | None = None  # what is shown
        self._n_jobs = 0  # that were asked for
        self._waiting = 0  # the number of the job that has not begun; 0: none waits
        self._job: Job | None = None
        self._lock = threading.Lock()  # a job begins, or is cancelled, whole
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.address = ""  # of the network
        self.last_use = time.monotonic()

    @property
    def folder(self) -> Path:
        """For the files; nobody else can guess its name, and the server may send files from there."""
        if self._folder is None:
            uploads = Path(get_upload_folder())
            uploads.mkdir(parents=True, exist_ok=True)
            prefix = f"{_PREFIX}{secrets.token_urlsafe(16)}-"
            self._folder = tempfile.TemporaryDirectory(prefix=prefix, dir=uploads, ignore_cleanup_errors=True)
        return Path(self._folder.name)

    def add(self, path: Path) -> None:
        """Take a copy of a file, replacing one of that name, and read its columns; delete the copy if it is refused."""
        try:
            name, size, target = path.name, path.stat().st_size, self.folder / path.name
        except FileNotFoundError:
            raise PageError("gone") from None
        n_files = len(self.files.keys() | {name})
        if size > LIMITS.file_megabytes * 1_000_000:
            raise PageError("limitFile", name=name, size=f"{size / 1e6:.1f}", most=LIMITS.file_megabytes)
        if n_files > LIMITS.systems:
            raise PageError("limitSystems", n=n_files, most=LIMITS.systems)
        _copy(path, target)
        try:
            with self._lock:
                job = self._new_job(read_columns, name)
            *_, columns = self._steps(job)
        except BaseException:
            self.files.pop(name, None)
            target.unlink(missing_ok=True)
            raise
        self.files[name] = FileColumns(*columns)._replace(
            notes=list(map(note_from, columns[-2])), guess=Mapping(*columns[-1])
        )

    def begin(self) -> int:
        """Ask for a job in place of the one before; returns its number, for when its turn comes."""
        self.cancel()
        with self._lock:
            self._n_jobs += 1
            self._waiting = self._n_jobs
            return self._waiting

    def score(self, number: int, mapping: Mapping, choice: Choice) -> Iterator[Step | Scored]:
        """Score the files and write their report: steps, and at last what was scored.

        Raises as a ``Job``, and ``CancelledError`` where the job of this number does not wait any more.
        """
        with self._lock:
            if number != self._waiting:
                raise CancelledError()
            self._waiting = 0
            files, columns = self._systems(mapping)
            report = self.folder / secrets.token_hex(8) / "report.html"
            report.parent.mkdir()
            job = self._new_job(score_files, files, columns, mapping, choice, str(report))
        try:
            for step in self._steps(job):
                if isinstance(step, Step):
                    yield step
                else:
                    step["notes"] = list(map(note_from, step["notes"]))
                    self.scored = Scored(**step, report=report, files=files, choice=choice)
                    yield self.scored
        finally:
            if self.scored is None or self.scored.report != report:
                shutil.rmtree(report.parent, ignore_errors=True)

    @property
    def is_busy(self) -> bool:
        """Whether a job waits or runs."""
        return bool(self._waiting) or self._job is not None

    def cancel(self) -> None:
        """Forget the job that waits, runs, or is shown."""
        with self._lock:
            self._waiting = 0
            if self._job is not None:
                self._job.cancel()
            self._job = None
        if self.scored is not None:
            shutil.rmtree(self.scored.report.parent, ignore_errors=True)
        self.scored = None

    def leave(self) -> None:
        """Delete everything."""
        self.cancel()
        self.files.clear()
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = None

    def bytes(self) -> int:
        """Return how many bytes the files have, with the report."""
        if self._folder is None:
            return 0
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _new_job(self, work: Callable[..., Any], *arguments: Any) -> Job:
        """Return a job in place of the one before; the lock is held."""
        if self._job is not None:
            self._job.cancel()
        self._job = Job(work, self.folder, *arguments)
        return self._job

    def _steps(self, job: Job) -> Iterator[Any]:
        """Run a job and yield its steps."""
        try:
            yield from job.steps()
        finally:
            if self._job is job:
                self._job = None

    def _systems(self, mapping: Mapping) -> tuple[list[str], list[str]]:
        """The files in the order of the systems, and columns of predictions: all of one file, or one for each file.

        A file without the chosen column gives the one that its own columns suggest.
        """
        files = [name for name in mapping.files or self.files if name in self.files]
        columns = list(mapping.predictions)
        if not files:
            raise PageError("gone" if columns else "uploadFirst")
        if not columns or not mapping.references:
            raise PageError("noPredictionColumn")
        for name in columns:
            if name in mapping.references:
                raise PageError("sameColumn", name=name)
        if mapping.source in (*columns, *mapping.references):
            raise PageError("sourceColumn", name=mapping.source)
        if len(files) > 1 < len(columns):
            raise PageError("oneColumn", n=len(columns))
        if len(columns) > LIMITS.systems:
            raise PageError("limitSystems", n=len(columns), most=LIMITS.systems)
        if len(files) > 1:
            columns = [
                columns[0] if columns[0] in file.text_columns else [*file.guess.predictions, columns[0]][0]
                for file in map(self.files.__getitem__, files)
            ]
        return files, columns


class Visitors:
    """The visitors with an open page, by its session: each until he leaves, or has been idle for long."""

    def __init__(self) -> None:
        self._visitors: dict[str, Visitor] = {}
        self._lock = threading.Lock()

    def visitor(self, session: str, address: str) -> Visitor:
        """Return the visitor of a session, who is new if the page does not know him."""
        with self._lock:
            visitor = self._visitors.setdefault(session, Visitor())
        visitor.address, visitor.last_use = address, time.monotonic()
        return visitor

    def leave(self, session: str) -> None:
        """Delete what a visitor has."""
        with self._lock:
            visitor = self._visitors.pop(session, None)
        if visitor is not None:
            visitor.leave()

    def sweep(self) -> None:
        """Let those leave who have been idle for long, and delete uploads that nobody has taken."""
        now = time.monotonic()
        for session, visitor in list(self._visitors.items()):
            if not visitor.is_busy and now - visitor.last_use > 60 * LIMITS.idle_minutes:
                self.leave(session)
        oldest = time.time() - 60 * LIMITS.upload_minutes
        for path in Path(get_upload_folder()).glob("*"):
            with contextlib.suppress(OSError):  # it has just gone
                if not path.name.startswith(_PREFIX) and path.stat().st_mtime < oldest:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def bytes_of(self, address: str) -> int:
        """Return how many bytes the visitors of a network address have."""
        return sum(visitor.bytes() for visitor in list(self._visitors.values()) if visitor.address == address)


VISITORS = Visitors()


def _copy(path: Path, target: Path) -> None:
    """Put a file, which others may have uploaded too, into the place of another: as a link where there are links."""
    target.unlink(missing_ok=True)
    try:
        os.link(path, target)
    except OSError:  # of another disk
        shutil.copyfile(path, target)
