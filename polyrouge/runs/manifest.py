"""What a run is made of: settings, versions, files and partitions. One folder holds one run."""

from __future__ import annotations

import json
from typing import Any

from polyrouge.arrow import TableScorer
from polyrouge.errors import shown_value
from polyrouge.runs.folders import Folder
from polyrouge.runs.plan import Plan
from polyrouge.runs.records import MANIFEST
from polyrouge.runs.software import software_of

_VERSION = 1
_ELSEWHERE = "name another folder with -o, or remove this one"


def manifest_of(plan: Plan, scorer: TableScorer, draws_by_id: bool, hits: bool, size: float) -> dict[str, Any]:
    """The manifest of a run: no times and no addresses, so that the same run has the same bytes anywhere.

    Args:
        plan: of the run.
        scorer: for its tables.
        draws_by_id: an interval is drawn by the column of ids.
        hits: the counts stand beside the scores.
        size: megabytes of texts in a partition, as asked for.
    """
    columns = plan.columns
    return {
        "version": _VERSION,
        "signature": scorer.signature(),
        "software": software_of(scorer.settings),
        "columns": {
            "prediction": columns.prediction,
            "references": list(columns.references),
            "id": columns.id,
            "keep": list(columns.keep),
            "as_texts": columns.as_texts,
        },
        "draws_by_id": draws_by_id,
        "empty_cells": columns.empty_cells,
        "hits": hits,
        "partition_size": size,
        "files": [{"name": file.name, "bytes": file.size, "checksum": file.checksum} for file in plan.files],
        "partitions": [
            {"file": each.file, "unit": each.unit, "start": each.start, "stop": each.stop} for each in plan.partitions
        ],
    }


def keep_manifest(output: Folder, manifest: dict[str, Any]) -> bool:
    """Write the manifest of a new run, or compare it with that of the run that was begun in this folder.

    Returns:
        Whether the folder had it.

    Raises:
        ValueError: the folder holds another run, or something else.
        OSError: it can't be written.
    """
    data = output.read(MANIFEST)
    if data is None:
        others = [name for name in output.files() if not name.rpartition("/")[2].startswith(".")]
        if others:
            raise ValueError(
                f"{output.url!r} holds no run of polyrouge, but other files ({others[0]}); name a new folder with -o."
            )
        output.write(MANIFEST, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode())
        return False
    try:
        before = json.loads(data)
        difference = _difference(before, manifest)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{output.shown(MANIFEST)} is no manifest that can be read ({error}); {_ELSEWHERE}.") from None
    if difference is not None:
        raise ValueError(f"{output.url!r} holds a run with {difference}; {_ELSEWHERE}.")
    return True


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str | None:
    """The first difference between two manifests, in words; None if there is none."""
    if before["version"] != now["version"]:
        return f"a manifest of version {before['version']}, not {now['version']}"
    for what in ("signature", "columns", "draws_by_id", "empty_cells", "hits", "partition_size"):
        if before[what] != now[what]:
            shown = what.replace("_", " ")
            return f"{shown} {_told(before[what], now[what])}, not {_told(now[what], before[what])}"
    for name in sorted({*before["software"], *now["software"]}):
        one, other = before["software"].get(name), now["software"].get(name)
        if one != other:
            return f"{name} {one}, not {other}"
    files = {each["name"]: each for each in before["files"]}
    for each in now["files"]:
        if each["name"] not in files:
            return f"fewer files: {each['name']!r} is new"
        if files.pop(each["name"]) != each:
            return f"another {each['name']!r}: the file has changed since"
    if files:
        return f"more files: {next(iter(files))!r} is gone"
    return None if before["partitions"] == now["partitions"] else "the same files cut in another way"


def _told(value: Any, other: Any) -> str:
    """A value of a manifest; of a signature, or of several values, what is not the same in another."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown_value(each)}" for name, each in value.items() if each != other.get(name))
    if isinstance(value, str) and "|" in value:
        return "|".join(part for part in value.split("|") if part not in other.split("|")) or "without that"
    return repr(value)
