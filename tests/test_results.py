"""Results lay themselves out once: in a terminal, a notebook, and every format of the command."""

import json
from html import escape
from pathlib import Path

import pytest
from command_runs import csv_rows

import polyrouge
from polyrouge import Rouge, compare_systems
from polyrouge.results import OUTPUT_FORMATS, Cell, Result, ResultTable, render

PREDICTIONS = ["the cat sat", "a dog ran home", "red"] * 4
OTHERS = ["the cat", "a dog", "blue"] * 4
REFERENCES = ["the cat sat down", "the dog ran home", "red"] * 4
ROUGE = Rouge(rouge_types=["rouge1", "rougeL"], scale=100)
SYSTEMS, HALF = {"<A>": PREDICTIONS, "系统": OTHERS}, {"half": [row % 2 for row in range(12)]}
RESULTS = {
    "Agreement": lambda: polyrouge.agreement(
        {"<A>": range(12), "b": [3, 1, 2] * 4}, [4, 2, 2] * 4, [*"abc"] * 4, [row // 3 for row in range(12)]
    ),
    "CheckpointCurves": lambda: polyrouge.trace_checkpoints({10: OTHERS, 20: PREDICTIONS}, REFERENCES, ROUGE),
    "Comparison": lambda: compare_systems(SYSTEMS, REFERENCES, ROUGE, n_resamples=100),
    "ConventionComparison": lambda: polyrouge.compare_conventions(PREDICTIONS, REFERENCES, ["default", "rouge_score"]),
    "Examination": lambda: polyrouge.examine_systems(SYSTEMS, REFERENCES, ROUGE),
    "ScoreCheck": lambda: polyrouge.check_scores(OTHERS, REFERENCES, PREDICTIONS, ROUGE, significant=True),
    "ScoreContext": lambda: polyrouge.score_context(PREDICTIONS, REFERENCES, OTHERS, ROUGE),
    "SettingsSearch": lambda: polyrouge.find_settings(PREDICTIONS, REFERENCES, {"rouge1": 80}, conventions=["default"]),
    "SlicedScores": lambda: polyrouge.compare_slices(SYSTEMS, REFERENCES, HALF, ROUGE, n_resamples=100),
    "SlicedScores of one": lambda: polyrouge.score_slices(PREDICTIONS, REFERENCES, HALF, ROUGE),
    "SourceMeasures": lambda: polyrouge.measure_sources(PREDICTIONS, REFERENCES, ROUGE),
}


def test_each_result_is_among_those_that_are_tried():
    names = {name for name in polyrouge.__all__ if hasattr(getattr(polyrouge, name), "to_dict")}
    assert names == {name.partition(" ")[0] for name in RESULTS}


@pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_lays_itself_out_once(name):
    """Its tables, records and notes are what every output shows; no class has words of its own for one output."""
    result = RESULTS[name]()
    assert isinstance(result, Result)
    assert not {"__str__", "_repr_html_"} & {*vars(type(result))}
    text, page = str(result), result._repr_html_()

    assert max(map(len, text.split("signature:")[0].splitlines())) < 160
    assert result.signature is None or text.splitlines()[-1] == f"signature: {result.signature}"
    assert "<A>" not in page
    outputs = {output: render(result, output) for output in OUTPUT_FORMATS}
    for table in result.tables():
        assert table.title in text
        for row in table.cells:
            for cell in row:
                assert cell.plain in text
                assert cell.plain in outputs["table"]
                assert f">{escape(cell.text)}<" in page
    for note in result.notes():
        for shown in (text, outputs["table"]):
            assert " ".join(note.split()) in " ".join(shown.split())
    facts = json.loads(json.dumps(result.to_dict()))
    assert json.loads(outputs["json"]) == {**facts, "notes": list(result.notes()), "signature": result.signature}
    records, lines = result.records(), csv_rows(outputs["csv"])
    assert len(records) == len(lines) > 0
    for record, line in zip(records, lines, strict=True):
        assert all(value is None or isinstance(value, (str, int, float)) for value in record.values())
        assert {key: str(value) for key, value in record.items() if isinstance(value, float)}.items() <= line.items()


def test_columns_are_straight_in_chinese_too():
    table = ResultTable("Title", ["system", "rouge1"], [["系统甲", Cell("1.5", raised="b")], ["B", "10.25"]])

    assert table.text() == "Title\n\nsystem  rouge1\n系统甲    1.5ᵇ\nB        10.25"


def test_one_pair():
    assert polyrouge.rouge("今天", "今日", "zh_char", rouge_types=["rouge1"], scale=100) == {"rouge1": 50.0}
    assert polyrouge.rouge("a", ["b", "a"])["rouge1"] == 1.0
    with pytest.raises(TypeError):
        polyrouge.rouge(["a"], ["a"])


@pytest.mark.hub
def test_the_metric_of_the_installation_is_loaded_without_a_network(tmp_path, monkeypatch):
    import evaluate

    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("connects"))
    metric = evaluate.load(polyrouge.metric_path(), "zh_char", cache_dir=str(tmp_path))

    scores = metric.compute(predictions=["今天"], references=["今日"])
    assert json.loads(json.dumps(scores)) == {"rouge1": 0.5, "rouge2": 0, "rougeL": 0.5, "rougeLsum": 0.5}
    script = Path(__file__).parents[1] / "rouge_metric.py"
    assert Path(polyrouge.metric_path()).read_text() == script.read_text()
