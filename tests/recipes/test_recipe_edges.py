"""Recipes at their edges: odd YAML, conventions and packages that are not there, the list of all."""

import dataclasses
import json
import sys

import pytest
from command_runs import ROOT, csv_rows, run

from polyrouge import CONVENTIONS
from polyrouge.files.file_rows import InputFileError
from polyrouge.recipes.benchmark import choose_convention, open_hub_data
from polyrouge.recipes.benchmark_tables import benchmark_report, recipes_report
from polyrouge.recipes.loading import load_recipe, parse_recipe, recipe_names

GOOD = (ROOT / "configs" / "gigaword.yaml").read_text(encoding="utf-8")


def test_a_whole_number_is_a_score():
    assert parse_recipe(GOOD.replace("  rouge1: 29.55", "  rouge1: 30", 1), "r.yaml").published[0].rouge1 == 30.0


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        pytest.param(["rouge155"], "choose the recipe's other one: --convention rouge_score", id="one"),
        pytest.param(["rouge155", "rouge_score"], "choose --convention zh_char, say", id="all"),
    ],
)
def test_a_convention_of_a_newer_version_is_told(monkeypatch, missing, message):
    others = {name: convention for name, convention in CONVENTIONS.items() if name not in missing}
    monkeypatch.setattr("polyrouge.recipes.benchmark.CONVENTIONS", others)
    recipe = load_recipe("gigaword")

    with pytest.raises(ValueError, match=r"which this version does not have\. Install a newer polyrouge, or") as raised:
        choose_convention(recipe, "default", None, {})

    assert message in str(raised.value)
    assert "its numbers are not those of 'rouge155'" in str(raised.value)


def test_datasets_is_asked_for_where_the_data_is_on_the_hub(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)

    with pytest.raises(InputFileError, match=r"pip install datasets\. If you have a copy, give it with --data-file"):
        open_hub_data(load_recipe("gigaword"), "default", "test")


@pytest.mark.parametrize("output_format", ["table", "json", "csv", "markdown", "latex"])
def test_all_recipes_are_listed(output_format):
    ran = run("benchmark", "-f", output_format)

    assert ran.exit_code == 0
    for name in recipe_names():
        assert name.replace("_", {"latex": r"\_", "markdown": r"\_"}.get(output_format, "_")) in ran.stdout
    if output_format == "csv":
        rows = {row["recipe"]: row for row in csv_rows(ran.stdout)}
        assert rows["gigaword"]["convention"] == "rouge155"
        assert rows["gigaword"]["other_conventions"] == "rouge_score"
        assert int(rows["gigaword"]["published"]) == len(load_recipe("gigaword").published)
        assert rows["csl"]["hub_id"] == ""
    if output_format == "json":
        assert [each["recipe"] for each in json.loads(ran.stdout)["recipes"]] == list(recipe_names())


def test_what_is_not_on_the_hub_is_ones_own_copy():
    report = recipes_report({name: load_recipe(name) for name in ("csl", "gigaword")}, "0.0")

    assert [[cell.text for cell in row][:2] for row in report.tables[0].cells] == [
        ["csl", "your own copy"],
        ["gigaword", "Harvard/gigaword"],
    ]


def test_rows_without_the_score_that_most_have_come_last():
    recipe = load_recipe("gigaword")
    rows = [
        dataclasses.replace(recipe.published[0], system=name, rouge1=one, rouge2=None, rougeL=last)
        for name, one, last in (("low", 10.0, None), ("l only", None, 99.0), ("high", 20.0, 1.0), ("l less", None, 3.0))
    ]

    report = benchmark_report(dataclasses.replace(recipe, published=tuple(rows)), None, None, digits=1, signature="")

    assert [row[0].text for row in report.tables[0].cells] == ["l only", "l less", "high", "low"]
    assert [row[2].text for row in report.tables[0].cells] == ["", "", "20.0", "10.0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[" * 3000, "nested too deep", id="deep"),
        pytest.param("&a [*a]", "line 1: .* used again by an alias", id="a list in itself"),
        pytest.param("title: &a {x: *a}", "line 1: .* used again by an alias", id="keys in themselves"),
        pytest.param(
            "b0: &b0 [x]\n" + "\n".join(f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]" for i in range(1, 60)),
            "line 1: .* used again by an alias",
            id="as large as the memory",
        ),
        pytest.param("title: !!bool x", "a value can't be read", id="bool"),
        pytest.param("title: !!timestamp x", "a value can't be read", id="timestamp"),
        pytest.param("title: 2024-13-45", "a.yaml: .* a value can't be read .month", id="date"),
        pytest.param('title: "\\UFFFFFFFF"', "a value can't be read", id="escape"),
    ],
)
def test_yaml_that_breaks_its_reader_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_recipe(text, "a.yaml")


def test_an_alias_of_a_text_is_read():
    with pytest.raises(ValueError, match="the key 'data' is missing"):
        parse_recipe("title: &a one\nnotes: [*a, *a]", "a.yaml")
