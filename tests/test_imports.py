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

# Of Python itself, beside what numpy imports. Each takes a thousandth of a second or less.
OF_PYTHON = """
    __future__ _ast _bisect _cython _cython_runtime _opcode _string _weakrefset ast atexit bisect concurrent copy
    dataclasses dis encodings.utf_32_le errno fnmatch importlib._abc importlib.util inspect ipaddress linecache ntpath
    opcode pathlib string textwrap threading token tokenize traceback unicodedata urllib urllib.parse weakref
"""
OURS = """
    conventions conventions.by_name conventions.common conventions.own conventions.registry conventions.rouge_score
    counting counting.compiled counting.compiled.character_table counting.compiled.kernels
    counting.compiled.kernels._kernels counting.compiled.kernels._kernels_v3 counting.compiled.text_counter
    counting.loop counting.counts counting.token_ids documents documents.document documents.input_notes
    documents.json_notes documents.lookalikes documents.notes documents.row_notes documents.side_notes
    documents.stand_ins documents.text_forms errors inputs metric progress registries scoring scoring.aggregates
    scoring.intervals scoring.resamples scoring.sample_scores scoring.scores scoring.single_pairs settings
    settings.allowed_values settings.effects settings.rouge_settings settings.rouge_types settings.rules
    settings.signature texts texts.edits texts.fork_lock texts.jieba_words texts.languages texts.markdown texts.markup
    texts.model_output texts.normalization texts.patterns texts.preparation texts.registration texts.sentences
    texts.tokenizers version
"""
NOT_FOR_CHINESE = "jieba nltk pyarrow uniseg hashlib logging concurrent.futures statistics"


def imported(convention, texts):
    """The modules that a new process imports beside numpy's."""
    program = PROGRAM.format(convention=convention, texts=texts)
    score, modules = run_program(program).stdout.splitlines()
    assert score == "1.0"
    return {name for name in modules.split() if name.partition(".")[0] != "numpy" and not name.startswith("__mp")}


@pytest.mark.process
@pytest.mark.parametrize("convention", ["default", "rouge_score"])
def test_a_first_score_imports_little(convention):
    allowed = {"polyrouge", *(f"polyrouge.{name}" for name in OURS.split()), *OF_PYTHON.split()}
    assert {name for name in imported(convention, ["the cat sat on the mat"]) if "cython" not in name} <= allowed


@pytest.mark.process
def test_a_first_score_of_chinese_imports_one_library_more():
    modules = imported("zh_char", ["今天天气很好"])
    assert "regex" in modules
    assert not modules & set(NOT_FOR_CHINESE.split())


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
