"""Two systems compared by partial results that were made apart."""

import numpy as np
import pyarrow as pa
import pytest
from arrow_rows import table

from polyrouge import Rouge, compare_systems
from polyrouge.arrow import TableScorer, compare_partials

SETTINGS = {"rouge_types": ["rouge1", "rougeL"], "confidence": 0.95, "interval": "poisson", "seed": 3}
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def two_systems(n=300):
    """The same rows with two predictions; the second system is worse on most."""
    rows = table(n)
    predictions = enumerate(rows["prediction"].to_pylist())
    worse = [text if number % 3 == 0 else text[: len(text) // 2] for number, text in predictions]
    return rows, rows.set_column(1, "prediction", pa.array(worse))


def test_agrees_with_the_comparison_of_all_scores():
    first, second = two_systems()
    scorer = TableScorer(**SETTINGS, id_column="id")  # some rows have the same references
    pairs = compare_partials(scorer.partial(first), scorer.partial(second))
    systems = {name: rows["prediction"].to_pylist() for name, rows in (("a", first), ("b", second))}
    rouge = Rouge(rouge_types=["rouge1", "rougeL"])
    expected = compare_systems(systems, first["references"].to_pylist(), rouge, n_resamples=4000)
    for pair, other in zip(pairs, expected.pairs, strict=True):
        assert (pair.first, pair.second, pair.key) == (0, 1, other.key)
        assert pair.difference == pytest.approx(other.difference, abs=1e-12)
        assert pair.difference > 0
        width = other.high - other.low
        assert pair.low == pytest.approx(other.low, abs=0.15 * width)
        assert pair.high == pytest.approx(other.high, abs=0.15 * width)
        assert pair.p == pair.p_holm == 1 / 1001


def test_any_split_of_each_system_gives_the_same():
    first, second = two_systems()
    scorer = TableScorer(**SETTINGS)
    whole = compare_partials(scorer.partial(first), scorer.partial(second))
    parts = [scorer.partial(first[start : start + 100]) for start in (200, 0, 100)]
    order = np.random.default_rng(0).permutation(len(second))
    assert compare_partials(parts, [scorer.partial(second.take(order[half::2])) for half in (0, 1)]) == whole


def test_the_same_system_has_no_difference():
    rows, _ = two_systems(50)
    partial = TableScorer(**SETTINGS).partial(rows)
    for pair in compare_partials(partial, partial):
        assert (pair.difference, pair.low, pair.high, pair.p) == (0, 0, 0, 1)


def test_several_systems_are_compared_pair_by_pair():
    first, second = two_systems(60)
    scorer = TableScorer(**SETTINGS, scale=100)
    partials = [scorer.partial(rows) for rows in (first, second, first)]
    pairs = compare_partials(*partials)
    assert [(pair.first, pair.second) for pair in pairs[::2]] == [(0, 1), (0, 2), (1, 2)]
    assert pairs[0].difference == -pairs[4].difference
    one, other, _ = (partial.result()["rouge1"] for partial in partials)
    assert pairs[0].difference == pytest.approx(one - other, abs=1e-9)
    assert all(pair.p_holm >= pair.p for pair in pairs)


def test_other_rows_are_refused():
    first, second = two_systems(60)
    partial = TableScorer(**SETTINGS).partial
    by_id = TableScorer(**SETTINGS, id_column="id").partial
    skipping = TableScorer(**SETTINGS, empty="skip").partial
    renamed = second.set_column(0, "id", second["prediction"])
    blank = second.set_column(1, "prediction", pa.array(["", *second["prediction"].to_pylist()[1:]]))
    for one, other, message in (
        (partial(first), partial(second[:59]), "one has 60 rows, the other 59"),
        (partial(first), partial(pa.concat_tables([second[:59], second[:1]])), "their references differ"),
        (partial(first), by_id(second), "id_column, the other without"),
        (by_id(first), by_id(renamed), "their ids differ"),
        (partial(first), TableScorer(**{**SETTINGS, "seed": 4}).partial(second), r"seed:3 and seed:4"),
        (TableScorer().partial(first), TableScorer().partial(second), r"give confidence=0\.95, interval='poisson'"),
        (skipping(second), skipping(blank), "leaves out other rows"),
    ):
        with pytest.raises(ValueError, match=message):
            compare_partials(one, other)


def test_comparing_where_all_scores_are_at_hand_has_its_own_intervals():
    with pytest.raises(ValueError, match="compare_partials"):
        compare_systems({"a": ["x", "y"], "b": ["x", "z"]}, ["x", "y"], Rouge(interval="poisson"))
