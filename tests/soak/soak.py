"""A page with visitors and a compute loop for an hour: memory, threads, descriptors and temporary files stay flat.

``nox -f .ci/noxfile.py -s soak -- 60``. Both take at most a tenth of a core each. What is loaded once is loaded in the
warm-up, a sixth of the time. Then the medians of the first and the last quarter are compared; growth is a failure, exit
code 1. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import gradio_client
import psutil
from compute_loop import random_texts
from page_server import ROOT, running_page
from page_visitor import PageVisitor

_SECONDS = 10  # between two samples
_SHARE = 0.1  # of a core, for the page and for the loop
_MOST_GROWTH = {"memory": 0.05, "threads": 0.0, "descriptors": 0.0, "files": 0.0}  # as a part of what was there
_SLACK = {"memory": 5.0, "threads": 1, "descriptors": 2, "files": 5}  # MB or pieces: what may come and go


class Sample(NamedTuple):
    """One look at a process and the processes it started."""

    minute: float  # since the start
    memory: float  # resident, in MB
    threads: int
    descriptors: int
    files: int  # in its folder for temporary files
    done: int  # visits or rounds


def look(pid: int, folder: Path, minute: float, done: int) -> Sample:
    """Look at a process, its children and its temporary files."""
    parent = psutil.Process(pid)
    memory, threads, descriptors = 0, 0, 0
    for process in (parent, *parent.children(recursive=True)):
        try:
            memory += process.memory_info().rss
            threads += process.num_threads()
            descriptors += process.num_fds()
        except psutil.NoSuchProcess:
            continue
    files = sum(1 for path in folder.rglob("*") if path.is_file())
    return Sample(round(minute, 2), round(memory / 2**20, 1), threads, descriptors, files, done)


class Visits(threading.Thread):
    """Visitors of the page, one after the other, who use all of it; pauses keep it at its share of a core."""

    def __init__(self, address: str, pid: int, folder: Path) -> None:
        super().__init__(daemon=True)
        self.done = 0
        self.error: BaseException | None = None
        self._address, self._process, self._folder = address, psutil.Process(pid), folder
        self.ends = threading.Event()

    def run(self) -> None:
        begun, before = time.monotonic(), sum(self._process.cpu_times()[:2])
        try:
            client = gradio_client.Client(self._address, verbose=False)
            while not self.ends.is_set():
                rng = random.Random(self.done)
                self._call(client, rng)
                self._visit(rng)
                self.done += 1
                taken = sum(self._process.cpu_times()[:2]) - before
                self.ends.wait(max(0.1, taken / _SHARE - (time.monotonic() - begun)))
        except Exception as error:
            self.error = error

    def _call(self, client: gradio_client.Client, rng: random.Random) -> None:
        """As programs do: the three endpoints, and what they refuse."""
        first, second, references = (random_texts(rng, 20) for _ in range(3))
        convention = rng.choice(["default", "zh_word", "zh_char", "rouge_score"])
        client.predict(first, references, convention, {"confidence": 0.95}, api_name="/score")
        client.predict(first[:3], references[:3], api_name="/compare")
        client.predict(first, second, references, convention, api_name="/compare_systems")
        try:
            client.predict(first, references[:1], api_name="/score")
        except gradio_client.exceptions.AppError:
            return
        raise RuntimeError("unequal columns were scored")

    def _visit(self, rng: random.Random) -> None:
        """As people do, in a browser."""
        with PageVisitor(self._address) as page:
            page.set("try-choice", rng.choice(["default", "zh_word", "rouge_score"]))
            for _ in range(3):
                page.set("try-prediction", random_texts(rng, 1)[0] + " cat")
                page.fire("try-prediction", "change")
                assert "<table" in page.shown("try-scores"), page.shown("try-status")
            for name in ("prediction", "references"):
                page.set(f"conventions-{name}", random_texts(rng, 1)[0] + " cat")
            page.fire("conventions-prediction", "submit")
            path = self._folder / "rows.jsonl"
            columns = {name: random_texts(rng, 200) for name in ("prediction", "prediction_b", "references")}
            rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            page.upload("file-upload", path)
            page.fire("file-run", "click")
            assert "pr-report" in page.shown("file-frame"), page.shown("file-status")
            assert page.download("file-report")


def watch(minutes: float, folder: Path) -> dict[str, list[Sample]]:
    """Run both and look at them; raises if one of them fails."""
    samples: dict[str, list[Sample]] = {"page": [], "loop": []}
    folders = {name: folder / name for name in samples}
    for each in folders.values():
        each.mkdir(parents=True)
    os.environ["TMPDIR"] = str(folders["page"])
    with running_page(folders["page"], python=sys.executable) as (address, process, _):
        os.environ["TMPDIR"] = str(folders["loop"])
        printed = folder / "loop.txt"
        paths = [str(ROOT), str(ROOT / "tests" / "helpers"), os.environ.get("PYTHONPATH", "")]
        with printed.open("w") as out:
            loop = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("compute_loop.py"), str(_SHARE), "1"],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        visits = Visits(address, process.pid, folder)
        visits.start()
        begun = time.monotonic()
        try:
            while (minute := (time.monotonic() - begun) / 60) < minutes:
                if visits.error is not None:
                    raise visits.error
                if loop.poll() is not None:
                    raise RuntimeError(printed.read_text())
                rounds = int((printed.read_text().split() or ["0"])[-1])
                for name, pid, done in (("page", process.pid, visits.done), ("loop", loop.pid, rounds)):
                    samples[name].append(look(pid, folders[name], minute, done))
                    with (folder / "samples.jsonl").open("a") as out:
                        out.write(json.dumps({"process": name, **samples[name][-1]._asdict()}) + "\n")
                time.sleep(_SECONDS)
        finally:
            visits.ends.set()
            loop.terminate()
            loop.wait()
            visits.join(120)
    return samples


def judge(samples: list[Sample], minutes: float) -> tuple[list[str], list[str]]:
    """Lines on each measure, and what has grown."""
    after = [sample for sample in samples if sample.minute >= minutes / 6]
    quarter = max(1, len(after) // 4)
    lines, grown = [f"{samples[-1].done} visits or rounds"], []
    for name, part in _MOST_GROWTH.items():
        before, then = (
            statistics.median(getattr(sample, name) for sample in some) for some in (after[:quarter], after[-quarter:])
        )
        lines.append(f"{name}: median {before:g} in the first quarter, {then:g} in the last")
        if then - before > max(_SLACK[name], part * before):
            grown.append(f"{name} grew from {before:g} to {then:g}")
    return lines, grown


def main() -> int:
    """Run, print the medians; 1 if something grew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--folder", type=Path, help="for samples and temporary files; else a new one")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="soak-"))
    failed = False
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # as an exception: the page and the loop end with us
    for name, samples in watch(options.minutes, folder).items():
        lines, grown = judge(samples, options.minutes)
        print(f"\n{name}", *lines, *grown, sep="\n")
        failed |= bool(grown)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
