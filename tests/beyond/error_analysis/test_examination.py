"""What is missed and added: against a slow count, and sums that must be those of the scores."""

import math
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from language_packages import convention_settings, every_convention
from news import news

from polyrouge import Rouge, compare_systems, examine_systems
from polyrouge.beyond.error_analysis.missed_units import TokenRows, unit_table

CHINESE, ENGLISH = news("zh"), news("en")
EVERY = {"most": 10**6, "most_samples": 10**6}

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def systems_of(rows):
    systems = {"a": [row["prediction"] for row in rows], "b": [row["prediction_b"] for row in rows]}
    return systems, [row["references"] for row in rows]


def metric(name):
    """A convention which scores what its tool refuses as 0."""
    changes = convention_settings(name)
    if Rouge(name, **changes).settings.on_error == "raise":
        changes = {**changes, "on_error": "zero"}
    return Rouge(name, **changes)


def odd(systems, references):
    """The same with empty texts, blank ones, repeated words, and marks only."""
    more = ["", " ", "x x x x", "好好好好好", "!?", "a"]
    refs = [["a b"], ["x"], ["x x y", "x"], ["好好学习"], ["..."], ["", "a a"]]
    return {name: [*texts, *more] for name, texts in systems.items()}, [*references, *refs]


def slow_counts(rouge, prediction, references, order):
    """The prediction's units, the reference's and the hits as Counters, by explanations; empty without a reference."""
    key = f"rouge{order}"
    rule = rouge.settings.multi_reference
    rule = rule if rule in ("best_recall", "first") else "best"
    options = {"rouge_types": [key], "weights": None, "aggregate": "mean", "multi_reference": rule}
    explained = rouge.explain(prediction, references, **options).types[key]
    if explained.best_reference is None:
        return Counter(), Counter(), Counter()
    match = explained.matches[explained.best_reference]
    sides = []
    for side in (match.prediction_tokens, match.reference_tokens):
        tokens = [each.token for each in side]
        units = list(zip(tokens)) if order == 1 else list(pairwise(tokens))
        sides.append(Counter(set(units) if rouge.settings.tool.ngram_counts == "set" else units))
    return *sides, sides[0] & sides[1] if match.hits else Counter()


def slow_tallies(rouge, predictions, references, order):
    """By unit: count, total and samples of what is missed, and of what is added; and all hits."""
    sides = {side: defaultdict(lambda: [0, 0, []]) for side in ("missed", "added")}
    hits = Counter()
    for row, (prediction, texts) in enumerate(zip(predictions, references, strict=True)):
        ours, theirs, shared = slow_counts(rouge, prediction, texts, order)
        hits += shared
        for side, units in (("missed", theirs), ("added", ours)):
            for unit, n in units.items():
                tally = sides[side][unit]
                tally[0] += n - shared[unit]
                tally[1] += n
                tally[2] += [row] * (n > shared[unit])
    return {side: {unit: each for unit, each in units.items() if each[0]} for side, units in sides.items()}, hits


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        *((name, ENGLISH) for name in ("default", "rouge155", "py_rouge", "pltrdy")),
        *((name, CHINESE) for name in ("zh_char", "zh_word", "llama_factory")),
    ],
)
def test_every_number_is_that_of_a_slow_count(name, rows):
    rouge = metric(name)
    systems, references = odd(*systems_of(rows))

    for system in examine_systems(systems, references, rouge, **EVERY).systems:
        for order, totals in enumerate(system.units, start=1):
            sides, hits = slow_tallies(rouge, systems[system.system], references, order)
            assert totals.hits == hits.total()
            for side, expected in sides.items():
                shown = getattr(totals, side)
                assert {each.tokens: [each.count, each.total, list(each.samples)] for each in shown} == expected
                assert all(each.n_samples == len(each.samples) for each in shown)
                counts = [each.count for each in shown]
                assert counts == sorted(counts, reverse=True)
            assert totals.n_missed == len(totals.missed)
            assert totals.n_added == len(totals.added)


@pytest.mark.parametrize("name", every_convention())
def test_what_is_missed_and_the_hits_are_all_that_the_score_counts(name):
    rouge = metric(name)
    systems, references = odd(*systems_of(CHINESE[:12] + ENGLISH[:12]))
    singles = [row[:1] for row in references]

    examination = examine_systems(systems, singles, rouge, **EVERY)

    for system in examination.systems:
        counted = rouge.count(systems[system.system], singles, rouge_types=["rouge1", "rouge2"], weights=None)
        chosen = counted.counts
        if rouge.settings.empty.startswith("skip"):
            chosen = chosen[~(counted.prediction_empty | counted.reference_empty)]
        # py-rouge's totals of texts shorter than n are below 0, and stand for no n-gram.
        numbers = np.maximum(chosen, 0).sum(axis=0).tolist()
        for expected, totals in zip(numbers, system.units, strict=True):
            assert [totals.hits, totals.prediction_total, totals.reference_total] == expected
            assert sum(each.count for each in totals.missed) + totals.hits == totals.reference_total
            assert sum(each.count for each in totals.added) + totals.hits == totals.prediction_total
        for name in ("hits", "reference_total", "prediction_total"):
            assert sum(getattr(each, name) for each in system.buckets) == getattr(system.units[0], name)
    for moved in examination.moved:
        order = int(moved.key[-1]) - 1
        first, second = (each.units[order].hits for each in examination.systems)
        units = moved.units_gained + moved.units_lost
        assert moved.difference == first - second == moved.gained - moved.lost
        assert sum(each.difference for each in units) == moved.difference
        assert sum(each.hits for each in moved.lengths) == moved.difference
        assert sum(each.n_samples for each in moved.lengths) == len(references)
        assert math.fsum(each.part for each in moved.lengths) == pytest.approx(moved.score_difference)


