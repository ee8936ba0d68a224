"""The sub-commands that show outputs, and those that say what a number means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from polyrouge.beyond.agreement import agreement as correlate
from polyrouge.beyond.error_analysis.examination import examine_systems
from polyrouge.cli.command_options import (
    ExtraColumns,
    Inputs,
    Output,
    Printing,
    Quiet,
    System,
    Systems,
    input_option,
    named_numbers,
    output_option,
    refuse_overwriting,
)
from polyrouge.cli.command_running import announce, collected_warnings, report_progress, with_progress
from polyrouge.cli.setting_options import Metric, option, taking
from polyrouge.comparing.settings_search import find_settings
from polyrouge.documents.notes import messages_of
from polyrouge.errors import warn_of
from polyrouge.files.atomic import atomic_write
from polyrouge.files.columns import NO_IDS
from polyrouge.files.slices import columns_to_read
from polyrouge.scoring.sample_scores import StreamedScores

# The step in a path: checkpoint-500, step_500, epoch=3; and the number of a file of save_samples.
_STEP = re.compile(
    r"(?<![a-z])(?:checkpoint|ckpt|global_?step|steps?|iter(?:ation)?|epoch|evaluation)[-_=]?(\d+)", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Report(taking(Metric, without=("output",)), ExtraColumns, Inputs, Systems):
    """Write one HTML file to look at: scores, charts, slices, and every sample, with the shared words in colour.

    Without --slice-column, samples are sliced by the columns that look suitable; --slice-column none makes no
    slices. Files of checkpoints (in folders such as checkpoint-500) are shown by step. All rows are held in memory.
    """

    save: Annotated[str, option("The HTML file to write.", "--save", "-o")] = "report.html"
    title: Annotated[str | None, option("Title of the page.")] = None
    context: Annotated[bool, option("Also show what scores lie between: see 'polyrouge context'.", "--context")] = False
    quiet: Quiet = False

    def run(self) -> None:
        """Write the report."""
        rouge = self.metric(self.quiet, draws=True)
        from polyrouge.beyond.reference_points import score_context  # takes longer than --help
        from polyrouge.report import write_report

        files: Systems = self
        refuse_overwriting(files, self.save)
        columns = columns_to_read(self.slice_column, guesses=True)
        steps: Sequence[int] = ()
        is_ordered = self.name or len(self.prediction_column or ()) > 1  # each of these belongs to one file
        if not is_ordered and (checkpoints := _checkpoints(self.systems)):
            steps, names, paths = map(list, zip(*checkpoints, strict=True))
            files = Systems(systems=paths, references=self.references, name=names)
            announce(f"{len(steps)} checkpoints, by step: {', '.join(map(str, steps))}", self.quiet)
        source = {"source_column": self.source_column, "guesses_source": True}
        pairs, rows = self.read(files, self.quiet, **source, metadata_columns=columns)
        slices = pairs.slices(rows.metadata)
        if columns is None and slices:
            announce(f"guessed: samples are sliced by the columns {', '.join(map(repr, slices))}", self.quiet)
        with (
            collected_warnings(self.quiet),
            atomic_write(self.save) as temporary,
            report_progress(self.quiet) as progress,
        ):
            sources = rows.sources or None
            write_report(
                temporary,
                rows.predictions[0],
                rows.references,
                rouge=rouge,
                name=pairs.systems[0],
                others=dict(zip(pairs.systems[1:], rows.predictions[1:], strict=True)),
                ids=rows.ids or None,
                **{"guessed" if columns is None else "metadata": slices},
                sources=sources,
                slices=not self.slice_column or bool(columns),
                title=self.title,
                steps=steps or None,
                context=score_context(rows.predictions[0], rows.references, sources, rouge) if self.context else None,
                progress=progress,
            )
        announce(f"the report is {Path(self.save).absolute().as_uri()}", self.quiet)


def _checkpoints(paths: Sequence[str]) -> list[tuple[int, str, str]]:
    """The step, name and path of each checkpoint, by step; none if the last steps in the paths are not all different.

    Where they are the same, as in checkpoint-500/evaluation-000001.jsonl, those before them count.
    """
    for matches in zip(*([*_STEP.finditer(path)][::-1] for path in paths), strict=False):
        checkpoints = sorted((int(match[1]), match[0], match.string) for match in matches)
        if 1 < len(paths) == len({step for step, *_ in checkpoints}):
            return checkpoints
    return []


@dataclass(frozen=True, kw_only=True)
class Examine(
    taking(Metric, without=("output", "rouge_types", "confidence", "n_resamples", "seed", "interval", "weights")),
    Output,
    Inputs,
    Systems,
):
    """List what systems miss and add, the outputs that look wrong, and the hits that make two systems differ.

    Tokens and bigrams with how often they are missed or added and in which samples; recall of rare and frequent tokens;
    empty, short, long, looping, cut-off and duplicate outputs. If there are more than four systems, the first is
    compared with each of the others, and each with the next. All rows are held in memory.
    """

    most: Annotated[int, output_option("Tokens and bigrams to list on each side.", min=1)] = 10
    quiet: Quiet = False

    def run(self) -> None:
        """Examine the systems of the files."""
        rouge = self.metric(self.quiet)
        self.check(self)
        with collected_warnings(self.quiet) as collected:
            pairs, rows = self.read(self, self.quiet)
            systems = dict(zip(pairs.systems, rows.predictions, strict=True))
            examination = examine_systems(systems, rows.references, rouge, most=self.most)
        ids = tuple(rows.ids or ())
        self.emit(replace(examination, ids=ids), {"ids": list(ids) or None, "warnings": list(collected)})


@dataclass(frozen=True, kw_only=True)
class Context(taking(Metric, without=("weights", "interval")), Printing, Inputs, System):
    """Show whether a system's score is high: what chance, copying and people score on the same references.

    It scores shuffled references and one text for all rows; with --source-column, lead, source and extractive oracle;
    if a row has several references, each against the others. All have intervals. All rows are held in memory.
    """

    source_column: Annotated[
        str | None, input_option("Column of the texts that were summarized, for lead, source and oracle.")
    ] = None
    lead: Annotated[
        int | None,
        option("Sentences of lead and oracle; as many as the references have, 3 at most, if not given.", min=1),
    ] = None
    quiet: Quiet = False

    def run(self) -> None:
        """Score what the system is compared with."""
        rouge = self.metric(self.quiet, draws=True)
        from polyrouge.beyond.reference_points import score_context

        self.check(self)
        with collected_warnings(self.quiet):
            _, rows = self.read(self, self.quiet, source_column=self.source_column)
            result = score_context(
                rows.predictions[0],
                rows.references,
                rows.sources if self.source_column else None,
                rouge,
                lead=self.lead,
            )
        self.emit(result)


@dataclass(frozen=True, kw_only=True)
class Agreement(
    taking(Metric, without=("confidence", "n_resamples", "seed", "interval", "weights")), Printing, Inputs, System
):
    """Correlate scores with people's judgements, over systems, over outputs and within documents.

    A row of the file is one output. --output all takes precision and recall too.
    """

    human: Annotated[list[str], input_option("Column of people's judgements; repeat it for more.")]
    system_column: Annotated[str, input_option("Column that names the system of each output.")] = "system"
    document_column: Annotated[str, input_option("Column that names the document of each output.")] = "id"
    baseline: Annotated[
        str | None, option("Test only this score (rouge1, rouge1_recall) against the others, instead of all pairs.")
    ] = None
    confidence: Annotated[float, option("Level of the intervals.")] = 0.95
    quiet: Quiet = False

    def run(self) -> None:
        """Score the outputs, and correlate the scores with the judgements."""
        rouge = self.metric(self.quiet)
        self.check(self)
        inputs = replace(self, id_column=self.id_column or NO_IDS)  # a document has several rows
        with collected_warnings(self.quiet):
            columns = list(dict.fromkeys((*self.human, self.system_column, self.document_column)))
            stream = StreamedScores(rouge.settings.replace(use_aggregator=False), rouge.run)
            metadata: dict[str, list[Any]] = {name: [] for name in columns}
            with inputs.open(self, metadata_columns=columns) as pairs:
                for chunk in with_progress(pairs, self.quiet):
                    with chunk.with_row_names(0, stream.n_samples):
                        stream.add(chunk.predictions[0], chunk.references)
                    for name, values in chunk.metadata.items():
                        metadata[name].extend(values)
            scores = stream.result()
            warn_of([*messages_of(stream.notes), *stream.warnings()])
            # A cell of a file of lines is a text.
            judged = {
                name: [None if str(value).strip() == "" else value for value in metadata[name]] for name in self.human
            }
            of = metadata[self.system_column], metadata[self.document_column]
            try:
                result = correlate(scores, judged, *of, baseline=self.baseline, confidence=self.confidence)
            except TypeError as error:  # a judgement that is no number
                raise ValueError(f"{self.predictions}: {error}") from None
        self.emit(replace(result, signature=rouge.signature()))


@dataclass(frozen=True, kw_only=True)
class FindSettings(Printing, Inputs, System):
    """Find the settings under which these texts get published numbers.

    All rows are held in memory.
    """

    published: Annotated[str, option("The numbers: rouge1=44.16,rougeL=40.90.")]
    convention: Annotated[
        list[str] | None, option("Try only this convention; repeat it for more.", "--convention", "-c")
    ] = None
    most: Annotated[int, output_option("How many groups of settings to show.", min=1)] = 5
    quiet: Quiet = False

    def run(self) -> None:
        """Score under many settings."""
        self.check(self)
        numbers = named_numbers("--published", self.published.split(","))
        with collected_warnings(self.quiet):
            _, rows = self.read(self, self.quiet)
            result = find_settings(
                rows.predictions[0], rows.references, numbers, conventions=self.convention, most=self.most
            )
        self.emit(result)
