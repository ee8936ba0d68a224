"""``polyrouge examine``: its numbers are those of ``examine_systems``, in every format."""

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from polyrouge import Rouge, examine_systems
from polyrouge.cli.commands import app

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "examples" / "zh_news.jsonl"
ROWS = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
NAMES = ("prediction", "prediction_b")
GIVEN = ("examine", str(PATH), "-p", NAMES[0], "-p", NAMES[1], "-c", "zh_char", "-q")


def run(*arguments):
    ran = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def found():
    systems = {name: [row[name] for row in ROWS] for name in NAMES}
    return examine_systems(systems, [row["references"] for row in ROWS], Rouge("zh_char"), most=4)


def test_json_is_what_examine_systems_gives(found):
    printed = json.loads(run(*GIVEN, "--most", 4, "-f", "json"))

    assert printed["ids"] == [row["id"] for row in ROWS]
    assert printed["warnings"] == []
    assert {name: printed[name] for name in found.to_dict()} == json.loads(json.dumps(found.to_dict()))


def test_a_line_of_csv_is_a_number_of_the_examination(found):
    lines = list(csv.DictReader(io.StringIO(run(*GIVEN, "--most", 4, "-f", "csv"))))

    for system in found.systems:
        for totals in system.units:
            for kind in ("missed", "added"):
                mine = [
                    (line["what"], int(line["count"]), int(line["total"]), int(line["samples"]))
                    for line in lines
                    if (line["kind"], line["system"], line["key"]) == (kind, system.system, totals.key)
                ]
                assert mine == [
                    (" ".join(each.tokens), each.count, each.total, each.n_samples) for each in getattr(totals, kind)
                ]
        faults = {
            line["what"]: line["count"] for line in lines if (line["kind"], line["system"]) == ("fault", system.system)
        }
        assert faults == {each.kind: str(each.n_samples) if each.applies else "" for each in system.faults}
    for moved in found.moved:
        for kind, units in (("gained", moved.units_gained), ("lost", moved.units_lost)):
            mine = [
                (line["what"], int(line["count"]), line["second"])
                for line in lines
                if (line["kind"], line["key"]) == (kind, moved.key)
            ]
            assert mine == [(" ".join(each.tokens), each.difference, moved.second) for each in units]


@pytest.mark.parametrize("output_format", ["table", "markdown", "latex"])
def test_tables_name_the_first_samples(found, output_format):
    shown = run(*GIVEN, "--most", 4, "-f", output_format)

    most = found.systems[1].units[0].missed[0]
    (line,) = [
        line for line in shown.splitlines() if f"{most.count}" in line and most.tokens[0] in line and "missed" in line
        and str(most.total) in line and ROWS[most.samples[0]]["id"] in line
    ]  # fmt: skip
    assert all(ROWS[row]["id"] in line for row in most.samples[:3])
    assert "10 gained" not in shown
    assert f"{found.moved[0].gained} gained, {found.moved[0].lost} lost" in shown


def test_samples_without_ids_are_numbered_from_1(tmp_path):
    (tmp_path / "p.txt").write_text("a b\nc\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text("a b\nd e f g.\n", encoding="utf-8")

    shown = run("examine", tmp_path / "p.txt", "-R", tmp_path / "r.txt", "-q", "-f", "markdown")

    assert "| p | short | 1 | 2 |" in shown
    assert "by their rows, from 1" in shown


def test_it_stands_in_the_group_of_what_is_looked_at():
    shown = run("--help")

    assert shown.index(" Look ") < shown.index(" examine ") < shown.index(" Settings and setup ")
