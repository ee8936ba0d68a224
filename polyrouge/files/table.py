"""An open file of rows, whatever its format, and what its cells may hold; errors name the file and the row.

A column may be a path into a value: ``filtered_resps[0]``, ``doc.summary``, ``choices[].text`` (of each choice).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from polyrouge.errors import Option, RefusedValue, shown_value, unknown_value

Position = Callable[[], "tuple[int, int] | None"]
ReadSample = Callable[[], "Sequence[Mapping[str, Any]]"]
ReadRows = Callable[[Sequence[str], Sequence[str]], "Iterator[Row]"]

_Item = TypeVar("_Item")
_MOST_NAMES, _LONGEST_NAME = 20, 100  # in a message
_ASSISTANTS = ("assistant", "gpt", "model", "chatgpt", "bot", "ai")
_SPEAKERS = (*_ASSISTANTS, "human", "user", "system", "tool", "function")
SAMPLE_ROWS = 64
"""Rows by which columns are guessed."""

EMPTY_CELLS = ("refuse", "text")
"""What to do with an empty cell of CSV, which may be an empty text or a missing one."""

# Parts of messages and items between them that call tools, or give what tools returned: by the end of their type, or by
# a name (Gemini, Bedrock).
_TYPES_OF_TOOLS = ("tool_use", "_call", "tool_result", "_call_output", "_result")
_NAMES_OF_TOOLS = ("functionCall", "functionResponse", "executableCode", "codeExecutionResult", "toolUse", "toolResult")
_CALLS_OF_MESSAGES = ("tool_calls", "function_call")

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d*)\]")
_PATH = re.compile(rf"[^.\[\]]+(?:{_STEP.pattern})+")


class InputFileError(RefusedValue):
    """A file can't be read: a message that names the file and the line, and what to do by an option, if one helps."""

    @property
    def message(self) -> str:
        """The message alone, for who has no such options."""
        return str(self.sentence[0])


SOME_ROWS = (" To read only rows that have one: ", Option("where", "COLUMN=VALUE"), ".")
"""What to do about rows without a text."""


class Row(NamedTuple):
    """One row of a table."""

    name: str  # "line 7" or "row 7", counted from 1
    values: dict[str, Any]  # of the selected columns, by name; a line of plain text is that of ""


class Table(NamedTuple):
    """An open file.

    ``rows(texts, others)`` yields the rows of these columns and can be called once: ``texts`` must hold texts,
    ``others`` may hold anything. Plain text has no columns and yields its lines.
    """

    name: str  # the path, or "standard input" for "-"
    format: str
    columns: list[str]
    text_columns: list[str]  # that can hold texts or lists of texts, as far as the beginning of the file shows
    list_columns: list[str]  # those of them that hold lists, likewise
    rows: ReadRows
    read_sample: (
        ReadSample  # the first rows, with all values, by which columns are guessed; none where they can't be read
    )
    position: Position  # how much has been read, and of how much, in bytes or rows; None where this isn't known
    close_file: Callable[[], None]
    notes: Sequence[str] = ()  # such as another encoding; more may come while the file is read
    is_plain: bool = False  # whether its texts are lines, and no list of JSON

    def close(self) -> None:  # a method, as type checkers take no field for closing()
        """Close the file; may be called more than once."""
        self.close_file()


class Content(NamedTuple):
    """What a reader of a format returns; fields as of ``Table``."""

    columns: list[str]
    text_columns: list[str]
    list_columns: list[str]
    rows: ReadRows
    read_sample: ReadSample = tuple


def looked_ahead(rows: Iterator[_Item]) -> tuple[list[_Item], Iterator[_Item]]:
    """Return the first rows, up to ``SAMPLE_ROWS``, and an iterator over all; an error comes where it came before."""
    sample: list[_Item] = []
    broken: InputFileError | None = None
    try:
        sample.extend(islice(rows, SAMPLE_ROWS))
    except InputFileError as error:
        if not sample:
            raise
        broken = error

    def all_rows() -> Iterator[_Item]:
        yield from sample
        if broken is not None:
            raise broken
        yield from rows

    return sample, all_rows()


def first_of(rows: Iterator[_Item], name: str) -> tuple[_Item, Iterator[_Item]]:
    """Return the first row, and an iterator over all rows; raises for a file without rows."""
    for row in rows:
        return row, chain([row], rows)
    raise InputFileError(f"{name} has no rows.")


