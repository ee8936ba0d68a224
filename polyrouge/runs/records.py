"""What stands beside the scores: the manifest of a run, and a record of each partition that is finished."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any, NamedTuple

from polyrouge.arrow import Partial, TableScorer
from polyrouge.errors import shown_value
from polyrouge.runs.folders import Folder, checksum_of
from polyrouge.runs.plan import Plan
from polyrouge.settings.rouge_settings import RougeSettings

SCORES = "scores/part-{:06d}.parquet"
SUMMARY = "summary.json"
_RECORD = "partitions/part-{:06d}.json"
_MANIFEST = "manifest.json"
_VERSION = 2
_ELSEWHERE = "name another folder with -o, or remove this one"
_AT_ONCE = 16
_IN_MEMORY = 256  # records; with an interval one has some hundred KB


class Record(NamedTuple):
    """Of one partition. It is written after the scores: a partition with a record is finished."""

    rows: int
    checksum: str  # of the file of scores
    empty_predictions: int
    empty_references: int
    warnings: Sequence[str]
    partial: Partial


def write_json(output: Folder, name: str, data: dict[str, Any]) -> None:
    """Write a file of JSON."""
    with output.written_whole(name) as path:
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def write_record(output: Folder, number: int, record: Record) -> None:
    """Write the record of a partition."""
    partial = base64.b64encode(record.partial.to_bytes()).decode("ascii")
    write_json(output, _RECORD.format(number), {**record._asdict(), "partial": partial})


def _read_record(output: Folder, number: int, settings: RougeSettings) -> Record | None:
    """The record of a partition; None if there is none that can be read."""
    try:
        with output.open(_RECORD.format(number)) as file:
            fields = json.load(file)
        return Record(**{**fields, "partial": Partial.from_bytes(base64.b64decode(fields["partial"]), settings)})
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def read_records(
    output: Folder, n_partitions: int, settings: RougeSettings, *, check_scores: bool
) -> Iterator[Record | None]:
    """Yield the record of each partition; None if there is none, or if other scores stand in the file."""

    def read(number: int) -> Record | None:
        record = _read_record(output, number, settings)
        if record is None or not check_scores:
            return record
        try:
            with output.open(SCORES.format(number)) as file:
                return record if record.checksum == checksum_of(file) else None
        except FileNotFoundError:
            return None

    with ThreadPoolExecutor(_AT_ONCE) as threads:  # each may be a request
        for start in range(0, n_partitions, _IN_MEMORY):
            yield from threads.map(read, range(start, min(start + _IN_MEMORY, n_partitions)))


def software_of(scorer: TableScorer) -> dict[str, str]:
    """What names the versions that can move a number or a byte of a run, here; all workers must have the same."""
    libraries = ["pyarrow"] if scorer.settings.confidence is None else ["numpy", "pyarrow"]
    return {"signature": scorer.signature()} | {library: version(library) for library in libraries}


def manifest_of(plan: Plan, scorer: TableScorer, draws_by_id: bool, hits: bool, megabytes: float) -> dict[str, Any]:
    """The manifest of a run. It has no address and no time of the run, so that the same run has the same bytes."""
    columns = plan.columns._asdict()
    return {
        "version": _VERSION,
        **software_of(scorer),
        "empty_cells": columns.pop("empty_cells"),
        "columns": {name: list(value) if isinstance(value, tuple) else value for name, value in columns.items()},
        "draws_by_id": draws_by_id,
        "hits": hits,
        "partition_size": megabytes,
        "files": {file.name: {"bytes": file.size, "stamp": file.stamp} for file in plan.files},
        "partitions": [
            {"file": each.file.name, "unit": each.unit, "start": each.start, "stop": each.stop}
            for each in plan.partitions
        ],
    }


def keep_manifest(output: Folder, manifest: dict[str, Any]) -> bool:
    """Write the manifest of a new run, or compare it with that of the folder; returns whether the folder had one."""
    names = list(output.files())
    if _MANIFEST not in names:
        others = [name for name in names if not name.rpartition("/")[2].startswith(".")]
        if others:
            raise ValueError(
                f"{output.url!r} holds no run of polyrouge, but other files ({others[0]}); name a new folder with -o."
            )
        write_json(output, _MANIFEST, manifest)
        return False
    try:
        with output.open(_MANIFEST) as file:
            different = difference(json.load(file), manifest)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{output.shown(_MANIFEST)} is no manifest that can be read ({error}); {_ELSEWHERE}."
        ) from None
    if different is not None:
        raise ValueError(f"{output.url!r} holds a run with {different}; {_ELSEWHERE}.")
    return True


def difference(before: dict[str, Any], now: dict[str, Any]) -> str | None:
    """The first difference between two manifests, or parts of such, in words; None if there is none."""
    for what, value in now.items():
        if what == "files":
            for name in sorted({*before[what], *value}):
                if name not in before[what]:
                    return f"fewer files: {name!r} is new"
                if name not in value:
                    return f"more files: {name!r} is gone"
                if before[what][name] != value[name]:
                    return f"another {name!r}: the file has changed since"
        elif before[what] != value and what != "partitions":  # what is before tells how the files are cut
            return f"{what.replace('_', ' ')} {_shown(before[what], value)}, not {_shown(value, before[what])}"
    return None


def _shown(value: Any, other: Any) -> str:
    """A value of a manifest; of a signature, or of several values, what is not the same in another."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown_value(each)}" for name, each in value.items() if each != other.get(name))
    if isinstance(value, str):
        return "|".join(part for part in value.split("|") if part not in other.split("|")) or "without that"
    return repr(value)
