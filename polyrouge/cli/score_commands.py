"""The sub-commands that score: ``score``, of one system or of a folder of files, and ``compare``."""

import csv
import itertools
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from polyrouge.beyond.source_overlap.measures import SOURCE_MEASURES, SourceMeans, StreamedSources
from polyrouge.cli.command_options import (
    ExtraColumns,
    Folders,
    Inputs,
    Output,
    Quiet,
    System,
    Systems,
    output_option,
    refuse_overwriting,
)
from polyrouge.cli.command_running import collected_warnings, with_progress
from polyrouge.cli.setting_options import Metric, option, taking
from polyrouge.cli.system_scores import SystemScores
from polyrouge.comparing.slices import (
    SampleSlice,
    SliceColumn,
    coverage_columns,
    default_baseline,
    reference_columns,
    slice_warnings,
    sliced_columns,
    slices_of,
)
from polyrouge.comparing.systems import TESTS, ComparisonOptions, compare_columns, comparison_warnings
from polyrouge.documents.notes import messages_of
from polyrouge.errors import unknown_value, warn_of
from polyrouge.files.atomic import atomic_write
from polyrouge.files.pairs import Pairs
from polyrouge.inputs import check_inputs
from polyrouge.metric import Rouge
from polyrouge.results import csv_cell, json_text
from polyrouge.scoring.aggregates import scale_scores
from polyrouge.scoring.sample_scores import Scores, StreamedScores
from polyrouge.settings.allowed_values import FRACTION, checked_number
from polyrouge.settings.rouge_settings import RougeSettings


@dataclass(frozen=True, kw_only=True)
class Score(taking(Metric), Folders, Output, ExtraColumns, Inputs, System):
    """Score one system.

    Means over all samples, with the signature that says how they were made; with --slice-column over each slice of
    them too, the weakest first. Files are read in chunks, so they may be larger than the memory, unless rows are
    joined by ids that come in another order.
    """

    per_sample: Annotated[str | None, output_option("Also write each sample's scores to this .csv or .jsonl.")] = None
    score_only: Annotated[
        bool, output_option("Print the numbers alone, in one line, in the order of the table.", "--score-only")
    ] = False
    quiet: Quiet = False

    def run(self) -> None:
        """Score the files, or a folder of them."""
        rouge = self.metric(self.quiet)
        printing = replace(self, save=None) if self.run_on else self  # there -o names a folder
        printing.check()
        if self.score_only and (self.save or self.output_format):
            raise ValueError("--score-only prints numbers alone; leave out --format and --save.")
        if self.prediction_column and len(self.prediction_column) > 1:
            raise ValueError("score takes one --prediction-column; 'polyrouge compare' takes several systems.")
        if self.chosen():
            from polyrouge.cli.folder_command import score_folder  # takes longer than --help

            further_options = (self.input_format, self.encoding, not self.header, self.slice_column, self.source_column)
            further_options += (self.quotes is not None, self.where)
            if any((self.references, self.per_sample, self.score_only, *further_options)):
                raise ValueError(
                    "--run-on takes one folder, whose files have texts and references, and writes every sample's "
                    "scores: leave out files of references, --per-sample, --input-format, --encoding, --no-header, "
                    "--quotes, --where, --score-only, --slice-column and --source-column."
                )
            with collected_warnings(self.quiet):
                score_folder(self.predictions, rouge, self, self, self, self.quiet)
            return
        refuse_overwriting(self, self.save, self.per_sample)
        with (
            collected_warnings(self.quiet) as collected,
            self.open(self, **self.columns()) as pairs,
            _sample_writer(self.per_sample, rouge.settings, with_sources=self.source_column is not None) as write,
        ):
            (stream,), sources, slices = _score_files(pairs, rouge, self, self.quiet, write)
            result = stream.result()
            warn_of(stream.warnings())
            sliced = None
            if slices is not None:  # inside, as an error here must leave no file of samples
                scores = {pairs.systems[0]: stream.scores()}
                sliced = sliced_columns(scores, slices, rouge.settings)
                warn_of(slice_warnings(sliced))
        means = sources.means()[0] if sources else None
        scored = SystemScores(pairs.files[0], result, rouge.settings, pairs.n_rows, pairs.empty_texts, means)
        if self.score_only:
            sys.stdout.write(scored.numbers(self.digits) + "\n")
            return
        more = {"files": pairs.files, "warnings": list(collected)}
        self.emit(scored, more if sliced is None or not sliced.slices else {**more, "slices": sliced})