@pytest.mark.parametrize("rule", ["mean", "pooled", "jackknife", "best_each"])
def test_without_a_best_reference_the_best_by_f_is_taken(rule):
    systems, references = odd(*systems_of(ENGLISH))

    examination, best = (examine_systems(systems, references, Rouge(multi_reference=each)) for each in (rule, "best"))

    assert examination.reference_rule == "best"
    assert (examination.systems, examination.moved) == (best.systems, best.moved)


def test_moved_units_are_the_differences_of_each_sample():
    systems, references = systems_of(CHINESE)
    rouge = Rouge("zh_char", scale=100)
    examination = examine_systems(systems, references, rouge, **EVERY)

    for moved in examination.moved:
        expected = defaultdict(lambda: [0, 0, []])
        for row, texts in enumerate(references):
            first, second = (slow_counts(rouge, systems[name][row], texts, int(moved.key[-1]))[2] for name in "ab")
            for side, change in enumerate((first - second, second - first)):
                for unit, n in change.items():
                    expected[unit][side] += n
                    expected[unit][2].append(row)
        shown = {
            each.tokens: [each.gained, each.lost, list(each.samples)] for each in moved.units_gained + moved.units_lost
        }
        assert shown == {unit: numbers for unit, numbers in expected.items() if numbers[0] != numbers[1]}
        scores = [rouge.score(systems[name], references, rouge_types=[moved.key])[moved.key] for name in "ab"]
        change = (scores[0] - scores[1]) / len(references)
        assert moved.score_difference == pytest.approx(scores[0].mean() - scores[1].mean())
        assert [each.part for each in moved.samples_gained] == pytest.approx(sorted(change[change > 0])[::-1][:10])
        for each in moved.samples_gained + moved.samples_lost:
            assert each.part == pytest.approx(change[each.sample])


def test_buckets_are_by_the_frequency_in_all_references():
    references = [["a a b", "c c"], ["a d"], ["a a"]]
    (system,) = examine_systems({"s": ["a b x", "d", "a"]}, references, Rouge()).systems

    assert [
        (each.label, each.n_tokens, each.hits, each.reference_total, each.prediction_total, each.samples)
        for each in system.buckets
    ] == [
        ("0", 1, 0, 0, 1, (0,)),
        ("1", 2, 2, 2, 2, ()),  # b and d, of which nothing is missed
        ("2-4", 0, 0, 0, 0, ()),  # c, which is in a reference that no prediction is compared with
        ("5-19", 1, 2, 5, 2, (0, 1, 2)),
        ("20-99", 0, 0, 0, 0, ()),
        ("100+", 0, 0, 0, 0, ()),
    ]
    assert [each.n_samples for each in system.buckets] == [1, 0, 0, 3, 0, 0]
    assert [each.recall for each in system.buckets] == [None, 1, None, 0.4, None, None]


def test_parts_are_of_the_samples_that_both_systems_have():
    systems, references = {"a": ["x y", "", "b c"], "b": ["x", "y", "q"]}, ["x y", "y", "b c d"]
    rouge = Rouge(rouge_types=["rouge1"], empty="skip")

    (moved, *_) = examine_systems(systems, references, rouge).moved
    (pair,) = compare_systems(systems, references, rouge, n_resamples=10).pairs

    assert moved.score_difference == pytest.approx(pair.difference)
    assert sum(each.part for each in moved.samples_gained) == pytest.approx(pair.difference)


def test_lists_are_cut_where_asked_and_totals_are_not():
    systems, references = systems_of(ENGLISH)
    (short, _), (whole, _) = (
        examine_systems(systems, references, **options).systems for options in ({"most": 3, "most_samples": 2}, EVERY)
    )

    for few, every in zip(short.units, whole.units, strict=True):
        assert list(few.missed) == [replace(each, samples=each.samples[:2]) for each in every.missed[:3]]
        assert (len(few.added), few.n_missed) == (3, len(every.missed))


def test_of_more_than_four_systems_neighbours_and_the_first_are_compared():
    systems, references = systems_of(ENGLISH)
    many = {f"s{n}": [text[: 20 + 10 * n] for text in systems["a"]] for n in range(6)}

    moved = examine_systems(many, references).moved

    pairs = {(each.first, each.second) for each in moved}
    assert pairs == {("s0", f"s{n}") for n in range(1, 6)} | {(f"s{n}", f"s{n + 1}") for n in range(5)}
    assert len(moved) == 2 * len(pairs)
    for each in moved:
        two = examine_systems({name: many[name] for name in (each.first, each.second)}, references)
        assert each in two.moved


def test_what_is_refused():
    with pytest.raises(TypeError, match="give a mapping"):
        examine_systems(["a"], ["a"])
    with pytest.raises(ValueError, match="systems is empty"):
        examine_systems({}, ["a"])
    with pytest.raises(ValueError, match="most is 0"):
        examine_systems({"s": ["a"]}, ["a"], most=0)
    texts = TokenRows(np.zeros(0, np.int64), np.zeros(5, np.int64))
    with pytest.raises(ValueError, match="4 samples with 4000000000 different tokens are too many"):
        unit_table(texts, texts, np.arange(4), np.zeros(4, bool), 2, 4_000_000_000, False)
