"""What runs inside an engine's task: read one partition, score it, write its scores and its record."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from polyrouge.arrow import Partial, TableScorer
from polyrouge.errors import hearing_warnings
from polyrouge.files.file_rows import InputFileError
from polyrouge.runs.blank_texts import n_blank_texts
from polyrouge.runs.columns import Columns
from polyrouge.runs.folders import Folder
from polyrouge.runs.partition_rows import PREDICTION, REFERENCES, Rows, refuse_bad_row, rows_of
from polyrouge.runs.plan import Partition
from polyrouge.runs.records import Record, scores_name, write_record
from polyrouge.runs.software import check_software

_ROWS_A_GROUP = 1 << 16
_KIND = 20  # characters by which two warnings are of the same kind
# Fixed, so that the same scores are the same bytes. The fastest level costs a fifteenth of the scoring.
_PARQUET = {"compression": "zstd", "compression_level": 1, "version": "2.6", "use_dictionary": True}


class Job(NamedTuple):
    """What all partitions of a run share; it is sent to every worker.

    Attributes:
        input_url: folder of the files.
        output_url: folder of the run.
        columns: of the files.
        scorer: for the tables.
        software: of the process that planned the run; a worker with another one would write other bytes.
    """

    input_url: str
    output_url: str
    columns: Columns
    scorer: TableScorer
    software: Mapping[str, str]


class Outcome(NamedTuple):
    """How a partition ended.

    Attributes:
        number: of the partition.
        rows: that were scored.
        error: what was wrong, for the user; None if nothing was.
    """

    number: int
    rows: int
    error: str | None = None


def score_partition(job: Job, partition: Partition) -> Outcome:
    """Score one partition. What is wrong with the input, or with the disk, comes back as text, not as an exception.

    An engine may call it again, also while another worker is at the same partition: all write the same bytes, and each
    file as a whole.
    """
    output = Folder(job.output_url)
    try:
        check_software(job.software, job.scorer.settings)
        return Outcome(partition.number, _scored(job, output, partition))
    except (ValueError, TypeError, ImportError) as error:
        return Outcome(partition.number, 0, str(error))
    except (OSError, pa.ArrowException) as error:
        where = output.shown(scores_name(partition.number))
        number = getattr(error, "errno", None)  # pyarrow's message has it in the middle
        reason = (os.strerror(number) if number else str(error)).rstrip(".")
        return Outcome(partition.number, 0, f"{where} (of {partition.file}) can't be written: {reason}.")


def _scored(job: Job, output: Folder, partition: Partition) -> int:
    partial = Partial(job.scorer.settings)
    rows = empty_predictions = empty_references = 0
    said: dict[str, str] = {}
    name = scores_name(partition.number)
    with output.written_whole(name) as path:
        with _Writer(path) as writer:
            for some in rows_of(Folder(job.input_url), partition, job.columns):
                with hearing_warnings() as heard:
                    table, of_table = _scored_rows(job, partition, some)
                for message in heard:
                    said.setdefault(message[:_KIND], message)
                partial += of_table
                rows += len(table)
                empty_predictions += n_blank_texts(some.table.column(PREDICTION))
                empty_references += n_blank_texts(some.table.column(REFERENCES))
                writer.write(table)
        size = Path(path).stat().st_size
    record = Record(rows, size, empty_predictions, empty_references, list(said.values()), partial)
    write_record(output, partition.number, record)
    return rows


def _scored_rows(job: Job, partition: Partition, rows: Rows) -> tuple[pa.Table, Partial]:
    try:
        return job.scorer.score_with_partial(rows.table)
    except (ValueError, TypeError, pa.ArrowException) as error:
        name = Folder(job.input_url).shown(partition.file)
        refuse_bad_row(name, job.columns, rows)
        first, last = rows.place(0), rows.place(len(rows.table) - 1)
        raise InputFileError(f"{name}, {first} to {last}: {error}") from error


class _Writer:
    """Tables to a Parquet file, in row groups of the same number of rows."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._writer: pq.ParquetWriter | None = None
        self._tables: list[pa.Table] = []
        self._n_rows = 0

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, kind: Any, *_error: object) -> None:
        if kind is None:
            self._write(self._n_rows)
        if self._writer is not None:
            self._writer.close()

    def write(self, table: pa.Table) -> None:
        self._tables.append(table)
        self._n_rows += len(table)
        while self._n_rows >= _ROWS_A_GROUP:
            self._write(_ROWS_A_GROUP)

    def _write(self, n_rows: int) -> None:
        if not self._tables:
            return
        table = pa.concat_tables(self._tables)
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._path, table.schema, **_PARQUET)
        self._writer.write_table(table.slice(0, n_rows), row_group_size=_ROWS_A_GROUP)
        self._tables = [table.slice(n_rows)]
        self._n_rows -= n_rows
