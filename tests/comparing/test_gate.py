"""``check_scores`` and ``assert_not_worse``: rules, paired tests, baselines."""

import json
import re

import numpy as np
import pytest
from scipy.stats import permutation_test

from polyrouge import Rouge, assert_not_worse, check_scores
from polyrouge.checked_json import write_checked

REFERENCES = ["the cat sat on the mat", "a dog barked", "it rained all day", "we ate bread"] * 10
GOOD = ["the cat sat on a mat", "a dog barked", "it rained", "we ate bread"] * 10
WORSE = ["the cat", "a dog barked", "it rained", "we ate"] * 10
ROUGE = Rouge(rouge_types=["rouge1", "rougeL"])
MEANS = {key: 100 * value for key, value in ROUGE.compute(GOOD, REFERENCES).items()}
DROP = {key: MEANS[key] - 100 * value for key, value in ROUGE.compute(WORSE, REFERENCES).items()}


def check(predictions=GOOD, baseline=None, **rules):
    return check_scores(predictions, REFERENCES, baseline, ROUGE, **rules)


@pytest.mark.parametrize(
    ("predictions", "baseline", "rules", "broken"),
    [
        (GOOD, GOOD, {}, []),
        (WORSE, GOOD, {}, ["rouge1", "rougeL"]),
        (WORSE, MEANS, {}, ["rouge1", "rougeL"]),
        (WORSE, GOOD, {"max_drop": {"rougeL": DROP["rougeL"] - 0.01}}, ["rougeL"]),
        (WORSE, GOOD, {"max_drop": DROP}, []),  # just as much as they may
        (WORSE, GOOD, {"at_least": "99.9%", "max_drop": DROP}, ["rouge1", "rougeL"]),
        (GOOD, {"rouge1": MEANS["rouge1"] + 1e-11}, {}, []),  # the same but for the order of additions
        (GOOD, {"rouge1": MEANS["rouge1"] + 1e-6}, {}, ["rouge1"]),
        (GOOD, {"rouge1": MEANS["rouge1"] + 0.1}, {"at_least": 0.9999}, ["rouge1"]),
        (GOOD, None, {"fail_under": {"rouge1": MEANS["rouge1"], "rougeL": 0}}, []),
        (GOOD, None, {"fail_under": {"rouge1": MEANS["rouge1"] + 0.01, "rougeL": 1.5}}, ["rouge1"]),
        (WORSE, GOOD, {"fail_under": {"rougeL": 2}}, ["rouge1", "rougeL"]),  # a baseline holds beside fixed limits
        (GOOD, None, {}, []),  # there is no rule
    ],
)
def test_a_rule_is_broken_where_a_mean_is_below_what_it_allows(predictions, baseline, rules, broken):
    result = check(predictions, baseline, **rules)

    assert [rule.key for rule in result.rules if not rule.holds] == broken
    assert result.passed == (not broken)


@pytest.mark.parametrize(
    ("convention", "settings"),
    [
        ("rouge_score", {"scale": 1}),
        ("rouge_score", {"scale": 100}),
        ("rouge_score", {"confidence": 0.95}),
        ("rouge_score", {"use_aggregator": False}),
        ("llama_factory", {"scale": 1}),  # rounds each score
        ("longbench", {"scale": 10}),  # rounds the means
        ("sacrerouge", {"use_stemmer": False}),  # its F is of percentages
    ],
)
def test_scores_are_points_whatever_the_scale(convention, settings):
    metric = Rouge(convention, **settings)
    factor = 1 if convention == "sacrerouge" else 100 / metric.settings.scale
    means = [metric.compute(each, REFERENCES, use_aggregator=True, confidence=None) for each in (GOOD, WORSE)]
    for rule in check_scores(WORSE, REFERENCES, GOOD, metric).rules:
        assert [rule.baseline, rule.score] == pytest.approx([mean[rule.key] * factor for mean in means])


# MLPerf Inference's reference means of ROUGE-1, of GPT-J on CNN/DailyMail and of Llama 2 70B on OpenOrca, and the
# lowest mean with two digits that its targets, 99 % and 99.9 % of them, let pass.
@pytest.mark.parametrize(
    ("reference", "share", "lowest"),
    [
        (42.9865, "99%", 42.56),
        (42.9865, "99.9%", 42.95),
        (44.4312, 0.99, 43.99),
        (44.4312, 0.999, 44.39),
    ],
)
def test_mlperf_s_targets(reference, share, lowest):
    n = 10_000
    for n_right, passes in ((round(100 * lowest), True), (round(100 * lowest) - 1, False)):
        predictions = ["a"] * n_right + ["b"] * (n - n_right)
        metric = Rouge("rouge_score", rouge_types=["rouge1"])
        result = check_scores(predictions, ["a"] * n, {"rouge1": reference}, metric, at_least=share)
        assert (result.passed, result.scores["rouge1"]) == (passes, pytest.approx(n_right / 100))


