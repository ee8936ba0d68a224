"""Runs that are killed, lose a worker or find no room: what was finished is kept, and the end is the same bytes."""

import os
import random
import resource
import shutil
import signal
import sys
import time

import pytest
from command_runs import write_rows
from folder_runs import (
    descendants,
    n_finished,
    rows_of_vocabulary,
    run_command,
    start_command,
    tree,
    undisturbed_run,
    wait_for,
)

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc of Linux")]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return undisturbed_run(tmp_path_factory.mktemp("runs"), 2, 100, 60, "--run-on", "local")


def all_are_gone(pids):
    """Whether processes have ended; one that nobody has waited for counts."""
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] != "Z":
                    return False
        except OSError:
            continue
    return True


def test_kills_and_then_a_dead_worker(undisturbed, tmp_path):
    source, options, expected = undisturbed
    n_partitions = len([name for name in expected if name.startswith("scores")])
    draw = random.Random()
    seed = draw.randrange(1 << 30)
    print("seed", seed)
    draw.seed(seed)
    for finished in sorted(draw.randrange(n_partitions * 3 // 4) for _ in range(4)):
        process = start_command(source, tmp_path / "out", *options, "--workers", 2)
        time.sleep(draw.random() if finished == 0 else 0)  # may be before there is a folder
        wait_for(lambda finished=finished: n_finished(tmp_path / "out") >= finished, process)
        time.sleep(draw.random() / 20)
        workers = descendants(process.pid)
        process.kill()
        process.communicate()
        wait_for(lambda workers=workers: all_are_gone(workers))
    n_before = n_finished(tmp_path / "out")
    process = start_command(source, tmp_path / "out", *options, "--workers", 2)
    wait_for(lambda: n_finished(tmp_path / "out") >= n_before + 3, process)
    os.kill(next(pid for pid, line in descendants(process.pid).items() if "spawn_main" in line), signal.SIGKILL)

    _, said = process.communicate()

    assert (process.returncode, said) == (0, "")
    assert tree(tmp_path / "out") == expected


def test_a_disk_without_room(tmp_path):
    (tmp_path / "in").mkdir()
    rows = rows_of_vocabulary(3000)
    write_rows(tmp_path / "in" / "a.jsonl", rows[:5])
    write_rows(tmp_path / "in" / "b.jsonl", rows)  # whose scores are larger than a file may be
    options = ["--run-on", "local", "--workers", 2, "-c", "zh_char"]

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    folders = tmp_path / "in", tmp_path / "out"
    code, said = run_command(*folders, *options, preexec_fn=no_room)

    assert code == 2
    errors = [line for line in said.splitlines() if "error: " in line]
    assert errors == [
        f"polyrouge: error: {tmp_path}/out/scores/part-000001.parquet (of b.jsonl) can't be written: File too large. "
        "(Partition 1; finished partitions are kept: fix this, then run the same command again.)"
    ]
    names = ["manifest.json", "partitions/part-000000.json", "scores/part-000000.parquet"]
    assert sorted(tree(tmp_path / "out")) == names
    assert run_command(*folders, *options)[0] == 0
    whole = tree(tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    assert run_command(*folders, *options)[0] == 0
    assert tree(tmp_path / "out") == whole
