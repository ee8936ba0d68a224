"""The interval whose draws come from the rows: their distribution, their independence, and that no order moves them."""

import math
import random

import numpy as np
import pytest

from polyrouge import Rouge, RougeSettings
from polyrouge.inputs import SingleReferences, check_inputs
from polyrouge.scoring.poisson import ResampledSums, id_keys, key_sum, mixed, poisson_weights, row_keys
from polyrouge.scoring.results import aggregate_scores
from polyrouge.scoring.sample_scores import score_samples

SETTINGS = {"rouge_types": ["rouge1", "rougeL"], "confidence": 0.9, "interval": "poisson", "n_resamples": 60}
pytestmark = pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")


def keys_of(n, salt=""):
    return id_keys([f"{salt}{row}" for row in range(n)])


def test_weights_are_drawn_from_poisson():
    weights = poisson_weights(keys_of(2000), 0, 1000)
    observed = np.bincount(weights.ravel(), minlength=9)
    expected = np.array([math.exp(-1) / math.factorial(k) for k in range(8)])
    expected = np.append(expected, 1 - expected.sum()) * weights.size
    # Draws of 16 bits: a share is right to 2^-17.
    assert (np.abs(observed - expected) < 5 * np.sqrt(expected) + weights.size * 2**-17).all()
    assert weights.mean() == pytest.approx(1, abs=5 / math.sqrt(weights.size))
    assert weights.var() == pytest.approx(1, abs=0.01)


def test_weights_of_rows_seeds_and_resamples_are_independent():
    weights = poisson_weights(keys_of(300), 1, 400).astype(float)
    of_rows = np.corrcoef(weights)[np.triu_indices(300, 1)]
    assert np.abs(of_rows).max() < 6 / math.sqrt(400)
    assert of_rows.std() == pytest.approx(1 / math.sqrt(400), rel=0.05)
    of_resamples = np.corrcoef(weights.T)[np.triu_indices(400, 1)]
    assert np.abs(of_resamples).max() < 6 / math.sqrt(300)
    other_seed = poisson_weights(keys_of(300), 2, 400).astype(float)
    assert abs(np.corrcoef(weights.ravel(), other_seed.ravel())[0, 1]) < 5 / math.sqrt(weights.size)


