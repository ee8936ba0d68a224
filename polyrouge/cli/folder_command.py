"""``polyrouge score FOLDER --run-on ...``: a folder of files to a folder of scores, partition by partition."""

from dataclasses import replace

from polyrouge.cli.command_options import Folders, Inputs, Output
from polyrouge.cli.command_running import announce, progress_bar
from polyrouge.errors import unknown_value
from polyrouge.folder_jobs.engines import ENGINES
from polyrouge.folder_jobs.job import Run, Summary, planned_run
from polyrouge.folder_jobs.plan import MEGABYTE, SIZE, Columns
from polyrouge.metric import Rouge
from polyrouge.result_table import ResultTable
from polyrouge.tables.formats import Report, render
from polyrouge.tables.score_tables import score_report

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
        printing.emit(_plan_report(run))
        return
    _score_todo(run, folders.run_on, folders.workers or 0, quiet)

    def report_of(summary: Summary) -> Report:
        return score_report(
            summary.scores,
            rouge.settings,
            title="summary",
            n_samples=summary.rows,
            empty_texts=summary.empty_texts,
            digits=out.digits,
            details={"files": summary.files},
            warnings=summary.warnings,
        )

    summary = run.finish(lambda summary: render(report_of(summary), "json"))
    for warning in summary.warnings:
        announce(f"warning: {warning}", quiet)
    printing.emit(report_of(summary))


def _score_todo(run: Run, engine: str, workers: int, quiet: bool) -> None:
    todo = run.begin()
    n_partitions = len(run.plan.partitions)
    parts, rows = n_partitions - len(todo), 0
    announce(f"{n_partitions:,} partitions" + (f", of which {parts:,} were finished before" if parts else ""), quiet)
    if not todo:
        return
    sizes, done = {each.number: each.size for each in todo}, 0
    total = sum(sizes.values())
    with progress_bar(f"{parts:,}/{n_partitions:,} partitions, 0 rows", quiet, total) as show:
        for outcome in run.score(todo, engine, workers):
            parts, rows, done = parts + 1, rows + outcome.rows, done + sizes[outcome.number]
            if show:
                show(f"{parts:,}/{n_partitions:,} partitions, {rows:,} rows", done, total)


def _plan_report(run: Run) -> Report:
    """What a run would do."""
    plan = run.plan
    names = ("unit", "start", "stop", "rows")
    records = [
        {"partition": each.number, "file": each.file.name, **{name: getattr(each, name) for name in names}}
        for each in plan.partitions
    ]
    rows = []
    for each in plan.partitions[:_MOST_ROWS]:
        part = "all of it" if each.unit == "file" else f"{each.unit} {each.start:,} to {each.stop:,}"
        n_rows = "" if each.rows is None else f"{each.rows:,}"
        rows.append([each.number, each.file.name, part, n_rows, f"{each.size / MEGABYTE:,.1f}"])
    title = f"{len(plan.files):,} files, {len(plan.partitions):,} partitions"
    if plan.rows is not None:
        title += f", {plan.rows:,} rows"
    notes = ["Nothing was written."]
    if len(plan.partitions) > _MOST_ROWS:
        notes.insert(0, f"And {len(plan.partitions) - _MOST_ROWS:,} more partitions; --format json or csv shows all.")
    data = {"files": [file.name for file in plan.files], "partitions": records, "rows": plan.rows}
    table = ResultTable(title, ["partition", "file", "part", "rows", "MB"], rows, 3)
    return Report(data, records, [table], run.scorer.signature(), notes)
