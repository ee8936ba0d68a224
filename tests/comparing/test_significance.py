"""Paired tests against a slow textbook version, sacreBLEU, and simulated systems that don't differ."""

import itertools
import math
import random
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from new_process import run_program
from scipy import stats

from polyrouge import Rouge, compare_systems
from polyrouge.comparing import significance
from polyrouge.comparing.significance import paired_tests, score_differences
from polyrouge.scoring.intervals import bca_ends, holm_adjusted
from polyrouge.scoring.scores import scores_from_counts
from polyrouge.settings.rules import ScoreRule


def textbook(one, other, n_resamples, seed):
    """Both tests for one kind of score, with Python's own generator and exact sums: (bootstrap p, randomization p)."""
    generator = random.Random(seed)
    n = len(one)
    differences = [a - b for a, b in zip(one, other, strict=True)]
    observed = math.fsum(differences) / n
    as_extreme = {"bootstrap": 0, "randomization": 0}
    for _ in range(n_resamples):
        drawn = math.fsum(generator.choice(differences) for _ in range(n)) / n
        as_extreme["bootstrap"] += abs(drawn - observed) >= abs(observed)
        swapped = math.fsum(generator.choice((d, -d)) for d in differences) / n
        as_extreme["randomization"] += abs(swapped) >= abs(observed)
    return tuple((1 + count) / (1 + n_resamples) for count in as_extreme.values())


def two_systems(n, shift, seed, k=1):
    """Scores of two systems on n examples, float64[2, n, k]: correlated, in [0, 1], mean difference about ``shift``."""
    generator = np.random.default_rng(seed)
    common = generator.beta(2, 4, size=(1, n, k))
    scores = common + generator.normal(0, 0.08, size=(2, n, k))
    scores[0] += shift
    return np.clip(scores, 0, 1)


@pytest.mark.parametrize("shift", [0.0, 0.01, 0.02, 0.03])
def test_p_values_are_the_textbooks(shift):
    scores = two_systems(80, shift, seed=3)

    tests = paired_tests(scores, n_resamples=20_000, seed=1)

    expected = textbook(scores[0, :, 0].tolist(), scores[1, :, 0].tolist(), 4_000, seed=2)
    for ours, slow in zip((tests.p_bootstrap, tests.p_randomization), expected, strict=True):
        assert abs(ours[0, 0] - slow) < 5 * math.sqrt(slow * (1 - slow) / 4_000) + 0.001


def test_one_resample_leaves_a_half_or_one():
    tests = paired_tests(two_systems(80, 0.03, seed=3), n_resamples=1, seed=1)
    assert {tests.p_bootstrap[0, 0], tests.p_randomization[0, 0]} <= {0.5, 1.0}


class MeanOfScores:
    """A metric as sacreBLEU's tests call it, whose statistics are the scores of examples."""

    def _extract_corpus_statistics(self, scores, _references):
        return np.column_stack([scores, np.ones(len(scores))])

    def _aggregate_and_compute(self, statistics):
        total, n = np.sum(statistics, axis=0)
        return SimpleNamespace(score=total / n)


def sacrebleu_p(scores, n_resamples):
    from sacrebleu.significance import _paired_ar_test

    mean, (one, other) = MeanOfScores(), scores[:, :, 0]
    statistics = mean._extract_corpus_statistics(one, None)
    of_one = {"mean": (statistics, mean._aggregate_and_compute(statistics))}
    _, results = _paired_ar_test(of_one, "other", other, None, {"mean": mean}, n_resamples, seed=77)
    return results["mean"].p_value


@pytest.mark.peers
@pytest.mark.parametrize("shift", [0.0, 0.01, 0.02, 0.03])
def test_randomization_is_sacrebleus(monkeypatch, shift):
    """The same p from the same swaps: sacreBLEU's > and our >= differ at ties only."""
    n_resamples, n = 3_000, 60
    scores = np.round(two_systems(n, shift, seed=11) * 2**20) / 2**20
    swaps = np.random.default_rng(77).integers(2, size=(n_resamples, n), dtype=bool)
    monkeypatch.setattr(significance, "random_halves", lambda *_args: iter([swaps]))

    tests = paired_tests(scores, n_resamples=n_resamples)

    assert sacrebleu_p(scores, n_resamples) == pytest.approx(tests.p_randomization[0, 0], abs=1e-12)


