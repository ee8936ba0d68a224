"""Open a file of texts in any format: JSONL, JSON, CSV, TSV, Parquet, Arrow, plain lines; gzip; standard input.

Values are not converted. Every error names the file and the line or row. Only a few rows are in memory at a time.
"""

import csv
import gzip
import io
import json
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from polyrouge.errors import Option, short_repr, unknown_value
from polyrouge.files.arrow_formats import open_arrow, open_parquet
from polyrouge.files.encodings import Lines, checked_encoding, numbered_lines, unreadable
from polyrouge.files.table import EMPTY_CELLS, InputFileError, Position, ReadRows, Row, Table, value_at

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow", "text")
_ARROW_FORMATS = ("parquet", "arrow")  # read by pyarrow, which opens the file itself
_OTHER_SUFFIXES = {"ndjson": "jsonl", "feather": "arrow", "ipc": "arrow"}

Content = tuple[list[str], list[str], list[str], ReadRows]
"""The columns, those that can hold texts, those that hold lists, and what yields the rows, as in ``Table``."""

_Item = TypeVar("_Item")

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*")
_QUOTED = r'"[^"]*(?:""[^"]*)*"'


def open_table(
    path: str,  # "-": standard input
    file_format: str | None = None,  # one of FORMATS; None: by the suffix, else JSONL if it begins with "{", else text
    *,
    empty_cells: str = "refuse",  # one of EMPTY_CELLS, see ``_csv_rows``
    encoding: str | None = None,  # of files of lines; None: UTF-8, or what ``_numbered_lines`` detects
    has_header: bool = True,  # whether the first line of CSV or TSV names the columns
    raw: Any = None,  # the file as an open binary stream, where it is not on this machine's disks
) -> Table:
    """Open a file for reading its rows; gzip is detected by its first bytes. An error closes the file."""
    if empty_cells not in EMPTY_CELLS:
        raise unknown_value(empty_cells, EMPTY_CELLS, Option("empty_cells"))
    if file_format is not None and file_format not in FORMATS:
        raise unknown_value(file_format, FORMATS, "format")
    codec = None if encoding is None else checked_encoding(encoding)
    name = "standard input" if path == "-" else path
    kind = file_format or format_of_name(path) or _format_before_suffix(path)
    if raw is not None and kind == "arrow":
        return open_arrow(name, raw)
    raw, position = _open_bytes(path, name) if raw is None else (io.BufferedReader(raw), lambda: None)
    with ExitStack() as to_close:
        if path != "-":
            to_close.callback(raw.close)
        try:
            if raw.peek(4)[:4] == b"PK\x03\x04" and name.endswith((".xlsx", ".xlsm", ".ods")):
                raise InputFileError(f"{name} is a spreadsheet; save the sheet as CSV (UTF-8) and give that.")
            is_zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            stream: Any = io.BufferedReader(gzip.GzipFile(fileobj=raw)) if is_zipped else raw  # pyright: ignore[reportArgumentType] it reads
            if kind in (None, "json"):
                start = stream.peek(512).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
                kind = "jsonl" if start == b"{" else kind or "text"
            if kind in _ARROW_FORMATS:
                if path == "-" or is_zipped:
                    raise InputFileError(
                        f"{name}: {kind} can't be read from standard input or gzip; give the file itself."
                    )
                return open_parquet(path) if kind == "parquet" else open_arrow(path)
            notes: list[str] = []
            lines = numbered_lines(stream, name, codec, notes)
            if kind == "jsonl" and "json" in (format_of_name(path), _format_before_suffix(path)):
                kind, lines = _json_kind(lines)
            if kind in ("csv", "tsv"):
                content = _csv_rows(name, kind, lines, empty_cells, has_header)
            else:
                content = {"jsonl": _jsonl_rows, "json": _json_rows, "text": _plain_lines}[kind](name, lines)
            return Table(name, kind, *content, position, to_close.pop_all().close, notes)
        except (EOFError, OSError, zlib.error) as error:
            raise unreadable(name, error) from None


