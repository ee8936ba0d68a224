"""``polyrouge score FOLDER --run-on ...``: a folder of files to a folder of scores, partition by partition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields

from polyrouge.cli.command_options import Folders, Inputs, Output
from polyrouge.cli.command_running import announce, emit, progress_bar, shows_progress
from polyrouge.errors import unknown_value
from polyrouge.runs.engines import ENGINES
from polyrouge.runs.plan import MEGABYTE, SIZE, Columns, Partition
from polyrouge.runs.run import Run, Summary, planned_run
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tables.formats import Cell, Report, ResultTable, render
from polyrouge.tables.scores import score_report

_SHOWN = 10  # partitions in a plan


def score_folder(
    source: str, settings: RougeSettings, folders: Folders, inputs: Inputs, out: Output, output_format: str, quiet: bool
) -> None:
    """Score a folder, or go on where a run was ended, and print its summary.

    Raises:
        ValueError: what was given is not allowed, or a file or a row can't be scored.
        OSError: the target can't be written.
    """
    if folders.run_on is None:
        given = next(field.name for field in fields(folders) if getattr(folders, field.name))
        raise ValueError(
            f"--{given.replace('_', '-')} is for folders, which --run-on {'|'.join(ENGINES)} scores; give both."
        )
    if folders.run_on not in ENGINES:
        raise unknown_value(folders.run_on, list(ENGINES), "engine for --run-on")
    if out.save is None:
        raise ValueError("--run-on writes a folder of scores; name it with -o FOLDER.")
    run = planned_run(
        source,
        out.save,
        settings,
        columns=Columns(
            inputs.prediction_column[0] if inputs.prediction_column else "",
            tuple(inputs.reference_column or ()),
            inputs.id_column,
            tuple(folders.keep or ()),
            inputs.empty_cells,
        ),
        hits=folders.hits,
        partition_size=SIZE if folders.partition_size is None else folders.partition_size,
    )
    for guess in run.guesses:
        announce(f"guessed: {guess}", quiet)
    if run.left_out:
        announce(f"left out, as no format is known by their names: {', '.join(run.left_out[:5])}", quiet)
    workers = folders.workers or 0
    if folders.dry_run:
        emit(_plan_report(run), output_format, None)
        return
    _score_what_is_left(run, folders.run_on, workers, quiet)

    def report_of(found: Summary) -> Report:
        return score_report(
            found.scores,
            run.settings,
            title="summary",
            n_samples=found.rows,
            empty_texts=found.empty_texts,
            digits=out.digits,
            details={"files": found.files},
            heard=found.warnings,
        )

    found = run.finish(lambda found: render(report_of(found), "json"))
    for warning in found.warnings:
        announce(f"warning: {warning}", quiet)
    emit(report_of(found), output_format, None)


def _score_what_is_left(run: Run, engine: str, workers: int, quiet: bool) -> None:
    left = run.begin()
    n_partitions = len(run.plan.partitions)
    done = n_partitions - len(left)
    announce(f"{n_partitions:,} partitions" + (f", of which {done:,} were finished before" if done else ""), quiet)
    if not left:
        return
    with _bar(left, n_partitions, quiet) as update:
        for outcome in run.score(left, engine, workers):
            update(outcome.number, outcome.rows)


@contextmanager
def _bar(left: Sequence[Partition], n_partitions: int, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr if that is a terminal; yields what moves it on."""
    if not shows_progress(quiet):
        yield lambda _number, _rows: None
        return
    sizes = {each.number: each.size for each in left}
    n_parts, n_rows = n_partitions - len(left), 0
    with progress_bar("{task.fields[parts]:,}/{task.fields[all]:,} partitions, {task.fields[rows]:,} rows") as bar:
        task = bar.add_task("", total=sum(sizes.values()), rows=0, parts=n_parts, all=n_partitions)

        def update(number: int, rows: int) -> None:
            nonlocal n_parts, n_rows
            n_parts, n_rows = n_parts + 1, n_rows + rows
            bar.update(task, advance=sizes[number], rows=n_rows, parts=n_parts)

        yield update


def _plan_report(run: Run) -> Report:
    """What a run would do."""
    plan = run.plan
    records = [
        {
            "partition": each.number,
            "file": each.file.name,
            "unit": each.unit,
            "start": each.start,
            "stop": each.stop,
            "rows": each.rows,
        }
        for each in plan.partitions
    ]
    shown = [
        [
            Cell(str(each.number)),
            Cell(each.file.name),
            Cell("all of it" if each.unit == "file" else f"{each.unit} {each.start:,} to {each.stop:,}"),
            Cell("" if each.rows is None else f"{each.rows:,}"),
            Cell(f"{each.size / MEGABYTE:,.1f}"),
        ]
        for each in plan.partitions[:_SHOWN]
    ]
    title = f"{len(plan.files):,} files, {len(plan.partitions):,} partitions"
    if plan.rows is not None:
        title += f", {plan.rows:,} rows"
    notes = ["Nothing was written."]
    if len(plan.partitions) > _SHOWN:
        notes.insert(0, f"And {len(plan.partitions) - _SHOWN:,} more partitions; --format json or csv shows all.")
    data = {"files": [file.name for file in plan.files], "partitions": records, "rows": plan.rows}
    table = ResultTable(title, ["partition", "file", "part", "rows", "MB"], shown, 3)
    return Report(data, records, [table], run.scorer.signature(), notes)
