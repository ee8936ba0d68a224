"""Recipes at their edges: every kind of wrong value, conventions and packages that are not there, the list of all."""

import csv
import dataclasses
import io
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from polyrouge import CONVENTIONS
from polyrouge.cli.commands import app
from polyrouge.files.file_rows import InputFileError
from polyrouge.recipes.loading import load_recipe, parse_recipe, recipe_names
from polyrouge.recipes.run import choose_convention, open_hub_data
from polyrouge.recipes.tables import benchmark_report, recipes_report

ROOT = Path(__file__).resolve().parents[2]
GOOD = (ROOT / "configs" / "gigaword.yaml").read_text(encoding="utf-8")


def changed(old, new):
    assert old in GOOD
    return parse_recipe(GOOD.replace(old, new, 1), "r.yaml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            GOOD[GOOD.index("baselines:") : GOOD.index("published:")],
            "baselines: Lead-1\n",
            "r.yaml: baselines is 'Lead-1'; it must be a list",
            id="text for a list",
        ),
        pytest.param(
            "    rouge1: rouge1\n    rouge2: rouge2\n    rougeL: rougeL\n",
            "  - rouge1\n",
            r"conventions\[0\]: scores is \['rouge1'\]; it must be keys with values",
            id="list for keys",
        ),
        pytest.param(
            "    rouge1: rouge1\n",
            "    1: rouge1\n",
            r"conventions\[0\]: scores is .*; it must be keys with values",
            id="number for a key",
        ),
        pytest.param("  split: test", "  split: 7", "data: split is 7; it must be a text", id="number for a text"),
        pytest.param(
            "  split: test", "  split: [test]", r"split is \['test'\]; it must be a text", id="list for a text"
        ),
        pytest.param("  n: 1", "  n: 1.5", r"n is 1.5; it must be a whole number", id="fraction"),
        pytest.param("  n: 1", "  n: true", r"n is True; it must be a whole number", id="flag for a number"),
        pytest.param(
            GOOD[GOOD.index("data:") : GOOD.index("conventions:")],
            "data: here\n",
            "r.yaml: data is 'here'; it must be keys with values",
            id="text for keys",
        ),
        pytest.param(
            GOOD[GOOD.index("conventions:") : GOOD.index("baselines:")],
            "conventions: []\n",
            "conventions: give one or more, each with a key of its own; given none",
            id="no conventions",
        ),
        pytest.param(
            "- key: rouge_score",
            "- key: rouge155",
            "each with a key of its own; given rouge155, rouge155",
            id="one key for two conventions",
        ),
        pytest.param(
            "- system: ABS\n",
            "- system: ABS\n  config: klingon\n",
            r"published\[0\]: Unknown config 'klingon'",
            id="unknown config",
        ),
        pytest.param(
            "- system: ABS\n  rouge1: 29.55\n",
            "- system: none\n  made_with: rouge155\n  source: github x\n- system: ABS\n  rouge1: 29.55\n",
            r"published\[0\]: 'none' has no score",
            id="row without a score",
        ),
        pytest.param(GOOD, "- a list\n", "r.yaml is .*; it must be keys with values", id="no keys at all"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(old, new, message):
    with pytest.raises(ValueError, match=message):
        changed(old, new)


def test_a_whole_number_is_a_score():
    assert changed("  rouge1: 29.55", "  rouge1: 30").published[0].rouge1 == 30.0


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        pytest.param(["rouge155"], "choose the recipe's other one: --convention rouge_score", id="one"),
        pytest.param(["rouge155", "rouge_score"], "choose --convention zh_char, say", id="all"),
    ],
)
def test_a_convention_of_a_newer_version_is_told(monkeypatch, missing, message):
    for name in missing:
        monkeypatch.delitem(CONVENTIONS, name)
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
    ran = CliRunner().invoke(app, ["benchmark", "-f", output_format])

    assert ran.exit_code == 0
    for name in recipe_names():
        assert name.replace("_", {"latex": r"\_", "markdown": r"\_"}.get(output_format, "_")) in ran.stdout
    if output_format == "csv":
        rows = {row["recipe"]: row for row in csv.DictReader(io.StringIO(ran.stdout))}
        assert rows["gigaword"]["convention"] == "rouge155"
        assert rows["gigaword"]["other_conventions"] == "rouge_score"
        assert int(rows["gigaword"]["published"]) == len(load_recipe("gigaword").published)
        assert rows["csl"]["hub_id"] == ""
    if output_format == "json":
        assert [each["recipe"] for each in json.loads(ran.stdout)["recipes"]] == list(recipe_names())


def test_what_is_not_on_the_hub_is_ones_own_copy():
    report = recipes_report({name: load_recipe(name) for name in ("csl", "gigaword")}, "0.0")

    assert [[cell.text for cell in row][:2] for row in report.tables[0].rows] == [
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

    assert [row[0].text for row in report.tables[0].rows] == ["l only", "l less", "high", "low"]
    assert [row[2].text for row in report.tables[0].rows] == ["", "", "20.0", "10.0"]


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
