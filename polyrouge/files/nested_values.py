"""Values inside the columns of a file: ``filtered_resps[0]``, ``doc.summary``, the last message of a conversation."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_PATH = re.compile(rf"[^.\[\]]+(?:{_STEP.pattern})+")


def outer_column(column: str, columns: Collection[str]) -> str | None:
    """The column of a file that a name stands for: itself, or the one that it is a path into; None if there is none."""
    if column in columns:
        return column
    match = _PATH.fullmatch(column)
    outer = match and _STEP.match(column)
    return outer[1] if outer and outer[1] in columns else None


def value_at(values: Mapping[str, Any], column: str) -> Any:
    """The value of a column, or the one that a path such as ``doc.answers[0]`` leads to; ``KeyError`` if none does."""
    if column in values:
        return values[column]
    value: Any = values
    for match in _STEP.finditer(column):
        step: Any = match[1] if match[2] is None else int(match[2])
        if isinstance(value, str):  # whose items are characters
            raise KeyError(column)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise KeyError(column) from None
    return value


def message_text(value: Any) -> Any:
    """What the assistant said last, if this is a conversation in which it said anything; else the value itself."""
    if (
        not isinstance(value, list)
        or not value
        or not all(isinstance(each, dict) and "content" in each for each in value)
    ):
        return value
    said = [each for each in value if each.get("role", "assistant") == "assistant"]
    return said[-1]["content"] if said else value
