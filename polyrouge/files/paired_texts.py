"""Read the predictions of one or more systems with their references from files, chunk by chunk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from polyrouge.errors import shown_value
from polyrouge.files.file_rows import InputFileError, Row, TextFile
from polyrouge.files.joined_rows import FileRows, rows_together
from polyrouge.files.slice_columns import guessed_slices, short_value, typed_cells
from polyrouge.inputs import EmptyTexts, is_blank

_CHUNK_CHARACTERS = 2_000_000
_CHUNK_ROWS = 8192
# Rows as messages of the metric name them: predictions[7], references[7][0].
_ROW = re.compile(r"(prediction|reference)s\[(\d+)\](?:\[(\d+)\])?")


class Chunk(NamedTuple):
    """Some rows."""

    predictions: list[list[str]]  # of each system
    references: list[Any]  # for each row a text, or for each a list of texts
    ids: list[str]  # empty where no column holds ids
    documents: list[str]  # source texts; empty where no column was named for them
    kept: dict[str, list[Any]]  # columns of metadata
    places: list[list[str]]  # of each system's predictions, such as "data.jsonl, line 7"

    @contextmanager
    def naming_places(self, system: int, first_row: int) -> Iterator[None]:
        """Name a row of a system that a ``ValueError`` refuses by its file and line; ``first_row`` is the chunk's."""
        try:
            yield
        except ValueError as error:
            found = _ROW.match(str(error))
            if found is None or isinstance(error, InputFileError):
                raise
            message = _ROW.sub(
                lambda name: f"{name[1]} {int(name[3]) + 1}" if name[3] else f"the {name[1]}", str(error)
            )
            raise InputFileError(f"{self.places[system][int(found[2]) - first_row]}: {message}") from None


class TextPart(NamedTuple):
    """What one column of one file is for.

    The role is ``"prediction"``, ``"reference"``, ``"id"``, ``"document"`` or ``"kept"``; of a further file ``"same
    reference"`` or ``"same document"``, which must equal the first file's, ``"same kept"``, which may differ, or
    ``"same id"``.
    """

    source: int  # number of the file
    place: int  # number of the column among those read from the file
    role: str
    column: str | None  # None: plain text


