"""The names that docs/migrating.md promises of each module of ``polyrouge.compat``."""

import importlib
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def names_of(page):
    rows = re.findall(r"^\| `([a-z_.0-9]+)` \| (`.+`) \|$", (DOCS / page).read_text("utf-8"), re.MULTILINE)
    return {module: re.findall("`([^`]+)`", names) for module, names in rows}


MODULES = [
    pytest.param(name, marks=pytest.mark.training) if name == "torchmetrics" else name
    for name in names_of("migrating.md")
]


@pytest.mark.parametrize("module", MODULES)
def test_modules_have_what_is_promised(module):
    package = importlib.import_module(f"polyrouge.compat.{module}")
    promised = names_of("migrating.md")[module]
    assert all(hasattr(package, name) for name in promised)
