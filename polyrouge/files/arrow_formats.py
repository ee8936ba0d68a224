"""Read Parquet and Arrow files, batch by batch."""

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from polyrouge.errors import needs_extra
from polyrouge.files.table import (
    SAMPLE_ROWS,
    InputFileError,
    ReadSample,
    Row,
    Table,
    other_value,
    outer_column,
    value_at,
)

_ROWS_A_BATCH = 256


def open_parquet(path: str) -> Table:
    """Open a Parquet file; only the selected columns are read."""
    with needs_extra(f"{path} (Parquet)", "arrow"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    source = pa.OSFile(os.fsencode(path))

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        with _refusing_damage(source, path, "Parquet"):
            yield from file.iter_batches(_ROWS_A_BATCH, columns=list(columns), use_threads=False)

    with _refusing_damage(source, path, "Parquet"):
        # Pages are read as they are needed: a row group may be as large as the file.
        file = pq.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)

        @functools.cache
        def read_sample() -> Sequence[Mapping[str, Any]]:
            names = [field.name for field in file.schema_arrow if not pa.types.is_binary(field.type)]
            with _refusing_damage(source, path, "Parquet"):
                first = next(file.iter_batches(SAMPLE_ROWS, columns=names, use_threads=False), None)
            return [] if first is None else _as_records(first)

        n_rows = file.metadata.num_rows
        return arrow_table(path, "parquet", file.schema_arrow, batches, n_rows, source.close, read_sample)


def open_arrow(path: str, raw: Any = None) -> Table:
    """Open an Arrow IPC file or stream: that of the path, or an open binary stream of that name."""
    with needs_extra(f"{path} (Arrow)", "arrow"):
        import pyarrow as pa

    source = pa.OSFile(os.fsencode(path)) if raw is None else pa.PythonFile(raw, mode="r")

    def batches(columns: Sequence[str]) -> Iterator[Any]:
        with _refusing_damage(source, path, "Arrow"):
            for batch in all_batches:
                selected = batch.select(list(columns))
                for start in range(0, selected.num_rows, _ROWS_A_BATCH):
                    part = selected.slice(start, _ROWS_A_BATCH)
                    for column in part.columns:
                        _check_offsets(column)
                    yield part

    with _refusing_damage(source, path, "Arrow"):
        try:
            reader = pa.ipc.open_file(source)
        except pa.ArrowInvalid:  # the stream format, as datasets writes it
            source.seek(0)
            reader = pa.ipc.open_stream(source)
        n_batches = getattr(reader, "num_record_batches", None)  # of a file; a stream doesn't know
        all_batches: Iterator[Any] = iter(reader if n_batches is None else map(reader.get_batch, range(n_batches)))

        @functools.cache
        def read_sample() -> Sequence[Mapping[str, Any]]:
            nonlocal all_batches
            with _refusing_damage(source, path, "Arrow"):
                first = next(all_batches, None)
                if first is None:
                    return []
                all_batches = chain([first], all_batches)
                part = first.slice(0, SAMPLE_ROWS)
                for column in part.columns:
                    _check_offsets(column)
                return _as_records(part)

        return arrow_table(path, "arrow", reader.schema, batches, None, source.close, read_sample)


def _as_records(batch: Any) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a batch; none if a text is not UTF-8, which is refused with its row when it is read."""
    try:
        return batch.to_pylist()
    except UnicodeDecodeError:
        return []


def _check_offsets(column: Any) -> None:
    """Raise ``ArrowInvalid`` where a text lies outside of its buffer: to read it could end the process."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" not in str(error):  # a text that is not UTF-8 is refused with its row when it is read
            raise


@contextmanager
def _refusing_damage(source: Any, path: str, kind: str) -> Iterator[None]:
    """Close a file that turns out to be damaged, and name it in the error."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        source.close()
        raise damaged(path, kind, error) from None


def damaged(path: str, kind: str, error: Exception) -> InputFileError:
    """Return the error for a file that can't be read as what it says it is."""
    if isinstance(error, OSError) and error.errno is not None:
        return InputFileError(f"{path} can't be read: {os.strerror(error.errno)}.")
    reason = str(error).partition("\n")[0].rstrip(".")
    return InputFileError(f"{path} is no whole {kind} file ({reason}); it may be cut off: copy or download it again.")


def arrow_table(
    name: str,
    file_format: str,
    schema: Any,
    batches: Callable[[Sequence[str]], Iterator[Any]],  # the tables or record batches of some columns
    n_rows: int | None,  # None: not known
    close: Callable[[], None] = lambda: None,
    read_sample: ReadSample = tuple,
) -> Table:
    """Return the rows of Arrow tables or record batches."""
    import pyarrow as pa

    n_read = 0

    def rows(texts: Sequence[str], further: Sequence[str]) -> Iterator[Row]:
        nonlocal n_read
        columns = [*texts, *further]
        outer = list(dict.fromkeys(outer_column(column, schema.names) or column for column in columns))
        for batch in batches(outer):
            try:
                records = batch.to_pylist()
            except UnicodeDecodeError as error:
                byte = error.object[error.start]
                raise InputFileError(
                    f"{name}, after row {n_read}: byte {byte:#04x} is not UTF-8; convert the texts to UTF-8."
                ) from None
            except pa.ArrowException as error:  # an index beyond its dictionary
                raise damaged(name, file_format.capitalize(), error) from None
            for values in records:
                n_read += 1
                try:
                    selected = values
                    if outer != columns:
                        selected = {column: other_value(values, column) for column in further}
                        selected |= {column: value_at(values, column) for column in texts}
                except KeyError as error:
                    raise InputFileError(f"{name}, row {n_read}: there is no {error.args[0]!r}.") from None
                yield Row(f"row {n_read}", selected)
        if not n_read:
            raise InputFileError(f"{name} has no rows.")

    def position() -> tuple[int, int] | None:
        return None if n_rows is None else (n_read, n_rows)

    text_columns = [field.name for field in schema if _holds_text(field.type)]
    list_columns = [name for name in text_columns if hasattr(schema.field(name).type, "value_field")]
    return Table(name, file_format, schema.names, text_columns, list_columns, rows, read_sample, position, close)


def _holds_text(kind: Any) -> bool:
    """Return whether a column may hold texts, lists of texts, or conversations."""
    kind = getattr(kind, "value_type", kind)  # of a list, or of a dictionary
    names = {field.name for field in kind} if str(kind).startswith("struct<") else set()
    is_message = "content" in names or {"from", "value"} <= names
    return is_message or str(kind) in ("string", "large_string", "string_view")
