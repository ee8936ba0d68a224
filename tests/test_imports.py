"""What the package exports, and what a process imports for its first score: a start is quick while this is short."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from new_process import ROOT, run_program

import polyrouge

PROGRAM = """
import sys
import numpy
before = set(sys.modules)
from polyrouge import Rouge
print(Rouge({convention!r}).compute({texts!r}, {texts!r})["rouge1"])
print(*sorted(set(sys.modules) - before))
"""

# Slow ones, and those of other uses.
NOT_FOR_A_SCORE = """
    jieba nltk pyarrow pandas uniseg yaml hashlib logging concurrent.futures statistics json asyncio multiprocessing
    polyrouge.comparing polyrouge.explaining polyrouge.files polyrouge.beyond polyrouge.report polyrouge.page
    polyrouge.cli polyrouge.training polyrouge.compat polyrouge.metric_card polyrouge.conventions.pltrdy
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("convention", "texts", "others"),
    [
        ("default", ["the cat sat on the mat"], "regex"),
        ("rouge_score", ["the cat sat on the mat"], "regex"),
        ("zh_char", ["今天天气很好"], ""),
    ],
)
def test_a_first_score_imports_little(convention, texts, others):
    score, modules = run_program(PROGRAM.format(convention=convention, texts=texts)).stdout.splitlines()
    assert score == "1.0"
    assert {*modules.split()} & {*NOT_FOR_A_SCORE.split(), *others.split()} == set()
    assert len([name for name in modules.split() if name.startswith("polyrouge")]) < 90


def test_all_is_sorted_and_true():
    assert sorted(polyrouge.__all__) == sorted(set(polyrouge.__all__))
    for name in polyrouge.__all__:
        assert hasattr(polyrouge, name)


@pytest.mark.process
def test_demo_scores_through_evaluate_compares_and_reports():
    command = [sys.executable, str(ROOT / "examples" / "demo.py")]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    for part in ('evaluate.load("rouge_metric.py", "zh_word")', "  A: rouge1 72.92", "tok:jieba", "a − b  rouge1"):
        assert part in printed
    (path,) = re.findall(r"^Report, to open in a browser: (.*)$", printed, re.MULTILINE)
    assert "<table" in Path(path).read_text("utf-8")
