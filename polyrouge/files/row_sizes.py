"""How large the rows of Arrow columns will be as Python's texts, by their lengths: no text is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_OF_AN_ITEM = 16  # bytes that an item of a list takes beside its text


def has_known_sizes(kind: Any, *, may_be_no_text: bool = False) -> bool:
    """Whether ``sizes_of_rows`` knows how large the values of an Arrow type are.

    Args:
        kind: the type.
        may_be_no_text: numbers and the like are meant too.
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _is_text(kind.value_type)
    return _is_text(kind) or (may_be_no_text and (pa.types.is_primitive(kind) or pa.types.is_null(kind)))


def slices_of_batch(batch: Any, most: int) -> Iterator[tuple[int, int, int]]:
    """Cut a batch into slices of so many bytes; a row that is larger is a slice of its own.

    Args:
        batch: a ``pyarrow.RecordBatch`` whose types have known sizes.
        most: bytes.

    Yields:
        Start and stop of each slice, and its bytes.
    """
    ends = np.cumsum(sum((sizes_of_rows(column) for column in batch.columns), np.zeros(batch.num_rows, np.int64)))
    start = 0
    while start < batch.num_rows:
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield start, stop, int(ends[stop - 1]) - before
        start = stop


def sizes_of_rows(column: Any) -> NDArray[np.int64]:
    """The bytes of each row of an Arrow array: those of its texts, and some for each item.

    Args:
        column: of texts, lists of texts, a dictionary of texts, or numbers.

    Returns:
        int64[n_rows].
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        counts = (
            pc.fill_null(pc.call_function("list_value_length", [column]), 0)
            .to_numpy(zero_copy_only=False)
            .astype(np.int64)
        )
        ends = np.cumsum(counts)
        items = np.concatenate([[0], np.cumsum(sizes_of_rows(column.flatten()))])
        return items[ends] - items[ends - counts] + _OF_AN_ITEM
    if pa.types.is_dictionary(kind):
        indices = column.indices
        places = pc.fill_null(indices, 0).to_numpy(zero_copy_only=False).astype(np.int64)
        sizes = sizes_of_rows(column.dictionary)
        if not len(sizes):  # all are null
            return np.full(len(column), _OF_AN_ITEM, np.int64)
        return np.where(indices.is_valid().to_numpy(zero_copy_only=False), sizes[places], _OF_AN_ITEM)
    if _is_view(kind):
        return _lengths_of_views(column) + _OF_AN_ITEM
    if _is_text(kind):
        lengths = pc.fill_null(pc.call_function("binary_length", [column]), 0)
        return lengths.to_numpy(zero_copy_only=False).astype(np.int64) + _OF_AN_ITEM
    return np.full(len(column), _OF_AN_ITEM, np.int64)


def _lengths_of_views(column: Any) -> NDArray[np.int64]:
    """The lengths of a string view: the first 4 bytes of each 16."""
    views = column.buffers()[1]
    if views is None:
        return np.zeros(len(column), np.int64)
    lengths = np.frombuffer(views, np.int32).reshape(-1, 4)[column.offset : column.offset + len(column), 0]
    return np.where(column.is_valid().to_numpy(zero_copy_only=False), lengths, 0).astype(np.int64)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or _is_view(kind)


def _is_view(kind: Any) -> bool:
    return str(kind) == "string_view"  # older versions of pyarrow don't know it
