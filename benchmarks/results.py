"""The results of a row of the benchmark, and how the process that measured them hands them over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

__all__ = [
    "Comparison",
    "Fact",
    "Result",
    "Run",
    "keep_run",
    "read_results",
    "read_run",
    "short_number",
    "write_results",
]


@dataclass(frozen=True)
class Comparison:
    """Our time beside a peer's for the same work.

    Attributes:
        row: name of the row.
        work: what was done.
        texts: on which texts.
        n: how many pairs (or texts) our side did.
        threads: threads of both sides.
        peer: the package that ours is compared with.
        ours: median of our times, in units.
        theirs: median of theirs.
        ratio: how many times faster we are: the median of the ratios of single rounds.
        floor: what the ratio must reach; None if there is no floor.
        unit: of the times.
    """

    row: str
    work: str
    texts: str
    n: int
    threads: int
    peer: str
    ours: float
    theirs: float
    ratio: float
    floor: float | None = None
    unit: str = "µs a pair"

    @property
    def holds(self) -> bool | None:
        """Whether the floor is reached; None if there is none."""
        return None if self.floor is None else self.ratio >= self.floor


@dataclass(frozen=True)
class Fact:
    """A number that was measured, and perhaps has a limit.

    Attributes:
        row: name of the row.
        what: what was measured.
        value: the number.
        unit: its unit.
        limit: the most that it may be; None if there is no limit.
    """

    row: str
    what: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the limit is kept; None if there is none."""
        return None if self.limit is None else self.value <= self.limit


Result = Comparison | Fact
_KINDS: dict[str, type[Comparison] | type[Fact]] = {"comparison": Comparison, "fact": Fact}


def write_results(results: Iterable[Result], path: Path) -> None:
    """Write results as JSON lines, each as soon as it is there."""
    with open(path, "w", encoding="utf-8") as lines:
        for result in results:
            kind: Literal["comparison", "fact"] = "comparison" if isinstance(result, Comparison) else "fact"
            lines.write(json.dumps({"kind": kind, **asdict(result)}) + "\n")
            lines.flush()


def read_results(path: Path) -> list[Result]:
    """The results that ``write_results`` wrote."""
    return _parsed(path.read_text(encoding="utf-8").splitlines())


def _parsed(lines: Iterable[str]) -> list[Result]:
    rows = [json.loads(line) for line in lines]
    return [_KINDS[row.pop("kind")](**row) for row in rows]


@dataclass(frozen=True)
class Run:
    """The results of the newest run of a row, as the repository keeps them.

    Attributes:
        date: of the run, as in 2026-11-30.
        machine: processor, system and versions.
        results: what it found.
    """

    date: str
    machine: str
    results: Sequence[Result]


def keep_run(found: Path, date: str, machine: str, path: Path) -> None:
    """Write the run whose results ``write_results`` wrote to a file."""
    head = json.dumps({"date": date, "machine": machine}, ensure_ascii=False)
    path.write_text(f"{head}\n{found.read_text(encoding='utf-8')}", encoding="utf-8")


def read_run(path: Path) -> Run:
    """The run that ``keep_run`` wrote."""
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    return Run(**json.loads(head), results=_parsed(lines))


def short_number(value: float) -> str:
    """Two decimals below 10, one below 100, none above."""
    return f"{value:,.{2 if value < 10 else 1 if value < 100 else 0}f}"
