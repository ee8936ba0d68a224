"""Open a file of texts in any format: JSONL, JSON, CSV, TSV, Parquet, Arrow, plain lines; gzip; standard input.

Values are not converted. Every error names the file and the line or row. Only a few rows are in memory at a time.
"""

import codecs
import gzip
import io
import sys
import zlib
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Any

from polyrouge.errors import Option, unknown_value
from polyrouge.files.arrow_formats import open_arrow, open_parquet
from polyrouge.files.binary_files import POINTER, refuse_binary
from polyrouge.files.delimited import csv_rows
from polyrouge.files.encodings import Lines, checked_encoding, numbered_lines, unreadable
from polyrouge.files.folders import story
from polyrouge.files.generated_lines import generated_rows, is_generated
from polyrouge.files.json_rows import is_document, json_rows, jsonl_rows
from polyrouge.files.table import EMPTY_CELLS, SAMPLE_ROWS, Content, InputFileError, Position, Row, Table, first_of

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow", "text")
_ARROW_FORMATS = ("parquet", "arrow")  # read by pyarrow, which opens the file itself
_OTHER_SUFFIXES = {"ndjson": "jsonl", "feather": "arrow", "ipc": "arrow"}


def open_table(
    path: str,  # "-": standard input
    file_format: str | None = None,  # one of FORMATS; None: by the suffix, else JSONL if it begins with "{", else text
    *,
    empty_cells: str = "refuse",  # one of EMPTY_CELLS, see ``csv_rows``
    encoding: str | None = None,  # of files of lines; None: UTF-8, or what ``numbered_lines`` detects
    has_header: bool = True,  # whether the first line of CSV or TSV names the columns
    quotes: bool | None = None,  # whether quotation marks enclose cells; None: as CSV and TSV have them
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
            is_zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            stream: Any = io.BufferedReader(gzip.GzipFile(fileobj=raw)) if is_zipped else raw  # pyright: ignore[reportArgumentType] it reads
            if (kind not in _ARROW_FORMATS and file_format != "text") or stream.peek(20).startswith(POINTER):
                refuse_binary(name, stream.peek(20))
            if kind is None:
                start = b"".join(stream.peek(512)[:512].removeprefix(codecs.BOM_UTF8).split())
                kind = "json" if start.startswith((b"{", b"[{")) else "text"
            if kind in _ARROW_FORMATS:
                if path == "-" or is_zipped:
                    raise InputFileError(
                        f"{name}: {kind} can't be read from standard input or gzip; give the file itself."
                    )
                return open_parquet(path) if kind == "parquet" else open_arrow(path)
            notes: list[str] = []
            lines = numbered_lines(stream, name, codec, notes)
            if kind in ("json", "jsonl") and file_format != "jsonl":
                is_one, lines = is_document(lines, is_jsonl=kind == "jsonl")
                kind = "json" if is_one else "jsonl"
            is_story = file_format is None and name.lower().endswith((".story", ".story.gz"))
            is_log, lines = is_generated(lines) if kind == "text" and file_format is None else (False, lines)
            if is_log:
                content = generated_rows(name, lines, notes)
            elif is_story:
                content = _of_story(name, lines)
            elif kind in ("csv", "tsv"):
                content = csv_rows(name, kind, lines, empty_cells, has_header=has_header, quotes=quotes)
            else:
                if kind == "text" and file_format is None:
                    lines = _without_columns(name, lines)
                content = {"jsonl": jsonl_rows, "json": json_rows, "text": _plain_lines}[kind](name, lines)
            is_plain = kind == "text" and not content.columns
            kind = ("lines" if kind == "text" else kind) if content.columns else "text"  # a list of texts is one too
            return Table(name, kind, *content, position, to_close.pop_all().close, notes, is_plain)
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


def _of_story(name: str, lines: Lines) -> Content:
    """A story of CNN or the Daily Mail, which is one row."""
    record = story("\n".join(line for _, line in lines))
    rows = [Row(name, record)]
    return Content(list(record), list(record), [], lambda _texts, _others: iter(rows), lambda: [record])


def _without_columns(name: str, lines: Lines) -> Lines:
    """Return the lines; raises ``InputFileError`` if the first ones have equal numbers of tabs, as a table has."""
    first = list(islice(lines, SAMPLE_ROWS))
    n_tabs = {line.count("\t") for _, line in first}
    if len(first) > 1 and len(n_tabs) == 1 and 0 not in n_tabs:
        n_columns = n_tabs.pop() + 1
        raise InputFileError(
            f"{name} is plain text by its name, and each line has {n_columns} parts between tabs, as a table has. "
            "Name it .tsv, or say that it has columns: ",
            Option("input_format", "tsv"),
            "; if the tabs are part of the texts: ",
            Option("input_format", "text"),
            ".",
        )
    return chain(first, lines)


def _plain_lines(name: str, lines: Lines) -> Content:
    """Plain text: a line is a text, and an empty line an empty text."""
    first = list(islice(lines, 2))
    if len(first) == 1 and "\r" in first[0][1]:
        raise InputFileError(
            f"{name} ends its lines by carriage returns (CR) only, so it would be one text; write line feeds: "
            f"tr '\\r' '\\n' < {name} > new.txt"
        )
    _, lines = first_of(chain(first, lines), name)
    rows = (Row(f"line {number}", {"": line}) for number, line in lines)
    return Content([], [], [], lambda _texts, _others: rows)
