"""Read Parquet and Arrow files, batch by batch."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from polyrouge.files.arrow_messages import ArrowMessageError, unpacked_bytes
from polyrouge.files.file_rows import InputFileError, Row, TextFile
from polyrouge.files.parquet_pages import PageHeaderError, pages_of_column
from polyrouge.files.read_caps import InputTooLargeError, ReadCaps
from polyrouge.files.row_sizes import has_known_sizes, slices_of_batch

_ROWS_A_BATCH = 256
_MOST_PARTS = 100_000  # row groups, and columns in them, that a capped Parquet file may have
_ARROW_FILE = b"ARROW1\0\0"


def open_parquet(path: str, caps: ReadCaps | None = None) -> TextFile:
    """Open a Parquet file; only the columns asked for are read.

    With caps, texts are read as places in a dictionary: one long text, repeated, is there once until it is known how
    much memory its rows would take.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = pa.OSFile(path)
    # Pages are read as they are needed: a row group may be as large as the file.
    options: dict[str, Any] = {"buffer_size": 1 << 20, "pre_buffer": False}
    if caps is not None:
        options["thrift_container_size_limit"] = _MOST_PARTS

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        given: dict[str, Any] = {"columns": list(columns), "use_threads": False}
        try:
            if caps is None:
                yield from file.iter_batches(_ROWS_A_BATCH, **given)
                return
            dictionaries, rows = _capped_columns(path, file, columns, caps)
            reader = pq.ParquetFile(source, read_dictionary=dictionaries, **options)
            for group in range(reader.num_row_groups):  # each has dictionaries of its own
                yield from reader.iter_batches(rows, row_groups=[group], **given)
        except _damage() as error:
            raise _broken(path, "Parquet", error) from None

    try:
        file = pq.ParquetFile(source, **options)
        return of_arrow(path, "parquet", file.schema_arrow, batches, file.metadata.num_rows, source.close, caps)
    except _damage() as error:
        source.close()
        raise _broken(path, "Parquet", error) from None


