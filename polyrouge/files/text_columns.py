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
    "prediction", "predictions", "pred", "predict", "predicted", "hypothesis", "hyp", "generated", "generated_text",
    "generation", "candidate", "output", "response", "system", "system_output", "model_output", "预测", "模型输出",
    "生成摘要", "生成文本",
)  # fmt: skip
REFERENCE_COLUMNS = (
    "references", "reference", "refs", "ref", "label", "labels", "target", "targets", "gold", "answers", "answer",
    "summary", "highlights", "abstract", "title", "参考", "参考答案", "标准摘要", "参考摘要", "参考文本",
)  # fmt: skip
_ID_COLUMNS = ("id", "example_id", "guid", "uid", "doc_id", "编号")


def guessed_column(file: TextFile, role: str, taken: Sequence[str], usual: Sequence[str]) -> str:
    """The column of a file that holds the texts for a role, by its usual names; ``taken`` hold something else."""
    free = [name for name in file.text_columns if name not in taken]
    by_name = {name.lower(): name for name in reversed(free)}
    named = [by_name[name] for name in usual if name in by_name]
    if not named:  # for the message that it holds no texts
        named = [name for name in usual if name in (file.columns or []) and name not in file.text_columns]
    if not named and len(file.text_columns) == len(free) == 1:
        named = free
    if not named:
        option = "--prediction-column" if role == "prediction" else "--reference-column"
        columns = file.columns or []
        advice = f"Say so with {option}."
        if file.format in ("csv", "tsv") and columns[:1] != ["1"]:
            advice += " If the first line is a row like the others: --no-header."
        told = ", ".join(map(repr, columns))
        raise InputFileError(f"{file.name}: which column holds the {role}s? It has {told}.", advice)
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
        reference_files: one file for each reference of a row, or files that are open. Empty if the references are a
            column (of texts, or of lists of texts) of the prediction files.
        prediction_columns: of the prediction files: one for all, or one for each; guessed if empty.
        reference_columns: of the reference files likewise; several columns of one file are several references.
        id_column: guessed if None, in each file. Where all files have ids, rows with the same id belong together,
            whatever their order; else row i of each. ``NO_IDS``: always row i of each.
        document_column: source texts, of the first file that has it, those of references before those of predictions.
            Where further files of predictions have it too, it must hold the same texts.
        kept_columns: metadata, each of the first file that has it. None: all columns that hold nothing else.
        file_format: of all files, as for ``open_text_file``.
        empty_cells: likewise.
        encoding: likewise.
        has_header: likewise.
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
        systems = opening.find_predictions(prediction_files, prediction_columns)
        opening.find_references(reference_files, reference_columns)
        if document_column is not None:
            opening.find_documents(document_column)
        opening.find_ids(id_column)
        opening.find_kept(kept_columns)
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


