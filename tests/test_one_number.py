"""One job, one number: a comparison of two systems, read back out of everything that shows it."""

import csv
import html
import io
import json
import re
from typing import NamedTuple

import numpy as np
import pytest
import report_file
from command_runs import REFERENCES, ROWS, run

from polyrouge import Rouge, compare_systems
from polyrouge.report import write_report
from polyrouge.results import shown_difference

FIRST, SECOND = "alpha", "beta_2"
TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


# Each system wins some rows, and on three both are the same.
PREDICTIONS, OTHERS = [], []
for _number, _row in enumerate(ROWS):
    PREDICTIONS.append(_row["prediction_b" if _number < 10 else "prediction"])
    OTHERS.append(_row["prediction" if _number < 13 else "prediction_b"])
SYSTEMS = {FIRST: PREDICTIONS, SECOND: OTHERS}


class Numbers(NamedTuple):
    """What is compared, as a reader sees it: means with intervals of each (system, type), differences of each type.

    ``exact`` holds the same as floats; it is empty where the output shows rounded numbers only.
    """

    means: dict
    differences: dict
    exact: tuple = ()


def numbers_of(means, differences):
    """Of floats."""
    return Numbers(
        {place: [f"{value:.2f}" for value in values] for place, values in means.items()},
        {
            key: ([shown_difference(value, 2) for value in values], *rest)
            for key, (values, *rest) in differences.items()
        },
        (means, {key: (values, outcomes) for key, (values, _, outcomes) in differences.items()}),
    )


def of_comparison(comparison):
    means = {
        (system, key): [float(each[row, column]) for each in (comparison.means, comparison.low, comparison.high)]
        for row, system in enumerate(comparison.systems)
        for column, key in enumerate(comparison.keys)
    }
    differences = {
        pair.key: (
            [pair.difference, pair.low, pair.high],
            comparison.shown_p(pair),
            (pair.wins, pair.ties, pair.losses),
        )
        for pair in comparison.pairs
    }
    return numbers_of(means, differences)


def p_of(p, p_holm, n_resamples):
    """As it is shown where only numbers are given."""
    return "≤0.0001" if p <= 1 / (n_resamples + 1) else f"{p_holm:.4f}"


def of_json(data, names=(FIRST, SECOND)):
    means = {
        ((FIRST, SECOND)[names.index(system["system"])], key): [system[key][name] for name in ("mean", "low", "high")]
        for system in data["systems"]
        for key in TYPES
    }
    differences = {}
    for pair in data["pairs"]:
        assert (pair["first"], pair["second"]) == names
        p = p_of(pair["p_randomization"], pair["p_randomization_holm"], data["n_resamples"])
        values = [pair[name] for name in ("difference", "low", "high")]
        differences[pair["key"]] = (values, p, (pair["wins"], pair["ties"], pair["losses"]))
    return numbers_of(means, differences)


def of_csv(text):
    means, differences = {}, {}
    for row in csv.DictReader(io.StringIO(text)):
        assert (row["first"], row["second"]) == (FIRST, SECOND)
        for place in ("first", "second"):
            means[row[place], row["key"]] = [float(row[f"{place}_{name}"]) for name in ("mean", "low", "high")]
        values = [float(row[f"first_minus_second{end}"]) for end in ("", "_low", "_high")]
        p = p_of(float(row["p_randomization"]), float(row["p_randomization_holm"]), int(row["n_resamples"]))
        differences[row["key"]] = (values, p, tuple(int(row[name]) for name in ("first_wins", "ties", "second_wins")))
    return numbers_of(means, differences)


def of_tables(means, intervals, pairs):
    """Of three tables as lists of cells without their heads."""
    of_systems, differences = {}, {}
    for shown, ends in zip(means, intervals, strict=True):
        assert shown[:2] == ends[:2]
        for key, mean, interval in zip(TYPES, shown[2:-1], ends[2:], strict=True):  # but how many texts are empty
            of_systems[shown[1], key] = [mean, *interval.strip("[]").split(", ")]
    for pair, key, difference, interval, _, p, outcomes in pairs:
        assert pair == "a − b"
        values = [difference, *interval.strip("[]").split(", ")]
        differences[key] = (values, p, tuple(map(int, outcomes.split("/"))))
    return Numbers(of_systems, differences)


def of_markdown(text):
    def plain(cell):
        return re.sub(r"<sup>.*?</sup>|\*\*|\\", "", cell).strip()

    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    tables = [[[*map(plain, re.split(r"(?<!\\)\|", line)[1:-1])] for line in each.splitlines()[2:]] for each in blocks]
    return of_tables(*tables)


