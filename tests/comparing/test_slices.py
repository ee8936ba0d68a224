"""Slices: their numbers are those of compare_systems, corrected for how many there are."""

import json
from pathlib import Path

import pytest

from polyrouge import Rouge, compare_slices, compare_systems

ROOT = Path(__file__).resolve().parents[2]
ROWS = [json.loads(line) for line in (ROOT / "examples" / "zh_news.jsonl").read_text(encoding="utf-8").splitlines()]
A, B, REFERENCES = ([row[name] for row in ROWS] for name in ("prediction", "prediction_b", "references"))
TOPICS = [row["document_topic"] for row in ROWS]
ROUGE = Rouge("zh_char", rouge_types=["rouge1", "rougeL"])

pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def test_each_slice_has_the_numbers_of_compare_systems():
    systems = {"b": B, "a": A, "short": [text[:9] for text in A]}

    found = compare_slices(systems, REFERENCES, {"topic": TOPICS}, ROUGE, n_resamples=500)

    labels = {topic for topic in TOPICS if TOPICS.count(topic) > 1}
    assert {each.label for each in found} == labels
    assert len(found) == len(labels) * 3 * 2
    for label in labels:
        rows = [row for row, topic in enumerate(TOPICS) if topic == label]
        expected = compare_systems(
            {name: [texts[row] for row in rows] for name, texts in systems.items()},
            [REFERENCES[row] for row in rows],
            ROUGE,
            n_resamples=500,
        )
        mine = {(each.pair.first, each.pair.second, each.pair.key): each for each in found if each.label == label}
        for pair in expected.pairs:
            each = mine[pair.first, pair.second, pair.key]
            assert each.pair == pair
            assert each.n_samples == len(rows)
            means = expected.means[:, expected.keys.index(pair.key)]
            assert each.first_mean == means[expected.systems.index(pair.first)]
            assert each.second_mean == means[expected.systems.index(pair.second)]


def test_where_the_first_loses_most_comes_first_and_p_is_corrected_over_all():
    found = compare_slices({"b": B, "a": A}, REFERENCES, {"topic": TOPICS}, ROUGE, n_resamples=500)

    differences = [each.pair.difference for each in found]
    assert differences == sorted(differences)
    assert differences[0] < 0
    for key in ("rouge1", "rougeL"):
        of_key = sorted((each for each in found if each.pair.key == key), key=lambda each: each.pair.p_randomization)
        highest = 0.0
        for place, each in enumerate(of_key):
            highest = max(highest, min(1.0, each.pair.p_randomization * (len(of_key) - place)))
            assert each.p_holm == pytest.approx(highest)


def test_numbers_of_many_values_are_cut_at_their_quartiles():
    numbers = [float(row) for row in range(len(ROWS))]
    numbers[0] = float("nan")

    found = compare_slices({"a": A, "b": B}, REFERENCES, {"n": numbers}, ROUGE, n_resamples=100)

    sizes = {each.label: each.n_samples for each in found}
    assert len(sizes) == 4
    assert sum(sizes.values()) == len(ROWS) - 1
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_few_numbers_and_other_values_are_slices_by_themselves():
    column = [1, 2, None, True] * 8 + ["x", "y"]

    found = compare_slices({"a": A, "b": B}, REFERENCES, {"c": column}, ROUGE, n_resamples=100)

    assert {each.label: each.n_samples for each in found} == {"1": 8, "2": 8, "True": 8}


def test_without_columns_slices_are_by_the_references():
    found = compare_slices({"a": A, "b": B}, REFERENCES, rouge=ROUGE, n_resamples=100)

    assert {each.column for each in found} == {"reference length", "references"}
    assert sum(each.n_samples for each in found if (each.column, each.pair.key) == ("reference length", "rouge1")) == 34


def test_a_column_of_another_length_is_refused():
    with pytest.raises(ValueError, match="'topic' has 2 values but there are 34 samples"):
        compare_slices({"a": A, "b": B}, REFERENCES, {"topic": ["x", "y"]}, ROUGE)
