"""Keep a visitor's uploaded files and scores while the page is open: not too many, and not for longer."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polyrouge.page.limits import LIMITS

_LEFTOVER_SECONDS = 600
_UPLOAD_NAME = 64  # digits of a SHA-256, which name the folder of an upload


@dataclass
class Session:
    """One open page.

    Attributes:
        folder: for its files; nobody else can guess its name.
        files: path of each uploaded file by its name.
        job: what was scored last, which has ``delete()``; or None.
        turn: number of the last job that was begun or cancelled; an older one stops at its next step.
        is_running: that job is neither done nor cancelled.
        used: when it was last looked at, by the monotonic clock.
        begun: number of the last pair of texts that was begun to be scored.
        shown: number of the newest pair whose scores were sent.
    """

    folder: Path
    files: dict[str, Path] = field(default_factory=dict)
    job: Any = None
    turn: int = 0
    is_running: bool = False
    used: float = field(default_factory=time.monotonic)
    begun: int = 0
    shown: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin_job(self) -> int:
        """Begin a job, and return its number; the job before is forgotten."""
        with self._lock:
            self._forget()
            self.turn += 1
            self.is_running = True
            return self.turn

    def keep_job(self, turn: int, job: Any) -> bool:
        """Keep the result of a job; False if it was cancelled."""
        with self._lock:
            if self.turn == turn:
                self.job = job
            return self.turn == turn

    def forget_job(self) -> None:
        """Cancel the job that runs, and delete what was scored."""
        self.cancel_job()
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        if self.job is not None:
            self.job.delete()
        self.job = None

    def end_job(self, turn: int) -> None:
        """Note that a job is done, or has failed."""
        with self._lock:
            self.is_running &= self.turn != turn

    def cancel_job(self) -> bool:
        """Cancel the job that runs; False if none does."""
        with self._lock:
            if not self.is_running:
                return False
            self._forget()
            self.turn += 1
            self.is_running = False
            return True

    def begin(self) -> int:
        """Begin to score a pair of texts, and return its number."""
        with self._lock:
            self.begun += 1
            return self.begun

    def may_show(self, number: int) -> bool:
        """Whether no newer pair was shown before this one; then it counts as shown."""
        with self._lock:
            is_newest = number > self.shown
            self.shown = max(self.shown, number)
            return is_newest

    def path(self, name: str) -> Path:
        """A path for a new file of that name."""
        place = self.folder / secrets.token_urlsafe(8)
        place.mkdir(parents=True)
        return place / name

    def delete(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.files.clear()
        self.job = None


class SessionStore:
    """Sessions by their hash. The one that was not used for the longest time is deleted first.

    Args:
        folder: each session has a folder in it; the server may send files from there.
        most: how many sessions are kept.
        idle_seconds: a session that was not used for so long is deleted.
    """

    def __init__(self, folder: Path, most: int = LIMITS.sessions, idle_seconds: float = LIMITS.idle_seconds) -> None:
        self._folder = folder
        self._most = most
        self._idle_seconds = idle_seconds
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._sessions)

    def get(self, key: str | None) -> Session:
        """The session of a page, a new one if there is none."""
        key = key or "none"
        with self._lock:
            if key not in self._sessions:
                self._sessions[key] = Session(self._folder / f"polyrouge-{secrets.token_urlsafe(16)}")
            session = self._sessions[key]
            session.used = time.monotonic()
            self._sessions.move_to_end(key)
            self._sweep()
            return session

    def drop(self, key: str | None) -> None:
        """Delete the session of a page that was closed."""
        with self._lock:
            session = self._sessions.pop(key or "none", None)
            if session is not None:
                session.delete()
            self._sweep()
        self._sweep_uploads()

    def sweep(self) -> None:
        """Delete the sessions that have not been used for too long, and what uploads leave."""
        with self._lock:
            self._sweep()
        self._sweep_uploads()

    def sweep_each(self, seconds: float) -> None:
        """Do so from now on, as nobody else may come for hours."""

        def run() -> None:
            while True:
                time.sleep(seconds)
                self.sweep()

        threading.Thread(target=run, daemon=True).start()

    def _sweep_uploads(self) -> None:
        """Delete what Gradio leaves of an upload that we have moved: its empty folder, and an empty temporary file."""
        oldest = time.time() - _LEFTOVER_SECONDS
        try:
            for each in os.scandir(self._folder):
                with contextlib.suppress(OSError):  # it is gone, or is not empty
                    status = each.stat(follow_symlinks=False)
                    if status.st_mtime >= oldest:
                        continue
                    if each.name.startswith("tmp") and not status.st_size:
                        os.unlink(each.path)
                    elif len(each.name) == _UPLOAD_NAME:
                        os.rmdir(each.path)
        except FileNotFoundError:  # nothing was uploaded yet
            return

    def _sweep(self) -> None:
        """Delete the ones that are too many, or have not been used for too long."""
        oldest = time.monotonic() - self._idle_seconds
        while self._sessions:
            key, session = next(iter(self._sessions.items()))
            if len(self._sessions) <= self._most and session.used >= oldest:
                return
            del self._sessions[key]
            session.delete()
