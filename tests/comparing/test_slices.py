"""Slices: their numbers are those of compare_systems, corrected for how many were asked for."""

import dataclasses
import json
import math
import random
import warnings

import numpy as np
import pytest
from news import columns, news

from polyrouge import Difference, Rouge, compare_slices, compare_systems, score_slices
from polyrouge.comparing import slices
from polyrouge.report.report_data import report_data

# Four times, so that each topic has as many samples as a test needs.
A, B, REFERENCES, TOPICS = (
    4 * column for column in columns(news("zh"), "prediction", "prediction_b", "references", "document_topic")
)
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rougeL"])
TWO, THREE = {"a": A, "b": B}, {"b": B, "a": A, "short": [text[:9] for text in A]}

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def scored(systems=TWO, rouge=ROUGE, n_resamples=100, **options):
    return compare_slices(systems, REFERENCES, {"topic": TOPICS}, rouge, n_resamples=n_resamples, **options)


def test_each_slice_has_the_numbers_of_compare_systems():
    sliced = compare_slices(THREE, REFERENCES, {"topic": TOPICS}, ROUGE, n_resamples=500).differences

    labels = {topic for topic in TOPICS if TOPICS.count(topic) > 1}
    assert {each.label for each in sliced} == labels
    assert len(sliced) == len(labels) * 3 * 2
    for label in labels:
        rows = [row for row, topic in enumerate(TOPICS) if topic == label]
        texts = {name: [texts[row] for row in rows] for name, texts in THREE.items()}
        expected = compare_systems(texts, [REFERENCES[row] for row in rows], ROUGE, n_resamples=500)
        of_slice = {(pair.first, pair.second, pair.key): pair for pair in sliced if pair.label == label}
        for pair in expected.pairs:
            in_slice = of_slice[pair.first, pair.second, pair.key]
            means = dict(zip(expected.systems, expected.means[:, expected.keys.index(pair.key)], strict=True))
            assert (in_slice.level, in_slice.column, in_slice.n_samples) == ("slice", "topic", len(rows))
            assert (in_slice.first_mean, in_slice.second_mean) == (means[pair.first], means[pair.second])
            assert math.isnan(in_slice.p_bootstrap_holm)  # the tests are the slices, not the pairs
            of_tests = ("level", "column", "label", "p_holm", "p_bootstrap_holm", "n_tests")
            for field in (field.name for field in dataclasses.fields(Difference) if field.name not in of_tests):
                assert getattr(in_slice, field) == getattr(pair, field), field


def test_where_the_first_loses_most_comes_first_and_p_is_corrected_over_all():
    sliced = scored({"b": B, "a": A}).differences

    differences = [each.difference for each in sliced]
    assert differences == sorted(differences)
    assert differences[0] < 0
    for key in ("rouge1", "rougeL"):
        of_key = sorted((each for each in sliced if each.key == key), key=lambda each: each.p)
        highest = 0.0
        for place, each in enumerate(of_key):
            highest = max(highest, min(1.0, each.p * (len(of_key) - place)))
            assert each.p_holm == pytest.approx(highest)


def test_where_another_system_loses_most_can_come_first():
    sliced = scored(THREE)

    ordered = sliced.where_loses("a")

    assert (sliced.loser, ordered.loser) == (None, "a")
    assert sorted(ordered.differences, key=id) == sorted(sliced.differences, key=id)
    losses = [(-1 if each.second == "a" else 1) * each.difference for each in ordered.differences]
    with_a = [{each.first, each.second} >= {"a"} for each in ordered.differences]
    n = sum(with_a)
    assert with_a == sorted(with_a, reverse=True)
    assert losses[:n] == sorted(losses[:n])
    with pytest.raises(ValueError, match="'c'"):
        sliced.where_loses("c")


NUMBERS = [float(row) for row in range(34)]


COLUMNS = {
    "quartiles": ([math.nan, *NUMBERS[1:]], {"1–9": 9, "10–17": 8, "18–25": 8, "26–33": 8}),
    "fractions": ([each / 8 for each in NUMBERS], {"≤ 1": 9, "1–2": 8, "2–3.125": 9, "> 3.125": 8}),
    # Where many share the largest number, no quartile is cut at it, as nothing lies above.
    "a large third": ([min(each, 22) for each in NUMBERS], {"0–8": 9, "9–16": 8, "17–22": 17}),
    "more than half": ([min(each, 8) for each in NUMBERS], {"0–7": 8, "8": 26}),
    "values": ([1, 2, None, True] * 8 + ["x", "y"], {"1": 8, "2": 8, "True": 8, "x": 1, "y": 1}),
}