@dataclass
class PairedTexts:
    """Open files whose rows are brought together. ``close``, or the end of a ``with`` block, closes them.

    Attributes:
        systems: names of the systems: the column's name, or the file's without folder and suffix.
        guesses: which columns were guessed, in sentences.
        sources: the files.
        parts: what each column is for, in the order of the systems.
        columns: for each file the columns to read as texts, and those that may hold anything.
        guesses_slices: whether columns of metadata are those that look like slices; else they were asked for.
        n_rows: rows read so far.
        differing: columns of metadata that differ between files, and where; the first file's values are kept.
    """

    systems: list[str]
    guesses: list[str]
    sources: list[TextFile]
    parts: list[TextPart]
    columns: list[tuple[list[str], list[str]]]
    guesses_slices: bool = False
    n_rows: int = field(default=0)
    differing: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._empty_predictions = [0] * len(self.systems)
        self._empty_references = 0
        same = ("same reference", "same document", "same kept")
        self._of_further_files = [part for part in self.parts if part.role in same]

    @property
    def empty_texts(self) -> EmptyTexts:
        """How many of the texts read so far are empty or blank."""
        return EmptyTexts(tuple(self._empty_predictions), self._empty_references)

    @property
    def files(self) -> list[str]:
        """Names of all files."""
        return [source.name for source in self.sources]

    @property
    def notes(self) -> list[str]:
        """What should be said of the files, as far as they were read."""
        of_files = [note for source in self.sources for note in source.notes]
        return of_files if self.guesses_slices else [*of_files, *self.differing.values()]

    def progress(self) -> tuple[int, int] | None:
        """How much of all files has been read, and of how much; None where this isn't known."""
        known = [each for each in (source.progress() for source in self.sources) if each is not None]
        if len(known) < len(self.sources):
            return None
        return sum(done for done, _ in known), sum(whole for _, whole in known)

    def __enter__(self) -> PairedTexts:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all files."""
        for source in self.sources:
            source.close()

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows, checked, some at a time; can be called once."""
        ids = {part.source: (part.place, part.column) for part in self.parts if part.role in ("id", "same id")}
        files = [
            FileRows(source.name, source.rows(*columns), *ids.get(number, (None, None)))
            for number, (source, columns) in enumerate(zip(self.sources, self.columns, strict=True))
        ]
        chunk, size, kind = self._empty_chunk(), 0, None
        for together in rows_together(files):
            self.n_rows += 1
            size += self._add(chunk, together)
            kind = self._check_kind(kind, chunk.references[-1], together)
            if size >= _CHUNK_CHARACTERS or len(chunk.references) >= _CHUNK_ROWS:
                yield chunk
                chunk, size = self._empty_chunk(), 0
        if chunk.references:
            yield chunk

    def whole(self, chunks: Iterable[Chunk] | None = None) -> Chunk:
        """All rows, with no places: those of ``chunks()``, or of what shows their progress."""
        found = self._empty_chunk()
        for chunk in self.chunks() if chunks is None else chunks:
            for column, more in zip(found.predictions, chunk.predictions, strict=True):
                column += more
            found.references.extend(chunk.references)
            found.ids.extend(chunk.ids)
            found.documents.extend(chunk.documents)
            for name, values in chunk.kept.items():
                found.kept[name] += values
        return found

    def slice_columns(self, kept: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The columns that slice samples, by those of all rows. Cells of CSV and TSV are numbers where all are."""
        of_cells = {
            part.column
            for part in self.parts
            if part.role == "kept" and self.sources[part.source].format in ("csv", "tsv")
        }
        typed = {name: typed_cells(values) if name in of_cells else values for name, values in kept.items()}
        if not self.guesses_slices:
            return typed
        return guessed_slices({name: values for name, values in typed.items() if name not in self.differing})

    def _empty_chunk(self) -> Chunk:
        kept: dict[str, list[Any]] = {part.column or "": [] for part in self.parts if part.role == "kept"}
        return Chunk([[] for _ in self.systems], [], [], [], kept, [[] for _ in self.systems])

    def _add(self, chunk: Chunk, rows: Sequence[Row]) -> int:
        """Add a row to the chunk; returns its number of characters."""
        system = size = 0
        references: list[Any] = []
        for part in self.parts:
            row = rows[part.source]
            value = row.values[part.place]
            role, where = part.role, self._where(part, rows)
            if role == "prediction":
                text = checked_text(value, where)
                chunk.predictions[system].append(text)
                chunk.places[system].append(f"{self.sources[part.source].name}, {row.place}")
                self._empty_predictions[system] += is_blank(text)
                size += len(text)
                system += 1
            elif role == "reference":
                references.append(checked_reference(value, where))
            elif role == "id":
                chunk.ids.append("" if value is None else str(value))
            elif role == "document":
                chunk.documents.append(checked_text(value, where))
                size += len(value)
            elif role == "kept":
                kept = short_value(value) if self.guesses_slices else checked_metadata(value, where)
                chunk.kept[part.column or ""].append(kept)
        single = references[0] if len(references) == 1 else [checked_text(each, "a reference") for each in references]
        chunk.references.append(single)
        for part in self._of_further_files:
            self._compare(part, rows)
        texts = [single] if isinstance(single, str) else single
        self._empty_references += sum(map(is_blank, texts))
        return size + sum(map(len, texts))

    def _compare(self, part: TextPart, rows: Sequence[Row]) -> None:
        """A further file's value beside that of the first file which has it."""
        role = part.role.removeprefix("same ")
        first = self._first(role, None if role == "reference" else part.column)
        value, known = (rows[each.source].values[each.place] for each in (part, first))
        if value == known or (value != value and known != known):
            return
        here, there = self._where(part, rows), self._where(first, rows)
        if role != "kept":
            what = "references" if role == "reference" else "source texts"
            raise InputFileError(f"{here} is not {there}; all systems need the same {what}.")
        kept = f"the values of {self.sources[first.source].name} are taken"
        self.differing.setdefault(part.column or "", f"{here} is not {there}; {kept}")

    def _first(self, role: str, column: str | None = None) -> TextPart:
        return next(part for part in self.parts if part.role == role and column in (None, part.column))

    def _where(self, part: TextPart, rows: Sequence[Row]) -> str:
        place = f"{self.sources[part.source].name}, {rows[part.source].place}"
        return place if part.column is None else f"{place}: {part.column!r}"

    def _check_kind(self, kind: type | None, references: Any, rows: Sequence[Row]) -> type:
        if kind not in (None, type(references)):
            now, before = ("a text", "lists") if isinstance(references, str) else ("a list", "texts")
            raise InputFileError(
                f"{self._where(self._first('reference'), rows)} is {now}, but the rows before hold {before}; "
                "give all rows as texts or all as lists."
            )
        return type(references)


def checked_metadata(value: Any, where: str) -> Any:
    """The value, which must be a text, a number, a boolean or nothing; a date is written out."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, dict, bytes)):
        raise InputFileError(
            f"{where} is {shown_value(value)}; samples are sliced by a text, a number, true, false or null."
        )
    return str(value)


def checked_text(value: Any, where: str) -> str:
    """The value, which must be a text without lone surrogates; ``where`` it stands is for the ``InputFileError``."""
    if not isinstance(value, str):
        raise InputFileError(
            f'{where} is {"null" if value is None else shown_value(value)}; each must be a text. An empty text is "".'
        )
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputFileError(
                f"{where} holds a lone surrogate, which is no character (a broken emoji?); mend the text."
            ) from None
    return value


def checked_reference(value: Any, where: str) -> str | list[str]:
    """The value, which must be a text or a list of at least one text; see ``checked_text``."""
    if not isinstance(value, list):
        return checked_text(value, where)
    if not value:
        raise InputFileError(f"{where} is an empty list; every row needs at least one reference.")
    return [checked_text(each, f"{where}, reference {number},") for number, each in enumerate(value, start=1)]
