"""What of ``examples/harnesses`` needs no harness; ``tests/integrations`` runs them with the real ones."""

import re
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from polyrouge import Rouge

HARNESSES = Path(__file__).resolve().parents[1] / "examples" / "harnesses"
REFERENCES = ["今天天气不错", "今天是个好天气"]


def lm_eval_utils():
    loader = SourceFileLoader("lm_eval_utils", str(HARNESSES / "lm_eval" / "utils.py"))
    module = ModuleType(loader.name)
    loader.exec_module(module)
    return module


def test_task_of_lm_eval_lists_what_its_function_gives():
    scores = lm_eval_utils().process_results({"references": REFERENCES}, ["今天天气很好"])
    listed = re.findall(r"metric: (\w+)", (HARNESSES / "lm_eval" / "zh_news.yaml").read_text(encoding="utf-8"))
    assert scores == Rouge("zh_char", rouge_types=listed).compute(["今天天气很好"], [REFERENCES])
    assert list(scores) == listed


@pytest.mark.hub
@pytest.mark.parametrize("name", ["en_news", "zh_news"])
def test_examples_are_a_data_set(name, tmp_path):
    """lighteval names a data set by its folder; its README.md says which file is which."""
    from datasets import load_dataset

    data = load_dataset(str(HARNESSES.parent), name, split="train", cache_dir=str(tmp_path))
    assert data.column_names == ["id", "document_topic", "prediction", "prediction_b", "references"]
    assert len(data) == 34
    assert data["id"][0] == f"{name[:2]}-001"