@pytest.mark.peers
def test_of_identical_systems_sacrebleu_s_p_is_the_smallest_and_ours_is_1():
    """As docs/comparing.md says: its > does not count swaps that equal the observed difference."""
    scores = np.repeat(two_systems(30, 0.0, seed=11)[:1], 2, axis=0)

    assert sacrebleu_p(scores, 999) == 0.001
    assert paired_tests(scores, n_resamples=999).p_randomization.item() == 1


def test_swapping_systems_changes_the_sign_only():
    scores = two_systems(50, 0.02, seed=4, k=2)

    one, other = (paired_tests(scores, [pair], n_resamples=500) for pair in ((0, 1), (1, 0)))

    assert (-one.difference).tolist() == other.difference.tolist()
    np.testing.assert_allclose(-one.low, other.high)
    assert one.p_bootstrap.tolist() == other.p_bootstrap.tolist()
    assert one.p_randomization.tolist() == other.p_randomization.tolist()


def test_other_systems_and_types_change_nothing():
    scores = two_systems(50, 0.02, seed=4, k=2)
    third = two_systems(50, 0.1, seed=5, k=2)[:1]

    alone = paired_tests(scores[:, :, :1], n_resamples=300, seed=9)
    among = paired_tests(np.concatenate([scores, third]), [(0, 1), (0, 2), (1, 2)], n_resamples=300, seed=9)

    assert among.p_bootstrap[0, 0] == alone.p_bootstrap[0, 0]
    assert among.p_randomization[0, 0] == alone.p_randomization[0, 0]


@pytest.mark.process
@pytest.mark.parametrize("threads", ["1", "4"])
def test_same_seed_same_bytes_for_any_number_of_threads(threads):
    program = (
        "import numpy as np; from polyrouge.comparing.significance import paired_tests;"
        "s = np.random.default_rng(0).random((3, 2000, 4));"
        "t = paired_tests(s, [(0, 1), (0, 2)], n_resamples=600, seed=5);"
        "print(b''.join(each.tobytes() for each in t).hex())"
    )
    names = "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"
    done = run_program(program, **dict.fromkeys(names, threads))

    here = paired_tests(np.random.default_rng(0).random((3, 2000, 4)), [(0, 1), (0, 2)], n_resamples=600, seed=5)

    assert b"".join(each.tobytes() for each in here).hex() == done.stdout.strip()


@given(arrays(np.float64, st.integers(2, 40).map(lambda n: (2, n, 2)), elements=st.floats(0, 100)))
def test_any_scores_give_p_values_and_ordered_bounds(scores):
    tests = paired_tests(scores, n_resamples=50)

    for p in (tests.p_bootstrap, tests.p_randomization):
        assert ((p > 0) & (p <= 1)).all()
    assert (tests.low <= tests.high).all()
    np.testing.assert_allclose(tests.difference[0], scores[0].mean(0) - scores[1].mean(0), atol=1e-6)


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        pytest.param([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02], id="textbook"),
        pytest.param([0.5, 0.6], [1.0, 1.0], id="at most one"),
        pytest.param([0.9, 0.8], [1.0, 1.0], id="no more than one"),
        pytest.param([0.02], [0.02], id="one test"),
        pytest.param([0.02, 0.02], [0.04, 0.04], id="equal"),
    ],
)
def test_holm(p, expected):
    assert holm_adjusted(np.array(p)).tolist() == pytest.approx(expected)
    assert holm_adjusted(np.array([p, p]).T)[:, 1].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("shift", [0.0, 0.05])
