"""What every reader of files returns: rows with their place, and errors that name the file and the line; columns.

A column may be a path into a value: ``filtered_resps[0]``, ``doc.summary``.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from polyrouge.errors import Option, RefusedValue, unknown_value

Progress = Callable[[], "tuple[int, int] | None"]
ReadRows = Callable[[Sequence[str], Sequence[str]], "Iterator[Row]"]

EMPTY_CELLS = ("refuse", "text")
"""What to do with an empty cell of CSV, which may be an empty text or a missing one."""

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_PATH = re.compile(rf"[^.\[\]]+(?:{_STEP.pattern})+")
# Usual names of the columns of each role, the most likely first.
_COLUMNS = {
    "prediction": (
        "prediction", "predictions", "pred", "predict", "predicted", "hypothesis", "hyp", "generated", "filtered_resps",
        "generated_text", "generation", "completion", "candidate", "output", "response", "system", "system_output",
        "model_output", "预测", "模型输出", "生成摘要", "生成文本",
    ),
    "reference": (
        "references", "reference", "refs", "ref", "label", "labels", "target", "targets", "gold", "answers", "answer",
        "ground_truth", "gold_summary", "reference_summary",
        "summary", "highlights", "abstract", "title", "参考", "参考答案", "标准摘要", "参考摘要", "参考文本",
    ),
}  # fmt: skip
_ID_COLUMNS = ("id", "example_id", "guid", "uid", "doc_id", "编号")
NO_SLICES = "none"
"""As the name of a column: no slices."""

TOO_LONG = ...
"""Stands for a value that makes no slice."""

_MOST_VALUES = 50  # different texts in a column that is guessed
_LONGEST = 80  # characters of such a text
_MOST_COLUMNS = 12  # that are guessed
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_CODE = re.compile(r"[+-]?0\d")  # 01 is another value than 1


class InputFileError(RefusedValue):
    """A file can't be read: a message that names the file and the line, and what to do by an option, if one helps."""

    @property
    def message(self) -> str:
        """The message alone, for who has no such options."""
        return str(self.sentence[0])


class Row(NamedTuple):
    """One row of a file."""

    place: str  # "line 7" or "row 7", counted from 1
    values: dict[str, Any]  # of the selected columns, by name; a line of plain text is that of ""


class TextFile(NamedTuple):
    """An open file.

    ``rows(texts, others)`` yields the rows of these columns and can be called once: ``texts`` must hold texts,
    ``others`` may hold anything. Plain text has no columns and yields its lines.
    """

    name: str  # the path, or "standard input" for "-"
    format: str
    columns: list[str]
    text_columns: list[str]  # that can hold texts or lists of texts, as far as the beginning of the file shows
    list_columns: list[str]  # those of them that hold lists, likewise
    rows: ReadRows
    progress: Progress  # how much has been read, and of how much, in bytes or rows; None where this isn't known
    close_file: Callable[[], None]
    notes: Sequence[str] = ()  # such as another encoding; more may come while the file is read

    def close(self) -> None:  # a method, as type checkers take no field for closing()
        """Close the file; may be called more than once."""
        self.close_file()


def outer_column(column: str, columns: Collection[str]) -> str | None:
    """The column of a file that a name stands for: itself, or the one that it is a path into; None if there is none."""
    if column in columns:
        return column
    match = _PATH.fullmatch(column)
    outer = match and _STEP.match(column)
    return outer[1] if outer and outer[1] in columns else None


def value_at(values: Mapping[str, Any], column: str) -> Any:
    """The value of a column, or the one that a path such as ``doc.answers[0]`` leads to; ``KeyError`` if none does."""
    if column in values:
        return values[column]
    value: Any = values
    for match in _STEP.finditer(column):
        step: Any = match[1] if match[2] is None else int(match[2])
        if isinstance(value, str):  # whose items are characters
            raise KeyError(column)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise KeyError(column) from None
    return value


