"""``polyrouge examine``: its numbers are those of ``examine_systems``, in every format."""

import json

import pytest
from command_runs import CHINESE, REFERENCES, ROWS, csv_rows
from command_runs import run as run_command

from polyrouge import Rouge, examine_systems

NAMES = ("prediction", "prediction_b")
ARGUMENTS = ("examine", CHINESE, "-p", NAMES[0], "-p", NAMES[1], "-c", "zh_char", "-q")


def run(*arguments):
    ran = run_command(*arguments)
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def examination():
    systems = {name: [row[name] for row in ROWS] for name in NAMES}
    return examine_systems(systems, REFERENCES, Rouge("zh_char"), most=4)


def test_json_is_what_examine_systems_gives(examination):
    printed = json.loads(run(*ARGUMENTS, "--most", 4, "-f", "json"))
    assert printed["ids"] == [row["id"] for row in ROWS]
    assert printed["warnings"] == []
    expected = json.loads(json.dumps(examination.to_dict()))
    assert {name: printed[name] for name in expected} == expected


def test_a_line_of_csv_is_a_number_of_the_examination(examination):
    lines = csv_rows(run(*ARGUMENTS, "--most", 4, "-f", "csv"))

    def of(kind, **columns):
        return [line for line in lines if {"kind": kind, **columns}.items() <= line.items()]

    for system in examination.systems:
        for totals in system.units:
            for kind in ("missed", "added"):
                assert [
                    (line["what"], int(line["count"]), int(line["total"]), int(line["samples"]))
                    for line in of(kind, system=system.system, key=totals.key)
                ] == [(" ".join(each.tokens), each.count, each.total, each.n_samples) for each in getattr(totals, kind)]
        faults = {line["what"]: line["count"] for line in of("fault", system=system.system)}
        assert faults == {each.kind: str(each.n_samples) if each.applies else "" for each in system.faults}
    for moved in examination.moved:
        for kind, units in (("gained", moved.units_gained), ("lost", moved.units_lost)):
            assert [(line["what"], int(line["count"]), line["second"]) for line in of(kind, key=moved.key)] == [
                (" ".join(each.tokens), each.difference, moved.second) for each in units
            ]


@pytest.mark.parametrize("output_format", ["table", "markdown", "latex"])
def test_tables_name_the_first_samples(examination, output_format):
    shown = run(*ARGUMENTS, "--most", 4, "-f", output_format)
    most = examination.systems[1].units[0].missed[0]
    parts = [str(most.count), str(most.total), most.tokens[0], "missed", *(ROWS[row]["id"] for row in most.samples[:3])]
    assert len([line for line in shown.splitlines() if all(part in line for part in parts)]) == 1
    assert "10 gained" not in shown
    assert f"{examination.moved[0].gained} gained, {examination.moved[0].lost} lost" in shown


def test_samples_without_ids_are_numbered_from_1(tmp_path):
    (tmp_path / "p.txt").write_text("a b\nc\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text("a b\nd e f g.\n", encoding="utf-8")
    shown = run("examine", tmp_path / "p.txt", "-R", tmp_path / "r.txt", "-q", "-f", "markdown")
    assert "| p | short | 1 | 2 |" in shown
    assert "by their rows, from 1" in shown
