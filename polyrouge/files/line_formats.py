"""Read files line by line: plain text, JSONL and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from polyrouge.files.encodings import Lines
from polyrouge.files.file_rows import InputFileError, Progress, Row, TextFile, first_of

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}


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
            where = f"{name}, line {number}"
            yield f"line {number}", _checked_object(_parsed(line, where, is_line=True), where)

    return _of_objects(name, file_format, objects(), progress)


def open_json(name: str, file_format: str, lines: Lines, progress: Progress) -> TextFile:
    """Open JSON: an array of objects, which is read as a whole."""
    rows = _parsed("\n".join(line for _, line in lines), name, is_line=False)
    if not isinstance(rows, list):
        raise InputFileError(f"{name} is {_kind(rows)}; give a list of objects, or JSONL (an object a line).")
    objects = (
        (f"row {number}", _checked_object(row, f"{name}, row {number}")) for number, row in enumerate(rows, start=1)
    )
    return _of_objects(name, file_format, objects, progress)


def _parsed(text: str, where: str, *, is_line: bool) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if not is_line:
            raise InputFileError(f"{where}, line {error.lineno}: this is no JSON: {error.msg}.") from None
        is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        hint = " The line seems to be cut off." if is_cut_off else ""
        what = f"{error.msg.removesuffix(' starting at')} at character {error.pos + 1}"
        raise InputFileError(f"{where}: this is no JSON: {what}.{hint}") from None
    except RecursionError:
        raise InputFileError(f"{where}: this JSON is nested too deep.") from None
    except ValueError as error:  # an integer of thousands of digits
        raise InputFileError(f"{where}: this is no JSON that can be read: {error}.") from None


def _checked_object(row: Any, where: str) -> dict:
    if not isinstance(row, dict):
        raise InputFileError(
            f'{where}: this is {_kind(row)}; each must be a JSON object such as {{"prediction": "..."}}.'
        )
    return row


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number")


def _of_objects(name: str, file_format: str, objects: Iterator[tuple[str, dict]], progress: Progress) -> TextFile:
    (_, first), objects = first_of(objects, name)

    def rows(columns: Sequence[str], no_texts: Sequence[str]) -> Iterator[Row]:
        wanted = (*columns, *no_texts)
        for place, row in objects:
            for column in wanted:
                if column not in row:
                    raise InputFileError(
                        f"{name}, {place}: there is no {column!r}; it has {', '.join(map(repr, row)) or 'nothing'}."
                    )
            yield Row(place, tuple(row[column] for column in wanted))

    text_columns = [key for key, value in first.items() if isinstance(value, (str, list))]
    return TextFile(name, file_format, list(first), text_columns, rows, progress)