@pytest.mark.parametrize(("column", "sizes"), COLUMNS.values(), ids=COLUMNS)
def test_many_numbers_are_cut_and_other_values_are_slices_of_their_own(column, sizes):
    sliced = compare_slices({"a": A[:34], "b": B[:34]}, REFERENCES[:34], {"c": column}, ROUGE, n_resamples=100)

    assert {each.label: len(each.rows) for each in sliced.slices} == sizes
    assert {each.label: each.n_samples for each in sliced.differences} == sizes


def test_without_columns_slices_are_by_the_references():
    sliced = compare_slices(TWO, REFERENCES, rouge=ROUGE, n_resamples=100).differences

    assert {each.column for each in sliced} == {"reference length", "references"}
    lengths = [each for each in sliced if (each.column, each.key) == ("reference length", "rouge1")]
    assert sum(each.n_samples for each in lengths) == len(REFERENCES)
    assert {each.n_tests for each in lengths} == {len(lengths)}  # each of the two columns is corrected by itself


@pytest.mark.parametrize(
    ("values", "message"),
    [(["x", "y"], "'topic' has 2 values but there are 136 samples"), ([("x",)] * 136, "has tuple in row 0")],
)
def test_a_column_of_another_length_or_kind_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        compare_slices(TWO, REFERENCES, {"topic": values}, ROUGE)


def test_each_slice_has_the_means_of_compute():
    rouge = Rouge("zh_char", rouge_types=["rouge1", "rougeL"], confidence=0.9, scale=100)

    sliced, alone = scored(rouge=rouge), score_slices(B, REFERENCES, {"topic": TOPICS}, rouge)

    assert alone.differences == ()
    assert [each.label for each in alone.slices] == [each.label for each in sliced.slices]
    for each, of_one in zip(sliced.slices, alone.slices, strict=True):
        assert [TOPICS[row] for row in each.rows] == [each.label] * len(each.rows)
        references = [REFERENCES[row] for row in each.rows]
        expected = [rouge.compute([texts[row] for row in each.rows], references) for texts in (A, B)]
        for end, name in (("", "means"), ("_low", "low"), ("_high", "high")):
            wanted = [[result[f"{key}{end}"] for key in sliced.keys] for result in expected]
            assert getattr(each, name).tolist() == wanted
            assert getattr(of_one, name).tolist() == wanted[1:]


def test_samples_that_are_left_out_are_in_no_slice():
    rouge = Rouge(rouge_types=["rouge1"], empty="skip")
    systems = {"a": ["x", "", "x y", "z", "z"], "b": ["x", "x", "y", "z", "w"]}

    sliced = compare_slices(systems, ["x"] * 5, {"c": [1, 1, 2, 2, 2]}, rouge, n_resamples=100).differences

    assert {each.label: each.n_samples for each in sliced} == {"1": 1, "2": 3}


def test_a_baseline_is_compared_with_each_other_one():
    sliced = scored(THREE, baseline="a")

    assert {(each.first, each.second) for each in sliced.differences} == {("b", "a"), ("a", "short")}
    assert {each.n_tests for each in sliced.differences} == {len(sliced.slices)}


@pytest.mark.parametrize(
    ("n_rows", "n_named", "expected"),
    [
        (6_000, 300, 12_000),  # as many as Holm's correction needs, twice
        (20_000, 4, 2_500),  # 50 million draws for a column
        (100_000, 0, 2_000),  # but not fewer than Holm's correction over 50 slices needs
        (1_000_000, 70, 500),  # 500 million draws at most
    ],
)
def test_draws_are_bounded_but_enough_for_the_correction(n_rows, n_named, expected):
    assert slices._resamples_of_slices(n_rows, n_named, 0.05) == expected


def test_a_difference_is_significant_by_its_corrected_p():
    sliced = scored()
    for p_holm, is_significant in ((0.049, True), (0.05, False), (0.2, False)):
        each = dataclasses.replace(sliced.differences[0], p_holm=p_holm)
        assert sliced.is_significant(each) == is_significant
        (plain,) = dataclasses.replace(sliced, differences=(each,)).to_dict()["differences"]
        assert plain["significant"] == is_significant


def test_a_p_that_more_resamples_could_lower_says_so():
    sliced = scored(n_resamples=99)
    one = sliced.differences[0]

    for p, shown in ((0.01, "≤0.0700"), (0.02, "0.0700")):
        assert sliced.shown_p(dataclasses.replace(one, p=p, p_holm=0.07)) == shown


# The topics are one letter each: 12 samples of "a" to "d", 9 of "e" and one of "f".
LETTERS = [*"abcd" * 12, *"e" * 9, "f"]
N = len(LETTERS)


def drawn_systems():
    """Four systems of random words, the first and the second near each other, and one reference each."""
    draw = random.Random(4)
    references = [" ".join(draw.choices("vwxyz", k=draw.randint(4, 30))) for _ in range(N)]
    systems = {name: [" ".join(draw.choices("vwxyz12", k=8)) for _ in range(N)] for name in ("p", "q", "r", "s")}
    return systems, references


