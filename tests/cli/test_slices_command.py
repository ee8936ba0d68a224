"""Slices and sources on the command line: the numbers are those of Python, in every format."""

import json

import pytest
from command_runs import ROWS, csv_rows, run, write_rows

from polyrouge import Rouge, measure_sources, score_slices, unsupported_parts

TYPES = ("--rouge-types", "rouge1,rougeL")
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rougeL"])
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
COMPARED = ("-p", "prediction", "-p", "prediction_b", "-c", "zh_char", *TYPES)


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


def sliced(**columns):
    """The slices that the command makes of these columns, of the references and of the sources."""
    systems = {name: column(name) for name in ("prediction", "prediction_b")}
    columns |= of_references() | {f"coverage: {name}": coverage(name) for name in systems}
    return score_slices(systems, column("references"), columns, ROUGE)


def test_json_has_what_score_slices_and_measure_sources_give(path):
    ran = run("compare", path, *COMPARED, "--slice-column", "document_topic", "--slice-column", "year",
              "--source-column", "article", "-f", "json", "-q")  # fmt: skip

    printed = json.loads(ran.stdout)
    assert printed["slices"] == sliced(document_topic=column("document_topic"), year=column("year")).to_dict()
    for system in ("prediction", "prediction_b"):
        means = measure_sources(column(system), column("article"), ROUGE).means()
        lacking = [any(unsupported_parts(*each)) for each in zip(column(system), column("article"), strict=True)]
        assert printed["sources"][system] == {**means, "unsupported": sum(lacking) / len(lacking)}


@pytest.mark.parametrize("output_format", ["table", "markdown", "latex"])
def test_tables_show_each_slice_once(path, output_format):
    ran = run("compare", path, *COMPARED, "--slice-column", "document_topic", "--source-column", "article",
              "-f", output_format, "-q")  # fmt: skip

    for topic in {topic for topic in column("document_topic") if column("document_topic").count(topic) > 1}:
        assert sum(topic in line for line in ran.stdout.splitlines()) == 2  # of two types
    assert "coverage" in ran.stdout
    assert "Holm's correction over 26 slices and pairs" in ran.stdout


def test_a_line_of_csv_is_a_slice(path):
    ran = run(
        "compare", path, *COMPARED, "--slice-column", "document_topic", "--source-column", "article", "-f", "csv", "-q"
    )

    lines = csv_rows(ran.stdout)
    found = sliced(document_topic=column("document_topic")).differences
    of_slices = [line for line in lines if line["slice"]]
    assert len(of_slices) == len(found)
    for line, each in zip(of_slices, found, strict=True):
        assert (line["slice_column"], line["slice"], line["key"]) == (each.column, each.label, each.pair.key)
        assert float(line["first_minus_second"]) == each.pair.difference
        assert float(line["p_randomization_holm"]) == each.p_holm
        assert (float(line["first_mean"]), int(line["samples"])) == (each.first_mean, each.n_samples)
    assert [line["first"] for line in lines if line["key"] == "source_coverage"] == ["prediction", "prediction_b"]


def test_the_slices_where_another_system_loses_come_first(path):
    ran = run("compare", path, *COMPARED, "--slice-column", "year", "--where-loses", "prediction_b", "-f", "json", "-q")

    systems = {name: column(name) for name in ("prediction", "prediction_b")}
    found = score_slices(systems, column("references"), {"year": column("year"), **of_references()}, ROUGE)
    printed = json.loads(ran.stdout)["slices"]
    assert printed == found.where_loses("prediction_b").to_dict()
    differences = [each["difference"] for each in printed["differences"]]
    assert differences == sorted(differences, reverse=True)
    assert printed["loser"] == "prediction_b"
    ran = run("compare", path, *COMPARED, "--slice-column", "year", "--where-loses", "prediction_b", "-q")
    assert "Slices: those where prediction_b loses most come first." in " ".join(ran.stdout.split())


@pytest.mark.parametrize("options", [(), ("--confidence", "0.9"), ("--output", "all", "--interval", "poisson")])
def test_score_prints_what_score_slices_gives_of_one_system(path, options):
    given = ("-c", "zh_char", *TYPES, "--slice-column", "document_topic", "--source-column", "article", *options)
    if "poisson" in options:
        given += ("--confidence", "0.95")

    printed = json.loads(run("score", path, *given, "-f", "json", "-q").stdout)

    rouge = Rouge.from_signature(printed["signature"])
    columns = {
        "document_topic": column("document_topic"),
        **of_references(),
        "coverage": coverage("prediction"),
    }
    found = score_slices({"rows.jsonl": column("prediction")}, column("references"), columns, rouge)
    assert [each["systems"].popitem()[1] for each in printed["slices"]["slices"]] == [
        each["systems"].popitem()[1] for each in found.to_dict()["slices"]
    ]
    lines = csv_rows(run("score", path, *given, "-f", "csv", "-q").stdout)
    of_slices = [line for line in lines if line["slice"]]
    assert len(of_slices) == len(found.slices) * len(found.keys)
    lowest = min(found.slices, key=lambda each: each.means[0, 0])
    assert (of_slices[0]["slice"], float(of_slices[0]["value"])) == (lowest.label, lowest.means[0, 0])
    assert ("low" in lines[0]) == bool(options)
    table = run("score", path, *given, "-f", "markdown", "-q").stdout
    assert f"| {lowest.column.replace('_', chr(92) + '_')} | {lowest.label} |" in table
    assert "Slices: those with the lowest mean" in table


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("compare", ("--where-loses", "prediction"), "--where-loses orders slices; name their columns"),
        ("compare", ("--slice-column", "year", "--where-loses", "predictions"), "Unknown system 'predictions'"),
        ("compare", ("--slice-column", "topic"), "Did you mean 'document_topic'?"),
        ("report", ("--slice-column", "none", "--slice-column", "year"), "--slice-column none means that there are no"),
        ("report", ("--source-column", "articles"), "Did you mean 'article'?"),
        ("compare", ("--slice-column", "references"), "samples are sliced by a text"),
    ],
)
def test_columns_that_do_not_fit_are_refused(path, command, options, message):
    ran = run(command, path, *COMPARED, *options)

    assert ran.exit_code == 2
    assert message in " ".join(ran.stderr.split())