def format_of_name(name: str) -> str | None:
    """Return the format that a name's suffix tells, before ``.gz``; None for another suffix."""
    suffixes = [suffix.lower().removeprefix(".") for suffix in Path(name).suffixes]
    suffix = next((candidate for candidate in reversed(suffixes) if candidate != "gz"), "")
    suffix = _OTHER_SUFFIXES.get(suffix, suffix)
    return suffix if suffix in FORMATS and suffix != "text" else None


def _format_before_suffix(name: str) -> str | None:
    """Return the format that a suffix before the last tells, as in ``data.csv.bak``; but ``.txt`` says plain text."""
    path = Path(name)
    return None if path.suffix.lower() in (".txt", ".text") else format_of_name(path.stem) if path.suffix else None


def _open_bytes(path: str, name: str) -> tuple[Any, Position]:
    if path == "-":
        stdin: Any = sys.stdin.buffer
        return io.BufferedReader(stdin), lambda: None
    try:
        raw = open(path, "rb")  # noqa: SIM115 closed by Table.close
    except FileNotFoundError:
        raise InputFileError(f"There is no file {name!r}.") from None
    except IsADirectoryError:
        raise InputFileError(f"{name!r} is a folder; give a file.") from None
    except OSError as error:
        raise InputFileError(f"{name!r} can't be opened: {error.strerror}.") from None
    size = Path(path).stat().st_size
    return raw, lambda: (min(raw.tell(), size) if not raw.closed else size, size)


def _first_of(rows: Iterator[_Item], name: str) -> tuple[_Item, Iterator[_Item]]:
    """Return the first row, and an iterator over all rows; raises for a file without rows."""
    for row in rows:
        return row, chain([row], rows)
    raise InputFileError(f"{name} has no rows.")


def _plain_lines(name: str, lines: Lines) -> Content:
    """Plain text: a line is a text, and an empty line an empty text."""
    first = list(islice(lines, 2))
    if len(first) == 1 and "\r" in first[0][1]:
        raise InputFileError(
            f"{name} ends its lines by carriage returns (CR) only, so it would be one text; write line feeds: "
            f"tr '\\r' '\\n' < {name} > new.txt"
        )
    _, lines = _first_of(chain(first, lines), name)
    rows = (Row(f"line {number}", {"": line}) for number, line in lines)
    return [], [], [], lambda _texts, _others: rows


def _jsonl_rows(name: str, lines: Lines) -> Content:
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


def _json_rows(name: str, lines: Lines) -> Content:
    """JSON: an array of objects, which is read as a whole."""
    rows = _parsed("\n".join(line for _, line in lines), name, is_line=False)
    if isinstance(rows, dict):
        rows = _rows_of_object(rows)
    if not isinstance(rows, list):
        raise InputFileError(
            f"{name} is {_KINDS.get(type(rows), 'a number')}; give a list of objects, or JSONL (an object a line)."
        )
    return _of_objects(name, ((f"row {number}", row) for number, row in enumerate(rows, start=1)))


def _json_kind(lines: Lines) -> tuple[str, Lines]:
    """Return whether a file is JSONL, or one object that holds the rows; and its lines, as before."""
    number, first = next(lines)
    is_whole = first.strip() == "{"
    with suppress(ValueError, RecursionError):
        value = json.loads(first)
        is_whole = is_whole or (isinstance(value, dict) and isinstance(_rows_of_object(value), list))
    return "json" if is_whole else "jsonl", chain([(number, first)], lines)


def _rows_of_object(value: dict[str, Any]) -> Any:
    """Return the rows of an object of numbered objects (OpenCompass) or with one list of objects (HELM)."""
    if value and all(key.isdecimal() and isinstance(item, dict) for key, item in value.items()):
        return [value[key] for key in sorted(value, key=int)]  # some write them sorted as texts: 0, 1, 10, 2
    lists = [item for item in value.values() if isinstance(item, list) and item and isinstance(item[0], dict)]
    has_texts = any(isinstance(item, str) for item in value.values())
    return lists[0] if len(lists) == 1 and not has_texts else value


