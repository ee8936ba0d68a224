"""Precision, recall, F, several references and empty texts, against the oracle and by hand."""

import math
import warnings

import numpy as np
import oracle
import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st

from polyrouge import Rouge, RougeSettings, RougeWarning
from polyrouge.inputs import check_inputs
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.scoring.scores import f_measure, f_of_pair, rounded, scores_from_counts, scores_of_pair
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


def columns_of(scores: dict, name: str) -> list[tuple[float, float, float]]:
    return list(zip(scores[f"{name}_precision"], scores[f"{name}_recall"], scores[name], strict=True))


examples = st.lists(
    st.tuples(strategies.tokens(8), st.lists(strategies.tokens(8), min_size=1, max_size=4)), min_size=1, max_size=6
)


@pytest.mark.parametrize("rule", ["best", "best_recall", "mean", "jackknife"])
@given(examples=examples, beta=st.sampled_from([1.0, 0.5, 2.0, 0.0]))
def test_references_are_combined_as_by_the_oracle(rule, examples, beta):
    predictions = [" ".join(prediction) for prediction, _ in examples]
    references = [[" ".join(reference) for reference in references] for _, references in examples]

    scores = PLAIN.score(predictions, references, multi_reference=rule, beta=beta)

    for name in TYPES:
        for row, (prediction, rows) in enumerate(examples):
            triples = [
                oracle.precision_recall_f(oracle_counts(name, prediction, reference), beta) for reference in rows
            ]
            assert oracle.choose(triples, rule) == pytest.approx(columns_of(scores, name)[row], abs=1e-15)


@given(examples=examples)
def test_pooled_adds_the_counts(examples):
    predictions = [" ".join(prediction) for prediction, _ in examples]
    references = [[" ".join(reference) for reference in references] for _, references in examples]

    scores = PLAIN.score(predictions, references, multi_reference="pooled")

    for name in TYPES:
        for row, (prediction, rows) in enumerate(examples):
            counts = oracle.pooled(oracle_counts(name, prediction, reference) for reference in rows)
            assert oracle.precision_recall_f(counts) == columns_of(scores, name)[row]


@given(examples=examples)
def test_batches_equal_one_by_one_in_any_order(examples):
    predictions = [" ".join(prediction) for prediction, _ in examples]
    references = [[" ".join(reference) for reference in references] for _, references in examples]

    together = PLAIN.score(predictions, references)
    backwards = PLAIN.score(predictions[::-1], references[::-1])

    for name in TYPES:
        assert columns_of(together, name) == columns_of(backwards, name)[::-1]
        alone = [columns_of(PLAIN.score([p], [r]), name)[0] for p, r in zip(predictions, references, strict=True)]
        assert alone == columns_of(together, name)


@given(strategies.sentences(), strategies.sentences(), st.sampled_from([1.2, 2.0]))
def test_weighted_scores_equal_oracle(prediction, reference, weight):
    lines = ["\n".join(map(" ".join, text)) for text in (prediction, reference)]

    scores = Rouge(tokenizer="space", rouge_types=["rougeW"], weight=weight).score([lines[0]], [lines[1]])

    # lines without tokens are no sentences of a text, and count for nothing either
    expected = oracle.precision_recall_f(oracle.rouge_w(prediction, reference, weight), weight=weight)
    assert expected == columns_of(scores, "rougeW")[0]


@pytest.mark.parametrize(
    ("precision", "recall", "beta", "expected"),
    [
        pytest.param(0.0, 0.0, 1.0, 0.0, id="both-0"),
        pytest.param(1.0, 0.5, 1.0, 2 / 3, id="beta-1"),
        pytest.param(0.25, 0.75, 0.0, 0.25, id="beta-0-is-precision"),
        pytest.param(0.5, 1.0, 2.0, 5 / 6, id="recall-counts-twice"),
        pytest.param(1.0, 0.0, 0.0, 0.0, id="recall-0"),
    ],
)
def test_f_measure(precision, recall, beta, expected):
    assert expected == pytest.approx(
        float(f_measure(np.array(precision), np.array(recall), ScoreRule(beta))), rel=1e-15
    )


def test_alpha_weights_as_in_rouge155():
    """P R / ((1 - alpha) P + alpha R)."""
    for alpha, expected in ((0.3, 0.125 / 0.425), (0.0, 0.25), (1.0, 0.5), (0.5, 1 / 3)):
        assert float(f_measure(np.array(0.5), np.array(0.25), ScoreRule(alpha=alpha))) == pytest.approx(expected)


ONE_TYPE = ScoreRule(inverse_powers=(None,))


