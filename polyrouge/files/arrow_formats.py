"""Read Parquet and Arrow files, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from polyrouge.files.file_rows import InputFileError, Row, TextFile

_ROWS_A_BATCH = 256


def open_parquet(path: str) -> TextFile:
    """Open a Parquet file; only the columns asked for are read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = pa.OSFile(path)

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        try:
            yield from file.iter_batches(_ROWS_A_BATCH, columns=list(columns), use_threads=False)
        except _damage() as error:
            raise _broken(path, "Parquet", error) from None

    try:
        # Pages are read as they are needed: a row group may be as large as the file.
        file = pq.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)
        return of_arrow(path, "parquet", file.schema_arrow, batches, file.metadata.num_rows, source.close)
    except _damage() as error:
        source.close()
        raise _broken(path, "Parquet", error) from None


def open_arrow(path: str, raw: Any = None) -> TextFile:
    """Open an Arrow IPC file or stream: that of the path, or an open binary stream of that name."""
    import pyarrow as pa

    source = pa.OSFile(path) if raw is None else pa.PythonFile(raw, mode="r")

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        try:
            n_batches = getattr(reader, "num_record_batches", None)  # of a file; a stream doesn't know
            for batch in reader if n_batches is None else map(reader.get_batch, range(n_batches)):
                selected = batch.select(list(columns))
                for start in range(0, selected.num_rows, _ROWS_A_BATCH):
                    part = selected.slice(start, _ROWS_A_BATCH)
                    for column in part.columns:
                        _check_places(column)
                    yield part
        except _damage() as error:
            raise _broken(path, "Arrow", error) from None

    try:
        try:
            reader = pa.ipc.open_file(source)
        except pa.ArrowInvalid:  # the stream format, as datasets writes it
            source.seek(0)
            reader = pa.ipc.open_stream(source)
        return of_arrow(path, "arrow", reader.schema, batches, None, source.close)
    except _damage() as error:
        source.close()
        raise _broken(path, "Arrow", error) from None


def _check_places(column: Any) -> None:
    """Raise ``ArrowInvalid`` where a text lies outside of its buffer: to read it could end the process."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" not in str(error):  # a text that is not UTF-8 is refused with its row when it is read
            raise


def of_arrow(
    name: str,
    file_format: str,
    schema: Any,
    batches: Callable[[Sequence[str]], Iterator[Any]],
    n_rows: int | None,
    close: Callable[[], None] = lambda: None,
) -> TextFile:
    """The rows of Arrow tables or record batches, which ``batches(columns)`` yields; ``n_rows`` None: not known."""
    done = 0

    def rows(columns: Sequence[str], no_texts: Sequence[str]) -> Iterator[Row]:
        nonlocal done
        for batch in batches([*columns, *no_texts]):
            try:
                values = [column.to_pylist() for column in batch.columns]
            except UnicodeDecodeError as error:
                byte = error.object[error.start]
                raise InputFileError(
                    f"{name}, after row {done}: byte {byte:#04x} is not UTF-8; convert the texts to UTF-8."
                ) from None
            except _damage() as error:  # an index beyond its dictionary
                raise _broken(name, file_format.capitalize(), error) from None
            for row in zip(*values, strict=True):
                done += 1
                yield Row(f"row {done}", row)
        if not done:
            raise InputFileError(f"{name} has no rows.")

    text_columns = [field.name for field in schema if _holds_text(field.type)]
    return TextFile(
        name, file_format, schema.names, text_columns, rows, lambda: None if n_rows is None else (done, n_rows), close
    )


def _holds_text(kind: Any) -> bool:
    kind = getattr(kind, "value_type", kind)  # of a list, or of a dictionary
    return str(kind) in ("string", "large_string", "string_view")


def _damage() -> tuple[type[Exception], ...]:
    """The errors by which a damaged file shows."""
    import pyarrow as pa

    return pa.ArrowException, OSError, UnicodeDecodeError


def _broken(path: str, kind: str, error: Exception) -> InputFileError:
    reason = str(error).partition("\n")[0].rstrip(".")
    return InputFileError(f"{path} is no whole {kind} file ({reason}); it may be cut off: copy or download it again.")
