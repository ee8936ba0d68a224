"""Bring the rows of several files together: by their ids where all files have them, else by their order."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from polyrouge.errors import Note, Option, short_repr
from polyrouge.files.columns import NO_IDS
from polyrouge.files.table import InputFileError, Row

_EXAMPLES = 3  # ids in a message
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LAST_NUMBER = re.compile(r"\d{1,18}$", re.ASCII)
_FEWEST_IDS = 3
_MOST_LINES_OF_A_TEXT = 20  # on average; more hardly stand between blank lines
_LIST_OF_REFERENCES = " Several references of a text are a list in one row."
_BY_PLACE = (" Or pair the rows by their place: ", Option("id_column", NO_IDS), ".")


class BlankLines:
    """Whether blank lines part the texts of a plain text, of several lines each: no two in a row, none at the start."""

    def __init__(self) -> None:
        self._last = self._n_lines = 0  # number of the last blank line, from 1; of lines
        self._n_between = 0  # blank lines with a line behind them
        self._part = True

    def watched(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Yield the rows, which are lines."""
        for row in rows:
            self._n_between += 0 < self._last == self._n_lines
            self._n_lines += 1
            if not row.values[""].strip():
                self._part = self._part and self._last < self._n_lines - 1
                self._last = self._n_lines
            yield row

    @property
    def n_texts(self) -> int:
        """How many texts the blank lines part; 0 if they part none."""
        is_regular = self._n_lines <= _MOST_LINES_OF_A_TEXT * (self._n_between + 1)
        return self._n_between + 1 if self._n_between and self._part and is_regular else 0


def texts_between_blank_lines(files: Sequence[str], n_texts: int) -> str:
    """Return the message on files whose texts have several lines each."""
    return (
        f"Blank lines part {' and '.join(files)} into {n_texts} texts, and here each line is a text. If a text has "
        'several lines, write it as one string of JSON, in JSONL: "first line\\nsecond line"'
    )


class KeyedRows(NamedTuple):
    """The rows of one file."""

    name: str
    rows: Iterator[Row]
    id_column: str | None  # None if there are no ids
    copies: Sequence[str] = ()  # columns that may tell rows of the same id apart
    blank_lines: BlankLines | None = None  # of plain text

    def id_of(self, row: Row) -> str:
        """Return the id of a row, which must have one."""
        value = row.values[self.id_column or ""]
        if value is None or value == "" or value != value:
            raise InputFileError(
                f"{self.name}, {row.name}: {self.id_column!r} is empty; each row needs an id, as rows are joined by "
                "them.",
                *_BY_PLACE,
            )
        return str(value)

    def _choice(self, row: Row) -> tuple[str | Option, ...]:
        """Return how to read one of several rows of an id, if a column tells them apart."""
        column = next((column for column in self.copies if row.values[column] is not None), None)
        if column is None:
            return ()
        return " Read one row for each: ", Option("where", f"{column}={row.values[column]}"), "."

    def add_next(self, waiting: dict[str, Row], earlier: set[str]) -> str | None:
        """Read one row into ``waiting`` and return its id, which must be new; None at the end of the file."""
        row = next(self.rows, None)
        if row is None:
            return None
        name = self.id_of(row)
        if name in waiting or name in earlier:
            raise InputFileError(
                f"{self.name}, {row.name}: the id {name!r} (column {self.id_column!r}) is there for the second time; "
                "rows are joined by their ids, so each must have one of its own.",
                *(self._choice(row) or [_LIST_OF_REFERENCES]),
                *_BY_PLACE,
            )
        waiting[name] = row
        return name


def join_rows(files: Sequence[KeyedRows]) -> Iterator[Sequence[Row]]:
    """Yield the rows that belong together, one of each file, in the order of the first file.

    If all files have ids, rows are joined by them; a row that comes too early waits. If some files have none, row i of
    each belongs together, and the ids of the others must agree. The ids of only one file are ignored.
    """
    without_ids = [file.name for file in files if file.id_column is None]
    n_with_ids = len(files) - len(without_ids)
    if n_with_ids > 1 and not without_ids:
        yield from _by_ids(files)
        return
    for n_before, together in enumerate(zip_longest(*(file.rows for file in files))):
        if None in together:
            counts, blank, n_texts = [], [], []
            for row, file in zip(together, files, strict=True):
                rest = list(chain([] if row is None else [row], file.rows))
                counts.append(f"{file.name} has {n_before + len(rest)}")
                n_between = file.blank_lines.n_texts if file.blank_lines is not None else 0
                n_texts.append((n_between or n_before + len(rest), file.name if n_between else ""))
                if rest and not rest[-1].values.get("", "_").strip():  # of plain text
                    blank.append(f" The last line of {file.name} is blank.")
            parted = [name for _, name in n_texts if name]
            if parted and len({n for n, _ in n_texts}) == 1:
                blank = [f" {texts_between_blank_lines(parted, n_texts[0][0])}."]
            raise InputFileError(
                f"The files have unequal numbers of rows: {', '.join(counts)}. Row i of each must belong together."
                + "".join(blank)
            )
        ids = [
            (file, row, file.id_of(row))
            for file, row in zip(files, together, strict=True)
            if n_with_ids > 1 and file.id_column is not None
        ]
        for file, row, name in ids[1:]:
            first_file, first_row, first = ids[0]
            if name != first:
                raise InputFileError(
                    f"{file.name}, {row.name}: the id is {name!r}, but {first!r} in {first_file.name}, "
                    f"{first_row.name}. The rows can't be joined by ids, as {without_ids[0]} has none; bring the "
                    "files into the same order.",
                    *_BY_PLACE,
                )
        yield together