def of_report_text(page):
    means, differences, system = {}, {}, None
    for row in re.findall(r"<tr[ >].*?</tr>", re.sub(r"<button.*?>|</button>", "", page), re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        cells = [html.unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in cells]
        if "data-key" in row:
            key, difference, interval, p, outcomes = cells[-5:]  # of two systems, whose names stand above
            values = [difference, *interval.strip("[]").split(", ")]
            differences[key] = (values, p, tuple(map(int, outcomes.split(" / "))))
            continue
        if TYPES[0] in cells[:2] and len(cells) == 6:
            system, *cells = cells
        if cells[0] in TYPES and len(cells) == 5:
            means[system, cells[0]] = [cells[3], *cells[4].strip("[]").split(", ")]
    return Numbers(means, differences)


def report_data(page):
    """What the page of a report has in memory; its columns of whole numbers as arrays."""
    data = report_file.index_of(page)
    return {**data, **data["numbers"]}


def report_of(path, systems, references, rouge):
    """The page of a report of some systems, and the data in it."""
    (name, predictions), *others = systems.items()
    write_report(path, predictions, references, rouge=rouge, name=name, others=dict(others))
    page = path.read_text(encoding="utf-8")
    return page, report_data(page)


def assert_outcomes_are_ranks(comparison, data):
    """The samples that the page filters by outcome are as many."""
    for pair in comparison.pairs:
        column = data["types"].index(pair.key)
        first, second = (data["ranks"][comparison.systems.index(name)][column] for name in (pair.first, pair.second))
        signs = np.sign(first - second).tolist()
        assert (pair.wins, pair.ties, pair.losses) == tuple(signs.count(sign) for sign in (1, 0, -1))


@pytest.fixture(scope="module")
def data_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("one_number") / "systems.jsonl"
    rows = zip(PREDICTIONS, OTHERS, REFERENCES, strict=True)
    lines = [json.dumps({FIRST: a, SECOND: b, "references": each}, ensure_ascii=False) for a, b, each in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


SETTINGS = [
    pytest.param({}, id="default"),
    pytest.param({"interval": "bca", "confidence": 0.9}, id="bca"),
    pytest.param({"aggregate": "f_of_means"}, id="f of means"),
]
IN_FILE = ("-p", FIRST, "-p", SECOND, "-c", "zh_char")


def api(settings):
    return compare_systems(SYSTEMS, REFERENCES, Rouge("zh_char", scale=100, **settings))


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
    comparison = api(settings)
    numbers = of_comparison(comparison)
    rouge = Rouge("zh_char", scale=100, **{"confidence": 0.95, **settings})

    # so the printed line gives the numbers
    assert Rouge.from_signature(comparison.signature).settings == rouge.settings
    for name, predictions in SYSTEMS.items():
        result = rouge.compute(predictions, REFERENCES)
        for key in TYPES:
            assert [result[key], result[f"{key}_low"], result[f"{key}_high"]] == numbers.exact[0][name, key]
    # by hand, so that sign and outcomes are what the words say
    first, second = (rouge.score(each, REFERENCES)["rouge1"] for each in (PREDICTIONS, OTHERS))
    (_, outcomes) = numbers.exact[1]["rouge1"]
    assert outcomes == (int((first > second).sum()), int((first == second).sum()), int((first < second).sum()))
    assert outcomes[0] > outcomes[2] > 0 < outcomes[1]
    for key in TYPES:
        difference = numbers.exact[0][FIRST, key][0] - numbers.exact[0][SECOND, key][0]
        assert numbers.exact[1][key][0][0] == pytest.approx(difference, abs=1e-7)
        assert difference > 0


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("output_format", ["json", "csv", "markdown"])  # the others show the tables of the last
def test_every_format_of_the_command(data_file, settings, output_format):
    comparison = api(settings)
    options = [part for name, value in settings.items() for part in (f"--{name}", value)]

    ran = run("compare", data_file, *IN_FILE, *options, "-f", output_format)

    assert ran.exit_code == 0, ran.output
    read = {"json": lambda text: of_json(json.loads(text)), "csv": of_csv, "markdown": of_markdown}
    same(read[output_format](ran.stdout), of_comparison(comparison))
    said = {"csv": "first_minus_second,"}.get(output_format, "are alpha minus beta_2: above 0, alpha scores higher.")
    assert said in ran.stdout.replace("\\_", "_")
    assert comparison.signature in ran.stdout
    level = f"{100 * comparison.confidence:.4g}% interval"
    assert output_format in ("json", "csv") or level in ran.stdout.replace("\\", "")


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_report(settings, tmp_path):
    comparison = api(settings)
    page, data = report_of(tmp_path / "report.html", SYSTEMS, REFERENCES, Rouge("zh_char", scale=100, **settings))
    same(of_report_text(page), of_comparison(comparison))
    same(of_json(data["comparison"]), of_comparison(comparison))
    assert_outcomes_are_ranks(comparison, data)
    assert page.count("<bdi>alpha − beta_2</bdi>") == 1  # above the table
    assert "Differences are the first system minus the second; bold: significant." in page
    assert f"<code>{shown_signature(settings)}</code>" in page


def test_the_report_of_the_command(data_file, tmp_path):
    path = tmp_path / "report.html"
    assert run("report", data_file, *IN_FILE, "-o", path).exit_code == 0
    page = path.read_text(encoding="utf-8")
    same(of_report_text(page), of_comparison(api({})))
    assert f"<code>{shown_signature({})}</code>" in page
    latex = run("compare", data_file, *IN_FILE, "-f", "latex").stdout
    table = latex[: latex.index(r"\end{tabular}")]
    assert json.dumps(table)[1:-1] in page.replace(r"\u003c", "<").replace(r"\u0026", "&")


def test_latex_has_no_rouge_lsum_that_repeats_rouge_l(data_file):
    lines = run("compare", data_file, *IN_FILE, "--sentence-split", "none", "-f", "latex").stdout
    assert r"& ROUGE-1 & ROUGE-2 & ROUGE-L \\" in lines
    lines = run("compare", data_file, *IN_FILE, "-f", "latex").stdout
    assert r"& ROUGE-1 & ROUGE-2 & ROUGE-L & ROUGE-Lsum \\" in lines


def test_a_scale_of_1_is_shown_where_it_is_asked_for(data_file):
    expected = compare_systems(SYSTEMS, REFERENCES, Rouge("zh_char"))
    ran = run("compare", data_file, *IN_FILE, "--scale", 1, "-f", "json")
    same(of_json(json.loads(ran.stdout)), of_comparison(expected))
    # A signature says its scale: the numbers are those of the metric that printed it.
    ran = run("compare", data_file, *IN_FILE[:4], "--signature", Rouge("zh_char").signature(), "-f", "json")
    same(of_json(json.loads(ran.stdout)), of_comparison(expected))


@pytest.mark.hub
@pytest.mark.parametrize("settings", SETTINGS[:2])
def test_the_endpoint(settings):
    from polyrouge.page.endpoints import compare_systems as endpoint

    answer = endpoint(PREDICTIONS, OTHERS, REFERENCES, "zh_char", settings)
    pairs = [
        {**pair, "first": "first", "second": "second", "key": key, "difference": pair["first_minus_second"]}
        | dict.fromkeys(("p_randomization", "p_randomization_holm"), pair["p"])
        for key, pair in answer["differences"].items()
    ]
    same(of_json({**answer, "pairs": pairs}, ("first", "second")), of_comparison(api(settings)))
    assert answer["sign"].startswith("Differences are first minus second: above 0, first scores higher.")


def test_samples_that_one_system_leaves_out_are_left_out_of_every_number(tmp_path):
    """Texts without tokens are left out: the means of both systems are then over the same samples everywhere."""
    systems = {FIRST: ["", *PREDICTIONS[1:]], SECOND: [*OTHERS[:-1], ""]}
    references = [row[0] for row in REFERENCES]
    rouge = Rouge("ms_swift", empty="skip")

    with pytest.warns(UserWarning, match="leaves 2 of 34 samples out"):
        expected = of_comparison(compare_systems(systems, references, rouge))
    with pytest.warns(UserWarning, match="leaves 2 of 34 samples out"):
        page, _ = report_of(tmp_path / "report.html", systems, references, rouge)

    shown = of_report_text(page)
    assert {place: shown.means[place] for place in expected.means} == expected.means
    assert shown.differences == expected.differences


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_report_of_many_systems(settings, tmp_path):
    rouge = Rouge("zh_char", scale=100, **settings)
    shortened = [text[:12] for text in PREDICTIONS]
    systems = {"alpha": PREDICTIONS, "beta": OTHERS, "gamma": shortened, "delta": PREDICTIONS[::-1]}
    comparison = compare_systems(systems, REFERENCES, rouge)

    page, data = report_of(tmp_path / "many.html", systems, REFERENCES, rouge)

    assert data["comparison"] == json.loads(json.dumps(comparison.to_dict()))
    (board,) = re.findall(r'<table class="numbers" id="board">(.*?)</table>', page, re.DOTALL)
    names = re.findall(r"<bdi>(.*?)</bdi>", board)
    assert names == sorted(systems, key=lambda name: -comparison.means[comparison.systems.index(name), 0])
    cell = (
        r'<td>(?:<strong>)?([\d.]+)(?:</strong>)?<sup[^>]*>(\w*)</sup><span class="range"[^>]*>\[([\d.]+), ([\d.]+)\]'
    )
    expected = []
    for name in names:
        row = comparison.systems.index(name)
        for column, key in enumerate(comparison.keys):
            mean, low, high = (
                f"{each[row, column]:.2f}" for each in (comparison.means, comparison.low, comparison.high)
            )
            expected.append((mean, comparison.superscript(name, key), low, high))
    shown = [(mean, "".join(sorted(better)), *ends) for mean, better, *ends in re.findall(cell, board)]
    assert shown == expected
    assert_outcomes_are_ranks(comparison, data)
    for pair in comparison.pairs:
        row = f"{pair.wins:,} / {pair.ties:,} / {pair.losses:,}"
        assert re.search(
            rf"{pair.first} − {pair.second}</bdi></button></th><th scope=\"row\">{pair.key}</th>.*{row}", page
        )
