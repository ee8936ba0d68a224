"""Columns of Arrow tables to checked texts."""

from typing import Any

import pyarrow as pa

from polyrouge.errors import shown_value, unknown_value
from polyrouge.inputs import Inputs, SingleReferences


def as_table(rows: Any) -> pa.Table:
    """A Table of the same data: from a RecordBatch, a ``datasets.Dataset``, or by Arrow's PyCapsule interface."""
    if isinstance(rows, pa.Table):
        return rows
    if isinstance(rows, pa.RecordBatch):
        return pa.Table.from_batches([rows])
    if hasattr(rows, "with_format") and hasattr(rows, "column_names"):  # datasets, which has no such interface
        return rows.with_format("arrow")[:]
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        try:
            table = pa.table(rows)
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise TypeError(f"{shown_value(rows)} gives no table by Arrow's interface: {error}") from error
        if not len(table) and isinstance(rows, pa.RecordBatchReader):
            raise ValueError(
                "The RecordBatchReader gives no rows. It can be read once; to use its rows again: reader.read_all()."
            )
        return table
    raise TypeError(
        f"The table is {shown_value(rows)}; give a pyarrow Table or RecordBatch, or what has Arrow's PyCapsule "
        "interface (__arrow_c_stream__), as tables of pandas, polars and DuckDB have."
    )


def checked_column(table: pa.Table, name: str, what: str) -> pa.ChunkedArray:
    """The only column of this name; messages call it ``what``."""
    n = table.column_names.count(name)
    if n == 0:
        raise KeyError(str(unknown_value(name, table.column_names, f"column for {what}")))
    if n > 1:
        raise ValueError(f"The table has {n} columns {name!r}; rename all but one.")
    return table.column(name)


def inputs_of_table(table: pa.Table, prediction: str, reference: str, first_row: int) -> Inputs:
    """The checked texts of two columns; ``reference`` may hold lists; messages count rows from ``first_row``."""
    predictions = texts_of_column(checked_column(table, prediction, "prediction"), "predictions", prediction, first_row)
    references = checked_column(table, reference, "reference")
    if is_list(references.type):
        return Inputs(predictions, _lists_of_column(references, reference, first_row), "list", first_row)
    texts = texts_of_column(references, "references", reference, first_row)
    return Inputs(predictions, SingleReferences(texts), "text", first_row)


def texts_of_column(column: pa.ChunkedArray, what: str, name: str, first_row: int) -> list[str]:
    """The texts of the column ``name``; messages call them ``what``, a plural."""
    if not column.null_count and not _holds_texts(column.type):
        raise TypeError(f"{what} is of type {column.type} (column {name!r}); give a column of strings.")
    texts = _python_values(column, what, name, first_row)
    if None in texts:  # maybe of a dictionary
        raise _null_error(f"{what}[{first_row + texts.index(None)}]", name)
    return texts


def _lists_of_column(column: pa.ChunkedArray, name: str, first_row: int) -> list[list[str]]:
    if not column.null_count and not _holds_texts(column.type.value_type):
        raise TypeError(
            f"references is of type {column.type} (column {name!r}); give a column of strings or of lists of strings."
        )
    rows = _python_values(column, "references", name, first_row)
    for number, row in enumerate(rows, first_row):
        if row is None:
            raise _null_error(f"references[{number}]", name)
        if not row:
            raise ValueError(
                f"references[{number}] is empty (column {name!r}); every prediction needs at least one reference."
            )
        if None in row:
            raise _null_error(f"references[{number}][{row.index(None)}]", name)
    return rows


def _holds_texts(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _holds_texts(kind.value_type)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def is_list(kind: pa.DataType) -> bool:
    """Whether a type is one of the five kinds of lists."""
    return hasattr(kind, "value_field")


def _python_values(column: pa.ChunkedArray, what: str, name: str, first_row: int) -> list[Any]:
    try:
        return column.to_pylist()
    except UnicodeDecodeError:  # also of bytes of lone surrogates
        for row, value in enumerate(column, first_row):
            for number, text in enumerate(value.values if is_list(column.type) else [value]):
                try:
                    text.as_py()
                except UnicodeDecodeError as error:  # noqa: PERF203 # only where some text is bad
                    place = f"[{row}][{number}]" if is_list(column.type) else f"[{row}]"
                    raise ValueError(
                        f"{what}{place} is no UTF-8 at byte {error.start} (column {name!r}): {error.reason}. Decode "
                        "them by the encoding that they have, before they come into the table."
                    ) from None
        raise


def _null_error(place: str, name: str) -> TypeError:
    return TypeError(f"{place} is null (column {name!r}); each text must be a string. An empty text is ''.")