def test_bca_of_a_difference_is_that_of_the_differences(monkeypatch, shift):
    """By hand over the same draws: the statistic is the mean of d, and the jackknife leaves one d out at a time."""
    scores = two_systems(30, shift, seed=6) ** 3  # skewed
    d = scores[0, :, 0] - scores[1, :, 0]
    drawn = np.random.default_rng(8).integers(30, size=(500, 30))
    counts = np.stack([np.bincount(row, minlength=30) for row in drawn])
    monkeypatch.setattr(significance, "draw_counts", lambda *_args: iter([counts]))

    tests = paired_tests(scores, n_resamples=500, confidence=0.9, interval="bca")

    without_each = ((d.sum() - d) / 29)[:, np.newaxis]
    low, high = bca_ends(d[drawn].mean(axis=1)[:, np.newaxis], 0.9, np.array([d.mean()]), without_each)
    assert (tests.low[0, 0], tests.high[0, 0]) == pytest.approx((low[0], high[0]), abs=1e-9)
    percentile = paired_tests(scores, n_resamples=500, confidence=0.9)
    assert (tests.low[0, 0], tests.high[0, 0]) != (percentile.low[0, 0], percentile.high[0, 0])


@pytest.mark.parametrize("n", [1 << 16, (1 << 16) + 1])
def test_more_samples_than_sixteen_bits_number_can_be_drawn(n):
    scores = np.zeros((2, n, 1))
    scores[0, -1] = 1.0

    assert paired_tests(scores, n_resamples=40).high[0, 0] >= 1 / n


@pytest.mark.parametrize("scores", [np.array([[[1e-9], [1e6]], [[3.0], [0.0]]]), np.zeros((2, 5, 1))])
def test_sums_of_scores_on_the_grid_are_exact(scores):
    """Sums, and twice a difference of sums, stay below 2 ** 53, whatever the smallest score is."""
    exact, grid = significance._on_grid(scores)

    assert 4 * np.abs(exact).sum(axis=1).max() <= 2.0**53
    assert (exact == np.rint(exact)).all()
    np.testing.assert_allclose(exact / grid, scores, atol=1e-9 * max(scores.max(), 1e-9))


def test_p_values_never_change():
    """A seed stands for the same draws on any machine and in any version."""
    tests = paired_tests(two_systems(30, 0.02, seed=4), n_resamples=1000, seed=3)

    assert (tests.p_bootstrap[0, 0], tests.p_randomization[0, 0]) == (0.22377622377622378, 0.24775224775224775)


@pytest.mark.parametrize("power", [-60, 12])
def test_the_size_of_the_scores_moves_no_p(power):
    scores = two_systems(40, 0.02, seed=8)

    of_scores, of_sizes = (paired_tests(each, n_resamples=500) for each in (scores, scores * 2.0**power))

    assert of_sizes.p_bootstrap.tolist() == of_scores.p_bootstrap.tolist()
    assert of_sizes.p_randomization.tolist() == of_scores.p_randomization.tolist()
    for name in ("difference", "low", "high"):
        assert getattr(of_sizes, name) == pytest.approx(getattr(of_scores, name) * 2.0**power, rel=1e-9)


def exact_scores(predictions, references, rouge):
    """Precision, recall and F of each sample and type by the metric's rules: fractions of its counts."""
    pairs = rouge.count(predictions, references)
    rule, score_rule = rouge.settings.multi_reference, rouge.settings.score_rule
    square, epsilon = Fraction(str(score_rule.beta)) ** 2, Fraction(str(score_rule.epsilon))
    if score_rule.alpha is not None:
        square = 1 / Fraction(str(score_rule.alpha)) - 1

    def with_f(precision, recall):
        denominator = recall + square * precision + epsilon
        return precision, recall, (1 + square) * precision * recall / denominator if denominator else Fraction(0)

    def of_counts(hits, *totals):
        return with_f(*(Fraction(int(hits), int(total)) if total else Fraction(0) for total in totals))

    def means(scores):
        return [sum(column) / len(scores) for column in zip(*scores, strict=True)]

    def chosen(counts):
        scores = [of_counts(*row) for row in counts]
        if rule == "pooled":
            return of_counts(*map(sum, zip(*counts, strict=True)))
        if rule == "best_each":
            return with_f(*map(max, list(zip(*scores, strict=True))[:2]))
        if rule == "mean":
            return means(scores)
        if rule == "jackknife" and len(scores) > 1:
            sets = [scores[:place] + scores[place + 1 :] for place in range(len(scores))]
            return means([max(each, key=lambda score: score[2]) for each in sets])
        return scores[0] if rule == "first" else max(scores, key=lambda score: score[1 if rule == "best_recall" else 2])

    bounds = itertools.pairwise(pairs.offsets.tolist())
    return [[chosen(of_type) for of_type in pairs.counts[a:b].transpose(1, 0, 2).tolist()] for a, b in bounds]


