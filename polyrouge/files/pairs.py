"""The predictions of one or more systems with their references, chunk by chunk."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.documents.input_notes import is_written_list, shortened
from polyrouge.errors import Note, Option, folded, sentence_of
from polyrouge.files.columns import Column, Columns, find_columns, several_systems
from polyrouge.files.folders import are_folders, open_folders
from polyrouge.files.formats import open_table
from polyrouge.files.joining import (
    BlankLines,
    Copies,
    KeyedRows,
    LineIds,
    NumberedIds,
    Order,
    chosen_rows,
    join_rows,
    other_order,
    out_of_order,
    some_in_other_rows,
    texts_between_blank_lines,
)
from polyrouge.files.slices import guessed_slices, short_value, typed_cells
from polyrouge.files.table import (
    InputFileError,
    Row,
    Table,
    checked_metadata,
    checked_references,
    checked_text,
    is_there,
    message_text,
)
from polyrouge.files.usual_names import NAMES, OF_ONE_TEXT
from polyrouge.inputs import EmptyTexts, is_blank

_CHUNK_CHARACTERS = 2_000_000
_CHUNK_ROWS = 8192
_FEWEST_PARTED = 3  # texts, as one blank line may be an empty text
# Rows as messages of the metric name them: predictions[7], references[7][0].
_ROW = re.compile(r"(prediction|reference)s\[(\d+)\](?:\[(\d+)\])?")


@contextmanager
def open_pairs(
    prediction_files: Sequence[str],  # one for each system; or one file with a column for each
    reference_files: Sequence[str | Table] = (),  # one for each reference of a row; none: in the prediction files
    *,
    prediction_columns: Sequence[str] = (),  # one for all files, or one for each; guessed if empty
    reference_columns: Sequence[str] = (),  # likewise; several columns of one file are several references
    id_column: str | None = None,  # None: guessed in each file; NO_IDS: row i of each file belongs together
    source_column: str | None = None,  # source texts: of the first file of references, else of predictions
    metadata_columns: Sequence[str] | None = (),  # None: all other columns
    where: Sequence[str] = (),  # COLUMN=VALUE: the rows to read, of the files that have the column
    names: Sequence[str] = (),  # of the systems; one for each, or none
    guesses_systems: bool = False,  # of one file without named columns: prediction, prediction_b and so on
    guesses_source: bool = False,  # by its usual names, if it is not named
    **reading: Any,  # options of ``open_table``, for all files
) -> Iterator["Pairs"]:
    """Open files of predictions and references, find their columns, and close them at the end."""
    if [*prediction_files, *reference_files].count("-") > 1:
        raise InputFileError("Standard input (-) can be read once only.")
    with ExitStack() as to_close:
        files = [*prediction_files, *reference_files]
        tables: list[Table] = []
        paths = [file for file in files if isinstance(file, str)]
        if len(paths) == len(files) and are_folders(paths):
            tables, files = open_folders(paths, reading.get("encoding")), []
        for file in files:
            table = file if isinstance(file, Table) else open_table(file, **reading)
            tables.append(to_close.enter_context(closing(table)))
        columns = find_columns(
            tables,
            len(prediction_files),
            prediction_columns=prediction_columns,
            reference_columns=reference_columns,
            id_column=id_column,
            source_column=source_column,
            metadata_columns=metadata_columns,
            where=where,
            guesses_systems=guesses_systems,
            guesses_source=guesses_source,
        )
        systems = _system_names(prediction_files, columns, names)
        yield Pairs(tables, columns, systems, guesses_slices=metadata_columns is None)


def _system_names(files: Sequence[str], columns: Columns, names: Sequence[str]) -> list[str]:
    """Return the systems' names: as given, or of their columns, or of their files without the suffix."""
    systems = [column.name for column in columns.predictions]
    if len(systems) == 1 or len(files) > 1:
        systems = _names_of_files(files)
    if len(names) not in (0, len(systems)):
        raise InputFileError(
            f"{len(names)} names for {len(systems)} systems; give one for each system, in order, or none."
        )
    systems = list(names) or systems
    if len(set(systems)) < len(systems):
        return [f"{name}-{number}" for number, name in enumerate(systems, start=1)]
    return systems


