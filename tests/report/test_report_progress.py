"""How far a report is: each stage is told to its end, and what is raised ends the work there."""

import itertools

import numpy as np
import pytest

from polyrouge import Rouge
from polyrouge.report.html_report import write_report

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
STAGES = ("scoring", "comparing", "sources", "slices", "writing", "examining")
WORDS = ["tide", "gauge", "harbour", "north", "wind"]
ROWS = [" ".join(WORDS[number % 5 :] + WORDS[: number % 3]) for number in range(300)]
FEW = {"rouge_types": ["rouge1"], "confidence": 0.95, "n_resamples": 100}  # the rest of the work is the same
REFERENCES = [[text[::-1], text] if number % 4 else [text] for number, text in enumerate(ROWS)]


def write(path, progress, n_systems=3, **options):
    others = {f"s{number}": [text[number:] for text in ROWS] for number in range(1, n_systems)}
    metadata = {"topic": [str(number % 7) for number in range(len(ROWS))]}
    arguments = {"rouge": Rouge(**FEW), "others": others, "metadata": metadata, "sources": ROWS, **options}
    return write_report(path, ROWS, REFERENCES, progress=progress, **arguments)


@pytest.mark.parametrize(
    ("n_systems", "options"),
    [(1, {"rouge": Rouge(confidence=0.95)}), (3, {"steps": [1, 2, 3]}), (2, {"rouge": Rouge(**FEW, interval="bca")})],
)
def test_each_stage_is_told_in_order_to_its_end(tmp_path, monkeypatch, n_systems, options):
    monkeypatch.setattr("polyrouge.scoring.resamples._DRAWS_AT_ONCE", 1 << 14)  # as if there were more rows
    calls = []

    write(tmp_path / "r.html", lambda *each: calls.append(each), n_systems, **options)

    stages = [stage for stage, _ in itertools.groupby(calls, key=lambda each: each[0])]
    assert stages == list(STAGES)
    for stage in STAGES:
        done = [n for name, n, _ in calls if name == stage]
        of = [n for name, _, n in calls if name == stage][-1]
        assert done[-1] == of, stage
        if stage in ("comparing", "slices", "examining"):
            assert max(np.diff([0, *done])) <= max(of / 2, 1), stage  # not all at the end


@pytest.mark.parametrize("stage", STAGES)
def test_what_is_raised_in_a_stage_ends_the_work_and_nothing_is_written(tmp_path, stage):
    def stop(name, *_):
        if name == stage:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        write(tmp_path / "stopped.html", stop, 2)
    assert list(tmp_path.iterdir()) == []
