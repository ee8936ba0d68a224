"""Plots for papers: written as files, the same on every run."""

import re

import matplotlib
import numpy as np
import pytest
from matplotlib import font_manager

from polyrouge import report
from polyrouge.report import plots

pytestmark = pytest.mark.hub  # what the page installs brings matplotlib


@pytest.fixture
def columns():
    draw = np.random.default_rng(3)
    scores = {name: draw.beta(4, 3, 200) for name in ("rouge1", "rougeL")}
    scores["rouge1"][5] = np.nan
    return {**scores, "rouge1_precision": scores["rouge1"], "rouge1_reference": np.zeros(200)}


def reverse(columns):
    return {name: values[::-1] for name, values in columns.items()}


PLOTS = {
    "distribution": report.plot_distribution,
    "length": lambda columns, path, **options: report.plot_length(columns, np.arange(200), path, **options),
    "difference": lambda columns, path, **options: report.plot_difference(columns, reverse(columns), path, **options),
}


def test_a_chinese_font_is_found_that_matplotlibs_list_is_too_old_for(columns, tmp_path, monkeypatch):
    manager = font_manager.fontManager
    fonts = list(manager.ttflist)
    files = {font.fname for font in fonts if font.name in plots._CJK_FONTS}
    monkeypatch.setattr(manager, "ttflist", [font for font in fonts if font.fname not in files])
    report.plot_distribution(columns, tmp_path / "plot.svg", title="中文新闻")
    installed = {font.name for font in fonts} & set(plots._CJK_FONTS)
    assert installed <= {font.name for font in manager.ttflist}


@pytest.mark.parametrize("kind", PLOTS)
def test_plots_are_written_as_svg_and_png(kind, columns, tmp_path):
    before = dict(matplotlib.rcParams)

    svg = PLOTS[kind](columns, tmp_path / "plot.svg", title="中文新闻 & <news>")
    png = PLOTS[kind](columns, tmp_path / "plot.png", types=["rougeL"])

    assert dict(matplotlib.rcParams) == before
    assert "<svg" in svg.read_text("utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert PLOTS[kind](columns, tmp_path / "again.svg", title="中文新闻 & <news>").read_bytes() == svg.read_bytes()


def test_the_plot_of_differences_counts_them(tmp_path, monkeypatch):
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")  # text stays text
    first, second = {"rouge1": [0.1, 0.5, 0.3, np.nan]}, {"rouge1": [0.4, 0.5, 0.2, 1.0]}

    path = report.plot_difference(first, second, tmp_path / "plot.svg", names=("one", "two"))

    drawn = path.read_text("utf-8")
    assert "+1 / =1 / -1" in drawn
    assert "mean -0.06667" in drawn
    assert "one - two" in drawn


HALVES = {"rouge1": [0.1, np.nan]}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda path: report.plot_distribution({}, path), "no column to plot"),
        (lambda path: report.plot_distribution({"rouge1": [0.1]}, path, types=["rouge2"]), "no column 'rouge2'"),
        (lambda path: report.plot_distribution({"rouge1": [np.nan]}, path), "'rouge1' holds no score"),
        (lambda path: report.plot_distribution({"rouge1": [0.1]}, path.with_suffix(".txt")), "must end in one of"),
        (lambda path: report.plot_length({"rouge1": [0.1]}, [1, 2], path), "2 lengths but 1 scores of rouge1"),
        (lambda path: report.plot_difference({"rouge1": [0.1]}, {"rouge1": [1, 2]}, path), "1 scores of system but 2"),
        (lambda path: report.plot_difference({"rouge1": [0.1]}, {}, path), "no column 'rouge1'"),
        (lambda path: report.plot_difference(HALVES, reverse(HALVES), path), "rouge1 has no sample that both systems"),
    ],
)
def test_plots_refuse_what_they_cannot_draw_and_write_nothing(tmp_path, call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call(tmp_path / "plot.svg")

    assert list(tmp_path.iterdir()) == []
