"""The Hub as evaluate sees it, on this machine: the script of one Space at the revision main, and no other file."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# Begins a program that imports evaluate, which would import all models of Transformers, and torch: eight seconds.
WITHOUT_MODELS = "import sys; sys.modules['transformers.pipelines'] = None\n"
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "rouge_metric.py"
HUB_NAME = "polyrouge/rouge_metric"


class Hub(ThreadingHTTPServer):
    """The server, with what it was asked for."""

    def __init__(self, script: Path):
        self.script = script
        self.requests = []
        self.is_broken = False
        super().__init__(("127.0.0.1", 0), _HubRequest)

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.server_port}"


class _HubRequest(BaseHTTPRequestHandler):
    server: Hub  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.wfile.write(self.answer())

    def answer(self):
        self.server.requests.append((self.command, self.path))
        is_script = self.path == f"/spaces/{HUB_NAME}/resolve/main/rouge_metric.py"
        content = self.server.script.read_bytes() if is_script else b""
        self.send_response(503 if self.server.is_broken else 200 if is_script else 404)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.end_headers()
        return content

    def log_request(self, code="-", size="-"):
        """Keep quiet."""


def run_child(code: str, home: Path, message: object, **variables: str) -> str:
    """What code prints in a new process whose caches lie below ``home``; it reads the message from its input."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("HF_") and not name.lower().endswith("_proxy")
    }
    environment |= {"HF_HOME": str(home), "HF_MODULES_CACHE": str(home / "modules"), "PYTHONPATH": str(ROOT)}
    environment |= {"HF_METRICS_CACHE": str(home / "metrics"), "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    (home / "elsewhere").mkdir(parents=True, exist_ok=True)
    child = subprocess.run(
        [sys.executable, "-c", WITHOUT_MODELS + code],
        input=json.dumps(message),
        env=environment | variables,
        cwd=home / "elsewhere",
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return child.stdout


@contextmanager
def running_hub(script: Path = SCRIPT):
    """A hub that answers until the block ends."""
    with Hub(script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