def test_words_are_those_of_splitmix64():
    """The first five of seed 1234567, as its reference implementation in C prints them."""
    steps = np.arange(1, 6, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert mixed(np.uint64(1234567) + steps).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_weights_never_change():
    """Partial results of another day and machine must merge."""
    assert keys_of(2).tolist() == [2433068055020994424, 10165427144709991401]
    assert row_keys([["the cat", "a"], ["今天"]]).tolist() == [4965996832351007755, 12927166789634519373]
    assert poisson_weights(keys_of(2), 7, 12).tolist() == [
        [0, 0, 1, 0, 2, 1, 1, 0, 2, 0, 2, 2],
        [2, 3, 2, 1, 1, 0, 0, 1, 0, 1, 1, 2],
    ]
    assert poisson_weights(keys_of(2), 7, 12).dtype == np.uint8


def test_identities_are_those_of_the_references():
    single = ["a", "今天", "", "a"]
    lists = [["a", "b"], ["ab"], ["", "ab"], ["b", "a"], ["a", "b"]]
    assert row_keys(SingleReferences(single)).tolist() == row_keys([[text] for text in single]).tolist()
    assert len(set(row_keys(lists).tolist())) == 4
    assert set(id_keys(single).tolist()).isdisjoint(row_keys([[text] for text in single]).tolist())


def sums_of(scores, keys, n_resamples, seed=0, scale=1.0):
    sums = ResampledSums(scores.shape[1], n_resamples, seed, scale)
    sums.add(scores, keys)
    return sums


def test_sums_are_those_of_the_definition():
    scores, keys = np.random.default_rng(1).random((50, 2)), keys_of(50)
    weights = poisson_weights(keys, 5, 30).astype(float)
    means = weights.T @ scores / weights.sum(axis=0)[:, np.newaxis]
    np.testing.assert_allclose(sums_of(scores, keys, 30, seed=5).means(), means, atol=1e-9)


@pytest.mark.parametrize("scale", [1.0, 100.0, 1e9, 1e-9])
def test_any_order_and_split_gives_the_same_sums(scale):
    scores, keys = scale * np.random.default_rng(2).random((300, 3)), keys_of(300)
    whole = sums_of(scores, keys, 40, scale=scale)
    order = np.random.default_rng(3).permutation(300)
    blocks = [order[start : start + 37] for start in range(0, 300, 37)]
    first, *others = [sums_of(scores[rows], keys[rows], 40, scale=scale) for rows in blocks]
    one_by_one = ResampledSums(3, 40, 0, scale)
    for row in order:
        one_by_one.add(scores[row : row + 1], keys[row : row + 1])
    assert (one_by_one.sums == whole.sums).all()
    assert (sum(others, start=first).sums == whole.sums).all()
    np.testing.assert_allclose(whole.means().mean(axis=0), scores.mean(axis=0), rtol=0.1)


def texts(n=90):
    generator = random.Random(5)
    rows = [" ".join(generator.choices("abcdefgh", k=generator.randrange(1, 12))) for _ in range(2 * n)]
    return rows[:n], [[text, f"{text} a"] for text in rows[n:]]


def test_an_f_of_means_is_resampled_as_one():
    predictions, references = texts()
    settings = RougeSettings(**SETTINGS, aggregate="f_of_means", output="all")
    scores, keys = score_samples(check_inputs(predictions, references), settings).scores, row_keys(references)

    aggregate = aggregate_scores(scores, settings.result_rules, keys=keys)

    means = sums_of(scores.reshape(len(scores), -1), keys, 60).means().reshape(60, 2, 3)
    means[..., 2] = 2 * means[..., 0] * means[..., 1] / (means[..., 0] + means[..., 1])
    low, high = np.quantile(means, [0.05, 0.95], axis=0)
    assert aggregate.low == pytest.approx(low, rel=1e-12)
    assert aggregate.high == pytest.approx(high, rel=1e-12)


def test_compute_does_not_depend_on_the_order_of_the_rows():
    predictions, references = texts()
    rouge = Rouge(**SETTINGS)
    result = rouge.compute(predictions, references)
    order = random.Random(6).sample(range(90), 90)
    assert rouge.compute([predictions[row] for row in order], [references[row] for row in order]) == result
    assert result["rouge1_low"] < result["rouge1"] < result["rouge1_high"]
    plain = Rouge(rouge_types=["rouge1", "rougeL"]).compute(predictions, references)
    assert {name: result[name] for name in plain} == plain
    assert rouge.compute(predictions, references, seed=1) != result


def test_what_it_can_not_do_is_refused():
    with pytest.raises(ValueError, match=r"up to 4,096 times scale; the largest here is 5000"):
        sums_of(np.array([[5000.0]]), keys_of(1), 20)
    keys = keys_of(100)
    empty = keys[~poisson_weights(keys, 0, 1).any(axis=1)][:1]
    with pytest.raises(ValueError, match="give n_resamples=100 or more"):
        sums_of(np.array([[0.5]]), empty, 1).means()
    with pytest.raises(ValueError, match="micro"):
        Rouge(**SETTINGS, aggregate="micro", multi_reference="pooled")
    with pytest.raises(ValueError, match="rouge_score's own interval"):
        Rouge(**SETTINGS, aggregate="bootstrap_median")


def test_sums_of_keys_tell_sets_of_rows_apart():
    keys = keys_of(1000)
    parts = [key_sum(keys[part::7]) for part in range(7)]
    assert sum(parts) == key_sum(keys[::-1])
    assert key_sum(keys[:-1]) != key_sum(keys[1:])
    assert key_sum(np.array([], np.uint64)) == 0
    high, low = (sum(mixed(keys ^ np.uint64(salt)).tolist()) for salt in (0, 0x9E3779B97F4A7C15))
    assert key_sum(keys) == (high << 64) + low


def test_sums_are_whole_numbers_and_scores_of_zero_have_means():
    sums = sums_of(np.zeros((200, 3)), keys_of(200), 50, seed=1)
    assert {type(each) for each in sums.sums.flat} == {int}
    assert sums.means().tolist() == [[0.0] * 3] * 50
