"""Comparing systems: from texts to superscripts, and chunk by chunk."""

import re
from dataclasses import replace

import numpy as np
import pytest
from language_packages import convention_settings, every_convention

from polyrouge import Rouge, RougeSettings, RougeWarning
from polyrouge.comparing.significance import paired_tests
from polyrouge.comparing.systems import (
    ComparisonOptions,
    compare_columns,
    compare_systems,
    comparison_warnings,
    is_comparable,
    outcomes,
)
from polyrouge.scoring.intervals import holm_adjusted

# That rougeLsum is rougeL for these texts is not the point here.
pytestmark = pytest.mark.filterwarnings("ignore:rougeLsum")

REFERENCES = [f"the cat number {n} sat on the mat beside the {word}" for n, word in enumerate(["dog", "red bus"] * 40)]
GOOD = [text.replace("beside", "near") for text in REFERENCES]
FAIR = [text if n % 3 else "the cat number" for n, text in enumerate(GOOD)]
POOR = [f"a text about {n}" for n in range(80)]
SYSTEMS = {"good": GOOD, "fair": FAIR, "poor": POOR}
ONE = RougeSettings(rouge_types=("rouge1",))


def compared(scores, settings=ONE, n_resamples=99, **options):
    return compare_columns(scores, settings, ComparisonOptions(n_resamples=n_resamples, **options))


def columns_of(n_systems, n=30, seed=1):
    """Scores of systems that clearly differ, by name, each float64[n, 1, 3]."""
    generator = np.random.default_rng(seed)
    common = generator.random(n)
    scores = [common + place + generator.random(n) / 10 for place in range(n_systems)]
    return {f"s{place:02}": np.tile(each[:, np.newaxis, np.newaxis], 3) for place, each in enumerate(scores)}


def test_means_are_what_compute_gives():
    rouge = Rouge("rouge_score", scale=100, output="all")
    with_interval = Rouge("rouge_score", scale=100, output="all", confidence=0.95)

    comparison = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=100)

    assert comparison.signature == with_interval.signature()
    for row, predictions in enumerate(SYSTEMS.values()):
        assert rouge.compute(predictions, REFERENCES) == dict(
            zip(comparison.keys, comparison.means[row].tolist(), strict=True)
        )
        computed = with_interval.compute(predictions, REFERENCES)
        for end, bounds in (("low", comparison.low), ("high", comparison.high)):
            assert [computed[f"{key}_{end}"] for key in comparison.keys] == bounds[row].tolist()


@pytest.mark.filterwarnings("ignore")
def test_equal_fractions_are_ties():
    """Both F are 2/9: by 3 hits of 19 and 8 tokens, and by 2 of 10 and 8, whose floats differ in the last bit."""
    reference = "a a a 1 2 3 4 5"
    systems = {"A": [f"a a a {'x ' * 16}"] * 4, "B": [f"a a {'x ' * 8}"] * 4}
    rouge = Rouge(rouge_types=["rouge1"])

    (pair,) = compare_systems(systems, [reference] * 4, rouge, n_resamples=100).pairs

    assert rouge.compute(systems["A"], [reference] * 4) != rouge.compute(systems["B"], [reference] * 4)
    assert (pair.wins, pair.ties, pair.losses) == (0, 4, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("convention", every_convention())
def test_any_convention_is_compared(convention):
    rouge = Rouge(convention, **convention_settings(convention))
    if rouge.settings.aggregate == "micro":  # counts have no test
        with pytest.raises(ValueError, match="set aggregate='mean'"):
            compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=50)
        rouge = Rouge(convention, aggregate="mean")

    comparison = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=50)

    for row, predictions in enumerate(SYSTEMS.values()):
        computed = rouge.compute(predictions, REFERENCES)
        assert [computed[key] for key in comparison.keys] == comparison.means[row].tolist()
        assert (comparison.low[row] - 0.01 * rouge.settings.scale <= comparison.means[row]).all()


def test_superscripts_name_the_systems_that_are_worse_in_any_order():
    for systems, superscripts in ((SYSTEMS, ["bc", "c", ""]), (dict(reversed(SYSTEMS.items())), ["", "a", "ab"])):
        comparison = compare_systems(systems, REFERENCES, n_resamples=1000)

        assert comparison.systems == tuple(systems)
        assert [comparison.superscript(name, "rouge1") for name in systems] == superscripts
        assert [comparison.letter(name) for name in systems] == ["a", "b", "c"]


