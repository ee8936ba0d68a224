"""Texts and golden scores that lie beside the repository where it is developed, and are not part of it."""

import functools
import json
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared: texts that belong to others")


def read_rows(folder: str, name: str) -> list[dict]:
    """The rows of one JSONL file below ../shared."""
    with open(SHARED / folder / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@functools.cache
def data_rows(name: str) -> dict[str, dict]:
    """The rows of a data file by their id."""
    return {row["id"]: row for row in read_rows("data", name)}


def all_data_rows() -> list[dict]:
    """Every row of every data file."""
    return [row for path in sorted((SHARED / "data").glob("*.jsonl")) for row in read_rows("data", path.name)]
