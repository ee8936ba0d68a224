"""Results as text: nothing left out, nothing unescaped."""

import csv
import io
import json
import re
from dataclasses import dataclass

import pytest
from command_runs import csv_rows

from polyrouge.results import Cell, Result, ResultTable, render


@dataclass(frozen=True)
class Shown(Result):
    """A result of given parts."""

    data: dict
    lines: list
    parts: list
    signature: str | None
    sentences: tuple = ()

    def tables(self, digits=None):  # noqa: ARG002
        return self.parts

    def records(self):
        return self.lines

    def notes(self):
        return list(self.sentences)

    def to_dict(self):
        return self.data


NAME = "系统_A & 50 % of $x$ <b>|*`~^\\{}"
LATEX_NAME = r"系统\_A \& 50 \% of \$x\$ $<$b$>$\textbar{}*`\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}"
MARKDOWN_NAME = r"系统\_A & 50 % of $x$ \<b>\|\*\`~^\\{}"
TABLE = ResultTable(
    f"Title {NAME}",
    ["system", "a long name of a column", "rouge1"],
    [
        [Cell(NAME), Cell("−0.0123", strong=True), Cell("0.1234", raised="abz")],
        [Cell("B"), Cell("1"), Cell("2", "", True)],
    ],
)
RESULT = Shown({"é": 1.5}, [{"system": NAME, "value": 0.1}], [TABLE], "types:1|v:0.1.0", [f"A note on {NAME}\nand b_c"])


@pytest.mark.parametrize("width", [None, 60, 1])
def test_a_terminal_of_any_width_shows_every_number(width):
    text = render(RESULT, "table", width=width)

    for part in ("−0.0123", "0.1234ᵃᵇᶻ", "a long name of a column", "rouge1", "types:1|v:0.1.0"):
        assert part in text
    assert width == 1 or NAME.replace(" ", "") in "".join(text.split())
    assert all(line == line.rstrip() for line in text.splitlines())


def test_colours_only_when_asked_for():
    assert "\x1b[" not in render(RESULT, "table", width=80)
    assert "\x1b[1m" in render(RESULT, "table", width=80, color=True)


def test_json_and_csv_give_names_and_numbers_back():
    assert {"é": 1.5, "signature": "types:1|v:0.1.0", "notes": RESULT.notes()} == json.loads(render(RESULT, "json"))
    assert [{"system": NAME, "value": "0.1", "signature": "types:1|v:0.1.0"}] == csv_rows(render(RESULT, "csv"))


@pytest.mark.parametrize("name", ["=1+1", "+a", "-a", "@a", "\ta", "-41.67", "a=b"])
def test_no_cell_of_csv_is_a_formula(name):
    (row,) = csv_rows(render(Shown({}, [{"system": name, "value": -1.5}], [TABLE], ""), "csv"))

    assert row["system"] == (name if name in ("-41.67", "a=b") else f"'{name}")
    assert row["value"] == "-1.5"


def test_names_stay_in_their_cell():
    name = "[a](http://b)\n| c"
    result = Shown({}, [], [ResultTable(name, ["system"], [[name]])], "")

    assert r"| [a]\(http://b)␊\| c |" in render(result, "markdown").splitlines()
    assert "[a](http://b)␊\\textbar{} c \\\\" in render(result, "latex").splitlines()


CONTROLS = "\x1b[2J\x1b]0;t\x07 \r\n\t\x00\x7f \x9b31m \u202e\u2066 \u2028 \udcff"
SYMBOLS = r"␛[2J␛]0;t␇ ␍␊␉␀␡ \u009b31m \u202e\u2066 \u2028 \udcff"


@pytest.mark.parametrize("output_format", ["table", "latex", "markdown"])
def test_control_characters_are_shown_as_symbols(output_format):
    """Of names, slices, ids and notes: a terminal would obey them."""
    table = ResultTable(CONTROLS, [CONTROLS, "n"], [[CONTROLS, Cell(CONTROLS, "a", strong=True)]])
    text = render(Shown({}, [], [table], "", [CONTROLS]), output_format)
    assert not re.search("[^\n -~\xa0-\u2027\u202a-\uffff]|[\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    plain = text.replace(r"\textbackslash{}", "\\").replace("\\\\", "\\")
    assert plain.count(SYMBOLS) == 5


def test_data_keep_their_control_characters():
    result = Shown({"name": CONTROLS}, [{"name": CONTROLS}], [], "")
    as_json = render(result, "json")
    assert json.loads(as_json)["name"] == CONTROLS
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", as_json)  # what a terminal obeys
    written = next(csv.DictReader(io.StringIO(render(result, "csv"), newline="")))["name"]
    assert written == CONTROLS.replace("\udcff", "\\udcff")  # which UTF-8 has not


def test_latex_is_escaped():
    text = render(RESULT, "latex")

    assert rf"{LATEX_NAME} & \textbf{{$-$0.0123}} & 0.1234$^{{abz}}$ \\" in text
    assert rf"\caption{{Title {LATEX_NAME}}}" in text
    assert r"\begin{tabular}{lrr}" in text
    assert f"\n% A note on {NAME}␊and b_c\n% signature: types:1|v:0.1.0\n" in text


def test_markdown_is_escaped():
    text = render(RESULT, "markdown")

    assert f"\n| {MARKDOWN_NAME} | **−0.0123** | 0.1234<sup>abz</sup> |\n" in text
    assert "| --- | ---: | ---: |" in text
    assert f"\nA note on {MARKDOWN_NAME}␊and b\\_c\n" in text
