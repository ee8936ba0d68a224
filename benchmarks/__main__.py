"""Run the rows of the benchmark, each in processes of its own; print and write the tables, the documents' too.

What a row found is kept in the folder ``results`` until it is run again, so that ``--only`` renews its part of
the tables and leaves the rest as it is. ``--quick`` prints and keeps nothing.
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import peers
from benchmarks.document_tables import DOCUMENTS, document_text
from benchmarks.report import machine, markdown, print_results
from benchmarks.results import Result, keep_run, read_results, read_run
from benchmarks.rows import ROWS

_HERE = Path(__file__).resolve().parent
_KEPT = _HERE / "results"
_THREAD_VARIABLES = ("RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def main() -> int:
    """Measure, print, write; 1 if a row failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=ROWS, metavar="ROW", help=f"some rows: {', '.join(ROWS)}")
    parser.add_argument("--quick", action="store_true", help="a fifth of the pairs, for a look: nothing is written")
    parser.add_argument("--threads", type=int, nargs="+", help="instead of the rows' own numbers of threads")
    options = parser.parse_args()
    peers.install_clashing_peers()

    failed = []
    for name in options.only or ROWS:
        for threads in options.threads or ROWS[name].threads:
            found = _run(name, threads, quick=options.quick)
            if found is None:
                failed.append(f"{name} ({threads} threads)")
            else:
                print_results(found)
    if not options.quick:
        runs = [read_run(file) for file in _kept_files() if file.is_file()]
        notes = (_HERE / "NOTES.md").read_text(encoding="utf-8")
        (_HERE / "RESULTS.md").write_text(markdown(runs, notes), encoding="utf-8")
        for name in DOCUMENTS:
            path = _HERE.parent / name
            path.write_text(document_text(path.read_text(encoding="utf-8"), runs, name), encoding="utf-8")
        sys.stderr.write(f"Written: {_HERE / 'RESULTS.md'}, and the tables of {', '.join(DOCUMENTS)}\n")
    if failed:
        sys.stderr.write(f"These rows failed; what they said is above: {', '.join(failed)}.\n")
    return 1 if failed else 0


def _kept_files() -> list[Path]:
    """Where the results of each row are kept, in the order of the report."""
    return [_KEPT / f"{name}-{threads}.jsonl" for name, row in ROWS.items() for threads in row.threads]


def _run(name: str, threads: int, *, quick: bool) -> list[Result] | None:
    """The results of one row; None if it failed."""
    environment = {**os.environ, **dict.fromkeys(_THREAD_VARIABLES, str(threads))}
    environment["HF_HOME"] = str(_HERE / ".cache" / "huggingface")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "results.jsonl")
        command = [sys.executable, "-m", "benchmarks.run_row", name, str(file), str(threads)]
        ended = subprocess.run([*command, *(["quick"] if quick else [])], env=environment, cwd=_HERE.parent)  # noqa: S603 our own
        if ended.returncode:
            return None
        if not quick and read_results(file):  # a row that is left out here keeps what it found elsewhere
            _KEPT.mkdir(exist_ok=True)
            today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
            keep_run(file, today, machine(), _KEPT / f"{name}-{threads}.jsonl")
        return read_results(file)


if __name__ == "__main__":
    sys.exit(main())
