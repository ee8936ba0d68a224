"""Read files line by line: plain text, JSONL, JSON, CSV and TSV."""

from __future__ import annotations

import csv
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, Any

from polyrouge.files.file_rows import InputFileError, Progress, Row, TextFile, first_of, unreadable

_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*")
_Lines = Iterator[tuple[int, str]]


def numbered_lines(stream: IO[bytes], name: str) -> _Lines:
    r"""Lines without their ``\n`` or ``\r\n``, decoded from UTF-8; nothing else ends a line."""
    number = 0
    try:
        for number, line in enumerate(stream, start=1):
            text = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                text = text.removeprefix(b"\xef\xbb\xbf")
            yield number, text.decode("utf-8")
    except UnicodeDecodeError as error:
        msg = f"{name}, line {number}: byte {error.object[error.start]:#04x} is not UTF-8; convert the file to UTF-8."
        raise InputFileError(msg) from None
    except (EOFError, OSError, zlib.error) as error:
        raise unreadable(name, error) from None


def open_lines(name: str, file_format: str, lines: _Lines, progress: Progress) -> TextFile:
    """Open plain text: a line is a text, and an empty line an empty text."""
    _, lines = first_of(lines, name)
    rows = (Row(f"line {number}", (line,)) for number, line in lines)
    return TextFile(name, file_format, None, [], lambda _columns, _no_texts: rows, progress)


def open_jsonl(name: str, file_format: str, lines: _Lines, progress: Progress) -> TextFile:
    """Open JSONL: a JSON object a line; blank lines may stand at the end only."""

    def objects() -> Iterator[tuple[str, dict]]:
        blank = 0
        for number, line in lines:
            if not line.strip():
                blank = blank or number
                continue
            if blank:  # blank lines at the end don't count; a blank line elsewhere is a missing row
                msg = f"{name}, line {blank}: the line is blank; each line must hold a JSON object."
                raise InputFileError(msg)
            yield f"line {number}", _parsed_object(line, f"{name}, line {number}")

    return _of_objects(name, file_format, objects(), progress)


def _parsed_object(line: str, where: str) -> dict:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        cut_off = error.pos >= len(line.rstrip()) or error.msg.startswith("Unterminated")
        hint = " The line seems to be cut off." if cut_off else ""
        msg = f"{where}: this is no JSON: {error.msg} at character {error.pos + 1}.{hint}"
        raise InputFileError(msg) from None
    except RecursionError:
        msg = f"{where}: this JSON is nested too deep."
        raise InputFileError(msg) from None
    return _checked_object(row, where)


def _checked_object(row: Any, where: str) -> dict:
    if not isinstance(row, dict):
        msg = f'{where}: this is {_kind(row)}; each must be a JSON object such as {{"prediction": "..."}}.'
        raise InputFileError(msg)
    return row


def open_json(name: str, file_format: str, lines: _Lines, progress: Progress) -> TextFile:
    """Open JSON: an array of objects, which is read as a whole."""
    try:
        rows = json.loads("\n".join(line for _, line in lines))
    except json.JSONDecodeError as error:
        msg = f"{name}, line {error.lineno}: this is no JSON: {error.msg}."
        raise InputFileError(msg) from None
    except RecursionError:
        msg = f"{name}: this JSON is nested too deep."
        raise InputFileError(msg) from None
    if not isinstance(rows, list):
        msg = f"{name} is {_kind(rows)}; give a list of objects, or JSONL (an object a line)."
        raise InputFileError(msg)
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
                    msg = f"{name}, {place}: there is no {column!r}; it has {', '.join(map(repr, row)) or 'nothing'}."
                    raise InputFileError(msg)
            yield Row(place, tuple(row[column] for column in (*columns, *no_texts)))

    text_columns = [key for key, value in first.items() if isinstance(value, (str, list))]
    return TextFile(name, file_format, list(first), text_columns, rows, progress)


def open_csv(name: str, file_format: str, lines: _Lines, progress: Progress) -> TextFile:
    """Open CSV or TSV, whose first line names the columns. A column of numbers only is refused at its end."""
    csv.field_size_limit(1 << 30)
    reader = csv.reader(
        (f"{line}\n" for _, line in lines), delimiter="\t" if file_format == "tsv" else ",", strict=True
    )

    def records() -> Iterator[tuple[str, list[str]]]:
        start = 1
        try:
            for record in reader:
                if record:
                    yield f"line {start}", record
                start = reader.line_num + 1
        except csv.Error as error:
            msg = f"{name}, line {start}: this is no {file_format.upper()}: {error}. Is a quote missing?"
            raise InputFileError(msg) from None

    (_, header), found = first_of(records(), name)
    next(found)
    if len(set(header)) < len(header):
        twice = next(column for column in header if header.count(column) > 1)
        msg = f"{name}, line 1: the column {twice!r} is there twice; the first line must name the columns."
        raise InputFileError(msg)
    _, found = first_of(found, f"{name}, whose first line names the columns {', '.join(map(repr, header))},")

    def rows(columns: Sequence[str], no_texts: Sequence[str]) -> Iterator[Row]:
        chosen = [header.index(column) for column in (*columns, *no_texts)]
        numbers = dict.fromkeys(chosen[: len(columns)], True)
        for place, record in found:
            if len(record) != len(header):
                msg = f"{name}, {place}: {len(record)} fields, but the first line names {len(header)} columns."
                raise InputFileError(msg)
            for index in numbers:
                numbers[index] = numbers[index] and _NUMBER.fullmatch(record[index]) is not None
            yield Row(place, tuple(record[index] for index in chosen))
        for index, only in numbers.items():
            if only:
                msg = (
                    f"{name}: the column {header[index]!r} holds only numbers, no texts; name another column. "
                    "(If these numbers are meant as texts, give them as strings in JSONL.)"
                )
                raise InputFileError(msg)

    return TextFile(name, file_format, header, header, rows, progress)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
