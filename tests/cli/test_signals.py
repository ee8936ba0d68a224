"""A command that a signal ends leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from polyrouge.cli.command_line import main

ROOT = Path(__file__).resolve().parents[2]
_LINES = 5_000  # more than a pipe is read at once
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of Unix")


@contextmanager
def writing(folder, number, handler):
    """A command that has begun to write samples, and waits for more predictions."""
    (folder / "out.csv").write_text("old")
    (folder / "r.txt").write_text("a b\n" * _LINES + "a c\n")
    command = [sys.executable, "-m", "polyrouge", "score", "-", "r.txt", "--per-sample", "out.csv", "-q"]
    given = {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "preexec_fn": lambda: signal.signal(number, handler)}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=folder, text=True, **pipes, **given) as process:
        try:
            assert process.stdin is not None
            process.stdin.write("a b\n" * _LINES)
            process.stdin.flush()
            end = time.monotonic() + 60
            while not any(name.startswith(".") for name in os.listdir(folder)):
                assert process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


@pytest.mark.process
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_no_hidden_file(tmp_path, name):
    number = signal.Signals[name]
    with writing(tmp_path, number, signal.SIG_DFL) as process:  # tests may run in nohup
        process.send_signal(number)
        _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (128 + number, "")
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "r.txt"]
    assert (tmp_path / "out.csv").read_text() == "old"


@pytest.mark.process
def test_nohup_is_respected(tmp_path):
    with writing(tmp_path, signal.SIGHUP, signal.SIG_IGN) as process:
        process.send_signal(signal.SIGHUP)
        process.communicate("a c\n", timeout=60)

    assert process.returncode == 0
    assert (tmp_path / "out.csv").read_text().startswith("id,")


def test_a_second_signal_ends_the_process_at_once(monkeypatch):
    monkeypatch.setattr("polyrouge.cli.commands.app", lambda **_given: signal.raise_signal(signal.SIGTERM))
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with pytest.raises(SystemExit) as ended:
            main([])
        assert ended.value.code == 143
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)
