"""The page gives the numbers of the metric."""

import importlib.util
from pathlib import Path

import pytest

from polyrouge import Rouge

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def app():
    """app.py as the script that a Space runs: under no package."""
    spec = importlib.util.spec_from_file_location("space_app", ROOT / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_choice_gives_the_numbers_of_its_convention(app):
    prediction, references = "今天天气很好。\n我们去公园 ok", "今天天气不错。\n我们去公园玩 ok\n---\n天气好\nfine"
    for choice, convention in app.CONVENTIONS.items():
        rouge = Rouge(convention, output="all")
        expected = rouge.compute([prediction], [references.split("\n---\n")])

        rows, signature = app.score(prediction, references, choice)

        assert rouge.signature() == signature
        for name, precision, recall, f in rows:
            ours = (expected[f"{name}_precision"], expected[f"{name}_recall"], expected[name])
            assert ours == pytest.approx((precision, recall, f), abs=5e-5)


def test_page_is_built_with_a_named_endpoint(app):
    endpoints = app.build_page().get_api_info()["named_endpoints"]

    assert "/score" in endpoints