def test_the_reason_shows_what_differs():
    assert check(GOOD, {"rouge1": 90}).reason == (
        f"rouge1 is {MEANS['rouge1']:.2f}, was 90.00; 90.00 is the lowest allowed (not below the baseline)."
    )
    assert f"{MEANS['rouge1'] + 1e-6:.9f} is the lowest" in check(GOOD, {"rouge1": MEANS["rouge1"] + 1e-6}).reason


def test_a_paired_test_decides_where_it_is_asked_for():
    one_worse = ["the cat", *GOOD[1:]]

    assert not check(one_worse, GOOD).passed
    assert check(one_worse, GOOD, significant=True).passed
    result = check(WORSE, GOOD, significant=True, max_drop={"rouge1": 1, "rougeL": 80})

    assert [rule.holds for rule in result.rules] == [False, True]
    first, second = result.rules
    assert first.p < 0.05
    assert second.p == pytest.approx(1, abs=1e-3)
    distance = 100 * (np.subtract(*(ROUGE.score(each, REFERENCES)["rouge1"] for each in (WORSE, GOOD)))) + 1
    drawn = {"permutation_type": "samples", "n_resamples": 9_999, "rng": 1}
    expected = permutation_test((distance,), np.mean, alternative="less", **drawn)
    assert first.low < distance.mean() < first.high
    assert first.p == pytest.approx(2 * expected.pvalue, abs=0.01)
    slight = ["the cat sat on", *GOOD[1:4], "the cat", *GOOD[5:8], "the cat", *GOOD[9:]]
    p = check(slight, GOOD, significant=True, max_drop={"rouge1": 0}).rules[0].p
    assert 0.05 < p < 0.2
    both = check(slight, GOOD, significant=True, max_drop={"rouge1": 0, "rougeL": 80}).rules
    assert both[0].p == pytest.approx(2 * p)  # Holm's correction over two
    for alpha, passes in ((p, False), (0.99 * p, True)):
        assert check(slight, GOOD, significant=True, max_drop={"rouge1": 0}, alpha=alpha).passed == passes
    metric = Rouge(rouge_types=["rouge1", "rougeL"], seed=1)
    assert check_scores(slight, REFERENCES, GOOD, metric, significant=True, max_drop={"rouge1": 0}).rules[0].p != p


def test_equal_swaps_count_in_the_test_of_a_gate():
    """Seven outputs lose 1/3, one wins it: a one-sided p of 9/256; rounding made it 0.008."""
    now, before = ["x y z"] * 7 + ["a b x"], ["a x y"] * 8
    options = {"rouge": Rouge(rouge_types=["rouge1"]), "significant": True, "n_resamples": 40_000}
    (rule,) = check_scores(now, ["a b c"] * 8, before, **options).rules

    assert rule.p == pytest.approx(9 / 256, abs=5 * (18 / 256 * 238 / 256 / 40_000) ** 0.5 / 2)


def test_a_baseline_is_written_and_read(tmp_path):
    path = tmp_path / "scores.json"
    first = check(GOOD)
    first.save_baseline(path)
    assert re.search(rf"rougeL +– +– +– +{MEANS['rougeL']:.2f}", str(first))

    assert check(GOOD, path).passed
    scaled = Rouge(rouge_types=["rouge1", "rougeL"], scale=100, confidence=0.9)
    assert check_scores(GOOD, REFERENCES, path, scaled).passed
    result = check(WORSE, str(path), significant=True, ids=[f"s{row}" for row in range(40)])
    assert result == check(WORSE, GOOD, significant=True, ids=[f"s{row}" for row in range(40)])
    assert [name for name, *_ in result.worst] == ["s0", "s4", "s8", "s12", "s16"]
    assert json.loads(json.dumps(result.to_dict()))["worst"][0]["sample"] == "s0"
    with pytest.raises(ValueError, match=r"scored in another way: tok was .*, is space"):
        check_scores(GOOD, REFERENCES, path, Rouge(rouge_types=["rouge1", "rougeL"], tokenizer="space"))
    with pytest.raises(ValueError, match="of other references"):
        check_scores(GOOD[1:], REFERENCES[1:], path, ROUGE)
    saved = json.loads(path.read_text())
    path.write_text(json.dumps(dict(reversed(saved.items())), indent=2))  # as formatters of code lay it out
    assert check(GOOD, path).passed


def test_a_changed_baseline_is_refused(tmp_path):
    """An edited number or name is a case of the catalogue."""
    path = tmp_path / "scores.json"
    check(GOOD).save_baseline(path)
    saved = json.loads(path.read_text())
    without_samples = {name: value for name, value in saved.items() if name != "samples"}
    changed = [json.dumps(each) for each in (saved | {"polyrouge_baseline": 2}, saved | {"more": 1}, without_samples)]
    for text in (*changed, write_checked({"a": 1}), "[", "[" * 100_000, "[]"):
        path.write_text(text)
        with pytest.raises(ValueError, match=str(path)):
            check(GOOD, path)


