"""Ctrl-C ends the command at any moment with one line and the exit code 130."""

import os
import random
import signal
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.process, pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT")]


def interrupted(arguments, moment, cwd):
    """What the command says and how it ends; the moment is a number of seconds, or what it says before."""
    started = subprocess.Popen(
        [sys.executable, "-c", "from polyrouge.cli.command_line import main; main()", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        start_new_session=True,
    )
    said = ""
    if isinstance(moment, str):
        for line in started.stderr:
            said += line
            if moment in line:
                break
        assert moment in said, said
    else:
        with pytest.raises(subprocess.TimeoutExpired):
            started.communicate(timeout=moment)
    os.killpg(started.pid, signal.SIGINT)  # as a terminal does: to all of its processes
    return started.communicate()[1], started.returncode


def write_rows(path, n):
    words = [f"w{number}" for number in range(1000)]
    rng = random.Random(0)
    texts = (" ".join(rng.choices(words, k=400)) for _ in range(2 * n))
    path.write_text("".join(f'{{"prediction": "{next(texts)}", "reference": "{next(texts)}"}}\n' for _ in range(n)))


def test_while_workers_start_and_work(tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(8):
        write_rows(tmp_path / "in" / f"{number}.jsonl", 500)
    arguments = ("score", "in", "--run-on", "local", "--workers", "2", "--rouge-types", "rougeW", "-o", "out")

    said, code = interrupted(arguments, "8 partitions", tmp_path)

    assert (said, code) == ("polyrouge: interrupted\n", 130)


def test_while_it_scores(tmp_path):
    write_rows(tmp_path / "x.jsonl", 3_000)

    said, code = interrupted(("score", "x.jsonl", "--rouge-types", "rougeW"), "guessed: ", tmp_path)

    assert (said.splitlines()[-1], code) == ("polyrouge: interrupted", 130)