class _RepeatedKeyError(ValueError):
    """An object has a key twice."""


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        raise _RepeatedKeyError(next(key for key, _ in pairs if key in seen or seen.add(key)))
    return result


_decode = json.JSONDecoder(object_pairs_hook=_object_of_pairs).decode


def _line_of_repeated_key(text: str) -> int:
    """Return the line on which the object begins that has a key twice."""
    library: Any = json  # whose decoder in Python has no types
    decoder, starts = library.JSONDecoder(object_pairs_hook=_object_of_pairs), []

    def parse_object(start: tuple[str, int], *options: Any) -> Any:
        starts.append(start[1])
        result = library.decoder.JSONObject(start, *options)
        starts.pop()
        return result

    decoder.parse_object = parse_object
    decoder.scan_once = library.scanner.py_make_scanner(decoder)
    with suppress(_RepeatedKeyError, RecursionError):
        decoder.decode(text)
    return text.count("\n", 0, starts[-1] if starts else 0) + 1


def _parsed(text: str, where: str, *, is_line: bool) -> Any:
    try:
        return _decode(text)
    except _RepeatedKeyError as error:
        line = "" if is_line else f", line {_line_of_repeated_key(text)}"
        raise InputFileError(
            f"{where}{line}: an object has the key {error.args[0]!r} twice, of which only one would be read; rename or "
            "remove one."
        ) from None
    except json.JSONDecodeError as error:
        if not is_line:
            raise InputFileError(f"{where}, line {error.lineno}: this is no JSON: {error.msg}.") from None
        is_cut_off = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        hint = " The line seems to be cut off." if is_cut_off else ""
        problem = f"{error.msg.removesuffix(' starting at')} at character {error.pos + 1}"
        raise InputFileError(f"{where}: this is no JSON: {problem}.{hint}") from None
    except RecursionError:
        raise InputFileError(f"{where}: this JSON is nested too deep.") from None
    except ValueError as error:  # an integer of thousands of digits
        raise InputFileError(f"{where}: this is no JSON that can be read: {error}.") from None


def _of_objects(name: str, values: Iterator[tuple[str, Any]]) -> Content:
    """Return the rows of JSON values, each of which must be an object."""

    def checked() -> Iterator[tuple[str, dict]]:
        for row_name, row in values:
            if not isinstance(row, dict):
                kind = _KINDS.get(type(row), "a number")
                raise InputFileError(
                    f'{name}, {row_name}: this is {kind}; each must be a JSON object such as {{"prediction": "..."}}.'
                )
            yield row_name, row

    (_, first), objects = _first_of(checked(), name)

    def rows(texts: Sequence[str], further: Sequence[str]) -> Iterator[Row]:
        for row_name, row in objects:
            try:
                values = {column: value_at(row, column) for column in (*texts, *further)}
            except KeyError as error:
                names = ", ".join(map(repr, row)) or "nothing"
                raise InputFileError(f"{name}, {row_name}: there is no {error.args[0]!r}; it has {names}.") from None
            yield Row(row_name, values)

    texts, lists = ([key for key, value in first.items() if isinstance(value, kind)] for kind in ((str, list), list))
    return list(first), texts, lists, rows


class _Record(NamedTuple):
    name: str  # "line 7"
    fields: list[str]
    source: str  # its lines in the file


