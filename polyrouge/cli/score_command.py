"""``polyrouge score``: one system, from files, or from a folder of them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from polyrouge.cli.beside_texts import ReadSlices, kept_columns
from polyrouge.cli.command_options import (
    FILES,
    OUTPUT,
    SCORING,
    Digits,
    DryRun,
    EmptyCells,
    Encoding,
    Header,
    Hits,
    IdColumn,
    InputFormat,
    Keep,
    OutputFormat,
    PartitionSize,
    PredictionColumns,
    Quiet,
    ReferenceColumns,
    RunOn,
    Save,
    SliceColumn,
    SourceColumn,
    Workers,
)
from polyrouge.cli.command_running import check_output, emit, progressing, reports_errors, warnings_heard
from polyrouge.cli.command_settings import takes_settings
from polyrouge.cli.sample_writer import sample_writer
from polyrouge.comparing.sample_slices import slices_of
from polyrouge.comparing.slices import sliced_columns
from polyrouge.files.file_rows import EMPTY_CELLS
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.metric import Rouge
from polyrouge.scoring.streamed import StreamedScores
from polyrouge.sources.streamed import StreamedSources, coverage_columns
from polyrouge.tables.comparisons import with_slice_means
from polyrouge.tables.scores import digits_for, numbers_alone, score_report


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(rich_help_panel=SCORING)(score)


@reports_errors
@takes_settings(without=("use_aggregator",))
def score(
    predictions: Annotated[str, typer.Argument(help=f"File of predictions: {FILES}.")],
    references: Annotated[
        list[str] | None,
        typer.Argument(help="One file for each reference of a row; none if they are in the same file."),
    ] = None,
    *,
    rouge: Rouge,
    per_sample: Annotated[
        str | None,
        typer.Option(help="Also write each sample's scores to this .csv or .jsonl.", rich_help_panel=OUTPUT),
    ] = None,
    prediction_column: PredictionColumns = None,
    reference_column: ReferenceColumns = None,
    slice_column: SliceColumn = None,
    source_column: SourceColumn = None,
    id_column: IdColumn = None,
    input_format: InputFormat = None,
    empty_cells: EmptyCells = EMPTY_CELLS[0],
    encoding: Encoding = None,
    header: Header = True,
    output_format: OutputFormat = None,
    save: Save = None,
    digits: Digits = None,
    score_only: Annotated[
        bool,
        typer.Option(
            "--score-only",
            help="Print the numbers alone, in one line, in the order of the table.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    quiet: Quiet = False,
    run_on: RunOn = None,
    workers: Workers = None,
    partition_size: PartitionSize = None,
    keep: Keep = None,
    hits: Hits = False,
    dry_run: DryRun = False,
) -> None:
    """Score one system.

    Means over all samples, with the signature that says how they were made; with --slice-column over each slice of
    them too, the weakest first. Files are read in chunks, so they may be larger than the memory.
    """
    shape = check_output(None if run_on else save, output_format)
    if score_only and (save or output_format):
        raise ValueError("--score-only prints numbers alone; leave out --format and --save.")
    if prediction_column and len(prediction_column) > 1:
        raise ValueError("score takes one --prediction-column; 'polyrouge compare' takes several systems.")
    if run_on or workers or partition_size or keep or hits or dry_run:
        from polyrouge.cli.folder_command import FolderOptions, score_folder  # takes longer than --help

        if any((references, per_sample, input_format, encoding, not header, score_only, slice_column, source_column)):
            raise ValueError(
                "--run-on takes one folder, whose files have texts and references, and writes every sample's scores: "
                "leave out files of references, --per-sample, --input-format, --encoding, --no-header, --score-only, "
                "--slice-column and --source-column."
            )
        with warnings_heard(quiet):
            score_folder(
                predictions,
                save,
                rouge.settings,
                FolderOptions(run_on, workers, partition_size, keep or [], hits, dry_run),
                prediction_column=prediction_column[0] if prediction_column else None,
                reference_columns=reference_column or [],
                id_column=id_column,
                empty_cells=empty_cells,
                output_format=shape,
                digits=digits,
                quiet=quiet,
            )
        return
    kept = kept_columns(slice_column, guesses=False)
    with (
        warnings_heard(quiet) as heard,
        open_paired_texts(
            [predictions],
            references or [],
            prediction_columns=prediction_column or [],
            reference_columns=reference_column or [],
            id_column=id_column,
            document_column=source_column,
            kept_columns=kept,
            file_format=input_format,
            empty_cells=empty_cells,
            encoding=encoding,
            has_header=header,
        ) as texts,
    ):
        stream = StreamedScores(rouge.settings)
        slices = ReadSlices(kept, rouge.settings) if kept else None
        beside = StreamedSources(rouge.settings) if source_column else None
        with sample_writer(per_sample, rouge.settings, with_sources=beside is not None) as write:
            for chunk in progressing(texts, quiet):
                with chunk.naming_places(0, stream.n_samples):
                    scored = stream.add(chunk.predictions[0], chunk.references)
                    measured = beside.add([chunk.predictions[0]], chunk.documents)[0] if beside else None
                write(scored, chunk.ids, measured)
                if slices:
                    slices.add(chunk)
            result = stream.result()
            sliced = None
            if slices:  # what is refused here leaves no file of samples either
                columns = slices.columns(texts)
                columns |= coverage_columns(texts.systems, beside.columns()) if beside else {}
                some = slices_of(columns, texts.n_rows)
                sliced = sliced_columns({texts.systems[0]: stream.scores()}, some, rouge.settings, keys=stream.keys())
    report = score_report(
        result,
        rouge.settings,
        title=texts.sources[0].name,
        n_samples=texts.n_rows,
        empty_texts=texts.empty_texts,
        digits=digits,
        details={"files": texts.files},
        heard=heard,
        sources=beside.means()[0] if beside else None,
    )
    if sliced is not None and sliced.slices:
        report = with_slice_means(report, sliced, digits_for(rouge.settings, digits))
    if score_only:
        sys.stdout.write(numbers_alone(report) + "\n")
        return
    emit(report, shape, save)
