"""Resamples: NumPy's own draws, by either engine."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyrouge.scoring import resamples

IS_COMPILED = resamples.is_built()
SAMPLES = st.one_of(st.integers(1, 300), st.integers(1, 70_000), st.sampled_from([40_000, 65_535, 1 << 16, 65_537]))


@pytest.mark.parametrize("is_built", [IS_COMPILED, False])
@given(
    SAMPLES,
    st.sampled_from([16, 32]),
    st.integers(1, 3),
    st.integers(0, 1 << 14),
    st.integers(0, 1 << 30),
    st.sampled_from([1, 1000]),
)
@example(40_000, 16, 1, 200_000, 3, 1)  # 0.39 of the draws are refused, and no word is spare
def test_draws_are_numpys(is_built, n, bits, n_blocks, at_once, seed, n_spare):
    if bits == 16:
        n = min(n, 1 << 16)
    rows = max(1, at_once // n)
    generator = np.random.default_rng(seed)
    dtype = {16: np.uint16, 32: np.uint32}[bits]
    expected = [generator.integers(n, size=(rows, n), dtype=dtype) for _ in range(n_blocks)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resamples, "is_built", lambda: is_built)
        patch.setattr(resamples, "_DRAWS_AT_ONCE", at_once)
        patch.setattr(resamples, "_SPARE_WORDS", n_spare)
        blocks = list(resamples.draw_counts(n, rows * n_blocks, np.random.default_rng(seed), bits))

    for block, draws in zip(blocks, expected, strict=True):
        np.testing.assert_array_equal(block, [np.bincount(row, minlength=n) for row in draws])


@pytest.mark.parametrize(("n", "n_resamples"), [(2, 1), (2, 10_000), (2_000, 600), (1 << 21, 3)])
def test_so_many_resamples_are_drawn_as_are_asked_for(n, n_resamples):
    sizes = list(resamples.block_sizes(n, n_resamples))

    assert sum(sizes) == n_resamples
    assert min(sizes) > 0
    assert max(sizes) * n <= max(1 << 20, n)


@pytest.mark.parametrize("n", [2, 7, 8, 9, 63, 64, 65, 200, 1000])
def test_halves_are_fair_for_any_number_of_samples(n):
    halves = np.concatenate(list(resamples.random_halves(n, 2000, np.random.default_rng(1))))

    assert halves.shape == (2000, n)
    assert set(np.unique(halves)) == {0, 1}
    assert np.abs(halves.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(2000)  # five standard errors: each sample
    assert abs(float((halves[:, 0] * halves[:, -1]).mean()) - (0.25 if n > 1 else 0.5)) < 5 * 0.433 / np.sqrt(2000)
