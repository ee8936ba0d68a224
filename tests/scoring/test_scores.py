"""Precision, recall, F, several references and empty texts, against the oracle and by hand."""

import math

import numpy as np
import oracle
import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st

from polyrouge import Rouge, RougeSettings, RunOptions
from polyrouge.inputs import check_inputs
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.scoring.scores import f_measure, f_of_pair, rounded, scores_from_counts
from polyrouge.settings.rules import ScoreRule

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.RougeWarning")  # random texts look wrong in every way
TYPES = ["rouge1", "rouge2", "rougeL", "rougeS2"]
PLAIN = Rouge(tokenizer="space", rouge_types=TYPES)


def oracle_counts(name: str, prediction: list[str], reference: list[str]) -> oracle.Counts:
    if name == "rougeL":
        return oracle.rouge_l(prediction, reference)
    if name == "rougeS2":
        return oracle.rouge_s(prediction, reference, 2)
    return oracle.rouge_n(prediction, reference, int(name[5:]))


def joined(examples):
    """The texts of the predictions, and of the references."""
    return [" ".join(each) for each, _ in examples], [[" ".join(each) for each in rows] for _, rows in examples]


def columns_of(scores: dict, name: str) -> list[tuple[float, float, float]]:
    return list(zip(scores[f"{name}_precision"], scores[f"{name}_recall"], scores[name], strict=True))


examples = st.lists(
    st.tuples(strategies.tokens(8), st.lists(strategies.tokens(8), min_size=1, max_size=4)), min_size=1, max_size=6
)


@pytest.mark.parametrize("rule", ["best", "best_recall", "mean", "jackknife"])
@given(examples=examples, beta=st.sampled_from([1.0, 0.5, 2.0, 0.0]))
def test_references_are_combined_as_by_the_oracle(rule, examples, beta):
    scores = PLAIN.score(*joined(examples), multi_reference=rule, beta=beta)

    for name in TYPES:
        for row, (prediction, rows) in enumerate(examples):
            triples = [oracle.precision_recall_f(oracle_counts(name, prediction, each), beta) for each in rows]
            assert oracle.choose(triples, rule) == pytest.approx(columns_of(scores, name)[row], abs=1e-15)


@given(examples=examples)
def test_pooled_adds_the_counts(examples):
    scores = PLAIN.score(*joined(examples), multi_reference="pooled")

    for name in TYPES:
        for row, (prediction, rows) in enumerate(examples):
            counts = oracle.pooled(oracle_counts(name, prediction, reference) for reference in rows)
            assert oracle.precision_recall_f(counts) == columns_of(scores, name)[row]


@given(strategies.sentences(), strategies.sentences(), st.sampled_from([1.2, 2.0]))
def test_weighted_scores_equal_oracle(prediction, reference, weight):
    lines = ["\n".join(map(" ".join, text)) for text in (prediction, reference)]

    rouge = Rouge(tokenizer="space", rouge_types=["rougeW"], weight=weight)
    scores = rouge.score([lines[0]], [lines[1]])
    of_script = rouge.score([lines[0]], [lines[1]], tool={"definition": "rouge155"})

    flat = [[token for sentence in text for token in sentence] for text in (prediction, reference)]
    expected = oracle.precision_recall_f(oracle.rouge_w_paper(*flat, weight), weight=weight)
    assert expected == columns_of(scores, "rougeW")[0]
    # lines without tokens are no sentences of a text, and count for nothing either
    expected = oracle.precision_recall_f(oracle.rouge_w(prediction, reference, weight), weight=weight)
    assert expected == columns_of(of_script, "rougeW")[0]


@pytest.mark.parametrize(
    ("precision", "recall", "rule", "expected"),
    [
        pytest.param(0.0, 0.0, {}, 0.0, id="both-0"),
        pytest.param(1.0, 0.5, {}, 2 / 3, id="beta-1"),
        pytest.param(0.25, 0.75, {"beta": 0.0}, 0.25, id="beta-0-is-precision"),
        pytest.param(0.5, 1.0, {"beta": 2.0}, 5 / 6, id="recall-counts-twice"),
        pytest.param(1.0, 0.0, {"beta": 0.0}, 0.0, id="recall-0"),
        # P R / ((1 - alpha) P + alpha R), as in rouge155
        *(
            pytest.param(0.5, 0.25, {"alpha": alpha}, expected, id=f"alpha-{alpha}")
            for alpha, expected in ((0.3, 0.125 / 0.425), (0.0, 0.25), (1.0, 0.5), (0.5, 1 / 3))
        ),
    ],
)
def test_f_measure(precision, recall, rule, expected):
    f = f_measure(np.array(precision), np.array(recall), ScoreRule(**rule))
    assert float(f) == pytest.approx(expected, rel=1e-15)


ONE_TYPE = ScoreRule(inverse_powers=(None,))


@pytest.mark.parametrize("rule", [ONE_TYPE, ONE_TYPE._replace(beta=2.0), ONE_TYPE._replace(alpha=0.3)])
@given(st.floats(0, 1), st.floats(0, 1))
@example(0.0, 0.0)
@example(0.0, 1.0)
def test_f_of_two_numbers_is_that_of_columns(rule, precision, recall):
    assert f_of_pair(precision, recall, rule) == float(f_measure(np.array(precision), np.array(recall), rule))


