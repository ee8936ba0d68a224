"""Count the texts of an Arrow column that are empty or blank, without making a Python string of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from polyrouge.inputs import is_blank

# The bytes with which a character that is white space to Python begins in UTF-8: those of ASCII, and the first of
# U+0085 and U+00A0, of U+1680, of U+2000 to U+205F, and of U+3000.
_FIRST_OF_BLANKS = np.zeros(256, np.bool_)
_FIRST_OF_BLANKS[[*range(9, 14), *range(28, 33), 0xC2, 0xE1, 0xE2, 0xE3]] = True


def n_blank_texts(column: pa.ChunkedArray) -> int:
    """How many texts of a column of texts or of lists of texts, without nulls, are empty or blank."""
    return sum(map(_n_blank, column.chunks))


def _n_blank(array: Any) -> int:
    if hasattr(array.type, "value_type") and not pa.types.is_dictionary(array.type):
        return _n_blank(array.flatten())
    texts = array if pa.types.is_large_string(array.type) else array.cast(pa.large_string())
    if not len(texts):
        return 0
    _, offsets, data = texts.buffers()
    starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    is_empty = starts[1:] == starts[:-1]
    n_empty = int(is_empty.sum())
    if n_empty == len(texts):
        return n_empty
    first = np.frombuffer(data, np.uint8)[starts[:-1][~is_empty]]
    looked_at = np.flatnonzero(~is_empty)[_FIRST_OF_BLANKS[first]]
    return n_empty + sum(is_blank(texts[int(row)].as_py()) for row in looked_at)
