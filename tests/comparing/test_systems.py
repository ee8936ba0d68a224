"""Comparing systems: from texts to superscripts, and chunk by chunk."""

import string

import numpy as np
import pytest

from polyrouge import CONVENTIONS, Rouge, RougeSettings, RougeWarning
from polyrouge.comparing.significance import holm_adjusted, paired_tests
from polyrouge.comparing.systems import compare_columns, compare_systems

# That rougeLsum is rougeL for these texts is not the point here.
pytestmark = pytest.mark.filterwarnings("ignore:rougeLsum")

REFERENCES = [f"the cat number {n} sat on the mat beside the {word}" for n, word in enumerate(["dog", "red bus"] * 40)]
GOOD = [text.replace("beside", "near") for text in REFERENCES]
FAIR = [text if n % 3 else "the cat number" for n, text in enumerate(GOOD)]
POOR = [f"a text about {n}" for n in range(80)]
SYSTEMS = {"good": GOOD, "fair": FAIR, "poor": POOR}


def test_means_are_what_compute_gives():
    rouge = Rouge("rouge_score", scale=100, output="all")

    found = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=100)

    for row, (name, predictions) in enumerate(SYSTEMS.items()):
        assert found.systems[row] == name
        assert rouge.compute(predictions, REFERENCES) == dict(zip(found.keys, found.means[row].tolist(), strict=True))
    assert found.signature == rouge.signature()
    assert (found.low <= found.means).all()
    assert (found.means <= found.high).all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_any_convention_is_compared(convention):
    rouge = Rouge(convention, use_stemmer=False, stop_words=None)

    found = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=50)

    for row, predictions in enumerate(SYSTEMS.values()):
        computed = rouge.compute(predictions, REFERENCES)
        assert [computed[key] for key in found.keys] == found.means[row].tolist()
        assert (found.low[row] - 0.01 * rouge.settings.scale <= found.means[row]).all()


def test_superscripts_name_the_systems_that_are_worse():
    found = compare_systems(SYSTEMS, REFERENCES, n_resamples=1000)

    assert ["bc", "c", ""] == [found.superscript(name, "rouge1") for name in SYSTEMS]
    assert ["a", "b", "c"] == [found.letter(name) for name in SYSTEMS]


def test_equal_systems_have_no_superscripts():
    found = compare_systems({"one": GOOD, "two": GOOD}, REFERENCES, n_resamples=100)

    assert {""} == {found.superscript(name, key) for name in ("one", "two") for key in found.keys}
    assert {(0, 80, 0)} == {(pair.wins, pair.ties, pair.losses) for pair in found.pairs}


def test_pairs_are_the_tests_with_holms_correction_a_key():
    rouge = Rouge(rouge_types=["rouge1", "rougeL"], sentence_split="none")
    columns = [rouge.score(predictions, REFERENCES) for predictions in SYSTEMS.values()]
    scores = np.stack([np.column_stack([each["rouge1"], each["rougeL"]]) for each in columns])
    tests = paired_tests(scores, [(0, 1), (0, 2), (1, 2)], n_resamples=500, seed=3)

    found = compare_systems(SYSTEMS, REFERENCES, rouge, n_resamples=500, seed=3)

    by_place = {(pair.first, pair.second, pair.key): pair for pair in found.pairs}
    for row, names in enumerate([("good", "fair"), ("good", "poor"), ("fair", "poor")]):
        for column, key in enumerate(["rouge1", "rougeL"]):
            pair = by_place[(*names, key)]
            assert pair.difference == tests.difference[row, column]
            assert pair.p_bootstrap == tests.p_bootstrap[row, column]
            assert pair.p_randomization == tests.p_randomization[row, column]
            assert pair.p_randomization_holm == holm_adjusted(tests.p_randomization)[row, column]
            assert pair.p_bootstrap_holm == holm_adjusted(tests.p_bootstrap)[row, column]
            wins = (
                scores[["good", "fair", "poor"].index(names[0])][:, column]
                > scores[["good", "fair", "poor"].index(names[1])][:, column]
            )
            assert pair.wins == wins.sum()
            assert pair.wins + pair.ties + pair.losses == 80


def test_baseline_is_compared_with_each_other_one_only():
    found = compare_systems(SYSTEMS, REFERENCES, baseline="fair", n_resamples=100)

    assert {("good", "fair"), ("fair", "poor")} == {(pair.first, pair.second) for pair in found.pairs}


