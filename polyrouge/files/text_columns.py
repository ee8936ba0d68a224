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

# Usual names of the columns of each role, the most likely first.
_COLUMNS = {
    "prediction": (
        "prediction", "predictions", "pred", "predict", "predicted", "hypothesis", "hyp", "generated",
        "generated_text", "generation", "candidate", "output", "response", "system", "system_output", "model_output",
        "预测", "模型输出", "生成摘要", "生成文本",
    ),
    "reference": (
        "references", "reference", "refs", "ref", "label", "labels", "target", "targets", "gold", "answers", "answer",
        "summary", "highlights", "abstract", "title", "参考", "参考答案", "标准摘要", "参考摘要", "参考文本",
    ),
}  # fmt: skip
_ID_COLUMNS = ("id", "example_id", "guid", "uid", "doc_id", "编号")


def guess_column(file: TextFile, role: str, in_use: Sequence[str | None]) -> str:
    """The column of a file that holds the predictions or references, by its name; other columns are ``in_use``."""
    free = [name for name in file.text_columns if name not in in_use]
    by_name = {name.lower(): name for name in reversed(free)}
    columns = file.columns or []
    candidates = [by_name[name] for name in _COLUMNS[role] if name in by_name]
    if not candidates:  # for the message that it holds no texts
        candidates = [name for name in _COLUMNS[role] if name in columns and name not in file.text_columns]
    if not candidates and len(file.text_columns) == len(free) == 1:
        candidates = free
    if not candidates:
        advice = f"Say so with --{role}-column."
        if file.format in ("csv", "tsv") and columns[:1] != ["1"]:
            advice += " If the first line is a row like the others: --no-header."
        names = ", ".join(map(repr, columns))
        raise InputFileError(f"{file.name}: which column holds the {role}s? It has {names}.", advice)
    return candidates[0]


def guess_id_column(columns: Sequence[str]) -> str | None:
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
    prediction_files: Sequence[str],  # one for each system; or one file with a column for each
    reference_files: Sequence[str | TextFile] = (),  # one for each reference of a row; none: in the prediction files
    *,
    prediction_columns: Sequence[str] = (),  # one for all files, or one for each; guessed if empty
    reference_columns: Sequence[str] = (),  # likewise; several columns of one file are several references
    id_column: str | None = None,  # None: guessed in each file; NO_IDS: row i of each file belongs together
    document_column: str | None = None,  # source texts: of the first file of references, else of predictions
    kept_columns: Sequence[str] | None = (),  # metadata; None: all columns that hold nothing else
    names: Sequence[str] = (),  # of the systems; one for each, or none
    **reading: Any,  # options of ``open_text_file``, for all files
) -> PairedTexts:
    """Open files of predictions and references, and find their columns. If they are refused, they are closed here."""
    if [*prediction_files, *reference_files].count("-") > 1:
        raise InputFileError("Standard input (-) can be read once only.")
    with ExitStack() as to_close:
        opening = _Opening(reading, len(prediction_files), to_close)
        systems = opening.add_files(prediction_files, prediction_columns, "prediction")
        if reference_files:
            opening.add_files(reference_files, reference_columns, "reference")
        else:
            opening.add_references(reference_columns)
        if document_column is not None:
            opening.add_documents(document_column)
        opening.add_ids(id_column)
        opening.add_metadata(kept_columns)
        if len(systems) == 1 or len(prediction_files) > 1:
            systems = ["system" if path == "-" else Path(path.removesuffix(".gz")).stem for path in prediction_files]
        if len(names) not in (0, len(systems)):
            raise InputFileError(
                f"{len(names)} names for {len(systems)} systems; give one for each system, in order, or none."
            )
        systems = list(names) or systems
        if len(set(systems)) < len(systems):
            systems = [f"{name}-{number}" for number, name in enumerate(systems, start=1)]
        to_close.pop_all()
        return PairedTexts(
            systems, opening.guesses, opening.sources, opening.parts, guesses_slices=kept_columns is None
        )


