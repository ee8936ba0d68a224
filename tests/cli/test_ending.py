"""A command that a signal ends leaves nothing behind; what a killed one left is swept by the next."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from polyrouge.cli.ending import ending_by_signals
from polyrouge.tables.whole_files import whole_file, write_whole

ROOT = Path(__file__).resolve().parents[2]
_LINES = 5_000  # more than a pipe is read at once
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals and locks of Unix")


def hidden(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("."))


def wait_until(condition, process):
    """Wait for a condition while a process runs, half a minute at most."""
    end = time.monotonic() + 30
    while not condition():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def writing(folder, **given):
    """A command that has begun to write ``out.csv``, and waits for more predictions."""
    if not (folder / "r.txt").exists():  # another command may be reading it
        (folder / "r.txt").write_text("a b\n" * _LINES + "a c\n")
    before = hidden(folder)
    command = [sys.executable, "-m", "polyrouge", "score", "-", "r.txt", "--per-sample", "out.csv", "-q"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **given,
    ) as process:
        try:
            assert process.stdin is not None
            process.stdin.write("a b\n" * _LINES)
            process.stdin.flush()
            wait_until(lambda: len(set(hidden(folder)) - set(before)) == 1, process)
            yield process
        finally:
            process.kill()


def end(process):
    """Give the last prediction, and wait for the result."""
    printed, said = process.communicate("a c\n", timeout=60)
    assert process.returncode == 0, said
    return printed


@pytest.mark.process
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_no_hidden_file(tmp_path, name):
    (tmp_path / "out.csv").write_text("old")
    number = signal.Signals[name]
    with writing(
        tmp_path, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)
    ) as process:  # tests may run in nohup
        process.send_signal(number)
        _, said = process.communicate(timeout=60)

    assert process.returncode == 128 + number
    assert said == ""
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "r.txt"]
    assert (tmp_path / "out.csv").read_text() == "old"


@pytest.mark.process
def test_nohup_is_respected(tmp_path):
    with writing(tmp_path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        process.send_signal(signal.SIGHUP)
        end(process)

    assert sorted(os.listdir(tmp_path)) == ["out.csv", "r.txt"]


@pytest.mark.process
def test_what_a_killed_process_left_is_swept_by_the_next(tmp_path):
    with writing(tmp_path) as process:
        process.kill()
        process.wait()
    left = hidden(tmp_path)
    assert len(left) == 1

    with whole_file(str(tmp_path / "other.csv")), whole_file(str(tmp_path / "out.json")):
        assert left[0] in hidden(tmp_path)  # of another name
    with write_whole(str(tmp_path / "out.csv")) as file:
        assert left[0] not in hidden(tmp_path)
        file.write("new")

    assert hidden(tmp_path) == []
    assert (tmp_path / "out.csv").read_text() == "new"


@pytest.mark.process
def test_what_a_running_process_writes_is_not_swept(tmp_path):
    with writing(tmp_path) as first:
        with writing(tmp_path) as second:
            assert len(hidden(tmp_path)) == 2
            end(second)
        assert len(hidden(tmp_path)) == 1
        with write_whole(str(tmp_path / "out.csv")) as file:  # nor by this process
            file.write("ours")
        assert len(hidden(tmp_path)) == 1
        end(first)

    assert sorted(os.listdir(tmp_path)) == ["out.csv", "r.txt"]
    assert (tmp_path / "out.csv").read_text().startswith("id,")


def test_files_that_are_like_ours_are_left_alone(tmp_path):
    ours = ".out.polyrouge-otherhost-1.csv", "out.polyrouge-x-1.csv"
    for name in (".out.csv", ".out.polyrouge.csv", ".out.x.csv", *ours):
        (tmp_path / name).write_text("mine")
    before = sorted(os.listdir(tmp_path))

    with write_whole(str(tmp_path / "out.csv")):
        pass

    assert sorted(os.listdir(tmp_path)) == sorted([*before, "out.csv"])


def test_a_file_that_is_swept_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    import fcntl

    from polyrouge.tables import whole_files

    made, flock = [], fcntl.flock

    def sweeping(handle, how):
        if not made:
            made.extend(hidden(tmp_path))
            (tmp_path / made[0]).unlink()
        flock(handle, how)

    monkeypatch.setattr(whole_files.fcntl, "flock", sweeping)
    with write_whole(str(tmp_path / "out.csv")) as file:
        file.write("whole")

    assert (tmp_path / "out.csv").read_text() == "whole"
    assert hidden(tmp_path) == []


def test_without_locks_files_are_written_and_none_is_swept(tmp_path, monkeypatch):
    from polyrouge.tables import whole_files

    def refuse(_handle, _how):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(whole_files.fcntl, "flock", refuse)
    with write_whole(str(tmp_path / "out.csv")) as first:
        first.write("first")
        with write_whole(str(tmp_path / "out.csv")) as second:
            second.write("second")
            assert len(hidden(tmp_path)) == 2

    assert (tmp_path / "out.csv").read_text() == "first"
    monkeypatch.setattr(whole_files, "fcntl", None)
    with write_whole(str(tmp_path / "out.csv")) as file:
        file.write("third")
    assert (tmp_path / "out.csv").read_text() == "third"


def test_a_writer_that_was_left_open_is_cleaned_up(tmp_path):
    """A signal may come between the making of a file and the block that would remove it."""
    with ending_by_signals():
        left = whole_file(str(tmp_path / "out.csv"))
        left.__enter__()
        assert len(hidden(tmp_path)) == 1
    assert os.listdir(tmp_path) == []
    with pytest.raises(FileNotFoundError):
        left.__exit__(None, None, None)


def test_a_long_name_can_be_written(tmp_path):
    path = tmp_path / ("长" * 80 + ".csv")

    with write_whole(str(path)) as file:
        file.write("x")

    assert os.listdir(tmp_path) == [path.name]


def test_handlers_are_put_back_and_those_of_others_kept():
    of_tests = signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a package that other tests use may have set one
    with ending_by_signals():
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        with pytest.raises(SystemExit) as ended:
            signal.raise_signal(signal.SIGTERM)
        assert ended.value.code == 143
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL  # the second one ends the process
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with ending_by_signals():
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, of_tests)


def test_a_command_in_another_thread_sets_no_handlers():
    found, before = [], signal.getsignal(signal.SIGTERM)

    def run():
        with ending_by_signals():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()

    assert found == [before]