@pytest.mark.parametrize("counts", [(2, 3, 4), (0, 0, 0), (2, 0, 4), (2, 4, 0), (2, -1, 4)])
@pytest.mark.parametrize("power", [None, 0.5])
def test_scores_are_ratios_and_their_f(counts, power):
    """Whatever the counts are; a total of 0 or below can't be divided by, or can."""
    rule = ScoreRule(inverse_powers=(power,))
    if power is not None and counts[1] < 0:
        return
    hits, *totals = counts
    precision, recall = ((hits / total if hits and total else 0.0) ** (power or 1) for total in totals)

    scores = scores_from_counts(np.array([counts], float), rule)[0].tolist()
    assert scores == [precision, recall, f_of_pair(precision, recall, rule)]


@pytest.mark.parametrize("rule", ["mean", "pooled", "best_each"])
def test_a_rule_without_a_best_reference_says_so_of_each_sample_and_type(rule):
    settings = RougeSettings(rouge_types=["rouge1", "rouge2"], multi_reference=rule)
    samples = score_samples(check_inputs(["a b", "a"], [["a", "b", "a b"], ["a", "b", "c"]]), settings, RunOptions())
    assert samples.best_reference.tolist() == [[-1, -1], [-1, -1]]


def test_best_reference_is_the_first_of_the_best_and_differs_by_type():
    scores = PLAIN.score(
        ["a b c d", "a"], [["a c", "x a b c d", "a b c d x"], ["a"]], best_reference=True, rouge_types=TYPES
    )

    assert [1, 0] == scores["rouge1_reference"].tolist()
    assert [1, 0] == scores["rouge2_reference"].tolist()
    assert [-1] == PLAIN.score(["."], [["a", "b"]], best_reference=True, empty="skip")["rouge1_reference"].tolist()
    with pytest.raises(ValueError, match="'mean' has no best reference"):
        PLAIN.score(["a"], ["a"], multi_reference="mean", best_reference=True)


EMPTY = ("", "a b", "...", "a", ""), ("", "", "!", "a b", "a")  # a text without tokens is empty
RULES = ["best", "best_recall", "mean", "pooled", "jackknife"]


@pytest.mark.parametrize(
    ("empty", "rouge1", "rouge2"),
    [
        ("zero", [0.0, 0.0, 0.0, 2 / 3, 0.0], [0.0] * 5),
        ("one_if_both", [1.0, 0.0, 1.0, 2 / 3, 0.0], [1.0, 0.0, 1.0, 0.0, 0.0]),
        ("skip", [math.nan, math.nan, math.nan, 2 / 3, math.nan], [math.nan, math.nan, math.nan, 0.0, math.nan]),
    ],
)
def test_empty_texts_score_as_the_setting_says(empty, rouge1, rouge2):
    rouge = Rouge(tokenizer="mixed", rouge_types=["rouge1", "rouge2"], use_aggregator=False, empty=empty)

    assert repr(rouge.compute(*EMPTY)) == repr({"rouge1": rouge1, "rouge2": rouge2})


def test_skip_leaves_empty_texts_out_of_the_mean():
    rouge = Rouge(rouge_types=["rouge1"], empty="skip")
    assert rouge.compute(*EMPTY) == {"rouge1": 2 / 3}
    for rule in RULES:  # and references without tokens out of the sample
        assert rouge.compute(["a b"], [["", "a b"]], multi_reference=rule) == {"rouge1": 1.0}


@pytest.mark.parametrize("rule", RULES)
def test_one_if_both_under_every_rule(rule):
    rouge = Rouge(rouge_types=["rouge1", "rougeL"], empty="one_if_both", multi_reference=rule)
    assert rouge.compute([""], [["", ""]]) == {"rouge1": 1.0, "rougeL": 1.0}
    assert rouge.compute([""], [["a", "b"]]) == {"rouge1": 0.0, "rougeL": 0.0}


def test_scale_multiplies_everything():
    rouge, texts = Rouge(output="all", confidence=0.9), (["a b c", "a"], ["a b d", "b"])
    scaled = {key: value * 100 for key, value in rouge.compute(*texts).items()}
    assert list(rouge.compute(*texts, scale=100).items()) == list(scaled.items())


def test_values_are_plain_floats():
    rouge = Rouge(rouge_types=["rouge1", "rougeW"])
    lists = rouge.compute(["a b"], ["a c"], use_aggregator=False)
    assert {type(value) for values in lists.values() for value in values} == {float}
    for settings in ({"output": "all"}, {"confidence": 0.5}, {"aggregate": "bootstrap_median"}):
        assert {type(value) for value in rouge.compute(["a b"], ["a c"], **settings).values()} == {float}


@given(
    st.lists(
        st.one_of(
            st.floats(0, 100),
            st.floats(-1e40, 1e40),
            st.integers(0, 10**7).map(lambda ties: ties / 10**5 + 5e-6),
            st.fractions(0, 1, max_denominator=400).map(float),
            st.integers(0, 2**20).map(lambda eighths: eighths / 8),
        ),
        min_size=1,
    ),
    st.integers(0, 25),
)
def test_rounding_is_pythons(values, digits):
    expected = [round(value, digits) for value in values]
    assert list(map(repr, rounded(np.array(values), digits).tolist())) == list(map(repr, expected))