class Order:
    """Whether two columns, whose rows were paired by place, have the same values in other rows."""

    def __init__(self) -> None:
        self._apart: tuple[Counter[int], Counter[int]] = Counter(), Counter()  # hashes, of rows that differ
        self._has_text = False

    def add(self, value: object, other: object) -> None:
        """Add the values of a row."""
        first, second = hash(str(value)), hash(str(other))
        if first != second:
            self._has_text = self._has_text or isinstance(value, str)
            for values, number in zip(self._apart, (first, second), strict=True):
                values[number] += 1

    @property
    def is_other(self) -> bool:
        """Whether they have the same values, in another order."""
        return bool(self._apart[0]) and self._apart[0] == self._apart[1]

    @property
    def n_shared(self) -> int:
        """How many values stand in different rows; 0 if they are no keys: not unique, or numbers that may be equal."""
        first, second = self._apart
        n_shared = len(first.keys() & second.keys())
        is_unique = len(first) == first.total() and len(second) == second.total()
        return n_shared if is_unique and (self._has_text or 2 * n_shared >= len(first)) else 0


class NumberedIds:
    """Whether the numbers at the end of ids are a whole series in another order, as batches come back."""

    def __init__(self) -> None:
        self._beginnings: set[str] = set()
        self._numbers: list[int] = []

    def add(self, value: object) -> None:
        """Add the id of a row."""
        text = str(value)
        match = _LAST_NUMBER.search(text)
        self._beginnings.add(text[: match.start()] if match else text)
        if match and len(self._beginnings) == 1:
            self._numbers.append(int(match[0]))
        else:
            self._numbers.clear()

    @property
    def is_out_of_order(self) -> bool:
        """Whether each number of the series is there once, and they do not ascend."""
        numbers = sorted(self._numbers)
        is_series = bool(numbers) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        return is_series and len(self._beginnings) == 1 and numbers != self._numbers


class LineIds:
    """Whether the lines of two plain texts begin with ids: words with a digit, of which none comes twice."""

    def __init__(self) -> None:
        self._words: tuple[list[str], list[str]] | None = ([], [])

    def add(self, first: str, second: str) -> None:
        """Add a line of each."""
        if self._words is None:
            return
        for words, line in zip(self._words, (first, second), strict=True):
            word = line.split(maxsplit=1)[:1]
            if not word or not any(map(str.isdecimal, word[0])):
                self._words = None
                return
            words.append(word[0])

    def problem(self) -> str | None:
        """Return what is wrong: ``"order"`` or ``"scored"``, as the same ids begin both; None if they don't."""
        first, second = self._words or ([], [])
        if len(first) < _FEWEST_IDS or len({*first}) < len(first) or {*first} != {*second}:
            return None
        return "scored" if first == second else "order"


def out_of_order(file: str, column: str, others: str) -> InputFileError:
    """Return the error for rows that are in another order than their numbers, beside files without ids."""
    return InputFileError(
        f"The numbers of {file} ({column!r}) are not in order, as those of a batch that came back, and {others} has no "
        f"such column, so row i of each may not belong together. Sort {file} by {column!r}, or give both files ids.",
        *_BY_PLACE,
    )


def other_order(first: tuple[str, str], second: tuple[str, str], join_by: str) -> InputFileError:
    """Return the error for files whose rows were paired by place, though columns have the same values in both.

    ``first`` and ``second`` are the files with their columns; ``join_by`` is what ``id_column`` has to be.
    """
    return InputFileError(
        f"{_in_columns(first, second)} have the same values, in another order. Join the rows by them: ",
        Option("id_column", join_by),
        ".",
        *_BY_PLACE,
    )


