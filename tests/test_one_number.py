"""One job, one number: a comparison of two systems, read back out of everything that shows it."""

import csv
import html
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
import report_file
from typer.testing import CliRunner

from polyrouge import Rouge, compare_systems
from polyrouge.cli.commands import app
from polyrouge.comparing.comparison import shown_difference
from polyrouge.report import write_report

ROOT = Path(__file__).resolve().parents[1]
ROWS = [json.loads(line) for line in (ROOT / "examples" / "zh_news.jsonl").read_text(encoding="utf-8").splitlines()]
FIRST, SECOND = "alpha", "beta_2"
TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def texts():
    """Predictions of two systems, each of which wins some rows, and three on which both are the same."""
    first, second = [], []
    for number, row in enumerate(ROWS):
        better, worse = row["prediction"], row["prediction_b"]
        one, other = (worse, better) if number < 10 else (better, better) if number < 13 else (better, worse)
        first.append(one)
        second.append(other)
    return first, second, [row["references"] for row in ROWS]


PREDICTIONS, OTHERS, REFERENCES = texts()


class Numbers:
    """What is compared: for each (system, type) mean and interval, for each type the rest, as a reader would see them.

    ``exact`` holds the same as floats; it is empty where the output shows rounded numbers only.
    """

    def __init__(self, means, differences):
        self.exact: tuple = ()
        self.means, self.differences = means, differences

    @classmethod
    def of_floats(cls, means, differences):
        numbers = cls(
            {place: [f"{value:.2f}" for value in values] for place, values in means.items()},
            {
                key: ([shown_difference(value, 2) for value in values], p, outcomes)
                for key, (values, p, outcomes) in differences.items()
            },
        )
        numbers.exact = (means, {key: (values, outcomes) for key, (values, _, outcomes) in differences.items()})
        return numbers


def of_comparison(found):
    means = {
        (system, key): [float(each[row, column]) for each in (found.means, found.low, found.high)]
        for row, system in enumerate(found.systems)
        for column, key in enumerate(found.keys)
    }
    return Numbers.of_floats(
        means,
        {
            pair.key: (
                [pair.difference, pair.low, pair.high],
                found.shown_p(pair),
                (pair.wins, pair.ties, pair.losses),
            )
            for pair in found.pairs
        },
    )


def p_of(p, p_holm, n_resamples):
    """As it is shown where only numbers are given."""
    return "≤0.0001" if p <= 1 / (n_resamples + 1) else f"{p_holm:.4f}"


def of_json(data, names=(FIRST, SECOND)):
    renamed = dict(zip(names, (FIRST, SECOND), strict=True))
    means = {
        (renamed[system["system"]], key): [system[key][name] for name in ("mean", "low", "high")]
        for system in data["systems"]
        for key in TYPES
    }
    differences = {}
    for pair in data["pairs"]:
        assert (pair["first"], pair["second"]) == names
        p = p_of(pair["p_randomization"], pair["p_randomization_holm"], data["n_resamples"])
        values = [pair[name] for name in ("difference", "low", "high")]
        differences[pair["key"]] = (values, p, (pair["wins"], pair["ties"], pair["losses"]))
    return Numbers.of_floats(means, differences)


def of_csv(text):
    means, differences = {}, {}
    for row in csv.DictReader(io.StringIO(text)):
        assert (row["first"], row["second"]) == (FIRST, SECOND)
        for place in ("first", "second"):
            means[row[place], row["key"]] = [float(row[f"{place}_{name}"]) for name in ("mean", "low", "high")]
        values = [float(row[f"first_minus_second{end}"]) for end in ("", "_low", "_high")]
        p = p_of(float(row["p_randomization"]), float(row["p_randomization_holm"]), int(row["n_resamples"]))
        differences[row["key"]] = (values, p, tuple(int(row[name]) for name in ("first_wins", "ties", "second_wins")))
    return Numbers.of_floats(means, differences)


