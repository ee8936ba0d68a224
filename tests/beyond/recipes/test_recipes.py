"""Benchmark recipes: facts are well-formed, every one runs on a small file of its shape, bad ones are refused."""

import dataclasses
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_runs import ROOT, csv_rows, run, write_rows
from shared_data import SHARED, needs_shared

from polyrouge import CONVENTIONS
from polyrouge.beyond.recipes.benchmark import BenchmarkTable, choose_convention, lead_text, open_hub_data
from polyrouge.beyond.recipes.loading import load_recipe, parse_recipe, recipe_names
from polyrouge.beyond.recipes.recipe import SCORE_COLUMNS
from polyrouge.files.table import InputFileError

DOCUMENTS = [
    "The council met on Tuesday. It chose the market plan by seven votes to two. Work begins in March.\nTaxes stay.",
    "云渡市今天下雨。气温下降到十度，市民添衣。明天转晴！",
    "Ann: Are you coming?\r\nBob: Yes, at six.\nAnn: Bring the maps.\nBob: Sure.",
]
SUMMARIES = [
    "The council chose the market plan.\nWork begins in March.",
    "云渡市下雨降温。",
    "Bob comes at six with the maps.",
]
PREDICTIONS = ["The council met and chose the market plan.", "云渡市今天降温。", "Bob will bring the maps at six."]
EACH = [
    pytest.param(name, each.key, id=f"{name}-{each.key}")
    for name in recipe_names()
    for each in load_recipe(name).conventions
]


def write_copy(folder, recipe):
    """A local copy of a benchmark's data in its own columns, and a file of predictions."""
    has_lists = recipe.data.references in ("answers", "references")
    separator = recipe.data.document_separator
    rows = [
        {
            recipe.data.documents: separator.join([document] * 2) if separator else document,
            recipe.data.references: [summary, summary[:9]] if has_lists else summary,
        }
        for document, summary in zip(DOCUMENTS, SUMMARIES, strict=True)
    ]
    data = write_rows(folder / "data.jsonl", rows)
    predictions = write_rows(folder / "system.jsonl", [{"prediction": text} for text in PREDICTIONS])
    return predictions, data, [row[recipe.data.references] for row in rows]


def benchmark(*arguments):
    """The JSON of the command, and its computed rows by system."""
    ran = run("benchmark", *arguments, "-f", "json", "-q")
    assert ran.exit_code == 0, ran.stderr
    result = json.loads(ran.stdout)
    return result, {row["system"]: row for row in result["rows"] if row["computed"]}


@needs_shared
def test_published_rows_are_those_that_were_looked_up():
    """Every number of a recipe stands in the file of facts, beside its system."""
    facts = json.loads((SHARED / "reference" / "benchmarks.json").read_text(encoding="utf-8"))
    known = set()
    for each in facts.values():
        known |= {(row["system"], row.get(key)) for row in each["results"] for key in SCORE_COLUMNS}
        known |= {(system, score) for key in ("r1_only", "rl_only") for system, score in each.get(key, [])}
    hub_ids = " ".join(str(each["hub_id"]) for each in facts.values())

    for name in recipe_names():
        recipe = load_recipe(name)
        assert recipe.data.hub_id is None or recipe.data.hub_id in hub_ids
        for row in recipe.published:
            system = f"{row.system}: {row.config}" if name == "xlsum" else row.system
            scores = [getattr(row, column) for column in SCORE_COLUMNS]
            assert all(score is None or (system, score) in known for score in scores), (name, row)


