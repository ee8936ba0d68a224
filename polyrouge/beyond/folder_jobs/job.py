"""A run: plan, manifest, open partitions, and summary."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from polyrouge.beyond.arrow.partials import Partial, merged_partial
from polyrouge.beyond.arrow.scorer import TableScorer
from polyrouge.beyond.folder_jobs.engines import ENGINES
from polyrouge.beyond.folder_jobs.plan import (
    SIZE,
    Columns,
    Folder,
    Partition,
    Plan,
    complete_columns,
    input_files,
    open_file,
    plan_partitions,
)
from polyrouge.beyond.folder_jobs.worker import (
    PREDICTION,
    REFERENCES,
    Job,
    Outcome,
    Record,
    difference,
    read_records,
    software_of,
    write_json,
)
from polyrouge.errors import Option, RefusedValue, unknown_value
from polyrouge.files.table import EMPTY_CELLS, InputFileError
from polyrouge.inputs import EmptyTexts
from polyrouge.metric import Rouge

_SUMMARY = "summary.json"
_MANIFEST = "manifest.json"
_VERSION = 3
_ELSEWHERE = "name another folder with -o, or remove this one"


@dataclass(frozen=True)
class Summary:
    """The result of a run; ``scores`` as of ``Rouge.compute``; warnings begin with the file's name."""

    scores: dict[str, float]
    rows: int
    empty_texts: EmptyTexts
    files: list[str]
    warnings: list[str]


@dataclass(frozen=True)
class Run:
    """A plan with everything that a run needs."""

    input: Folder
    output: Folder
    plan: Plan
    manifest: dict[str, Any]
    scorer: TableScorer
    guesses: list[str]  # which columns were guessed, in sentences
    other_files: list[str]  # files whose format is unknown

    @property
    def job(self) -> Job:
        """What a worker must know besides its partition."""
        return Job(self.input.url, self.output.url, self.plan.columns, self.scorer, software_of(self.scorer))

    def begin(self) -> list[Partition]:
        """Write or compare the manifest; returns the partitions to score."""
        if not _has_manifest(self.output, self.manifest):
            return self.plan.partitions
        return [partition for partition, record in self._records() if record is None]

    def score(self, partitions: Sequence[Partition], engine: str, workers: int) -> Iterator[Outcome]:
        """Score partitions on one of ``ENGINES``; yields outcomes as they come."""
        with closing(ENGINES[engine](self.job, partitions, workers)) as outcomes:
            for outcome in outcomes:
                if outcome.error is not None:
                    more = "finished partitions are kept: fix this, then run the same command again."
                    raise RefusedValue(*outcome.error, f" (Partition {outcome.number}; {more})")
                yield outcome

    def _records(self) -> Iterator[tuple[Partition, Record | None]]:
        return read_records(self.output, self.plan.partitions, self.scorer.settings, self.scorer.signature())

    def finish(self, summary: Callable[[Summary], str]) -> Summary:
        """Add up the partitions and write the summary as the text that ``summary`` returns."""
        partials: list[Partial] = []  # those so far as one
        empty_predictions = empty_references = 0
        warnings: dict[str, None] = {}
        for partition, record in self._records():
            if record is None:
                raise ValueError(
                    f"Partition {partition.number} ({partition.file.name}) is missing from {self.output.url!r}, or was "
                    "changed there: run the same command again to score it."
                )
            partials = [merged_partial([*partials, record.partial])]
            empty_predictions += record.empty_predictions
            empty_references += record.empty_references
            warnings |= dict.fromkeys(f"{partition.file.name}: {warning}" for warning in record.warnings)
        empty = EmptyTexts((empty_predictions,), empty_references)
        total = merged_partial(partials)
        files = [file.name for file in self.plan.files]
        result = Summary(total.result(), total.n_samples, empty, files, list(warnings))
        with self.output.atomic_write(_SUMMARY) as path:
            path.write_text(summary(result), encoding="utf-8")
        self.output.remove_unfinished()
        return result


def planned_run(
    source: str,  # path or address of a folder or a file
    target: str,
    rouge: Rouge,
    columns: Columns,
    *,
    hits: bool = False,
    partition_size: float = SIZE,  # megabytes
) -> Run:
    """Look at the files and plan a run; writes nothing."""
    if columns.empty_cells not in EMPTY_CELLS:
        raise unknown_value(columns.empty_cells, EMPTY_CELLS, Option("empty_cells"))
    if not 0 < partition_size < float("inf"):
        raise RefusedValue(Option("partition_size"), f" is {partition_size}; give megabytes, more than 0.")
    folder, files, other_files = input_files(source)
    output = Folder(target)
    if output.is_local == folder.is_local and f"{output.real_path}/".startswith(f"{Folder(source).real_path}/"):
        raise ValueError(f"The output folder {output.url!r} lies in the folder of the texts; choose one outside of it.")
    with closing(open_file(folder, files[0], columns.empty_cells)) as first:
        columns, guesses = complete_columns(first, columns)
    plan = plan_partitions(folder, files, columns, partition_size)
    if not plan.partitions:
        raise InputFileError(f"{folder.url!r}: the files have no rows.")
    of_worker = Rouge.of(rouge.settings, replace(rouge.run, threads=1))  # which has one processor
    scorer = TableScorer(of_worker, prediction=PREDICTION, reference=REFERENCES, keep=columns.kept, hits=hits)
    Partial(scorer.settings)  # refuses settings whose results can't be added up
    manifest = _manifest_of(plan, scorer, hits, partition_size)
    return Run(folder, output, plan, manifest, scorer, guesses, other_files)


def _manifest_of(plan: Plan, scorer: TableScorer, hits: bool, megabytes: float) -> dict[str, Any]:
    """Return the manifest, without address and time, so that the same run has the same bytes."""
    columns = plan.columns._asdict()
    return {
        "version": _VERSION,
        **software_of(scorer),
        "empty_cells": columns.pop("empty_cells"),
        "columns": {name: list(value) if isinstance(value, tuple) else value for name, value in columns.items()},
        "hits": hits,
        "partition_size": megabytes,
        "files": {file.name: {"bytes": file.size, "stamp": file.stamp} for file in plan.files},
        "partitions": [
            {"file": partition.file.name, "unit": partition.unit, "start": partition.start, "stop": partition.stop}
            for partition in plan.partitions
        ],
    }


def _has_manifest(output: Folder, manifest: dict[str, Any]) -> bool:
    """Write the manifest of a new run, or compare it with the folder's; returns whether the folder had one."""
    names = list(output.files())
    if _MANIFEST not in names:
        visible = [name for name in names if not name.rpartition("/")[2].startswith(".")]
        if visible:
            raise ValueError(
                f"{output.url!r} holds no run of polyrouge, but other files ({visible[0]}); name a new folder with -o."
            )
        write_json(output, _MANIFEST, manifest)
        return False
    try:
        with output.open(_MANIFEST) as file:
            different = difference(json.load(file), manifest)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{output.address_of(_MANIFEST)} is no manifest that can be read ({error}); {_ELSEWHERE}."
        ) from None
    if different is not None:
        raise ValueError(f"{output.url!r} holds a run with {different}; {_ELSEWHERE}.")
    return True
