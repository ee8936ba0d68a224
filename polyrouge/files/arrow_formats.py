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
    try:
        # Pages are read as they are needed: a row group may be as large as the file.
        file = pq.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        source.close()
        raise _broken(path, "Parquet", error) from None
    n_rows = file.metadata.num_rows

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        try:
            yield from file.iter_batches(_ROWS_A_BATCH, columns=list(columns), use_threads=False)
        except (pa.ArrowException, OSError) as error:
            raise _broken(path, "Parquet", error) from None

    return of_arrow(path, "parquet", file.schema_arrow, batches, n_rows, source.close)


def open_arrow(path: str) -> TextFile:
    """Open an Arrow IPC file or stream."""
    import pyarrow as pa

    source = pa.OSFile(path)
    try:
        try:
            reader = pa.ipc.open_file(source)
        except pa.ArrowInvalid:  # the stream format, as datasets writes it
            source.seek(0)
            reader = pa.ipc.open_stream(source)
        schema = reader.schema
    except (pa.ArrowException, OSError) as error:
        source.close()
        raise _broken(path, "Arrow", error) from None

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        try:
            if isinstance(reader, pa.RecordBatchFileReader):
                found = (reader.get_batch(number) for number in range(reader.num_record_batches))
            else:
                found = iter(reader)
            for batch in found:
                selected = batch.select(list(columns))
                for start in range(0, selected.num_rows, _ROWS_A_BATCH):
                    yield selected.slice(start, _ROWS_A_BATCH)
        except (pa.ArrowException, OSError) as error:
            raise _broken(path, "Arrow", error) from None

    return of_arrow(path, "arrow", schema, batches, None, source.close)


def of_arrow(
    name: str,
    file_format: str,
    schema: Any,
    batches: Callable[[Sequence[str]], Iterator[Any]],
    n_rows: int | None,
    close: Callable[[], None] = lambda: None,
) -> TextFile:
    """The rows of Arrow tables or record batches as a ``TextFile``.

    Args:
        name: of the file, for messages.
        file_format: the ``format`` of the ``TextFile``.
        schema: of the tables.
        batches: yields tables or batches with the columns that are asked for.
        n_rows: number of rows of all of them; None if it is not known.
        close: closes what they are read from.
    """
    done = 0

    def rows(columns: Sequence[str], no_texts: Sequence[str]) -> Iterator[Row]:
        nonlocal done
        for batch in batches([*columns, *no_texts]):
            values = [column.to_pylist() for column in batch.columns]
            for row in zip(*values, strict=True):
                done += 1
                yield Row(f"row {done}", row)
        if not done:
            msg = f"{name} has no rows."
            raise InputFileError(msg)

    def holds_text(kind: Any) -> bool:
        kind = getattr(kind, "value_type", kind)  # of a list, or of a dictionary
        return str(kind) in ("string", "large_string", "string_view")

    text_columns = [field.name for field in schema if holds_text(field.type)]
    return TextFile(
        name, file_format, schema.names, text_columns, rows, lambda: None if n_rows is None else (done, n_rows), close
    )


def _broken(path: str, kind: str, error: Exception) -> InputFileError:
    reason = str(error).partition("\n")[0].rstrip(".")
    return InputFileError(f"{path} is no whole {kind} file ({reason}); it may be cut off: copy or download it again.")
