"""The scripts of ``examples/migrating``, with the line of the other package and with ours: the same numbers."""

import json
import re
import runpy
import sys
from pathlib import Path

import evaluate
import pytest
from peer_packages import peer_file
from punkt_data import with_punkt

pytestmark = pytest.mark.peers
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "migrating"
PEER = str(ROOT / "benchmarks" / "evaluate_modules" / "evaluate_rouge_peer.py")
HUB_NAMES = {"rouge": PEER, "polyrouge/rouge_metric": str(ROOT / "rouge_metric.py")}


def printed(script: Path, rows: Path, capsys) -> str:
    """What a script prints about a file of rows."""
    sys.argv = [str(script), str(rows)]
    runpy.run_path(str(script), run_name="__main__")
    return capsys.readouterr().out


@pytest.fixture
def surroundings(monkeypatch, tmp_path):
    """What the scripts need: rouge_chinese, NLTK's sentences, and the Hub's metrics from this machine."""
    with_punkt(tmp_path, monkeypatch)
    load = evaluate.load
    monkeypatch.setattr(evaluate, "load", lambda name, *args, **kwargs: load(HUB_NAMES[name], *args, **kwargs))
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.syspath_prepend(str(peer_file("rouge-chinese", "")))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "rouge_chinese"]:
        del sys.modules[name]


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning", "ignore::DeprecationWarning")
@pytest.mark.usefixtures("surroundings")
@pytest.mark.parametrize(
    ("name", "rows"),
    [("transformers_summarization", "en_news"), ("llama_factory_metric", "zh_news"), ("chatglm_metric", "zh_news")],
)
def test_one_line_changes_and_the_numbers_stay(name, rows, tmp_path, capsys):
    before, after = EXAMPLES / f"{name}.py", tmp_path / f"{name}_after.py"
    text = before.read_text("utf-8")
    ((old, new),) = re.findall(r"^    sed -i 's#(.*)#(.*)#'", text, re.MULTILINE)
    code = text.split('"""', 2)[2]
    assert code.count(old) == 1
    after.write_text(code.replace(old, new), "utf-8")

    expected, ours = (printed(script, ROOT / "examples" / f"{rows}.jsonl", capsys) for script in (before, after))

    assert ours == expected
    assert min(json.loads(expected).values()) > 1
