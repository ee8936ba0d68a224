"""Every example of the README files is run."""

import doctest
import json
import re
from pathlib import Path

import evaluate
import pytest

from polyrouge import CONVENTIONS, TOKENIZERS, RougeSettings, TokenizerOptions, compare_conventions
from polyrouge.conventions.of_tools import TOOL_CONVENTIONS
from polyrouge.texts.tokenizers import build_tokenizer

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
def test_examples_print_what_they_say(name, monkeypatch):
    monkeypatch.chdir(ROOT)  # examples read examples/*.jsonl
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

    assert {each for each, entry in TOKENIZERS.items() if entry.is_general} == set(tables)
    for tokenizer, tokens in tables.items():
        assert tokens == build_tokenizer(tokenizer, TokenizerOptions())(example.lower()), tokenizer


@pytest.mark.parametrize("name", FILES)
def test_tokenizers_of_tools_are_named(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    below = text[text.index("`register_tokenizer`") :].partition("\n#")[0]

    for tokenizer, entry in TOKENIZERS.items():
        if not entry.is_general:
            assert f"`{'xlsum_<language>' if tokenizer.startswith('xlsum_') else tokenizer}`" in below, tokenizer


def row_of(text: str, name: str) -> str:
    """The row of a convention in the table of those of other tools, which has six columns."""
    return next(row for row in re.findall(rf"^\| `{name}` \|.*$", text, re.MULTILINE) if row.count("|") == 7)


def test_table_of_conventions_says_what_they_say():
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    for convention in TOOL_CONVENTIONS:
        row = row_of(text, convention.name)
        for words in (convention.reproduces, convention.used_by, convention.unusual, convention.fails_on):
            assert f"| {words or '–'} |" in row, convention.name


def test_chinese_table_of_conventions_has_the_same_rows_of_scores():
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in FILES]

    for convention in TOOL_CONVENTIONS:
        counts = [re.findall(r"[\d,]+", row_of(text, convention.name).split("|")[6]) for text in texts]
        assert {number for count in counts for number in count} == set(counts[0]), convention.name
        assert len(counts[0]) == len(counts[1])


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("name", FILES)
def test_table_of_compared_conventions_is_what_they_score(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\d.–]+) \| ([\d.–]+) \| ([\d.–]+) \|(.*)\|$", text, re.MULTILINE)
    with open(ROOT / "examples" / "zh_news.jsonl", encoding="utf-8") as lines:
        examples = [json.loads(line) for line in lines]

    compared = compare_conventions(
        [example["prediction"] for example in examples],
        [example["references"] for example in examples],
        [convention for convention, *_ in rows],
    )

    assert len(rows) >= 8
    written = compared.to_markdown().splitlines()[2:]
    for (convention, *scores, note), line in zip(rows, written, strict=True):
        assert line.startswith(f"| `{convention}` | {' | '.join(scores)} |")
        assert name != "README.md" or line.endswith(f"|{note}|")


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
