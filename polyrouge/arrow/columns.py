"""Columns of Arrow tables to checked texts, by their buffers: no Python string is made of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow.compute import call_function

from polyrouge.errors import shown_value, unknown_value
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.utf8_texts import Utf8Lists, Utf8Texts, of_arrow

_LIST_TESTS = (
    pa.types.is_list,
    pa.types.is_large_list,
    pa.types.is_fixed_size_list,
    pa.types.is_list_view,
    pa.types.is_large_list_view,
)


def as_table(given: Any) -> pa.Table:
    """The table, without a copy.

    Args:
        given: a ``pyarrow`` Table or RecordBatch, a ``datasets.Dataset``, or what has the Arrow PyCapsule interface.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(given, pa.Table):
        return given
    if isinstance(given, pa.RecordBatch):
        return pa.Table.from_batches([given])
    if hasattr(given, "with_format") and hasattr(given, "column_names"):  # datasets, which has no such interface
        return given.with_format("arrow")[:]
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        try:
            return pa.table(given)
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise TypeError(f"{shown_value(given)} gives no table by Arrow's interface: {error}") from error
    raise TypeError(
        f"The table is {shown_value(given)}; give a pyarrow Table or RecordBatch, or what has Arrow's PyCapsule "
        "interface (__arrow_c_stream__), as tables of pandas, polars and DuckDB have."
    )


def checked_column(table: pa.Table, name: str, what: str) -> pa.ChunkedArray:
    """The column of this name.

    Args:
        table: the table.
        name: of the column.
        what: it is asked for as, such as ``"prediction"``.

    Raises:
        KeyError: there is no such column; the message names those that there are.
        ValueError: there are several.
    """
    n = table.column_names.count(name)
    if n == 0:
        raise KeyError(str(unknown_value(name, table.column_names, f"column for {what}")))
    if n > 1:
        raise ValueError(f"The table has {n} columns {name!r}; rename all but one.")
    return table.column(name)


def inputs_of_table(table: pa.Table, prediction: str, reference: str, first_row: int) -> Inputs:
    """The texts of a table, checked.

    Args:
        table: with the two columns.
        prediction: column of texts.
        reference: column of texts, or of lists of texts.
        first_row: number of the table's first row in messages.

    Raises:
        KeyError: there is no such column.
        TypeError: a column or a row that holds no text.
        ValueError: a row without a reference, or with bytes that are no UTF-8.
    """
    predictions = checked_column(table, prediction, "prediction")
    references = checked_column(table, reference, "reference")
    texts = texts_of_column(predictions, "predictions", prediction, first_row)
    if not any(test(references.type) for test in _LIST_TESTS):
        rows = texts_of_column(references, "references", reference, first_row)
        return Inputs(texts, SingleReferences(rows), "text", first_row)
    lists = _lists_of_column(references, reference, first_row)
    sizes = np.diff(lists.offsets)
    if len(sizes) and sizes.min() == sizes.max() == 1:
        return Inputs(texts, SingleReferences(lists.all_texts), "list", first_row)
    return Inputs(texts, lists, "list", first_row)


def texts_of_column(column: pa.ChunkedArray, what: str, name: str, first_row: int) -> Utf8Texts:
    """The texts of a column.

    Args:
        column: of strings.
        what: it holds, for messages: ``"predictions"``, or another plural.
        name: of the column.
        first_row: number of its first row in messages.

    Raises:
        TypeError: it is no column of strings, or a row is null.
        ValueError: a text is no UTF-8.
    """

    def place_of(row: int) -> str:
        return f"{what}[{first_row + row}]"

    _refuse_nulls(column, place_of, name)
    if not _holds_texts(column.type):
        raise TypeError(f"{what} is of type {column.type} (column {name!r}); give a column of strings.")
    texts = _as_strings(_one_array(column, pa.large_string()))
    _refuse_nulls(texts, place_of, name)  # of a dictionary
    _refuse_bad_bytes(texts, place_of, name)
    return of_arrow(texts)


def _lists_of_column(column: pa.ChunkedArray, name: str, first_row: int) -> Utf8Lists:
    _refuse_nulls(column, lambda row: f"references[{first_row + row}]", name)
    if not _holds_texts(column.type.value_type):
        raise TypeError(
            f"references is of type {column.type} (column {name!r}); give a column of strings or of lists of strings."
        )
    lists = _one_array(column, column.type)
    sizes = np.asarray(call_function("list_value_length", [lists])).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    if len(sizes) and not sizes.all():
        row = first_row + int(np.flatnonzero(sizes == 0)[0])
        raise ValueError(
            f"references[{row}] is empty (column {name!r}); every prediction needs at least one reference."
        )

    def place_of(text: int) -> str:
        row = int(np.searchsorted(offsets, text, side="right")) - 1
        return f"references[{first_row + row}][{text - offsets[row]}]"

    texts = _as_strings(lists.flatten())
    _refuse_nulls(texts, place_of, name)
    _refuse_bad_bytes(texts, place_of, name)
    return Utf8Lists(of_arrow(texts), offsets)


def _holds_texts(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _holds_texts(kind.value_type)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _one_array(column: pa.ChunkedArray, kind: pa.DataType) -> Any:
    """The chunks as one array; of texts, each as a large string first, so that their offsets have room."""
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_large_string(kind):
        return pa.concat_arrays([_as_large_string(chunk) for chunk in column.chunks] or [pa.array([], kind)])
    if pa.types.is_list(kind):  # whose texts together may need longer offsets
        kind = pa.large_list(pa.large_string())
        column = column.cast(kind)
    return pa.concat_arrays(column.chunks or [pa.array([], kind)])


def _as_strings(array: Any) -> Any:
    return array if pa.types.is_string(array.type) else _as_large_string(array)


def _as_large_string(array: Any) -> Any:
    return array if pa.types.is_large_string(array.type) else array.cast(pa.large_string())


def _refuse_nulls(column: Any, place_of: Callable[[int], str], name: str) -> None:
    """Raise for the first null."""
    if column.null_count:
        _refuse_null(place_of(int(np.flatnonzero(np.asarray(column.is_null()))[0])), name)


def _refuse_null(place: str, name: str) -> None:
    raise TypeError(f"{place} is null (column {name!r}); each text must be a string. An empty text is ''.")


def _refuse_bad_bytes(texts: Any, place_of: Callable[[int], str], name: str) -> None:
    """Raise for the first text that is no UTF-8, to which the bytes of lone surrogates belong."""
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        place, error = next(filter(None, map(_decoding_error, range(len(texts)), texts.cast(pa.large_binary()))))
        raise ValueError(
            f"{place_of(place)} is no UTF-8 at byte {error.start} (column {name!r}): {error.reason}. Decode them by "
            "the encoding that they have, before they come into the table."
        ) from None


def _decoding_error(place: int, text: Any) -> tuple[int, UnicodeDecodeError] | None:
    try:
        text.as_py().decode()
    except UnicodeDecodeError as error:
        return place, error
    return None
