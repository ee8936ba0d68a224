"""Read files whole, for commands that look at all samples more than once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from polyrouge.cli.command_running import announce, progressing
from polyrouge.files.slice_columns import SliceColumns
from polyrouge.files.text_columns import open_paired_texts


class WholeTexts(NamedTuple):
    """All rows of some files.

    Attributes:
        names: of the systems.
        predictions: of each system.
        references: for each row a text, or for each a list of texts.
        ids: of the rows; empty if there are none.
        documents: their source texts; empty if no column was named for them.
        metadata: the columns that samples are sliced by.
    """

    names: list[str]
    predictions: list[list[str]]
    references: list[Any]
    ids: list[str]
    documents: list[str]
    metadata: dict[str, list[Any]]


def read_whole(
    systems: Sequence[str],
    references: Sequence[str],
    *,
    quiet: bool,
    kept_columns: Sequence[str] | None = (),
    **options: Any,
) -> WholeTexts:
    """Read all rows.

    Args:
        systems: files of predictions.
        references: files of references.
        quiet: whether nothing is said of guesses and progress.
        kept_columns: of metadata; None: those that look like it.
        **options: of ``open_paired_texts``.
    """
    columns = SliceColumns(kept_columns)
    with open_paired_texts(systems, references, kept_columns=kept_columns, **options) as texts:
        found = WholeTexts(texts.systems, [[] for _ in texts.systems], [], [], [], {})
        for chunk in progressing(texts, quiet):
            for column, more in zip(found.predictions, chunk.predictions, strict=True):
                column.extend(more)
            found.references.extend(chunk.references)
            found.ids.extend(chunk.ids)
            found.documents.extend(chunk.documents)
            columns.add(chunk)
        metadata = columns.columns(texts)
    if kept_columns is None and metadata:
        announce(f"guessed: samples are sliced by the columns {', '.join(map(repr, metadata))}", quiet)
    return found._replace(metadata=metadata)
