"""What a process imports for its first score: a start is quick only as long as this stays short."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import sys
import numpy
before = set(sys.modules)
from polyrouge import Rouge
print(Rouge({convention!r}).compute({texts!r}, {texts!r})["rouge1"])
print(*sorted(set(sys.modules) - before))
"""

# Of Python itself, beside what numpy imports. Each takes a thousandth of a second or less.
OF_PYTHON = {
    *("__future__", "_bisect", "_string", "atexit", "bisect", "copy", "dataclasses", "errno", "fnmatch", "ipaddress"),
    "encodings.utf_32_le",
    *("importlib._abc", "importlib.util", "ntpath", "pathlib", "string", "threading", "unicodedata", "urllib"),
    *(
        "urllib.parse",
        "traceback",
        "inspect",
        "ast",
        "_ast",
        "dis",
        "opcode",
        "_opcode",
        "tokenize",
        "token",
        "linecache",
    ),
    *("textwrap", "_weakrefset", "weakref", "concurrent", "_cython_runtime", "_cython"),
}
OURS = {
    *("conventions", "conventions.registry"),
    *("counting", "counting.compiled", "counting.compiled.character_table", "counting.compiled.supported_rules"),
    *("counting.compiled.kernels", "counting.compiled.kernels._kernels", "counting.compiled.kernels._kernels_v3"),
    *("counting.compiled.kernels.codes", "counting.loop", "counting.pair_counts"),
    *(
        "errors",
        "fork_lock",
        "inputs",
        "metric",
        "progress",
        "documents",
        "documents.document",
        "documents.input_notes",
        "documents.lookalikes",
    ),
    *("scoring", "scoring.intervals"),
    *("scoring.sample_scores",),
    *("scoring.results", "scoring.scores", "scoring.single_pairs", "settings", "settings.allowed_values"),
    *("settings.rouge_settings", "settings.rouge_types", "settings.signature", "settings.rules"),
    *("texts", "texts.jieba_words", "texts.languages", "texts.model_output", "texts.normalization"),
    *("texts.patterns", "texts.registration", "texts.sentences", "texts.tokenizers"),
    *("tools", "tools.by_name", "tools.common", "tools.rouge_score", "version"),
}


def imported(convention, texts):
    """The modules that a new process imports beside numpy's."""
    program = PROGRAM.format(convention=convention, texts=texts)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )
    score, modules = done.stdout.splitlines()
    assert score == "1.0"
    return {name for name in modules.split() if name.partition(".")[0] != "numpy" and not name.startswith("__mp")}


@pytest.mark.process
@pytest.mark.parametrize("convention", ["default", "rouge_score"])
def test_a_first_score_imports_little(convention):
    ours = {"polyrouge", *(f"polyrouge.{name}" for name in OURS)}
    surplus = {name for name in imported(convention, ["the cat sat on the mat"]) if "cython" not in name}
    assert surplus <= ours | OF_PYTHON


@pytest.mark.process
def test_a_first_score_of_chinese_imports_one_library_more():
    modules = imported("zh_char", ["今天天气很好"])
    assert "regex" in modules
    assert not modules & {
        "jieba",
        "nltk",
        "pyarrow",
        "uniseg",
        "hashlib",
        "logging",
        "concurrent.futures",
        "statistics",
    }
