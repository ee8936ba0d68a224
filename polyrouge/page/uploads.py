"""Uploaded files: keep them for a visitor, find their columns, and say in the page's words what is wrong with them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.files.file_rows import InputFileError
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.files.text_files import open_text_file
from polyrouge.page.limits import LIMITS
from polyrouge.page.sessions import Session
from polyrouge.page.texts import PageError

_FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow")
_SOURCES = ("source", "source_text", "document", "article", "dialogue", "原文", "正文")


class FileColumns(NamedTuple):
    """What was found in a file.

    Attributes:
        name: of the file, as it was uploaded.
        format: its format.
        columns: all of them.
        text_columns: those that can hold texts.
        notes: what should be said of the file, such as another encoding.
    """

    name: str
    format: str
    columns: list[str]
    text_columns: list[str]
    notes: tuple[str, ...] = ()


class Mapped(NamedTuple):
    """What is scored, and which column has which use.

    Attributes:
        predictions: columns of predictions, of one file one for each system; of several files one, which each has.
        references: columns of references.
        id: the column of ids, or "".
        source: the column of source texts, or "".
        slices: columns that samples are sliced by; empty: those that look like it; ``NO_SLICES`` for none.
        files: names of the files in the order of the systems; empty for all.
    """

    predictions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    id: str = ""
    source: str = ""
    slices: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def keep_upload(path: str, session: Session) -> Path:
    """Move an uploaded file into the session, so that it can be deleted; one that is too large is deleted at once.

    It takes the place of a file of the same name.

    Raises:
        PageError: it is too large, or there are too many.
    """
    source = Path(path)
    name = source.name
    try:
        size = source.stat().st_size
        if size > LIMITS.file_megabytes * 1_000_000:
            raise PageError(key="limitFile", name=name, size=f"{size / 1e6:.1f}", most=LIMITS.file_megabytes)
        others = [each for key, each in session.files.items() if key != name]
        if len(others) >= LIMITS.systems:
            raise PageError(key="limitSystems", n=len(others) + 1, most=LIMITS.systems)
        if size + sum(each.stat().st_size for each in others if each.exists()) > LIMITS.all_megabytes * 1_000_000:
            raise PageError(key="limitFiles", most=LIMITS.all_megabytes)
        target = session.path(name)
        source.replace(target)
    finally:
        source.unlink(missing_ok=True)
    old = session.files.get(name)
    if old is not None:
        old.unlink(missing_ok=True)
    session.files[name] = target
    return target


def remove_upload(session: Session, name: str) -> None:
    """Delete a file that was uploaded."""
    old = session.files.pop(name, None)
    if old is not None:
        old.unlink(missing_ok=True)


def read_columns(path: Path) -> FileColumns:
    """What is in a file.

    Raises:
        PageError: it is of another kind.
        InputFileError: it can't be read; its folder is not named.
    """
    with NamesOnly(path), contextlib.closing(open_text_file(str(path))) as opened:
        if opened.columns is None or opened.format not in _FORMATS:
            raise PageError(key="unknownFormat", name=path.name)
        notes = tuple(note.replace(str(path), path.name) for note in opened.notes)
        return FileColumns(path.name, opened.format, list(opened.columns), list(opened.text_columns), notes)


def guess_columns(found: FileColumns, path: Path) -> Mapped:
    """Guess by their names what the columns are for; empty where that is not possible."""
    prediction = references = identity = ""
    try:
        with open_paired_texts([str(path)]) as texts:
            parts = texts.parts
    except InputFileError:
        return Mapped()
    for part in parts:
        if part.role == "prediction":
            prediction = part.column or ""
        elif part.role == "reference":
            references = part.column or ""
        elif part.role == "id":
            identity = part.column or ""
    alike = [name for name in found.text_columns if name.lower().startswith(prediction.lower())]
    others = [name for name in alike if name not in (prediction, references, identity)]
    predictions = (prediction, *others[: LIMITS.systems - 1]) if prediction else ()
    source = next((name for name in found.text_columns if name.lower() in _SOURCES), "")
    if source in (*predictions, references):
        source = ""
    return Mapped(predictions, (references,) if references else (), identity, source)


def prediction_columns(mapped: Mapped, paths: Sequence[Path]) -> list[str]:
    """The columns of predictions: of one file all that were chosen, of several files one of each.

    A file that does not have the column that was chosen gives the one that its own columns suggest.

    Raises:
        PageError: several columns were chosen for several files.
        InputFileError: a file can't be read.
    """
    if len(paths) == 1:
        return list(mapped.predictions)
    (column, *more) = mapped.predictions
    if more:
        raise PageError(key="oneColumn", n=len(mapped.predictions))
    columns: list[str] = []
    for path in paths:
        found = read_columns(path)
        own = [column] if column in found.text_columns else [*guess_columns(found, path).predictions, column]
        columns.append(own[0])
    return columns


class NamesOnly:
    """Errors name files as the visitor knows them, without our folder."""

    def __init__(self, *paths: Path) -> None:
        self._paths = paths

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputFileError):
            message = error.message
            if "--id-column" in error.option:
                message += " Or choose no column of ids, and row i of each file belongs together."
            for path in self._paths:
                message = message.replace(str(path), path.name)
            raise InputFileError(message) from None
