"""The Hub as evaluate sees it, on this machine: the script of one Space at the revision main, and no other file."""

import hashlib
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# Begins a program that imports evaluate, which would import all models of Transformers, and torch: eight seconds.
WITHOUT_MODELS = "import sys; sys.modules['transformers.pipelines'] = None\n"
SCRIPT = Path(__file__).resolve().parents[2] / "rouge_metric.py"
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
