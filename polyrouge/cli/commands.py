"""The sub-commands of ``polyrouge``."""

from __future__ import annotations

import sys
from typing import Annotated

import numpy as np
import typer

from polyrouge.cli.benchmark_command import add_to as add_benchmark
from polyrouge.cli.beside_texts import ReadSlices, kept_columns
from polyrouge.cli.command_options import (
    FILES,
    SCORING,
    SETTINGS,
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
    SliceColumn,
    SourceColumn,
    SystemNames,
)
from polyrouge.cli.command_running import check_output, emit, progressing, reports_errors, warnings_heard
from polyrouge.cli.command_settings import takes_settings
from polyrouge.cli.examine_command import add_to as add_examine
from polyrouge.cli.page_command import add_to as add_page
from polyrouge.cli.picture_commands import add_to as add_pictures
from polyrouge.cli.score_command import add_to as add_score
from polyrouge.comparing.sample_slices import slices_of
from polyrouge.comparing.slices import sliced_columns, usual_baseline
from polyrouge.comparing.systems import TESTS, check_comparison, compare_columns
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.counting.compiled.extension import engine
from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import EMPTY_CELLS
from polyrouge.files.text_columns import open_paired_texts
from polyrouge.metric import Rouge
from polyrouge.scoring.streamed import StreamedScores
from polyrouge.settings.allowed_values import FRACTION, checked_number
from polyrouge.sources.streamed import StreamedSources, coverage_columns
from polyrouge.tables.comparisons import comparison_report
from polyrouge.tables.formats import Cell, Report, ResultTable
from polyrouge.version import VERSION

app = typer.Typer(
    name="polyrouge",
    help="ROUGE for every language and every published convention.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda name: name.replace("_", "-"),
    },
    add_completion=False,
)


@app.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Print the version, and which engine counts.")] = False,
) -> None:
    """ROUGE for every language and every published convention."""
    if version:
        typer.echo(f"{VERSION} ({engine()} engine)")
        raise typer.Exit


add_score(app)