def _names_of_files(files: Sequence[str]) -> list[str]:
    """Return the names of files, without suffixes; with what differs of their folders where the names are the same."""
    paths = [Path("system" if path == "-" else path.removesuffix(".gz")) for path in files]
    names = [path.stem for path in paths]
    if len(set(names)) == len(names):
        return names
    backwards = [(path.stem, *reversed(path.absolute().parent.parts)) for path in paths]
    levels = [level for level, parts in enumerate(zip(*backwards, strict=False)) if len(set(parts)) > 1]
    return ["/".join(parts[level] for level in reversed(levels)) or parts[0] for parts in backwards]


class Chunk(NamedTuple):
    """Some rows."""

    predictions: list[list[str]]  # of each system
    references: list[Any]  # for each row a text, or for each a list of texts
    ids: list[str]  # empty where no column holds ids
    sources: list[str]  # source texts; empty where no column was named for them
    metadata: dict[str, list[Any]]  # values by column
    row_names: list[list[str]]  # of each system's predictions, such as "data.jsonl, line 7"

    @contextmanager
    def with_row_names(self, system: int, first_row: int) -> Iterator[None]:
        """Add the file and the line to a ``ValueError`` about a row; the chunk begins at ``first_row``."""
        try:
            yield
        except ValueError as error:
            match = _ROW.match(str(error))
            if match is None or isinstance(error, InputFileError):
                raise
            words = (part if isinstance(part, Option) else _ROW.sub(_in_this_row, part) for part in sentence_of(error))
            raise InputFileError(f"{self.row_names[system][int(match[2]) - first_row]}: ", *words) from None


def _in_this_row(name: re.Match[str]) -> str:
    return f"{name[1]} {int(name[3]) + 1}" if name[3] else f"the {name[1]}"


