"""Run one row in this process and write its results to a file: name, file, threads, ``quick`` or nothing."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from benchmarks.results import write_results
from benchmarks.rows import ROWS
from benchmarks.setup import Setup
from polyrouge import RougeWarning


def main() -> None:
    """Run the row that the arguments name."""
    name, file, threads, *quick = sys.argv[1:]
    warnings.simplefilter("ignore", RougeWarning)  # one-sentence texts are meant here
    write_results(ROWS[name].run(Setup(int(threads), quick=bool(quick))), Path(file))


if __name__ == "__main__":
    main()
