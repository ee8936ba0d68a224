"""What every output of a comparison is made of: its plain values, and how a difference is written."""

import re

import numpy as np
import pytest

from polyrouge import RougeSettings
from polyrouge.comparing.paper_table import paper_table
from polyrouge.comparing.systems import ComparisonOptions, compare_columns
from polyrouge.results import render, shown_difference


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.25, 2, "+0.25"),
        (-0.25, 1, "−0.2"),
        (0.0, 2, "0.00"),
        (-0.001, 2, "0.00"),
        (12.0, 0, "+12"),
    ],
)
def test_a_difference_has_its_sign_unless_it_is_shown_as_zero(value, digits, shown):
    assert shown == shown_difference(value, digits)


def test_what_is_significant_is_bold_and_the_method_of_the_interval_is_named():
    scores = {name: np.random.default_rng(number).random((40, 1, 3)) + number // 2 for number, name in enumerate("ABC")}
    settings = RougeSettings(rouge_types=("rouge1",), interval="bca")
    comparison = compare_columns(scores, settings, ComparisonOptions(n_resamples=999))
    _, intervals, pairs = comparison.tables()
    shown = render(comparison, "table")

    assert intervals.title == "95% interval (BCa) of the means"
    assert pairs.header[3] == "95% interval (BCa)"
    percentile = compare_columns(scores, settings.replace(interval="percentile"), ComparisonOptions(n_resamples=999))
    assert percentile.tables()[1].title == "95% interval of the means"
    assert "≤0.0030" in shown
    assert [row[2].strong for row in pairs.cells] == [False, True, True]  # C is above the others
    data = comparison.to_dict()
    assert [row["rouge1"]["better_than"] for row in data["systems"]] == [[], [], ["a", "b"]]
    assert len(data["pairs"]) == 3
    for row, pair in zip(pairs.cells, comparison.pairs, strict=True):
        numbers = dict(zip(pairs.header, [cell.text for cell in row], strict=True))
        p_values = {"p boot.": (pair.p_bootstrap, pair.p_bootstrap_holm), "p rand.": (pair.p, pair.p_holm)}
        for title, (p, corrected) in p_values.items():
            assert numbers[title] == f"{'≤' if p <= 1 / 1000 else ''}{corrected:.4f}"


@pytest.mark.parametrize(("language", "intervals"), [("en", False), ("zh", True)])
def test_the_table_of_a_paper_is_one_table_with_letters_from_top_to_bottom(language, intervals):
    scores = {name: np.random.default_rng(9).random((40, 2, 3)) * (number + 1) / 3 for number, name in enumerate("A&C")}
    settings = RougeSettings(rouge_types=("rouge1", "rougeL"), scale=100)
    comparison = compare_columns(scores, settings, ComparisonOptions(n_resamples=999))
    latex = paper_table(comparison, language=language, intervals=intervals, digits=1)

    assert latex.count(r"\begin{table}") == latex.count(r"\begin{tabular}{lrr}") == 1
    assert " & ROUGE-1 & ROUGE-L \\\\" in latex
    assert ("ctex" in latex) == (language == "zh")
    lines = latex[latex.index(r"\midrule") : latex.index(r"\bottomrule")].splitlines()[1:]
    assert [line[:2].strip() for line in lines[:: 1 + intervals]] == ["C", r"\&", "A"]  # the best is the first
    assert re.findall(r"superscript{(\w+)}", latex) == ["bc", "bc", "c", "c"]
    means = [f"{mean:.1f}" for mean in comparison.means[::-1].ravel()]
    assert re.findall(r"\d+\.\d", "".join(lines[:: 1 + intervals])) == means
    assert latex.count(r"\textbf{") == 2
    assert latex.count(r"{\scriptsize [") == 6 * intervals
    said = {
        "en": [r"F-measures ($\times$100) on", "approximate randomization, 999 resamples, two-sided p $<$ 0.05, Holm"],
        "zh": [r"F 值（$\times$100），各列", "配对近似随机化检验"],
    }
    assert all(words in latex for words in said[language])
    assert f"% signature: {comparison.signature}" in latex
    if language == "en":
        assert render(comparison, "latex", digits=1) == latex