class _Opening:
    """Files being opened, those of predictions first, and what their columns are for."""

    def __init__(self, reading: dict[str, Any], n_prediction_files: int, to_close: ExitStack) -> None:
        self._reading, self._n_prediction_files, self._to_close = reading, n_prediction_files, to_close
        self.sources: list[TextFile] = []
        self.parts: list[TextPart] = []
        self.guesses: list[str] = []

    def add_files(self, files: Sequence[str | TextFile], columns: Sequence[str], role: str) -> list[str]:
        """Open files and find their columns of texts: one in each, or all in one file; returns their names."""
        if len(files) > 1 and len(columns) not in (0, 1, len(files)):
            raise InputFileError(
                f"{len(columns)} {role} columns for {len(files)} files; name one for all of them, or one for each."
            )
        names = []
        for number, file in enumerate(files):
            self._open(file)
            of_file = [columns[number]] if len(files) > 1 and len(columns) > 1 else columns or [None]
            names += [self._add_texts(len(self.sources) - 1, role, column) for column in of_file]
        return names

    def add_references(self, columns: Sequence[str]) -> None:
        """Find the columns of references in the files of predictions."""
        names = [self._add_texts(0, "reference", column) for column in columns or [None]]
        for source in range(1, self._n_prediction_files):
            if len(names) == 1 and names[0] in self._names(source):
                self._add_texts(source, "same reference", names[0])

    def add_documents(self, column: str) -> None:
        """Find the column of source texts; further files of predictions that have it must hold the same texts."""
        n = self._n_prediction_files
        order = [*range(n, len(self.sources)), *range(n)]
        first, *others = [source for source in order if column in self._names(source)] or order[:1]
        self._add_texts(first, "document", column)
        for source in others:
            if source < n:
                self._add_texts(source, "same document", column)

    def add_ids(self, column: str | None) -> None:
        """Find the column of ids of each file that has one; it may hold anything."""
        if column == NO_IDS:
            return
        if column is not None:
            self._check_known(column)
        ids = {}
        for source, file in enumerate(self.sources):
            names = self._names(source)
            name = column if column in names else guess_id_column(names)
            if name is not None and name not in self._columns_in_use(source):
                self.parts.append(TextPart(source, "same id" if ids else "id", name))
                ids[source] = f"{file.name} ({name!r})"
        if len(ids) > 1:
            how = "joined by them" if len(ids) == len(self.sources) else "paired by place, as not all files have ids"
            self.guesses.append(f"ids are in {', '.join(ids.values())}; rows are {how}")

    def add_metadata(self, columns: Sequence[str] | None) -> None:
        """Find columns of metadata, each in the first file that has it; they may hold anything."""
        if columns is None:
            used = {part.column for part in self.parts}
            columns = [name for source in range(len(self.sources)) for name in self._names(source) if name not in used]
        for column in dict.fromkeys(columns):
            self._check_known(column)
            first, *others = [source for source in range(len(self.sources)) if column in self._names(source)]
            self.parts.append(TextPart(first, "kept", column))
            self.parts += [TextPart(each, "same kept", column) for each in others if each < self._n_prediction_files]

    def _open(self, path: str | TextFile) -> None:
        file = path if isinstance(path, TextFile) else open_text_file(path, **self._reading)
        self._to_close.callback(file.close)
        self.sources.append(file)

    def _names(self, source: int) -> list[str]:
        return self.sources[source].columns or []

    def _columns_in_use(self, source: int) -> list[str | None]:
        return [part.column for part in self.parts if part.source == source]

    def _check_known(self, column: str) -> None:
        known = dict.fromkeys(name for source in range(len(self.sources)) for name in self._names(source))
        if not known:
            raise InputFileError(f"There is no column {column!r}: the files are plain text, without columns.")
        if column not in known:
            raise InputFileError(f"{self.sources[0].name}: {unknown_value(column, known, 'column')}")

    def _add_texts(self, source: int, role: str, column: str | None) -> str:
        """Find the column of texts for a role, by its name or by guessing; returns its name."""
        file, in_use = self.sources[source], self._columns_in_use(source)
        if file.columns is None:
            if column is not None or in_use:
                wanted = f"column {column!r}" if column is not None else f"column of {role}s"
                raise InputFileError(
                    f"{file.name} is plain text, without columns, so it has no {wanted}; give it as a file of its own."
                )
            self.parts.append(TextPart(source, role, None))
            return role
        if column is None:
            column = guess_column(file, role, in_use)
            self.guesses.append(f"{file.name}: {role}s are the column {column!r}")
        check_text_column(file, column)
        self.parts.append(TextPart(source, role, column))
        return column
