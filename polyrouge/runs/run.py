"""A run: plan, manifest, the partitions that are left, and the summary."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from polyrouge.arrow import Partial, TableScorer, summarize
from polyrouge.errors import unknown_value
from polyrouge.files.file_rows import EMPTY_CELLS, InputFileError
from polyrouge.inputs import EmptyTexts
from polyrouge.runs.columns import chosen_columns
from polyrouge.runs.folders import Folder
from polyrouge.runs.input_files import input_folder, looked_at
from polyrouge.runs.manifest import keep_manifest, manifest_of
from polyrouge.runs.partition_rows import PREDICTION, REFERENCES
from polyrouge.runs.plan import SIZE, Partition, Plan, opened, planned
from polyrouge.runs.records import SUMMARY, read_records, record_name, scores_name
from polyrouge.runs.work import Job, Outcome
from polyrouge.settings.rouge_settings import RougeSettings

ENGINES = ("local", "ray", "spark")


class PartitionError(ValueError):
    """A partition could not be scored; the message names the file, and the row where it is one."""


@dataclass(frozen=True)
class Run:
    """A run that is planned.

    Attributes:
        input: folder of the files.
        output: folder of the run.
        plan: what is to be done.
        manifest: what the run is made of.
        settings: of the scores, without what moves none: how they are counted.
        scorer: for the tables.
        guesses: which columns were guessed, in sentences.
        left_out: files that can't be read by their names.
    """

    input: Folder
    output: Folder
    plan: Plan
    manifest: dict[str, Any]
    settings: RougeSettings
    scorer: TableScorer
    guesses: list[str]
    left_out: list[str]

    def begin(self) -> list[Partition]:
        """Write the manifest, or compare it with the one that is there; returns the partitions that are not finished.

        What killed processes left unfinished is removed.

        Raises:
            ValueError: the folder holds a run of other settings, versions or files.
            OSError: it can't be written.
        """
        if keep_manifest(self.output, self.manifest):
            self.output.sweep()
        sizes = {name: int(info["size"]) for name, info in self.output.files().items()}
        begun = [each.number for each in self.plan.partitions if record_name(each.number) in sizes]
        finished = {
            number
            for number, record in read_records(self.output, begun, self.scorer.settings)
            if record is not None and sizes.get(scores_name(number)) == record.size
        }
        return [each for each in self.plan.partitions if each.number not in finished]

    def score(self, partitions: Sequence[Partition], engine: str, workers: int) -> Iterator[Outcome]:
        """Score partitions; yields how each ended, as they end.

        Args:
            partitions: to score.
            engine: one of ``ENGINES``.
            workers: at the same time; 0: as many as there are processors.

        Raises:
            PartitionError: one could not be scored; those that were finished are kept.
        """
        job = Job(self.input.url, self.output.url, self.plan.columns, self.scorer, self.manifest["software"])
        with closing(_engine(engine)(job, partitions, workers)) as outcomes:
            for outcome in outcomes:
                if outcome.error is not None:
                    raise PartitionError(
                        f"{outcome.error} (Partition {outcome.number}; what was finished is kept: mend this, and run "
                        "the same command again.)"
                    )
                yield outcome

    def finish(self, summary: Callable[[Summary], str]) -> Summary:
        """Add the partitions up, and write the summary.

        Args:
            summary: makes the text of the file.

        Raises:
            ValueError: there are no rows.
            OSError: it can't be written.
        """
        partials: list[Partial] = []
        rows = empty_predictions = empty_references = 0
        warnings: dict[str, None] = {}
        numbers = range(len(self.plan.partitions))
        for number, record in read_records(self.output, numbers, self.scorer.settings):
            partition = self.plan.partitions[number]
            if record is None:
                raise ValueError(
                    f"The partition {partition.number} ({partition.file}) has vanished from {self.output.url!r}."
                )
            partials = [sum(partials, start=record.partial)]
            rows += record.rows
            empty_predictions += record.empty_predictions
            empty_references += record.empty_references
            warnings |= dict.fromkeys(f"{partition.file}: {each}" for each in record.warnings)
        empty = EmptyTexts((empty_predictions,), empty_references)
        found = Summary(summarize(partials), rows, empty, [file.name for file in self.plan.files], list(warnings))
        self.output.write(SUMMARY, summary(found).encode())
        self.output.sweep()
        return found


@dataclass(frozen=True)
class Summary:
    """What a run found.

    Attributes:
        scores: as ``Rouge.compute`` returns them.
        rows: how many.
        empty_texts: how many of the texts are empty.
        files: names of the files.
        warnings: what was odd in the texts, with the file.
    """

    scores: dict[str, float]
    rows: int
    empty_texts: EmptyTexts
    files: list[str]
    warnings: list[str]


def planned_run(
    source: str,
    target: str,
    settings: RougeSettings,
    *,
    prediction_column: str | None = None,
    reference_columns: Sequence[str] = (),
    id_column: str | None = None,
    keep: Sequence[str] = (),
    hits: bool = False,
    empty_cells: str = EMPTY_CELLS[0],
    partition_size: float = SIZE,
) -> Run:
    """Look at the files and plan a run; nothing is written.

    Args:
        source: folder of the files, or one file; a path, or an address that fsspec knows.
        target: folder of the run.
        settings: of the scores.
        prediction_column: guessed if None.
        reference_columns: guessed if empty; several are several references of a row.
        id_column: stands beside the scores, and is guessed if None. One that is given is also what an interval draws
            by, in place of the references.
        keep: further columns that do.
        hits: so do the counts behind the scores.
        empty_cells: of CSV; see ``open_csv``.
        partition_size: megabytes of texts in a partition.

    Raises:
        InputFileError: a file can't be read, or has not the columns.
        ValueError: a value that is not allowed; or the target is in the source.
        ImportError: the package for such an address is not installed.
    """
    if empty_cells not in EMPTY_CELLS:
        raise unknown_value(empty_cells, EMPTY_CELLS, "empty_cells")
    if not 0 < partition_size < float("inf"):
        raise ValueError(f"--partition-size is {partition_size}; give megabytes, more than 0.")
    folder, names, left_out = input_folder(source)
    output = Folder(target)
    if output.is_local == folder.is_local and f"{output.path}/".startswith(f"{Folder(source).path}/"):
        raise ValueError(f"The folder for the scores, {output.url!r}, is in that of the texts; name one beside it.")
    files = looked_at(folder, names)
    first = opened(folder, files[0], empty_cells)
    try:
        columns, guesses = chosen_columns(first, prediction_column, reference_columns, id_column, keep, empty_cells)
    finally:
        first.close()
    plan = planned(folder, files, columns, partition_size)
    if not plan.partitions:
        raise InputFileError(f"{folder.url!r}: the files have no rows.")
    # A worker has one processor.
    given: dict[str, Any] = {name: getattr(settings, name) for name in RougeSettings.names()} | {"threads": 1}
    scorer = TableScorer(
        prediction=PREDICTION,
        reference=REFERENCES,
        keep=plan.columns.beside,
        hits=hits,
        id_column=columns.id if id_column is not None else None,
        **given,
    )
    Partial(scorer.settings)  # refuses settings whose results can't be added up
    manifest = manifest_of(plan, scorer, id_column is not None, hits, partition_size)
    plain = settings.replace(engine="auto", threads=0)
    return Run(folder, output, plan, manifest, plain, scorer, guesses, left_out)


def workers_here(workers: int) -> int:
    """How many workers run at the same time on this machine."""
    affinity = getattr(os, "sched_getaffinity", None)
    return workers or (len(affinity(0)) if affinity is not None else os.cpu_count() or 1)


def _engine(name: str) -> Callable[[Job, Sequence[Partition], int], Generator[Outcome]]:
    """The engine of a name; its module is imported when it is asked for."""
    if name == "ray":
        from polyrouge.runs.ray_engine import run_on_ray

        return run_on_ray
    if name == "spark":
        from polyrouge.runs.spark_engine import run_on_spark

        return run_on_spark
    from polyrouge.runs.local_engine import run_locally

    return lambda job, partitions, workers: run_locally(job, partitions, workers_here(workers))
