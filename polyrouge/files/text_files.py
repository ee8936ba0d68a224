"""Open a file of texts in any format: JSONL, CSV, TSV, Parquet, Arrow, plain lines; gzip; standard input.

Values come as they are in the file, and are not converted to texts. Every error names the file and the line or row.
Only a few rows, or one Arrow record batch, are in memory at a time.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.files.arrow_formats import open_arrow, open_parquet
from polyrouge.files.csv_format import open_csv
from polyrouge.files.encodings import checked_encoding, numbered_lines
from polyrouge.files.file_rows import EMPTY_CELLS, InputFileError, Progress, TextFile, unreadable
from polyrouge.files.line_formats import open_json, open_jsonl, open_lines

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow", "text")
_ARROW_FORMATS = ("parquet", "arrow")  # read by pyarrow, which opens the file itself
_OTHER_SUFFIXES = {"ndjson": "jsonl", "feather": "arrow", "ipc": "arrow"}


def open_text_file(
    path: str,
    file_format: str | None = None,
    *,
    empty_cells: str = "refuse",
    encoding: str | None = None,
    has_header: bool = True,
    raw: Any = None,
) -> TextFile:
    """Open a file for reading its rows. It is closed by ``TextFile.close``, or here if it is refused.

    Args:
        path: the file; ``-`` is standard input. gzip is known by its first bytes, not by the name.
        file_format: one of ``FORMATS``. None guesses it by the suffix (before ``.gz``). Without a known
            suffix, as for standard input, it is JSONL if the first character is ``{``, else plain text.
        empty_cells: one of ``EMPTY_CELLS``, see ``open_csv``.
        encoding: of files of lines; None: UTF-8, or what ``numbered_lines`` finds, with a note.
        has_header: whether the first line of CSV or TSV names the columns; else they are "1", "2" ...
        raw: the file as an open binary stream, where it is not on this machine's disks; ``path`` is its name then.

    Raises:
        InputFileError: there is no such file, it can't be read, or it has no rows.
        ValueError: an unknown format or encoding, or another value of ``empty_cells``.
    """
    if empty_cells not in EMPTY_CELLS:
        raise unknown_value(empty_cells, EMPTY_CELLS, "empty_cells")
    if file_format is not None and file_format not in FORMATS:
        raise unknown_value(file_format, FORMATS, "format")
    codec = checked_encoding(encoding)
    name = "standard input" if path == "-" else path
    chosen = file_format or format_of_name(path)
    if raw is not None and chosen == "arrow":
        return open_arrow(name, raw)
    raw, progress = _open_bytes(path, name) if raw is None else (io.BufferedReader(raw), lambda: None)
    with ExitStack() as to_close:
        if path != "-":
            to_close.callback(raw.close)
        try:
            is_zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            stream: Any = io.BufferedReader(gzip.GzipFile(fileobj=raw)) if is_zipped else raw  # pyright: ignore[reportArgumentType] it reads
            if chosen in (None, "json"):
                start = stream.peek(512).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
                chosen = "jsonl" if start == b"{" else chosen or "text"
            if chosen in _ARROW_FORMATS:
                if path == "-" or is_zipped:
                    raise InputFileError(
                        f"{name}: {chosen} can't be read from standard input or gzip; give the file itself."
                    )
                return open_parquet(path) if chosen == "parquet" else open_arrow(path)
            notes: list[str] = []
            lines = numbered_lines(stream, name, codec, notes)
            if chosen in ("csv", "tsv"):
                file = open_csv(name, chosen, lines, progress, empty_cells, has_header=has_header)
            else:
                opener = {"jsonl": open_jsonl, "json": open_json, "text": open_lines}[chosen]
                file = opener(name, chosen, lines, progress)
            return file._replace(notes=notes, close_file=to_close.pop_all().close)
        except (EOFError, OSError, zlib.error) as error:
            raise unreadable(name, error) from None


def format_of_name(name: str) -> str | None:
    """The format that a name's suffix tells, before ``.gz``; None for another suffix."""
    suffixes = [suffix.lower().removeprefix(".") for suffix in Path(name).suffixes]
    suffix = next((each for each in reversed(suffixes) if each != "gz"), "")
    suffix = _OTHER_SUFFIXES.get(suffix, suffix)
    return suffix if suffix in FORMATS and suffix != "text" else None


def _open_bytes(path: str, name: str) -> tuple[Any, Progress]:
    if path == "-":
        stdin: Any = sys.stdin.buffer
        return io.BufferedReader(stdin), lambda: None
    try:
        raw = open(path, "rb")  # noqa: SIM115 closed by TextFile.close
    except FileNotFoundError:
        raise InputFileError(f"There is no file {name!r}.") from None
    except IsADirectoryError:
        raise InputFileError(f"{name!r} is a folder; give a file.") from None
    except OSError as error:
        raise InputFileError(f"{name!r} can't be opened: {error.strerror}.") from None
    size = Path(path).stat().st_size
    return raw, lambda: (min(raw.tell(), size) if not raw.closed else size, size)
