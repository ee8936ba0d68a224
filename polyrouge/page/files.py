"""Read uploaded files, score their systems, and write the report that the page shows."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polyrouge.errors import hearing_warnings
from polyrouge.files.joined_rows import NO_IDS
from polyrouge.files.slice_columns import NO_SLICES
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.metric import Rouge
from polyrouge.page.choices import Choice
from polyrouge.page.limits import LIMITS, Deadline
from polyrouge.page.sessions import Session
from polyrouge.page.steps import Step, in_steps
from polyrouge.page.texts import PageError
from polyrouge.page.uploads import Mapped, NamesOnly, prediction_columns
from polyrouge.progress import Progress
from polyrouge.report.html_report import draw_report
from polyrouge.report.report_data import report_data

_CONFIDENCE = 0.95


@dataclass
class FileTexts:
    """The texts of uploaded files.

    Attributes:
        names: of the systems.
        predictions: of each system.
        references: of each row.
        ids: of each row, or empty.
        sources: of each row, or empty.
        metadata: the columns that samples are sliced by.
        notes: what should be said of the files.
    """

    names: list[str]
    predictions: list[list[str]]
    references: list[Any] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    metadata: dict[str, list[Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass
class FileJob:
    """A scored upload.

    Attributes:
        names: of the systems.
        n_rows: how many rows there are.
        report: the HTML file.
        notes: the metric's warnings, and what should be said of the files.
        key: of the report, see ``ReportData``.
        files: names of the files, in the order of the systems.
        choice: what was chosen.
    """

    names: list[str]
    n_rows: int
    report: Path
    notes: list[str]
    key: str
    files: list[str]
    choice: Choice

    def delete(self) -> None:
        """Delete the report, which may be as large as an upload."""
        shutil.rmtree(self.report.parent, ignore_errors=True)


def score_files(session: Session, mapped: Mapped, choice: Choice) -> Generator[Step | FileJob, None, None]:
    """Score what was uploaded and write its report; yields how far it is, now and then, and at last the job.

    To cancel, close the iterator.

    Raises:
        PageError: a limit, or a column is missing.
        ValueError: a row that is no text, settings that don't go together; the message says which.
    """
    deadline = Deadline()

    def work(told: Progress) -> FileJob:
        def checked(stage: str, done: int, of: int) -> None:
            deadline.check()
            told(stage, done, of)

        return _job(session, mapped, choice, checked)

    return in_steps(work)


def _job(session: Session, mapped: Mapped, choice: Choice, progress: Progress) -> FileJob:
    convention, settings = choice.keywords()
    rouge = choice.rouge()
    with contextlib.suppress(ValueError):  # there is no interval of such means
        rouge = Rouge(convention, **settings, output="all", confidence=_CONFIDENCE)
    texts = _read(session, mapped, lambda done: progress("reading", done, 0))
    first, *others = zip(texts.names, texts.predictions, strict=True)
    with hearing_warnings() as heard:
        data = report_data(
            first[1],
            texts.references,
            rouge=rouge,
            name=first[0],
            others=dict(others),
            ids=texts.ids or None,
            metadata=texts.metadata,
            sources=texts.sources or None,
            slices=NO_SLICES not in mapped.slices,
            progress=progress,
        )
    first_of_kind = {message[:20]: message for message in reversed([*texts.notes, *heard])}
    job = FileJob(
        names=texts.names,
        n_rows=len(texts.references),
        report=session.path("report.html"),
        notes=list(reversed(first_of_kind.values())),
        key=data.key,
        files=[path.name for path in _chosen_files(session, mapped)],
        choice=choice,
    )
    try:
        with hearing_warnings():  # the same once more
            draw_report(job.report, data, rouge=rouge, progress=progress)
        progress("examining", 1, 1)  # it may have been cancelled meanwhile
    except BaseException:
        job.delete()
        raise
    return job


def _read(session: Session, mapped: Mapped, progress: Callable[[int], None]) -> FileTexts:
    """All texts, within the limits.

    Raises:
        PageError: a limit, or a column is missing.
        InputFileError: a file that can't be read, or a row that is no text.
    """
    paths = _chosen_files(session, mapped)
    columns = prediction_columns(mapped, paths)
    asked = tuple(name for name in mapped.slices if name != NO_SLICES) if mapped.slices else None
    kept: dict[str, list[Any]] = {}
    with (
        NamesOnly(*paths),
        open_paired_texts(
            [str(path) for path in paths],
            prediction_columns=columns,
            reference_columns=mapped.references,
            id_column=mapped.id or NO_IDS,
            document_column=mapped.source or None,
            kept_columns=asked,
        ) as opened,
    ):
        names = opened.systems
        if len(paths) == len(names) == 1:
            names = [paths[0].name.partition(".")[0]]
        if len(names) > LIMITS.systems:
            raise PageError(key="limitSystems", n=len(names), most=LIMITS.systems)
        texts = FileTexts(list(names), [[] for _ in names])
        characters = 0
        for chunk in opened.chunks():
            characters += _size([*chunk.predictions, chunk.documents], chunk.references)
            if characters > LIMITS.million_characters * 1_000_000:
                raise PageError(key="limitCharacters", most=LIMITS.million_characters)
            if len(texts.references) + len(chunk.references) > LIMITS.rows:
                raise PageError(key="limitRows", most=LIMITS.rows)
            texts.references += chunk.references
            texts.ids += chunk.ids
            texts.sources += chunk.documents
            for name, values in chunk.kept.items():
                kept.setdefault(name, []).extend(values)
            for system, more in enumerate(chunk.predictions):
                texts.predictions[system] += more
            progress(len(texts.references))
        texts.metadata = opened.slice_columns(kept)
        for note in opened.notes:
            for path in paths:
                note = note.replace(str(path), path.name)
            texts.notes.append(note)
    return texts


def _chosen_files(session: Session, mapped: Mapped) -> list[Path]:
    """The files of the systems, in the order that was chosen.

    Raises:
        PageError: there is none, one is gone, or columns are missing or have two uses.
    """
    files = [session.files[name] for name in mapped.files or session.files if name in session.files]
    if not files or not all(path.exists() for path in files):
        raise PageError(key="gone" if mapped.predictions else "uploadFirst")
    if not mapped.predictions or not mapped.references:
        raise PageError(key="noPredictionColumn")
    for name in mapped.predictions:
        if name in mapped.references:
            raise PageError(key="sameColumn", name=name)
    if mapped.source in (*mapped.predictions, *mapped.references):
        raise PageError(key="sourceColumn", name=mapped.source)
    return files


def _size(columns: Sequence[Sequence[str]], references: Sequence[Any]) -> int:
    """Characters of some rows.

    Raises:
        PageError: one text is too long.
    """
    size = 0
    for texts in (*columns, *([row] if isinstance(row, str) else row for row in references)):
        for text in texts:
            if len(text) > LIMITS.file_text:
                raise PageError(key="limitText", what="row", n=len(text), most=LIMITS.file_text)
            size += len(text)
    return size