def test_pairs_are_the_tests_with_holms_correction_a_key():
    rouge = Rouge(rouge_types=["rouge1", "rougeL"])
    columns = [rouge.score(predictions, REFERENCES) for predictions in SYSTEMS.values()]
    scores = np.stack([np.column_stack([each["rouge1"], each["rougeL"]]) for each in columns])
    tests = paired_tests(scores, [(0, 1), (0, 2), (1, 2)], n_resamples=500, seed=3)

    comparison = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=500, seed=3)

    pairs = iter(comparison.pairs)
    for row, (one, other) in enumerate([(0, 1), (0, 2), (1, 2)]):
        for column, key in enumerate(["rouge1", "rougeL"]):
            pair = next(pairs)
            assert (pair.first, pair.second, pair.key) == (list(SYSTEMS)[one], list(SYSTEMS)[other], key)
            assert pair.difference == tests.difference[row, column]
            for name, p_values in (("p", tests.p_randomization), ("p_bootstrap", tests.p_bootstrap)):
                assert getattr(pair, name) == p_values[row, column]
                assert getattr(pair, f"{name}_holm") == holm_adjusted(p_values)[row, column]
            assert (pair.level, pair.n_samples, pair.n_tests, pair.is_tested) == ("all", 80, 3, True)
            assert (pair.first_mean, pair.second_mean) == tuple(comparison.means[[one, other], column])
            assert pair.wins == (scores[one, :, column] > scores[other, :, column]).sum()
            assert pair.wins + pair.ties + pair.losses == 80


@pytest.mark.parametrize(
    ("systems", "options", "error", "message"),
    [
        ([GOOD, POOR], {}, TypeError, "give a mapping from the name of each to its predictions"),
        ({"one": GOOD}, {}, ValueError, "two or more systems to compare; given 1"),
        (SYSTEMS, {"baseline": "god"}, ValueError, "Did you mean 'good'. Unknown baseline 'god'; "),
        (SYSTEMS, {"test": "t"}, ValueError, "Unknown test 't'; choose one of randomization, bootstrap"),
        (SYSTEMS, {"alpha": 0}, ValueError, "alpha is 0; it must be above 0 and below 1"),
        (
            SYSTEMS,
            {"rouge": Rouge(aggregate="bootstrap_median")},
            ValueError,
            "paired tests compare means",
        ),
    ],
)
def test_bad_comparisons_are_refused(systems, options, error, message):
    with pytest.raises(error, match=message):
        compare_systems(systems, REFERENCES, **options)


def test_scale_scales_differences_and_leaves_p_alone():
    plain, scaled = (compare_systems(SYSTEMS, REFERENCES, Rouge(scale=scale), n_resamples=200) for scale in (1, 100))

    for one, other in zip(plain.pairs, scaled.pairs, strict=True):
        assert other.difference == pytest.approx(100 * one.difference)
        assert other.low == pytest.approx(100 * one.low)
        assert (other.p_bootstrap, other.p_holm) == (one.p_bootstrap, one.p_holm)


def test_the_test_that_decides_is_chosen():
    generator = np.random.default_rng(6)
    one = generator.random((120, 1))
    two = one + generator.normal(0.005, 0.1, (120, 1))
    scores = {"one": np.stack([one] * 3, axis=-1), "two": np.stack([two] * 3, axis=-1)}

    p = compared(scores, n_resamples=2000).pairs[0]
    assert p.p_bootstrap != p.p

    for test, between in (("bootstrap", p.p_bootstrap), ("randomization", p.p)):
        for alpha, is_significant in ((between, False), (min(between * 1.001, 0.999), True)):
            comparison = compared(scores, n_resamples=2000, test=test, alpha=alpha)
            assert comparison.is_significant(comparison.pairs[0]) == is_significant


@pytest.mark.filterwarnings("ignore:An interval of")
@pytest.mark.filterwarnings("ignore:The tokenizer 'mixed' leaves no token of:polyrouge.RougeWarning")
def test_skipped_examples_are_left_out_for_all():
    systems = {"one": ["", "a b", "a b", "c"], "two": ["a b", "a", "...", "c"]}

    with pytest.warns(RougeWarning, match="leaves 2 of 4 samples out of the comparison"):
        comparison = compare_systems(systems, ["a b", "a b", "a b", "c"], Rouge(empty="skip", rouge_types=["rouge1"]))

    assert (2, 2) == (comparison.n_samples, comparison.n_left_out)
    assert [1.0, pytest.approx(5 / 6)] == comparison.means[:, 0].tolist()


