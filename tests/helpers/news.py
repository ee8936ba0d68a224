"""The rows of the example files: news with two predictions and several references each."""

import functools
import json
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@functools.cache
def news(language: str) -> list[dict]:
    """The rows in a language: ``"en"`` or ``"zh"``."""
    return [json.loads(line) for line in (EXAMPLES / f"{language}_news.jsonl").read_text("utf-8").splitlines()]


def columns(rows: list[dict], *names: str) -> list[list]:
    """Each named column as a list."""
    return [[row[name] for row in rows] for name in names]
