"""What runs inside an engine's task: read one partition, score it, write its scores and its record."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from polyrouge.arrow import Partial, TableScorer
from polyrouge.errors import hearing_warnings
from polyrouge.files.file_rows import InputFileError
from polyrouge.runs.folders import Folder, checksum_of
from polyrouge.runs.partition_rows import PREDICTION, REFERENCES, n_blank_texts, rows_of
from polyrouge.runs.plan import Columns, Partition, check_unchanged
from polyrouge.runs.records import SCORES, Record, difference, software_of, write_record

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
                empty_predictions += n_blank_texts(texts.column(PREDICTION))
                empty_references += n_blank_texts(texts.column(REFERENCES))
                writer = writer or to_close.enter_context(pq.ParquetWriter(path, table.schema, **_PARQUET))
                writer.write_table(table)
        check_unchanged(source, partition.file)
        with path.open("rb") as file:
            checksum = checksum_of(file)
    record = Record(rows, checksum, empty_predictions, empty_references, list(warnings.values()), partial)
    write_record(output, partition.number, record)
    return rows