@pytest.mark.parametrize("rule", [ONE_TYPE, ONE_TYPE._replace(beta=2.0), ONE_TYPE._replace(alpha=0.3)])
@given(st.floats(0, 1), st.floats(0, 1))
@example(0.0, 0.0)
@example(0.0, 1.0)
def test_f_of_two_numbers_is_that_of_columns(rule, precision, recall):
    assert f_of_pair(precision, recall, rule) == float(f_measure(np.array(precision), np.array(recall), rule))


@pytest.mark.parametrize("counts", [(2, 3, 4), (0, 3, 4), (0, 0, 0), (2, 0, 4), (2, 4, 0), (2, 0, 0), (2, -1, 4)])
@pytest.mark.parametrize("power", [None, 0.5])
def test_scores_of_a_pair_are_those_of_columns(counts, power):
    """Whatever the counts are; a total of 0 or below can't be divided by, or can."""
    rule = ScoreRule(inverse_powers=(power,))
    if power is not None and counts[1] < 0:
        return

    assert scores_of_pair([counts], rule) == [tuple(scores_from_counts(np.array([counts], float), rule)[0].tolist())]


@pytest.mark.parametrize(
    ("quirks", "expected"),
    [
        ((), (2 / 3, 2 / 7, 0.4)),
        (("percent_ratios",), (200 / 3, 200 / 7, 40.0)),
        (("rounded_ratios",), (0.66667, 0.28571, 0.4)),
        (("float32",), (float(np.float32(2 / 3)), float(np.float32(2 / 7)), float(np.float32(0.4)))),
    ],
)
def test_tools_that_round_or_give_percents(quirks, expected):
    rule = ONE_TYPE._replace(quirks=quirks)

    of_columns = scores_from_counts(np.array([[2.0, 3.0, 7.0]]), rule)[0]
    assert of_columns == pytest.approx(expected, rel=1e-15)
    assert scores_of_pair([(2, 3, 7)], rule) == [tuple(of_columns.tolist())]


@pytest.mark.parametrize("rule", ["mean", "jackknife", "pooled", "best_each"])
def test_a_rule_without_a_best_reference_says_so_of_each_sample_and_type(rule):
    settings = RougeSettings(rouge_types=["rouge1", "rouge2"], multi_reference=rule)
    found = score_samples(check_inputs(["a b", "a"], [["a", "b", "a b"], ["a", "b", "c"]]), settings)

    assert found.best_reference.tolist() == [[-1, -1], [-1, -1]]


def test_best_reference_is_the_first_of_the_best_and_differs_by_type():
    scores = PLAIN.score(
        ["a b c d", "a"], [["a c", "x a b c d", "a b c d x"], ["a"]], best_reference=True, rouge_types=TYPES
    )

    assert [1, 0] == scores["rouge1_reference"].tolist()
    assert [1, 0] == scores["rouge2_reference"].tolist()
    assert [-1] == PLAIN.score(["."], [["a", "b"]], best_reference=True, empty="skip")["rouge1_reference"].tolist()


def test_best_recall_can_be_another_reference_than_best():
    arguments = (["a b c d e f"], [["a b c d e f g h", "a"]])

    assert [0] == PLAIN.score(*arguments, best_reference=True)["rouge1_reference"].tolist()
    by_recall = PLAIN.score(*arguments, best_reference=True, multi_reference="best_recall")
    assert [1] == by_recall["rouge1_reference"].tolist()


def test_best_reference_needs_a_rule_that_has_one():
    with pytest.raises(ValueError, match="'mean' has no best reference"):
        PLAIN.score(["a"], ["a"], multi_reference="mean", best_reference=True)


