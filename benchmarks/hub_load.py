"""How long ``evaluate.load`` from the Hub takes where each request takes 150 ms: ``python -m benchmarks.hub_load``.

A server on this machine stands for the Hub, and beside our script for a metric of one file that computes nothing. Both
are loaded in turn by new processes, with an empty cache and with a filled one; printed are the medians of five.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from rich.console import Console
from rich.table import Table

_DELAY = 0.15  # seconds a request
_ROUNDS = 5
_ONE_FILE = """
import datasets
import evaluate


class OneFile(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        features = datasets.Features({"predictions": text, "references": text})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {"same": sum(map(str.__eq__, predictions, references)) / len(references)}
"""
_SCRIPTS = {
    "rouge_metric": (Path(__file__).parents[1] / "rouge_metric.py").read_text(encoding="utf-8"),
    "one_file": _ONE_FILE,
}
_LOAD = """
import time
import evaluate

start = time.perf_counter()
metric = evaluate.load("someone/{name}")
loaded = time.perf_counter()
metric.compute(predictions=["a b"], references=["a c"])
print(loaded - start, time.perf_counter() - loaded)
"""


class _Request(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self.wfile.write(self._answer())

    def _answer(self) -> bytes:
        time.sleep(_DELAY)
        _requests.append(self.path)
        found = [
            text for name, text in _SCRIPTS.items() if self.path == f"/spaces/someone/{name}/resolve/main/{name}.py"
        ]
        content = found[0].encode() if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.end_headers()
        return content

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Keep quiet."""


_requests: list[str] = []


@contextmanager
def _hub() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Request) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _seconds(name: str, endpoint: str, home: str) -> tuple[float, int]:
    """Seconds for ``evaluate.load`` in a new process, and how many requests it made."""
    _requests.clear()
    places = {"HF_HOME": home, "HF_MODULES_CACHE": f"{home}/modules", "HF_METRICS_CACHE": f"{home}/metrics"}
    environment = {**os.environ, **places, "HF_ENDPOINT": endpoint, "PYTHONPATH": str(Path(__file__).parents[1])}
    code = _LOAD.format(name=name)
    done = subprocess.run(  # noqa: S603 this Python
        [sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[0]), len([path for path in _requests if path.startswith("/spaces/")])


def main() -> None:
    """Measure and print."""
    found: dict[tuple[str, str], list[tuple[float, int]]] = {}
    with _hub() as endpoint:
        for _ in range(_ROUNDS):
            for name in _SCRIPTS:
                with tempfile.TemporaryDirectory() as home:
                    found.setdefault((name, "empty"), []).append(_seconds(name, endpoint, home))
                    found.setdefault((name, "filled"), []).append(_seconds(name, endpoint, home))
    table = Table("metric", "cache", "seconds", "requests", title=f"evaluate.load at {_DELAY * 1000:g} ms a request")
    for (name, cache), runs in found.items():
        seconds = statistics.median(run[0] for run in runs)
        table.add_row(name, cache, f"{seconds:.2f}", str(max(run[1] for run in runs)))
    Console().print(table)


if __name__ == "__main__":
    main()
