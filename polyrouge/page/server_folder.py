"""The folder of a server's uploads: its own, swept while it runs, and deleted by the next server if it was killed."""

import contextlib
import os
import shutil
import signal
import tempfile
import threading
import time
from pathlib import Path

from polyrouge.page.visitor import VISITORS

_PREFIX = "polyrouge-page-"
_SWEEP_SECONDS = 60
_START_SECONDS = 60  # by which a server has locked its folder


def make_folder() -> str:
    """Let Gradio keep uploads in a new folder, also those that are broken off, and sweep it as long as it is there."""
    base = os.environ.get("GRADIO_TEMP_DIR") or tempfile.gettempdir()
    os.makedirs(base, exist_ok=True)
    delete_folders_of_dead_servers(Path(base))
    folder = os.environ["GRADIO_TEMP_DIR"] = tempfile.mkdtemp(prefix=_PREFIX, dir=base)
    lock(Path(folder))
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that Gradio ends in order

    def sweep() -> None:
        while os.path.isdir(folder):
            VISITORS.sweep()
            time.sleep(_SWEEP_SECONDS)

    threading.Thread(target=sweep, daemon=True).start()
    return folder


def delete_folders_of_dead_servers(base: Path) -> None:
    """Delete what servers left that were killed: folders that no process has locked."""
    for folder in base.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # of another user, or being deleted now
            if time.time() - folder.stat().st_mtime < _START_SECONDS:
                continue
            descriptor = lock(folder)
            if descriptor is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(descriptor)


def lock(folder: Path) -> int | None:
    """Lock a folder until the descriptor is closed, or the process has ended; None if another has locked it."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows, where the page is for oneself
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