class Pairs:
    """The rows of open tables, brought together: an iterator of chunks, for one pass.

    Attributes:
        systems: their names.
        files: names of all tables.
        guesses: which columns were guessed, in sentences.
        n_rows: those read so far.
    """

    def __init__(self, tables: Sequence[Table], columns: Columns, systems: list[str], *, guesses_slices: bool) -> None:
        self._tables, self._columns, self.systems = tables, columns, systems
        self._guesses_slices = guesses_slices  # columns of metadata are those that look like slices; else all
        self.files = [table.name for table in tables]
        self.guesses = columns.guesses
        self.n_rows = 0
        self._differences: dict[str, str] = {}  # columns of metadata that differ between files, and where
        self._empty_predictions: Counter[int] = Counter()  # by system
        self._empty_references = 0
        self._kind: type | None = None  # of the references of a row: str or list
        self._written_lists: dict[Column, Note] = {}  # on the first of a column
        self._without_lists: set[Column] = set()  # columns with other texts too; else the metric warns
        self._orders = [Order() for _ in columns.keys]
        self._orders_differ: list[Note] = []
        self._copies = Copies()
        self._numbered = [NumberedIds() for _ in columns.numbered]
        self._line_ids = [LineIds()] if len(tables) == 2 and all(table.format == "text" for table in tables) else []
        self._blank_lines = {n: BlankLines() for n, table in enumerate(tables) if table.is_plain}
        self._reference_lists: list[Note] = []  # on the first that looks like sentences
        self._several_systems = [] if columns.copies or len(self.systems) > 1 else self._note_of_systems()

    @property
    def empty_texts(self) -> EmptyTexts:
        """How many of the texts read so far are empty or blank."""
        of_systems = tuple(self._empty_predictions[system] for system in range(len(self.systems)))
        return EmptyTexts(of_systems, self._empty_references)

    @property
    def notes(self) -> list[str]:
        """Notes about the files, as far as they have been read."""
        of_files = [note for table in self._tables for note in table.notes]
        of_files += [*self._several_systems, *self._orders_differ, *self._copies.notes, *self._reference_lists]
        of_files += [note for column, note in self._written_lists.items() if column in self._without_lists]
        return of_files if self._guesses_slices else [*of_files, *self._differences.values()]

    def position(self) -> tuple[int, int] | None:
        """Return how much has been read of all files, and of how much; None if a file does not know."""
        positions = [table.position() for table in self._tables]
        known_positions = [table_position for table_position in positions if table_position is not None]
        if len(known_positions) < len(positions):
            return None
        return sum(done for done, _ in known_positions), sum(size for _, size in known_positions)

    def __iter__(self) -> Iterator[Chunk]:
        chunk, size = self._empty_chunk(), 0
        for rows in join_rows([self._keyed_rows(number) for number in range(len(self._tables))]):
            size += self._add(chunk, rows)
            self._compare_repeated(rows)
            for order, (first, second) in zip(self._orders, self._columns.keys, strict=True):
                order.add(self._value(first, rows), self._value(second, rows))
            for numbers, column in zip(self._numbered, self._columns.numbered, strict=True):
                numbers.add(self._value(column, rows))
            for line_ids in self._line_ids:
                if not self.n_rows and len(chunk.references) == 1:
                    self._refuse_header(rows)
                line_ids.add(rows[0].values[""], rows[1].values[""])
            if size >= _CHUNK_CHARACTERS or len(chunk.references) >= _CHUNK_ROWS:
                yield self._counted(chunk)
                chunk, size = self._empty_chunk(), 0
        for order, (first, second) in zip(self._orders, self._columns.keys, strict=True):
            columns = (self.files[first.table], first.name), (self.files[second.table], second.name)
            join_by = (second if self._columns.ids.get(first.table) == first.name else first).name
            if order.is_other:
                raise other_order(*columns, join_by)
            if order.n_shared:
                self._orders_differ.append(some_in_other_rows(*columns, join_by, order.n_shared))
        self._check_order()
        if not self.n_rows and not chunk.references:
            raise InputFileError(f"{self.files[0]} has no such rows.", " They were chosen by ", Option("where"), ".")
        if chunk.references:
            yield self._counted(chunk)

    def _refuse_header(self, rows: Sequence[Row]) -> None:
        """Raise ``InputFileError`` if the first lines of plain texts are the names of columns."""
        roles = ("prediction", "reference")
        of_roles = (self._columns.predictions[0], self._columns.references[0])
        lines = [self._value(column, rows) for column in of_roles]
        if all(folded(str(line)) in NAMES[role] for line, role in zip(lines, roles, strict=True)):
            files = " and ".join(self.files[column.table] for column in of_roles)
            raise InputFileError(
                f"The first lines of {files}, {lines[0]!r} and {lines[1]!r}, look like names of columns, and each "
                "would be scored as a text. Say that they are: ",
                Option("input_format", "tsv"),
                "; or take them out.",
            )

    def _note_of_systems(self) -> list[Note]:
        """Note that one file holds the predictions of several systems, whose scores become one mean."""
        several = several_systems(self._tables[0], self._columns)
        if several is None:
            return []
        column, names = several
        return [
            Note(
                f"{self.files[0]} has the predictions of several systems ({column!r}: {', '.join(map(repr, names[:3]))}"
                f"{', …' if len(names) > 3 else ''}), and the scores are those of all. Score one: ",
                Option("where", f"{column}={names[0]}"),
                ".",
            )
        ]

    def _check_order(self) -> None:
        """Raise ``InputFileError`` if ids of one file, or those that begin lines, are out of order."""
        for numbers, column in zip(self._numbered, self._columns.numbered, strict=True):
            if numbers.is_out_of_order:
                without_ids = self.files[self._columns.references[0].table]
                raise out_of_order(self.files[column.table], column.name, without_ids)
        for line_ids in self._line_ids:
            problem = line_ids.problem()
            begin = f"The lines of {self.files[0]} and {self.files[1]} begin with the same ids"
            remedy = "Write the ids as a column, in TSV or JSONL."
            if problem == "order":
                raise InputFileError(f"{begin}, in another order, so row i of both is not one sample. {remedy}")
            if problem == "scored":
                self._orders_differ.append(Note(f"{begin}, which are scored as words. {remedy}"))

        n_texts = {blank_lines.n_texts for blank_lines in self._blank_lines.values()}
        if len(self._blank_lines) == len(self._tables) and len(n_texts) == 1 and max(n_texts) >= _FEWEST_PARTED:
            self._orders_differ.append(Note(texts_between_blank_lines(self.files, max(n_texts))))

    def read_all(self, chunks: Iterable[Chunk] | None = None) -> Chunk:
        """Return all rows as one chunk, without their names; ``chunks`` may wrap these to show progress."""
        rows = self._empty_chunk()
        for chunk in self if chunks is None else chunks:
            for column, more in zip(rows.predictions, chunk.predictions, strict=True):
                column += more
            for name, values in chunk.metadata.items():
                rows.metadata[name] += values
            rows.references.extend(chunk.references)
            rows.ids.extend(chunk.ids)
            rows.sources.extend(chunk.sources)
        return rows

    def slices(self, metadata: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """Return the columns that slice the samples. In CSV and TSV, a column of numbers only holds numbers."""
        formats = {column.name: self._tables[column.table].format for column in self._columns.metadata}
        typed = {
            name: typed_cells(values) if formats[name] in ("csv", "tsv") else values
            for name, values in metadata.items()
        }
        if not self._guesses_slices:
            return typed
        return guessed_slices({name: values for name, values in typed.items() if name not in self._differences})

    def _keyed_rows(self, number: int) -> KeyedRows:
        table, columns = self._tables[number], self._columns
        rows = table.rows(columns.texts_of(number), columns.others_of(number))
        copies = [column.name for column in columns.copies if column.table == number]
        if (blank_lines := self._blank_lines.get(number)) is not None:
            rows = blank_lines.watched(rows)
        for column, value in columns.choices:
            if column.table == number:
                rows = chosen_rows(rows, column.name, value)
        if len(columns.ids) < max(2, len(self._tables)) and number == min(columns.ids, default=None):
            rows = self._copies.watched(table.name, rows, columns.ids[number], copies)
        return KeyedRows(table.name, rows, columns.ids.get(number), copies, blank_lines)

    def _empty_chunk(self) -> Chunk:
        metadata: dict[str, list[Any]] = {column.name: [] for column in self._columns.metadata}
        return Chunk([[] for _ in self.systems], [], [], [], metadata, [[] for _ in self.systems])

    def _counted(self, chunk: Chunk) -> Chunk:
        """Return a whole chunk, whose rows and empty texts are counted."""
        self.n_rows += len(chunk.references)
        for system, texts in enumerate(chunk.predictions):
            self._empty_predictions[system] += sum(map(is_blank, texts))
        for texts in chunk.references:
            self._empty_references += sum(map(is_blank, [texts] if isinstance(texts, str) else texts))
        return chunk

    def _add(self, chunk: Chunk, rows: Sequence[Row]) -> int:
        """Add a row to the chunk; returns its number of characters."""
        columns, size = self._columns, 0
        for system, column in enumerate(columns.predictions):
            value = message_text(self._value(column, rows))
            if isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value):
                file = self.files[column.table]
                named = "Name one: ", Option("prediction_column", f"{column.name}[0]"), "."
                first = (f"Write the first of each to a file: jq 'map(.[0])' {file} > first.json",)
                problem = f"{self._where(column, rows)} is a list of {len(value)} texts; each must be a text. "
                raise InputFileError(problem, *(named if column.name else first))
            text = checked_text(value, self._where(column, rows))
            self._look_for_list(text, column, rows)
            chunk.predictions[system].append(text)
            chunk.row_names[system].append(f"{self.files[column.table]}, {rows[column.table].name}")
            size += len(text)
        references = self._references(rows)
        for text in [references] if isinstance(references, str) else references:
            self._look_for_list(text, columns.references[0], rows)
        chunk.references.append(references)
        size += len(references) if isinstance(references, str) else sum(map(len, references))
        for column in columns.sources:
            text = checked_text(message_text(self._value(column, rows)), self._where(column, rows))
            chunk.sources.append(text)
            size += len(text)
        for column in columns.metadata:
            value = self._value(column, rows)
            checked = short_value(value) if self._guesses_slices else checked_metadata(value, self._where(column, rows))
            chunk.metadata[column.name].append(checked)
        for table, name in columns.ids.items():
            value = rows[table].values[name]
            chunk.ids.append("" if value is None else str(value))
            break  # those of the first table
        return size

    def _references(self, rows: Sequence[Row]) -> str | list[str]:
        """Return the references of a row, which are of the same kind as those before."""
        columns = self._columns.references
        cells = [(message_text(self._value(column, rows)), self._where(column, rows)) for column in columns]
        references = checked_references(cells)
        if self._kind not in (None, type(references)):
            now, before = ("a text", "lists") if isinstance(references, str) else ("a list", "texts")
            raise InputFileError(
                f"{self._where(columns[0], rows)} is {now}, but the rows before hold {before}; give all rows as texts "
                "or all as lists."
            )
        self._kind = type(references)
        name = columns[0].name
        is_one_text = folded(name.rpartition(".")[2].removesuffix("[]")) in OF_ONE_TEXT and not name.endswith("[]")
        is_one_text = is_one_text and len(columns) == 1
        if is_one_text and isinstance(references, list) and len(references) > 1 and not self._reference_lists:
            note = Note(
                f"{self._where(columns[0], rows)} is a list of {len(references)} texts, and each is a reference by "
                "itself. If they are the sentences of one text, join them by line breaks first"
            )
            self._reference_lists.append(note)
        return references

    def _look_for_list(self, text: str, column: Column, rows: Sequence[Row]) -> None:
        """Note the first text of a column that is a list written as a text, as CSV has no lists."""
        if not is_written_list(text):
            self._without_lists.add(column)
        elif column not in self._written_lists:
            self._written_lists[column] = Note(
                f"{self._where(column, rows)} is a list that was written as one text, such as {shortened(text)!r}, and "
                "its brackets and quotation marks are part of it. Write the column as lists, in JSONL or Parquet"
            )

    def _compare_repeated(self, rows: Sequence[Row]) -> None:
        """Compare the values of further tables with those of the first one that has the column."""
        for column, first in self._columns.repeated_texts:
            if _differ(self._value(column, rows), self._value(first, rows)):
                noun = "references" if first in self._columns.references else "source texts"
                raise InputFileError(
                    f"{self._where(column, rows)} is not {self._where(first, rows)}; all systems need the same {noun}."
                )
        for column, first in self._columns.repeated_metadata:
            if column.name not in self._differences and _differ(self._value(column, rows), self._value(first, rows)):
                differing, expected = self._where(column, rows), self._where(first, rows)
                taken = self.files[first.table]
                message = f"{differing} is not {expected}; the values of {taken} are taken"
                note = Note(message, kind="values_differ", one=differing, other=expected, taken=taken)
                self._differences[column.name] = note

    def _value(self, column: Column, rows: Sequence[Row]) -> Any:
        return rows[column.table].values[column.name]

    def _where(self, column: Column, rows: Sequence[Row]) -> str:
        return f"{self.files[column.table]}, {rows[column.table].name}: {column.name!r}"


def _differ(value: Any, expected: Any) -> bool:
    return value != expected and (is_there(value) or is_there(expected))