class _Opening:
    """Files being opened, those of predictions first, and the columns found in them."""

    def __init__(self, options: dict[str, Any], to_close: ExitStack) -> None:
        self._options = options
        self._to_close = to_close
        self._n_prediction_files = 0
        self.sources: list[TextFile] = []
        self.columns: list[tuple[list[str], list[str]]] = []
        self.parts: list[TextPart] = []
        self.guesses: list[str] = []

    def find_predictions(self, files: Sequence[str], given: Sequence[str]) -> list[str]:
        """Open the files of predictions and find their columns; returns the systems' names."""
        several = len(files) == 1 and len(given) > 1
        systems = []
        for number, path in enumerate(files):
            for column in given if several else _nth(given, number, len(files), "prediction"):
                found = self._add(self._source(path, number), "prediction", column, PREDICTION_COLUMNS)
                systems.append(found if several else "system" if path == "-" else Path(path.removesuffix(".gz")).stem)
        self._n_prediction_files = len(files)
        return systems

    def find_references(self, files: Sequence[str | TextFile], given: Sequence[str]) -> None:
        """Find the columns of references: in files of their own, or in those of the predictions."""
        for number, path in enumerate(files):
            source = self._source(path, self._n_prediction_files + number)
            for column in given if len(files) == 1 and given else _nth(given, number, len(files), "reference"):
                self._add(source, "reference", column, REFERENCE_COLUMNS)
        if files:
            return
        found = [self._add(0, "reference", column, REFERENCE_COLUMNS) for column in given or [None]]
        for source in range(1, self._n_prediction_files):
            if len(found) == 1 and found[0] in self._names(source):
                self._add(source, "same reference", found[0])

    def find_documents(self, column: str) -> None:
        """Find the column of source texts, and where else it stands."""
        n = self._n_prediction_files
        order = [*range(n, len(self.sources)), *range(n)]
        first, *others = [source for source in order if column in self._names(source)] or order[:1]
        self._add(first, "document", column)
        for source in others:
            if source < n:
                self._add(source, "same document", column)

    def find_ids(self, column: str | None) -> None:
        """Take the column of ids of each file that has one; it may hold anything."""
        if column == NO_IDS:
            return
        if column is not None:
            self._check_known(column)
        found = {}
        for source, (texts, _) in enumerate(self.columns):
            name = column if column in self._names(source) else guessed_id_column(self._names(source))
            if name is not None and name not in texts:
                self._add_beside(source, "same id" if found else "id", name)
                found[source] = name
        if len(found) > 1:
            told = ", ".join(f"{self.sources[source].name} ({name!r})" for source, name in found.items())
            how = "joined by them" if len(found) == len(self.sources) else "paired by place, as not all files have ids"
            self.guesses.append(f"ids are in {told}; rows are {how}")

    def find_kept(self, columns: Sequence[str] | None) -> None:
        """Take columns of metadata; the last to be found, as they may hold anything."""
        if columns is None:
            used = {part.column for part in self.parts}
            columns = [name for source in range(len(self.sources)) for name in self._names(source) if name not in used]
        for column in dict.fromkeys(columns):
            self._check_known(column)
            first, *others = [source for source in range(len(self.sources)) if column in self._names(source)]
            self._add_beside(first, "kept", column)
            for source in others:
                if source < self._n_prediction_files:
                    self._add_beside(source, "same kept", column)

    def _source(self, path: str | TextFile, number: int) -> int:
        """Open the file of that number, if it is not open yet; returns the number."""
        if number == len(self.sources):
            opened = path if isinstance(path, TextFile) else open_text_file(path, **self._options)
            self._to_close.callback(opened.close)
            self.sources.append(opened)
            self.columns.append(([], []))
        return number

    def _names(self, source: int) -> list[str]:
        return self.sources[source].columns or []

    def _check_known(self, column: str) -> None:
        known = dict.fromkeys(name for source in range(len(self.sources)) for name in self._names(source))
        if not known:
            raise InputFileError(f"There is no column {column!r}: the files are plain text, without columns.")
        if column not in known:
            raise InputFileError(f"{self.sources[0].name}: {unknown_value(column, known, 'column')}")

    def _add(self, source: int, role: str, column: str | None, usual: Sequence[str] = ()) -> str:
        """Find the column of texts for a role, by its name or by guessing; returns its name."""
        file, (columns, _) = self.sources[source], self.columns[source]
        if file.columns is None:
            if column is not None or any(part.source == source for part in self.parts):
                wanted = f"column {column!r}" if column is not None else f"column of {role}s"
                raise InputFileError(
                    f"{file.name} is plain text, without columns, so it has no {wanted}; give it as a file of its own."
                )
            self.parts.append(TextPart(source, 0, role, None))
            return role
        if column is None:
            column = guessed_column(file, role, columns, usual)
            self.guesses.append(f"{file.name}: {role}s are the column {column!r}")
        check_text_column(file, column)
        columns.append(column)
        self.parts.append(TextPart(source, len(columns) - 1, role, column))
        return column

    def _add_beside(self, source: int, role: str, column: str) -> None:
        """Take a column that may hold anything; it may be that of a text too."""
        texts, no_texts = self.columns[source]
        if column not in (*texts, *no_texts):
            no_texts.append(column)
        self.parts.append(TextPart(source, [*texts, *no_texts].index(column), role, column))


def _nth(columns: Sequence[str], number: int, n_files: int, role: str) -> list[str] | list[None]:
    """The column for the file of that number; None stands for one that is to be guessed."""
    if len(columns) not in (0, 1, n_files):
        raise InputFileError(
            f"{len(columns)} {role} columns for {n_files} files; name one for all of them, or one for each."
        )
    return [columns[number if len(columns) > 1 else 0]] if columns else [None]
