"""Texts as callers of other packages give them: lists, tuples, arrays and columns of strings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from polyrouge.errors import shown_value


def texts_of(rows: Iterable[Any], name: str) -> list[str]:
    """The rows as a list of strings.

    Args:
        rows: texts.
        name: of the argument, for messages.

    Raises:
        TypeError: a row is no text; it is named.
    """
    texts = list(rows)
    if set(map(type, texts)) <= {str}:
        return texts
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{row}] is {shown_value(text)}; it must be a text (str).")
    return list(map(str, texts))  # subclasses, such as numpy's
