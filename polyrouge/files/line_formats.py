"""Read files of lines: plain text, JSONL, JSON, CSV and TSV, in UTF-8, GB18030 or any other encoding."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from polyrouge.files.file_rows import InputFileError, ReadRows, Row
from polyrouge.files.nested_values import value_at

Lines = Iterator[tuple[int, str]]
"""Lines with their numbers."""

Content = tuple[list[str] | None, list[str], ReadRows]
"""The columns, those that can hold texts, and what yields the rows, as in ``TextFile``."""

_Item = TypeVar("_Item")

# That of UTF-32 begins as one of UTF-16 does.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_COMMON = 0.9  # of the Chinese characters of a line in GB18030, those that are in GB 2312; other bytes rarely reach it
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*")
_QUOTED = r'"[^"]*(?:""[^"]*)*"'


def checked_encoding(name: str | None) -> str | None:
    """The name of a codec as Python writes it; raises ``ValueError`` if there is no such codec for texts."""
    if name is None:
        return None
    try:
        codec = codecs.lookup(name)
        "a".encode(codec.name)
    except (LookupError, UnicodeError):
        raise ValueError(
            f"Unknown encoding {name!r}; give the name of a codec, such as utf-8, gb18030, big5, utf-16 or latin-1."
        ) from None
    return codec.name


def numbered_lines(stream: io.BufferedReader, name: str, encoding: str | None, notes: list[str]) -> Lines:
    r"""Lines without their ``\n`` or ``\r\n``; nothing else ends a line.

    Without an encoding it is UTF-8, or UTF-16 with a byte order mark. If the first line beyond ASCII is no UTF-8, but
    Chinese text in GB18030 (which holds GBK and GB 2312), the file is read as GB18030, and a note says so.
    """
    start = stream.peek(4)[:4]
    by_mark = next((codec for mark, codec in _BYTE_ORDER_MARKS.items() if start.startswith(mark)), None)
    codec = encoding or by_mark or "utf-8"
    is_certain = encoding is not None or by_mark is not None  # else it may still turn out to be GB18030
    is_recoded = codec != "utf-8"
    if codec == "utf-8" and start[1:2] == b"\0":  # of a letter in UTF-16; a text may begin with NUL, but not go on so
        raise InputFileError(f"{name} seems to be UTF-16 without a byte order mark.", "Say so: --encoding utf-16-le.")
    if encoding is not None and not encoding.startswith("utf"):
        _note_utf8(stream, name, encoding, notes)
    number = 0
    try:
        for number, line in enumerate(_as_utf8(stream, codec) if is_recoded else stream, start=1):
            data = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                data = data.removeprefix(codecs.BOM_UTF8)
            if not is_certain and not data.isascii():
                is_certain = True
                if _is_gb18030(data):
                    codec = "gb18030"
                    notes.append(f"{name} is no UTF-8 and was read as GB18030 (GBK), as from line {number} on it fits.")
            yield number, data.decode("utf-8" if is_recoded else codec)
    except UnicodeDecodeError as error:
        wrong = encoding or codec.replace("utf-8", "UTF-8")
        raise InputFileError(
            f"{name}, line {number + is_recoded}: byte {error.object[error.start]:#04x} is not {wrong}; convert the "
            "file to UTF-8.",
            "Or name its encoding: --encoding.",
        ) from None
    except (EOFError, OSError, zlib.error) as error:
        raise unreadable(name, error) from None


def _note_utf8(stream: io.BufferedReader, name: str, encoding: str, notes: list[str]) -> None:
    """Note that the beginning of a file is UTF-8, and more than ASCII, where another encoding was asked for."""
    start = stream.peek(1 << 12)
    with suppress(UnicodeDecodeError):
        text = codecs.getincrementaldecoder("utf-8")().decode(start)
        if not text.isascii():
            notes.append(f"{name} is valid UTF-8, but was read as {encoding}, as --encoding says.")


def _as_utf8(stream: io.BufferedReader, encoding: str) -> Iterator[bytes]:
    """The lines of a file in another encoding, in UTF-8."""
    with io.TextIOWrapper(stream, encoding, newline="\n") as lines:
        yield from map(str.encode, lines)


def unreadable(name: str, error: Exception) -> InputFileError:
    """The error for a file whose bytes can't be read or can't be unzipped."""
    if isinstance(error, (EOFError, zlib.error, gzip.BadGzipFile)):
        return InputFileError(f"{name} is no whole gzip file ({error}); copy or download it again.")
    return InputFileError(f"{name} can't be read: {error}.")


def _is_gb18030(line: bytes) -> bool:
    """Whether a line is no UTF-8, but a text whose characters beyond ASCII are mostly those of GB 2312."""
    try:
        line.decode()
    except UnicodeDecodeError:
        with suppress(UnicodeDecodeError):
            wide = "".join(character for character in line.decode("gb18030") if ord(character) >= 0x80)
            return len(wide.encode("gb2312", "ignore").decode("gb2312")) >= _COMMON * len(wide)
    return False


def _first_of(rows: Iterator[_Item], name: str) -> tuple[_Item, Iterator[_Item]]:
    """The first row, and an iterator over all rows; raises for a file without rows."""
    for row in rows:
        return row, chain([row], rows)
    raise InputFileError(f"{name} has no rows.")


def plain_lines(name: str, lines: Lines) -> Content:
    """Plain text: a line is a text, and an empty line an empty text."""
    _, lines = _first_of(lines, name)
    rows = (Row(f"line {number}", {None: line}) for number, line in lines)
    return None, [], lambda _texts, _others: rows


def jsonl_rows(name: str, lines: Lines) -> Content:
    """JSONL: a JSON object a line; blank lines may stand at the end only."""

    def objects() -> Iterator[tuple[str, Any]]:
        blank = 0
        for number, line in lines:
            if not line.strip():
                blank = blank or number
                continue
            if blank:  # blank lines at the end don't count; a blank line elsewhere is a missing row
                raise InputFileError(f"{name}, line {blank}: the line is blank; each line must hold a JSON object.")
            yield f"line {number}", _parsed(line, f"{name}, line {number}", is_line=True)

    return _of_objects(name, objects())


def json_rows(name: str, lines: Lines) -> Content:
    """JSON: an array of objects, which is read as a whole."""
    rows = _parsed("\n".join(line for _, line in lines), name, is_line=False)
    if isinstance(rows, dict):
        rows = _rows_of_object(rows)
    if not isinstance(rows, list):
        raise InputFileError(f"{name} is {_kind(rows)}; give a list of objects, or JSONL (an object a line).")
    return _of_objects(name, ((f"row {number}", row) for number, row in enumerate(rows, start=1)))


def json_kind(lines: Lines) -> tuple[str, Lines]:
    """Whether a file that begins with ``{`` is JSONL, or one object that holds the rows; and its lines, as before."""
    number, first = next(lines)
    kind = "json" if first.strip() == "{" else "jsonl"
    with suppress(ValueError, RecursionError):
        if kind == "jsonl" and isinstance(_rows_of_object(json.loads(first)), list):
            kind = "json"
    return kind, chain([(number, first)], lines)


def _rows_of_object(value: dict[str, Any]) -> Any:
    """The rows of an object of numbered objects, as OpenCompass writes, or with one list of objects, as HELM does."""
    if value and all(key.isdecimal() and isinstance(each, dict) for key, each in value.items()):
        return list(value.values())
    lists = [each for each in value.values() if isinstance(each, list) and each and isinstance(each[0], dict)]
    has_texts = any(isinstance(each, str) for each in value.values())
    return lists[0] if len(lists) == 1 and not has_texts else value


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


def _of_objects(name: str, values: Iterator[tuple[str, Any]]) -> Content:
    """The rows of JSON values, each of which must be an object."""

    def checked() -> Iterator[tuple[str, dict]]:
        for place, row in values:
            if not isinstance(row, dict):
                raise InputFileError(
                    f"{name}, {place}: this is {_kind(row)}; each must be a JSON object such as "
                    '{"prediction": "..."}.'
                )
            yield place, row

    (_, first), objects = _first_of(checked(), name)

    def rows(texts: Sequence[str], others: Sequence[str]) -> Iterator[Row]:
        columns = (*texts, *others)
        for place, row in objects:
            yield Row(place, {column: _value_at(row, column, f"{name}, {place}") for column in columns})

    return list(first), [key for key, value in first.items() if isinstance(value, (str, list))], rows


def _value_at(row: dict[str, Any], column: str, where: str) -> Any:
    try:
        return value_at(row, column)
    except KeyError:
        names = ", ".join(map(repr, row)) or "nothing"
        raise InputFileError(f"{where}: there is no {column!r}; it has {names}.") from None


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a number")


class _Record(NamedTuple):
    place: str
    fields: list[str]  # none: a blank line
    source: str  # its lines in the file


def csv_rows(name: str, file_format: str, lines: Lines, empty_cells: str, has_header: bool) -> Content:
    """CSV or TSV, whose columns are "1", "2" and so on without a header. A column of numbers only raises at its end.

    A quoted empty cell, ``""``, is an empty text. Without quotes the text may be missing: spreadsheets, csv and pandas
    write both like this. Such a cell is an error, or an empty text with ``empty_cells="text"``. In a file of one column
    a blank line is such a cell, except at the end of the file.
    """
    delimiter = "\t" if file_format == "tsv" else ","
    # pyarrow.csv takes texts for well formed in which a quote is missing: the rest of the file would be one cell.
    records = _records(name, file_format, lines, delimiter)
    first, _ = _first_of((record for record in records if record.fields), name)
    header = first.fields
    if not has_header:
        records = chain([first], records)
        header = [str(number) for number in range(1, len(header) + 1)]
    if len(set(header)) < len(header):
        twice = next(column for column in header if header.count(column) > 1)
        raise InputFileError(
            f"{name}, line 1: the column {twice!r} is there twice; the first line must name the columns.",
            "If it is a row like the others: --no-header.",
        )
    records = _without_blank_lines(records, is_one_column=len(header) == 1)
    _, records = _first_of(records, f"{name}, whose first line names the columns {', '.join(map(repr, header))},")

    def rows(texts: Sequence[str], others: Sequence[str]) -> Iterator[Row]:
        columns = {column: header.index(column) for column in (*texts, *others)}
        numeric = texts  # those that hold numbers only, so far
        for record in records:
            place, fields, _ = record
            if len(fields) != len(header):
                raise InputFileError(
                    f"{name}, {place}: {len(fields)} fields, but the first line {'names' if has_header else 'has'} "
                    f"{len(header)} columns."
                )
            values: dict[str | None, str] = {column: fields[index] for column, index in columns.items()}
            for column in texts:
                if (
                    not values[column]
                    and empty_cells == "refuse"
                    and not _is_quoted(record, columns[column], delimiter)
                ):
                    raise InputFileError(
                        f"{name}, {place}: {column!r} is an empty cell, which does not say whether the text is "
                        'empty or missing. Write an empty text in quotation marks: "".',
                        "Or take all empty cells for empty texts: --empty-cells text.",
                    )
            numeric = [column for column in numeric if _NUMBER.fullmatch(values[column])]
            yield Row(place, values)
        if numeric:
            raise InputFileError(
                f"{name}: the column {numeric[0]!r} holds only numbers, no texts; name another column. "
                "(If these numbers are meant as texts, give them as strings in JSONL.)"
            )

    return header, header, rows


def _records(name: str, file_format: str, lines: Lines, delimiter: str) -> Iterator[_Record]:
    source: list[str] = []

    def read() -> Iterator[str]:
        for _, line in lines:
            source.append(line)
            yield f"{line}\n"

    csv.field_size_limit(1 << 30)
    reader = csv.reader(read(), delimiter=delimiter, strict=True)
    start = 1
    try:
        for fields in reader:
            yield _Record(f"line {start}", fields, "\n".join(source))
            source.clear()
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputFileError(
            f"{name}, line {start}: this is no {file_format.upper()}: {error}. Is a quote missing?"
        ) from None


def _without_blank_lines(records: Iterator[_Record], *, is_one_column: bool) -> Iterator[_Record]:
    """Drop blank lines; in a file of one column they are empty cells, except at the end."""
    blank: list[_Record] = []
    for record in records:
        if record.fields:
            yield from blank
            blank.clear()
            yield record
        elif is_one_column:
            blank.append(record._replace(fields=[""]))


def _is_quoted(record: _Record, index: int, delimiter: str) -> bool:
    """Whether a cell is in quotation marks; the record is known to be well formed."""
    cells = re.findall(f"({_QUOTED}|[^{delimiter}]*)(?:{delimiter}|$)", record.source)
    return cells[index].startswith('"')
