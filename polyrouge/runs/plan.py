"""Which rows of which files are one partition. The same files are always cut in the same way."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from polyrouge.files.arrow_formats import of_arrow
from polyrouge.files.file_rows import InputFileError, TextFile
from polyrouge.files.text_files import open_text_file
from polyrouge.runs.columns import Columns, check_columns
from polyrouge.runs.folders import Folder
from polyrouge.runs.input_files import InputFile

_AT_ONCE = 8
_BLOCK = 1 << 16
MEGABYTE = 1_000_000
SIZE = 64
"""Megabytes of texts in a partition; see benchmarks/SCALING.md."""


class Partition(NamedTuple):
    """Some rows of one file.

    Attributes:
        number: of the partition, from 0.
        file: name of the file.
        format: of the file.
        unit: of ``start`` and ``stop``: ``"rows"``, ``"bytes"`` (whole lines), or ``"file"``: all of it.
        start: where it begins.
        stop: where it ends.
        size: bytes of its texts, about: as they stand in the file, of Parquet unpacked.
        rows: how many; None if it is not known before it is read.
    """

    number: int
    file: str
    format: str
    unit: str
    start: int
    stop: int
    size: int
    rows: int | None


@dataclass(frozen=True)
class Plan:
    """What is to be done.

    Attributes:
        files: that are read.
        columns: of them.
        partitions: of them, in order.
    """

    files: list[InputFile]
    columns: Columns
    partitions: list[Partition]

    @property
    def rows(self) -> int | None:
        """How many rows; None if it is not known."""
        known = [partition.rows for partition in self.partitions if partition.rows is not None]
        return sum(known) if len(known) == len(self.partitions) else None

    @property
    def size(self) -> int:
        """Bytes of all texts, about."""
        return sum(partition.size for partition in self.partitions)


def planned(folder: Folder, files: list[InputFile], columns: Columns, size: float) -> Plan:
    """Cut the files into partitions.

    Parquet is cut between row groups, and in a row group that is larger than a partition between rows; JSONL that is
    not compressed between lines. Files of other formats are one partition each.

    Args:
        folder: of the files.
        files: in order.
        columns: that are read.
        size: megabytes of texts in a partition.

    Raises:
        InputFileError: a file can't be read, or has not these columns.
    """
    most = max(1, round(size * MEGABYTE))
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        found = list(threads.map(lambda file: _looked_into(folder, file, columns, most), files))
    kinds = {name: {kind.get(name) for kind, _ in found} for name in columns.beside}
    agree = all(None not in each and len(each) == 1 for each in kinds.values())
    pieces = [piece for _, of_file in found for piece in of_file]
    partitions = [piece._replace(number=number) for number, piece in enumerate(pieces)]
    return Plan(files, columns._replace(as_texts=not agree), partitions)


def opened(folder: Folder, file: InputFile, empty_cells: str = "refuse") -> TextFile:
    """Open a file for a look at its columns, or to read all of its rows.

    Raises:
        InputFileError: it can't be read.
    """
    if file.format == "parquet":
        source = opened_parquet(folder, file.name)
        return of_arrow(
            folder.shown(file.name),
            "parquet",
            source.schema_arrow,
            _no_batches,
            source.metadata.num_rows,
            lambda: source.close(force=True),
        )
    try:
        raw = None if folder.is_local else folder.open(file.name)
        return open_text_file(folder.shown(file.name), file.format, empty_cells=empty_cells, raw=raw)
    except OSError as error:
        raise InputFileError(f"{folder.shown(file.name)} can't be read: {error.strerror or error}.") from None


def opened_parquet(folder: Folder, name: str) -> pq.ParquetFile:
    """Open a Parquet file.

    Raises:
        InputFileError: it can't be read.
    """
    try:
        source = folder.place(name) if folder.is_local else folder.open(name)
        # On a disk pages are read as they are needed; elsewhere few large requests are better than many small ones.
        return pq.ParquetFile(source, pre_buffer=not folder.is_local, buffer_size=1 << 20 if folder.is_local else 0)
    except (pa.ArrowException, OSError) as error:
        raise broken_parquet(folder, name, error) from None


def broken_parquet(folder: Folder, name: str, error: Exception, place: str = "") -> InputFileError:
    """The error for a Parquet file that can't be read.

    Args:
        folder: of the file.
        name: of the file.
        error: what was raised.
        place: which rows, such as ``", rows 7 to 9"``.
    """
    shown = f"{folder.shown(name)}{place}"
    reason = str(error).partition("\n")[0].rstrip(".")
    if isinstance(error, OSError) and error.errno is not None:
        return InputFileError(f"{shown}: can't be read: {os.strerror(error.errno)}.")
    return InputFileError(f"{shown}: is no whole Parquet file ({reason}); copy or download it again.")


def _no_batches(_columns: Any) -> Iterator[Any]:
    yield from ()


def _looked_into(
    folder: Folder, file: InputFile, columns: Columns, most: int
) -> tuple[dict[str, Any], list[Partition]]:
    """The Arrow types of its columns, where it has such; and its partitions."""
    if file.format == "parquet":
        source = opened_parquet(folder, file.name)
        try:
            schema = source.schema_arrow
            check_columns(
                of_arrow(folder.shown(file.name), "parquet", schema, _no_batches, source.metadata.num_rows), columns
            )
            types = {name: schema.field(name).type for name in columns.beside}
            return types, list(_of_parquet(file, source, columns, most))
        finally:
            source.close(force=True)
    text_file = opened(folder, file, columns.empty_cells)
    try:
        check_columns(text_file, columns)
    finally:
        text_file.close()
    if file.format == "jsonl" and text_file.format == "jsonl" and not file.is_zipped:
        return {}, list(_of_lines(folder, file, most))
    return {}, [Partition(0, file.name, file.format, "file", 0, file.size, file.size, None)]


def _of_parquet(file: InputFile, source: pq.ParquetFile, columns: Columns, most: int) -> Iterator[Partition]:
    metadata = source.metadata
    leaves = [
        number
        for number, leaf in enumerate(source.schema)
        if any(leaf.path == name or leaf.path.startswith(f"{name}.") for name in columns.texts)
    ]
    start = stop = size = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        n_bytes = sum(group.column(leaf).total_uncompressed_size for leaf in leaves)
        if stop > start and size + n_bytes > most:
            yield _rows(file, start, stop, size)
            start, size = stop, 0
        stop, size = stop + group.num_rows, size + n_bytes
        n_parts = min(group.num_rows, -(-n_bytes // most))
        if n_parts > 1:  # then it is the only group in (start, stop)
            cuts = [start + (stop - start) * part // n_parts for part in range(n_parts + 1)]
            for one, other in pairwise(cuts):
                yield _rows(file, one, other, size // n_parts)
            start, size = stop, 0
    if stop > start:
        yield _rows(file, start, stop, size)


def _rows(file: InputFile, start: int, stop: int, size: int) -> Partition:
    return Partition(0, file.name, file.format, "rows", start, stop, size, stop - start)


def _of_lines(folder: Folder, file: InputFile, most: int) -> Iterator[Partition]:
    n_parts = -(-file.size // most)
    with folder.open(file.name) as stream:
        last = _end_of_texts(stream, file.size)
        cuts = [_next_line(stream, file.size * part // n_parts) for part in range(1, n_parts)]
    places = [0, *_rising(cut for cut in cuts if cut < last), file.size]
    for start, stop in pairwise(places):
        yield Partition(0, file.name, file.format, "bytes", start, stop, stop - start, None)


def _rising(cuts: Iterable[int]) -> Iterator[int]:
    """Cuts without those that fall on the one before: a line may be longer than a partition."""
    before = 0
    for cut in cuts:
        if cut > before:
            yield cut
        before = max(before, cut)


def _next_line(stream: Any, place: int) -> int:
    """Where the first line begins that does so at a place or after it."""
    if place == 0:
        return 0
    stream.seek(place - 1)
    place -= 1
    while block := stream.read(_BLOCK):
        found = block.find(b"\n")
        if found >= 0:
            return place + found + 1
        place += len(block)
    return place


def _end_of_texts(stream: Any, size: int) -> int:
    """Where blank lines begin that end the file: they are no partition by themselves."""
    while size > 0:
        start = max(0, size - _BLOCK)
        stream.seek(start)
        block = stream.read(size - start).rstrip()
        if block:
            return start + len(block)
        size = start
    return 0
