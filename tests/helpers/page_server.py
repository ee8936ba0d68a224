"""The page as a Space runs it: ``python app.py`` in the root, as a process of its own."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running_page(
    folder: Path,
    *,
    python: str = sys.executable,
    root: Path = ROOT,
    script: Path | str = "app.py",
    wait: float = 600,
    clean: bool = False,
):
    """Yields (address, process, path of what it printed), and ends the process afterwards.

    Args:
        folder: for its files and what it prints.
        python: the interpreter.
        root: the folder that it runs in.
        script: what it runs.
        wait: the most seconds until it answers.
        clean: without our environment, except for the path.
    """
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
    own = {"PATH": os.environ["PATH"], "HOME": str(folder)} if clean else dict(os.environ)
    own.pop("PYTHONPATH", None)
    own |= {"GRADIO_SERVER_PORT": str(port), "GRADIO_TEMP_DIR": str(folder / "files"), "GRADIO_ANALYTICS_ENABLED": "0"}
    printed = folder / "printed.txt"
    with open(printed, "w", encoding="utf-8") as out:
        process = subprocess.Popen([python, script], cwd=root, env=own, stdout=out, stderr=out, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process, printed, wait)
        yield address, process, printed
    finally:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself, which the test says
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for(address: str, process: subprocess.Popen, printed: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"app.py did not answer: {printed.read_text(encoding='utf-8')}")
