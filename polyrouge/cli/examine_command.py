"""The sub-command ``examine``: what systems miss and add, which outputs look wrong, and why two differ."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrouge.cli.command_options import (
    FILES,
    LOOKING,
    OUTPUT,
    Digits,
    EmptyCells,
    Encoding,
    Header,
    IdColumn,
    InputFormat,
    OutputFormat,
    PredictionColumns,
    Quiet,
    ReferenceColumns,
    ReferenceFiles,
    Save,
    SystemNames,
)
from polyrouge.cli.command_running import check_output, emit, reports_errors, warnings_heard
from polyrouge.cli.command_settings import takes_settings
from polyrouge.cli.whole_texts import read_whole
from polyrouge.files.file_rows import EMPTY_CELLS
from polyrouge.metric import Rouge
from polyrouge.outputs.examination import examine_systems
from polyrouge.tables.examinations import examination_report


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=LOOKING)(examine)


@reports_errors
@takes_settings(
    without=("use_aggregator", "output", "rouge_types", "confidence", "n_resamples", "seed", "interval", "weights")
)
def examine(
    systems: Annotated[list[str], typer.Argument(help=f"A file for each system: {FILES}. Or one, with a -p for each.")],
    *,
    rouge: Rouge,
    references: ReferenceFiles = None,
    name: SystemNames = None,
    most: Annotated[
        int, typer.Option(min=1, help="Tokens and bigrams to list on each side.", rich_help_panel=OUTPUT)
    ] = 10,
    prediction_column: PredictionColumns = None,
    reference_column: ReferenceColumns = None,
    id_column: IdColumn = None,
    input_format: InputFormat = None,
    empty_cells: EmptyCells = EMPTY_CELLS[0],
    encoding: Encoding = None,
    header: Header = True,
    output_format: OutputFormat = None,
    save: Save = None,
    digits: Digits = None,
    quiet: Quiet = False,
) -> None:
    """List what systems miss and add, the outputs that look wrong, and the hits that make two systems differ.

    Tokens and bigrams with how often they are missed or added and in which samples; recall of rare and frequent tokens;
    empty, short, long, looping, cut-off and duplicate outputs. Of more than four systems the first is taken apart from
    each of the others, and each from the next.
    """
    shape = check_output(save, output_format)
    with warnings_heard(quiet) as heard:
        texts = read_whole(
            systems,
            references or [],
            quiet=quiet,
            names=name or [],
            prediction_columns=prediction_column or [],
            reference_columns=reference_column or [],
            id_column=id_column,
            file_format=input_format,
            empty_cells=empty_cells,
            encoding=encoding,
            has_header=header,
        )
        named = dict(zip(texts.names, texts.predictions, strict=True))
        found = examine_systems(named, texts.references, rouge, most=most)
    report = examination_report(found, rouge.settings, ids=texts.ids, digits=digits, heard=heard)
    emit(report, shape, save)
