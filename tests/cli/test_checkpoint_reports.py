"""Checkpoints on the command line: what save_samples has written, in the order of the steps."""

import pytest
from command_runs import ROWS, run, write_rows

from polyrouge.cli.report_commands import _checkpoints


@pytest.mark.parametrize(
    ("names", "title", "has_curves"),
    [
        ((), "checkpoint-90 / checkpoint-200 / checkpoint-1000 - ROUGE", True),
        (("-n", "late", "-n", "middle", "-n", "early"), "late / middle / early - ROUGE", False),
        (("-p", "prediction") * 3, "checkpoint-1000 / checkpoint-200 / checkpoint-90 - ROUGE", False),
    ],
)
def test_files_of_checkpoints_are_shown_by_step_and_named_ones_are_systems(tmp_path, names, title, has_curves):
    files = []
    for step in (1000, 200, 90):
        (tmp_path / f"checkpoint-{step}").mkdir()
        rows = [{**row, "id": n, "prediction": row["prediction"][: step // 10]} for n, row in enumerate(ROWS)]
        files.append(write_rows(tmp_path / f"checkpoint-{step}" / "evaluation-000001.jsonl", rows))
    ran = run("report", *files, *names, "-c", "zh_char", "-o", tmp_path / "r.html")
    assert ran.exit_code == 0, ran.stderr
    assert ("3 checkpoints, by step: 90, 200, 1000" in ran.stderr) == has_curves
    page = (tmp_path / "r.html").read_text("utf-8")
    assert f"<title>{title}</title>" in page
    assert ('id="curves"' in page) == has_curves


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["checkpoint-1000/s.jsonl", "checkpoint-200/s.jsonl"], [(200, "checkpoint-200"), (1000, "checkpoint-1000")]),
        (["a_step_20.jsonl", "a_step_3.jsonl"], [(3, "step_3"), (20, "step_20")]),
        (["lr2/Epoch=3/x.jsonl", "lr2/Epoch=10/x.jsonl"], [(3, "Epoch=3"), (10, "Epoch=10")]),
        (
            ["samples/evaluation-000010.jsonl", "samples/evaluation-000002.jsonl"],
            [(2, "evaluation-000002"), (10, "evaluation-000010")],
        ),
        (["checkpoint-5/a.jsonl", "checkpoint-5/b.jsonl"], []),  # two systems at one step
        (["checkpoint-5/a.jsonl", "other/a.jsonl"], []),
        (["footstep9.jsonl", "footstep10.jsonl"], []),
        (["checkpoint-5/a.jsonl"], []),
    ],
)
def test_steps_stand_in_paths(paths, expected):
    found = _checkpoints(paths)

    assert [each[:2] for each in found] == expected
    assert all(name in path in paths for _, name, path in found)
