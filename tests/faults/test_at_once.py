"""Many at once: threads of one object, pools of processes started in each way. No score moves."""

import json
import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from polyrouge import Rouge

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 100  # seconds; only a broken program needs them
MIXED = [
    {},
    {"engine": "plain"},
    {"engine": "compiled", "threads": 2},
    {"tokenizer": "jieba", "engine": "compiled"},
    {"tokenizer": "jieba", "engine": "plain", "sentence_split": "zh"},
    {"tokenizer": "space", "use_stemmer": True, "engine": "compiled"},
    {"tokenizer": str.split, "lowercase": False},
    {"rouge_types": ["rougeW", "rougeSU4"], "output": "all", "use_aggregator": False},
    {"confidence": 0.95, "n_resamples": 50, "seed": 3},
    {"empty": "skip", "aggregate": "micro", "multi_reference": "pooled", "engine": "compiled"},
]


def texts_of(number):
    """Samples that only one caller has, so that a mix-up shows."""
    rows = [f"the cat {number} sat on mat {i % 7}\n今天天气{number}很好，上海{i % 3}下雨。" for i in range(60)]
    return rows, [*rows[1:], ""]


def scores(rouge, number):
    return rouge.compute(*texts_of(number), **MIXED[number % len(MIXED)])


@pytest.fixture(scope="module")
def expected():
    """What each call gives by itself."""
    rouge = Rouge()
    return [scores(rouge, number) for number in range(40)]


def test_eight_threads_of_one_object(expected):
    rouge = Rouge()
    start = threading.Barrier(8)

    def scores_of_thread(first):
        start.wait(PATIENCE)
        return [scores(rouge, number) for number in range(first, 40, 8)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(scores_of_thread, range(8))) == [expected[first::8] for first in range(8)]


POOL = """
import json, multiprocessing, sys, warnings
warnings.simplefilter("ignore")
from polyrouge import Rouge

CALLS = [("default", "plain"), ("default", "compiled"), ("zh_word", "plain"), ("zh_word", "compiled")] * 3

def texts_of(number):
    rows = [f"the cat {number} sat on mat {i % 7}\\n今天天气{number}很好，上海{i % 3}下雨。" for i in range(60)]
    return rows, [*rows[1:], ""]

def scores(number):
    convention, engine = CALLS[number]
    return Rouge(convention, engine=engine, threads=2).compute(*texts_of(number))

if __name__ == "__main__":
    method, is_warm = sys.argv[1:]
    if is_warm == "warm":  # kernels, tables and threads are there when the processes start
        for number in range(4):
            scores(number)
    with multiprocessing.get_context(method).Pool(3) as pool:
        print(json.dumps(pool.map(scores, range(len(CALLS)), chunksize=1)))
"""


@pytest.mark.parametrize("state", ["cold", "warm"])
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_pools_of_processes(method, state, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(POOL, encoding="utf-8")
    command, environment = [sys.executable, program, method, state], {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=PATIENCE)
    assert (ran.returncode, ran.stderr) == (0, "")
    conventions = ["default", "default", "zh_word", "zh_word"] * 3
    by_itself = [Rouge(each, engine="plain").compute(*texts_of(n)) for n, each in enumerate(conventions)]
    assert json.loads(ran.stdout) == by_itself
