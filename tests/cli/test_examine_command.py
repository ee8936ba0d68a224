"""``polyrouge examine``: its numbers are those of ``examine_systems``, in every format."""

import json

import pytest
from command_runs import CHINESE, REFERENCES, ROWS
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
    return examine_systems(systems, REFERENCES, Rouge("zh_char", scale=100), most=4)


def test_json_is_what_examine_systems_gives(examination):
    printed = json.loads(run(*ARGUMENTS, "--most", 4, "-f", "json"))
    assert printed["ids"] == [row["id"] for row in ROWS]
    assert printed["warnings"] == []
    expected = json.loads(json.dumps(examination.to_dict()))
    assert {name: printed[name] for name in expected} == expected


def test_samples_without_ids_are_numbered_from_1(tmp_path):
    (tmp_path / "p.txt").write_text("a b\nc\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text("a b\nd e f g.\n", encoding="utf-8")
    shown = run("examine", tmp_path / "p.txt", "-R", tmp_path / "r.txt", "-q", "-f", "markdown")
    assert "| p | short | 1 | 2 |" in shown
    assert "by their rows, from 1" in shown
