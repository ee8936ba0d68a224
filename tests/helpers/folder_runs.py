"""Folders of texts to score, the command that scores them, and what it leaves."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from command_runs import write_rows
from news import news

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240  # seconds; only a broken program needs them
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HAN = "天气很好今我们去公园看花猫坐在垫子上睡觉北京大学生活动中心新闻报道经济发展研究"


def rows_of_vocabulary(n_rows, seed=0):
    """Rows of English and Chinese texts from a vocabulary, with one to three references, and the example rows."""
    draw = random.Random(seed)
    words = ["".join(draw.choices(_LETTERS, k=draw.randint(2, 9))) for _ in range(3000)]
    rows = [(row["prediction"], row["references"]) for row in news("en") + news("zh")]
    while len(rows) < n_rows:
        texts = []
        for _ in range(1 + draw.randint(1, 3)):
            n = draw.randint(1, 30)
            if len(rows) % 2:
                texts.append(" ".join(draw.choices(words, k=n)) + draw.choice([".", "!\n", ""]))
            else:
                texts.append("".join(draw.choices(_HAN, k=n)) + draw.choice(["。", "!\n", "", " GPT4"]))
        common = texts[1][: len(texts[1]) // 2]
        rows.append((common + texts[0], texts[1:]))
    return [
        {"id": number, "prediction": prediction, "references": references}
        for number, (prediction, references) in enumerate(rows[:n_rows])
    ]


def write_parquet(path, rows, row_group_size=None):
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=row_group_size)


def _command(source, target, *options, variables=(), **popen):
    """Scoring a folder by a process of its own: of this package, in one thread, with an engine that tells nobody."""
    own = {"PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0", "PYTHONIOENCODING": "utf-8"}
    args = [sys.executable, "-m", "polyrouge", "score", str(source), "-o", str(target), *map(str, options)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return {"args": args, "env": {**os.environ, **own, **dict(variables)}, **pipes, **popen}


def start_command(*arguments, **options):
    return subprocess.Popen(**_command(*arguments, **options))


def run_command(*arguments, **options):
    """Score a folder to the end: the exit code, and what was said."""
    ran = subprocess.run(**_command(*arguments, **options), check=False, timeout=PATIENCE)
    return ran.returncode, ran.stderr


def undisturbed_run(folder, seed, n_lines, n_partitions, *options):
    """A folder of texts, options, and the bytes of a run on this machine that nothing has come between.

    The options are for the slow engine, so that other runs have a middle.
    """
    source = folder / "in"
    source.mkdir()
    rows = rows_of_vocabulary(6000, seed=seed)
    write_rows(source / "a.jsonl", rows[:n_lines])
    write_parquet(source / "b.parquet", rows[n_lines:], row_group_size=n_lines)
    size = sum(path.stat().st_size for path in source.iterdir()) / n_partitions / 1e6
    common = ["--partition-size", size, "-c", "zh_char", "-q"]
    code, said = run_command(source, folder / "out", *common, "--run-on", "local", "--workers", 1)
    assert code == 0, said
    return source, [*common, "--engine", "plain", *options], tree(folder / "out")


def n_finished(target):
    """How many partitions are finished."""
    folder = Path(target) / "partitions"
    return len([name for name in os.listdir(folder) if not name.startswith(".")]) if folder.is_dir() else 0


def wait_for(condition, process=None):
    """Wait for a condition; also ends when the process does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        if process is not None and process.poll() is not None:
            return
        time.sleep(0.002)


def tree(folder):
    """All files below a folder, hidden ones too: their names and bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()
    }


def scores_of(target):
    """The scores of all partitions, in order."""
    names = sorted((Path(target) / "scores").glob("*.parquet"))
    return pa.concat_tables([pq.read_table(name) for name in names])


def summary_of(target):
    return json.loads((Path(target) / "summary.json").read_text(encoding="utf-8"))


def descendants(pid):
    """Processes below a process, with their command lines, by Linux's /proc."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = Path(f"/proc/{name}/stat").read_text()
                line = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            parents[int(name)] = (int(stat.rpartition(")")[2].split()[1]), line)
    lines, below = {}, {pid}
    while below:
        below = {each for each, (parent, _) in parents.items() if parent in below}
        lines |= {each: parents[each][1] for each in below}
    return lines
