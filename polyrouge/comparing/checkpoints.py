"""Compare checkpoints of a training on the same references: means by step, and samples that changed between steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.significance import score_differences
from polyrouge.comparing.systems import check_systems, result_arrays, results_on_shared_samples
from polyrouge.errors import short_repr, shown_value, warn_of
from polyrouge.metric import Rouge, as_rouge, score_inputs
from polyrouge.results import Result, ResultTable, digits_of, shown_scores
from polyrouge.scoring.aggregates import scale_scores
from polyrouge.scoring.sample_scores import Scores
from polyrouge.settings.rouge_settings import RougeSettings

_LISTED = 10  # samples on each side of a change
_F = 2  # of precision, recall, F
_LARGEST = 10**15  # step that a float holds


@dataclass(frozen=True)
class ChangedSample:
    """One sample at two checkpoints.

    Attributes:
        sample: its number, from 0.
        before: F at the earlier checkpoint, times ``scale``.
        after: F at the later checkpoint.
    """

    sample: int
    before: float
    after: float

    @property
    def difference(self) -> float:
        """``after`` - ``before``: above 0, the sample became better."""
        return self.after - self.before


@dataclass(frozen=True)
class CheckpointChange:
    """The change from one checkpoint to the next, of one type.

    Attributes:
        key: the type.
        before: step of the earlier checkpoint.
        after: step of the later checkpoint.
        better: samples on which F rose.
        worse: samples on which F fell.
        up: samples that rose most, the most first.
        down: samples that fell most.
    """

    key: str
    before: float
    after: float
    better: int
    worse: int
    up: tuple[ChangedSample, ...]
    down: tuple[ChangedSample, ...]


@dataclass(frozen=True)
class CheckpointCurves(Result):
    """The result of ``trace_checkpoints``. ``print`` and notebooks show it as tables.

    Attributes:
        steps: of the checkpoints, ascending.
        keys: the types.
        means: float64[n_steps, n_keys]: mean F times ``scale``, what ``Rouge.compute`` gives.
        low: float64[n_steps, n_keys]: lower bounds of the means' intervals; None if these means can have none.
        high: upper bounds.
        changes: one for each type and two successive checkpoints, by step.
        signature: of the settings.
    """

    steps: tuple[float, ...]
    keys: tuple[str, ...]
    means: NDArray[np.float64]
    low: NDArray[np.float64] | None
    high: NDArray[np.float64] | None
    changes: tuple[CheckpointChange, ...]
    signature: str

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return the means by step, and how many samples changed between steps.

        Args:
            digits: of scores, after the point; None: two if one is above 1, else four.
        """
        digits = digits_of(self.means) if digits is None else digits
        means = []
        for row, step in enumerate(self.steps):
            cells = [f"{step:g}"]
            for column, mean in enumerate(self.means[row]):
                cells += shown_scores([mean], digits)
                if self.low is not None and self.high is not None:
                    ends = shown_scores((self.low[row, column], self.high[row, column]), digits)
                    cells.append(f"[{', '.join(ends)}]")
            means.append(cells)
        header = [name for key in self.keys for name in ((key,) if self.low is None else (key, "interval"))]
        changes = [
            [f"{change.before:g} to {change.after:g}", change.key, change.better, change.worse]
            for change in self.changes
        ]
        return [
            ResultTable(f"{len(self.steps)} checkpoints", ["step", *header], means),
            ResultTable("Samples that changed", ["steps", "type", "better", "worse"], changes, 2),
        ]

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each checkpoint and type."""
        records = []
        for row, step in enumerate(self.steps):
            for column, key in enumerate(self.keys):
                record = {"step": step, "type": key, "mean": float(self.means[row, column])}
                if self.low is not None and self.high is not None:
                    record |= {"low": float(self.low[row, column]), "high": float(self.high[row, column])}
                records.append(record)
        return records


def trace_checkpoints(
    checkpoints: Mapping[float, Any], references: Any, rouge: Rouge | str | None = None
) -> CheckpointCurves:
    """Score checkpoints of a training on the same references.

    Args:
        checkpoints: step to predictions, as for ``Rouge.compute``; two or more, in any order.
        references: as for ``Rouge.compute``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None. Means have intervals at its ``confidence``, 95%
            if it has none.

    Returns:
        Means by step with intervals, and the samples that changed most from one step to the next.

    Raises:
        TypeError, ValueError: as ``Rouge.compute``; fewer than two checkpoints, or a step that is no number.
    """
    rouge = as_rouge(rouge)
    if not isinstance(checkpoints, Mapping):
        raise TypeError(
            f"checkpoints is {shown_value(checkpoints)}; give a mapping from the step of each to its predictions."
        )
    steps = check_steps(list(checkpoints))
    samples = [
        score_inputs(inputs, rouge.settings, rouge.run) for inputs in check_systems(checkpoints, references).values()
    ]
    curves, messages = trace_samples(steps, samples, rouge.settings)
    warn_of(messages)
    return curves


def check_steps(steps: Sequence[Any]) -> list[float]:
    """Check the steps of two or more checkpoints, which must be different finite numbers."""
    for step in steps:
        if isinstance(step, bool) or not isinstance(step, (int, float, np.integer, np.floating)):
            raise TypeError(
                f"A step is {shown_value(step)}; give the number of steps after which the checkpoint was saved."
            )
    numbers = [step.item() if isinstance(step, np.generic) else step for step in steps]
    wrong = [step for index, step in enumerate(numbers) if step in numbers[:index] or not abs(step) < _LARGEST]
    if wrong:
        raise ValueError(
            f"The step {short_repr(wrong[0])} is given twice or is not finite; each checkpoint needs a step of its own."
        )
    if len(numbers) < 2:
        raise ValueError(f"{len(numbers)} checkpoint; give two or more, each with its step.")
    return numbers


def trace_samples(
    steps: Sequence[float], samples: Sequence[Scores], settings: RougeSettings
) -> tuple[CheckpointCurves, list[str]]:
    """Trace checkpoints by their scores; also return warnings."""
    order = sorted(range(len(steps)), key=steps.__getitem__)
    steps, samples = [steps[index] for index in order], [samples[index] for index in order]
    settings = settings.replace(use_aggregator=True, output="fmeasure")
    if settings.confidence is None and settings.aggregate != "micro":
        settings = settings.replace(confidence=0.95)
    results, messages = results_on_shared_samples(samples, settings)
    keys = settings.rouge_types
    means, low, high = result_arrays(results, keys)
    if f"{keys[0]}_low" not in results[0]:
        low = high = None
    scaled = [scale_scores(checkpoint.scores, settings.result_rules)[:, :, _F] for checkpoint in samples]
    changes = tuple(
        _change(key, steps[index], steps[index + 1], earlier[:, column], later[:, column])
        for index, (earlier, later) in enumerate(pairwise(scaled))
        for column, key in enumerate(keys)
    )
    curves = CheckpointCurves(tuple(steps), keys, means, low, high, changes, settings.signature())
    return curves, list(dict.fromkeys(messages))  # once for all checkpoints


def _change(
    key: str, step: float, next_step: float, before: NDArray[np.float64], after: NDArray[np.float64]
) -> CheckpointChange:
    differences = np.nan_to_num(score_differences(after, before))

    def listed(sign: int) -> tuple[ChangedSample, ...]:
        rows = np.argsort(-sign * differences, kind="stable")[:_LISTED].tolist()
        return tuple(
            ChangedSample(row, float(before[row]), float(after[row])) for row in rows if sign * differences[row] > 0
        )

    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    return CheckpointChange(key, step, next_step, better, worse, listed(1), listed(-1))
