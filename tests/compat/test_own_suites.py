"""The test suites of other packages, run against ``polyrouge.compat`` by exchanging their imports.

The suites are those of the releases on PyPI. ``make suites`` brings them; they are no part of this repository.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest
import rouge155_script
from exchanged_imports import Suite
from punkt_data import with_punkt

pytestmark = pytest.mark.peers
ROOT = Path(__file__).resolve().parents[2]


class Known(NamedTuple):
    """A suite and how its tests end."""

    folder: str  # of the release
    suite: Suite
    passed: int  # how many pass
    others: str = ""  # pattern for the names of those that fail, with the package itself too
    data: Mapping[str, str] = MappingProxyType({})  # files that the release lacks, with texts of our own
    mends: str = ""  # files whose TYPE="SPL" is TYPE="SEE" in the repository since its commit a649c7b
    needs_script: bool = False  # the suite runs the Perl script, too


_LINES = "the cat sat on the mat\na dog ran home\n", "a cat sat on a mat\nthe dogs ran\n"
KNOWN = {
    "rouge_score": Known(
        "rouge_score-0.1.2",
        Suite(
            files=[f"rouge_score/{name}_test.py" for name in ("rouge_scorer", "scoring", "tokenize", "tokenizers")],
            exchange={"rouge_score": "polyrouge.compat.rouge_score"},
            more={"rouge_score": "rouge_score"},
            without=["testLcsTable", "testUnionLcs", "testSummaryLevelLcs"],  # private functions
        ),
        passed=27,
        others="AgainstRouge155|testRougeLsumLarge",  # they want scores of texts that the release does not hold
        data={
            "rouge_score/testdata/target.txt": _LINES[0],
            "rouge_score/testdata/prediction.txt": _LINES[1],
            "rouge_score/testdata/target_large.txt": _LINES[0] * 3,
            "rouge_score/testdata/prediction_large.txt": _LINES[1] * 3,
            "rouge_score/testdata/pyrouge_files/target_multi.0.txt": _LINES[0],
            "rouge_score/testdata/pyrouge_files/prediction_multi.0.txt": _LINES[0],
        },
    ),
    "rouge_chinese": Known(
        "rouge_chinese-1.0.3",
        Suite(files=["tests/test_basic.py"], exchange={"rouge_chinese": "polyrouge.compat.rouge_chinese"}),
        passed=0,
        others="BasicTest",  # its data are scores of pltrdy's rouge 1.0.0, which cuts at full stops
    ),
    "pyrouge": Known(
        "pyrouge-0.1.3",
        Suite(
            files=["pyrouge/tests/Rouge155_test.py"],
            exchange={"pyrouge": "polyrouge.compat.pyrouge"},
            more={"pyrouge": "pyrouge"},
            without=["test_get_plain_text"],  # it is there only with BeautifulSoup
            commands="bin",
        ),
        passed=10,
        mends="pyrouge/tests/data/*.xml",
        needs_script=True,
    ),
}


def copy_of_suite(known: Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a suite's folder, with the data that it lacks and sentences by NLTK."""
    folder = ROOT / ".venv" / "suites" / known.folder
    if not folder.is_dir():
        pytest.skip("needs the suites of other packages: make suites")
    copy = shutil.copytree(folder, tmp_path / known.folder)
    for name, text in known.data.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text, "utf-8")
    for path in copy.glob(known.mends) if known.mends else ():
        path.write_text(path.read_text("utf-8").replace('"SPL"', '"SEE"'), "utf-8")
    if known.needs_script:
        rouge155_script.use_perl(tmp_path, monkeypatch)
        rouge155_script.copy_release(copy / "release")
        (tmp_path / ".pyrouge").mkdir()
        (tmp_path / ".pyrouge" / "settings.ini").write_text(f"[pyrouge settings]\nhome_dir = {copy / 'release'}\n")
        monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NLTK_DATA", str(with_punkt(tmp_path, monkeypatch)))
    return copy


def ends_of(folder: Path, suite: Suite) -> dict[str, str]:
    """How each test of a suite ended, in a process of its own."""
    program = str(ROOT / "tests" / "helpers" / "exchanged_imports.py")
    own = [] if suite.exchange else [str(folder)]  # the package itself
    path = os.pathsep.join(filter(None, [*own, str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, program, suite.as_argument()],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    *_, last = [line for line in done.stdout.splitlines() if line.startswith("ENDS ")] or [""]
    assert last, done.stdout + done.stderr
    return json.loads(last.removeprefix("ENDS "))


@pytest.mark.parametrize("name", KNOWN)
def test_their_suite(name, tmp_path, monkeypatch):
    """The tests that should pass do; what fails here fails with the package, too."""
    known = KNOWN[name]
    folder = copy_of_suite(known, tmp_path, monkeypatch)

    theirs = ends_of(folder, replace(known.suite, exchange={}, more={}))
    ours = ends_of(folder, known.suite)

    failures = {test: trouble for test, trouble in ours.items() if trouble}
    print(f"{name}: {len(ours) - len(failures)} of {len(ours)} tests of its own suite pass")
    assert all(known.others and re.search(known.others, test) for test in failures), failures
    assert len(ours) - len(failures) == known.passed
    assert {test: not trouble for test, trouble in theirs.items()} == {test: not end for test, end in ours.items()}
