"""Every example of the README files is run."""

import doctest
import re
from pathlib import Path

import evaluate
import pytest

from polyrouge import CONVENTIONS, TOKENIZERS, RougeSettings, TokenizerOptions
from polyrouge.tokenization import build_tokenizer

ROOT = Path(__file__).resolve().parents[1]
FILES = ["README.md", "README_zh.md"]


@pytest.fixture
def load_from_here(monkeypatch):
    """``evaluate.load`` of our Hub path loads the script of this repository."""
    load = evaluate.load

    def load_local(path, *args, **kwargs):
        assert path == "polyrouge/rouge_metric"
        return load(str(ROOT / "rouge_metric.py"), *args, **kwargs)

    monkeypatch.setattr(evaluate, "load", load_local)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("load_from_here")
def test_examples_print_what_they_say(name):
    path = str(ROOT / name)

    results = doctest.testfile(path, module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8")

    assert results.attempted >= 15
    assert results.failed == 0


@pytest.mark.parametrize("name", FILES)
def test_other_python_blocks_compile(name):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)

    assert blocks
    for block in blocks:
        if not block.lstrip().startswith(">>>"):
            compile(block, name, "exec")


@pytest.mark.parametrize("name", FILES)
def test_tokenizer_table_is_what_the_tokenizers_do(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    (example,) = set(re.findall("`(GPT-4[^`]*)`", text))
    table = text[text.index(example) :].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| ((?:`[^`]+` )+)\|", table, re.MULTILINE)

    tables = {tokenizer: re.findall("`([^`]+)`", tokens) for tokenizer, tokens in rows}

    assert set(TOKENIZERS) == set(tables)
    for tokenizer, tokens in tables.items():
        assert tokens == build_tokenizer(tokenizer, TokenizerOptions())(example.lower()), tokenizer


@pytest.mark.parametrize("name", FILES)
def test_tables_name_every_setting_and_convention(name):
    text = (ROOT / name).read_text(encoding="utf-8")

    for setting in RougeSettings.names():
        assert re.search(rf"^\|[^|]*`{setting}`", text, re.MULTILINE), setting
    for convention in CONVENTIONS:
        assert f"| `{convention}` |" in text, convention


@pytest.mark.parametrize("name", FILES)
def test_links_to_files_exist(name):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8"))

    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target
