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
_ANY_VALUES = ("id", "same id", "kept", "same kept")  # roles of columns that may hold anything; the others hold texts
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
            match = _ROW.match(str(error))
            if match is None or isinstance(error, InputFileError):
                raise
            message = _ROW.sub(
                lambda name: f"{name[1]} {int(name[3]) + 1}" if name[3] else f"the {name[1]}", str(error)
            )
            raise InputFileError(f"{self.places[system][int(match[2]) - first_row]}: {message}") from None


class TextPart(NamedTuple):
    """What one column of one file is for.

    The role is ``"prediction"``, ``"reference"``, ``"document"``, ``"id"`` or ``"kept"``. In a further file it is
    ``"same reference"`` or ``"same document"``, which must equal the first file's, ``"same kept"``, which may differ,
    or ``"same id"``.
    """

    source: int  # number of the file
    role: str
    column: str | None  # None: plain text


@dataclass
class PairedTexts:
    """Open files whose rows are brought together. The end of a ``with`` block closes them."""

    systems: list[str]  # names: the column's, or the file's without folder and suffix
    guesses: list[str]  # which columns were guessed, in sentences
    sources: list[TextFile]
    parts: list[TextPart]  # in the order of the systems
    guesses_slices: bool = False  # columns of metadata are those that look like slices; else they were asked for
    n_rows: int = 0  # read so far
    # Columns of metadata that differ between files, and where; the first file's values are used.
    differing: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._empty_predictions = [0] * len(self.systems)
        self._empty_references = 0
        self._kind: type | None = None  # of the references of a row: str or list
        # Each part that repeats a column of an earlier file, with that file's.
        self._repeated = [
            (part, first)
            for part in self.parts
            for first in self.parts
            if part.role == f"same {first.role}" and part.column == first.column and first.role != "id"
        ]

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
        for source in self.sources:
            source.close()

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows, checked, some at a time; can be called once."""
        chunk, size = self._empty_chunk(), 0
        for together in rows_together([self._rows_of(number) for number in range(len(self.sources))]):
            self.n_rows += 1
            size += self._add(chunk, together)
            if size >= _CHUNK_CHARACTERS or len(chunk.references) >= _CHUNK_ROWS:
                yield chunk
                chunk, size = self._empty_chunk(), 0
        if chunk.references:
            yield chunk

    def _rows_of(self, source: int) -> FileRows:
        parts = [part for part in self.parts if part.source == source]
        texts = [part.column or "" for part in parts if part.role not in _ANY_VALUES]
        others = [part.column or "" for part in parts if part.role in _ANY_VALUES]
        id_column = next((part.column for part in parts if part.role in ("id", "same id")), None)
        file = self.sources[source]
        return FileRows(file.name, file.rows(texts, others), id_column)

    def whole(self, chunks: Iterable[Chunk] | None = None) -> Chunk:
        """All rows, with no places: those of ``chunks()``, or of what shows their progress."""
        rows = self._empty_chunk()
        for chunk in self.chunks() if chunks is None else chunks:
            for column, more in zip(rows.predictions, chunk.predictions, strict=True):
                column += more
            rows.references.extend(chunk.references)
            rows.ids.extend(chunk.ids)
            rows.documents.extend(chunk.documents)
            for name, values in chunk.kept.items():
                rows.kept[name] += values
        return rows

    def slice_columns(self, kept: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The columns that slice samples, by those of all rows. Cells of CSV and TSV are numbers where all are."""
        formats = {part.column: self.sources[part.source].format for part in self.parts if part.role == "kept"}
        typed = {
            name: typed_cells(values) if formats[name] in ("csv", "tsv") else values for name, values in kept.items()
        }
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
            value, where = row.values[part.column], self._where(part, rows)
            if part.role == "prediction":
                text = checked_text(value, where)
                chunk.predictions[system].append(text)
                chunk.places[system].append(f"{self.sources[part.source].name}, {row.place}")
                self._empty_predictions[system] += is_blank(text)
                size += len(text)
                system += 1
            elif part.role == "reference":
                references.append(checked_reference(value, where))
            elif part.role == "document":
                chunk.documents.append(checked_text(value, where))
                size += len(value)
            elif part.role == "id":
                chunk.ids.append("" if value is None else str(value))
            elif part.role == "kept":
                checked = short_value(value) if self.guesses_slices else checked_metadata(value, where)
                chunk.kept[part.column or ""].append(checked)
        single = references[0] if len(references) == 1 else [checked_text(each, "a reference") for each in references]
        if self._kind not in (None, type(single)):
            now, before = ("a text", "lists") if isinstance(single, str) else ("a list", "texts")
            first = next(part for part in self.parts if part.role == "reference")
            raise InputFileError(
                f"{self._where(first, rows)} is {now}, but the rows before hold {before}; give all rows as texts or "
                "all as lists."
            )
        self._kind = type(single)
        chunk.references.append(single)
        for part, first in self._repeated:
            self._compare(part, first, rows)
        texts = [single] if isinstance(single, str) else single
        self._empty_references += sum(map(is_blank, texts))
        return size + sum(map(len, texts))

    def _compare(self, part: TextPart, first: TextPart, rows: Sequence[Row]) -> None:
        """Compare a further file's value with that of the first file that has this column."""
        value, expected = (rows[each.source].values[each.column] for each in (part, first))
        if value == expected or (value != value and expected != expected):
            return
        here, there = self._where(part, rows), self._where(first, rows)
        if first.role != "kept":
            what = "references" if first.role == "reference" else "source texts"
            raise InputFileError(f"{here} is not {there}; all systems need the same {what}.")
        message = f"{here} is not {there}; the values of {self.sources[first.source].name} are taken"
        self.differing.setdefault(part.column or "", message)

    def _where(self, part: TextPart, rows: Sequence[Row]) -> str:
        place = f"{self.sources[part.source].name}, {rows[part.source].place}"
        return place if part.column is None else f"{place}: {part.column!r}"


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
    """The value, which must be a text without lone surrogates; ``where`` is its place for the ``InputFileError``."""
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
