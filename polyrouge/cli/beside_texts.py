"""What stands beside the texts in files: the columns that samples are sliced by, and source texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyrouge.comparing.sample_slices import reference_columns
from polyrouge.files.paired_texts import Chunk, PairedTexts
from polyrouge.files.slice_columns import NO_SLICES, SliceColumns
from polyrouge.inputs import check_inputs
from polyrouge.settings.rouge_settings import RougeSettings


def kept_columns(asked: Sequence[str] | None, *, guesses: bool) -> Sequence[str] | None:
    """Which columns ``open_paired_texts`` is to keep, of those that were asked for.

    Args:
        asked: the values of ``--slice-column``.
        guesses: whether columns are chosen by themselves where none is named.
    """
    if not asked:
        return None if guesses else ()
    if NO_SLICES not in asked:
        return asked
    if len(asked) > 1:
        raise ValueError(
            f"--slice-column {NO_SLICES} means that there are no slices; leave out the other columns, or this one."
        )
    return ()


class ReadSlices:
    """The columns of slices, chunk by chunk: those of the files, and two of the references.

    Args:
        asked: what ``kept_columns`` gave.
        settings: which say what a token is.
    """

    def __init__(self, asked: Sequence[str] | None, settings: RougeSettings) -> None:
        self._of_files = SliceColumns(asked)
        self._settings = settings
        self._of_references: dict[str, list[int]] = {}

    def add(self, chunk: Chunk) -> None:
        """Take some more rows."""
        self._of_files.add(chunk)
        found = reference_columns(check_inputs(chunk.predictions[0], chunk.references), self._settings)
        for name, values in found.items():
            self._of_references.setdefault(name, []).extend(values)

    def columns(self, texts: PairedTexts) -> dict[str, list[Any]]:
        """All columns; those of the files first, which count where two have one name."""
        of_files = self._of_files.columns(texts)
        return of_files | {name: each for name, each in self._of_references.items() if name not in of_files}
