"""Checkpoints on the command line: what save_samples has written, in the order of the steps."""

import json
from pathlib import Path

from typer.testing import CliRunner

from polyrouge.cli.commands import app

ROOT = Path(__file__).resolve().parents[2]
ROWS = [json.loads(line) for line in (ROOT / "examples" / "zh_news.jsonl").read_text("utf-8").splitlines()]


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def checkpoints(folder, steps):
    files = []
    for step in steps:
        path = folder / f"checkpoint-{step}" / "evaluation-000001.jsonl"
        path.parent.mkdir(parents=True)
        rows = [
            {"id": n, "prediction": row["prediction"][: step // 10], "references": row["references"], "rouge1": 0.5}
            for n, row in enumerate(ROWS)
        ]
        path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")
        files.append(path)
    return files


def test_files_of_checkpoints_are_shown_by_step(tmp_path):
    files = checkpoints(tmp_path, (1000, 200, 90))

    ran = run("report", *files, "-c", "zh_char", "-o", tmp_path / "r.html")

    assert ran.exit_code == 0, ran.stderr
    assert "3 checkpoints, by step: 90, 200, 1000" in ran.stderr
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "<title>checkpoint-90 / checkpoint-200 / checkpoint-1000 - ROUGE</title>" in page
    assert 'id="curves"' in page


def test_named_files_are_systems(tmp_path):
    files = checkpoints(tmp_path, (1000, 200))

    ran = run("report", *files, "-n", "late", "-n", "early", "-c", "zh_char", "-o", tmp_path / "r.html")

    assert ran.exit_code == 0, ran.stderr
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "<title>late / early - ROUGE</title>" in page
    assert 'id="curves"' not in page


def test_more_than_twelve_files_without_steps_are_refused_with_a_way_out(tmp_path):
    path = tmp_path / "same.jsonl"
    path.write_text('{"prediction": "a", "references": ["a"]}\n' * 3, "utf-8")

    ran = run("report", *[path] * 13, "-o", tmp_path / "r.html")

    assert ran.exit_code == 2
    assert "13 systems; a report has a colour for each of at most 12" in ran.stderr
    assert "a column 'step', or folders such as checkpoint-500" in " ".join(ran.stderr.split())