def of_tables(means, intervals, pairs):
    """Of three tables as lists of cells without their heads."""
    found, differences = {}, {}
    for shown, ends in zip(means, intervals, strict=True):
        assert shown[:2] == ends[:2]
        for key, mean, interval in zip(TYPES, shown[2:-1], ends[2:], strict=True):  # but how many texts are empty
            found[shown[1], key] = [mean, *interval.strip("[]").split(", ")]
    for pair, key, difference, interval, _, p, outcomes in pairs:
        assert pair == "a − b"
        values = [difference, *interval.strip("[]").split(", ")]
        differences[key] = (values, p, tuple(map(int, outcomes.split("/"))))
    return Numbers(found, differences)


def of_terminal(text):
    """Of the tables of a terminal, whose columns stand two blanks or more apart."""
    blocks = [block.splitlines() for block in text.split("\n\n")[:3]]
    tables = [[re.split(r" {2,}", line.strip()) for line in lines[3:]] for lines in blocks]
    return of_tables([[re.sub("[ᵃᵇ]", "", cell) for cell in row] for row in tables[0]], *tables[1:])


def of_markdown(text):
    blocks = [block.splitlines()[2:] for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    tables = [
        [
            [re.sub(r"<sup>.*?</sup>|\*\*|\\", "", cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in lines
        ]
        for lines in blocks
    ]
    return of_tables(*tables)


def of_latex(text):
    def plain(cell):
        cell = re.sub(r"\$\^\{\w*\}\$", "", cell)
        cell = re.sub(r"\\textbf\{(.*)\}", r"\1", cell)
        return cell.replace("$-$", "−").replace(r"$\leq$", "≤").replace(r"\_", "_").strip()

    blocks = re.findall(r"\\midrule\n(.*?)\\bottomrule", text, re.DOTALL)
    tables = [
        [[plain(cell) for cell in line.removesuffix(r" \\").split(" & ")] for line in block.strip().splitlines()]
        for block in blocks
    ]
    return of_tables(*tables)


def html_rows(page):
    """The cells of each row of the tables of a page, as text."""
    for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        yield [html.unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in cells]


def of_report_text(page):
    means, differences = {}, {}
    for cells in html_rows(page):
        if cells[0] in TYPES and len(cells) == 9:
            for place, name in enumerate((FIRST, SECOND)):
                means[name, cells[0]] = [cells[3 + 4 * place], *cells[4 + 4 * place].split(" – ")]
        elif cells[0] in TYPES:
            key, difference, interval, p, outcomes = cells
            differences[key] = ([difference, *interval.split(" … ")], p, tuple(map(int, outcomes.split(" / "))))
    return Numbers(means, differences)


def report_data(page):
    """What the page of a report has in memory; its columns of whole numbers as arrays."""
    data = report_file.index_of(page)
    return {**data, **data["numbers"]}


@pytest.fixture(scope="module")
def data_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("one_number") / "systems.jsonl"
    rows = zip(PREDICTIONS, OTHERS, REFERENCES, strict=True)
    lines = [json.dumps({FIRST: a, SECOND: b, "references": each}, ensure_ascii=False) for a, b, each in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def job(data_file, tmp_path_factory):
    """The same on the page: an upload, scored."""
    import shutil

    from polyrouge.page.choices import Choice
    from polyrouge.page.job import Mapping
    from polyrouge.page.visitor import Visitor

    visitor = Visitor()
    upload = tmp_path_factory.mktemp("upload") / data_file.name
    shutil.copy(data_file, upload)
    visitor.add(upload)
    *_, job = visitor.score(Mapping((FIRST, SECOND), ("references",)), Choice("zh_char", scale="100"))
    yield job
    visitor.leave()


SETTINGS = [
    pytest.param({}, id="default"),
    pytest.param({"interval": "bca", "confidence": 0.9}, id="bca"),
    pytest.param({"aggregate": "f_of_means"}, id="f of means"),
]


def api(settings):
    return compare_systems({FIRST: PREDICTIONS, SECOND: OTHERS}, REFERENCES, Rouge("zh_char", scale=100, **settings))


def ran(data_file, settings, output_format):
    options = [part for name, value in settings.items() for part in (f"--{name}", str(value))]
    arguments = ["compare", str(data_file), "-p", FIRST, "-p", SECOND, "-c", "zh_char", "--scale", "100", *options]
    found = CliRunner().invoke(app, [*arguments, "-f", output_format])
    assert found.exit_code == 0, found.output
    return found.stdout


def shown_signature(settings):
    """Of the report and the page, which show precision and recall too."""
    return Rouge("zh_char", scale=100, output="all", **{"confidence": 0.95, **settings}).signature()


def same(shown, expected):
    assert shown.means == expected.means
    assert shown.differences == expected.differences
    if shown.exact:
        assert shown.exact == expected.exact


@pytest.mark.parametrize("settings", SETTINGS)
def test_means_and_intervals_are_computes(settings):
    compared = api(settings)
    found = of_comparison(compared)
    rouge = Rouge("zh_char", scale=100, **{"confidence": 0.95, **settings})

    assert Rouge.from_signature(compared.signature).settings == rouge.settings  # so the printed line gives the numbers
    for name, predictions in ((FIRST, PREDICTIONS), (SECOND, OTHERS)):
        result = rouge.compute(predictions, REFERENCES)
        for key in TYPES:
            assert [result[key], result[f"{key}_low"], result[f"{key}_high"]] == found.exact[0][name, key]
    # by hand, so that sign and outcomes are what the words say
    first, second = (rouge.score(each, REFERENCES)["rouge1"] for each in (PREDICTIONS, OTHERS))
    (_, outcomes) = found.exact[1]["rouge1"]
    assert outcomes == (int((first > second).sum()), int((first == second).sum()), int((first < second).sum()))
    assert outcomes[0] > outcomes[2] > 0 < outcomes[1]
    for key in TYPES:
        difference = found.exact[0][FIRST, key][0] - found.exact[0][SECOND, key][0]
        assert found.exact[1][key][0][0] == pytest.approx(difference, abs=1e-7)
        assert difference > 0


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("output_format", ["json", "csv", "latex", "markdown", "table"])
def test_every_format_of_the_command(data_file, settings, output_format):
    found = api(settings)

    text = ran(data_file, settings, output_format)

    read = {"csv": of_csv, "latex": of_latex, "markdown": of_markdown, "table": of_terminal}
    shown = of_json(json.loads(text)) if output_format == "json" else read[output_format](text)
    same(shown, of_comparison(found))
    said = {"csv": "first_minus_second,"}.get(output_format, "are alpha minus beta_2: above 0, alpha scores higher.")
    assert said in text.replace("\\_", "_")
    assert found.signature in text
    level = f"{100 * found.confidence:.4g} % interval"
    assert output_format in ("json", "csv") or level in text.replace("\\", "")


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_report(settings, tmp_path):
    found = api(settings)

    path = write_report(
        tmp_path / "report.html",
        PREDICTIONS,
        REFERENCES,
        rouge=Rouge("zh_char", scale=100, **settings),
        name=FIRST,
        others={SECOND: OTHERS},
    )

    page = path.read_text(encoding="utf-8")
    same(of_report_text(page), of_comparison(found))
    data = report_data(page)
    same(of_json(data["comparison"]), of_comparison(found))
    for pair in found.pairs:  # the samples that the page filters by outcome are as many
        column = data["types"].index(pair.key)
        first, second = (data["ranks"][found.systems.index(name)][column] for name in (pair.first, pair.second))
        signs = np.sign(first - second).tolist()
        assert (pair.wins, pair.ties, pair.losses) == tuple(signs.count(sign) for sign in (1, 0, -1))
    assert re.findall(r"<caption[^>]*>([^<]*)</caption>", page) == ["alpha − beta_2"]
    assert "Differences are the first system minus the second: above 0, the first scores higher." in page
    assert f"<code>{shown_signature(settings)}</code>" in page


def test_the_report_of_the_command(data_file, tmp_path):
    path = tmp_path / "report.html"
    arguments = ["report", data_file, "-p", FIRST, "-p", SECOND, "-c", "zh_char", "--scale", "100", "-o", path]

    assert CliRunner().invoke(app, [str(each) for each in arguments]).exit_code == 0

    same(of_report_text(path.read_text(encoding="utf-8")), of_comparison(api({})))


@pytest.mark.hub
def test_the_page(job):
    expected = of_comparison(api({}))

    page = job.report.read_text(encoding="utf-8")  # which the page shows
    same(of_report_text(page), expected)
    assert f"<code>{shown_signature({})}</code>" in page


@pytest.mark.hub
@pytest.mark.parametrize("settings", SETTINGS[:2])
def test_the_endpoint(settings):
    from polyrouge.page.endpoints import compare_systems as endpoint

    expected = of_comparison(api(settings))

    found = endpoint(PREDICTIONS, OTHERS, REFERENCES, "zh_char", {"scale": 100, **settings})

    pairs = [
        {
            **{name: pair[name] for name in ("low", "high", "wins", "ties", "losses")},
            "first": "first",
            "second": "second",
            "key": key,
            "difference": pair["first_minus_second"],
            "p_randomization": pair["p"],
            "p_randomization_holm": pair["p"],
        }
        for key, pair in found["differences"].items()
    ]
    same(of_json({**found, "pairs": pairs}, ("first", "second")), expected)
    assert found["sign"].startswith("Differences are first minus second: above 0, first scores higher.")


def test_samples_that_one_system_leaves_out_are_left_out_of_every_number(tmp_path):
    """ms_swift leaves out texts without tokens: the means of both systems are then over the same samples everywhere."""
    predictions, others = ["", *PREDICTIONS[1:]], [*OTHERS[:-1], ""]
    references = [row[0] for row in REFERENCES]
    rouge = Rouge("ms_swift", tool={"refuses": ()})
    with pytest.warns(UserWarning, match="leaves 2 of 34 samples out"):
        found = compare_systems({FIRST: predictions, SECOND: others}, references, rouge)

    with pytest.warns(UserWarning, match="leaves 2 of 34 samples out"):
        path = write_report(
            tmp_path / "report.html",
            predictions,
            references,
            rouge=rouge,
            name=FIRST,
            others={SECOND: others},
        )

    page = path.read_text(encoding="utf-8")
    expected = of_comparison(found)
    shown = of_report_text(page)
    assert {place: shown.means[place] for place in expected.means} == expected.means
    assert shown.differences == expected.differences


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_report_of_many_systems(settings, tmp_path):
    rouge = Rouge("zh_char", scale=100, **settings)
    systems = {
        "alpha": PREDICTIONS,
        "beta": OTHERS,
        "gamma": [text[:12] for text in PREDICTIONS],
        "delta": PREDICTIONS[::-1],
    }
    found = compare_systems(systems, REFERENCES, rouge)

    path = write_report(
        tmp_path / "many.html",
        PREDICTIONS,
        REFERENCES,
        rouge=rouge,
        name="alpha",
        others={name: texts for name, texts in systems.items() if name != "alpha"},
    )

    page = path.read_text(encoding="utf-8")
    data = report_data(page)
    assert data["comparison"] == json.loads(json.dumps(found.to_dict()))
    (board,) = re.findall(r'<table class="numbers" id="board">(.*?)</table>', page, re.DOTALL)
    names = re.findall(r"<bdi>(.*?)</bdi>", board)
    assert names == sorted(systems, key=lambda name: -found.means[found.systems.index(name), 0])
    cell = r'<td>(?:<strong>)?([\d.]+)(?:</strong>)?<sup[^>]*>(\w*)</sup><span class="range"[^>]*>([\d.]+) – ([\d.]+)'
    cells = re.findall(cell, board)
    expected = [
        tuple(
            [f"{found.means[row, column]:.2f}", found.superscript(name, key)]
            + [f"{bound[row, column]:.2f}" for bound in (found.low, found.high)]
        )
        for name in names
        for row in [found.systems.index(name)]
        for column, key in enumerate(found.keys)
    ]
    assert cells == expected
    for pair in found.pairs:
        column = data["types"].index(pair.key)
        first, second = (data["ranks"][found.systems.index(name)][column] for name in (pair.first, pair.second))
        signs = np.sign(first - second).tolist()
        assert (pair.wins, pair.ties, pair.losses) == tuple(signs.count(sign) for sign in (1, 0, -1))
        row = f"{pair.wins:,} / {pair.ties:,} / {pair.losses:,}"
        assert re.search(rf"{pair.first} − {pair.second}</th><th scope=\"row\">{pair.key}</th>.*{row}", page)