def test_small_slices_have_a_difference_and_come_last_without_interval_and_p():
    systems, references = drawn_systems()

    sliced = compare_slices(systems, references, {"letter": LETTERS}, ROUGE, n_resamples=200)

    assert {each.label: len(each.rows) for each in sliced.slices} == {**dict.fromkeys("abcd", 12), "e": 9, "f": 1}
    n_small = 2 * 6 * 2  # slices, pairs, types
    for ordered in (sliced, sliced.where_loses("q")):
        of_q = [each for each in ordered.differences if ordered.loser is None or "q" in (each.first, each.second)]
        assert of_q == list(ordered.differences[: len(of_q)])
        small = of_q[-n_small // (1 if ordered.loser is None else 2) :]
        assert {each.label for each in small} == {"e", "f"}
        assert {each.label for each in of_q[: -len(small)]} == set("abcd")
    for each in sliced.differences:
        numbers = [each.p_holm, each.low, each.high, each.p, each.p_bootstrap]
        assert [math.isnan(number) for number in numbers] == [each.n_samples < 10] * 5
        assert each.n_tests == (0 if each.n_samples < 10 else 4)
        assert not (each.n_samples < 10 and (sliced.is_significant(each) or sliced.shown_p(each) != "–"))
        rows = [row for row, letter in enumerate(LETTERS) if letter == each.label]
        of_pair = {name: [systems[name][row] for row in rows] for name in (each.first, each.second)}
        scores = [ROUGE.score(texts, [references[row] for row in rows])[each.key] for texts in of_pair.values()]
        assert each.difference == pytest.approx(scores[0].mean() - scores[1].mean(), abs=1e-12)
        assert each.wins == (scores[0] > scores[1]).sum()
        assert each.ties + each.losses + each.wins == each.n_samples
    (one,) = (each for each in sliced.slices if each.label == "f")
    assert np.isnan([one.low, one.high]).all()  # of one sample it would have no width
    json.dumps(sliced.to_dict(), allow_nan=False)


def test_a_p_does_not_depend_on_slices_that_nobody_asked_for():
    """Holm is within the pair and over the columns that were named: more systems and a source move nothing."""
    systems, references = drawn_systems()
    two = {name: systems[name] for name in "pq"}
    named = {"letter": LETTERS, "half": [row % 2 for row in range(N)]}
    sources, guessed = [f"{text} 1 2" for text in references], {"third": [row % 3 for row in range(N)]}

    def tested(differences):
        of_pair = (each for each in differences if {each.first, each.second} == {"p", "q"} and each.is_tested)
        return {(each.column, each.label, each.key): (each.difference, each.p_holm, each.n_tests) for each in of_pair}

    expected = tested(compare_slices(two, references, named, ROUGE).differences)
    assert len(expected) == 2 * (4 + 2)
    assert {n_tests for _, _, n_tests in expected.values()} == {6}
    options = {"ids": None, "sources": None, "slices": True, "metadata": named, "rouge": ROUGE, "name": "p"}
    for texts, more in (
        (two, {}),
        (systems, {}),
        (two, {"sources": sources}),
        (systems, {"sources": sources, "guessed": guessed}),
    ):
        others = {name: predictions for name, predictions in texts.items() if name != "p"}
        sliced = report_data(texts["p"], references, others=others, **options | more).slices
        assert sliced is not None
        found = tested(sliced.differences)
        for place, numbers in expected.items():
            assert found[place] == pytest.approx(numbers, rel=1e-12), place
    assert {column for column, _, _ in found} == {
        *("letter", "half", "third", "reference length", "coverage: p", "coverage: q")  # none of r and s
    }
    assert {n for (column, _, _), (_, _, n) in found.items() if column == "third"} == {3}


@pytest.mark.parametrize("is_enough", [True, False])
def test_resamples_that_can_make_nothing_significant_are_warned_of(is_enough):
    n_tests = len({topic for topic in TOPICS if TOPICS.count(topic) > 1})
    n_resamples = 20 * n_tests - (not is_enough)  # the smallest p, corrected, is then just below 0.05, or 0.05

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare_slices(TWO, REFERENCES, {"topic": TOPICS}, ROUGE, n_resamples=n_resamples)

    messages = [str(each.message) for each in caught if "none can be significant" in str(each.message)]
    assert bool(messages) != is_enough
    assert is_enough or f"n_resamples={20 * n_tests} or more" in messages[0]


def test_of_more_than_four_systems_the_first_is_the_baseline():
    assert slices.default_baseline(["a", "b", "c", "d"]) is None
    assert slices.default_baseline(["a", "b", "c", "d", "e"]) == "a"
