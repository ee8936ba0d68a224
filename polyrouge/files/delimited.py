"""Rows of CSV and TSV.

CSV follows RFC 4180. In TSV, which has no such rule, a quotation mark is a character of the text unless it encloses
a whole cell.
"""

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from polyrouge.errors import Option, short_repr
from polyrouge.files.encodings import Lines
from polyrouge.files.table import Content, InputFileError, Row, first_of, looked_ahead, names_of

_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*")
_QUOTED = r'"[^"]*(?:""[^"]*)*"'
_WHOLE = re.compile(_QUOTED)
_MOST_LINES = 1_000  # of a cell of TSV in quotation marks
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_NO_QUOTES = (" If quotation marks are characters like others: ", Option("quotes", value=False), ".")


class _Record(NamedTuple):
    name: str  # "line 7"
    fields: list[str]
    cells: (
        list[str] | str
    )  # the fields as they are in the file, with their quotation marks; or all of them, as its lines


def csv_rows(
    name: str, file_format: str, lines: Lines, empty_cells: str, *, has_header: bool, quotes: bool | None
) -> Content:
    """CSV or TSV, whose columns are "1", "2" and so on without a header; ``quotes``: None as the format has them."""
    delimiter = _DELIMITERS[file_format]
    # pyarrow.csv takes texts for well formed in which a quote is missing: the rest of the file would be one cell.
    if quotes is False:
        records = _with_blank_lines(_split_records(lines, delimiter))
    elif quotes is None and file_format == "tsv":
        records = _with_blank_lines(_tsv_records(name, lines))
    else:
        records = _with_blank_lines(_records(name, file_format, lines, delimiter))
    first, records = first_of(records, name)
    if "".join(first.cells) == f"sep={delimiter}":  # as Excel writes and reads it
        next(records)
        first, records = first_of(records, name)
    header = first.fields
    if has_header:
        if len(header) == 1:
            _refuse_other_delimiter(name, file_format, header[0], delimiter)
        next(records)
    else:
        header = [str(number) for number in range(1, len(header) + 1)]
    twice = next((column for column in header if column and header.count(column) > 1), None)
    if twice is not None:
        raise InputFileError(
            f"{name}, line 1: the column {twice!r} is there twice; the first line must name the columns.",
            " If it is a row like the others: ",
            Option("header", value=False),
            ".",
        )
    _, records = first_of(records, f"{name}, whose first line names the columns {names_of(header)},")
    sample, records = looked_ahead(records)

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
            values: dict[str, Any] = {column: fields[index] for column, index in columns.items()}
            numeric = [column for column in numeric if _NUMBER.fullmatch(values[column])]
            # Without quotes it may be missing: spreadsheets and pandas write an empty and a missing text alike.
            for column in texts if empty_cells == "refuse" else ():
                if not values[column] and not _is_quoted(record, columns[column], delimiter):
                    in_quotes = "" if quotes is False else ' Write an empty text in quotation marks: "".'
                    if len(fields) > 1 and not any(fields):
                        in_quotes += " Take out rows of empty cells that a spreadsheet has written at the end."
                    values[column] = InputFileError(  # for ``checked_text`` to raise
                        f"{name}, {row_name}: {column!r} is an empty cell, which does not say whether the text is "
                        f"empty or missing.{in_quotes}",
                        " Or take all empty cells for empty texts: ",
                        Option("empty_cells", "text"),
                        ".",
                    )
            yield Row(row_name, values)
        if numeric:
            raise InputFileError(
                f"{name}: the column {numeric[0]!r} holds only numbers, no texts; name another column. "
                "(If these numbers are meant as texts, give them as strings in JSONL.)"
            )

    return Content(header, header, [], rows, lambda: [dict(zip(header, row.fields, strict=False)) for row in sample])


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


def _with_blank_lines(records: Iterator[_Record]) -> Iterator[_Record]:
    """Leave out blank lines; in a file of one column these are empty cells, except at the end."""
    blank: list[_Record] = []
    n_columns = 0
    for record in records:
        if record.fields != [""] or record.cells not in ("", [""]):
            n_columns = n_columns or len(record.fields)
            yield from [*blank, record]
            blank.clear()
        elif n_columns == 1:
            blank.append(record)


def _records(name: str, file_format: str, lines: Lines, delimiter: str) -> Iterator[_Record]:
    """Yield the records as RFC 4180 says."""
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
            yield _Record(f"line {start}", fields or [""], "\n".join(source))
            source.clear()
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputFileError(
            f"{name}, line {start}: this is no {file_format.upper()}: {error}. Is a quote missing?", *_NO_QUOTES
        ) from None


def _split_records(lines: Lines, delimiter: str) -> Iterator[_Record]:
    """Yield a record for each line; a quotation mark is a character."""
    for number, line in lines:
        cells = line.split(delimiter)
        yield _Record(f"line {number}", cells, [cell and " " for cell in cells])


def _tsv_records(name: str, lines: Lines) -> Iterator[_Record]:
    """Yield a record for each line, or for several where a cell in quotation marks holds tabs or line breaks."""
    ahead: deque[tuple[int, str]] = deque()  # lines that were looked at
    n_columns = 0
    while (numbered := ahead.popleft() if ahead else next(lines, None)) is not None:
        number, line = numbered
        cells = line.split("\t")
        record = _Record(f"line {number}", [_unquoted(cell) for cell in cells], cells)
        if any(cell.startswith('"') and not _WHOLE.fullmatch(cell) for cell in cells):
            fields, n_lines = _quoted_fields(line, lines, ahead)
            if len(fields) == (n_columns or len(fields)) and n_lines:
                is_row = len(cells) == (n_columns or len(cells))  # the line by itself
                if is_row and any("\t" in field and "\n" in field for field in fields):
                    raise InputFileError(
                        f"{name}, line {number}: a cell begins with a quotation mark and ends {n_lines - 1} lines "
                        "later, so it holds tabs and line breaks.",
                        *_NO_QUOTES,
                        " If it is one cell: ",
                        Option("quotes", value=True),
                        ".",
                    )
                text = "\n".join([line, *(ahead.popleft()[1] for _ in range(n_lines - 1))])
                record = _Record(record.name, fields, text)
        n_columns = n_columns or len(record.fields)
        yield record


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if _WHOLE.fullmatch(cell) else cell


def _quoted_fields(line: str, lines: Lines, ahead: deque[tuple[int, str]]) -> tuple[list[str], int]:
    """Return the fields that begin on a line by the rules of CSV, and on how many lines; none if they don't end."""

    def read() -> Iterator[str]:
        yield f"{line}\n"
        yield from (f"{text}\n" for _, text in list(ahead))
        for numbered in lines:
            ahead.append(numbered)
            if len(ahead) > _MOST_LINES:
                return
            yield f"{numbered[1]}\n"

    csv.field_size_limit(1 << 30)
    reader = csv.reader(read(), delimiter="\t", strict=True)
    try:
        return next(reader), reader.line_num
    except csv.Error:
        return [], 0


def _is_quoted(record: _Record, index: int, delimiter: str) -> bool:
    """Return whether a cell is in quotation marks."""
    cells = record.cells
    if isinstance(cells, str):
        cells = re.findall(f"({_QUOTED}|[^{delimiter}]*)(?:{delimiter}|$)", cells)
    return cells[index].startswith('"')
