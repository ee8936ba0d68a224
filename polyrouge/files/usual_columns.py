"""Which column of a file holds what, by the names that are usual."""

from __future__ import annotations

from collections.abc import Sequence

from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import InputFileError, TextFile

# Usual names of columns, the most likely first.
PREDICTION_COLUMNS = (
    "prediction",
    "predictions",
    "pred",
    "predict",
    "predicted",
    "hypothesis",
    "hyp",
    "generated",
    "generated_text",
    "generation",
    "candidate",
    "output",
    "response",
    "system",
    "system_output",
    "model_output",
    "预测",
    "模型输出",
    "生成摘要",
    "生成文本",
)
REFERENCE_COLUMNS = (
    "references",
    "reference",
    "refs",
    "ref",
    "label",
    "labels",
    "target",
    "targets",
    "gold",
    "answers",
    "answer",
    "summary",
    "highlights",
    "abstract",
    "title",
    "参考",
    "参考答案",
    "标准摘要",
    "参考摘要",
    "参考文本",
)
_ID_COLUMNS = ("id", "example_id", "guid", "uid", "doc_id", "编号")


def guessed_column(file: TextFile, role: str, taken: Sequence[str], usual: Sequence[str]) -> str:
    """The column of a file that holds the texts for a role, by its name.

    Args:
        file: a file with columns.
        role: ``"prediction"`` or ``"reference"``.
        taken: columns that hold something else.
        usual: names of such columns, the most likely first.

    Raises:
        InputFileError: no column has such a name, and there are several with texts.
    """
    free = [name for name in file.text_columns if name not in taken]
    by_name = {name.lower(): name for name in reversed(free)}
    named = [by_name[name] for name in usual if name in by_name]
    if not named:  # for the message that it holds no texts
        named = [name for name in usual if name in (file.columns or []) and name not in file.text_columns]
    if not named and len(file.text_columns) == len(free) == 1:
        named = free
    if not named:
        option = "--prediction-column" if role == "prediction" else "--reference-column"
        columns = ", ".join(map(repr, file.columns or []))
        msg = f"{file.name}: which column holds the {role}s? It has {columns}."
        advice = f"Say so with {option}."
        if file.format in ("csv", "tsv") and (file.columns or [])[:1] != ["1"]:
            advice += " If the first line is a row like the others: --no-header."
        raise InputFileError(msg, advice)
    return named[0]


def guessed_id_column(columns: Sequence[str]) -> str | None:
    """The column of ids, by its name; None if there is none."""
    by_name = {name.lower(): name for name in columns}
    return next((by_name[name] for name in _ID_COLUMNS if name in by_name), None)


def check_text_column(file: TextFile, column: str) -> None:
    """Raise ``InputFileError`` if a file has no such column, or one that holds no texts."""
    check_column(file, column)
    if column not in file.text_columns:
        texts = ", ".join(map(repr, file.text_columns)) or "none"
        raise InputFileError(f"{file.name}: the column {column!r} holds no texts; columns of texts are: {texts}.")


def check_column(file: TextFile, column: str) -> None:
    """Raise ``InputFileError`` if a file has no such column."""
    if column not in (file.columns or []):
        raise InputFileError(f"{file.name}: {unknown_value(column, file.columns or [], 'column')}")
