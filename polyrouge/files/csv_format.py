"""Read CSV and TSV, in which a text that is empty and one that is missing may look the same."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from polyrouge.files.encodings import Lines
from polyrouge.files.file_rows import InputFileError, Progress, Row, TextFile, first_of

_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*")
_QUOTED = r'"[^"]*(?:""[^"]*)*"'


class _Record(NamedTuple):
    place: str
    fields: list[str]  # none: a blank line
    written: str  # its lines as they stand in the file


def open_csv(
    name: str, file_format: str, lines: Lines, progress: Progress, empty_cells: str, *, has_header: bool = True
) -> TextFile:
    """Open CSV or TSV. A column of numbers only is refused at its end.

    The first line names the columns. Without such a line their names are "1", "2" and so on.

    An empty cell of a column of texts is an empty text if it is quoted, ``""``. If it is not, the text may be missing:
    spreadsheets, csv and pandas write both so. It is refused, or with ``empty_cells="text"`` taken for an empty text.
    In a file of one column a blank line is such a cell, except at the end of the file.
    """
    delimiter = "\t" if file_format == "tsv" else ","
    # pyarrow.csv takes texts for well formed in which a quote is missing: the rest of the file would be one cell.
    records = _records(name, file_format, lines, delimiter)
    first, _ = first_of((record for record in records if record.fields), name)
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
    _, records = first_of(records, f"{name}, whose first line names the columns {', '.join(map(repr, header))},")

    def rows(columns: Sequence[str], no_texts: Sequence[str]) -> Iterator[Row]:
        chosen = [header.index(column) for column in (*columns, *no_texts)]
        of_numbers = dict.fromkeys(chosen[: len(columns)], True)
        for record in records:
            place, fields, _ = record
            if len(fields) != len(header):
                raise InputFileError(
                    f"{name}, {place}: {len(fields)} fields, but the first line {'names' if has_header else 'has'} "
                    f"{len(header)} columns."
                )
            for index in of_numbers:
                if not fields[index] and empty_cells == "refuse" and not _is_quoted(record, index, delimiter):
                    raise InputFileError(
                        f"{name}, {place}: {header[index]!r} is an empty cell, which does not say whether the text is "
                        'empty or missing. Write an empty text in quotation marks: "".',
                        "Or take all empty cells for empty texts: --empty-cells text.",
                    )
                of_numbers[index] = of_numbers[index] and _NUMBER.fullmatch(fields[index]) is not None
            yield Row(place, tuple(fields[index] for index in chosen))
        for index, has_only_numbers in of_numbers.items():
            if has_only_numbers:
                raise InputFileError(
                    f"{name}: the column {header[index]!r} holds only numbers, no texts; name another column. "
                    "(If these numbers are meant as texts, give them as strings in JSONL.)"
                )

    return TextFile(name, file_format, header, header, rows, progress)


def _records(name: str, file_format: str, lines: Lines, delimiter: str) -> Iterator[_Record]:
    taken: list[str] = []

    def read() -> Iterator[str]:
        for _, line in lines:
            taken.append(line)
            yield f"{line}\n"

    csv.field_size_limit(1 << 30)
    reader = csv.reader(read(), delimiter=delimiter, strict=True)
    start = 1
    try:
        for fields in reader:
            yield _Record(f"line {start}", fields, "\n".join(taken))
            taken.clear()
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputFileError(
            f"{name}, line {start}: this is no {file_format.upper()}: {error}. Is a quote missing?"
        ) from None


def _without_blank_lines(records: Iterator[_Record], *, is_one_column: bool) -> Iterator[_Record]:
    """The records without blank lines; but in one column, where not at the end, these are empty cells."""
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
    field = re.compile(f"{_QUOTED}|[^{delimiter}]*")
    start = 0
    for _ in range(index):
        start = field.match(record.written, start).end() + 1  # pyright: ignore[reportOptionalMemberAccess] it may match nothing
    return record.written.startswith('"', start)
