"""The sub-commands that score: ``score``, of one system or of a folder of files, and ``compare``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import typer

from polyrouge.cli.command_options import FILES, OUTPUT, Beside, Folders, Inputs, Output, Quiet, Systems, option
from polyrouge.cli.command_running import emit, progressing, reports_errors, warnings_heard
from polyrouge.cli.command_settings import takes_options
from polyrouge.cli.sample_writer import WriteSamples, sample_writer
from polyrouge.comparing.slices import (
    SampleSlice,
    reference_columns,
    slice_warnings,
    sliced_columns,
    slices_of,
    usual_baseline,
)
from polyrouge.comparing.systems import TESTS, ComparisonOptions, compare_columns, comparison_warnings
from polyrouge.errors import unknown_value, warn_of
from polyrouge.files.paired_texts import PairedTexts
from polyrouge.files.slice_columns import kept_columns
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.scoring.pipeline import StreamedScores
from polyrouge.settings.allowed_values import FRACTION, checked_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.streamed import StreamedSources, coverage_columns
from polyrouge.tables.scores import comparison_report, digits_for, numbers_alone, score_report, with_slice_means


@reports_errors
@takes_options(without=("use_aggregator",))
def score(
    predictions: Annotated[str, typer.Argument(help=f"File of predictions: {FILES}.")],
    references: Annotated[
        list[str] | None,
        typer.Argument(help="One file for each reference of a row; none if they are in the same file."),
    ] = None,
    *,
    rouge: Rouge,
    inputs: Inputs,
    beside: Beside,
    per_sample: Annotated[
        str | None, option("Also write each sample's scores to this .csv or .jsonl.", panel=OUTPUT)
    ] = None,
    out: Output,
    score_only: Annotated[
        bool, option("Print the numbers alone, in one line, in the order of the table.", "--score-only", panel=OUTPUT)
    ] = False,
    quiet: Quiet = False,
    folders: Folders,
) -> None:
    """Score one system.

    Means over all samples, with the signature that says how they were made; with --slice-column over each slice of
    them too, the weakest first. Files are read in chunks, so they may be larger than the memory.
    """
    shape = replace(out, save=None if folders.run_on else out.save).check()
    if score_only and (out.save or out.output_format):
        raise ValueError("--score-only prints numbers alone; leave out --format and --save.")
    if inputs.prediction_column and len(inputs.prediction_column) > 1:
        raise ValueError("score takes one --prediction-column; 'polyrouge compare' takes several systems.")
    if any(vars(folders).values()):
        from polyrouge.cli.folder_command import score_folder  # takes longer than --help

        others = (inputs.input_format, inputs.encoding, not inputs.header, beside.slice_column, beside.source_column)
        if any((references, per_sample, score_only, *others)):
            raise ValueError(
                "--run-on takes one folder, whose files have texts and references, and writes every sample's scores: "
                "leave out files of references, --per-sample, --input-format, --encoding, --no-header, --score-only, "
                "--slice-column and --source-column."
            )
        with warnings_heard(quiet):
            score_folder(predictions, rouge.settings, folders, inputs, out, shape, quiet)
        return
    kept = kept_columns(beside.slice_column, guesses=False)
    with (
        warnings_heard(quiet) as heard,
        inputs.open([predictions], references, document_column=beside.source_column, kept_columns=kept) as texts,
        ExitStack() as writing,
    ):
        write = None
        if per_sample is not None:
            with_sources = beside.source_column is not None
            write = writing.enter_context(sample_writer(per_sample, rouge.settings, with_sources=with_sources))
        found = _scored(texts, rouge.settings, beside, quiet, write)
        stream = found.streams[0]
        result = stream.result()
        warn_of(stream.warnings())
        sliced = None
        if found.slices is not None:  # what is refused here leaves no file of samples either
            scores = {texts.systems[0]: stream.scores()}
            sliced = sliced_columns(scores, found.slices, rouge.settings, keys=stream.keys())
            warn_of(slice_warnings(sliced))
    report = score_report(
        result,
        rouge.settings,
        title=texts.sources[0].name,
        n_samples=texts.n_rows,
        empty_texts=texts.empty_texts,
        digits=out.digits,
        details={"files": texts.files},
        heard=heard,
        sources=found.sources.means()[0] if found.sources else None,
    )
    if sliced is not None and sliced.slices:
        report = with_slice_means(report, sliced, digits_for(rouge.settings, out.digits))
    if score_only:
        sys.stdout.write(numbers_alone(report) + "\n")
        return
    emit(report, shape, out.save)


@reports_errors
@takes_options(without=("use_aggregator", "confidence", "n_resamples", "seed"))
def compare(
    files: Systems,
    *,
    rouge: Rouge,
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
    inputs: Inputs,
    beside: Beside,
    where_loses: Annotated[
        str | None,
        typer.Option(help="Show those slices first where this system loses most, instead of the first of each pair."),
    ] = None,
    out: Output,
    quiet: Quiet = False,
) -> None:
    """Compare systems on the same references, with significance.

    For each pair: the difference, first minus second, with its interval; paired bootstrap, paired approximate
    randomization, Holm's correction over the pairs, and on how many samples each one wins. With --slice-column the
    same for each slice of the samples, where the first system loses most at the top, or the one of --where-loses; of
    more than four systems the first is then compared with each of the others.
    """
    shape = out.check()
    kept = kept_columns(beside.slice_column, guesses=False)
    opened = inputs.open(
        files.systems, files.references, names=files.name or [], document_column=beside.source_column, kept_columns=kept
    )
    with opened as texts, warnings_heard(quiet) as heard:
        if len(texts.systems) < 2:
            raise ValueError(
                "Give two or more systems: a file for each, or one file with --prediction-column for each."
            )
        checked_number("--significance", significance, FRACTION)
        options = ComparisonOptions(baseline, confidence, significance, test, n_resamples, seed)
        options.check(texts.systems, rouge.settings)
        if where_loses is not None and not kept:
            raise ValueError("--where-loses orders slices; name their columns with --slice-column.")
        if where_loses is not None and where_loses not in texts.systems:
            raise unknown_value(where_loses, texts.systems, "system")
        found = _scored(texts, rouge.settings, beside, quiet)
        scores = {system: stream.scores() for system, stream in zip(texts.systems, found.streams, strict=True)}
        compared = compare_columns(scores, rouge.settings, options)
        warn_of(comparison_warnings(compared))
        sliced = None
        if found.slices is not None:
            options = options._replace(baseline=baseline or usual_baseline(texts.systems))
            sliced = sliced_columns(scores, found.slices, rouge.settings, options)
            warn_of(slice_warnings(sliced))
            sliced = sliced if where_loses is None else sliced.where_loses(where_loses)
    report = comparison_report(
        compared,
        rouge.settings,
        empty_texts=texts.empty_texts,
        digits=out.digits,
        details={"files": texts.files},
        heard=heard,
        slices=sliced,
        sources=dict(zip(texts.systems, found.sources.means(), strict=True)) if found.sources else None,
    )
    emit(report, shape, out.save)


class _Scored(NamedTuple):
    """What was found of all rows of some files."""

    streams: list[StreamedScores]  # of each system
    sources: StreamedSources | None
    slices: list[SampleSlice] | None  # None: no column was asked for


def _scored(
    texts: PairedTexts, settings: RougeSettings, beside: Beside, quiet: bool, write: WriteSamples | None = None
) -> _Scored:
    """Score the rows chunk by chunk; ``write`` gets the first system's."""
    streams = [StreamedScores(settings) for _ in texts.systems]
    sources = StreamedSources(settings, len(streams)) if beside.source_column else None
    kept = kept_columns(beside.slice_column, guesses=False)
    of_files: dict[str, list[Any]] = {}
    of_references: dict[str, list[Any]] = {}
    for chunk in progressing(texts, quiet):
        scores = []
        for system, stream in enumerate(streams):
            with chunk.naming_places(system, stream.n_samples):
                scores.append(stream.add(chunk.predictions[system], chunk.references))
        measured = sources.add(chunk.predictions, chunk.documents) if sources else [None]
        if write:
            write(scores[0], chunk.ids, measured[0])
        if kept:
            counted = reference_columns(check_inputs(chunk.predictions[0], chunk.references), settings)
            for columns, more in ((of_files, chunk.kept), (of_references, counted)):
                for name, values in more.items():
                    columns.setdefault(name, []).extend(values)
    for stream in streams:
        warn_of(stream.notes.messages())
    if not kept:
        return _Scored(streams, sources, None)
    columns = texts.slice_columns(of_files)  # which count where a column of references has their name
    columns |= {name: values for name, values in of_references.items() if name not in columns}
    columns |= coverage_columns(texts.systems, sources.columns()) if sources else {}
    slices, messages = slices_of(columns, texts.n_rows)
    warn_of(messages)
    return _Scored(streams, sources, slices)
