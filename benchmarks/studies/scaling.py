"""What folders cost on threads, processes, Ray and Spark; writes SCALING.md.

``python -m benchmarks.studies.scaling`` takes about a quarter of an hour. ``--quick`` takes a twentieth of the pairs
and writes nothing. Each measurement is a process of its own.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.corpora import chinese, english
from benchmarks.studies.scaling_report import Found, markdown
from polyrouge import Rouge
from polyrouge.beyond.folder_jobs.job import Run, planned_run
from polyrouge.beyond.folder_jobs.plan import Columns, Partition
from polyrouge.beyond.folder_jobs.worker import Outcome, rows_of, score_partition

_HERE = Path(__file__).resolve().parent
_KEPT = _HERE / "scaling.json"
_MAIN = "62 words"
# Name: words or characters, convention, pairs. As much text each, but of the main one a million pairs.
_TEXTS = {
    "20 words": (20, "default", 400_000),
    _MAIN: (62, "default", 1_000_000),
    "250 words": (250, "default", 60_000),
    "1000 words": (1000, "default", 15_000),
    "60 characters, zh_word": (60, "zh_word", 200_000),
}
_DIFFERENT = 20_000  # pairs that are made; they are repeated, further apart than what is counted at once
_TINY_FILES, _CUT = "tiny", "cut"
_SIZES = (4, 16, 64, 256)
_TINY = 400  # partitions of a few rows, to see what a partition costs
_SAMPLED = 0.2  # seconds between two looks at the memory


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.scaling", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the pairs; nothing is written")
    parser.add_argument("--only", nargs="+", choices=[*_TEXTS, _CUT, _TINY_FILES], help="some texts; the rest is kept")
    parser.add_argument("--report", action="store_true", help="write SCALING.md from what was measured before")
    parser.add_argument("--measure", nargs=6, metavar=("WAY", "WORKERS", "FOLDER", "OUT", "CONVENTION", "SIZE"))
    options = parser.parse_args()
    if options.measure:
        way, workers, folder, out, convention, size = options.measure
        print(json.dumps(_measured(way, int(workers), folder, out, convention, float(size))))
        return
    if not options.report:
        with tempfile.TemporaryDirectory(prefix="polyrouge-scaling-") as place:
            found = _all(Path(place), 20 if options.quick else 1, options.only or [*_TEXTS, _CUT, _TINY_FILES])
        if _KEPT.is_file() and options.only and not options.quick:
            kept = json.loads(_KEPT.read_text("utf-8"))["measured"]
            found["measured"] = [each for each in kept if each["texts"] not in options.only] + found["measured"]
        if options.quick:
            print(markdown(found))
            return
        found["measured"].sort(key=lambda each: [*_TEXTS, _CUT, _TINY_FILES].index(each["texts"]))
        _KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (_HERE / "SCALING.md").write_text(markdown(json.loads(_KEPT.read_text("utf-8"))), encoding="utf-8")


def _all(place: Path, fraction: int, only: Sequence[str]) -> Found:
    measured: list[dict[str, Any]] = []

    def measure(texts: str, way: str, workers: int, size: float = 64, name: str = "") -> None:
        convention = _TEXTS.get(texts, (0, "default", 0))[1]
        out = place / "out"
        shutil.rmtree(out, ignore_errors=True)
        command = [
            sys.executable,
            "-m",
            "benchmarks.studies.scaling",
            "--measure",
            way,
            str(workers),
            str(place / texts),
        ]
        sys.stderr.write(f"{texts}: {way} {workers} {size} {name}\n")
        command += [str(out), convention, str(size)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 this file
        if ran.returncode:
            sys.stderr.write(ran.stderr[-2000:])
            raise SystemExit(1)
        found = json.loads(ran.stdout.splitlines()[-1])
        measured.append({"texts": texts, "way": way, "workers": workers, "size": size, "name": name, **found})

    load = os.getloadavg()[0]
    for texts, (length, convention, n_pairs) in _TEXTS.items():
        if texts not in only:
            continue
        _write_texts(place / texts, length, convention, n_pairs // fraction)
        for workers in (1, 2):
            measure(texts, "threads", workers)
        measure(texts, "lists", 2)
        if texts == _MAIN:
            for way in ("local", "ray", "spark"):
                measure(texts, way, 2)
        measure(texts, "stages", 1)
        shutil.rmtree(place / texts)
    if _CUT in only:
        _write_texts(place / _CUT, 62, "default", 300_000 // fraction)
        for size in _SIZES:
            measure(_CUT, "local", 2, size / fraction, f"size {size}")
    if _TINY_FILES in only:
        _write_tiny(place / _TINY_FILES, _TINY)
        for way in ("threads", "local", "ray", "spark"):
            measure(_TINY_FILES, way, 2)
    machine = {"cores": os.cpu_count(), "load": load, "load_at_the_end": os.getloadavg()[0]}
    return {**machine, "all_texts": list(_TEXTS), "measured": measured}


def _write_texts(folder: Path, length: int, convention: str, n_pairs: int) -> None:
    folder.mkdir()
    different = min(n_pairs, _DIFFERENT if length < 500 else _DIFFERENT // 10)
    made = chinese(different, length) if convention == "zh_word" else english(different, length, max(1, length // 20))
    table = pa.table({"id": range(different), "prediction": made.predictions, "references": made.references})
    with pq.ParquetWriter(folder / "texts.parquet", table.schema, compression="zstd") as writer:
        for start in range(0, n_pairs, different):
            writer.write_table(table.slice(0, min(different, n_pairs - start)))


def _write_tiny(folder: Path, n_files: int) -> None:
    folder.mkdir()
    made = english(20, 20, 1)
    table = pa.table({"id": range(20), "prediction": made.predictions, "references": made.references})
    for number in range(n_files):
        pq.write_table(table, folder / f"{number:04d}.parquet")


def _measured(way: str, workers: int, folder: str, out: str, convention: str, size: float) -> dict[str, Any]:
    """One measurement, in this process."""
    rouge = Rouge(convention)
    begin = time.perf_counter()
    run = planned_run(folder, out, rouge, Columns(), partition_size=size)
    planning = time.perf_counter() - begin
    found = {"pairs": run.plan.rows, "partitions": len(run.plan.partitions), "planning": planning}
    if way == "lists":
        return found | _of_lists(folder, convention, workers)
    left = run.begin()
    if way == "stages":
        return found | _stages(run, left)
    warm = left[0]
    with _memory_of_workers(way) as peak:
        begin = time.perf_counter()
        outcomes = _engine(way, run, warm, left, workers)
        first = next(outcomes)  # the engine, its workers and the kernels are there
        start = time.perf_counter() - begin
        begin, processor = time.perf_counter(), _processor_seconds()
        rows = done = 0
        while done < len(left):
            rows, done = rows + next(outcomes).rows, done + 1
        seconds, processor = time.perf_counter() - begin, _processor_seconds() - processor
        for _ in outcomes:  # the engine ends
            pass
    files = run.output.files()
    return found | {
        "start": start,
        "seconds": seconds,
        "processor_seconds": processor,
        "rows": rows,
        "warm": first.rows,
        "peak_mb": peak[0],
        "bytes_in": sum(file.size for file in run.plan.files),
        "bytes_out": sum(files.values()),
        "bytes_through": len(left) * len(pickle.dumps((left[0], Outcome(0, 0)))) + len(pickle.dumps(run.job)) * workers,
    }


def _engine(way: str, run: Run, warm: Partition, left: Sequence[Partition], workers: int) -> Iterator[Outcome]:
    """The outcomes of the first partition, once for each worker, and then those of all."""
    if way == "threads":
        outcome = score_partition(run.job, warm)
        yield outcome
        with ThreadPoolExecutor(workers) as threads:
            yield from threads.map(lambda each: score_partition(run.job, each), left)
        return
    outcomes = _with_warm_workers(way, run, warm, left, workers)
    yield from outcomes


def _with_warm_workers(
    way: str, run: Run, warm: Partition, left: Sequence[Partition], workers: int
) -> Iterator[Outcome]:
    """Engines keep their workers between two calls in one session, but for the pool of processes, which is new."""
    if way == "ray":
        import ray

        ray.init(num_cpus=workers, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
        list(run.score([warm] * workers * 2, way, workers))
        yield Outcome(0, 0)
        yield from run.score(left, way, workers)
        ray.shutdown()
    elif way == "spark":
        from polyrouge.beyond.folder_jobs.engines import start_spark

        session = start_spark(workers)
        list(run.score([warm] * workers * 2, way, workers))
        yield Outcome(0, 0)
        yield from run.score(left, way, workers)
        session.stop()
    else:
        warmed = [warm._replace(number=number) for number in range(len(left), len(left) + 2 * workers)]
        outcomes = run.score([*warmed, *left], way, workers)
        for _ in warmed:
            next(outcomes)
        yield Outcome(0, 0)
        yield from outcomes


def _processor_seconds() -> float:
    """Of this process and of all below it, those included that have ended."""
    parents, used = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(stat[1])
            used[int(name)] = sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")
    below = found = {os.getpid()}
    while below:
        below = {pid for pid, parent in parents.items() if parent in below}
        found = found | below
    return sum(used.get(pid, 0.0) for pid in found)


class _memory_of_workers:  # noqa: N801 it is used as a function
    """Look at the most memory that any worker has had, in MB, while a block runs."""

    def __init__(self, way: str) -> None:
        self._marks = {"ray": "ray::", "spark": "pyspark.daemon", "local": "spawn_main"}.get(way)
        self._peak = [0.0]
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> list[float]:
        self._thread.start()
        return self._peak

    def __exit__(self, *_error: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.wait(_SAMPLED):
            for pid in os.listdir("/proc") if self._marks else ["self"]:
                try:
                    line = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
                    if self._marks is not None and (not pid.isdigit() or self._marks not in line):
                        continue
                    status = Path(f"/proc/{pid}/status").read_text()
                except OSError:
                    continue
                high = status.partition("VmHWM:")[2].split()
                self._peak[0] = max(self._peak[0], int(high[0]) / 1e3 if high else 0)


def _of_lists(folder: str, convention: str, workers: int) -> dict[str, Any]:
    """Plain threads over Python lists in memory: ``Rouge.compute``."""
    table = pq.read_table(Path(folder) / "texts.parquet")
    texts = table["prediction"].to_pylist(), table["references"].to_pylist()
    rouge = Rouge(convention, threads=workers)
    rouge.compute(texts[0][:20_000], texts[1][:20_000], engine="compiled")
    begin = time.perf_counter()
    rouge.compute(*texts)
    return {"seconds": time.perf_counter() - begin, "rows": len(table)}


def _stages(run: Run, left: Sequence[Partition]) -> dict[str, Any]:
    """Processor seconds of reading, of scoring and of writing, one after the other in one thread."""
    score_partition(run.job, left[0])
    begin = time.process_time()
    for partition in left:
        for _ in rows_of(run.input, partition, run.plan.columns, []):
            pass
    reading = time.process_time() - begin
    scoring = 0.0
    for partition in left:
        for table, _ in rows_of(run.input, partition, run.plan.columns, []):
            begin = time.process_time()
            run.scorer.score_with_partial(table)
            scoring += time.process_time() - begin
    begin = time.process_time()
    for partition in left:
        score_partition(run.job, partition)
    return {"reading": reading, "scoring": scoring, "seconds": time.process_time() - begin, "rows": run.plan.rows}


if __name__ == "__main__":
    main()
