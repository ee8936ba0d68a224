"""Read the rows of a partition as Arrow tables, some megabytes at a time; an error names the file and the row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from polyrouge.files.encodings import numbered_lines
from polyrouge.files.file_rows import InputFileError, Row
from polyrouge.files.line_formats import open_jsonl
from polyrouge.files.paired_texts import checked_reference, checked_text
from polyrouge.runs.columns import Columns
from polyrouge.runs.folders import Folder
from polyrouge.runs.input_files import InputFile
from polyrouge.runs.plan import Partition, broken_parquet, opened, opened_parquet

PREDICTION, REFERENCES = "polyrouge prediction", "polyrouge references"
"""Names of the columns of texts in the tables: no column of a file is called so."""

_ROWS_AT_ONCE = 8192
_BYTES_AT_ONCE = 8_000_000
_NOT_THE_FIRST = 2  # number of a line, where it is not known


class Rows(NamedTuple):
    """Some rows of a partition.

    Attributes:
        table: the columns ``PREDICTION`` and ``REFERENCES``, then those that stand beside the scores.
        places: of each row, ``"row 7"`` or ``"line 7"``, or the number of the first row, from 1.
    """

    table: pa.Table
    places: int | Sequence[str]

    def place(self, row: int) -> str:
        """Where a row of the table stands in the file."""
        return f"row {self.places + row}" if isinstance(self.places, int) else self.places[row]


def rows_of(folder: Folder, partition: Partition, columns: Columns) -> Iterator[Rows]:
    """Yield the rows of a partition.

    Raises:
        InputFileError: the file can't be read, or a row is no text; the message names the file and the row.
    """
    if partition.format == "parquet":
        yield from _of_parquet(folder, partition, columns)
        return
    try:
        yield from _of_lines(folder, partition, columns, 1 if partition.start == 0 else _NOT_THE_FIRST)
    except InputFileError:
        if partition.start == 0:
            raise
        # How many lines stand before is counted now that a message needs it.
        first = _lines_before(folder, partition) + 1
        for _ in _of_lines(folder, partition, columns, first):
            pass
        raise


def _of_parquet(folder: Folder, partition: Partition, columns: Columns) -> Iterator[Rows]:
    file = opened_parquet(folder, partition.file)
    done = partition.start
    try:
        metadata = file.metadata
        wanted = list(dict.fromkeys([*columns.texts, *columns.beside]))
        mean = max(1, partition.size // max(1, partition.stop - partition.start))
        rows_at_once = min(_ROWS_AT_ONCE, max(16, _BYTES_AT_ONCE // mean))
        first = 0
        for number in range(metadata.num_row_groups):
            stop = first + metadata.row_group(number).num_rows
            if first < partition.stop and stop > partition.start:
                place = first
                for batch in file.iter_batches(rows_at_once, row_groups=[number], columns=wanted, use_threads=False):
                    skip = max(0, partition.start - place)
                    part = batch.slice(skip, max(0, min(partition.stop, place + len(batch)) - place - skip))
                    if len(part):
                        yield _from_batch(folder, partition, columns, part, place + skip + 1)
                        done = place + skip + len(part)
                    place += len(batch)
                    if place >= partition.stop:
                        break
            first = stop
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise broken_parquet(folder, partition.file, error, f", after row {done}") from None
    finally:
        file.close(force=True)


def _from_batch(folder: Folder, partition: Partition, columns: Columns, batch: pa.RecordBatch, first: int) -> Rows:
    name = folder.shown(partition.file)
    arrays = [batch.column(each) for each in columns.texts]
    is_list = [hasattr(array.type, "value_type") and not pa.types.is_dictionary(array.type) for array in arrays]
    if any(array.null_count for array in arrays) or (len(arrays) > 2 and any(is_list)):
        # Found here, a row is named by its place in the file.
        for row in range(len(batch)):
            _checked(name, f"row {first + row}", columns, [array[row].as_py() for array in arrays])
    references = arrays[1] if len(arrays) == 2 else _together(arrays[1:])
    beside = [_beside(batch.column(each), columns.as_texts) for each in columns.beside]
    table = pa.table([arrays[0], references, *beside], names=[PREDICTION, REFERENCES, *columns.beside])
    return Rows(table, first)


def _together(arrays: Sequence[Any]) -> Any:
    """Several columns of one reference a row as one column of lists."""
    n, rows = len(arrays), len(arrays[0])
    texts = pa.concat_arrays([array.cast(pa.large_string()) for array in arrays])
    places = np.arange(n * rows).reshape(n, rows).T.ravel()
    return pa.LargeListArray.from_arrays(pa.array(np.arange(rows + 1) * n, pa.int64()), texts.take(pa.array(places)))


def _beside(array: Any, as_texts: bool) -> Any:
    if not as_texts:
        return array
    return pa.array([_as_text(value) for value in array.to_pylist()], pa.string())


def _as_text(value: Any) -> str | None:
    """A value that is to stand beside the scores, as text: what is no text, as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _of_lines(folder: Folder, partition: Partition, columns: Columns, first: int) -> Iterator[Rows]:
    """The rows of any format but Parquet."""
    name = folder.shown(partition.file)
    if partition.unit == "file":
        is_zipped = partition.file.lower().endswith(".gz")
        described = InputFile(partition.file, partition.format, is_zipped, partition.size, "")
        file, stream = opened(folder, described, columns.empty_cells), None
    else:
        stream = folder.open(partition.file)
        lines = _lines_between(stream, partition.start, partition.stop)
        file = open_jsonl(name, partition.format, numbered_lines(lines, name, first=first), lambda: None)
    with closing(file):
        try:
            rows = file.rows(columns.texts, columns.beside)
            while taken := _some_rows(rows):
                yield _from_rows(name, columns, taken)
        finally:
            if stream is not None:
                stream.close()


