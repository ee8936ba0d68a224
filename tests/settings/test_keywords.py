"""What editors and type checkers know of the settings that ``Rouge`` and its calls take by keyword."""

import re
import subprocess
import sys

import pytest
from new_process import ROOT

SNIPPET = """
from pathlib import Path
from polyrouge import Rouge, rouge

metric = Rouge("zh_char", use_stemmer=True, rouge_types=["rouge1"], threads=2, stop_words={"a"}, tokenizer=str.split)
Rouge("pltrdy", tool={"lcs": "union"}, weights=[1, 2], subword_model=Path("x"), scale=100, confidence=None)
metric.compute(["a"], ["b"], confidence=0.95, engine="plain")
metric.for_trainer(None, num_samples=3, use_stemmer=True)
Rouge("zh_char", use_stemer=True)  # no
Rouge("zh_char", use_stemmer="yes")  # no
metric.compute(["a"], ["b"], use_stemer=True)  # no
metric.score(["a"], ["b"], best_reference=True, thread=1)  # no
metric.score_batch({}, "p", "r", rouge_type=["rouge1"])  # no
metric.count(["a"], ["b"], use_stemer=True)  # no
metric.explain("a", "b", use_stemer=True)  # no
rouge("a", "b", use_stemer=True)  # no
metric.for_trainer(None, num_sample=3)  # no
metric.for_trainer(None, use_stemer=True)  # no
"""


@pytest.mark.process
def test_a_type_checker_finds_what_is_misspelt_and_nothing_else(tmp_path):
    script = tmp_path / "snippet.py"
    script.write_text(SNIPPET, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(
        f'{{"typeCheckingMode": "standard", "pythonVersion": "3.10", "extraPaths": ["{ROOT.as_posix()}"]}}', "utf-8"
    )
    command = [sys.executable, "-m", "basedpyright", "--project", str(tmp_path), str(script)]
    printed = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
    found = {int(line) for line in re.findall(r"snippet\.py:(\d+):\d+ - error", printed)}
    assert found == {n for n, line in enumerate(SNIPPET.split("\n"), 1) if line.endswith("# no")}, printed