@dataclass(frozen=True, kw_only=True)
class Compare(taking(Metric, without=("confidence", "n_resamples", "seed")), Output, ExtraColumns, Inputs, Systems):
    """Compare systems on the same references, with significance.

    For each pair: the difference, first minus second, with its interval; paired bootstrap, paired approximate
    randomization, Holm's correction over the pairs, and on how many samples each one wins. With --slice-column, the
    same for each slice of the samples; slices where the first system (or --where-loses) loses most come first.
    If there are more than four systems, the first is then compared with each of the others. Files are read in chunks,
    so they may be larger than the memory, unless rows are joined by ids that come in another order.
    """

    baseline: Annotated[
        str | None, option("Compare only this system with each of the others, instead of all pairs.")
    ] = None
    test: Annotated[str, option(f"Which test decides what is significant: {' or '.join(TESTS)}.")] = TESTS[0]
    significance: Annotated[float, option("Level of significance, after Holm's correction.")] = 0.05
    confidence: Annotated[float, option("Level of the intervals.")] = 0.95
    n_resamples: Annotated[
        int | None, option("Resamples of each test; 10000 or what Holm's correction needs if not given.")
    ] = None
    seed: Annotated[int, option("Seed of all draws.")] = 0
    where_loses: Annotated[
        str | None, option("Sort slices by the losses of this system, instead of the first of each pair.")
    ] = None
    recipe: Annotated[
        str | None, option("Score as this recipe of 'polyrouge benchmark' does; -c names one of its conventions.")
    ] = None
    config: Annotated[str | None, option("Configuration of the recipe's data, such as a language.")] = None
    quiet: Quiet = False

    def _rouge(self, changes: dict[str, Any]) -> Rouge:
        if self.recipe is None:
            if self.config is not None:
                raise ValueError("--config is a configuration of a recipe's data; name the recipe with --recipe.")
            return super()._rouge(changes)
        if self.signature is not None:
            raise ValueError("Give --recipe or --signature, not both.")
        from polyrouge.beyond.recipes.benchmark import checked_config, choose_convention
        from polyrouge.beyond.recipes.loading import load_recipe

        recipe = load_recipe(self.recipe)
        key = None if self.convention == "default" else self.convention
        return choose_convention(recipe, checked_config(recipe, self.config), key, changes)[1]

    def run(self) -> None:
        """Compare the systems of the files."""
        rouge = self.metric(self.quiet, draws=True)
        self.check(self)
        with (
            self.open(self, **self.columns()) as pairs,
            collected_warnings(self.quiet) as collected,
        ):
            if len(pairs.systems) < 2:
                raise ValueError(
                    "Give two or more systems: a file for each, or one file with --prediction-column for each."
                )
            checked_number("significance", self.significance, FRACTION)
            options = ComparisonOptions(
                self.baseline, self.confidence, self.significance, self.test, self.n_resamples, self.seed
            )
            options = options.checked(pairs.systems, rouge.settings)
            if self.where_loses is not None and not self.slices:
                raise ValueError("--where-loses orders slices; name their columns with --slice-column.")
            if self.where_loses is not None and self.where_loses not in pairs.systems:
                raise unknown_value(self.where_loses, pairs.systems, "system")
            of_slices = options._replace(baseline=self.baseline or default_baseline(pairs.systems))
            streams, sources, slices = _score_files(pairs, rouge, self, self.quiet, baseline=of_slices.baseline)
            scores = {system: stream.scores() for system, stream in zip(pairs.systems, streams, strict=True)}
            comparison = compare_columns(scores, rouge.settings, options)
            warn_of(comparison_warnings(comparison))
            sliced = None
            if slices is not None:
                sliced = sliced_columns(scores, slices, rouge.settings, of_slices)
                warn_of(slice_warnings(sliced))
                sliced = sliced if self.where_loses is None else sliced.where_loses(self.where_loses)
        empty = pairs.empty_texts
        comparison = replace(comparison, empty_predictions=empty.predictions, empty_references=empty.references)
        more: dict[str, Any] = {} if sliced is None else {"slices": sliced}
        if sources:
            means = dict(zip(pairs.systems, sources.means(), strict=True))
            more["sources"] = SourceMeans(means, comparison.signature)
        self.emit(comparison, {**more, "files": pairs.files, "warnings": list(collected)})


