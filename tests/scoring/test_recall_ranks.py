"""Which reference the highest recall chooses, where the tools compare another recall than they print."""

import numpy as np
import pytest

from polyrouge.counting.counts import Counts
from polyrouge.scoring.scores import combine_references, recall_ranks, scores_from_counts
from polyrouge.settings.rules import ReferenceRule, ScoreRule


def pairs_of(*counts, bases=None):
    """One sample and one type: hits, prediction total, reference total of each reference."""
    n = len(counts)
    return Counts(
        counts=np.array(counts, np.float64)[:, np.newaxis],
        offsets=np.array([0, n]),
        prediction_tokens=np.ones(n, np.int64),
        reference_tokens=np.ones(n, np.int64),
        weighted_bases=None if bases is None else np.array(bases, np.float64),
    )


def best_of(pairs, rule, kind, empty="zero"):
    scores, best = combine_references(pairs, ReferenceRule("best_recall", empty, (kind,)), rule)
    return best[0, 0], scores[0, 0].tolist()


def ranks_of(pairs, rule, kind):
    return recall_ranks(pairs, scores_from_counts(pairs.counts, rule), rule, (kind,))[:, 0].tolist()


# 33,333 of 100,000 and 33,334 of 100,000 differ in the fifth digit, 333,331 and 333,332 of a million in the sixth.
CLOSE = pairs_of((333_331, 1_000_000, 1_000_000), (333_332, 999_999, 1_000_000))


@pytest.mark.parametrize(
    ("kind", "quirks", "chosen"),
    [
        pytest.param("lcs", ("rounded_ratios", "rouge155_choice"), 1, id="rougeL is compared unrounded"),
        pytest.param("ngram", ("rounded_ratios", "rouge155_choice"), 0, id="rouge1 is compared as it is printed"),
        pytest.param("lcs_summary", ("rounded_ratios", "rouge155_choice"), 0, id="rougeLsum too"),
        pytest.param("lcs", ("rounded_ratios",), 0, id="without the quirk rougeL is too"),
    ],
)
def test_rouge155_compares_what_it_has_not_rounded(kind, quirks, chosen):
    rule = ScoreRule(inverse_powers=(None,), quirks=quirks)

    best, (precision, recall, _) = best_of(CLOSE, rule, kind)

    assert best == chosen
    assert (precision, recall) == (0.33333, 0.33333)  # what is printed is the same for both


def test_rougew_is_compared_over_a_total_that_is_weighted_once():
    """The printed recall is over the total that is weighted twice (100 ** 2), the choice over the one weighted once."""
    rule = ScoreRule(inverse_powers=(0.5,), quirks=("rouge155_choice",))
    pairs = pairs_of((36, 400, 100), (49, 400, 10_000), bases=(900, 50))

    best, (_, recall, _) = best_of(pairs, rule, "weighted_lcs")

    assert ranks_of(pairs, rule, "weighted_lcs") == pytest.approx([(36 / 900) ** 0.5, (49 / 50) ** 0.5])
    assert best == 1
    assert recall == pytest.approx((49 / 10_000) ** 0.5)  # though the other one's is 0.6


def test_py_rouge_takes_one_weight_off_the_total():
    rule = ScoreRule(inverse_powers=(0.5,), quirks=("py_rouge_choice",))
    pairs = pairs_of((6, 400, 100), (8, 400, 10_000), (0, 400, 0))

    # the denominators are total ** 0.5: 10 and 100; the ratio of a total of 0 is 0
    assert ranks_of(pairs, rule, "weighted_lcs") == pytest.approx([(6 / 10) ** 0.5, (8 / 100) ** 0.5, 0])


def test_a_powered_rougel_is_compared_with_its_power():
    rule = ScoreRule(inverse_powers=(0.5,), quirks=("py_rouge_choice", "powered_lcs"))

    assert ranks_of(pairs_of((4, 9, 16), (0, 9, 0)), rule, "lcs") == [0.5, 0]


def test_two_empty_texts_are_the_best_match_where_they_count_as_one():
    counts = pairs_of((1, 0, 2), (0, 0, 0))
    pairs = Counts(counts.counts, counts.offsets, np.array([0, 0]), np.array([1, 0]))
    rule = ScoreRule(inverse_powers=(None,), quirks=("rouge155_choice",))

    assert best_of(pairs, rule, "lcs", "one_if_both") == (1, [1.0, 1.0, 1.0])
    assert best_of(pairs, rule, "lcs")[0] == 0
