"""A page among strangers: is every answer right, how long does an ordinary request wait, and what is left behind?

``python tests/soak/strangers.py --seconds 60``, with ``tests/helpers`` on the path. Ten abusers send the longest texts,
costly calls, large bodies and uploads that they break off, while ten visitors score short texts. Prints a table. Exit
code 1 if an answer was wrong, or a process was left. Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
from page_server import running_page
from page_visitor import PageVisitor

from polyrouge import Rouge

_VISITORS = 10
_ABUSERS = 10
_LONGEST = "a.\n" * 3_333, "\n---\n".join(["a b\n" * 1_860] * 2)
# Texts of the page's largest size: ordinary ones, and one that matches everywhere.
_WORDS = {
    "English": ("the cat sat on a mat and saw two dogs , ".split(), " "),
    "Chinese": ([*"今天天气很好我们去公园看花，"], ""),
}
_COSTLY = {"data": [["a b c d e " * 9_900], [["e a d b c " * 9_900]], "default", {"rouge_types": ["rougeW"]}]}


def look(pid: int, folder: Path) -> dict[str, float]:
    """Look at a server, its children and its files."""
    server = psutil.Process(pid)
    children = server.children(recursive=True)
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        "RSS of the server, MB": server.memory_info().rss / 1e6,
        "processes": len(children) + 1,
        "descriptors": server.num_fds(),
        "temporary files": len(files),
        "temporary files, MB": sum(path.stat().st_size for path in files) / 1e6,
    }


class Crowd:
    """Visitors and abusers of one server."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.ends = threading.Event()
        self.seconds: list[float] = []  # of ordinary requests
        self.wrong: list[str] = []
        self.abuses = 0

    def largest(self) -> dict[str, float]:
        """Score texts of the largest size alone; return the seconds of each kind."""
        draw = random.Random(0)
        seconds = {}
        for name, (words, blank) in _WORDS.items():
            texts = [blank.join(draw.choices(words, k=10_000))[:size] for size in (9_950, 7_500, 7_500)]
            seconds[name] = self._seconds_of(texts[0], "\n---\n".join(texts[1:]))
        return {**seconds, "adversarial": self._seconds_of(*_LONGEST)}

    def _seconds_of(self, prediction: str, references: str) -> float:
        with PageVisitor(self.address) as page:
            page.set("try-prediction", prediction)
            page.set("try-references", references)
            begun = time.monotonic()
            page.fire("try-prediction", "change")
            return time.monotonic() - begun

    def visit(self, seed: int) -> None:
        """Score short texts, one after the other, and compare with ``compute``."""
        draw = random.Random(seed)
        rouge = Rouge(scale=100)
        with PageVisitor(self.address) as page:
            while not self.ends.is_set():
                texts = [" ".join(draw.choices("the cat sat on a mat".split(), k=30)) for _ in range(2)]
                page.set("try-prediction", texts[0])
                page.set("try-references", texts[1])
                begun = time.monotonic()
                page.fire("try-prediction", "change")
                self.seconds.append(time.monotonic() - begun)
                expected = f"{rouge.compute([texts[0]], [texts[1]])['rouge1']:.2f}"
                if expected not in re.findall(r"[\d.]+", page.shown("try-scores")):
                    self.wrong.append(f"visitor {seed}: no {expected} in the scores; {page.shown('try-status')}")
                self.ends.wait(0.5)

    def abuse(self, seed: int) -> None:
        """Do what a stranger should not do."""
        kinds = (self._type, self._call, self._send, self._break_off)
        while not self.ends.is_set():
            with contextlib.suppress(httpx.HTTPError, OSError, RuntimeError):  # it is refused
                kinds[seed % len(kinds)]()
                self.abuses += 1

    def _type(self) -> None:
        with PageVisitor(self.address) as page:
            page.set("try-prediction", _LONGEST[0])
            page.set("try-references", _LONGEST[1])
            page.fire("try-prediction", "change")

    def _call(self) -> None:
        httpx.post(f"{self.address}/gradio_api/call/score", json=_COSTLY, timeout=60)
        time.sleep(0.1)

    def _send(self) -> None:
        httpx.post(f"{self.address}/gradio_api/call/score", content=b"[" * 10_000_000, timeout=60)

    def _break_off(self) -> None:
        host, port = self.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(
                b"POST /gradio_api/upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n"
                b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
                b'Content-Disposition: form-data; name="files"; filename="a.jsonl"\r\n\r\n' + b"a" * 1_000_000
            )
        time.sleep(0.5)


def run(crowd: Crowd, works: list[Callable[[int], None]], seconds: float) -> None:
    """Let each work go on for some seconds."""
    crowd.ends.clear()
    threads = [threading.Thread(target=work, args=(seed,)) for seed, work in enumerate(works)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    crowd.ends.set()
    for thread in threads:
        thread.join()


def waits(seconds: list[float]) -> str:
    """Return the number of requests, and how long half of them and all of them took."""
    ordered = sorted(seconds)
    part = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 1.0)]
    return f"{len(ordered)} requests; median {part[0]:.2f} s, 95 % {part[1]:.2f} s, longest {part[2]:.2f} s"


def main() -> int:
    """Run, and print the table; 1 if an answer was wrong or a process was left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    seconds = parser.parse_args().seconds
    folder = Path(tempfile.mkdtemp(prefix="strangers-"))
    with running_page(folder, python=sys.executable) as (address, process, _):
        crowd = Crowd(address)
        largest = crowd.largest()
        run(crowd, [crowd.visit] * _VISITORS, seconds / 4)
        quiet, crowd.seconds = crowd.seconds, []
        before = look(process.pid, folder / "files")
        run(crowd, [crowd.visit] * _VISITORS + [crowd.abuse] * _ABUSERS, seconds)
        within = look(process.pid, folder / "files")
        end = time.monotonic() + 600
        while time.monotonic() < end and look(process.pid, folder / "files")["processes"] > before["processes"]:
            time.sleep(1)
        after = look(process.pid, folder / "files")
    print("largest texts:", ", ".join(f"{name} {seconds:.1f} s" for name, seconds in largest.items()))
    print(f"visitors alone: {waits(quiet)}\namong abusers: {waits(crowd.seconds)}; {crowd.abuses} abuses")
    print("\n| | before | within | after |\n|---|--:|--:|--:|")
    for name in before:
        print(f"| {name} | {before[name]:.0f} | {within[name]:.0f} | {after[name]:.0f} |")
    print(*crowd.wrong, sep="\n")
    return int(bool(crowd.wrong) or after["processes"] > before["processes"])


if __name__ == "__main__":
    sys.exit(main())
