"""The task of an engine: read one partition as tables of some megabytes, score it, write its scores and its record."""

import base64
import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from importlib.metadata import version
from itertools import accumulate, islice, pairwise
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from polyrouge.beyond.arrow.partials import Partial, merged_partial
from polyrouge.beyond.arrow.scorer import TableScorer, is_list
from polyrouge.beyond.folder_jobs.plan import (
    Columns,
    Folder,
    Partition,
    check_unchanged,
    checksum_of,
    open_file,
    parquet_file,
)
from polyrouge.errors import Sentence, hearing_warnings, sentence_of, shown_value
from polyrouge.files.arrow_formats import damaged
from polyrouge.files.table import InputFileError, Row, checked_references, checked_text, message_text
from polyrouge.settings.rouge_settings import RougeSettings

SCORES = "scores/part-{:06d}.parquet"
PREDICTION, REFERENCES = "polyrouge prediction", "polyrouge references"
"""Columns of texts in the tables; names that no file uses."""

pc: Any = pyarrow.compute  # creates its functions on import, so type checkers do not know them

_RECORD = "partitions/part-{:06d}.json"
_READ_AT_ONCE = 16  # records: each may be a request
_IN_MEMORY = 256  # records; with an interval one has some hundred KB
_ROWS_AT_ONCE = 8192
_BYTES_AT_ONCE = 8_000_000
_QUOTED = re.compile(r"'[^']*'|\d+")  # warnings that differ in texts and numbers only are of one kind
# Fixed, so that the same scores are the same bytes. The fastest level costs a fifteenth of the scoring.
_PARQUET = {"compression": "zstd", "compression_level": 1, "version": "2.6", "use_dictionary": True}


class Job(NamedTuple):
    """What every worker needs besides its partition."""

    input_url: str
    output_url: str
    columns: Columns
    scorer: TableScorer
    software: dict[str, str]  # of the process that planned the run: with another, a worker would write other bytes


class Outcome(NamedTuple):
    """How a partition ended."""

    number: int
    rows: int
    error: Sentence | None = None  # for the user


class Record(NamedTuple):
    """The record of a partition, written after its scores: a partition with a record is finished."""

    rows: int
    checksum: str  # of the file of scores
    empty_predictions: int
    empty_references: int
    warnings: Sequence[str]
    partial: Partial


def score_partition(job: Job, partition: Partition) -> Outcome:
    """Score one partition; returns an error of the input or the disk as text."""
    # An engine may call it twice, even at the same time: both write whole files with the same bytes.
    output = Folder(job.output_url)
    try:
        different = difference(job.software, software_of(job.scorer))
        if different is not None:
            raise ValueError(f"The run was planned with {different} as a worker has; install the same on all machines.")
        return Outcome(partition.number, _score(job, output, partition))
    except (ValueError, TypeError, ImportError) as error:
        return Outcome(partition.number, 0, sentence_of(error))
    except (OSError, pa.ArrowException) as error:
        where = output.address_of(SCORES.format(partition.number))
        number = getattr(error, "errno", None)  # pyarrow's message has it in the middle
        reason = (os.strerror(number) if number else str(error)).rstrip(".")
        return Outcome(partition.number, 0, [f"{where} (of {partition.file.name}) can't be written: {reason}."])


def _score(job: Job, output: Folder, partition: Partition) -> int:
    """Write the scores and the record of a partition; returns its number of rows."""
    source = Folder(job.input_url)
    partials: list[Partial] = []  # those so far as one
    empty_predictions = empty_references = 0
    warnings: dict[str, str] = {}
    with output.atomic_write(SCORES.format(partition.number)) as path:
        with ExitStack() as to_close:
            writer = None
            notes: list[str] = []
            for texts, row_name in rows_of(source, partition, job.columns, notes):
                try:
                    with hearing_warnings() as messages:
                        table, partial = job.scorer.score_with_partial(texts)
                except (ValueError, TypeError, pa.ArrowException) as error:
                    raise InputFileError(f"{row_name}: ", *sentence_of(error)) from error
                for message in messages:
                    warnings.setdefault(_QUOTED.sub("", message), message)
                partials = [merged_partial([*partials, partial])]
                empty_predictions += _n_blank_texts(texts.column(PREDICTION))
                empty_references += _n_blank_texts(texts.column(REFERENCES))
                writer = writer or to_close.enter_context(pq.ParquetWriter(path, table.schema, **_PARQUET))
                writer.write_table(table)
            warnings |= dict(zip(notes, notes, strict=True))
        check_unchanged(source, partition.file)
        with path.open("rb") as file:
            checksum = checksum_of(file)
    total = merged_partial(partials)
    record = Record(total.n_samples, checksum, empty_predictions, empty_references, list(warnings.values()), total)
    fields = {**record._asdict(), "partial": base64.b64encode(total.to_bytes()).decode("ascii")}
    record_checksum = _checksum_of_record(job.scorer.signature(), partition, fields)
    write_json(output, _RECORD.format(partition.number), {**fields, "own_checksum": record_checksum})
    return total.n_samples


