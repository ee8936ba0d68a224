"""LV-Eval's stop list, read from a file of OpenCompass, and what it leaves out before the tokens are joined."""

import pytest
from peer_packages import peer_file

from polyrouge import Rouge
from polyrouge.conventions.lveval import load_stop_words

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
E = 1e-8
ONE = 100 * (2 * (1 / (2 + E)))


@pytest.fixture(name="folder")
def _folder(tmp_path):
    """A list of our own, in a module that can't be run."""
    (tmp_path / "evaluators.py").write_text("import nowhere\nABANDON_WORDS_ZH = ['的', 'a']\n", encoding="utf-8")
    return str(tmp_path)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("的", "的", 0.0),  # a text of stop words is empty
        ("今天的，天气！", "今天。天气", ONE),
        ("A猫", "猫", ONE),  # lower-cased first
        ("。的，", "，，", ONE),  # two marks leave a blank between them, which pltrdy's rouge takes for a word
        ("。的", "，，", 0.0),
    ],
)
def test_scores(folder, prediction, reference, expected, engine):
    rouge = Rouge("lveval", engine=engine, tool={"word_tables": folder})
    assert rouge.compute([prediction], [reference]) == {"rougeL": expected}


def test_a_missing_list_says_what_to_do(folder, tmp_path):
    (tmp_path / "evaluators.py").write_text("ABANDON_WORDS_EN = []\n")
    with pytest.raises(ValueError, match=r"evaluators\.py has no list ABANDON_WORDS_ZH; .* opencompass 0\.5\.4"):
        load_stop_words(folder)
    (tmp_path / "evaluators.py").unlink()
    with pytest.raises(FileNotFoundError, match=r"evaluators\.py does not exist; .*pip install --no-deps opencompass"):
        load_stop_words(folder)


@pytest.mark.peers
def test_list_of_the_installed_package(monkeypatch):
    monkeypatch.syspath_prepend(str(peer_file("opencompass", "")))
    assert len(load_stop_words()) == 85
    assert Rouge("lveval").compute(["月的。"], ["月，"]) == {"rougeL": 0.0}
