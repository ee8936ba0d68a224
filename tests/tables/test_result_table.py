"""Results print as tables, in a terminal and in a notebook."""

import json
from pathlib import Path

import pytest

import polyrouge
from polyrouge import Rouge, compare_systems, examine_systems, measure_sources, trace_checkpoints
from polyrouge.result_table import Cell, ResultTable

PREDICTIONS = ["the cat sat", "a dog ran home", "red"]
OTHERS = ["the cat", "a dog", "blue"]
REFERENCES = ["the cat sat down", "the dog ran home", "red"]
ROUGE = Rouge(rouge_types=["rouge1", "rougeL"], scale=100)
RESULTS = {
    "Comparison": lambda: compare_systems({"<A>": PREDICTIONS, "系统": OTHERS}, REFERENCES, ROUGE, n_resamples=100),
    "Examination": lambda: examine_systems({"<A>": PREDICTIONS}, REFERENCES, ROUGE),
    "CheckpointCurves": lambda: trace_checkpoints({10: OTHERS, 20: PREDICTIONS}, REFERENCES, ROUGE),
    "SourceMeasures": lambda: measure_sources(PREDICTIONS, REFERENCES, ROUGE),
}


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_prints_its_numbers(name):
    result = RESULTS[name]()
    text, page = str(result), result._repr_html_()

    assert max(map(len, text.split("signature:")[0].splitlines())) < 160
    assert text.splitlines()[-1] == f"signature: {result.signature}"
    assert "<A>" not in page
    for table in result._tables():
        assert table.title in text
        for row in table.cells:
            for cell in row:
                assert cell.plain in text
                assert f">{cell.text.replace('<', '&lt;').replace('>', '&gt;')}<" in page


def test_columns_are_straight_in_chinese_too():
    table = ResultTable("Title", ["system", "rouge1"], [["系统甲", Cell("1.5", raised="b")], ["B", "10.25"]])

    assert table.text() == "Title\n\nsystem  rouge1\n系统甲    1.5ᵇ\nB        10.25"


def test_one_pair():
    assert polyrouge.rouge("今天", "今日", "zh_char", rouge_types=["rouge1"], scale=100) == {"rouge1": 50.0}
    assert polyrouge.rouge("a", ["b", "a"])["rouge1"] == 1.0
    with pytest.raises(TypeError, match=r"^prediction is \[\'a\'\] \(list\); give one text"):
        polyrouge.rouge(["a"], ["a"])


@pytest.mark.hub
def test_the_metric_of_the_installation_is_loaded_without_a_network(tmp_path, monkeypatch):
    import evaluate

    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("connects"))
    metric = evaluate.load(polyrouge.metric_path(), "zh_char", cache_dir=str(tmp_path))

    scores = metric.compute(predictions=["今天"], references=["今日"])
    assert json.loads(json.dumps(scores)) == {"rouge1": 0.5, "rouge2": 0, "rougeL": 0.5, "rougeLsum": 0.5}
    script = Path(__file__).parents[2] / "rouge_metric.py"
    assert Path(polyrouge.metric_path()).read_text() == script.read_text()
