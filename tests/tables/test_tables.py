"""The tables of one system and of several: which columns, which digits, which words."""

import json

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


def test_one_number_a_type():
    report, result = report_of()

    (table,) = report.tables
    assert table.title == "system: 24 samples, 2 empty predictions, 3 empty references"
    assert list(table.header) == ["type", "F"]
    assert cells_of(table) == [[name, f"{result[name]:.4f}"] for name in ("rouge1", "rougeL")]
    assert [row[1].strong for row in table.cells] == [False, False]  # where all is bold, nothing is
    data = json.loads(render(report, "json"))
    assert (data["scores"], data["samples"], data["files"]) == (result, 24, ["a.jsonl"])
    assert data["warnings"] == ["a warning"]
    assert report_of(n_samples=1)[0].tables[0].title.startswith("system: 1 sample, ")


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


@pytest.mark.parametrize(
    ("scale", "option", "digits"), [(1.0, None, 4), (100.0, None, 2), (10.0, None, 2), (100.0, 0, 0), (1.0, 17, 17)]
)
def test_digits_fit_the_scale_unless_set(scale, option, digits):
    assert digits_for(RougeSettings(scale=scale), option) == digits


# Several systems


def report_of_three(digits=None, **settings):
    """C is far below A and B, which are about the same."""
    generator = np.random.default_rng(2)
    common = generator.random((40, 1, 1)).repeat(3, axis=2) / 2
    noise = generator.normal(0, 0.01, (3, 40, 1, 1))
    scores = {name: common + noise[place] + (0.3 if name != "C" else 0) for place, name in enumerate("ABC")}
    chosen = RougeSettings(rouge_types=("rouge1",), **settings)
    comparison = compare_columns(scores, chosen, ComparisonOptions(n_resamples=999))
    return comparison, comparison_report(comparison, chosen, digits=digits, **OPTIONS)


def test_a_table_of_three_systems():
    comparison, report = report_of_three(digits=3)

    means, intervals, pairs = report.tables
    assert means.title == "3 systems, 40 samples, 3 empty references"
    assert cells_of(means) == [
        [letter, name, f"{comparison.means[row, 0]:.3f}", str(EMPTY.predictions[row])]
        for row, (letter, name) in enumerate(zip("abc", "ABC", strict=True))
    ]
    best = int(comparison.means.argmax())
    assert [row[2].strong for row in means.cells] == [row == best for row in range(3)]
    assert [row[2].raised for row in means.cells] == [comparison.superscript(name, "rouge1") for name in "ABC"]
    assert means.cells[0][2].raised == "c"
    assert intervals.title == "95 % interval of the means"
    assert cells_of(intervals)[2] == ["c", "C", f"[{comparison.low[2, 0]:.3f}, {comparison.high[2, 0]:.3f}]"]
    assert [row[0] for row in cells_of(pairs)] == ["a − b", "a − c", "b − c"]
    assert [row[2].strong for row in pairs.cells] == [False, True, True]
    assert cells_of(pairs)[1][4:] == ["≤0.0030", "≤0.0030", "40/0/0"]
    assert "p after Holm's correction over 3 pairs" in report.notes[1]
    assert "paired approximate randomization, 999 resamples, seed 0" in report.notes[1]
    assert "as the pair is named: above 0, the first scores higher" in report.notes[0]


def test_the_method_of_the_interval_and_signs_of_latex():
    _, report = report_of_three(interval="bca")
    _, intervals, pairs = report.tables
    latex = render(report, "latex")

    assert intervals.title == "95 % interval (BCa) of the means"
    assert pairs.header[3] == "95 % interval (BCa)"
    assert r"$\leq$0.0030" in latex
    assert "≤0.0030" not in latex


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
