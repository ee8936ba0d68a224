"""The file for ports holds what the package gives; ``python tests/conformance/conformance.py`` writes it anew."""

import runpy
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("conformance.json")


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_file_is_what_the_package_gives():
    script = runpy.run_path(str(FILE.with_name("conformance.py")))
    assert FILE.read_text(encoding="utf-8") == script["written"]()
    assert FILE.stat().st_size < 400_000
