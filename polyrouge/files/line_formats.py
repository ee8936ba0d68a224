"""Read files line by line: plain text, JSONL and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from polyrouge.files.encodings import Lines
from polyrouge.files.file_rows import InputFileError, Progress, Row, TextFile, first_of
from polyrouge.files.read_caps import InputTooLargeError, ReadCaps


def open_lines(name: str, file_format: str, lines: Lines, progress: Progress) -> TextFile:
    """Open plain text: a line is a text, and an empty line an empty text."""
    _, lines = first_of(lines, name)
    rows = (Row(f"line {number}", (line,)) for number, line in lines)
    return TextFile(name, file_format, None, [], lambda _columns, _no_texts: rows, progress)


def open_jsonl(name: str, file_format: str, lines: Lines, progress: Progress) -> TextFile:
    """Open JSONL: a JSON object a line; blank lines may stand at the end only."""

    def objects() -> Iterator[tuple[str, dict]]:
        blank = 0
        for number, line in lines:
            if not line.strip():
                blank = blank or number
                continue
            if blank:  # blank lines at the end don't count; a blank line elsewhere is a missing row
                raise InputFileError(f"{name}, line {blank}: the line is blank; each line must hold a JSON object.")
            yield f"line {number}", _parsed_object(line, f"{name}, line {number}")

    return _of_objects(name, file_format, objects(), progress)


def _parsed_object(line: str, where: str) -> dict:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        cut_off = error.pos >= len(line.rstrip()) or error.msg.startswith("Unterminated")
        hint = " The line seems to be cut off." if cut_off else ""
        raise InputFileError(
            f"{where}: this is no JSON: {error.msg.removesuffix(' starting at')} at character {error.pos + 1}.{hint}"
        ) from None
    except RecursionError:
        raise InputFileError(f"{where}: this JSON is nested too deep.") from None
    except ValueError as error:  # an integer of thousands of digits
        raise InputFileError(f"{where}: this is no JSON that can be read: {error}.") from None
    return _checked_object(row, where)


def _checked_object(row: Any, where: str) -> dict:
    if not isinstance(row, dict):
        raise InputFileError(
            f'{where}: this is {_kind(row)}; each must be a JSON object such as {{"prediction": "..."}}.'
        )
    return row


def open_json(name: str, file_format: str, lines: Lines, progress: Progress, caps: ReadCaps | None = None) -> TextFile:
    """Open JSON: an array of objects, which is read as a whole."""
    text = "\n".join(line for _, line in lines)
    # Each value but the first comes after one of these; "[],[],[]" takes 20 times as much memory as text.
    if caps is not None and sum(map(text.count, ",[{")) > caps.values:
        raise InputTooLargeError(name, "values", caps.values)
    try:
        rows = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputFileError(f"{name}, line {error.lineno}: this is no JSON: {error.msg}.") from None
    except RecursionError:
        raise InputFileError(f"{name}: this JSON is nested too deep.") from None
    except ValueError as error:  # an integer of thousands of digits
        raise InputFileError(f"{name}: this is no JSON that can be read: {error}.") from None
    if not isinstance(rows, list):
        raise InputFileError(f"{name} is {_kind(rows)}; give a list of objects, or JSONL (an object a line).")
    objects = (
        (f"row {number}", _checked_object(row, f"{name}, row {number}")) for number, row in enumerate(rows, start=1)
    )
    return _of_objects(name, file_format, objects, progress)


def _of_objects(
    name: str,
    file_format: str,
    objects: Iterator[tuple[str, dict]],
    progress: Progress,
) -> TextFile:
    (_, first), objects = first_of(objects, name)

    def rows(columns: Sequence[str], no_texts: Sequence[str]) -> Iterator[Row]:
        for place, row in objects:
            for column in (*columns, *no_texts):
                if column not in row:
                    raise InputFileError(
                        f"{name}, {place}: there is no {column!r}; it has {', '.join(map(repr, row)) or 'nothing'}."
                    )
            yield Row(place, tuple(row[column] for column in (*columns, *no_texts)))

    text_columns = [key for key, value in first.items() if isinstance(value, (str, list))]
    return TextFile(name, file_format, list(first), text_columns, rows, progress)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
