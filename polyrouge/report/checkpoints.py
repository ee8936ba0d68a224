"""The checkpoints of a report: in the order of their steps, and of many those whose samples are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from polyrouge.comparing.checkpoints import check_steps

_Each = TypeVar("_Each")


def by_step(given: Sequence[_Each], steps: Any) -> tuple[list[_Each], list[float]]:
    """The systems in the order of their steps, and the steps.

    Raises:
        TypeError, ValueError: as ``check_steps``; or there are not as many steps as systems.
    """
    numbers = check_steps(list(steps))
    if len(numbers) != len(given):
        raise ValueError(f"{len(numbers)} steps for {len(given)} systems; give one step for each system, in order.")
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    return [given[place] for place in order], [numbers[place] for place in order]


def spread(n: int, most: int) -> list[int]:
    """Places of at most so many of n, at equal distances, with the first and the last."""
    return list(range(n)) if n <= most else np.unique(np.linspace(0, n - 1, most).round().astype(int)).tolist()