@app.command(rich_help_panel=SCORING)
@reports_errors
@takes_settings(without=("use_aggregator", "confidence", "n_resamples", "seed"))
def compare(
    systems: Annotated[list[str], typer.Argument(help=f"A file for each system: {FILES}. Or one, with a -p for each.")],
    *,
    rouge: Rouge,
    references: ReferenceFiles = None,
    name: SystemNames = None,
    baseline: Annotated[
        str | None, typer.Option(help="Compare only this system with each of the others, instead of all pairs.")
    ] = None,
    test: Annotated[str, typer.Option(help=f"Which test decides what is significant: {' or '.join(TESTS)}.")] = TESTS[
        0
    ],
    significance: Annotated[float, typer.Option(help="Level of significance, after Holm's correction.")] = 0.05,
    confidence: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    n_resamples: Annotated[
        int | None, typer.Option(help="Resamples of each test; 10000 or what Holm's correction needs if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all draws.")] = 0,
    prediction_column: PredictionColumns = None,
    reference_column: ReferenceColumns = None,
    id_column: IdColumn = None,
    slice_column: SliceColumn = None,
    where_loses: Annotated[
        str | None,
        typer.Option(help="Show those slices first where this system loses most, instead of the first of each pair."),
    ] = None,
    source_column: SourceColumn = None,
    input_format: InputFormat = None,
    empty_cells: EmptyCells = EMPTY_CELLS[0],
    encoding: Encoding = None,
    header: Header = True,
    output_format: OutputFormat = None,
    save: Save = None,
    digits: Digits = None,
    quiet: Quiet = False,
) -> None:
    """Compare systems on the same references, with significance.

    For each pair: the difference, first minus second, with its interval; paired bootstrap, paired approximate
    randomization, Holm's correction over the pairs, and on how many samples each one wins. With --slice-column the
    same for each slice of the samples, where the first system loses most at the top, or the one of --where-loses; of
    more than four systems the first is then compared with each of the others.
    """
    shape = check_output(save, output_format)
    kept = kept_columns(slice_column, guesses=False)
    with (
        warnings_heard(quiet) as heard,
        open_paired_texts(
            systems,
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
            names=name or [],
        ) as texts,
    ):
        if len(texts.systems) < 2:
            raise ValueError(
                "Give two or more systems: a file for each, or one file with --prediction-column for each."
            )
        checked_number("--significance", significance, FRACTION)
        check_comparison(texts.systems, rouge.settings, baseline, confidence, significance, test, n_resamples, seed)
        if where_loses is not None and not kept:
            raise ValueError("--where-loses orders slices; name their columns with --slice-column.")
        if where_loses is not None and where_loses not in texts.systems:
            raise unknown_value(where_loses, texts.systems, "system")
        streams = [StreamedScores(rouge.settings) for _ in texts.systems]
        slices = ReadSlices(kept, rouge.settings) if kept else None
        beside = StreamedSources(rouge.settings, len(texts.systems)) if source_column else None
        for chunk in progressing(texts, quiet):
            for system, stream in enumerate(streams):
                with chunk.naming_places(system, stream.n_samples):
                    stream.add(chunk.predictions[system], chunk.references)
            if slices:
                slices.add(chunk)
            if beside:
                beside.add(chunk.predictions, chunk.documents)
        scores: dict[str, np.ndarray] = {
            system: stream.scores() for system, stream in zip(texts.systems, streams, strict=True)
        }
        options = {"baseline": baseline, "confidence": confidence, "alpha": significance, "n_resamples": n_resamples}
        found = compare_columns(scores, rouge.settings, test=test, seed=seed, **options)
        sliced = None
        if slices:
            columns = slices.columns(texts)
            columns |= coverage_columns(texts.systems, beside.columns()) if beside else {}
            options["baseline"] = baseline or usual_baseline(texts.systems)
            some = slices_of(columns, texts.n_rows)
            sliced = sliced_columns(scores, some, rouge.settings, seed=seed, **options)
            sliced = sliced if where_loses is None else sliced.where_loses(where_loses)
    report = comparison_report(
        found,
        rouge.settings,
        empty_texts=texts.empty_texts,
        digits=digits,
        details={"files": texts.files},
        heard=heard,
        slices=sliced,
        sources=dict(zip(texts.systems, beside.means(), strict=True)) if beside else None,
    )
    emit(report, shape, save)


add_benchmark(app)
add_pictures(app)
add_examine(app)
add_page(app)


@app.command(rich_help_panel=SETTINGS)
@reports_errors
def conventions(output_format: OutputFormat = None, save: Save = None) -> None:
    """List the named conventions: what each reproduces, and its signature."""
    shape = check_output(save, output_format)
    records = [
        {"convention": name, "reproduces": each.reproduces, "settings": each.settings.signature()}
        for name, each in CONVENTIONS.items()
    ]
    rows = [[Cell(record["convention"]), Cell(record["reproduces"])] for record in records]
    table = ResultTable("Conventions", ["name", "reproduces"], rows, 2)
    note = "'polyrouge signature -c NAME' prints the settings of one."
    emit(Report({"conventions": records}, records, [table], f"v:{VERSION}", [note]), shape, save)


@app.command(rich_help_panel=SETTINGS)
@reports_errors
@takes_settings()
def signature(*, rouge: Rouge) -> None:
    """Print the signature of a convention with settings: one line that names every setting that can move a score."""
    sys.stdout.write(rouge.signature() + "\n")


@app.command(
    name="rouge155",
    rich_help_panel=SCORING,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
@reports_errors
def rouge155(context: typer.Context) -> None:
    """ROUGE-1.5.5's own command line: the same options, the same output."""
    from polyrouge.rouge155 import command

    raise typer.Exit(command.main(list(context.args)))