def test_scale_scales_differences_and_leaves_p_alone():
    plain, scaled = (compare_systems(SYSTEMS, REFERENCES, Rouge(scale=scale), n_resamples=200) for scale in (1, 100))

    for one, other in zip(plain.pairs, scaled.pairs, strict=True):
        assert other.difference == pytest.approx(100 * one.difference)
        assert other.low == pytest.approx(100 * one.low)
        assert (other.p_bootstrap, other.p_randomization_holm) == (one.p_bootstrap, one.p_randomization_holm)


def test_the_test_that_decides_is_chosen():
    settings = RougeSettings(rouge_types=("rouge1",))
    generator = np.random.default_rng(6)
    one = generator.random((120, 1))
    two = one + generator.normal(0.02, 0.1, (120, 1))
    scores = {"one": np.stack([one] * 3, axis=-1), "two": np.stack([two] * 3, axis=-1)}

    p = compare_columns(scores, settings, n_resamples=2000).pairs[0]

    for test, alpha_between in (("bootstrap", p.p_bootstrap), ("randomization", p.p_randomization)):
        below, above = (
            compare_columns(scores, settings, n_resamples=2000, test=test, alpha=alpha)
            for alpha in (alpha_between * 0.999, min(alpha_between * 1.001, 0.999))
        )
        assert not below.is_significant(below.pairs[0])
        assert above.is_significant(above.pairs[0])


@pytest.mark.filterwarnings("ignore:The tokenizer 'mixed' leaves no token of:polyrouge.RougeWarning")
def test_skipped_examples_are_left_out_for_all():
    systems = {"one": ["", "a b", "a b", "c"], "two": ["a b", "a", "...", "c"]}

    with pytest.warns(RougeWarning, match="leaves 2 of 4 samples out of the comparison"):
        found = compare_systems(systems, ["a b", "a b", "a b", "c"], Rouge(empty="skip", rouge_types=["rouge1"]))

    assert (2, 2) == (found.n_samples, found.n_left_out)
    assert [1.0, pytest.approx(5 / 6)] == found.means[:, 0].tolist()


def test_few_examples_and_the_bootstrap_are_warned_of():
    with pytest.warns(RougeWarning, match="With 5 samples the bootstrap's p is somewhat too small"):
        compare_systems({"a": GOOD[:5], "b": POOR[:5]}, REFERENCES[:5], Rouge(rouge_types=["rouge1"]), test="bootstrap")


@pytest.mark.parametrize(
    ("systems", "given", "message"),
    [
        ({"one": GOOD}, {}, "two or more systems to compare; given 1"),
        ({string.ascii_lowercase[n % 26] * (1 + n // 26): GOOD for n in range(27)}, {}, "at most 26 systems"),
        (SYSTEMS, {"baseline": "god"}, "Unknown baseline 'god'; .* Did you mean 'good'?"),
        (SYSTEMS, {"test": "t"}, "Unknown test 't'; choose one of randomization, bootstrap"),
        (SYSTEMS, {"alpha": 0}, "alpha is 0; it must be above 0 and below 1"),
        (SYSTEMS, {"confidence": 95}, "confidence is 95; it must be above 0 and below 1"),
        (SYSTEMS, {"n_resamples": 0}, "n_resamples is 0; it must be at least 1 and at most 1000000"),
        (SYSTEMS, {"n_resamples": 10**9}, "n_resamples is 1000000000; it must be at least 1 and at most 1000000"),
        (SYSTEMS, {"seed": -1}, "seed is -1; it must be at least 0"),
        (SYSTEMS, {"rouge": Rouge(aggregate="bootstrap_median")}, "paired tests compare means over samples"),
        ({"a": GOOD[:1], "b": POOR[:1]}, {}, "80 references|at least 2 samples"),
    ],
)
@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
def test_bad_comparisons_are_refused(systems, given, message):
    with pytest.raises(ValueError, match=message):
        compare_systems(systems, REFERENCES, **given)


@pytest.mark.parametrize("name", ["alpha", "confidence", "n_resamples", "seed"])
def test_number_of_another_type_is_refused_before_anything_is_scored(name):
    broken = {"good": [None], "poor": [None]}
    with pytest.raises(TypeError, match=f"{name} is '5'; give a (whole )?number"):
        compare_systems(broken, [None], **{name: "5"})


def test_systems_that_are_no_mapping():
    with pytest.raises(TypeError, match=r"systems is \[.*give a mapping from the name of each to its predictions"):
        compare_systems([GOOD, POOR], REFERENCES)
