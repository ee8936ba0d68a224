"""Bring the rows of several files together: by their ids where all files have them, else by their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import NamedTuple

from polyrouge.files.file_rows import InputFileError, Row

NO_IDS = "none"
"""In place of the column of ids: rows belong together by their place."""

_SHOWN = 3  # ids in a message
_BY_PLACE = f"Or pair the rows by their place: --id-column {NO_IDS}."


class FileRows(NamedTuple):
    """The rows of one file.

    Attributes:
        name: of the file.
        rows: all of them, in order.
        id_place: which of a row's values is its id; None if there are no ids.
        id_column: name of that column.
    """

    name: str
    rows: Iterator[Row]
    id_place: int | None
    id_column: str | None


def rows_together(files: Sequence[FileRows]) -> Iterator[Sequence[Row]]:
    """Yield the rows that belong together, one of each file, in the order of the first file.

    Where all files have ids, rows with the same id belong together; those that another file has earlier than the
    first are kept until then. Where some have none, rows belong together by their place, and the ids that there are
    must agree. The ids of one file alone are not looked at.

    Raises:
        InputFileError: files of unequal length; or, where ids are looked at, one that is missing, stands
            twice or is in one file only.
    """
    with_ids = [file for file in files if file.id_place is not None]
    if len(with_ids) > 1 and len(with_ids) == len(files):
        return _by_ids([_FileWithIds(file) for file in files])
    return _by_place(files, with_ids if len(with_ids) > 1 else [])


def _by_place(files: Sequence[FileRows], with_ids: Sequence[FileRows]) -> Iterator[Sequence[Row]]:
    checked = [(number, file) for number, file in enumerate(files) if file in with_ids]
    for done, together in enumerate(zip_longest(*(file.rows for file in files))):
        if None in together:
            _refuse_unequal(files, together, done)
        for number, file in checked[1:]:
            first, other = checked[0], (number, file)
            ids = [_id_of(each, together[place]) for place, each in (first, other)]
            if ids[0] != ids[1]:
                without = next(each.name for each in files if each.id_place is None)
                raise InputFileError(
                    f"{file.name}, {together[number].place}: the id is {ids[1]!r}, but {ids[0]!r} in {first[1].name}, "
                    f"{together[first[0]].place}. The rows can't be joined by ids, as {without} has none; bring the "
                    "files into the same order.",
                    _BY_PLACE,
                )
        yield together


def _refuse_unequal(files: Sequence[FileRows], together: Sequence[Row | None], done: int) -> None:
    counts = [
        done + (0 if row is None else 1 + sum(1 for _ in file.rows)) for row, file in zip(together, files, strict=True)
    ]
    told = ", ".join(f"{file.name} has {count}" for file, count in zip(files, counts, strict=True))
    raise InputFileError(f"The files have unequal numbers of rows: {told}. Row i of each must belong together.")


def _by_ids(files: list[_FileWithIds]) -> Iterator[Sequence[Row]]:
    first, *others = files
    for name, row in first:
        if name in first.seen:
            raise first.twice(name, row)
        first.seen.add(name)
        together = [row]
        for other in others:
            found = other.row_of(name, first.seen)
            if found is None:
                raise _unequal_ids(first, name, other)
            together.append(found)
        yield together
    for other in others:
        for name, row in other:
            other.keep(name, row, first.seen)
        if other.waiting:
            raise _unequal_ids(first, None, other)


@dataclass
class _FileWithIds:
    """A file that is read by its ids.

    Attributes:
        file: what is read.
        seen: the ids that were read; those of the first file only.
        waiting: rows that were read before the first file had their id.
    """

    file: FileRows
    seen: set[str] = field(default_factory=set)
    waiting: dict[str, Row] = field(default_factory=dict)

    def __iter__(self) -> Iterator[tuple[str, Row]]:
        """The rest of the rows, with their ids."""
        for row in self.file.rows:
            yield _id_of(self.file, row), row

    def row_of(self, wanted: str, done: set[str]) -> Row | None:
        """The row with an id, read until it is found; None if there is none.

        Args:
            wanted: the id.
            done: ids whose rows were given, and this one.
        """
        found = self.waiting.pop(wanted, None)
        if found is not None:
            return found
        for name, row in self:
            if name == wanted:
                return row
            self.keep(name, row, done)
        return None

    def keep(self, name: str, row: Row, done: set[str]) -> None:
        """Keep a row for later."""
        if name in self.waiting or name in done:
            raise self.twice(name, row)
        self.waiting[name] = row

    def twice(self, name: str, row: Row) -> InputFileError:
        msg = (
            f"{self.file.name}, {row.place}: the id {name!r} (column {self.file.id_column!r}) is there for the second "
            "time; rows are joined by their ids, so each must have one of its own."
        )
        return InputFileError(msg, _BY_PLACE)


def _unequal_ids(first: _FileWithIds, name: str | None, other: _FileWithIds) -> InputFileError:
    """The error for ids that are in one of two files only.

    Args:
        first: the first file, read up to the id that the other one has not, or to its end.
        name: that id.
        other: the other file, read to its end.
    """
    only_first = [] if name is None else [name]
    for later, row in first if name is not None else ():
        if later in first.seen:
            return first.twice(later, row)
        first.seen.add(later)
        if other.waiting.pop(later, None) is None:
            only_first.append(later)
    one, two = (f"{each.file.name} (column {each.file.id_column!r})" for each in (first, other))
    told = [
        f"{len(ids)} of {here} {'is' if len(ids) == 1 else 'are'} not in {there} ({_shown(ids)})"
        for ids, here, there in ((only_first, one, two), (list(other.waiting), two, one))
        if ids
    ]
    msg = f"Rows are joined by their ids, and not all ids are in both files: {', and '.join(told)}."
    return InputFileError(msg, _BY_PLACE)


def _shown(ids: Sequence[str]) -> str:
    return ", ".join(map(repr, islice(ids, _SHOWN))) + (", ..." if len(ids) > _SHOWN else "")


def _id_of(file: FileRows, row: Row) -> str:
    value = row.values[file.id_place or 0]
    if value is None or value == "" or value != value:
        raise InputFileError(
            f"{file.name}, {row.place}: {file.id_column!r} is empty; each row needs an id, as rows are joined by them.",
            _BY_PLACE,
        )
    return str(value)
