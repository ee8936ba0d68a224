"""The file for ports holds what the package gives; ``python tests/conformance/conformance.py`` writes it anew."""

import json
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from polyrouge import Rouge

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
FILE = Path(__file__).with_name("conformance.json")


def test_file_is_what_the_package_gives():
    script = SourceFileLoader("conformance_script", str(FILE.with_name("conformance.py"))).load_module()
    assert FILE.read_text(encoding="utf-8") == script.written()
    assert FILE.stat().st_size < 400_000


def test_catalogue_by_what_the_file_says_alone():
    """As a port would run it."""
    cases = json.loads(FILE.read_text(encoding="utf-8"))["catalogue"]
    for case in cases:
        arguments = case["predictions"], case["references"]
        if "refuses" in case:
            with pytest.raises((TypeError, ValueError)):
                Rouge(case["convention"]).compute(*arguments, **case["settings"])
        else:
            lists = {} if "means" in case else {"use_aggregator": False}
            scores = Rouge(case["convention"]).compute(*arguments, **{**lists, **case["settings"]})
            scores = json.loads(json.dumps(scores).replace("NaN", "null"))  # JSON has no NaN
            assert scores == case.get("scores", case.get("means")), case["id"]
    assert len(cases) > 200
