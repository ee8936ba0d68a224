"""Open the predictions of one or more systems with their references, and read them chunk by chunk."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.errors import Option, sentence_of, shown_value, unknown_value
from polyrouge.files.file_rows import (
    InputFileError,
    Row,
    TextFile,
    check_text_column,
    guess_column,
    guess_id_column,
    guessed_slices,
    short_value,
    typed_cells,
)
from polyrouge.files.text_files import open_text_file
from polyrouge.inputs import EmptyTexts, is_blank

NO_IDS = "none"
"""As the name of the id column: join the rows by their place."""

_EXAMPLES = 3  # ids in a message
_BY_PLACE = (" Or pair the rows by their place: ", Option("id_column", NO_IDS), ".")
_CHUNK_CHARACTERS = 2_000_000
_CHUNK_ROWS = 8192
# Rows as messages of the metric name them: predictions[7], references[7][0].
_ROW = re.compile(r"(prediction|reference)s\[(\d+)\](?:\[(\d+)\])?")


class FileRows(NamedTuple):
    """The rows of one file."""

    name: str
    rows: Iterator[Row]
    id_column: str | None  # None if there are no ids

    def id_of(self, row: Row) -> str:
        """The id of a row, which must have one."""
        value = row.values[self.id_column or ""]
        if value is None or value == "" or value != value:
            raise InputFileError(
                f"{self.name}, {row.place}: {self.id_column!r} is empty; each row needs an id, as rows are joined by "
                "them.",
                *_BY_PLACE,
            )
        return str(value)

    def add_next(self, waiting: dict[str, Row], earlier: set[str]) -> str | None:
        """Read one row into ``waiting`` and return its id, which must be new; None at the end of the file."""
        row = next(self.rows, None)
        if row is None:
            return None
        name = self.id_of(row)
        if name in waiting or name in earlier:
            raise InputFileError(
                f"{self.name}, {row.place}: the id {name!r} (column {self.id_column!r}) is there for the second time; "
                "rows are joined by their ids, so each must have one of its own.",
                *_BY_PLACE,
            )
        waiting[name] = row
        return name


def rows_together(files: Sequence[FileRows]) -> Iterator[Sequence[Row]]:
    """Yield the rows that belong together, one of each file, in the order of the first file.

    If all files have ids, rows are joined by them; a row that comes too early waits. If some files have none, row i of
    each belongs together, and the ids of the others must agree. The ids of only one file are ignored.
    """
    without_ids = [file.name for file in files if file.id_column is None]
    n_with_ids = len(files) - len(without_ids)
    if n_with_ids > 1 and not without_ids:
        yield from _by_ids(files)
        return
    for n_before, together in enumerate(zip_longest(*(file.rows for file in files))):
        if None in together:
            counts = ", ".join(
                f"{file.name} has {n_before + (0 if row is None else 1 + sum(1 for _ in file.rows))}"
                for row, file in zip(together, files, strict=True)
            )
            raise InputFileError(
                f"The files have unequal numbers of rows: {counts}. Row i of each must belong together."
            )
        ids = [
            (file, row, file.id_of(row))
            for file, row in zip(files, together, strict=True)
            if n_with_ids > 1 and file.id_column is not None
        ]
        for file, row, name in ids[1:]:
            first_file, first_row, first = ids[0]
            if name != first:
                raise InputFileError(
                    f"{file.name}, {row.place}: the id is {name!r}, but {first!r} in {first_file.name}, "
                    f"{first_row.place}. The rows can't be joined by ids, as {without_ids[0]} has none; bring the "
                    "files into the same order.",
                    *_BY_PLACE,
                )
        yield together


def _by_ids(files: Sequence[FileRows]) -> Iterator[Sequence[Row]]:
    waiting: list[dict[str, Row]] = [{} for _ in files]  # rows of each file whose others have not come
    joined: set[str] = set()
    while (name := files[0].add_next(waiting[0], joined)) is not None:
        for other, rows in zip(files[1:], waiting[1:], strict=True):
            while name not in rows and other.add_next(rows, joined) is not None:
                pass
        if not all(name in rows for rows in waiting):
            break
        joined.add(name)
        yield [rows.pop(name) for rows in waiting]
    for file, rows in zip(files, waiting, strict=True):
        while file.add_next(rows, joined) is not None:
            pass
    for other, rows in zip(files[1:], waiting[1:], strict=True):
        if rows.keys() != waiting[0].keys():
            raise _unequal_ids(files[0], waiting[0], other, rows)


def _unequal_ids(first: FileRows, first_rows: dict[str, Row], other: FileRows, rows: dict[str, Row]) -> InputFileError:
    """The error for ids that only one of two files has, by the rows that found no others."""
    one, two = (f"{each.name} (column {each.id_column!r})" for each in (first, other))
    missing_ids = []
    for here, its_rows, there, other_rows in ((one, first_rows, two, rows), (two, rows, one, first_rows)):
        if ids := [name for name in its_rows if name not in other_rows]:
            examples = ", ".join(map(repr, ids[:_EXAMPLES])) + (", ..." if len(ids) > _EXAMPLES else "")
            verb = "is" if len(ids) == 1 else "are"
            missing_ids.append(f"{len(ids)} of {here} {verb} not in {there} ({examples})")
    return InputFileError(
        f"Rows are joined by their ids, and not all ids are in both files: {', and '.join(missing_ids)}.", *_BY_PLACE
    )


def open_paired_texts(
    prediction_files: Sequence[str],  # one for each system; or one file with a column for each
    reference_files: Sequence[str | TextFile] = (),  # one for each reference of a row; none: in the prediction files
    *,
    prediction_columns: Sequence[str] = (),  # one for all files, or one for each; guessed if empty
    reference_columns: Sequence[str] = (),  # likewise; several columns of one file are several references
    id_column: str | None = None,  # None: guessed in each file; NO_IDS: row i of each file belongs together
    document_column: str | None = None,  # source texts: of the first file of references, else of predictions
    metadata_columns: Sequence[str] | None = (),  # None: all other columns
    names: Sequence[str] = (),  # of the systems; one for each, or none
    **reading: Any,  # options of ``open_text_file``, for all files
) -> "PairedTexts":
    """Open files of predictions and references, and find their columns; an error closes them."""
    if [*prediction_files, *reference_files].count("-") > 1:
        raise InputFileError("Standard input (-) can be read once only.")
    texts = PairedTexts(reading, len(prediction_files), guesses_slices=metadata_columns is None)
    with ExitStack() as on_error:
        on_error.enter_context(texts)
        systems = texts.add_files(prediction_files, prediction_columns, "prediction")
        if reference_files:
            texts.add_files(reference_files, reference_columns, "reference")
        else:
            texts.add_references(reference_columns)
        if document_column is not None:
            texts.add_documents(document_column)
        texts.add_ids(id_column)
        texts.add_metadata(metadata_columns)
        if len(systems) == 1 or len(prediction_files) > 1:
            systems = ["system" if path == "-" else Path(path.removesuffix(".gz")).stem for path in prediction_files]
        if len(names) not in (0, len(systems)):
            raise InputFileError(
                f"{len(names)} names for {len(systems)} systems; give one for each system, in order, or none."
            )
        texts.systems = list(names) or systems
        if len(set(texts.systems)) < len(systems):
            texts.systems = [f"{name}-{number}" for number, name in enumerate(texts.systems, start=1)]
        on_error.pop_all()
        return texts


class Chunk(NamedTuple):
    """Some rows."""

    predictions: list[list[str]]  # of each system
    references: list[Any]  # for each row a text, or for each a list of texts
    ids: list[str]  # empty where no column holds ids
    documents: list[str]  # source texts; empty where no column was named for them
    metadata: dict[str, list[Any]]  # values by column
    places: list[list[str]]  # of each system's predictions, such as "data.jsonl, line 7"

    @contextmanager
    def naming_places(self, system: int, first_row: int) -> Iterator[None]:
        """Add the file and the line to a ``ValueError`` about a row; the chunk begins at ``first_row``."""
        try:
            yield
        except ValueError as error:
            match = _ROW.match(str(error))
            if match is None or isinstance(error, InputFileError):
                raise
            words = (part if isinstance(part, Option) else _ROW.sub(_in_this_row, part) for part in sentence_of(error))
            raise InputFileError(f"{self.places[system][int(match[2]) - first_row]}: ", *words) from None


def _in_this_row(name: re.Match[str]) -> str:
    return f"{name[1]} {int(name[3]) + 1}" if name[3] else f"the {name[1]}"


class TextPart(NamedTuple):
    """What one column of one file is for."""

    source: int  # number of the file
    role: str  # prediction, reference, document or metadata
    column: str  # "" for plain text


class PairedTexts:
    """Open files, those of predictions first, whose rows are brought together. A ``with`` block closes them."""

    def __init__(self, reading: dict[str, Any], n_prediction_files: int, *, guesses_slices: bool) -> None:
        self._reading, self._n_prediction_files = reading, n_prediction_files
        self.guesses_slices = guesses_slices  # columns of metadata are those that look like slices; else all
        self.systems: list[str] = []  # names: the column's, or the file's without folder and suffix
        self.guesses: list[str] = []  # which columns were guessed, in sentences
        self.sources: list[TextFile] = []
        self.parts: list[TextPart] = []  # in the order of the systems
        # The same columns in further files of systems: texts must equal those of the first file, metadata may differ.
        self._repeated: list[tuple[TextPart, TextPart]] = []
        self._id_columns: dict[int, str] = {}  # by the number of the file
        self.n_rows = 0  # read so far
        self.differences: dict[str, str] = {}  # columns of metadata that differ between files, and where
        self._empty_predictions: Counter[int] = Counter()  # by system
        self._empty_references = 0
        self._kind: type | None = None  # of the references of a row: str or list

    @property
    def empty_texts(self) -> EmptyTexts:
        """How many of the texts read so far are empty or blank."""
        of_systems = tuple(self._empty_predictions[system] for system in range(len(self.systems)))
        return EmptyTexts(of_systems, self._empty_references)

    @property
    def files(self) -> list[str]:
        """Names of all files."""
        return [source.name for source in self.sources]

    @property
    def notes(self) -> list[str]:
        """Notes about the files, as far as they have been read."""
        of_files = [note for source in self.sources for note in source.notes]
        return of_files if self.guesses_slices else [*of_files, *self.differences.values()]

    def progress(self) -> tuple[int, int] | None:
        """The position in all files and their size; None if a file does not know."""
        positions = [each for each in (source.progress() for source in self.sources) if each is not None]
        if len(positions) < len(self.sources):
            return None
        return sum(position for position, _ in positions), sum(size for _, size in positions)

    def __enter__(self) -> "PairedTexts":
        return self

    def __exit__(self, *_error: object) -> None:
        for source in self.sources:
            source.close()

    def add_files(self, files: Sequence[str | TextFile], columns: Sequence[str], role: str) -> list[str]:
        """Open files and find their columns of texts: one in each, or all in one file; returns their names."""
        if len(files) > 1 and len(columns) not in (0, 1, len(files)):
            raise InputFileError(
                f"{len(columns)} {role} columns for {len(files)} files; name one for all of them, or one for each."
            )
        names = []
        for number, file in enumerate(files):
            self.sources.append(file if isinstance(file, TextFile) else open_text_file(file, **self._reading))
            of_file = [columns[number]] if len(files) > 1 and len(columns) > 1 else columns or [None]
            names += [self._add_texts(len(self.sources) - 1, role, column) for column in of_file]
        return names

    def add_references(self, columns: Sequence[str]) -> None:
        """Find the columns of references in the files of predictions."""
        names = [self._add_texts(0, "reference", column) for column in columns or [None]]
        if len(names) == 1:
            self._add_repeated(self.parts[-1])

    def add_documents(self, column: str) -> None:
        """Find the column of source texts: in a file of references, or in one of predictions."""
        n = self._n_prediction_files
        order = [*range(n, len(self.sources)), *range(n)]
        first = next((source for source in order if column in self.sources[source].columns), order[0])
        self._add_texts(first, "document", column)
        self._add_repeated(self.parts[-1])

    def add_ids(self, column: str | None) -> None:
        """Find the column of ids in each file that has one."""
        if column == NO_IDS:
            return
        if column is not None:
            self._check_column(column)
        in_use = {part.column for part in self.parts}
        for source, file in enumerate(self.sources):
            name = column if column in file.columns else guess_id_column(file.columns)
            if name is None and column is not None:
                raise InputFileError(
                    f"{file.name} has no column {column!r}, nor another of ids, to join its rows by.",
                    " To pair rows by their place: ",
                    Option("id_column", NO_IDS),
                    ".",
                )
            if name is not None and name not in in_use:
                self._id_columns[source] = name
        if len(self._id_columns) > 1:
            places = [f"{self.sources[source].name} ({name!r})" for source, name in self._id_columns.items()]
            are_all = len(places) == len(self.sources)
            how = "joined by them" if are_all else "paired by place, as not all files have ids"
            self.guesses.append(f"ids are in {', '.join(places)}; rows are {how}")

    def add_metadata(self, columns: Sequence[str] | None) -> None:
        """Find columns of metadata, each in the first file that has it."""
        if columns is None:
            used = {part.column for part in self.parts if self.sources[part.source].format != "text"}
            used.update(self._id_columns.values())
            columns = [name for file in self.sources for name in file.columns if name not in used]
        for column in dict.fromkeys(columns):
            self._check_column(column)
            first = next(source for source, file in enumerate(self.sources) if column in file.columns)
            self.parts.append(TextPart(first, "metadata", column))
            self._add_repeated(self.parts[-1])

    def _add_repeated(self, part: TextPart) -> None:
        """Find the column of a part in the other files of predictions."""
        for source, file in enumerate(self.sources[: self._n_prediction_files]):
            if source != part.source and part.column in file.columns:
                self._repeated.append((part._replace(source=source), part))

    def _check_column(self, column: str) -> None:
        columns = dict.fromkeys(name for file in self.sources for name in file.columns)
        if not columns:
            raise InputFileError(f"There is no column {column!r}: the files are plain text, without columns.")
        if column not in columns:
            raise InputFileError(f"{self.sources[0].name}: {unknown_value(column, columns, 'column')}")

    def _add_texts(self, source: int, role: str, column: str | None) -> str:
        """Find the column of texts for a role, by its name or by guessing; returns its name."""
        file = self.sources[source]
        in_use = [part.column for part in self.parts if part.source == source]
        if file.format == "text":
            if column is not None or in_use:
                what = f"column {column!r}" if column is not None else f"column of {role}s"
                raise InputFileError(
                    f"{file.name} is plain text, without columns, so it has no {what}; give it as a file of its own."
                )
            column = ""
        else:
            if column is None:
                column = guess_column(file, role, in_use)
                self.guesses.append(f"{file.name}: {role}s are the column {column!r}")
            check_text_column(file, column)
            other = {"prediction": "reference", "reference": "prediction"}.get(role)
            if any(part == (source, other, column) for part in self.parts):
                raise InputFileError(f"{file.name}: the column {column!r} is named for predictions and for references.")
        self.parts.append(TextPart(source, role, column))
        return column

    def chunks(self) -> Iterator[Chunk]:
        """Yield the checked rows, some at a time; can be called once."""
        chunk, size = self._empty_chunk(), 0
        for together in rows_together([self._rows_of(number) for number in range(len(self.sources))]):
            self.n_rows += 1
            size += self._add(chunk, together)
            for part, first in self._repeated:
                self._compare(part, first, together)
            if size >= _CHUNK_CHARACTERS or len(chunk.references) >= _CHUNK_ROWS:
                yield chunk
                chunk, size = self._empty_chunk(), 0
        if chunk.references:
            yield chunk

    def _rows_of(self, source: int) -> FileRows:
        file, id_column = self.sources[source], self._id_columns.get(source)
        parts = [part for part in (*self.parts, *(part for part, _ in self._repeated)) if part.source == source]
        texts = [part.column for part in parts if part.role != "metadata"]
        others = [part.column for part in parts if part.role == "metadata"]
        return FileRows(file.name, file.rows(texts, others if id_column is None else [*others, id_column]), id_column)

    def whole(self, chunks: Iterable[Chunk] | None = None) -> Chunk:
        """All rows as one chunk without places; ``chunks`` may wrap ``self.chunks()`` to show progress."""
        rows = self._empty_chunk()
        for chunk in self.chunks() if chunks is None else chunks:
            for column, more in zip(rows.predictions, chunk.predictions, strict=True):
                column += more
            for name, values in chunk.metadata.items():
                rows.metadata[name] += values
            rows.references.extend(chunk.references)
            rows.ids.extend(chunk.ids)
            rows.documents.extend(chunk.documents)
        return rows

    def slice_columns(self, metadata: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The columns that slice the samples. In CSV and TSV, a column whose cells are all numbers holds numbers."""
        formats = {part.column: self.sources[part.source].format for part in self.parts if part.role == "metadata"}
        typed = {
            name: typed_cells(values) if formats[name] in ("csv", "tsv") else values
            for name, values in metadata.items()
        }
        if not self.guesses_slices:
            return typed
        return guessed_slices({name: values for name, values in typed.items() if name not in self.differences})

    def _empty_chunk(self) -> Chunk:
        metadata: dict[str, list[Any]] = {part.column: [] for part in self.parts if part.role == "metadata"}
        return Chunk([[] for _ in self.systems], [], [], [], metadata, [[] for _ in self.systems])

    def _add(self, chunk: Chunk, rows: Sequence[Row]) -> int:
        """Add a row to the chunk; returns its number of characters."""
        system = size = 0
        references: list[Any] = []
        for part in self.parts:
            row = rows[part.source]
            value, where = row.values[part.column], self._where(part, rows)
            if part.role == "metadata":
                checked = short_value(value) if self.guesses_slices else _checked_metadata(value, where)
                chunk.metadata[part.column].append(checked)
                continue
            value = message_text(value)
            if part.role == "reference":
                references.append(checked_reference(value, where))
                continue
            text = checked_text(value, where)
            size += len(text)
            if part.role == "document":
                chunk.documents.append(text)
            else:
                chunk.predictions[system].append(text)
                chunk.places[system].append(f"{self.sources[part.source].name}, {row.place}")
                self._empty_predictions[system] += is_blank(text)
                system += 1
        for source, column in islice(self._id_columns.items(), 1):  # the first file's
            value = rows[source].values[column]
            chunk.ids.append("" if value is None else str(value))
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
        texts = [single] if isinstance(single, str) else single
        self._empty_references += sum(map(is_blank, texts))
        return size + sum(map(len, texts))

    def _compare(self, part: TextPart, first: TextPart, rows: Sequence[Row]) -> None:
        """Compare a further file's value with that of the first file that has this column."""
        value, expected = (rows[each.source].values[each.column] for each in (part, first))
        if value == expected or (value != value and expected != expected):
            return
        here, there = self._where(part, rows), self._where(first, rows)
        if first.role != "metadata":
            what = "references" if first.role == "reference" else "source texts"
            raise InputFileError(f"{here} is not {there}; all systems need the same {what}.")
        message = f"{here} is not {there}; the values of {self.sources[first.source].name} are taken"
        self.differences.setdefault(part.column, message)

    def _where(self, part: TextPart, rows: Sequence[Row]) -> str:
        return f"{self.sources[part.source].name}, {rows[part.source].place}: {part.column!r}"


def message_text(value: Any) -> Any:
    """What the assistant said last, if this is a conversation in which it said anything; else the value itself."""
    is_conversation = isinstance(value, list) and all(isinstance(each, dict) and "content" in each for each in value)
    if not is_conversation or not value:
        return value
    answers = [each for each in value if each.get("role", "assistant") == "assistant"]
    return answers[-1]["content"] if answers else value


def _checked_metadata(value: Any, where: str) -> Any:
    """The value if it is a text, a number, a boolean or null; a date as text; else ``InputFileError``."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, dict, bytes)):
        raise InputFileError(
            f"{where} is {shown_value(value)}; samples are sliced by a text, a number, true, false or null."
        )
    return str(value)


def checked_text(value: Any, where: str) -> str:
    """The value if it is a text without lone surrogates; else ``InputFileError`` names the place ``where``."""
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
    """The value if it is a text or a list of texts; else ``InputFileError``."""
    if not isinstance(value, list):
        return checked_text(value, where)
    if not value:
        raise InputFileError(f"{where} is an empty list; every row needs at least one reference.")
    return [checked_text(each, f"{where}, reference {number},") for number, each in enumerate(value, start=1)]