@pytest.mark.parametrize(("name", "key"), EACH)
@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_every_recipe_runs_on_a_local_copy(tmp_path, name, key):
    recipe = load_recipe(name)
    convention = recipe.convention(key)
    assert convention is not None
    predictions, data, references = write_copy(tmp_path, recipe)

    arguments = ("benchmark", name, predictions, "--data-file", data, "--convention", key, "-f", "json", "-q")
    ran, changes = run(*arguments), {}

    if "These settings need" in ran.stderr:  # stems by tables of others, which are not installed here
        assert convention.settings["use_stemmer"]
        ran, changes = run(*arguments, "--no-use-stemmer"), {"use_stemmer": False}
    assert ran.exit_code == 0, ran.stderr
    rows = {row["system"]: row for row in json.loads(ran.stdout)["rows"] if row["computed"]}
    assert set(rows) == {"system", *(f"{lead.name} (computed)" for lead in recipe.baselines)}
    _, rouge = choose_convention(recipe, recipe.data.config, key, changes)
    expected = rouge.compute(PREDICTIONS, references)
    for column, score in convention.scores.items():
        assert rows["system"][column] == expected[score]
        assert all(0 <= row[column] <= 100.0001 for row in rows.values())


def test_systems_are_compared_under_the_settings_of_a_recipe(tmp_path):
    rows = [{"a": p, "b": r, "reference": r} for p, r in zip(PREDICTIONS, SUMMARIES, strict=True)]
    arguments = ("compare", write_rows(tmp_path / "two.jsonl", rows), "-p", "a", "-p", "b")

    ran = run(*arguments, "--recipe", "lcsts", "-c", "bert_characters", "-f", "json", "-q")

    assert ran.exit_code == 0, ran.stderr
    _, rouge = choose_convention(load_recipe("lcsts"), None, "bert_characters", {})
    expected = rouge.compute(PREDICTIONS, SUMMARIES)
    means = json.loads(ran.stdout)["systems"][0]
    assert {name: means[name]["mean"] for name in expected} == expected
    refused = run(*arguments, "--recipe", "lcsts", "--signature", rouge.signature())
    assert "--recipe or --signature, not both" in refused.stderr


def test_published_rows_are_shown_without_predictions():
    recipe = load_recipe("xlsum")
    result, _ = benchmark(ROOT / "configs" / "xlsum.yaml")
    published = [row.system for row in recipe.published if row.config in (None, recipe.data.config)]
    assert sorted(row["system"] for row in result["rows"]) == sorted(published)


def test_our_row_stands_among_the_published_ones(tmp_path):
    predictions, data, _ = write_copy(tmp_path, load_recipe("arxiv"))

    arguments = ("benchmark", "arxiv", predictions, "--data-file", data, "--name", "ours", "--sentence-split", "auto")
    table, result = run(*arguments), json.loads(run(*arguments, "-f", "json").stdout)

    scores = [row["rouge1"] for row in result["rows"]]
    assert len(scores) > 3
    assert scores == sorted(scores, reverse=True)
    rows = {row["system"]: row for row in result["rows"]}
    assert (rows["ours"]["computed"], rows["LeadSum (DocScore)"]["comparable"]) == (True, False)
    assert result["signature"].startswith("types:1,2,L,Lsum|tok:ascii|")
    assert "Warning: Settings that are not the recipe's (--sentence-split auto)" in table.stdout
    assert "Warning: The data has 3 rows, the published split (test) 6440" in table.stdout


def test_predictions_with_ids_are_joined_with_the_data(tmp_path):
    rows = [{"id": f"s{n}", "dialogue": f"A: {n}", "summary": f"text {n} of {n}"} for n in range(5)]
    data = write_rows(tmp_path / "d.jsonl", rows)
    mine = [{"id": row["id"], "prediction": row["summary"] if row["id"] != "s3" else " "} for row in reversed(rows)]
    predictions = write_rows(tmp_path / "p.jsonl", mine)
    arguments = ("samsum", predictions, "--data-file", data, "-c", "rouge_score")

    result, computed = benchmark(*arguments)

    assert (computed["p"]["rouge1"], computed["p"]["empty_predictions"]) == (80.0, 1)
    assert (result["samples"], result["empty_references"]) == (5, 0)
    assert computed["Lead-3 turns (computed)"]["empty_predictions"] == 0
    assert {row["empty_predictions"] for row in result["rows"] if not row["computed"]} == {None}
    assert benchmark(*arguments, "--id-column", "none")[1]["p"]["rouge1"] < 80


