"""The files of a folder, their columns, and how their rows are cut into partitions, always in the same way."""

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from polyrouge.files.arrow_formats import arrow_table, damaged
from polyrouge.files.atomic import atomic_write, remove_leftovers
from polyrouge.files.columns import NO_IDS, find_columns
from polyrouge.files.formats import format_of_name, open_table
from polyrouge.files.table import InputFileError, Table, check_column, check_text_column

_BLOCK = 1 << 22
MEGABYTE = 1_000_000
SIZE = 64
"""Megabytes of texts in a partition; see benchmarks/studies/SCALING.md."""

_AT_ONCE = 8  # files to look into at the same time: mostly waiting for a disk or a network
# What changes with a file, by file system: a digest, else the times of writing and of any change, and its number.
_DIGESTS = ("ETag", "etag", "md5Hash", "content_md5", "blob_id", "crc32c")
_TIMES = ("mtime", "LastModified", "created", "ino")


class Folder:
    """A folder by its path, or by an address such as ``s3://bucket/folder``; a path is made absolute."""

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs
        from fsspec.implementations.local import LocalFileSystem

        self.fs, path = url_to_fs(url)
        self.is_local = isinstance(self.fs, LocalFileSystem)
        self.path = str(path).rstrip("/")
        self.url = (self.path if self.is_local else url.rstrip("/")) or "/"

    @property
    def real_path(self) -> str:
        """Its path, on this machine without symbolic links."""
        return os.path.realpath(self.path) if self.is_local else self.path

    def address_of(self, name: str) -> str:
        """Return the address of a file in it; on this machine, its path."""
        return f"{self.url.rstrip('/')}/{name}"

    def files(self) -> dict[str, int]:
        """Return the bytes of each file, also in folders below, by its path from here, sorted."""
        self.fs.invalidate_cache()
        try:
            infos = self.fs.find(self.path or "/", detail=True)
        except FileNotFoundError:
            return {}
        return {path[len(self.path) + 1 :]: info["size"] for path, info in sorted(infos.items()) if path != self.path}

    def info(self, name: str) -> dict[str, Any]:
        """Return the current facts about a file."""
        self.fs.invalidate_cache()
        return self.fs.info(f"{self.path}/{name}")

    def open(self, name: str) -> Any:
        """Open a file for reading, as bytes."""
        return self.fs.open(f"{self.path}/{name}", "rb")

    @contextmanager
    def atomic_write(self, name: str) -> Iterator[Path]:
        """Yield a path on this machine, whose content becomes the file unless an error occurs."""
        if self.is_local:
            target = Path(self.path, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(target) as path:
                yield Path(path)
            return
        with tempfile.TemporaryDirectory(prefix="polyrouge-") as folder:
            path = Path(folder, "file")
            yield path
            # A stream that is closed by an error would leave half an object, so none is opened.
            self.fs.put_file(str(path), f"{self.path}/{name}")

    def remove_unfinished(self) -> None:
        """Remove what killed processes have left, here and in folders below."""
        for folder, _, _ in os.walk(self.path) if self.is_local else ():
            remove_leftovers(folder)


def checksum_of(file: Any) -> str:
    """Return the checksum of an open file of bytes."""
    import xxhash

    digest = xxhash.xxh3_128()
    while block := file.read(_BLOCK):
        digest.update(block)
    return f"xxh3_128:{digest.hexdigest()}"


class InputFile(NamedTuple):
    """One file."""

    name: str  # its path from the folder
    format: str | None
    size: int  # bytes
    stamp: str  # changes when the file does


class Columns(NamedTuple):
    """Which columns are read. Empty columns of texts and an id of None are guessed."""

    prediction: str = ""
    references: tuple[str, ...] = ()
    id: str | None = None
    keep: tuple[str, ...] = ()
    empty_cells: str = "refuse"  # or "text": what an empty cell of CSV is
    as_texts: bool = False  # write the other columns as texts, as their types differ between files

    @property
    def texts(self) -> list[str]:
        """The columns that are read as texts."""
        return [self.prediction, *self.references]

    @property
    def kept(self) -> list[str]:
        """The columns that are written next to the scores: the id first."""
        return list(dict.fromkeys([*([] if self.id is None else [self.id]), *self.keep]))


class Partition(NamedTuple):
    """Some rows of a Parquet file, or all of a file."""

    number: int  # from 0
    file: InputFile
    unit: str  # of start and stop: "rows", or "file": all of it
    start: int
    stop: int
    size: int  # bytes of its texts, about: in the file; of Parquet unpacked

    @property
    def rows(self) -> int | None:
        """The number of rows; None if it is not known before reading."""
        return self.stop - self.start if self.unit == "rows" else None


class Plan(NamedTuple):
    """The files, columns and partitions of a run."""

    files: list[InputFile]
    columns: Columns
    partitions: list[Partition]

    @property
    def rows(self) -> int | None:
        """The number of rows; None if it is not known before reading."""
        rows = [partition.rows for partition in self.partitions]
        return None if None in rows else sum(filter(None, rows))


def input_files(url: str) -> tuple[Folder, list[InputFile], list[str]]:
    """Return the folder of an address (or of one file), its readable files, and the names of the others.

    Hidden files and files that begin with an underscore (engines mark what is no data like this) are ignored.
    """
    folder = Folder(url)
    if folder.fs.isfile(folder.path):
        parent, _, name = folder.path.rpartition("/")
        folder = Folder(folder.fs.unstrip_protocol(parent or "/"))
        sizes = {name: 1}
    else:
        sizes = folder.files()
    if not sizes:
        raise InputFileError(
            f"There are no files in {folder.url!r}; give a folder of JSONL, CSV, Parquet or Arrow files."
        )
    names = [
        name for name in sizes if len(sizes) == 1 or not any(part[0] in "._" for part in PurePosixPath(name).parts)
    ]
    readable = [name for name in names if format_of_name(name) not in (None, "text")]
    if not readable:
        raise InputFileError(
            f"{folder.url!r} has no file of JSONL, CSV, TSV, Parquet or Arrow; it has {', '.join(list(sizes)[:5])}."
        )
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        files = list(threads.map(lambda name: _input_file(folder, name), readable))
    return folder, files, [name for name in names if name not in readable]


def _input_file(folder: Folder, name: str) -> InputFile:
    info = folder.info(name)  # a listing may say the same otherwise
    digest = [key for key in _DIGESTS if info.get(key)][:1]
    stamp = " ".join(f"{key}:{info[key]}" for key in digest or _TIMES if info.get(key))
    return InputFile(name, format_of_name(name), info["size"], stamp)


def check_unchanged(folder: Folder, file: InputFile) -> None:
    """Raise ``InputFileError`` if a file is not what it was when the run was planned."""
    with suppress(FileNotFoundError):
        if _input_file(folder, file.name) == file:
            return
    raise InputFileError(
        f"{folder.address_of(file.name)} changed while it was being read; start over with a new output folder."
    )


def complete_columns(table: Table, columns: Columns) -> tuple[Columns, list[str]]:
    """Return the columns of the first file, and sentences about guesses."""
    found_columns = find_columns(
        [table],
        1,
        prediction_columns=[columns.prediction] if columns.prediction else [],
        reference_columns=columns.references,
        id_column=columns.id,
    )
    references = tuple(column.name for column in found_columns.references)
    id_column = found_columns.ids.get(0) if columns.id in (None, NO_IDS) else columns.id
    columns = columns._replace(prediction=found_columns.predictions[0].name, references=references, id=id_column)
    return columns, found_columns.guesses


def plan_partitions(folder: Folder, files: list[InputFile], columns: Columns, megabytes: float) -> Plan:
    """Cut Parquet files into partitions of about ``megabytes``; a file of another format is one partition."""
    most = max(1, round(megabytes * MEGABYTE))
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        looks = list(threads.map(lambda file: _look_into(folder, file, columns, most), files))
    partitions = [partition for _, of_file in looks for partition in of_file]
    types = [{of_file.get(name) for of_file, _ in looks} for name in columns.kept]
    as_texts = any(None in column_types or len(column_types) > 1 for column_types in types)
    numbered = [partition._replace(number=number) for number, partition in enumerate(partitions)]
    return Plan(files, columns._replace(as_texts=as_texts), numbered)


def _look_into(folder: Folder, file: InputFile, columns: Columns, most: int) -> tuple[dict[str, Any], list[Partition]]:
    """Return the Parquet types of the other columns, and the partitions."""
    with closing(open_file(folder, file, columns.empty_cells)) as text_file:
        for name in columns.texts:
            check_text_column(text_file, name, may_be_nested=False)
        for name in columns.kept:
            check_column(text_file, name)
    if file.format != "parquet":
        return {}, [Partition(0, file, "file", 0, file.size, file.size)]
    with parquet_file(folder, file) as source:
        types = {name: source.schema_arrow.field(name).type for name in columns.kept}
        return types, list(_of_parquet(file, source, columns, most))


def _of_parquet(file: InputFile, source: pq.ParquetFile, columns: Columns, most: int) -> Iterator[Partition]:
    """Join small row groups; cut one that is larger than a partition into equal parts."""
    leaves = [
        number
        for number, leaf in enumerate(source.schema)
        if any(leaf.path == name or leaf.path.startswith(f"{name}.") for name in columns.texts)
    ]
    start = stop = size = 0
    for number in range(source.num_row_groups):
        group = source.metadata.row_group(number)
        n_bytes = sum(group.column(leaf).total_uncompressed_size for leaf in leaves)
        n_parts = max(1, min(group.num_rows, -(-n_bytes // most)))
        first = stop
        for part in range(1, n_parts + 1):
            if stop > start and size + n_bytes // n_parts > most:
                yield Partition(0, file, "rows", start, stop, size)
                start, size = stop, 0
            stop, size = first + group.num_rows * part // n_parts, size + n_bytes // n_parts
    if stop > start:
        yield Partition(0, file, "rows", start, stop, size)


def open_file(folder: Folder, file: InputFile, empty_cells: str) -> Table:
    """Open a file to look at its columns, or to read its rows (not of Parquet)."""
    name = folder.address_of(file.name)
    if file.format == "parquet":
        with parquet_file(folder, file) as source:
            return arrow_table(name, file.format, source.schema_arrow, lambda _columns: iter(()), None)
    try:
        raw = None if folder.is_local else folder.open(file.name)
        return open_table(name, file.format, empty_cells=empty_cells, raw=raw)
    except OSError as error:
        raise InputFileError(f"{name} can't be read: {error.strerror or error}.") from None


@contextmanager
def parquet_file(folder: Folder, file: InputFile) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file, and close it."""
    try:
        source = pa.OSFile(os.fsencode(folder.address_of(file.name))) if folder.is_local else folder.open(file.name)
        # On a disk pages are read as they are needed; elsewhere few large requests are better than many small ones.
        parquet = pq.ParquetFile(source, pre_buffer=not folder.is_local, buffer_size=(1 << 20) * folder.is_local)
    except (pa.ArrowException, OSError) as error:
        raise damaged(folder.address_of(file.name), "Parquet", error) from None
    try:
        yield parquet
    finally:
        parquet.close(force=True)
