"""How a row is run: with how many pairs, and on how many threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks.results import Result

__all__ = ["Row", "Setup"]


class Setup(NamedTuple):
    """What a row is given.

    Attributes:
        threads: of our side; the Rust peers get the same number by RAYON_NUM_THREADS.
        quick: take a fifth of the pairs.
    """

    threads: int = 1
    quick: bool = False

    def pairs(self, n: int) -> int:
        """So many pairs, or fewer."""
        return max(20, n // 5) if self.quick else n


class Row(NamedTuple):
    """A row of the benchmark.

    Attributes:
        run: yields its results.
        threads: the numbers of threads it is run on, each in a process of its own.
    """

    run: Callable[[Setup], Iterator[Result]]
    threads: tuple[int, ...] = (1,)
