"""No home, no cache folder, one that takes no files: right scores, and no warning."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from polyrouge import Rouge

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
CACHES = ("POLYROUGE_CACHE_DIR", "XDG_CACHE_HOME", "HOME")
PROGRAM = """
import sys
import polyrouge
texts = [f"the cat number {i} sat on 今天天气很好 {i % 7}" for i in range(50)]
print(polyrouge.Rouge(sys.argv[1], rouge_types=["rouge1"]).compute(texts, texts[::-1]))
"""


def check(convention, before=None, **environment):
    """A new process prints the right scores, and nothing else."""
    inherited = {name: value for name, value in os.environ.items() if name not in CACHES}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, convention],
        capture_output=True,
        cwd=ROOT,  # where Python looks first
        encoding="utf-8",
        env={**inherited, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **environment},
        preexec_fn=before,
        timeout=100,  # seconds; only a broken program needs them
    )
    texts = [f"the cat number {i} sat on 今天天气很好 {i % 7}" for i in range(50)]
    expected = Rouge(convention, rouge_types=["rouge1"], engine="plain").compute(texts, texts[::-1])
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{expected}\n", "")


def without_the_rights_of_root():
    """Root writes to what is read-only, unless a process gives that right up (CAP_DAC_OVERRIDE, capabilities(7))."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


@pytest.fixture(params=["no home", "read-only home", "read-only cache", "a file"])
def place(request, tmp_path):
    """Variables of a process that has nowhere to write."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "file").touch()
    folder.chmod(0o555)
    yield {
        "no home": {"HOME": "/proc/nonexistent"},  # nobody can make a folder there
        "read-only home": {"HOME": str(folder)},
        "read-only cache": {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(folder)},
        "a file": {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "file")},
    }[request.param]
    assert list(folder.iterdir()) == []
    folder.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files as Unix has them")
@pytest.mark.parametrize("convention", ["default", "zh_word"])
def test_a_process_that_has_nowhere_to_write(place, convention):
    check(convention, without_the_rights_of_root, **place)


def test_a_process_without_the_variable_home():
    check("default")
