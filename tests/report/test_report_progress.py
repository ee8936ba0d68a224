"""What is raised while a report tells how far it is ends the work there."""

import pytest

from polyrouge import Rouge
from polyrouge.report.html_report import write_report

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
STAGES = ("scoring", "comparing", "sources", "slices", "writing", "examining")
ROWS = ["tide gauge harbour " + "wind " * (number % 3) for number in range(30)]


@pytest.mark.parametrize("stage", STAGES)
def test_what_is_raised_in_a_stage_ends_the_work_and_nothing_is_written(tmp_path, stage):
    stages = []

    def stop(name, *_):
        stages.append(name)
        if name == stage:
            raise InterruptedError

    options = {"others": {"b": [text[1:] for text in ROWS]}, "metadata": {"topic": list("abc") * 10}, "sources": ROWS}
    with pytest.raises(InterruptedError):
        write_report(tmp_path / "r.html", ROWS, ROWS[::-1], rouge=Rouge(n_resamples=100), progress=stop, **options)
    assert tuple(dict.fromkeys(stages)) == STAGES[: STAGES.index(stage) + 1]
    assert list(tmp_path.iterdir()) == []