def rows_of(folder: Folder, partition: Partition, columns: Columns, notes: list[str]) -> Iterator[tuple[pa.Table, str]]:
    """Yield tables of ``PREDICTION``, ``REFERENCES`` and the other columns, each with its place.

    ``notes`` take how the file was read, such as another encoding.
    """
    name = folder.address_of(partition.file.name)
    read = _of_parquet if partition.unit == "rows" else _of_file
    for texts, more_texts, row_name in read(folder, partition, columns, name, notes):
        yield pa.table([*texts, *more_texts], names=[PREDICTION, REFERENCES, *columns.kept]), f"{name}, {row_name}"


def _of_file(
    folder: Folder, partition: Partition, columns: Columns, name: str, notes: list[str]
) -> Iterator[tuple[Any, Any, str]]:
    with closing(open_file(folder, partition.file, columns.empty_cells)) as file:
        rows = file.rows(columns.texts, columns.kept)
        while chunk := _next_rows(rows):
            more_texts = [_as_texts(row.values[column] for row in chunk) for column in columns.kept]
            yield _check_texts(name, columns, chunk), more_texts, f"{chunk[0].name} to {chunk[-1].name}"
        notes += [note.replace(name, partition.file.name) for note in file.notes]


def _next_rows(rows: Iterator[Row]) -> list[Row]:
    rows_so_far: list[Row] = []
    size = 0
    for row in islice(rows, _ROWS_AT_ONCE):
        rows_so_far.append(row)
        for value in row.values.values():
            texts = value if isinstance(value, list) else [value]
            size += sum(len(text) for text in texts if isinstance(text, str))
        if size > _BYTES_AT_ONCE:
            break
    return rows_so_far


def _of_parquet(
    folder: Folder, partition: Partition, columns: Columns, name: str, _notes: list[str]
) -> Iterator[tuple[Any, Any, str]]:
    row = partition.start
    try:
        with parquet_file(folder, partition.file) as file:
            for batch in _batches(file, partition, columns):
                texts = [batch[column] for column in columns.texts]
                if len(texts) > 2 or not all(map(_is_whole, texts)):
                    texts = _check_texts(name, columns, _rows_of_batch(name, batch, columns, row + 1))
                more_texts = [batch[column] for column in columns.kept]
                if columns.as_texts:
                    more_texts = [_as_texts(array.to_pylist()) for array in more_texts]
                first, row = row + 1, row + len(batch)
                yield texts, more_texts, f"row {first} to row {row}"
    except (pa.ArrowException, OSError) as error:
        raise damaged(f"{name}, after row {row},", "Parquet", error) from None


