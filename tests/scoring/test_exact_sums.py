"""Exact sums: every order and every grouping of the numbers gives the same bits, and the right ones."""

import functools
import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from amounts import few_or_many
from chunked_scores import streamed
from hypothesis import given
from hypothesis import strategies as st

from polyrouge import Rouge
from polyrouge.scoring.aggregates import ExactSums, column_means, merged

# Numbers of every size, also those whose sum of two is not a float64, and those that cancel.
numbers = st.one_of(
    st.floats(-1e290, 1e290, allow_nan=False),
    st.floats(0, 1),
    st.integers(0, 2**53).map(float),
    st.sampled_from([0.0, -0.0, 1.0, 2.0**-53, 1e16, -1e16, 5e-324, -5e-324, 2.2e-308, 1e-200, 1e290, -1e290]),
)
columns = st.lists(numbers, max_size=150)


def sums_of(values: list[float]) -> ExactSums:
    sums = ExactSums((1,))
    sums.add(np.array(values).reshape(-1, 1))
    return sums


def rounded_once(values: list[float]) -> float:
    total = sum(map(Fraction, values), start=Fraction(0))
    return total.numerator / total.denominator


@given(columns)
def test_sum_is_correctly_rounded(values):
    assert sums_of(values).values().tolist() == [rounded_once(values)]


@given(columns, st.randoms(use_true_random=False), st.lists(st.integers(0, 150), max_size=6))
def test_order_and_parts_change_nothing(values, rng, cuts):
    shuffled = values.copy()
    rng.shuffle(shuffled)
    bounds = [0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]
    parts = [sums_of(shuffled[start:stop]) for start, stop in itertools.pairwise(bounds)]
    rng.shuffle(parts)
    together = functools.reduce(merged, [None, *parts, None])

    assert isinstance(together, ExactSums)
    assert together == sums_of(values)
    assert together.values().tobytes() == sums_of(values).values().tobytes()


@pytest.mark.parametrize("n", [1, 8192, 8193, 50_000])
def test_many_rows_of_several_columns(n):
    generator = np.random.default_rng(n)
    rows = generator.random((n, 2, 3)) ** 9 * 10.0 ** generator.integers(-6, 6, (n, 2, 3))
    rows[:, 0, 1] = 0
    before = rows.copy()
    sums, backwards = ExactSums((2, 3)), ExactSums((2, 3))
    sums.add(rows)
    for part in np.array_split(rows[::-1], 7):
        backwards.add(part)

    assert sums.values().tolist() == [[math.fsum(rows[:, i, j].tolist()) for j in range(3)] for i in range(2)]
    assert rows.tobytes() == before.tobytes()
    assert backwards == sums == ExactSums((2, 3), sums.units)
    assert pickle.loads(pickle.dumps(sums)) == sums  # noqa: S301 our own


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_sum(bad):
    with pytest.raises(ValueError, match="not finite"):
        sums_of([1.0, bad])


def weighted_texts(n: int) -> tuple[list[str], list[list[str]]]:
    """Samples whose weighted counts are no whole numbers, with one to three references."""
    generator = np.random.default_rng(0)

    def text() -> str:
        return " ".join(generator.choice(list("abcdef"), generator.integers(1, 40)))

    return [text() for _ in range(n)], [[text() for _ in range(1 + i % 3)] for i in range(n)]


@pytest.mark.parametrize("rule", ["pooled", "first"])
@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")
@few_or_many(100, 1500)
def test_micro_of_weighted_counts_is_the_same_in_any_order_engine_and_chunks(n, rule):
    predictions, references = weighted_texts(n)
    chosen = {"rouge_types": ["rougeW", "rouge1"], "aggregate": "micro", "multi_reference": rule, "output": "all"}
    results = set()
    for engine, threads in (("plain", 1), ("compiled", 1), ("compiled", 2)):
        rouge = Rouge(engine=engine, threads=threads, **chosen)
        results.add(repr(rouge.compute(predictions, references)))
        results.add(repr(rouge.compute(predictions[::-1], references[::-1])))
        results |= {repr(streamed(rouge, predictions, references, size)) for size in (7, 400)}
    assert len(results) == 1

    counts = Rouge(**{**chosen, "aggregate": "mean"}).count(predictions, references)
    pairs = counts.counts[:, 0] if rule == "pooled" else counts.counts[counts.offsets[:-1], 0]
    hits, _, total = (math.fsum(pairs[:, column].tolist()) for column in range(3))
    assert f"'rougeW_recall': {(hits / total) ** (1 / 1.2)!r}" in results.pop()


@pytest.mark.parametrize("n", [1, 7, 300, 301, 20_000])
def test_means_of_few_and_of_many_rows_are_correctly_rounded(n):
    rows = np.random.default_rng(n).random((n, 4))
    expected = [rounded_once(column) / n for column in rows.T.tolist()]
    assert column_means(rows).tolist() == column_means(rows[::-1]).tolist() == expected
