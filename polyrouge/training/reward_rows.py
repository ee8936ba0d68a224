"""Read the rows that a trainer gives to a reward: the text of a completion, the texts of its references.

A row that holds something else is refused with its place: read as an empty text, it would have the reward 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from polyrouge.errors import shown_value

_NOT_THE_ANSWER = ("user", "system", "developer", "tool", "function")
_TO_PYTHON = ("to_pylist", "to_list", "tolist", "as_py")  # Arrow; pandas, polars; numpy; Arrow's scalars
_REFERENCE_SHAPES = (
    "each row must be a text, a list of texts, a conversation (messages with 'content'), answers as SQuAD has them "
    "({'text': [...]}), or None where there is no reference"
)


def completion_text(row: Any, name: str) -> str:
    """The text of a completion: itself, or the last message by the assistant, which may have none (a tool call only).

    Raises:
        TypeError: it is something else; or nobody but the user, a tool or the system speaks.
    """
    row = _python(row)
    if isinstance(row, str):
        return row
    messages = [row] if isinstance(row, Mapping) else _items(row)
    if not messages or not all(map(_is_message, messages)):
        raise TypeError(
            f"{name} is {shown_value(row)}; each must be a text or a conversation (messages with 'content')."
        )
    return _conversation_text(messages, name, may_be_none=True)


def reference_texts(row: Any, name: str) -> list[str] | None:
    """The reference texts of a row; None if it is None, that is, without a reference.

    It is a text; a list of texts; a message or a conversation; or answers in the shape of SQuAD:
    ``{"text": [...], "answer_start": [...]}``, or a list of ``{"text": "..."}``. Of numpy, pandas or Arrow too.

    Raises:
        TypeError: it is something else.
        ValueError: it holds no reference.
    """
    row = _python(row)
    if row is None or isinstance(row, str):
        return None if row is None else [row]
    if isinstance(row, Mapping):
        return _texts_of_mapping(row, name)
    items = _items(row)
    if items is None:
        raise TypeError(f"{name} is {shown_value(row)}; {_REFERENCE_SHAPES}.")
    if not items:
        raise ValueError(
            f"{name} is empty; give at least one reference, or None for a row without one, which has no reward."
        )
    if all(map(_is_message, items)):
        return [_conversation_text(items, name)]
    if all(map(_is_part, items)):
        return [_content_text(items, name)]
    texts = []
    for number, item in enumerate(items):
        texts += _texts_of_item(item, f"{name}[{number}]")
    return texts


def _texts_of_item(item: Any, name: str) -> list[str]:
    """The texts of one of several references."""
    item = _python(item)
    if isinstance(item, str):
        return [item]
    if isinstance(item, Mapping) and not _is_message(item) and not _is_part(item):
        return _texts_of_mapping(item, name)
    messages = _items(item)
    if messages and all(map(_is_message, messages)):
        return [_conversation_text(messages, name)]
    raise TypeError(f"{name} is {shown_value(item)}; {_REFERENCE_SHAPES}.")


def _texts_of_mapping(row: Mapping, name: str) -> list[str]:
    """The text of a message or of a part of one, or the answers of a question."""
    if _is_message(row):
        return [_conversation_text([row], name)]
    if _is_part(row):
        return [_content_text([row], name)]
    if "text" not in row:
        keys = ", ".join(map(repr, row)) or "no keys"
        raise TypeError(
            f"{name} is a mapping with {keys}; {_REFERENCE_SHAPES}. Make a column of texts from what is meant, by "
            "map of the data set."
        )
    found = _python(row["text"])
    if isinstance(found, str):
        return [found]
    texts = _items(found)
    if texts is None:
        raise TypeError(f"{name}['text'] is {shown_value(found)}; it must be a text or a list of texts.")
    if not texts:
        raise ValueError(f"{name}['text'] is empty; give an answer, or None in place of the row for no reward.")
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}['text'][{number}] is {shown_value(text)}; each answer must be a text.")
    return texts


def _conversation_text(messages: list, name: str, *, may_be_none: bool = False) -> str:
    """The text of the last message by the assistant; of the last one, if roles have other names."""
    spoken = [message for message in messages if message.get("role") == "assistant"]
    spoken = spoken or [message for message in messages if message.get("role") not in _NOT_THE_ANSWER]
    if not spoken:
        roles = ", ".join(dict.fromkeys(repr(message.get("role")) for message in messages))
        raise TypeError(
            f"{name} is a conversation without a message by the assistant (roles: {roles}); end it with the answer."
        )
    content = _python(spoken[-1].get("content"))
    if content is None and may_be_none:
        return ""
    return _content_text(content, name)


def _content_text(content: Any, name: str) -> str:
    """The text of a message's content: itself, or that of its parts, of which images and the like have none."""
    if isinstance(content, str):
        return content
    texts = []
    for part in _items(content) or ():
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping) or not isinstance(part.get("text"), (str, type(None))):
            break
        elif part.get("text") is not None:
            texts.append(part["text"])
    else:
        if texts:
            return "".join(texts)
    raise TypeError(
        f"{name} holds a message whose content is {shown_value(content)}; it must be a text, or parts with 'text'."
    )


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and ("content" in value or "role" in value)


def _is_part(value: Any) -> bool:
    """Whether this is a part of a message's content, such as ``{"type": "text", "text": "..."}``."""
    return isinstance(value, Mapping) and "type" in value and not _is_message(value)


def _items(value: Any) -> list | None:
    """The items of a list of any kind, in their order; None if it is none."""
    if isinstance(value, (str, bytes, bytearray, Mapping, set, frozenset)) or not isinstance(value, Iterable):
        return None
    return [_python(item) for item in value]


def _python(value: Any) -> Any:
    """What an array, a series or a scalar of another library holds, as Python has it."""
    if value is None or isinstance(value, (str, list, tuple, Mapping)):
        return value
    for convert in _TO_PYTHON:
        if hasattr(value, convert):
            return getattr(value, convert)()
    return value
