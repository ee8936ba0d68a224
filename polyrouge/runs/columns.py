"""Which columns of the files hold what: named by the user or guessed from the first file, and the same in all files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from polyrouge.files.file_rows import InputFileError, TextFile
from polyrouge.files.joined_rows import NO_IDS
from polyrouge.files.text_columns import (
    PREDICTION_COLUMNS,
    REFERENCE_COLUMNS,
    check_column,
    check_text_column,
    guessed_column,
    guessed_id_column,
)


class Columns(NamedTuple):
    """The columns.

    Attributes:
        prediction: of texts.
        references: of texts or lists of texts; several are several references of a row.
        id: names each row; None: there is none.
        keep: others that stand beside the scores.
        as_texts: the id and the others are written as texts, because the files do not agree about their types.
        empty_cells: ``"refuse"`` empty cells of CSV, or take each for an empty ``"text"``.
    """

    prediction: str
    references: tuple[str, ...]
    id: str | None
    keep: tuple[str, ...]
    as_texts: bool = False
    empty_cells: str = "refuse"

    @property
    def texts(self) -> list[str]:
        """The columns that are read as texts."""
        return [self.prediction, *self.references]

    @property
    def beside(self) -> list[str]:
        """The columns that stand beside the scores: the id first."""
        return list(dict.fromkeys([*([] if self.id is None else [self.id]), *self.keep]))


def chosen_columns(
    file: TextFile,
    prediction: str | None,
    references: Sequence[str],
    id_column: str | None,
    keep: Sequence[str],
    empty_cells: str,
) -> tuple[Columns, list[str]]:
    """The columns, as the first file has them; and which were guessed, in sentences.

    Args:
        file: the first file.
        prediction: None guesses it.
        references: guessed if empty.
        id_column: None guesses it, ``NO_IDS`` stands for none.
        keep: beside the scores.
        empty_cells: see ``Columns``.

    Raises:
        InputFileError: a column isn't there or can't be guessed.
    """
    guesses = []
    if prediction is None:
        prediction = guessed_column(file, "prediction", (), PREDICTION_COLUMNS)
        guesses.append(f"predictions are the column {prediction!r}")
    if not references:
        references = [guessed_column(file, "reference", [prediction], REFERENCE_COLUMNS)]
        guesses.append(f"references are the column {references[0]!r}")
    if id_column is None:
        found = guessed_id_column(file.columns or [])
        id_column = None if found in (prediction, *references) else found
    elif id_column == NO_IDS:
        id_column = None
    if len(set(references)) < len(references) or prediction in references:
        raise InputFileError(
            f"The columns {', '.join([prediction, *references])} name one column twice; name each once."
        )
    columns = Columns(prediction, tuple(references), id_column, tuple(dict.fromkeys(keep)), empty_cells=empty_cells)
    return columns, guesses


def check_columns(file: TextFile, columns: Columns) -> None:
    """Raise ``InputFileError`` if a file has not these columns, as far as its beginning tells."""
    for name in columns.texts:
        check_text_column(file, name)
    for name in columns.beside:
        check_column(file, name)