def _csv_rows(name: str, file_format: str, lines: Lines, empty_cells: str, has_header: bool) -> Content:
    """CSV or TSV, whose columns are "1", "2" and so on without a header."""
    delimiter = "\t" if file_format == "tsv" else ","
    # pyarrow.csv takes texts for well formed in which a quote is missing: the rest of the file would be one cell.
    first, records = _first_of(_records(name, file_format, lines, delimiter), name)
    header = first.fields
    if has_header:
        if len(header) == 1:
            _refuse_other_delimiter(name, file_format, header[0], delimiter)
        next(records)
    else:
        header = [str(number) for number in range(1, len(header) + 1)]
    if len(set(header)) < len(header):
        twice = next(column for column in header if header.count(column) > 1)
        raise InputFileError(
            f"{name}, line 1: the column {twice!r} is there twice; the first line must name the columns.",
            " If it is a row like the others: ",
            Option("header", value=False),
            ".",
        )
    _, records = _first_of(records, f"{name}, whose first line names the columns {', '.join(map(repr, header))},")

    def rows(texts: Sequence[str], further: Sequence[str]) -> Iterator[Row]:
        columns = {column: header.index(column) for column in (*texts, *further)}
        numeric = texts  # those that hold numbers only, so far
        for record in records:
            row_name, fields, _ = record
            if len(fields) != len(header):
                raise InputFileError(
                    f"{name}, {row_name}: {len(fields)} fields, but the first line {'names' if has_header else 'has'} "
                    f"{len(header)} columns."
                )
            values = {column: fields[index] for column, index in columns.items()}
            # Without quotes it may be missing: spreadsheets and pandas write an empty and a missing text alike.
            for column in texts if empty_cells == "refuse" else ():
                if not values[column] and not _is_quoted(record, columns[column], delimiter):
                    raise InputFileError(
                        f"{name}, {row_name}: {column!r} is an empty cell, which does not say whether the text is "
                        'empty or missing. Write an empty text in quotation marks: "".',
                        " Or take all empty cells for empty texts: ",
                        Option("empty_cells", "text"),
                        ".",
                    )
            numeric = [column for column in numeric if _NUMBER.fullmatch(values[column])]
            yield Row(row_name, values)
        if numeric:
            raise InputFileError(
                f"{name}: the column {numeric[0]!r} holds only numbers, no texts; name another column. "
                "(If these numbers are meant as texts, give them as strings in JSONL.)"
            )

    return header, header, [], rows


def _refuse_other_delimiter(name: str, file_format: str, column: str, delimiter: str) -> None:
    """Raise ``InputFileError`` if the name of the only column looks like several."""
    for candidate, noun, remedy in (
        (";", "semicolons", (" Save it with commas.",)),
        ("\t", "tabs", (" It is TSV: ", Option("input_format", "tsv"), ".")),
        (",", "commas", (" It is CSV: ", Option("input_format", "csv"), ".")),
        ("|", "vertical bars", (" Save it with commas.",)),
    ):
        if candidate != delimiter and candidate in column:
            raise InputFileError(
                f"{name}, line 1: {short_repr(column)} is one column of {file_format.upper()}, and seems to be several "
                f"between {noun} ({candidate!r}).",
                *remedy,
            )


def _records(name: str, file_format: str, lines: Lines, delimiter: str) -> Iterator[_Record]:
    """Yield the records without blank lines; in a file of one column these are empty cells, except at the end."""
    source: list[str] = []

    def read() -> Iterator[str]:
        for _, line in lines:
            source.append(line)
            yield f"{line}\n"

    csv.field_size_limit(1 << 30)
    reader = csv.reader(read(), delimiter=delimiter, strict=True)
    blank: list[_Record] = []
    start, n_columns = 1, 0
    try:
        for fields in reader:
            record = _Record(f"line {start}", fields or [""], "\n".join(source))
            source.clear()
            start = reader.line_num + 1
            if fields:
                n_columns = n_columns or len(fields)
                yield from [*blank, record]
                blank.clear()
            elif n_columns == 1:
                blank.append(record)
    except csv.Error as error:
        raise InputFileError(
            f"{name}, line {start}: this is no {file_format.upper()}: {error}. Is a quote missing?"
        ) from None


def _is_quoted(record: _Record, index: int, delimiter: str) -> bool:
    """Return whether a cell is in quotation marks; the record is known to be well formed."""
    cells = re.findall(f"({_QUOTED}|[^{delimiter}]*)(?:{delimiter}|$)", record.source)
    return cells[index].startswith('"')
