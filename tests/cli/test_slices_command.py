"""Slices and sources on the command line: the numbers are those of Python, in every format."""

import itertools
import json

import pytest
from command_runs import ROWS, csv_rows, run, write_rows

from polyrouge import Rouge, measure_sources, score_slices
from polyrouge.comparing.slices import SliceColumn, sliced_columns, slices_of
from polyrouge.inputs import check_inputs
from polyrouge.metric import score_inputs

TYPES = ("--rouge-types", "rouge1,rougeL")
ROUGE = Rouge("zh_char", scale=100, rouge_types=["rouge1", "rougeL"])
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
COMPARED = ("-p", "prediction", "-p", "prediction_b", "-c", "zh_char", *TYPES)
BY_TOPIC = ("--slice-column", "document_topic", "--source-column", "article")


SLICED = [
    {
        **row,
        "article": f"据报道。{row['references'][0]}相关工作仍在推进。{row['prediction'][:12]}",
        "year": 2000 + number % 20,
    }
    for number, row in enumerate(ROWS)
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "rows.jsonl", SLICED)


def column(name):
    return [row[name] for row in SLICED]


def of_references():
    """The two columns that the command makes of the references."""
    lengths = ROUGE.count(column("prediction"), column("references"), rouge_types=["rouge1"])
    return {
        "reference length": lengths.counts[lengths.offsets[:-1], 0, 2].astype(int).tolist(),
        "references": list(map(len, column("references"))),
    }


def coverage(system):
    return measure_sources(column(system), column("article"), ROUGE).columns["coverage"].tolist()


def sliced(*names, with_sources=True):
    """The slices that the command makes of these columns, of the references and of the sources."""
    systems = {name: column(name) for name in ("prediction", "prediction_b")}
    columns = [SliceColumn(name, column(name)) for name in names]
    columns += [SliceColumn(name, values, is_named=False) for name, values in of_references().items()]
    for name in systems if with_sources else ():
        columns.append(SliceColumn(f"coverage: {name}", coverage(name), is_named=False, system=name))
    slices, _ = slices_of(columns, len(SLICED))
    scores = {
        name: score_inputs(check_inputs(texts, column("references")), ROUGE.settings, ROUGE.run).scores
        for name, texts in systems.items()
    }
    return sliced_columns(scores, slices, ROUGE.settings)


def test_json_has_what_compare_slices_and_measure_sources_give(path):
    ran = run("compare", path, *COMPARED, *BY_TOPIC, "--slice-column", "year", "-f", "json", "-q")
    printed = json.loads(ran.stdout)
    assert printed["slices"] == sliced("document_topic", "year").to_dict()
    for system in ("prediction", "prediction_b"):
        assert printed["sources"][system] == measure_sources(column(system), column("article"), ROUGE).means()


def test_the_slices_where_another_system_loses_come_first(path):
    arguments = ("compare", path, *COMPARED, "--slice-column", "year", "--where-loses", "prediction_b", "-q")
    ran = run(*arguments, "-f", "json")

    slices = sliced("year", with_sources=False)
    printed = json.loads(ran.stdout)["slices"]
    assert printed == slices.where_loses("prediction_b").to_dict()
    differences = [(each["n_samples"] < 10, -each["difference"]) for each in printed["differences"]]
    assert differences == sorted(differences)
    assert differences[0][0] < differences[-1][0]
    assert printed["loser"] == "prediction_b"


def test_slices_that_are_all_too_small_for_a_test_are_told_so(path, tmp_path):
    few = tmp_path / "few.jsonl"
    with open(path, encoding="utf-8") as lines:
        few.write_text("".join(itertools.islice(lines, 9)), encoding="utf-8")
    ran = run("compare", str(few), *COMPARED, "--slice-column", "year", "-q")
    sentence = "loses most come first. None has 10 samples, so there are no tests."
    assert sentence in " ".join(ran.stdout.split())


BCA = ("--output", "all", "--interval", "bca", "--confidence", "0.95")


@pytest.mark.parametrize("options", [(), BCA])
def test_score_prints_what_score_slices_gives_of_one_system(path, options):
    arguments = ("score", path, "-c", "zh_char", *TYPES, *BY_TOPIC, *options, "-q")
    printed = json.loads(run(*arguments, "-f", "json").stdout)

    rouge = Rouge.from_signature(printed["signature"])
    columns = {"document_topic": column("document_topic"), **of_references(), "coverage": coverage("prediction")}
    slices = score_slices(column("prediction"), column("references"), columns, rouge)
    assert [each["systems"].popitem()[1] for each in printed["slices"]["slices"]] == [
        each["systems"].popitem()[1] for each in slices.to_dict()["slices"]
    ]
    lines = csv_rows(run(*arguments, "-f", "csv").stdout)
    of_slices = [line for line in lines if line["slice"]]
    assert len(of_slices) == len(slices.slices) * len(slices.keys)
    lowest = min(slices.slices, key=lambda each: (len(each.rows) < 10, each.means[0, 0]))
    assert (of_slices[0]["slice"], float(of_slices[0]["value"])) == (lowest.label, lowest.means[0, 0])
    assert ("low" in lines[0]) == bool(options)


def test_no_slices_and_a_column_of_slices_are_refused(path):
    assert run("report", path, *COMPARED, "--slice-column", "none", "--slice-column", "year").exit_code == 2
