"""Results as text: nothing left out, nothing unescaped."""

import json

import pytest
from command_runs import csv_rows

from polyrouge.result_table import Cell, ResultTable
from polyrouge.tables.formats import OUTPUT_FORMATS, Report, output_format_of, render

NAME = "系统_A & 50 % of $x$ <b>|*`~^\\{}"
TABLE = ResultTable(
    f"Title {NAME}",
    ["system", "a long name of a column", "rouge1"],
    [
        [Cell(NAME), Cell("−0.0123", strong=True), Cell("0.1234", raised="abz")],
        [Cell("B"), Cell("1"), Cell("2", "", True)],
    ],
)
REPORT = Report({"é": 1.5}, [{"system": NAME, "value": 0.1}], [TABLE], "types:1|v:0.1.0", ["A note."])


@pytest.mark.parametrize("width", [None, 200, 60, 20, 1])
def test_a_terminal_of_any_width_shows_every_number(width):
    text = render(REPORT, "table", width=width)

    for part in ("−0.0123", "0.1234ᵃᵇᶻ", "a long name of a column", "rouge1", "types:1|v:0.1.0"):
        assert part in text
    joined = "".join(character for character in text if character not in " \n")
    assert width in (20, 1) or "系统_A&50%of$x$<b>|*`~^\\{}" in joined
    assert all(line == line.rstrip() for line in text.splitlines())


def test_a_wide_terminal_has_a_row_a_line():
    (line,) = [line for line in render(REPORT, "table").splitlines() if "0.1234" in line]

    assert line.split()[-1] == "0.1234ᵃᵇᶻ"
    assert line.startswith(NAME)


def test_colours_only_when_asked_for():
    assert "\x1b[" not in render(REPORT, "table", width=80)
    assert "\x1b[1m" in render(REPORT, "table", width=80, color=True)


def test_json_and_csv_give_names_and_numbers_back():
    assert {"é": 1.5, "signature": "types:1|v:0.1.0", "notes": ["A note."]} == json.loads(render(REPORT, "json"))
    assert [{"system": NAME, "value": "0.1", "signature": "types:1|v:0.1.0"}] == csv_rows(render(REPORT, "csv"))


@pytest.mark.parametrize("name", ["=1+1", "+a", "-a", "@a", "\ta", "-41.67", "a=b"])
def test_no_cell_of_csv_is_a_formula(name):
    report = Report({}, [{"system": name, "value": -1.5}], [TABLE], "v:0.1.0", [])

    (row,) = csv_rows(render(report, "csv"))

    assert row["system"] == (name if name in ("-41.67", "a=b") else f"'{name}")
    assert row["value"] == "-1.5"


def test_names_stay_in_their_cell():
    name = "[a](http://b)\n| c"
    report = Report({}, [{}], [ResultTable(name, ["system"], [[name]])], "v:0.1.0", [])

    assert r"| [a]\(http://b) \| c |" in render(report, "markdown").splitlines()
    assert "[a](http://b) | c \\\\" in render(report, "latex").splitlines()


def test_latex_is_escaped():
    text = render(REPORT, "latex")

    escaped = r"系统\_A \& 50 \% of \$x\$ $<$b$>$|*`\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}"
    assert rf"{escaped} & \textbf{{$-$0.0123}} & 0.1234$^{{abz}}$ \\" in text
    assert rf"\caption{{Title {escaped}}}" in text
    assert r"\begin{tabular}{lrr}" in text
    assert "% signature: types:1|v:0.1.0\n" in text


def test_markdown_is_escaped():
    text = render(REPORT, "markdown")

    (row,) = [line for line in text.splitlines() if "abz" in line]
    assert r"| 系统\_A & 50 % of $x$ \<b>\|\*\`~^\\{} | **−0.0123** | 0.1234<sup>abz</sup> |" == row
    assert "| --- | ---: | ---: |" in text


def test_notes_are_escaped_as_they_hold_names():
    report = Report({}, [{}], [TABLE], "v:0.1.0", [f"{NAME}\nminus b_c"])

    assert "\n% 系统_A & 50 % of $x$ <b>|*`~^\\{} minus b_c\n" in render(report, "latex")
    assert r"系统\_A & 50 % of $x$ \<b>\|\*\`~^\\{}" in render(report, "markdown").partition("abz")[2]


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        ("a.json", None, "json"),
        ("a.TEX", None, "latex"),
        ("a.md", "csv", "csv"),
        (None, None, "table"),
        ("a", None, "table"),
    ],
)
def test_format_is_given_or_the_suffixs(path, given, expected):
    assert expected == output_format_of(path, given)
    assert expected in OUTPUT_FORMATS
