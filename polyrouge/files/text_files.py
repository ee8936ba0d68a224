"""Reading texts from files, row by row: JSONL, CSV, TSV, Parquet, Arrow, plain lines; gzip; standard input.

Values come as they are in the file: nothing is made into text here. Every error names the file and
the line or row. Memory is bounded by a few rows, or by an Arrow record batch.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from pathlib import Path
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.files.arrow_formats import open_arrow, open_parquet
from polyrouge.files.file_rows import InputFileError, Progress, TextFile, unreadable
from polyrouge.files.line_formats import numbered_lines, open_csv, open_json, open_jsonl, open_lines

__all__ = ["FORMATS", "open_text_file"]

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow", "text")
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


def open_text_file(path: str, file_format: str | None = None) -> TextFile:
    """Open a file for reading its rows.

    Args:
        path: the file; ``-`` is standard input. gzip is seen by its first bytes, whatever the name.
        file_format: one of ``FORMATS``; None guesses by the suffix (``.gz`` aside), and otherwise,
            as for standard input: JSONL if the first character is ``{``, else plain text.

    Raises:
        InputFileError: there is no such file, it can't be read, or it has no rows.
        ValueError: an unknown format.
    """
    if file_format is not None and file_format not in FORMATS:
        raise unknown_value(file_format, FORMATS, "format")
    name = "standard input" if path == "-" else path
    raw, progress = _open_bytes(path, name)
    stream, zipped = _unzipped(raw)
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    suffix = next((each for each in reversed(suffixes) if each != ".gz"), "")
    chosen = file_format or _SUFFIXES.get(suffix)
    try:
        if chosen is None or chosen == "json":
            start = stream.peek(512).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
            chosen = "jsonl" if start == b"{" else chosen or "text"
        if chosen in ("parquet", "arrow"):
            if path == "-" or zipped:
                msg = f"{name}: {chosen} can't be read from standard input or gzip; give the file itself."
                raise InputFileError(msg)
            raw.close()
            return open_parquet(path) if chosen == "parquet" else open_arrow(path)
        opener = {"jsonl": open_jsonl, "json": open_json, "text": open_lines}.get(chosen, open_csv)
        return opener(name, chosen, numbered_lines(stream, name, raw.close if path != "-" else lambda: None), progress)
    except (EOFError, OSError, zlib.error) as error:
        raise unreadable(name, error) from None


def _open_bytes(path: str, name: str) -> tuple[Any, Progress]:
    if path == "-":
        stdin: Any = sys.stdin.buffer
        return io.BufferedReader(stdin), lambda: None
    try:
        raw = open(path, "rb")  # noqa: SIM115 the rows' generator reads on
    except FileNotFoundError:
        msg = f"There is no file {name!r}."
        raise InputFileError(msg) from None
    except IsADirectoryError:
        msg = f"{name!r} is a folder; give a file."
        raise InputFileError(msg) from None
    except OSError as error:
        msg = f"{name!r} can't be opened: {error.strerror}."
        raise InputFileError(msg) from None
    size = Path(path).stat().st_size
    return raw, lambda: (min(raw.tell(), size) if not raw.closed else size, size)


def _unzipped(raw: io.BufferedReader) -> tuple[Any, bool]:
    if raw.peek(2)[:2] == b"\x1f\x8b":
        return io.BufferedReader(gzip.GzipFile(fileobj=raw)), True
    return raw, False
