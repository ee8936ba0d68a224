"""``polyrouge score FOLDER --run-on ...``: a folder of files to a folder of scores, partition by partition."""

from dataclasses import dataclass, replace
from typing import Any

from polyrouge.beyond.folder_jobs.engines import ENGINES
from polyrouge.beyond.folder_jobs.job import Run, Summary, planned_run
from polyrouge.beyond.folder_jobs.plan import MEGABYTE, SIZE, Columns, Plan
from polyrouge.cli.command_options import Folders, Inputs, Output
from polyrouge.cli.command_running import announce, progress_bar
from polyrouge.cli.system_scores import SystemScores
from polyrouge.errors import unknown_value
from polyrouge.metric import Rouge
from polyrouge.results import Result, ResultTable, render

_MOST_ROWS = 10  # of a plan


def score_folder(source: str, rouge: Rouge, folders: Folders, inputs: Inputs, out: Output, quiet: bool) -> None:
    """Score a folder, or resume a run, and print the summary."""
    if folders.run_on is None:
        raise ValueError(f"{folders.chosen()[0]} is for folders, which --run-on {'|'.join(ENGINES)} scores; give both.")
    printing = replace(out, save=None)
    if folders.run_on not in ENGINES:
        raise unknown_value(folders.run_on, list(ENGINES), "engine for --run-on")
    if out.save is None:
        raise ValueError("--run-on writes a folder of scores; name it with -o FOLDER.")
    columns = Columns(
        inputs.prediction_column[0] if inputs.prediction_column else "",
        tuple(inputs.reference_column or ()),
        inputs.id_column,
        tuple(folders.keep or ()),
        inputs.empty_cells,
    )
    size = SIZE if folders.partition_size is None else folders.partition_size
    run = planned_run(source, out.save, rouge, columns=columns, hits=folders.hits, partition_size=size)
    for guess in run.guesses:
        announce(f"guessed: {guess}", quiet)
    if run.other_files:
        announce(f"left out, as no format is known by their names: {', '.join(run.other_files[:5])}", quiet)
    if folders.dry_run:
        printing.emit(_PlanTable(run.plan, run.scorer.signature()))
        return
    _score_todo(run, folders.run_on, folders.workers or 0, quiet)

    def scored(summary: Summary) -> tuple[SystemScores, dict[str, Any]]:
        scores = SystemScores("summary", summary.scores, rouge.settings, summary.rows, summary.empty_texts)
        return scores, {"files": summary.files, "warnings": list(summary.warnings)}

    def as_json(summary: Summary) -> str:
        result, more = scored(summary)
        return render(result, "json", further=more)

    summary = run.finish(as_json)
    for warning in summary.warnings:
        announce(f"warning: {warning}", quiet)
    printing.emit(*scored(summary))


def _score_todo(run: Run, engine: str, workers: int, quiet: bool) -> None:
    todo = run.begin()
    n_partitions = len(run.plan.partitions)
    parts, rows = n_partitions - len(todo), 0
    announce(f"{n_partitions:,} partitions" + (f", of which {parts:,} were finished before" if parts else ""), quiet)
    if not todo:
        return
    sizes, done = {partition.number: partition.size for partition in todo}, 0
    total = sum(sizes.values())
    with progress_bar(f"{parts:,}/{n_partitions:,} partitions, 0 rows", quiet, total) as show:
        for outcome in run.score(todo, engine, workers):
            parts, rows, done = parts + 1, rows + outcome.rows, done + sizes[outcome.number]
            if show:
                show(f"{parts:,}/{n_partitions:,} partitions, {rows:,} rows", done, total)


@dataclass(frozen=True)
class _PlanTable(Result):
    """What a run would do."""

    plan: Plan
    signature: str

    def tables(self, digits: int | None = None) -> list[ResultTable]:  # noqa: ARG002 there are no scores
        """Return the first partitions."""
        rows = []
        for partition in self.plan.partitions[:_MOST_ROWS]:
            is_file, n = partition.unit == "file", partition.rows
            part = "all of it" if is_file else f"{partition.unit} {partition.start:,} to {partition.stop:,}"
            size = f"{partition.size / MEGABYTE:,.1f}"
            rows.append([partition.number, partition.file.name, part, "" if n is None else f"{n:,}", size])
        title = f"{len(self.plan.files):,} files, {len(self.plan.partitions):,} partitions"
        if self.plan.rows is not None:
            title += f", {self.plan.rows:,} rows"
        return [ResultTable(title, ["partition", "file", "part", "rows", "MB"], rows, 3)]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each partition."""
        names = ("unit", "start", "stop", "rows")
        return [
            {"partition": partition.number, "file": partition.file.name}
            | {name: getattr(partition, name) for name in names}
            for partition in self.plan.partitions
        ]

    def notes(self) -> list[str]:
        """That nothing was done, and how many partitions the table leaves out."""
        n_more = len(self.plan.partitions) - _MOST_ROWS
        more = [f"And {n_more:,} more partitions; --format json or csv shows all."] if n_more > 0 else []
        return [*more, "Nothing was written."]

    def to_dict(self) -> dict[str, Any]:
        """Return the files, the partitions and the number of rows."""
        files = [file.name for file in self.plan.files]
        return {"files": files, "partitions": self.records(), "rows": self.plan.rows}