def _batches(file: pq.ParquetFile, partition: Partition, columns: Columns) -> Iterator[pa.RecordBatch]:
    """Yield some rows of a partition at a time; pyarrow.dataset would unpack whole row groups."""
    mean = max(1, partition.size // (partition.stop - partition.start))
    rows_at_once = min(_ROWS_AT_ONCE, max(16, _BYTES_AT_ONCE // mean))
    sizes = (file.metadata.row_group(number).num_rows for number in range(file.num_row_groups))
    bounds = list(pairwise(accumulate(sizes, initial=0)))
    groups = [n for n, (start, stop) in enumerate(bounds) if stop > partition.start and start < partition.stop]
    names = list(dict.fromkeys([*columns.texts, *columns.kept]))
    row = bounds[groups[0]][0]
    for batch in file.iter_batches(rows_at_once, row_groups=groups, columns=names, use_threads=False):
        start, stop = max(row, partition.start), min(row + len(batch), partition.stop)
        if start < stop:
            yield batch.slice(start - row, stop - start)
        row += len(batch)
        if row >= partition.stop:
            return


def _is_whole(array: Any) -> bool:
    """Return whether an array has valid UTF-8, no null and no empty list."""
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return False
    if not is_list(array.type):
        return array.null_count == 0
    has_empty = pc.any(pc.equal(pc.list_value_length(array), 0)).as_py()
    return array.null_count == array.flatten().null_count == 0 and not has_empty


def _rows_of_batch(name: str, batch: pa.RecordBatch, columns: Columns, first_row: int) -> Iterator[Row]:
    for number in range(len(batch)):
        row_name = f"row {first_row + number}"
        try:
            yield Row(row_name, {column: batch[column][number].as_py() for column in columns.texts})
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            raise InputFileError(f"{name}, {row_name}: a text has the byte {byte:#04x}, which is not UTF-8.") from None


def _check_texts(name: str, columns: Columns, rows: Iterable[Row]) -> list[pa.Array]:
    """Predictions and references of rows; ``InputFileError`` names a value that is no text."""
    predictions, references = [], []
    for row in rows:
        (prediction, where), *reference_cells = (
            (message_text(row.values[column]), f"{name}, {row.name}: {column!r}") for column in columns.texts
        )
        predictions.append(checked_text(prediction, where))
        references.append(checked_references(reference_cells))
    kind = pa.large_string()
    if any(isinstance(reference, list) for reference in references):
        references = [[reference] if isinstance(reference, str) else reference for reference in references]
        kind = pa.large_list(kind)
    return [pa.array(predictions, pa.large_string()), pa.array(references, kind)]


def _as_texts(values: Iterable[Any]) -> pa.Array:
    """Values as texts; what is no text becomes JSON."""
    texts = [
        value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        for value in values
    ]
    return pa.array(texts, pa.string())


def _n_blank_texts(column: pa.ChunkedArray) -> int:
    """Return the number of blank texts in a column of texts or lists of texts."""
    texts = (pc.list_flatten(column) if is_list(column.type) else column).cast(pa.large_string())
    return pc.sum(pc.or_(pc.equal(texts, ""), pc.utf8_is_space(texts))).as_py() or 0


def write_json(output: Folder, name: str, data: dict[str, Any]) -> None:
    """Write a file of JSON."""
    with output.atomic_write(name) as path:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        path.write_text(text, encoding="utf-8", errors="backslashreplace")  # of a lone surrogate, JSON's own escape


def read_records(
    output: Folder, partitions: Sequence[Partition], settings: RougeSettings, signature: str
) -> Iterator[tuple[Partition, Record | None]]:
    """Yield each partition with its record; None if that, or the file of scores, is not what was written."""

    def read(partition: Partition) -> Record | None:
        try:
            with output.open(_RECORD.format(partition.number)) as file:
                fields = json.load(file)
            if fields.pop("own_checksum") != _checksum_of_record(signature, partition, fields):
                return None
            partial = Partial.from_bytes(base64.b64decode(fields["partial"]), settings)
            record = Record(**{**fields, "partial": partial})
            with output.open(SCORES.format(partition.number)) as file:
                return record if record.checksum == checksum_of(file) else None
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return None

    with ThreadPoolExecutor(_READ_AT_ONCE) as threads:
        for start in range(0, len(partitions), _IN_MEMORY):
            chunk = partitions[start : start + _IN_MEMORY]
            yield from zip(chunk, threads.map(read, chunk), strict=True)


def _checksum_of_record(signature: str, partition: Partition, fields: dict[str, Any]) -> str:
    """Of a record and of what it is a record of."""
    of = [signature, [partition.number, partition.file.name, partition.unit, partition.start, partition.stop], fields]
    return checksum_of(io.BytesIO(json.dumps(of, sort_keys=True).encode()))


def software_of(scorer: TableScorer) -> dict[str, str]:
    """Signature and versions that can move a number or a byte; all workers must have the same."""
    libraries = ["pyarrow"] if scorer.settings.confidence is None else ["numpy", "pyarrow"]
    return {"signature": scorer.signature()} | {library: version(library) for library in libraries}


def difference(before: dict[str, Any], now: dict[str, Any]) -> str | None:
    """Return the first difference between two manifests in words; None if there is none."""
    for field, value in now.items():
        if field == "files":
            for name in sorted({*before[field], *value}):
                if name not in before[field]:
                    return f"fewer files: {name!r} is new"
                if name not in value:
                    return f"more files: {name!r} is gone"
                if before[field][name] != value[name]:
                    return f"another {name!r}: the file has changed since"
        elif before[field] != value and field != "partitions":  # the entries above tell how the files are cut
            return f"{field.replace('_', ' ')} {_unlike(before[field], value)}, not {_unlike(value, before[field])}"
    return None


def _unlike(value: Any, second: Any) -> str:
    """Return a value of a manifest; of a signature or a dict only the parts that differ from ``other``."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown_value(entry)}" for name, entry in value.items() if entry != second.get(name))
    if isinstance(value, str):
        return "|".join(part for part in value.split("|") if part not in second.split("|")) or "without that"
    return repr(value)
