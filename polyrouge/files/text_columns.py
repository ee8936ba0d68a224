"""Open files of predictions and references, and find which column holds what."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import InputFileError, TextFile
from polyrouge.files.joined_rows import NO_IDS
from polyrouge.files.paired_texts import PairedTexts, TextPart
from polyrouge.files.text_files import open_text_file

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
    """The column of a file that holds the texts for a role, by its usual names; ``taken`` hold something else.

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


def open_paired_texts(
    prediction_files: Sequence[str],
    reference_files: Sequence[str | TextFile] = (),
    *,
    prediction_columns: Sequence[str] = (),
    reference_columns: Sequence[str] = (),
    id_column: str | None = None,
    document_column: str | None = None,
    kept_columns: Sequence[str] | None = (),
    file_format: str | None = None,
    empty_cells: str = "refuse",
    encoding: str | None = None,
    has_header: bool = True,
    names: Sequence[str] = (),
) -> PairedTexts:
    """Open files of predictions and references, and find their columns. What is refused is closed again.

    Args:
        prediction_files: one file for each system; or one file with a column for each.
        reference_files: one file for each reference of a row, or files that are open. Empty if the
            references are a column (of texts, or of lists of texts) of the prediction files.
        prediction_columns: of the prediction files: one for all, or one for each; guessed if empty.
        reference_columns: of the reference files: one for all, or one for each; guessed if empty. Several
            columns of one file are several references.
        id_column: guessed if None, in each file. Where all files have ids, rows with the same id belong
            together, whatever their order; else row i of each. ``NO_IDS``: always row i of each.
        document_column: source texts, of the first file that has it, those of references before those of predictions.
            Where further files of predictions have it too, it must hold the same texts.
        kept_columns: metadata to give beside the texts, each of the first file that has it. None: all columns that
            hold nothing else, of which ``slice_columns`` chooses.
        file_format: of all files; None guesses by their names.
        empty_cells: ``"refuse"`` empty cells of CSV, or take each for an empty ``"text"``.
        encoding: of all files of lines; None: found.
        has_header: whether the first line of CSV and TSV names the columns; else they are "1", "2" ...
        names: of the systems; one for each, or none.

    Raises:
        InputFileError: a file can't be read, a column isn't there or can't be guessed, or there are not as many
            names as systems.
    """
    if [*prediction_files, *reference_files].count("-") > 1:
        raise InputFileError("Standard input (-) can be read once only.")
    with ExitStack() as to_close:
        options = {"empty_cells": empty_cells, "encoding": encoding, "has_header": has_header}
        opening = _Opening({"file_format": file_format, **options}, to_close)
        systems = _find_predictions(opening, prediction_files, prediction_columns)
        _find_references(opening, len(prediction_files), reference_files, reference_columns)
        if document_column is not None:
            opening.add_documents(document_column, len(prediction_files))
        opening.add_ids(id_column)
        opening.add_kept(kept_columns, len(prediction_files))
        if len(names) not in (0, len(systems)):
            raise InputFileError(
                f"{len(names)} names for {len(systems)} systems; give one for each system, in order, or none."
            )
        systems = list(names) or systems
        if len(set(systems)) < len(systems):
            systems = [f"{name}-{number}" for number, name in enumerate(systems, start=1)]
        to_close.pop_all()
        found = (systems, opening.guesses, opening.sources, opening.parts, opening.columns)
        return PairedTexts(*found, guesses_slices=kept_columns is None)


def _find_predictions(opening: _Opening, files: Sequence[str], given: Sequence[str]) -> list[str]:
    """Open the files of predictions and find their columns; returns the systems' names."""
    several = len(files) == 1 and len(given) > 1
    systems = []
    for number, path in enumerate(files):
        source = opening.source(path)
        columns = given if several else _nth(given, number, len(files), "prediction")
        for column in columns or [None]:
            found = opening.add(source, "prediction", column, PREDICTION_COLUMNS)
            systems.append(found if several else _stem(path))
    return systems


def _find_references(
    opening: _Opening, n_prediction_files: int, files: Sequence[str | TextFile], given: Sequence[str]
) -> None:
    """Find the columns of references: in files of their own, or in those of the predictions."""
    for number, path in enumerate(files):
        source = opening.source(path)
        columns = given if len(files) == 1 else _nth(given, number, len(files), "reference")
        for column in columns or [None]:
            opening.add(source, "reference", column, REFERENCE_COLUMNS)
    if files:
        return
    found = [opening.add(0, "reference", column, REFERENCE_COLUMNS) for column in given or [None]]
    for source in range(1, n_prediction_files):
        if len(found) == 1 and found[0] in (opening.sources[source].columns or []):
            opening.add(source, "same reference", found[0], ())