# Systems, samples, options, the warning, and whether the pairs are significant. Of 12 systems there are 66 pairs.
# The cases of resamples are called by their smallest p.
WARNED = {
    "66 / 1,001": (12, 30, {"n_resamples": 1000}, "no p below 0.066 .* 66 pairs.*n_resamples=1320 ", False),
    "66 / 1,321": (12, 30, {"n_resamples": 1320}, None, True),
    "1 / 20": (2, 30, {"n_resamples": 19}, "give n_resamples=20 or more", False),
    "1 / 21": (2, 30, {"n_resamples": 20}, None, True),
    "1 / 100,001": (
        *(2, 20, {"n_resamples": None, "alpha": 1e-9}),
        *("100000 resamples give no p below 1e-05, so nothing .* at 1e-09: ", False),
    ),
    "1 / 11": (2, 20, {"n_resamples": 10, "alpha": 5e-324}, "nothing can be significant at 4.94066e-324", False),
    "bootstrap, 99": (2, 99, {"test": "bootstrap"}, "With 99 samples the bootstrap's p is somewhat too small", True),
    "bootstrap, 100": (2, 100, {"test": "bootstrap"}, None, True),
}


@pytest.mark.parametrize(("n_systems", "n", "options", "message", "is_significant"), WARNED.values(), ids=WARNED)
def test_p_values_that_can_not_be_small_or_are_too_small_are_warned_of(n_systems, n, options, message, is_significant):
    comparison = compared(columns_of(n_systems, n=n), **options)

    warnings = list(comparison_warnings(comparison))
    assert any(re.search(message, each) for each in warnings) if message else warnings == []
    assert set(map(comparison.is_significant, comparison.pairs)) == {is_significant}


def test_each_system_needs_a_letter():
    assert compared(columns_of(26, n=20), baseline="s00").letter("s25") == "z"
    with pytest.raises(ValueError, match="at most 26 systems"):
        compared(columns_of(27, n=20), baseline="s00")


def test_rounded_scores_are_on_their_scale_once():
    scores = {name: each / 10 for name, each in columns_of(2).items()}

    comparison = compared(scores, ONE.replace(round_each=3, scale=100))

    assert comparison.pairs[0].difference == pytest.approx(comparison.means[0, 0] - comparison.means[1, 0])
    assert comparison.means[0, 0] == pytest.approx(100 * scores["s00"].mean(), abs=1e-3)


@pytest.mark.parametrize(
    ("n_systems", "options", "drawn"),
    [
        pytest.param(11, {}, 11_000, id="55 pairs"),
        pytest.param(11, {"baseline": "s03"}, 10_000, id="10 pairs with a baseline"),
        pytest.param(3, {"alpha": 0.001}, 30_000, id="a small alpha"),
        pytest.param(2, {"alpha": 1e-9}, 100_000, id="the most"),
    ],
)
def test_so_many_resamples_are_drawn_that_ten_can_decide(n_systems, options, drawn):
    assert compared(columns_of(n_systems), n_resamples=None, **options).n_resamples == drawn


@pytest.mark.parametrize(
    ("raw", "corrected", "n_resamples", "shown"),
    [
        (1 / 10_001, 1 / 10_001, 10_000, "≤0.0001"),
        (1 / 1_001, 3 / 1_001, 1_000, "≤0.0030"),
        (1 / 30_001, 1 / 30_001, 30_000, "≤0.0001"),
        (2 / 30_001, 2 / 30_001, 30_000, "<0.0001"),
        (2 / 1_001, 2 / 1_001, 1_000, "0.0020"),
        (1e-4, 1e-4, 30_000, "0.0001"),
        (0.5, 1.0, 1_000, "1.0000"),
        (1 / 2, 1 / 2, 1, "≤0.5000"),
        (0.05, 0.04996, 9_999, "0.0500"),
    ],
)
@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_a_p_is_shown_as_what_is_known_of_it(raw, corrected, n_resamples, shown, test):
    comparison = compared(columns_of(2, n=20))
    other = {"randomization": "bootstrap", "bootstrap": "randomization"}[test]
    names = {"randomization": "p", "bootstrap": "p_bootstrap"}
    p = {names[test]: raw, f"{names[test]}_holm": corrected, names[other]: 0.7, f"{names[other]}_holm": 0.7}
    comparison = replace(comparison, n_resamples=n_resamples, test=test, pairs=(replace(comparison.pairs[0], **p),))

    assert comparison.shown_p(comparison.pairs[0]) == shown == comparison.shown_p(comparison.pairs[0], test)
    assert comparison.shown_p(comparison.pairs[0], other) == "0.7000"


def test_level_and_seed_are_the_metrics_unless_given():
    rouge = Rouge(rouge_types=["rouge1"], confidence=0.8, seed=5)

    comparison = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=200)
    again = compare_systems(SYSTEMS, REFERENCES, Rouge(rouge_types=["rouge1"]), n_resamples=200, confidence=0.8, seed=5)
    other = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=200, confidence=0.9, seed=6)

    assert (0.8, 5, 80, 0) == (comparison.confidence, comparison.seed, comparison.n_samples, comparison.n_left_out)
    assert comparison.to_dict() == again.to_dict()
    assert comparison.signature == again.signature == rouge.signature()
    assert (other.high - other.low > comparison.high - comparison.low).all()
    assert other.pairs[0].low < comparison.pairs[0].low


