"""What stands beside the scores of a finished partition: how many rows, its sums, and what was odd in its texts."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from polyrouge.arrow import Partial
from polyrouge.runs.folders import Folder
from polyrouge.settings.rouge_settings import RougeSettings

MANIFEST, SUMMARY = "manifest.json", "summary.json"
_AT_ONCE = 16
_IN_MEMORY = 256  # records; with an interval one has some hundred KB


class Record(NamedTuple):
    """Of one partition. It is written after the scores: a partition with a record is finished.

    Attributes:
        rows: how many.
        size: bytes of the file of scores.
        empty_predictions: how many of the texts are empty or blank.
        empty_references: the same.
        warnings: what was said of its texts.
        partial: the sums of its scores.
    """

    rows: int
    size: int
    empty_predictions: int
    empty_references: int
    warnings: Sequence[str]
    partial: Partial


def scores_name(number: int) -> str:
    """The file of a partition's scores."""
    return f"scores/part-{number:06d}.parquet"


def record_name(number: int) -> str:
    """The file of a partition's record."""
    return f"partitions/part-{number:06d}.json"


def write_record(output: Folder, number: int, record: Record) -> None:
    """Write it.

    Raises:
        OSError: it can't be written.
    """
    data = {**record._asdict(), "partial": base64.b64encode(record.partial.to_bytes()).decode("ascii")}
    output.write(record_name(number), (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def read_record(output: Folder, number: int, settings: RougeSettings) -> Record | None:
    """The record of a partition; None if it is not finished.

    Args:
        output: the folder of the run.
        number: of the partition.
        settings: of its scores.

    Raises:
        ValueError: it is no record of this version.
    """
    data = output.read(record_name(number))
    if data is None:
        return None
    try:
        found = json.loads(data)
        return Record(**{**found, "partial": Partial.from_bytes(base64.b64decode(found["partial"]), settings)})
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{output.shown(record_name(number))} is no record of a partition ({error}); remove it to score it again."
        ) from None


def read_records(
    output: Folder, numbers: Sequence[int], settings: RougeSettings
) -> Iterator[tuple[int, Record | None]]:
    """Yield the numbers of some partitions with their records, some at the same time: each may be a request.

    Raises:
        ValueError: as ``read_record``.
    """
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for start in range(0, len(numbers), _IN_MEMORY):
            some = numbers[start : start + _IN_MEMORY]
            yield from zip(some, threads.map(lambda number: read_record(output, number, settings), some), strict=True)