class TestEmptyTexts:
    """``empty`` decides; a text is empty when no token is left of it."""

    predictions = ("", "a b", "...", "a", "")
    references = ("", "", "!", "a b", "a")

    def lists(self, empty: str, **settings):
        return Rouge(tokenizer="mixed", rouge_types=["rouge1", "rouge2"], use_aggregator=False, empty=empty).compute(
            self.predictions, self.references, **settings
        )

    def test_zero(self):
        assert [0.0, 0.0, 0.0, 2 / 3, 0.0] == self.lists("zero")["rouge1"]

    def test_one_if_both(self):
        assert [1.0, 0.0, 1.0, 2 / 3, 0.0] == self.lists("one_if_both")["rouge1"]
        assert [1.0, 0.0, 1.0, 0.0, 0.0] == self.lists("one_if_both")["rouge2"]

    def test_skip_keeps_the_place_in_lists(self):
        values = self.lists("skip")["rouge1"]

        assert [True, True, True, False, True] == [math.isnan(value) for value in values]
        assert 2 / 3 == values[3]

    def test_skip_leaves_them_out_of_the_mean_and_says_how_many(self):
        with pytest.warns(RougeWarning, match="left 4 of 5 samples"):
            result = Rouge(rouge_types=["rouge1"], empty="skip").compute(self.predictions, self.references)

        assert {"rouge1": 2 / 3} == result

    def test_skip_of_everything_raises(self):
        with pytest.raises(ValueError, match="leaves out all 2 samples"):
            Rouge(rouge_types=["rouge1"], empty="skip").compute(["", "a"], ["a", "."])

    def test_skip_uses_the_references_that_have_tokens(self):
        rouge = Rouge(rouge_types=["rouge1"], empty="skip")

        for rule in ("best", "best_recall", "mean", "pooled", "jackknife"):
            assert {"rouge1": 1.0} == rouge.compute(["a b"], [["", "a b"]], multi_reference=rule)

    @pytest.mark.parametrize(
        ("predictions", "references", "row"),
        [
            pytest.param(["a", ""], ["a", "a"], r"predictions\[1\]", id="prediction"),
            pytest.param(["a", "a"], ["a", "..."], r"references\[1\] has", id="reference"),
            pytest.param(["a"], [["a", ""]], r"references\[0\]\[1\]", id="one-of-several"),
        ],
    )
    def test_error_names_the_row(self, predictions, references, row):
        with pytest.raises(ValueError, match=row):
            Rouge(rouge_types=["rouge1"], empty="error").compute(predictions, references)

    @pytest.mark.parametrize("rule", ["best", "best_recall", "mean", "pooled", "jackknife"])
    def test_one_if_both_under_every_rule(self, rule):
        rouge = Rouge(rouge_types=["rouge1", "rougeL"], empty="one_if_both", multi_reference=rule)

        assert {"rouge1": 1.0, "rougeL": 1.0} == rouge.compute([""], [["", ""]])
        assert {"rouge1": 0.0, "rougeL": 0.0} == rouge.compute([""], [["a", "b"]])

    def test_texts_of_marks_only_are_told_and_empty_ones_are_not(self):
        rouge = Rouge(rouge_types=["rouge1"])
        with pytest.warns(RougeWarning, match=r"leaves no token of '\.\.\.'.*punctuation='keep'"):
            assert {"rouge1": 0.0} == rouge.compute(["...", ""], ["😀", "a"])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert {"rouge1": 0.0} == rouge.compute(["", " "], ["a", "b"])


@given(strategies.texts, strategies.texts)
def test_scores_lie_between_0_and_1(prediction, reference):
    scores = Rouge(sentence_split="auto", rouge_types=[*TYPES, "rougeSU", "rougeW"]).score([prediction], [reference])

    for values in scores.values():
        assert 0 <= values[0] <= 1


def test_scale_multiplies_everything():
    arguments = (["a b c", "a"], ["a b d", "b"])
    settings = {"output": "all", "confidence": 0.9, "rouge_types": ["rouge1", "rougeL"]}
    plain, scaled = PLAIN.compute(*arguments, **settings), PLAIN.compute(*arguments, **settings, scale=100)

    assert list(plain) == list(scaled)
    assert {key: value * 100 for key, value in plain.items()} == scaled


def test_keys_of_every_output():
    arguments = (["a b"], ["a c"])
    rouge = Rouge(rouge_types=["rouge1", "rougeL"])

    assert ["rouge1", "rougeL"] == list(rouge.compute(*arguments))
    assert ["rouge1", "rouge1_precision", "rouge1_recall", "rougeL", "rougeL_precision", "rougeL_recall"] == list(
        rouge.compute(*arguments, output="all")
    )
    assert ["rouge1", "rouge1_low", "rouge1_high", "rougeL", "rougeL_low", "rougeL_high"] == list(
        rouge.compute(*arguments, confidence=0.95)
    )
    assert {"rouge1": [0.5], "rougeL": [0.5]} == rouge.compute(*arguments, use_aggregator=False)


@pytest.mark.parametrize("settings", [{}, {"output": "all"}, {"confidence": 0.5}, {"aggregate": "bootstrap_median"}])
def test_values_are_plain_floats(settings):
    result = Rouge(rouge_types=["rouge1", "rougeW"]).compute(["a b"], ["a c"], **settings)
    lists = Rouge(rouge_types=["rouge1"]).compute(["a b"], ["a c"], use_aggregator=False)

    assert {float} == {type(value) for value in result.values()}
    assert {float} == {type(value) for values in lists.values() for value in values}


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