def _score_files(
    pairs: Pairs,
    rouge: Rouge,
    extra: ExtraColumns,
    quiet: bool,
    write: Callable[..., None] | None = None,
    baseline: str | None = None,
) -> tuple[list[StreamedScores], StreamedSources | None, list[SampleSlice] | None]:
    """Score chunk by chunk: scores of each system, measures of sources, slices; ``write`` gets the first system's."""
    settings, run = rouge.settings, rouge.run
    streams = [StreamedScores(settings, run) for _ in pairs.systems]
    sources = StreamedSources(settings, run, len(streams)) if extra.source_column else None
    of_files, of_references = defaultdict[str, list[Any]](list), list[SliceColumn]()
    for chunk in with_progress(pairs, quiet):
        scores = []
        for system, stream in enumerate(streams):
            with chunk.with_row_names(system, stream.n_samples):
                scores.append(stream.add(chunk.predictions[system], chunk.references))
        measures = sources.add(chunk.predictions, chunk.sources) if sources else [None]
        if write:
            write(scores[0], chunk.ids, measures[0])
        if extra.slices:
            for name, values in chunk.metadata.items():
                of_files[name].extend(values)
            of_chunk = reference_columns(check_inputs(chunk.predictions[0], chunk.references), settings, run)
            of_references = of_references or [column._replace(values=[]) for column in of_chunk]
            for column, more in zip(of_references, of_chunk, strict=True):
                column.values.extend(more.values)
    for stream in streams:
        warn_of(messages_of(stream.notes))
    if not extra.slices:
        return streams, sources, None
    columns = [SliceColumn(name, values) for name, values in pairs.slices(of_files).items()]
    columns += of_references
    if sources:
        columns += coverage_columns(sources.coverage(), pairs.systems, baseline)
    slices, messages = slices_of(columns, pairs.n_rows)
    warn_of(messages)
    return streams, sources, slices


@contextmanager
def _sample_writer(
    path: str | None, settings: RougeSettings, *, with_sources: bool
) -> Iterator[Callable[..., None] | None]:
    """Yield a function that writes a row for each sample: its id or number, its scores and source measures.

    Scores of a sample that ``empty="skip"`` leaves out are empty in CSV and null in JSONL.
    """
    if path is None:
        yield None
        return
    suffix = Path(path).suffix
    if suffix not in (".csv", ".jsonl"):
        raise ValueError(f"Samples can't be written to {path!r}; give a name that ends in .csv or .jsonl.")
    measures = {"": 2} if settings.output == "fmeasure" else {"": 2, "_precision": 0, "_recall": 1}
    of_sources = SOURCE_MEASURES if with_sources else ()
    keys = ["id", *(f"{name}{ending}" for name in settings.rouge_types for ending in measures), *of_sources]
    numbers = itertools.count(1)
    with atomic_write(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        table = csv.writer(file, lineterminator="\n")
        if suffix == ".csv":
            table.writerow(keys)

        def write(samples: Scores, ids: Sequence[str], source_measures: Sequence[Mapping] | None) -> None:
            n = len(samples.scores)
            scores = scale_scores(samples.scores, settings.result_rules)[:, :, list(measures.values())].reshape(n, -1)
            names = ids or itertools.islice(numbers, n)
            for name, row, sources in zip(names, scores.tolist(), source_measures or [{}] * n, strict=True):
                values = [name, *(None if math.isnan(value) else value for value in row)]
                values += [sources[key] for key in of_sources]
                if suffix == ".csv":
                    table.writerow(map(csv_cell, values))
                else:
                    file.write(json_text(dict(zip(keys, values, strict=True))) + "\n")

        yield write
