"""Writes conformance.json: inputs and expected outputs, which a port in another language is held against.

python tests/conformance/conformance.py, from the root of a clone
"""

import json
import sys
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "helpers"))

from catalogue_cases import read_catalogue  # noqa: E402

from polyrouge import Rouge, RougeWarning  # noqa: E402
from polyrouge.settings.rouge_settings import grouped  # noqa: E402

FILE = HERE / "conformance.json"
CONVENTIONS = ["default", "zh_char", "rouge_score", "rouge_chinese", "pltrdy"]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def catalogue_cases() -> list[dict[str, Any]]:
    """Those whose texts JSON has: by hand, the score of each sample, or that it is refused, in whatever words."""
    cases = []
    for case in read_catalogue()[1]:
        expected = case.expected("compute")
        texts = {name: case.written.get(name) for name in ("predictions", "references")}
        outcome = (
            {"refuses": True}
            if "says" in expected
            else {"means" if "means" in expected else "scores": case.expected_scores("compute")}
        )
        row = {"id": f"{case.group}: {case.name}", **texts, "settings": grouped(case.settings), **outcome}
        row["convention"] = case.written.get("convention", "default")
        if (
            "compute" in case.not_at
            or None in texts.values()
            or not any(row.get(name) for name in ("scores", "means", "refuses"))
        ):
            continue
        try:  # a value with a tag is a tuple, which JSON would take for a list
            if json.loads(json.dumps(row)) == row:
                cases.append(row)
        except TypeError:
            continue
    return cases


def edge_cases() -> list[dict[str, Any]]:
    """Our edge texts: F of each type under conventions that need no other package, in units of 1."""
    rows = _rows(HERE.parent / "snapshot/edge.jsonl")
    columns = [row["prediction"] for row in rows], [row["references"] for row in rows]
    scores = {name: Rouge(name, scale=1, round_result=None).score(*columns) for name in CONVENTIONS}
    return [
        {"id": row["id"], "prediction": row["prediction"], "references": row["references"]}
        | {"scores": {name: {key: column[i] for key, column in of.items()} for name, of in scores.items()}}
        for i, row in enumerate(rows)
    ]


def rouge155_cases() -> list[dict[str, Any]]:
    """What ROUGE-1.5.5 printed for our own texts; tests/compat/rouge155/test_golden.py holds the package to it."""
    names = ("id", "variant", "prediction", "references", "argv", "scores")
    return [{name: row[name] for name in names} for row in _rows(HERE.parent / "compat/rouge155/rouge155_rows.jsonl")]


def contents() -> dict[str, Any]:
    """The whole file."""
    return {"version": 1, "catalogue": catalogue_cases(), "edge": edge_cases(), "rouge155": rouge155_cases()}


def written() -> str:
    """As JSON in ASCII, since some texts are lone surrogates; a case a line."""
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in contents().items()
        if name != "version"
    ]
    return '{"version": 1,\n' + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    warnings.simplefilter("ignore", RougeWarning)
    FILE.write_text(written(), encoding="utf-8")
