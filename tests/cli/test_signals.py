"""Signals end the command at any moment: with one line or none, an exit code, and without an unfinished file."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from command_runs import ROOT

from polyrouge.cli.command_line import main

_LINES = 5_000  # more than a pipe is read at once
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of Unix")


def start(*arguments, folder, **options):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-m", "polyrouge", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes, **options)


@contextmanager
def writing(folder, number, handler):
    """A command that has begun to write samples, and waits for more predictions."""
    (folder / "out.csv").write_text("old")
    (folder / "r.txt").write_text("a b\n" * _LINES + "a c\n")
    arguments = ("score", "-", "r.txt", "--per-sample", "out.csv", "-q")
    with start(*arguments, folder=folder, preexec_fn=lambda: signal.signal(number, handler)) as process:
        try:
            assert process.stdin is not None
            process.stdin.write("a b\n" * _LINES)
            process.stdin.flush()
            while not any(name.startswith(".") for name in os.listdir(folder)):
                assert process.poll() is None
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
        _, said = process.communicate()
    assert (process.returncode, said) == (128 + number, "")
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "r.txt"]
    assert (tmp_path / "out.csv").read_text() == "old"


@pytest.mark.process
def test_nohup_is_respected(tmp_path):
    with writing(tmp_path, signal.SIGHUP, signal.SIG_IGN) as process:
        process.send_signal(signal.SIGHUP)
        process.communicate("a c\n")
    assert process.returncode == 0
    assert (tmp_path / "out.csv").read_text().startswith("id,")


def test_a_second_signal_ends_the_process_at_once(monkeypatch):
    monkeypatch.setattr("polyrouge.cli.commands.app", lambda **_options: signal.raise_signal(signal.SIGTERM))
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with pytest.raises(SystemExit) as ended:
            main([])
        assert ended.value.code == 143
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


def write_rows(path, n):
    words = [f"w{number}" for number in range(1000)]
    rng = random.Random(0)
    texts = (" ".join(rng.choices(words, k=400)) for _ in range(2 * n))
    path.write_text("".join(f'{{"prediction": "{next(texts)}", "reference": "{next(texts)}"}}\n' for _ in range(n)))


def interrupted(folder, line, *arguments):
    """What the command says after Ctrl-C, which is sent when it has said some line; and its exit code."""
    with start(*arguments, "--rouge-types", "rougeW", folder=folder, start_new_session=True) as process:
        said = next((text for text in process.stderr if line in text), "")
        assert said
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of its processes
        return process.communicate()[1], process.returncode


@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "arguments"),
    [("8 partitions", "in --run-on local --workers 2 -o out"), ("guessed: ", "in/0.jsonl")],
    ids=["workers", "one process"],
)
def test_ctrl_c_is_told_in_a_line(tmp_path, line, arguments):
    (tmp_path / "in").mkdir()
    for number in range(8):
        write_rows(tmp_path / "in" / f"{number}.jsonl", 3_000 if number == 0 else 300)
    said, code = interrupted(tmp_path, line, "score", *arguments.split())
    lines = [text for text in said.splitlines() if "guessed: " not in text]
    assert (lines, code) == (["polyrouge: interrupted"], 130)
