"""What runs inside an engine's task: read one partition, score it, write its scores and its record.

Rows are read as Arrow tables, some megabytes at a time; an error names the file and the row.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import accumulate, islice, pairwise
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from polyrouge.arrow import Partial, TableScorer
from polyrouge.errors import hearing_warnings
from polyrouge.files.file_rows import InputFileError, Row
from polyrouge.files.paired_texts import checked_reference, checked_text
from polyrouge.runs.folders import Folder, checksum_of
from polyrouge.runs.plan import Columns, Partition, broken_parquet, check_unchanged, opened, parquet_file
from polyrouge.runs.records import SCORES, Record, difference, software_of, write_record

PREDICTION, REFERENCES = "polyrouge prediction", "polyrouge references"
"""Names of the columns of texts in the tables: no column of a file is called so."""

pc: Any = pyarrow.compute  # whose functions are made when it is imported

_ROWS_AT_ONCE = 8192
_BYTES_AT_ONCE = 8_000_000
_KIND = 20  # characters by which two warnings are of the same kind
# Fixed, so that the same scores are the same bytes. The fastest level costs a fifteenth of the scoring.
_PARQUET = {"compression": "zstd", "compression_level": 1, "version": "2.6", "use_dictionary": True}


class Job(NamedTuple):
    """What all partitions of a run share; it is sent to every worker."""

    input_url: str
    output_url: str
    columns: Columns
    scorer: TableScorer
    software: dict[str, str]  # of the process that planned the run: with another, a worker would write other bytes


class Outcome(NamedTuple):
    """How a partition ended."""

    number: int
    rows: int
    error: str | None = None  # for the user


def score_partition(job: Job, partition: Partition) -> Outcome:
    """Score one partition. What is wrong with the input, or with the disk, comes back as text, not as an exception.

    An engine may call it again, also while another worker is at the same partition: all write the same bytes, and each
    file as a whole.
    """
    output = Folder(job.output_url)
    try:
        different = difference(job.software, software_of(job.scorer))
        if different is not None:
            raise ValueError(f"The run was planned with {different} as a worker has; install the same on all machines.")
        return Outcome(partition.number, _scored(job, output, partition))
    except (ValueError, TypeError, ImportError) as error:
        return Outcome(partition.number, 0, str(error))
    except (OSError, pa.ArrowException) as error:
        where = output.shown(SCORES.format(partition.number))
        number = getattr(error, "errno", None)  # pyarrow's message has it in the middle
        reason = (os.strerror(number) if number else str(error)).rstrip(".")
        return Outcome(partition.number, 0, f"{where} (of {partition.file.name}) can't be written: {reason}.")


def _scored(job: Job, output: Folder, partition: Partition) -> int:
    source = Folder(job.input_url)
    partial = Partial(job.scorer.settings)
    rows = empty_predictions = empty_references = 0
    warnings: dict[str, str] = {}
    with output.written_whole(SCORES.format(partition.number)) as path:
        with ExitStack() as to_close:
            writer = None
            for texts, place in rows_of(source, partition, job.columns):
                try:
                    with hearing_warnings() as heard:
                        table, partial_of_some = job.scorer.score_with_partial(texts)
                except (ValueError, TypeError, pa.ArrowException) as error:
                    raise InputFileError(f"{place}: {error}") from error
                for message in heard:
                    warnings.setdefault(message[:_KIND], message)
                partial += partial_of_some
                rows += len(table)
                empty_predictions += _n_blank_texts(texts.column(PREDICTION))
                empty_references += _n_blank_texts(texts.column(REFERENCES))
                writer = writer or to_close.enter_context(pq.ParquetWriter(path, table.schema, **_PARQUET))
                writer.write_table(table)
        check_unchanged(source, partition.file)
        with path.open("rb") as file:
            checksum = checksum_of(file)
    record = Record(rows, checksum, empty_predictions, empty_references, list(warnings.values()), partial)
    write_record(output, partition.number, record)
    return rows


def rows_of(folder: Folder, partition: Partition, columns: Columns) -> Iterator[tuple[pa.Table, str]]:
    """Yield the rows of a partition, with their place for messages; ``InputFileError`` names a row that is no text.

    A table has ``PREDICTION``, ``REFERENCES`` and the columns that stand beside the scores.
    """
    name = folder.shown(partition.file.name)
    read = _of_parquet if partition.unit == "rows" else _of_file
    for texts, beside, place in read(folder, partition, columns, name):
        yield pa.table([*texts, *beside], names=[PREDICTION, REFERENCES, *columns.beside]), f"{name}, {place}"


def _of_file(folder: Folder, partition: Partition, columns: Columns, name: str) -> Iterator[tuple[Any, Any, str]]:
    n_texts, n_values = len(columns.texts), len(columns.texts) + len(columns.beside)
    with closing(opened(folder, partition.file, columns.empty_cells)) as file:
        rows = file.rows(columns.texts, columns.beside)
        while some := _some_rows(rows):
            beside = [_as_texts(row.values[column] for row in some) for column in range(n_texts, n_values)]
            yield _checked_texts(name, columns, some), beside, f"{some[0].place} to {some[-1].place}"


def _some_rows(rows: Iterator[Row]) -> list[Row]:
    some: list[Row] = []
    size = 0
    for row in islice(rows, _ROWS_AT_ONCE):
        some.append(row)
        for value in row.values:
            texts = value if isinstance(value, list) else [value]
            size += sum(len(text) for text in texts if isinstance(text, str))
        if size > _BYTES_AT_ONCE:
            break
    return some


def _of_parquet(folder: Folder, partition: Partition, columns: Columns, name: str) -> Iterator[tuple[Any, Any, str]]:
    done = partition.start
    try:
        with parquet_file(folder, partition.file) as file:
            for batch in _batches(file, partition, columns):
                texts = [batch[column] for column in columns.texts]
                if len(texts) > 2 or not all(map(_is_whole, texts)):
                    texts = _checked_texts(name, columns, _rows_of_arrays(name, texts, done + 1))
                beside = [batch[column] for column in columns.beside]
                if columns.as_texts:
                    beside = [_as_texts(array.to_pylist()) for array in beside]
                first, done = done + 1, done + len(batch)
                yield texts, beside, f"row {first} to row {done}"
    except (pa.ArrowException, OSError) as error:
        raise broken_parquet(f"{name}, after row {done}", error) from None


def _batches(file: pq.ParquetFile, partition: Partition, columns: Columns) -> Iterator[pa.RecordBatch]:
    """The rows of a partition, some at a time. pyarrow.dataset would unpack a row group as a whole."""
    mean = max(1, partition.size // (partition.stop - partition.start))
    rows_at_once = min(_ROWS_AT_ONCE, max(16, _BYTES_AT_ONCE // mean))
    sizes = (file.metadata.row_group(number).num_rows for number in range(file.num_row_groups))
    bounds = list(pairwise(accumulate(sizes, initial=0)))
    groups = [n for n, (start, stop) in enumerate(bounds) if stop > partition.start and start < partition.stop]
    wanted = list(dict.fromkeys([*columns.texts, *columns.beside]))
    place = bounds[groups[0]][0]
    for batch in file.iter_batches(rows_at_once, row_groups=groups, columns=wanted, use_threads=False):
        start, stop = max(place, partition.start), min(place + len(batch), partition.stop)
        if start < stop:
            yield batch.slice(start - place, stop - start)
        place += len(batch)
        if place >= partition.stop:
            return


def _is_whole(array: Any) -> bool:
    """Whether an array has valid UTF-8, no null, and no empty list: whether no row of it is to be refused."""
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return False
    if not _is_list(array.type):
        return array.null_count == 0
    has_empty = pc.any(pc.equal(pc.list_value_length(array), 0)).as_py()
    return array.null_count == array.flatten().null_count == 0 and not has_empty


def _rows_of_arrays(name: str, arrays: Sequence[Any], first: int) -> Iterator[Row]:
    for number in range(len(arrays[0])):
        place = f"row {first + number}"
        try:
            yield Row(place, tuple(array[number].as_py() for array in arrays))
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            raise InputFileError(f"{name}, {place}: a text has the byte {byte:#04x}, which is not UTF-8.") from None


def _checked_texts(name: str, columns: Columns, rows: Iterable[Row]) -> list[pa.Array]:
    """The predictions and the references of some rows; ``InputFileError`` names one that is no text."""
    predictions, references = [], []
    for row in rows:
        places = [f"{name}, {row.place}: {column!r}" for column in columns.texts]
        predictions.append(checked_text(row.values[0], places[0]))
        if len(places) == 2:
            references.append(checked_reference(row.values[1], places[1]))
        else:
            references.append([checked_text(row.values[n], places[n]) for n in range(1, len(places))])
    kind = pa.large_string()
    if any(isinstance(each, list) for each in references):
        references = [[each] if isinstance(each, str) else each for each in references]
        kind = pa.large_list(kind)
    return [pa.array(predictions, pa.large_string()), pa.array(references, kind)]


def _as_texts(values: Iterable[Any]) -> pa.Array:
    """Values that are to stand beside the scores, as texts: what is no text, as JSON."""
    texts = [
        value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        for value in values
    ]
    return pa.array(texts, pa.string())


def _is_list(kind: pa.DataType) -> bool:
    return hasattr(kind, "value_type") and not pa.types.is_dictionary(kind)


def _n_blank_texts(column: pa.ChunkedArray) -> int:
    """How many texts of a column of texts or of lists of texts are empty or blank."""
    texts = (pc.list_flatten(column) if _is_list(column.type) else column).cast(pa.large_string())
    return pc.sum(pc.or_(pc.equal(texts, ""), pc.utf8_is_space(texts))).as_py() or 0