def test_intervals_of_differences_follow_the_setting():
    scores = {name: each**6 for name, each in columns_of(2, n=25).items()}

    percentile, bca = (compare_columns(scores, ONE.replace(interval=each)) for each in ("percentile", "bca"))

    assert (percentile.interval, bca.interval) == ("percentile", "bca")
    one, other = percentile.pairs[0], bca.pairs[0]
    assert (one.difference, one.p_bootstrap) == (other.difference, other.p_bootstrap)
    assert (one.low, one.high) != (other.low, other.high)
    assert (percentile.low != bca.low).all()


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_an_f_of_means_is_what_is_compared(interval):
    """The difference is that of the means shown, and its tests are those of F of the resampled means."""
    settings = ONE.replace(aggregate="f_of_means", interval=interval, output="all")
    generator = np.random.default_rng(4)
    scores = {name: generator.random((40, 1, 3)) for name in ("one", "two")}

    comparison = compared(scores, settings, n_resamples=2000)

    for pair in comparison.pairs:
        column = comparison.keys.index(pair.key)
        assert pair.difference == pytest.approx(comparison.means[0, column] - comparison.means[1, column], abs=1e-9)
        assert pair.low < pair.difference < pair.high
    f = comparison.pairs[comparison.keys.index("rouge1")]
    (p1, r1), (p2, r2) = (each[:, 0, :2].T for each in scores.values())

    def difference(p, r, p_other, r_other):
        return 2 * p * r / (p + r) - 2 * p_other * r_other / (p_other + r_other)

    keeps = generator.integers(2, size=(4000, 40))
    swapped = [np.where(keeps, a, b).mean(axis=1) for a, b in ((p1, p2), (r1, r2), (p2, p1), (r2, r1))]
    observed = difference(*(each.mean() for each in (p1, r1, p2, r2)))
    assert f.p == pytest.approx(np.mean(abs(difference(*swapped)) >= abs(observed)), abs=0.05)
    draws = generator.integers(40, size=(2000, 40))
    drawn = difference(*(each[draws].mean(axis=1) for each in (p1, r1, p2, r2)))
    assert [f.low, f.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.03)


def test_the_sign_is_said_in_words():
    two, three = compared({"A": np.ones((20, 1, 3)), "B": np.zeros((20, 1, 3))}), compared(columns_of(3))

    assert two.pairs[0].difference == 1
    assert two.sign_rule.startswith("Differences are A minus B: above 0, A scores higher.")
    assert three.sign_rule.startswith("Differences are first minus second, as the pair is named: above 0, the first")


def test_outcomes_are_those_of_rounded_scores_where_each_is_rounded():
    one, two = np.full((20, 1, 3), 0.50001), np.full((20, 1, 3), 0.5)

    for settings, expected in ((ONE.replace(round_each=3), (0, 20, 0)), (ONE, (20, 0, 0))):
        (pair,) = compared({"one": one, "two": two}, settings).pairs
        assert (pair.wins, pair.ties, pair.losses) == expected
    assert np.isnan(outcomes(one * np.nan, two, ONE)).all()


@pytest.mark.parametrize(
    ("n_systems", "values", "aggregate", "expected"),
    [
        pytest.param(2, [1, 1], "mean", True, id="two samples"),
        pytest.param(2, [1], "mean", False, id="one sample"),
        pytest.param(1, [1] * 9, "mean", False, id="one system"),
        pytest.param(2, [np.nan] * 9, "mean", False, id="all left out"),
        pytest.param(2, [1] * 9, "f_of_means", True, id="an F of means"),
    ],
)
def test_what_can_be_compared_is_what_is_not_refused(n_systems, values, aggregate, expected):
    scores = {name: np.tile(np.array(values, float)[:, np.newaxis, np.newaxis], 3) for name in "ab"[:n_systems]}
    settings = ONE.replace(aggregate=aggregate)

    assert is_comparable(list(scores.values()), settings) == expected
    if expected:
        compared(scores, settings)
    else:
        with pytest.raises(ValueError, match=r"systems|samples|means"):
            compared(scores, settings)


def test_baseline_is_compared_with_each_other_one_only():
    comparison = compare_systems(SYSTEMS, REFERENCES, baseline="fair", n_resamples=100)

    assert {("good", "fair"), ("fair", "poor")} == {(pair.first, pair.second) for pair in comparison.pairs}