def all_signs(n):
    """uint8[2^n, n]: every way to keep or swap n samples."""
    return (np.arange(2**n)[:, np.newaxis] >> np.arange(n) & 1).astype(np.uint8)


def short_answers(seed, n_references=1, words="abcdef"):
    """Answers of two systems to 8 to 12 questions, of up to three words each, and their references."""
    generator = random.Random(seed)

    def answer():
        return " ".join(generator.choices(words, k=generator.choice((1, 2, 3, 3))))

    rows = range(generator.randint(8, 12))
    references = [[answer() for _ in range(generator.randint(1, n_references))] for _ in rows]
    return [answer() for _ in rows], [answer() for _ in rows], references


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("convention", "settings"),
    [
        *(("default", {"multi_reference": rule}) for rule in ("mean", "pooled", "first", "best_recall", "best_each")),
        *(("default", {"multi_reference": rule, "output": "fmeasure"}) for rule in ("best", "jackknife")),
        ("default", {"multi_reference": "first", "beta": 1.2}),
        ("default", {"multi_reference": "first", "tool": {"alpha": 0.3}}),
        ("default", {"multi_reference": "first", "scale": 100, "round_each": 2}),
        ("pltrdy", {"multi_reference": "first"}),  # has an epsilon
        ("rouge_score", {"multi_reference": "mean"}),
    ],
    ids=str,
)
def test_p_of_short_answers_counts_every_swap_as_fractions_do(monkeypatch, convention, settings):
    """All 2^n swaps, and as many resamples, of every type: p is the share that fractions give, to the last draw."""
    types = ("rouge1", "rouge2", "rougeL", "rougeLsum", *(("rougeS", "rougeSU4") if convention == "default" else ()))
    rouge = Rouge(convention, **{"rouge_types": types, "output": "all"} | settings)
    digits, keys = rouge.settings.round_each, 3 if rouge.settings.output == "all" else 1
    n_equal = 0
    for seed in range(3):
        *systems, references = short_answers(seed, 3)
        n = len(references)
        signs = all_signs(n)
        draws = np.random.default_rng(seed).integers(n, size=signs.shape)
        times = np.stack([np.bincount(row, minlength=n) for row in draws])
        monkeypatch.setattr(significance, "random_halves", lambda *_, signs=signs: iter([signs]))
        monkeypatch.setattr(significance, "draw_counts", lambda *_, times=times: iter([times]))
        texts = dict(zip("AB", systems, strict=True))
        found = compare_systems(texts, references, rouge, n_resamples=len(signs))
        of_systems = [np.array(exact_scores(each, references, rouge), object) for each in systems]
        for place, pair in enumerate(found.pairs):
            column, measure = place // keys, (2, 0, 1)[place % keys]
            scores = [of_system[:, column, measure] for of_system in of_systems]
            if digits is not None:
                scores = [[Fraction(f"{float(100 * score):.{digits}f}") for score in of_system] for of_system in scores]
            within = Fraction(rouge.settings.score_rule.epsilon) / 10_000  # what a float can't tell apart
            by_chance, n_equal_here = p_of_fractions(*scores, signs, times, within)
            n_equal += n_equal_here
            assert (pair.p, pair.p_bootstrap) == by_chance, (seed, pair)
            assert (pair.difference == 0) == (sum(scores[0]) == sum(scores[1]))
    assert n_equal > 1_000  # draws that floats may well put on the wrong side


