"""The real tools, where they are installed: their tables, and the tools themselves in a process of their own.

Several of them overwrite each other's files, so each has a target folder: ``.venv/peers/<name>``.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PEERS = Path(__file__).resolve().parents[2] / ".venv" / "peers"


def peer_file(name: str, path: str) -> Path:
    """A file or folder of an installed distribution; skips the test where it is not installed."""
    places = [*sys.path, str(PEERS / name)]
    package = next(iter(importlib.metadata.distributions(name=name, path=places)), None)
    if package is None:
        pytest.skip(f"needs {name}: pip install --no-deps --target {PEERS / name} {name}")
    return Path(str(package.locate_file(path)))


def run_peer(name: str, program: str, message: object) -> list:
    """Run a program with the tool on its path: ``message`` is its JSON input, what it prints is read as JSON."""
    package = peer_file(name, "")
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        input=json.dumps(message),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        cwd=package,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
