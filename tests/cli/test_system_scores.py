"""The table of one system: which columns, which digits, which words."""

import pytest
from command_runs import csv_rows

from polyrouge import Rouge
from polyrouge.cli.system_scores import SystemScores
from polyrouge.errors import RougeWarning
from polyrouge.inputs import EmptyTexts
from polyrouge.results import digits_for, render

PREDICTIONS = ["the cat sat", "hello world", "a red bus"] * 8
REFERENCES = ["the cat sat on the mat", "hello there", "a red bus"] * 8


def scored(n_samples=24, **settings):
    rouge = Rouge("rouge_score", rouge_types=["rouge1", "rougeL"], **settings)
    scores = rouge.compute(PREDICTIONS[:n_samples], REFERENCES[:n_samples])
    return SystemScores("system", scores, rouge.settings, n_samples, EmptyTexts((2,), 3))


def cells_of(table):
    return [[cell.text for cell in row] for row in table.cells]


def test_every_measure_with_its_interval():
    result = scored(output="all", confidence=0.9, scale=100)

    (table,) = result.tables()
    assert list(table.header) == ["type", "P", "90% of P", "R", "90% of R", "F", "90% of F"]
    records = iter(csv_rows(render(result, "csv")))
    for row, name in zip(cells_of(table), ("rouge1", "rougeL"), strict=True):
        assert row.pop(0) == name
        for measure, key in (("precision", f"{name}_precision"), ("recall", f"{name}_recall"), ("fmeasure", name)):
            value, low, high = (result.scores[key + end] for end in ("", "_low", "_high"))
            assert [row.pop(0), row.pop(0)] == [f"{value:.2f}", f"[{low:.2f}, {high:.2f}]"]
            record = next(records)
            assert (record["type"], record["measure"], record["samples"]) == (name, measure, "24")
            assert [float(record[column]) for column in ("value", "low", "high")] == [value, low, high]
        assert row == []
    assert list(records) == []


def test_one_sample_is_no_samples_and_has_no_interval():
    with pytest.warns(RougeWarning):
        result = scored(n_samples=1, confidence=0.9)

    (table,) = result.tables()
    assert table.title == "system: 1 sample, 2 empty predictions, 3 empty references"
    assert cells_of(table) == [["rouge1", "0.6667", "–"], ["rougeL", "0.6667", "–"]]
    assert result.to_dict()["scores"] == result.scores  # as Python gives them
    assert {line["low"] for line in result.records()} == {result.scores["rouge1_low"]}


@pytest.mark.parametrize(("scale", "digits"), [(9.0, 4), (10.0, 2)])
def test_digits_fit_the_scale(scale, digits):
    assert digits_for(scale) == digits
    cell = scored(scale=scale).tables()[0].cells[0][1].text
    assert len(cell.partition(".")[2]) == digits