def guess_column(file: TextFile, role: str, in_use: Sequence[str]) -> str:
    """The column of a file that holds the predictions or references, by its name; other columns are ``in_use``."""
    free = [name for name in file.text_columns if name not in in_use]
    by_name = {name.lower(): name for name in reversed(free)}
    candidates = [by_name[name] for name in _COLUMNS[role] if name in by_name]
    if not candidates:  # for the message that it holds no texts
        candidates = [name for name in _COLUMNS[role] if name in file.columns and name not in file.text_columns]
    if not candidates and len(file.text_columns) == len(free) == 1:
        candidates = free
    if not candidates:
        names = ", ".join(map(repr, file.columns))
        advice: list[str | Option] = [" Say so with ", Option(f"{role}_column"), "."]
        if file.format in ("csv", "tsv") and file.columns[0] != "1":
            advice += [" If the first line is a row like the others: ", Option("header", value=False), "."]
        raise InputFileError(f"{file.name}: which column holds the {role}s? It has {names}.", *advice)
    # lm-evaluation-harness keeps what each of its filters left of an output in a list.
    is_list = candidates[0] == "filtered_resps" and candidates[0] in file.list_columns
    return f"{candidates[0]}[0]" if is_list else candidates[0]


def guess_id_column(columns: Sequence[str]) -> str | None:
    """The column of ids, by its name; None if there is none."""
    by_name = {name.lower(): name for name in columns}
    return next((by_name[name] for name in _ID_COLUMNS if name in by_name), None)


def check_text_column(file: TextFile, column: str, *, may_be_nested: bool = True) -> None:
    """Raise ``InputFileError`` if a file has no such column, or one that holds no texts; nested ones are seen later."""
    if may_be_nested and file.format not in ("csv", "tsv") and outer_column(column, file.columns) not in (None, column):
        return
    check_column(file, column)
    if column not in file.text_columns:
        texts = ", ".join(map(repr, file.text_columns)) or "none"
        raise InputFileError(f"{file.name}: the column {column!r} holds no texts; columns of texts are: {texts}.")


def check_column(file: TextFile, column: str) -> None:
    """Raise ``InputFileError`` if a file has no such column."""
    if column not in file.columns:
        raise InputFileError(f"{file.name}: {unknown_value(column, file.columns, 'column')}")


def columns_to_read(columns: Sequence[str] | None, *, guesses: bool) -> Sequence[str] | None:
    """Which columns ``open_paired_texts`` reads; None if it guesses them."""
    if not columns:
        return None if guesses else ()
    if NO_SLICES not in columns:
        return columns
    if len(columns) > 1:
        means = " means that there are no slices; leave out the other columns, or this one."
        raise RefusedValue(Option("slice_column", NO_SLICES), means)
    return ()


def short_value(value: Any) -> Any:
    """The value, or ``TOO_LONG`` for a long text, a list or an object."""
    if value is None or isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= _LONGEST):
        return value
    return TOO_LONG


def typed_cells(values: Sequence[Any]) -> list[Any]:
    """Cells of CSV; as numbers if every cell that is not empty is one, and none a code such as 01. Empty ones: None."""
    cells = [None if each == "" else each for each in values]
    if any(each is not None and (each is TOO_LONG or _NUMBER.fullmatch(each) is None) for each in cells):
        return cells
    if any(each is not None and _CODE.match(each) for each in cells):
        return cells
    numbers = [None if each is None else float(each) for each in cells]
    return [int(each) if each is not None and each.is_integer() else each for each in numbers]


def guessed_slices(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The columns that hold numbers (but not row numbers), or 2 to 50 short texts or booleans that repeat."""
    names = [name for name, values in columns.items() if TOO_LONG not in values and _makes_slices(values)]
    return {name: columns[name] for name in names[:_MOST_COLUMNS]}


def _makes_slices(values: Sequence[Any]) -> bool:
    cells = [each for each in values if each is not None and each == each]
    different = set(cells)
    if len(different) < 2:
        return False
    if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in cells):
        return any(later - earlier != 1 for earlier, later in pairwise(cells))  # else it counts the rows
    return len(different) <= min(_MOST_VALUES, len(cells) // 2)