def test_a_worse_score_fails_with_the_table():
    with pytest.raises(AssertionError) as caught:
        assert_not_worse(["a b"], ["a b c d"], ["a b c"], max_drop={"rouge1": 0.5})

    assert re.search(r"rouge1 +at most 0\.5 below the baseline +85\.71 +85\.21 +66\.67 +broken", str(caught.value))
    assert assert_not_worse(["a b"], ["a b"], ["a b"]).passed
    with pytest.raises(ValueError, match="nothing could fail"):
        assert_not_worse(["a b"], ["a b"])


def test_samples_that_one_side_leaves_out_are_left_out_of_both():
    metric = Rouge(rouge_types=["rouge1"], empty="skip")
    result = check_scores(["", *GOOD[1:]], REFERENCES, [*GOOD[:-1], ""], metric)

    assert result.n_samples == 38
    assert "2 more are left out" in str(result)
    worst = check_scores(["", *WORSE[1:]], REFERENCES, GOOD, metric, ids=[f"s{row}" for row in range(40)]).worst
    assert [name for name, *_ in worst] == ["s4", "s8", "s12", "s16", "s20"]
    halves = ["", ""] * 10 + GOOD[:20], GOOD[:20] + ["", ""] * 10
    with pytest.raises(ValueError, match="leaves out all samples"):
        check_scores(halves[0], REFERENCES, halves[1], metric)
    expected = pytest.approx(100 * Rouge(rouge_types=["rouge1"]).compute(GOOD[1:-1], REFERENCES[1:-1])["rouge1"])
    assert result.scores["rouge1"] == result.rules[0].baseline == expected


@pytest.mark.parametrize(
    ("rules", "error", "message"),
    [
        ({"fail_under": {"rouge1": 0.384}}, ValueError, "give points of 100: 38.4"),
        ({"fail_under": 38.4}, TypeError, "give a mapping"),
        ({"max_drop": 1}, ValueError, "need a baseline"),
        ({"baseline": GOOD, "max_drop": 101}, ValueError, "give points of 100, from 0"),
        ({"baseline": GOOD, "at_least": 0}, ValueError, "a share of the baseline"),
        ({"baseline": {"rouge1": 42}, "max_drop": {"rougeL": 1}}, ValueError, "Unknown score of the baseline 'rougeL'"),
        ({"baseline": {"rouge1": 0.42}}, ValueError, "baseline of 'rouge1' is 0.42"),
        ({"fail_under": {"rouge1": 38, "ROUGE-1": 39}}, ValueError, "names 'rouge1' twice, in two spellings"),
        ({"fail_under": {"rouge3": 38}}, ValueError, "Unknown key of fail_under 'rouge3'"),
        ({"fail_under": {"rogue": 38}}, ValueError, "Unknown key of fail_under 'rogue'"),
        ({"baseline": GOOD, "at_least": "much"}, TypeError, "a share of the baseline"),
        ({"baseline": GOOD, "max_drop": True}, TypeError, "max_drop of 'rouge1' is True"),
        ({"baseline": GOOD, "ids": ["a"]}, ValueError, "1 ids but 40 predictions"),
        ({"baseline": GOOD[1:]}, ValueError, "39 predictions"),
    ],
)
def test_a_rule_that_can_t_be_meant_is_refused(rules, error, message):
    with pytest.raises(error, match=message):
        check(**rules)


def test_keys_are_spelled_as_papers_do():
    spelled = {"ROUGE-1": MEANS["rouge1"], "rouge-l": MEANS["rougeL"]}
    result = check(WORSE, spelled, max_drop={"ROUGE_1": 0, "R-L": 1}, fail_under={"ROUGE-1": 30})
    assert result == check(WORSE, MEANS, max_drop={"rouge1": 0, "rougeL": 1}, fail_under={"rouge1": 30})

    rouge = Rouge(rouge_types=["rougeS"], output="all")
    (rule,) = check_scores(GOOD, REFERENCES, rouge=rouge, fail_under={"ROUGE-S*_recall": 20}).rules
    assert rule.key == "rougeS_recall"


def test_an_aggregate_that_is_no_mean_has_no_paired_test():
    metric = Rouge(rouge_types=["rouge1"], aggregate="f_of_means")

    assert not check_scores(WORSE, REFERENCES, GOOD, metric).passed
    with pytest.raises(ValueError, match="a paired test compares means"):
        check_scores(WORSE, REFERENCES, GOOD, metric, significant=True)
    metric = Rouge(rouge_types=["rouge1"], aggregate="f_of_means", empty="skip")
    one_empty = ["", *GOOD[1:]]
    expected = 100 * metric.compute(GOOD[1:], REFERENCES[1:])["rouge1"]
    assert check_scores(one_empty, REFERENCES, {"rouge1": 50}, metric).scores["rouge1"] == pytest.approx(expected)
    with pytest.raises(ValueError, match="set aggregate='mean' to compare outputs"):
        check_scores(one_empty, REFERENCES, GOOD, metric)
