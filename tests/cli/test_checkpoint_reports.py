"""Checkpoints on the command line: what save_samples has written, in the order of the steps."""

import pytest
from command_runs import ROWS, run, write_rows


def checkpoints(folder, steps):
    files = []
    for step in steps:
        path = folder / f"checkpoint-{step}" / "evaluation-000001.jsonl"
        path.parent.mkdir(parents=True)
        rows = [
            {"id": n, "prediction": row["prediction"][: step // 10], "references": row["references"], "rouge1": 0.5}
            for n, row in enumerate(ROWS)
        ]
        files.append(write_rows(path, rows))
    return files


@pytest.mark.parametrize(
    ("names", "title", "has_curves"),
    [
        ((), "checkpoint-90 / checkpoint-200 / checkpoint-1000 - ROUGE", True),
        (("-n", "late", "-n", "middle", "-n", "early"), "late / middle / early - ROUGE", False),
    ],
)
def test_files_of_checkpoints_are_shown_by_step_and_named_ones_are_systems(tmp_path, names, title, has_curves):
    ran = run("report", *checkpoints(tmp_path, (1000, 200, 90)), *names, "-c", "zh_char", "-o", tmp_path / "r.html")
    assert ran.exit_code == 0, ran.stderr
    assert ("3 checkpoints, by step: 90, 200, 1000" in ran.stderr) == has_curves
    page = (tmp_path / "r.html").read_text("utf-8")
    assert f"<title>{title}</title>" in page
    assert ('id="curves"' in page) == has_curves