def p_of_fractions(one, other, signs, times, within=0):
    """p of both tests of scores that are fractions, over these draws; and how many draws equal what was observed."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    unit = math.lcm(*(each.denominator for each in differences))
    wholes = np.array([int(each * unit) for each in differences], object)
    observed = abs(wholes.sum())
    nulls = [np.abs(weights.astype(object) @ wholes) for weights in (2 * signs.astype(int) - 1, times - 1)]
    p = tuple((1 + sum(null >= observed - within * unit)) / (1 + len(null)) for null in nulls)
    return p, sum(sum(null == observed) for null in nulls)


@pytest.mark.parametrize("denominators", [(3,), (5,), (7,), (3, 5, 7), (999_983, 999_979, 999_961)], ids=str)
@pytest.mark.parametrize("n", [10, 30])
def test_p_of_many_ties_is_that_of_both_signs(monkeypatch, denominators, n):
    """Each tail for itself, by fractions: in thirds and the like, and where sums differ by 10^-18."""
    for seed in range(2):
        random = np.random.default_rng([seed, n])
        numerators, under = random.integers(-2, 3, n), random.choice(denominators, n)
        if len(denominators) == 3 and seed % 2:  # a sum next to 0 that is not 0: of 1/a - 1/b and the like
            under, numerators = np.resize(denominators, n), np.resize([1, -2, 1, -1, 2, -1], n)
        one = [Fraction(3 + int(a), 2 * int(b)) for a, b in zip(numerators, under, strict=True)]
        other = [Fraction(3, 2 * int(b)) for b in under]
        signs = all_signs(n) if n <= 10 else random.integers(2, size=(500, n)).astype(np.uint8)
        times = np.stack([np.bincount(row, minlength=n) for row in random.integers(n, size=signs.shape)])
        monkeypatch.setattr(significance, "random_halves", lambda *_, signs=signs: iter([signs]))
        monkeypatch.setattr(significance, "draw_counts", lambda *_, times=times: iter([times]))

        scores = np.array([[float(each) for each in system] for system in (one, other)])[..., np.newaxis]
        tests = paired_tests(scores, n_resamples=len(signs))

        assert (tests.p_randomization[0, 0], tests.p_bootstrap[0, 0]) == p_of_fractions(one, other, signs, times)[0]
        sums = (2 * signs.astype(int) - 1).astype(object) @ np.array([a - b for a, b in zip(one, other, strict=True)])
        observed = abs(sum(one) - sum(other))
        both = sum(sums >= observed) + sum(sums <= -observed) if observed else len(sums)
        assert tests.p_randomization[0, 0] == (1 + both) / (1 + len(sums))


@pytest.mark.parametrize("group", [(), (Fraction(1, 10**6), Fraction(-2, 10**6 + 2), Fraction(1, 10**6 + 4))])
def test_p_of_ties_and_of_sums_that_no_float_tells_apart(group):
    """The sum stays the same where three differences that cancel out are turned; those of the group leave 8 / 10^18."""
    differences = [Fraction(1, 947), *group]
    for p, q in ((907, 911), (919, 929), (937, 941)):
        differences += [Fraction(1, p), Fraction(1, q), -Fraction(1, p) - Fraction(1, q)]
    one, other = ([max(sign * each, Fraction(0)) for each in differences] for sign in (1, -1))
    ties = np.array([[float(each) for each in system] for system in (one, other)])
    scores = np.stack([np.random.default_rng(0).random(ties.shape), ties], axis=-1)  # beside a type without ties
    signs = all_signs(len(differences))
    times = 2 * signs.astype(np.int64)  # drawn twice or never
    expected, n_equal = p_of_fractions(one, other, signs, times)
    assert n_equal >= 2**4
    with pytest.MonkeyPatch.context() as changes:
        changes.setattr(significance, "random_halves", lambda *_: iter([signs]))
        changes.setattr(significance, "draw_counts", lambda *_: iter([times]))
        tests = paired_tests(scores, n_resamples=len(signs))
    assert (tests.p_randomization[0, 1], tests.p_bootstrap[0, 1]) == expected


@pytest.mark.filterwarnings("ignore:An interval of 8 samples")
def test_a_win_that_is_none():
    """Seven differences of 1/3 and one of -1/3: 18 of all 256 swaps are as extreme, as scipy counts them."""
    systems = {"A": ["a x y"] * 8, "B": ["x y z"] * 7 + ["a b x"]}
    exact = stats.permutation_test(
        (np.array([1] * 7 + [-1]), np.zeros(8)),
        lambda one, other, axis: (one - other).sum(axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    ).pvalue

    (pair,) = compare_systems(systems, ["a b c"] * 8, Rouge(rouge_types=["rouge1"]), n_resamples=20_000).pairs

    assert exact == 18 / 256
    assert pair.p == pytest.approx(exact, abs=5 * math.sqrt(exact / 20_000))


def test_an_f_of_means_in_thirds_counts_equal_swaps(monkeypatch):
    def f_of(precision, recall):
        return Fraction(2 * precision * recall, precision + recall)

    signs = all_signs(9)
    monkeypatch.setattr(significance, "random_halves", lambda *_: iter([signs]))
    for seed in range(10):
        thirds = np.random.default_rng(seed).integers(1, 4, (2, 9, 2))
        tests = paired_tests(
            thirds / 3, n_resamples=512, of_means=lambda p: (2 * p[..., :1] * p[..., 1:]) / (p[..., :1] + p[..., 1:])
        )

        keeps = signs[:, :, np.newaxis].astype(int)
        sums = [(keeps * one + (1 - keeps) * other).sum(axis=1).tolist() for one, other in (thirds, thirds[::-1])]
        moved = [abs(f_of(*one) - f_of(*other)) for one, other in zip(*sums, strict=True)]
        observed = abs(f_of(*thirds[0].sum(axis=0).tolist()) - f_of(*thirds[1].sum(axis=0).tolist()))
        assert tests.p_randomization[0, 0] == (1 + sum(each >= observed for each in moved)) / 513


def test_scores_that_no_fraction_gives_are_equal_within_rounding():
    """rougeW of 1 + 1 words of 4, and of 2 + 2 of 8: irrational, the same number, and floats that may differ."""
    one = np.array([0.4454493590701697, 0.0] * 6)
    other = np.array([0.0, 0.44544935907016964] * 6)

    tests = paired_tests(np.stack([one, other])[..., np.newaxis], n_resamples=500)

    assert one.max() != other.max()
    assert (tests.difference.item(), tests.p_randomization.item(), tests.p_bootstrap.item()) == (0, 1, 1)


@pytest.mark.parametrize("beta", [0.5, 1, 1.2, 2])
def test_a_float_score_is_near_its_fraction(beta):
    """Within the stated bound of 2^-48: precision, recall and F of counts up to a million, and means of three."""
    random = np.random.default_rng(5)
    hits = random.integers(0, 1_000, 2_000)
    totals = hits[:, np.newaxis] + 1 + random.integers(0, 10 ** random.integers(1, 6, (2_000, 1)), (2_000, 2))
    counts = np.column_stack([hits, totals])[:, np.newaxis].astype(float)
    scores = scores_from_counts(counts, ScoreRule(beta=beta, inverse_powers=(None,)))[:, 0]
    square = Fraction(str(beta)) ** 2
    worst = Fraction(0)
    for (h, p, r), floats in zip(np.column_stack([hits, totals]).tolist(), scores.tolist(), strict=True):
        exact = Fraction(h, p), Fraction(h, r), (1 + square) * h / (r * square + p)
        worst = max(worst, *(abs(Fraction(a) - b) for a, b in zip(floats, exact, strict=True)))
    assert worst < 2.0**-50


def test_differences_of_equal_fractions_are_zero():
    thirds = np.array([1 / 3, 0.1 + 0.2, 0.5]), np.array([1 / 3 + 2**-54, 0.3, 0.25])
    assert score_differences(*thirds).tolist() == [0, 0, 0.25]


def test_difference_and_interval():
    scores = two_systems(500, 0.02, seed=8, k=3)
    differences = scores[0] - scores[1]
    error = differences.std(axis=0, ddof=1) / math.sqrt(500)

    tests = paired_tests(scores, confidence=0.9)

    np.testing.assert_allclose(tests.difference[0], differences.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(tests.low[0], differences.mean(axis=0) - 1.645 * error, atol=0.1 * error.max())
    np.testing.assert_allclose(tests.high[0], differences.mean(axis=0) + 1.645 * error, atol=0.1 * error.max())


def test_a_score_that_is_nan_is_refused():
    with pytest.raises(ValueError, match=r"scores\[0, 1\] holds a value that is not finite"):
        paired_tests(np.array([[[1.0], [np.nan]], [[1.0], [1.0]]]))
