"""The sub-commands that draw: ``report`` (one HTML file) and ``plot``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from polyrouge.cli.beside_texts import kept_columns
from polyrouge.cli.command_options import (
    FILES,
    LOOKING,
    EmptyCells,
    Encoding,
    Header,
    IdColumn,
    InputFormat,
    PredictionColumns,
    Quiet,
    ReferenceColumns,
    ReferenceFiles,
    SliceColumn,
    SourceColumn,
    SystemNames,
)
from polyrouge.cli.command_running import announce, report_progress, reports_errors, warnings_heard
from polyrouge.cli.command_settings import takes_settings
from polyrouge.cli.whole_texts import read_whole
from polyrouge.errors import unknown_value
from polyrouge.files.checkpoint_steps import checkpoint_files
from polyrouge.files.file_rows import EMPTY_CELLS
from polyrouge.metric import Rouge
from polyrouge.tables.whole_files import whole_file

_PLOT_SUFFIXES = (".svg", ".png", ".pdf")
_KINDS = ("distribution", "length", "difference")
_SYSTEMS = f"A file for each system: {FILES}. Or one file, with a -p for each."
_WITHOUT = ("use_aggregator", "output")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(rich_help_panel=LOOKING)(report)
    app.command(rich_help_panel=LOOKING)(plot)


@reports_errors
@takes_settings(without=_WITHOUT)
def report(
    systems: Annotated[list[str], typer.Argument(help=_SYSTEMS)],
    *,
    rouge: Rouge,
    save: Annotated[str, typer.Option("--save", "-o", help="The HTML file to write.")] = "report.html",
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
    references: ReferenceFiles = None,
    name: SystemNames = None,
    prediction_column: PredictionColumns = None,
    reference_column: ReferenceColumns = None,
    id_column: IdColumn = None,
    slice_column: SliceColumn = None,
    source_column: SourceColumn = None,
    input_format: InputFormat = None,
    empty_cells: EmptyCells = EMPTY_CELLS[0],
    encoding: Encoding = None,
    header: Header = True,
    quiet: Quiet = False,
) -> None:
    """Write one HTML file to look at: scores, plots, slices, and every sample, with the shared words in colour.

    Without --slice-column the samples are sliced by the columns of the files that look like it; by none with
    --slice-column none. Files of checkpoints (a column 'step', or folders such as checkpoint-500) are shown by step.
    """
    drawing = _report_module()
    kept = kept_columns(slice_column, guesses=True)
    reading = {"empty_cells": empty_cells, "encoding": encoding, "has_header": header, "file_format": input_format}
    # Names and columns that are given file by file say which is which: then the files stay as they are.
    is_plain = not name and len(prediction_column or ()) < 2
    checkpoints = checkpoint_files(systems, **reading) if is_plain else []
    if checkpoints:
        systems, name = [each.path for each in checkpoints], [each.name for each in checkpoints]
        steps = ", ".join(str(each.step) for each in checkpoints)
        announce(f"{len(checkpoints)} checkpoints, by step: {steps}", quiet)
    texts = read_whole(
        systems,
        references or [],
        quiet=quiet,
        names=name or [],
        prediction_columns=prediction_column or [],
        reference_columns=reference_column or [],
        id_column=id_column,
        document_column=source_column,
        kept_columns=kept,
        **reading,
    )
    with warnings_heard(quiet), whole_file(save) as temporary, report_progress(quiet) as progress:
        drawing.write_report(
            temporary,
            texts.predictions[0],
            texts.references,
            rouge=rouge,
            name=texts.names[0],
            others=dict(zip(texts.names[1:], texts.predictions[1:], strict=True)),
            ids=texts.ids or None,
            metadata=texts.metadata,
            sources=texts.documents if source_column else None,
            slices=not slice_column or bool(kept),
            title=title,
            steps=[each.step for each in checkpoints] or None,
            progress=progress,
        )
    announce(f"the report is {Path(save).absolute().as_uri()}", quiet)


@reports_errors
@takes_settings(without=_WITHOUT)
def plot(
    kind: Annotated[str, typer.Argument(help=f"What to draw: {', '.join(_KINDS)} (of two systems).")],
    systems: Annotated[list[str], typer.Argument(help=_SYSTEMS)],
    *,
    rouge: Rouge,
    save: Annotated[str, typer.Option("--save", "-o", help="The .svg, .png or .pdf to write.")],
    title: Annotated[str | None, typer.Option(help="Title above the plot.")] = None,
    references: ReferenceFiles = None,
    name: SystemNames = None,
    prediction_column: PredictionColumns = None,
    reference_column: ReferenceColumns = None,
    id_column: IdColumn = None,
    input_format: InputFormat = None,
    empty_cells: EmptyCells = EMPTY_CELLS[0],
    encoding: Encoding = None,
    header: Header = True,
    quiet: Quiet = False,
) -> None:
    """Draw a plot for a paper: how scores are spread, score against length, or the difference of two systems."""
    if kind not in _KINDS:
        raise unknown_value(kind, _KINDS, "plot")
    if Path(save).suffix.lower() not in _PLOT_SUFFIXES:
        raise ValueError(f"--save is {save!r}; it must end in one of {', '.join(_PLOT_SUFFIXES)}.")
    drawing = _report_module()
    reading = {"empty_cells": empty_cells, "encoding": encoding, "has_header": header, "file_format": input_format}
    names, predictions, texts, *_ = read_whole(
        systems,
        references or [],
        quiet=quiet,
        names=name or [],
        prediction_columns=prediction_column or [],
        reference_columns=reference_column or [],
        id_column=id_column,
        **reading,
    )
    if len(names) != (2 if kind == "difference" else 1):
        raise ValueError(
            f"plot {kind} takes {'two systems' if kind == 'difference' else 'one system'}; given {len(names)}."
        )
    with warnings_heard(quiet), whole_file(save) as temporary:
        columns = [rouge.score(column, texts) for column in predictions]
        if kind == "difference":
            drawing.plot_difference(columns[0], columns[1], temporary, names=(names[0], names[1]), title=title)
        elif kind == "length":
            counted = rouge.count(predictions[0], texts, rouge_types=["rouge1"])
            lengths = counted.counts[counted.offsets[:-1], 0, 2]  # of each sample's first reference
            drawing.plot_length(columns[0], lengths, temporary, title=title)
        else:
            drawing.plot_distribution(columns[0], temporary, title=title)
    announce(f"the plot is {save}", quiet)


def _report_module() -> Any:
    from polyrouge import report

    return report