def names_of(names: Collection[str]) -> str:
    """Return names for a message: the first of them, and how many more there are."""
    shown = ", ".join(map(_name_of, islice(names, _MOST_NAMES)))
    return f"{shown} and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else shown or "none"


def _name_of(name: str) -> str:
    text = repr(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"


def outer_column(column: str, columns: Collection[str]) -> str | None:
    """Return the column that a name stands for: itself, or the column that it is a path into; None if there is none."""
    if column in columns:
        return column
    match = _PATH.fullmatch(column)
    if match and (name := column.partition("[")[0]) in columns:  # which may have full stops
        return name
    outer = match and _STEP.match(column)
    return outer[1] if outer and outer[1] in columns else None


def value_at(values: Mapping[str, Any], column: str) -> Any:
    """Return the value of a column, or of a path such as ``doc.answers[0]``; ``KeyError`` if there is none."""
    if column in values:
        return values[column]
    name = column.partition("[")[0]
    if "." in name and name in values:  # a column with full stops in its name
        return _value_behind(values[name], list(_STEP.finditer(column, len(name))), column)
    return _value_behind(values, list(_STEP.finditer(column)), column)


def _value_behind(value: Any, steps: Sequence[re.Match[str]], column: str) -> Any:
    for number, match in enumerate(steps, start=1):
        if match[2] == "":  # of each item
            if not isinstance(value, list):
                raise KeyError(column)
            return [_value_behind(item, steps[number:], column) for item in _correct_items(value)]
        step: Any = match[1] if match[2] is None else int(match[2])
        if isinstance(value, str):  # whose items are characters
            raise KeyError(column)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise KeyError(column) from None
    return value


def _correct_items(items: list[Any]) -> list[Any]:
    """Return the references of HELM that are tagged as correct, which its metrics take; all items of other lists."""
    if not all(isinstance(item, dict) and isinstance(item.get("tags"), list) for item in items):
        return items
    return [item for item in items if "correct" in item["tags"]] or items


def other_value(values: Mapping[str, Any], column: str) -> Any:
    """Return a value that is no text; None where there is none, as tools leave out what is null."""
    try:
        return value_at(values, column)
    except KeyError:
        return None


def check_text_column(table: Table, column: str, *, may_be_nested: bool = True) -> None:
    """Raise ``InputFileError`` if a file has no such column, or one that holds no texts; nested ones are seen later."""
    is_path = outer_column(column, table.columns) not in (None, column)
    if is_path and may_be_nested and table.format not in ("csv", "tsv"):
        return
    check_column(table, column)
    if column not in table.text_columns:
        texts = names_of(table.text_columns)
        raise InputFileError(f"{table.name}: the column {column!r} holds no texts; columns of texts are: {texts}.")


def check_column(table: Table, column: str) -> None:
    """Raise ``InputFileError`` if a file has no such column."""
    if column not in table.columns:
        raise InputFileError(f"{table.name}: {unknown_value(column, table.columns, 'column')}")


def may_be_text(value: Any) -> bool:
    """Return whether a value is a text, a message, or a list of texts, of messages or of parts of one."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, str | list) or isinstance(message_text(value), str) or ends_with_tool(value)


def message_text(value: Any) -> Any:
    """Return the assistant's last message if the value is a conversation with one; else the value itself.

    Messages are ``{"role": ..., "content": ...}``, ``{"type": "ai", "content": ...}`` (LangChain), ``{"from": ...,
    "value": ...}`` (ShareGPT) or ``{"role": ..., "parts": [{"text": ...}]}`` (Gemini), which may stand alone. A message
    in parts is the texts of its parts, behind the last call of a tool. Where none is behind it, there is no answer, and
    the value stays.
    """
    if ends_with_tool(value):
        return value
    if isinstance(value, dict) and value.get("role") in _ASSISTANTS:
        value = [value]
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        return value
    if parts := _texts_of_parts(value):
        return "".join(parts)
    answers = [content for speaker, content in map(_message, value) if speaker in _ASSISTANTS]
    return message_text(answers[-1]) if answers else value


def ends_with_tool(value: Any) -> bool:
    """Return whether a conversation, or a message in parts, ends with a call of a tool, and so without an answer."""
    items = value if isinstance(value, list) else [value]
    for item in reversed(items if all(isinstance(item, dict) for item in items) else ()):
        if _is_of_tool(item):
            return True
        speaker, content = _message(item)
        if speaker in _ASSISTANTS:
            return any(item.get(name) for name in _CALLS_OF_MESSAGES) or ends_with_tool(content)
        if "type" in item and isinstance(item.get("text"), str):
            return False
    return False


def _is_of_tool(part: dict[str, Any]) -> bool:
    is_type = isinstance(kind := part.get("type"), str) and kind.endswith(_TYPES_OF_TOOLS)
    return is_type or any(part.get(name) for name in _NAMES_OF_TOOLS)


def _texts_of_parts(items: Sequence[dict[str, Any]]) -> list[str]:
    """Return the texts of the parts of an answer, without the reasoning; none if an item is no part."""
    if not all("type" in item for item in items):
        return []
    start = max((number for number, part in enumerate(items, 1) if _is_of_tool(part)), default=0)
    return [
        part["text"]
        for part in items[start:]
        if isinstance(part.get("text"), str) and not str(part["type"]).startswith("reasoning")
    ]


def _message(item: dict[str, Any]) -> tuple[Any, Any]:
    """Return who says what in an item of a conversation; nobody in reasoning, in calls, and in other objects."""
    if "content" in item and item.get("type") != "reasoning" and not isinstance(item["content"], dict):
        speaker = next((item[name] for name in ("role", "speaker", "from", "author") if name in item), None)
        if speaker is None:
            speaker = item["type"] if item.get("type") in _SPEAKERS else "assistant"
        return speaker, item["content"]
    if "from" in item and "value" in item:
        return item["from"], item["value"]
    if "role" in item and isinstance(item.get("parts"), list):
        return item["role"], [{"type": "text", **part} for part in item["parts"] if not part.get("thought")]
    return None, None


def checked_text(value: Any, where: str) -> str:
    """Return the value if it is a text without lone surrogates; else ``InputFileError`` names the place ``where``.

    A text that the file lacks is such an error already: rows that are left out may lack it.
    """
    if isinstance(value, InputFileError):
        raise value
    if not isinstance(value, str):
        _refuse_call(value, where)
        raise InputFileError(
            f'{where} is {"null" if value is None else shown_value(value)}; each must be a text. An empty text is "".'
        )
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputFileError(
                f"{where} holds a lone surrogate, which is no character (a broken emoji?); mend the text."
            ) from None
    return value


def _refuse_call(value: Any, where: str) -> None:
    """Raise ``InputFileError`` for a conversation that ends before the answer."""
    if ends_with_tool(value):
        raise InputFileError(
            f"{where} ends with a call of a tool, so it holds no answer, and what is written before the call is none. "
            "Let the model finish, or leave the row out of all files.",
            *SOME_ROWS,
        )


def checked_reference(value: Any, where: str) -> str | list[str]:
    """Return the value if it is a text or a list of texts; else ``InputFileError``."""
    if not isinstance(value, list):
        return checked_text(value, where)
    _refuse_call(value, where)
    if not value:
        raise InputFileError(f"{where} is an empty list; every row needs at least one reference.", *SOME_ROWS)
    return [checked_text(text, f"{where}, reference {number},") for number, text in enumerate(value, start=1)]


def checked_references(cells: Sequence[tuple[Any, str]]) -> str | list[str]:
    """Return the references of a row by the cells of their columns and the places; of several, a row may lack some."""
    if len(cells) == 1:
        return checked_reference(*cells[0])
    return [checked_text(*cell) for cell in [cell for cell in cells if is_there(cell[0])] or cells]


def is_there(value: Any) -> bool:
    """Return whether a value is no missing one: null, NaN, or what the file lacks."""
    return value is not None and value == value and not isinstance(value, InputFileError)


def checked_metadata(value: Any, where: str) -> Any:
    """Return the value if it is a text, a number, a boolean or null; a date as text; else ``InputFileError``."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, dict, bytes)):
        raise InputFileError(
            f"{where} is {shown_value(value)}; samples are sliced by a text, a number, true, false or null."
        )
    return str(value)
