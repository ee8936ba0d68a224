"""Find the training step of each evaluation file: in its rows, its folder or its name."""

import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from polyrouge.files.text_files import open_text_file

_COLUMNS = ("step", "global_step")
_CHECKPOINT = re.compile(
    r"(?:^|[^a-z])(?:checkpoint|ckpt|global_?step|steps?|iter(?:ation)?|epoch)[-_=]?(\d+)(?:\D|$)", re.IGNORECASE
)
_EVALUATION = re.compile(r"evaluation-(\d+)\.jsonl(?:\.gz)?$")  # what save_samples writes


class CheckpointFile(NamedTuple):
    """A file of a checkpoint."""

    path: str
    step: int  # for the files of ``save_samples`` in one folder: the number of the evaluation
    name: str  # the part of the path that has the step, or "step 500"


def checkpoint_files(paths: Sequence[str], **options: Any) -> list[CheckpointFile]:
    """The files of checkpoints in the order of their steps; an empty list if these are other files.

    The step is looked up in a column ``step`` or ``global_step`` (the same in all rows), then in the path
    (``checkpoint-500``, ``step_500``, ``epoch=3``; the last folder first), then in the name that ``save_samples``
    gives a file. One of these must work for all files, with a different step for each.
    """
    if len(paths) < 2 or "-" in paths:
        return []
    for step_of in (lambda path: _of_rows(path, options), _of_path, _of_evaluation):
        files = [file for file in map(step_of, paths) if file is not None]
        if len({file.step for file in files}) == len(paths):
            return sorted(files, key=lambda file: file.step)
    return []


def _of_path(path: str) -> CheckpointFile | None:
    name = Path(path).name
    for part in reversed(Path(path).parts):
        steps = _CHECKPOINT.findall(part)
        if steps:
            return CheckpointFile(path, int(steps[-1]), Path(part).stem if part == name else part)
    return None


def _of_evaluation(path: str) -> CheckpointFile | None:
    match = _EVALUATION.search(Path(path).name)
    return None if match is None else CheckpointFile(path, int(match[1]), match[0].partition(".")[0])


def _of_rows(path: str, options: dict[str, Any]) -> CheckpointFile | None:
    with closing(open_text_file(path, **options)) as file:
        column = next((name for name in _COLUMNS if name in file.columns), None)
        if column is None:
            return None
        steps = set()
        for row in file.rows([], [column]):
            steps.add(str(row.values[column]))
            if len(steps) > 1:
                return None
        (step,) = steps
    if re.fullmatch(r"\d+(?:\.0)?", step) is None:
        return None
    number = int(float(step))
    return CheckpointFile(path, number, f"step {number}")