def test_a_convention_of_ones_own_is_warned_of(tmp_path):
    predictions, data, _ = write_copy(tmp_path, load_recipe("lcsts"))

    ran = run("benchmark", "lcsts", predictions, "--data-file", data, "-c", "zh_char", "-f", "json")

    assert "'zh_char' is not of this recipe" in ran.stderr
    assert not any(row["comparable"] for row in json.loads(ran.stdout)["rows"] if not row["computed"])


@pytest.mark.hub
def test_data_comes_from_the_hub_through_datasets(tmp_path, monkeypatch):
    import datasets

    recipe = load_recipe("xlsum")
    predictions, data, _ = write_copy(tmp_path, recipe)
    asked = []

    def load_dataset(path, config, split):
        asked.append((path, config, split))
        return datasets.Dataset.from_list([json.loads(line) for line in data.read_text().splitlines()])

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)

    arguments = ("xlsum", predictions, "-c", "zh_word", "--config", "english")
    rows = benchmark(*arguments)[0]["rows"]

    assert asked == [("csebuetnlp/xlsum", "english", "test")]
    assert {"mT5_multilingual_XLSum", "system", "Lead-1 (computed)"} == {row["system"] for row in rows}
    assert rows == benchmark(*arguments, "--data-file", data)[0]["rows"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lcts"], "Did you mean 'lcsts'. Unknown recipe 'lcts'; "),
        (["csl", "p.txt", "-c", "zh_char"], "is not on the Hub; give your copy with --data-file"),
        (["xlsum", "p.txt", "--config", "klingon"], "Unknown config 'klingon'"),
        (["arxiv", "-c", "rouge_scor"], "'rouge_score'"),
        (["arxiv", "p.txt", "--data-file", "other.jsonl"], "Unknown column 'abstract'"),
        (["arxiv", "p.txt", "--data-file", "longer.jsonl"], "p.txt has 1, longer.jsonl has 2"),
    ],
)
def test_bad_benchmarks_are_refused(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    Path("p.txt").write_text("a\n")
    Path("other.jsonl").write_text('{"article": "a", "summary": "b"}\n')
    Path("longer.jsonl").write_text('{"article": "a", "abstract": "b"}\n' * 2)

    ran = run("benchmark", *arguments)

    assert ran.exit_code == 2
    assert re.search(message, ran.stderr), ran.stderr
    assert ran.stdout == ""


def test_a_convention_of_a_newer_version_is_told(monkeypatch):
    others = {name: convention for name, convention in CONVENTIONS.items() if name != "rouge155"}
    monkeypatch.setattr("polyrouge.beyond.recipes.benchmark.CONVENTIONS", others)

    with pytest.raises(ValueError, match="or choose the recipe's other one: convention='rouge_score'"):
        choose_convention(load_recipe("gigaword"), "default", None, {})


def test_all_recipes_are_listed():
    rows = {row["recipe"]: row for row in csv_rows(run("benchmark", "-f", "csv").stdout)}
    assert list(rows) == list(recipe_names())
    of_gigaword = rows["gigaword"]
    assert (of_gigaword["convention"], of_gigaword["other_conventions"]) == ("rouge155", "rouge_score")
    assert int(of_gigaword["published"]) == len(load_recipe("gigaword").published)
    assert rows["csl"]["hub_id"] == ""
    assert "your own copy" in run("benchmark").stdout
    assert len(json.loads(run("benchmark", "-f", "json").stdout)["recipes"]) == len(rows)


GOOD = (ROOT / "configs" / "gigaword.yaml").read_text(encoding="utf-8")
SCORES = "    rouge1: rouge1\n    rouge2: rouge2\n    rougeL: rougeL\n"
NO_SCORE = "- system: none\n  made_with: rouge155\n  source: github x\n"


FAULTS = [
    ("  hub_id:", "  hub_ids:", "r.yaml: data: Did you mean 'hub_id'. Unknown key 'hub_ids'; "),
    ("  made_with: rouge155", "  made_with: rouge15", r"published\[0\]: .*'rouge155'.*'rouge15'"),
    ("  rouge1: 29.55", "  rouge1: high", r"published\[0\]: rouge1 is 'high'; it must be a number or null"),
    ("    rougeL: rougeL", "    rougeX: rougeL", r"conventions\[0\]: Did you mean 'rouge1'. Unknown column 'rougeX'"),
    ("  documents: document\n", "", "data: the key 'documents' is missing"),
    ("  units: sentences", "  units: words", "Unknown value 'words'; choose one of sentences, turns"),
    ("  rouge1: 29.55", "  rouge1: 2955", r"published\[0\]: rouge1 is 2955.0; it must be at least 0 and at most 100"),
    ("data:", "data: [", "r.yaml, line .*: this is no YAML"),
    (GOOD, "title: !!timestamp x", "a value can't be read"),
    ("  split: test", "  split: test\n  split: train", r"r.yaml, line 9: the key 'split' is there twice"),
    (SCORES, "  - rouge1\n", r"conventions\[0\]: scores is \['rouge1'\]; it must be keys with values"),
    ("  n: 1", "  n: true", r"n is True; it must be a whole number"),
    ("- key: rouge_score", "- key: rouge155", "each with a key of its own; given rouge155, rouge155"),
    ("- system: ABS\n", "- system: ABS\n  config: x\n", r"published\[0\]: Unknown config 'x'"),
    ("- system: ABS\n", NO_SCORE + "- system: ABS\n", r"published\[0\]: 'none' has no score"),
    # YAML that breaks its reader
    (GOOD, "[" * 3000, "nested too deep"),
    (GOOD, "&a [*a]", "line 1: .* used again by an alias"),
    (GOOD, "title: &a one\nnotes: [*a, *a]", "the key 'data' is missing"),  # an alias of a text is read
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FAULTS)
def test_recipes_are_checked(old, new, message):
    assert old in GOOD

    with pytest.raises(ValueError, match=message):
        parse_recipe(GOOD.replace(old, new, 1), "r.yaml")


@pytest.mark.parametrize(
    ("name", "document", "lead"),
    [
        ("cnn_dailymail", "One is here. Dr. Two came. Three!\nFour. Five.", "One is here.\nDr. Two came.\nThree!"),
        ("samsum", "A: hi\r\nB: ho\r\n\r\nA: so\r\nB: bye", "A: hi B: ho A: so"),
        ("multi_news", "One. Two. Three. Four.|||||Five. Six.", "One. Two. Three. Five. Six."),
        ("lcsts", "云渡市今天下雨。气温下降。", "云渡市今天下雨。"),
        ("xsum", "", ""),
    ],
)
def test_leads(name, document, lead):
    recipe = load_recipe(name)

    assert lead == lead_text(recipe.baselines[0], document, recipe)


@pytest.mark.parametrize(
    ("datasets", "message"),
    [
        (None, r'pip install "polyrouge\[evaluate\]"\. If you have a copy'),
        (
            SimpleNamespace(load_dataset=lambda *_, **__: 1 / 0),
            r"can't be loaded: ZeroDivisionError.*If you have a copy",
        ),
    ],
    ids=["not installed", "failing"],
)
def test_data_that_the_hub_does_not_give_is_asked_for(monkeypatch, datasets, message):
    monkeypatch.setitem(sys.modules, "datasets", datasets)

    with pytest.raises(InputFileError, match=message):
        open_hub_data(load_recipe("gigaword"), "default", "test")


def test_rows_without_the_score_that_most_have_come_last():
    recipe = load_recipe("gigaword")
    rows = [
        dataclasses.replace(recipe.published[0], system=name, rouge1=one, rouge2=None, rougeL=last)
        for name, one, last in (("low", 10.0, None), ("l only", None, 99.0), ("high", 20.0, 1.0), ("l less", None, 3.0))
    ]

    (table,) = BenchmarkTable(dataclasses.replace(recipe, published=tuple(rows)), None, None, "").tables(1)

    assert [row[0].text for row in table.cells] == ["l only", "l less", "high", "low"]
    assert [row[2].text for row in table.cells] == ["", "", "20.0", "10.0"]