def _capped_columns(path: str, file: Any, columns: Sequence[str], caps: ReadCaps) -> tuple[list[str], int]:
    """Look at the pages of some columns; returns which leaves to read as dictionaries, and how many rows at once."""
    found: list[str] = []
    rows = _ROWS_A_BATCH
    unpacked = values = 0
    with open(path, "rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for number, leaf in enumerate(file.schema):
            if not any(leaf.path == name or leaf.path.startswith(f"{name}.") for name in columns):
                continue
            pages = pages_of_column(data, file.metadata, number, max(caps.unpacked, caps.values))
            unpacked, values = unpacked + pages.unpacked, values + pages.values
            for what, n, most in (("unpacked", unpacked, caps.unpacked), ("values", values, caps.values)):
                if n > most:
                    raise InputTooLargeError(path, what, most)
            if leaf.physical_type != "BYTE_ARRAY":
                continue
            if not pages.has_deltas:
                found.append(leaf.path)
            elif leaf.max_repetition_level == 0:  # these can't be read as dictionaries
                rows = min(rows, max(1, caps.row // max(1, pages.largest)))
            else:
                raise InputFileError(
                    f"{path}: the lists of {leaf.path.partition('.')[0]!r} are stored as differences "
                    "(DELTA_BYTE_ARRAY), so it can't be told how large they are; write the file without this encoding."
                )
    return found, rows


def open_arrow(path: str, caps: ReadCaps | None = None, raw: Any = None) -> TextFile:
    """Open an Arrow IPC file or stream: that of the path, or an open binary stream of that name."""
    import pyarrow as pa

    source = pa.OSFile(path) if raw is None else pa.PythonFile(raw, mode="r")

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        try:
            for batch in _record_batches(reader):
                selected = batch.select(list(columns))
                for start in range(0, selected.num_rows, _ROWS_A_BATCH):
                    part = selected.slice(start, _ROWS_A_BATCH)
                    for column in part.columns if caps is None else ():  # with caps, parts are looked at below
                        _check_places(column)
                    yield part
        except _damage() as error:
            raise _broken(path, "Arrow", error) from None

    try:
        reader = _arrow_reader(source) if caps is None else _capped_stream(path, source, caps)
        return of_arrow(path, "arrow", reader.schema, batches, None, source.close, caps)
    except _damage() as error:
        source.close()
        raise _broken(path, "Arrow", error) from None
    except InputTooLargeError:
        source.close()
        raise


def _arrow_reader(source: Any) -> Any:
    import pyarrow as pa

    try:
        return pa.ipc.open_file(source)
    except pa.ArrowInvalid:  # the stream format, as datasets writes it
        source.seek(0)
        return pa.ipc.open_stream(source)


def _check_places(column: Any) -> None:
    """Raise ``ArrowInvalid`` where a text lies outside of its buffer: to read it could end the process.

    A text that is not UTF-8 may pass: it is refused with its row when it is read.
    """
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" not in str(error):
            raise


def _record_batches(reader: Any) -> Iterator[Any]:
    import pyarrow as pa

    if isinstance(reader, pa.RecordBatchFileReader):
        return (reader.get_batch(number) for number in range(reader.num_record_batches))
    return iter(reader)


def _capped_stream(path: str, source: Any, caps: ReadCaps) -> Any:
    """A reader of the stream, of which it is known what it unpacks to. A file of Arrow has a stream in it too."""
    import pyarrow as pa

    if source.size() > caps.unpacked:
        raise InputTooLargeError(path, "unpacked", caps.unpacked)
    data = source.read_buffer()
    if data[: len(_ARROW_FILE)].to_pybytes() == _ARROW_FILE:
        data = data[len(_ARROW_FILE) :]
    unpacked = 0
    for message in pa.ipc.MessageReader.open_stream(pa.BufferReader(data)):
        unpacked += unpacked_bytes(message)
        if unpacked > caps.unpacked:
            raise InputTooLargeError(path, "unpacked", caps.unpacked)
    return pa.ipc.open_stream(pa.BufferReader(data))


def of_arrow(
    name: str,
    file_format: str,
    schema: Any,
    batches: Callable[[Sequence[str]], Iterator[Any]],
    n_rows: int | None,
    close: Callable[[], None] = lambda: None,
    caps: ReadCaps | None = None,
) -> TextFile:
    """The rows of Arrow tables or record batches as a ``TextFile``.

    Args:
        name: of the file, for messages.
        file_format: the ``format`` of the ``TextFile``.
        schema: of the tables.
        batches: yields tables or batches with the columns that are asked for.
        n_rows: number of rows of all of them; None if it is not known.
        close: closes what they are read from.
        caps: on the size of a row. Rows are made into Python's texts so many bytes at a time.
    """
    done = 0

    def rows(columns: Sequence[str], no_texts: Sequence[str]) -> Iterator[Row]:
        nonlocal done
        for column in no_texts if caps is not None else ():
            if not has_known_sizes(schema.field(column).type, may_be_no_text=True):
                kind = schema.field(column).type
                raise InputFileError(f"{name}: the column {column!r} holds {kind}, which can't be ids; name another.")
        for batch in batches([*columns, *no_texts]):
            for part in [batch] if caps is None else _capped_parts(name, file_format, batch, caps, done):
                try:
                    values = [column.to_pylist() for column in part.columns]
                except UnicodeDecodeError as error:
                    byte = error.object[error.start]
                    raise InputFileError(
                        f"{name}, after row {done}: byte {byte:#04x} is not UTF-8; convert the texts to UTF-8."
                    ) from None
                for row in zip(*values, strict=True):
                    done += 1
                    yield Row(f"row {done}", row)
        if not done:
            raise InputFileError(f"{name} has no rows.")

    def holds_text(kind: Any) -> bool:
        if caps is not None:
            return has_known_sizes(kind)
        kind = getattr(kind, "value_type", kind)  # of a list, or of a dictionary
        return str(kind) in ("string", "large_string", "string_view")

    text_columns = [field.name for field in schema if holds_text(field.type)]
    return TextFile(
        name, file_format, schema.names, text_columns, rows, lambda: None if n_rows is None else (done, n_rows), close
    )


def _capped_parts(name: str, file_format: str, batch: Any, caps: ReadCaps, done: int) -> Iterator[Any]:
    """A batch in parts of so many bytes. It is looked at as a whole: offsets may lie."""
    try:
        batch.validate(full=True)
    except _damage() as error:
        raise _broken(name, file_format.capitalize(), error) from None
    for start, stop, size in slices_of_batch(batch, caps.row):
        if size > caps.row:
            raise InputTooLargeError(name, "row", caps.row, f"row {done + start + 1}")
        yield batch.slice(start, stop - start)


def _damage() -> tuple[type[Exception], ...]:
    """The errors by which a damaged file shows."""
    import pyarrow as pa

    return pa.ArrowException, OSError, PageHeaderError, ArrowMessageError, UnicodeDecodeError


def _broken(path: str, kind: str, error: Exception) -> InputFileError:
    reason = str(error).partition("\n")[0].rstrip(".")
    return InputFileError(f"{path} is no whole {kind} file ({reason}); it may be cut off: copy or download it again.")