class _Opening:
    """Files being opened, and the columns found in them."""

    def __init__(self, options: dict[str, Any], to_close: ExitStack) -> None:
        self._options = options
        self._to_close = to_close
        self.sources: list[TextFile] = []
        self.columns: list[tuple[list[str], list[str]]] = []
        self.parts: list[TextPart] = []
        self.guesses: list[str] = []

    def source(self, path: str | TextFile) -> int:
        opened = path if isinstance(path, TextFile) else open_text_file(path, **self._options)
        self._to_close.callback(opened.close)
        self.sources.append(opened)
        self.columns.append(([], []))
        return len(self.sources) - 1

    def add(self, source: int, role: str, column: str | None, usual: Sequence[str]) -> str:
        """Find the column for a role, by its name or by guessing; returns its name."""
        file = self.sources[source]
        if file.columns is None:
            if column is not None or any(part.source == source for part in self.parts):
                wanted = f"column {column!r}" if column is not None else f"column of {role}s"
                raise InputFileError(
                    f"{file.name} is plain text, without columns, so it has no {wanted}; give it as a file of its own."
                )
            self.parts.append(TextPart(source, 0, role, None))
            return role
        columns, _ = self.columns[source]
        found = guessed_column(file, role, columns, usual) if column is None else column
        if column is None:
            self.guesses.append(f"{file.name}: {role}s are the column {found!r}")
        check_text_column(file, found)
        columns.append(found)
        self.parts.append(TextPart(source, len(columns) - 1, role, found))
        return found

    def add_documents(self, column: str, n_prediction_files: int) -> None:
        """Find the column of source texts, and where else it stands."""
        order = [*range(n_prediction_files, len(self.sources)), *range(n_prediction_files)]
        having = [source for source in order if column in (self.sources[source].columns or [])] or order[:1]
        self.add(having[0], "document", column, ())
        for source in having[1:]:
            if source < n_prediction_files:
                self.add(source, "same document", column, ())

    def add_kept(self, columns: Sequence[str] | None, n_prediction_files: int) -> None:
        """Take columns of metadata; the last to be added, as they may hold anything."""
        known = dict.fromkeys(name for file in self.sources for name in file.columns or [])
        if columns is None:
            used = {part.column for part in self.parts}
            columns = [name for name in known if name not in used]
        for column in dict.fromkeys(columns):
            having = [source for source, file in enumerate(self.sources) if column in (file.columns or [])]
            if not having:
                if not known:
                    raise InputFileError(f"There is no column {column!r}: the files are plain text, without columns.")
                raise InputFileError(f"{self.sources[0].name}: {unknown_value(column, known, 'column')}")
            for number, source in enumerate(having):
                if number and source >= n_prediction_files:
                    continue
                texts, no_texts = self.columns[source]
                if column not in (*texts, *no_texts):
                    no_texts.append(column)
                place = [*texts, *no_texts].index(column)
                self.parts.append(TextPart(source, place, "same kept" if number else "kept", column))

    def add_ids(self, column: str | None) -> None:
        """Take the column of ids of each file that has one; it may hold anything."""
        if column == NO_IDS:
            return
        known = [name for file in self.sources for name in file.columns or []]
        if column is not None and column not in known:
            raise InputFileError(f"{self.sources[0].name}: {unknown_value(column, dict.fromkeys(known), 'column')}")
        found = {
            source: name
            for source in range(len(self.sources))
            if (name := self._id_column(source, column)) is not None and name not in self.columns[source][0]
        }
        for number, (source, name) in enumerate(found.items()):
            texts, no_texts = self.columns[source]
            no_texts.append(name)
            self.parts.append(TextPart(source, len(texts), "same id" if number else "id", name))
        if len(found) > 1:
            told = ", ".join(f"{self.sources[source].name} ({name!r})" for source, name in found.items())
            how = "joined by them" if len(found) == len(self.sources) else "paired by place, as not all files have ids"
            self.guesses.append(f"ids are in {told}; rows are {how}")

    def _id_column(self, source: int, column: str | None) -> str | None:
        names = self.sources[source].columns or []
        if column in names:
            return column
        return guessed_id_column(names)


def _nth(columns: Sequence[str], number: int, n_files: int, role: str) -> list[str]:
    """The column for the file of that number."""
    if len(columns) not in (0, 1, n_files):
        raise InputFileError(
            f"{len(columns)} {role} columns for {n_files} files; name one for all of them, or one for each."
        )
    return [columns[number if len(columns) > 1 else 0]] if columns else []


def _stem(path: str) -> str:
    return "system" if path == "-" else Path(path.removesuffix(".gz")).stem