def some_in_other_rows(first: tuple[str, str], second: tuple[str, str], join_by: str, n_shared: int) -> Note:
    """Return the note on such files of which some values are the same."""
    values = "1 value that stands" if n_shared == 1 else f"{n_shared} values that stand"
    return Note(
        f"{_in_columns(first, second)} share {values} in different rows, and row i of both was taken for one sample. "
        "If they are ids, bring both files to the same rows, and join them: ",
        Option("id_column", join_by),
        ". If they are not: ",
        Option("id_column", NO_IDS),
        ".",
    )


def _in_columns(first: tuple[str, str], second: tuple[str, str]) -> str:
    if first[1] == second[1]:
        return f"The columns {first[1]!r} of {first[0]} and {second[0]}"
    return f"The columns {first[1]!r} of {first[0]} and {second[1]!r} of {second[0]}"


class Copies:
    """Rows of a file whose id was there before: a document that would count more than once."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def watched(self, name: str, rows: Iterator[Row], id_column: str, columns: Sequence[str]) -> Iterator[Row]:
        """Yield the rows; note the first id that comes again, with the columns that may tell such rows apart."""
        ids: set[int] = set()
        values: dict[str, dict[str, None]] = {column: {} for column in columns}
        for row in rows:
            if not self.notes and (value := row.values[id_column]) not in (None, ""):
                for column in columns:
                    if len(values[column]) < _EXAMPLES:
                        values[column][_shown(row.values[column])] = None
                key = hash(str(value))
                if key in ids:
                    self.notes.append(_note_of_copies(f"{name}, {row.name}", id_column, value, values))
                    ids.clear()
                ids.add(key)
            yield row


def _note_of_copies(where: str, id_column: str, value: object, values: dict[str, dict[str, None]]) -> Note:
    several = [(column, list(of_column)) for column, of_column in values.items() if len(of_column) > 1]
    choice: list[str | Option] = []
    if several:
        column, of_column = several[0]
        choice = [f" {column!r} has {' and '.join(map(repr, of_column))}. Score the rows of one: "]
        choice += [Option("where", f"{column}={of_column[0]}"), "."]
    return Note(
        f"{where}: the {id_column!r} {value!r} is there for the second time, so a document counts more than once.",
        *(choice or [_LIST_OF_REFERENCES]),
    )


def chosen_rows(rows: Iterator[Row], column: str, value: str) -> Iterator[Row]:
    """Yield the rows that have a value in a column, as Python or JSON writes it; null is none."""
    return (row for row in rows if _is_value(row.values[column], value))


def _is_value(value: object, written: str) -> bool:
    if value is None or isinstance(value, bool):
        return written.lower() in ("none", "null") if value is None else written.lower() == str(value).lower()
    if isinstance(value, int | float) and _NUMBER.fullmatch(written):
        return value == float(written)
    return str(value) == written


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _by_ids(files: Sequence[KeyedRows]) -> Iterator[Sequence[Row]]:
    waiting: list[dict[str, Row]] = [{} for _ in files]  # rows of each file whose others have not come
    joined: set[str] = set()
    while (name := files[0].add_next(waiting[0], joined)) is not None:
        for further_file, rows in zip(files[1:], waiting[1:], strict=True):
            while name not in rows and further_file.add_next(rows, joined) is not None:
                pass
        if not all(name in rows for rows in waiting):
            break
        joined.add(name)
        yield [rows.pop(name) for rows in waiting]
    for file, rows in zip(files, waiting, strict=True):
        while file.add_next(rows, joined) is not None:
            pass
    for further_file, rows in zip(files[1:], waiting[1:], strict=True):
        if rows.keys() != waiting[0].keys():
            raise _unequal_ids(files[0], waiting[0], further_file, rows)


def _unequal_ids(
    first: KeyedRows, first_rows: dict[str, Row], second: KeyedRows, second_rows: dict[str, Row]
) -> InputFileError:
    """Return the error for ids that only one of two files has, by the rows that found no others."""
    first_name, second_name = (f"{file.name} (column {file.id_column!r})" for file in (first, second))
    missing_ids = []
    for holder, held_rows, lacking, other_rows in (
        (first_name, first_rows, second_name, second_rows),
        (second_name, second_rows, first_name, first_rows),
    ):
        if ids := [name for name in held_rows if name not in other_rows]:
            examples = ", ".join(map(short_repr, ids[:_EXAMPLES])) + (", ..." if len(ids) > _EXAMPLES else "")
            verb = "is" if len(ids) == 1 else "are"
            missing_ids.append(f"{len(ids)} of {holder} {verb} not in {lacking} ({examples})")
    return InputFileError(
        f"Rows are joined by their ids, and not all ids are in both files: {', and '.join(missing_ids)}.", *_BY_PLACE
    )
