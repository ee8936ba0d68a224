"""The tables of one system and of several: which columns, which digits, which words."""

import numpy as np
import pytest
from command_runs import csv_rows

from polyrouge import Rouge, RougeSettings
from polyrouge.comparing.comparison import shown_difference
from polyrouge.comparing.systems import ComparisonOptions, compare_columns
from polyrouge.inputs import EmptyTexts
from polyrouge.tables.formats import render
from polyrouge.tables.score_tables import comparison_report, digits_for, score_report

PREDICTIONS = ["the cat sat", "hello world", "a red bus"] * 8
REFERENCES = ["the cat sat on the mat", "hello there", "a red bus"] * 8
EMPTY = EmptyTexts((2, 0, 1), 3)
OPTIONS = {"empty_texts": EMPTY, "details": {"files": ["a.jsonl"]}, "warnings": ["a warning"]}


def report_of(n_samples=24, **settings):
    rouge = Rouge("rouge_score", rouge_types=["rouge1", "rougeL"], **settings)
    result = rouge.compute(PREDICTIONS[:n_samples], REFERENCES[:n_samples])
    return score_report(result, rouge.settings, title="system", n_samples=n_samples, digits=None, **OPTIONS), result


def cells_of(table):
    return [[cell.text for cell in row] for row in table.cells]


def test_every_measure_with_its_interval():
    report, result = report_of(output="all", confidence=0.9, scale=100)

    (table,) = report.tables
    assert list(table.header) == ["type", "P", "90 % of P", "R", "90 % of R", "F", "90 % of F"]
    records = iter(csv_rows(render(report, "csv")))
    for row, name in zip(cells_of(table), ("rouge1", "rougeL"), strict=True):
        assert row.pop(0) == name
        for measure, key in (("precision", f"{name}_precision"), ("recall", f"{name}_recall"), ("fmeasure", name)):
            value, low, high = (result[key + end] for end in ("", "_low", "_high"))
            assert [row.pop(0), row.pop(0)] == [f"{value:.2f}", f"[{low:.2f}, {high:.2f}]"]
            record = next(records)
            assert (record["type"], record["measure"], record["samples"]) == (name, measure, "24")
            assert [float(record[column]) for column in ("value", "low", "high")] == [value, low, high]
        assert row == []
    assert list(records) == []


def test_one_sample_is_no_samples():
    assert report_of(n_samples=1)[0].tables[0].title == "system: 1 sample, 2 empty predictions, 3 empty references"


@pytest.mark.parametrize(
    ("scale", "option", "digits"), [(1.0, None, 4), (100.0, None, 2), (10.0, None, 2), (100.0, 0, 0), (1.0, 17, 17)]
)
def test_digits_fit_the_scale_unless_set(scale, option, digits):
    assert digits_for(RougeSettings(scale=scale), option) == digits


# Several systems


def test_what_is_significant_is_bold_and_the_method_of_the_interval_is_named():
    scores = {name: np.random.default_rng(place).random((40, 1, 3)) + place // 2 for place, name in enumerate("ABC")}
    settings = RougeSettings(rouge_types=("rouge1",), interval="bca")
    comparison = compare_columns(scores, settings, ComparisonOptions(n_resamples=999))
    report = comparison_report(comparison, settings, digits=None, **OPTIONS)
    _, intervals, pairs = report.tables
    latex = render(report, "latex")

    assert intervals.title == "95 % interval (BCa) of the means"
    assert pairs.header[3] == "95 % interval (BCa)"
    assert r"$\leq$0.0030" in latex
    assert "≤0.0030" not in latex
    assert [row[2].strong for row in pairs.cells] == [False, True, True]  # C is above the others


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.25, 2, "+0.25"),
        (-0.25, 1, "−0.2"),
        (0.0, 2, "0.00"),
        (-0.001, 2, "0.00"),
        (0.001, 2, "0.00"),
        (12.0, 0, "+12"),
    ],
)
def test_a_difference_has_its_sign_and_0_has_none(value, digits, shown):
    assert shown_difference(value, digits) == shown
