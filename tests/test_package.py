"""The package as a whole: what it exports, and what importing it costs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import polyrouge

ROOT = Path(__file__).resolve().parents[1]


def test_all_is_sorted_and_true():
    assert sorted(polyrouge.__all__) == sorted(set(polyrouge.__all__))
    for name in polyrouge.__all__:
        assert hasattr(polyrouge, name)


def test_import_is_light():
    """Neither evaluate nor anything that a short English call does not need."""
    program = (
        "import sys; from polyrouge import Rouge; Rouge(rouge_types=['rouge1']).compute(['a b'], ['a']);"
        "print(sorted(set('evaluate datasets pandas nltk jieba uniseg'.split()) & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert (printed.stdout, printed.stderr) == ("[]\n", "")


@pytest.mark.process
def test_demo_prints_both_levels_and_their_signatures():
    printed = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "compare_levels.py")], capture_output=True, check=True, text=True
    ).stdout
    for part in ("Chinese: 34 pairs", "English: 34 pairs", "char 95 % of F", "word 95 % of F", "tok:jieba"):
        assert part in printed
    paths = re.findall(r"^  (?:Chinese|English): (.*)$", printed, re.MULTILINE)
    assert len(paths) == 2
    assert all("<table" in Path(path).read_text("utf-8") for path in paths)
