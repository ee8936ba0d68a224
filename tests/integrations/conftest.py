"""Tests with the real harnesses: ``nox -f .ci/noxfile.py -s harnesses frameworks``, in environments that hold them.

They pin old packages, so they stay out of the environment of ``make test``, which collects only what it can run.
Nothing here reaches the network: a model is made on the fly, data lie in ``examples/``.
"""

import importlib.util
import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _has_summarization() -> bool:
    """Transformers 5 has taken the pipeline out that ``evaluator("summarization")`` runs."""
    try:
        return int(version("transformers").partition(".")[0]) < 5
    except PackageNotFoundError:
        return False


_HARNESSES = ("inspect_ai", "lighteval", "lm_eval", "mlflow")
collect_ignore = [f"test_{name}.py" for name in _HARNESSES if importlib.util.find_spec(name) is None]
if importlib.util.find_spec("wandb") is None or importlib.util.find_spec("transformers") is None:
    collect_ignore.append("test_logging.py")
if importlib.util.find_spec("deepeval") is None:
    collect_ignore.append("test_frameworks.py")
if not _has_summarization():
    collect_ignore.append("test_evaluate_pipelines.py")


@pytest.fixture(scope="session")
def rows():
    """The Chinese example data, which the tasks of ``examples/harnesses`` read."""
    with open(ROOT / "examples" / "zh_news.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def references(rows):
    return [row["references"] for row in rows]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory):
    """The folder of a Llama of random weights with a tokenizer of characters, for the CPU."""
    import torch
    from tiny_parts import read_rows, tiny_causal_model, tiny_tokenizer

    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("tiny_model")
    tokenizer = tiny_tokenizer(read_rows(34))
    tokenizer.save_pretrained(folder)
    tiny_causal_model(tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture
def run(tmp_path):
    """Runs Python in a process of its own, without a network and with caches of its own; gives what it printed."""

    def run_python(*arguments, folder=ROOT):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        environment |= {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "PYTHONIOENCODING": "utf-8"}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run_python
