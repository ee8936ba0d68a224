"""Golden scores of tools: those of our own texts, in tests/golden, and those of texts beside the repository."""

import functools
import json
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
SHARED = TESTS.parents[1] / "shared"
OWN_TEXTS = "edge.jsonl"
OWN_FOLDER = TESTS / "golden"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared: texts that belong to others")


def read_rows(folder: str, name: str) -> list[dict]:
    """The rows of one JSONL file below ../shared."""
    return _lines(SHARED / folder / name)


@functools.cache
def data_rows(name: str) -> dict[str, dict]:
    """The rows of a data file by their id."""
    if name == OWN_TEXTS:
        return {row["id"]: row for row in _lines(TESTS / "snapshot" / name)}
    return {row["id"]: row for row in read_rows("data", name)}


def golden_rows(file: str) -> list[dict]:
    """What a tool gave: for our own texts first, then for those beside the repository, where they are."""
    return own_rows(file) + [row for row in _shared_rows(file) if row["data_file"] != OWN_TEXTS]


def own_rows(file: str, folder: Path = OWN_FOLDER) -> list[dict]:
    """What a tool gave for our own texts; a group or row that is not as it should be is named."""
    path = folder / f"{file}.json"
    rows = []
    for number, group in enumerate(json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []):
        place = f"{path.name}, group {number + 1}"
        if not (isinstance(group, dict) and group.keys() == {"setting", "rows"} and isinstance(group["rows"], dict)):
            raise ValueError(f'{place}: malformed; give {{"setting": {{...}}, "rows": {{id: row}}}}.')
        for name, row in group["rows"].items():
            if name not in data_rows(OWN_TEXTS):
                raise ValueError(f"{place}: malformed row {name!r}: no text of {OWN_TEXTS} has this id.")
            if not _is_outcome(row):
                form = '{"scores": {type: {measure: number}}} or {"error": text}'
                raise ValueError(f"{place}: malformed row {name!r}: {row!r}; give {form}.")
            rows.append({"id": name, "data_file": OWN_TEXTS, "setting": group["setting"], **row})
    return rows


def _is_outcome(row: object) -> bool:
    """Whether a row holds either what the tool's error says, or numbers by type and measure."""
    if not isinstance(row, dict) or "error" in row:
        return isinstance(row, dict) and row.keys() == {"error"} and isinstance(row["error"], str)
    scores = row.get("scores") if row.keys() == {"scores"} else None
    if scores == {"skipped": True}:
        return True
    return bool(scores) and all(
        isinstance(of_type, dict) and of_type and all(type(value) in (int, float) for value in of_type.values())
        for of_type in scores.values()
    )


def rouge155_rows() -> list[dict]:
    """What ROUGE-1.5.5 printed: for our own texts first, likewise."""
    rows = _lines(OWN_FOLDER / "rouge155.jsonl")
    own = {(row["id"], row["variant"]) for row in rows}
    return rows + [row for row in _shared_rows("rouge155") if (row["id"], row["variant"]) not in own]


def _shared_rows(file: str) -> list[dict]:
    return read_rows("golden", f"{file}.jsonl") if (SHARED / "golden" / f"{file}.jsonl").is_file() else []


def _lines(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def all_data_rows() -> list[dict]:
    """Every row of every data file."""
    return [row for path in sorted((SHARED / "data").glob("*.jsonl")) for row in read_rows("data", path.name)]