def _lines_between(stream: Any, start: int, stop: int) -> Iterator[bytes]:
    """The lines of a file from one place to another, at which lines begin.

    Where they end with a blank line, the next line of the file that is not blank comes too: a blank line is an error
    if others follow.
    """
    stream.seek(start)
    line = b"."
    while start < stop and (line := stream.readline()):
        start += len(line)
        yield line
    while not line.strip() and (line := stream.readline()):
        if line.strip():
            yield line


def _lines_before(folder: Folder, partition: Partition) -> int:
    n_lines, left = 0, partition.start
    with folder.open(partition.file) as stream:
        while left and (block := stream.read(min(left, 1 << 22))):
            n_lines += block.count(b"\n")
            left -= len(block)
    return n_lines


def _some_rows(rows: Iterator[Row]) -> list[Row]:
    taken: list[Row] = []
    size = 0
    for row in islice(rows, _ROWS_AT_ONCE):
        taken.append(row)
        for value in row.values:
            texts = value if isinstance(value, list) else [value]
            size += sum(len(text) for text in texts if isinstance(text, str))
        if size > _BYTES_AT_ONCE:
            break
    return taken


def _from_rows(name: str, columns: Columns, rows: Sequence[Row]) -> Rows:
    n_texts = len(columns.texts)
    predictions, references = [], []
    for row in rows:
        prediction, reference = _checked(name, row.place, columns, row.values[:n_texts])
        predictions.append(prediction)
        references.append(reference)
    single = all(type(reference) is str for reference in references)
    if not single:
        references = [[each] if isinstance(each, str) else each for each in references]
    beside = [
        pa.array([_as_text(row.values[n_texts + number]) for row in rows], pa.string())
        for number in range(len(columns.beside))
    ]
    kind = pa.large_string() if single else pa.large_list(pa.large_string())
    table = pa.table(
        [pa.array(predictions, pa.large_string()), pa.array(references, kind), *beside],
        names=[PREDICTION, REFERENCES, *columns.beside],
    )
    return Rows(table, [row.place for row in rows])


def _checked(name: str, place: str, columns: Columns, values: Sequence[Any]) -> tuple[str, str | list[str]]:
    """The texts of a row.

    Raises:
        InputFileError: one is no text.
    """
    prediction = checked_text(values[0], f"{name}, {place}: {columns.prediction!r}")
    if len(columns.references) == 1:
        return prediction, checked_reference(values[1], f"{name}, {place}: {columns.references[0]!r}")
    return prediction, [
        checked_text(value, f"{name}, {place}: {column!r}")
        for value, column in zip(values[1:], columns.references, strict=True)
    ]


def refuse_bad_row(name: str, columns: Columns, rows: Rows) -> None:
    """Raise ``InputFileError`` for the first row that holds no text; it is looked for because scoring has failed."""
    texts = [rows.table.column(PREDICTION), rows.table.column(REFERENCES)]
    for row in range(len(rows.table)):
        for column, of_column, check in zip(
            (columns.prediction, columns.references[0]), texts, (checked_text, checked_reference), strict=True
        ):
            try:
                value = of_column[row].as_py()
            except UnicodeDecodeError as error:
                byte = error.object[error.start]
                raise InputFileError(
                    f"{name}, {rows.place(row)}: {column!r} has the byte {byte:#04x}, which is not UTF-8."
                ) from None
            check(value, f"{name}, {rows.place(row)}: {column!r}")
