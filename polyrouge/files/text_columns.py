"""Which columns hold predictions, references, ids and slices: named by the user, or guessed."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import InputFileError, TextFile, outer_column

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
        advice = f"Say so with --{role}-column."
        if file.format in ("csv", "tsv") and file.columns[0] != "1":
            advice += " If the first line is a row like the others: --no-header."
        names = ", ".join(map(repr, file.columns))
        raise InputFileError(f"{file.name}: which column holds the {role}s? It has {names}.", advice)
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
        raise ValueError(
            f"--slice-column {NO_SLICES} means that there are no slices; leave out the other columns, or this one."
        )
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
