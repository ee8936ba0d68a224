"""Near duplicates, nearest texts and pairs above a bound: against every pair, counted without any bound."""

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from peer_packages import peer_file

from polyrouge import Rouge, RougeWarning
from polyrouge.beyond.pairs import Pool, deduplicate, nearest, pairs_above, pairwise
from polyrouge.counting.compiled.kernels import is_built

ENGINES = ["plain", "compiled"] if is_built() else ["plain"]
needs_kernels = pytest.mark.skipif(not is_built(), reason="the kernels are not built")

KEYS = [
    f"{name}{measure}" for name in ("rouge1", "rouge2", "rouge3", "rougeL") for measure in ("", "_precision", "_recall")
]
OTHER_KEYS = ["rougeLsum", "rougeW_recall", "rougeS", "rougeSU4_precision"]  # for which there is no index
BOUNDS = [-1.0, 0.0, 0.1, 1 / 3, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.9, 1.0]
CONVENTIONS = ["default", "rouge_score", "zh_char", "pltrdy", "rouge_chinese", "longbench", "torchmetrics"]


def all_scores(predictions, references, key, convention, **options):
    """float64[n, n] by one call for all pairs."""
    pairs = [(one, other) for one in predictions for other in references]
    name, _, measure = key.partition("_")
    metric = Rouge(convention, rouge_types=[name], output="all", on_error="score", **options)
    scores = metric.score(*map(list, zip(*pairs, strict=True)))[f"{name}_{measure}" if measure else name]
    return scores.reshape(len(predictions), len(references))


def kept_by_loop(scores, above):
    """The filter of Self-Instruct, over a matrix of scores: rows kept, and for each the first it is similar to."""
    kept, similar = [], []
    for row in range(len(scores)):
        first = next((other for other in kept if scores[row, other] > above), -1)
        similar.append(first)
        if first < 0:
            kept.append(row)
    return kept, similar


def texts_of(seed, n, longest, vocabulary):
    """Texts of few words, many of them changed copies of others."""
    rng = random.Random(seed)
    words = [f"w{number}" for number in range(vocabulary)]
    texts = []
    for _ in range(n):
        text = rng.choices(words, k=rng.randint(0, longest))
        if texts and rng.random() < 0.6:
            text = rng.choice(texts).split()
            for _ in range(rng.randint(0, 1 + len(text) // 4)):
                place = rng.randint(0, len(text))
                text[place : place + rng.randint(0, 1)] = rng.choices(words, k=rng.randint(0, 1))
        texts.append(" ".join(text[:longest]))
    return texts


@pytest.mark.filterwarnings("ignore:ngram_counts:polyrouge.errors.RougeWarning")
@pytest.mark.parametrize("engine", ENGINES)
@given(
    seed=st.integers(0, 2**32),
    shape=st.sampled_from([(30, 8, 3), (40, 20, 12), (12, 70, 5), (8, 140, 4)]),
    key=st.sampled_from([*KEYS, *OTHER_KEYS]),
    above=st.sampled_from(BOUNDS) | st.floats(0, 1),
    convention=st.sampled_from(CONVENTIONS),
    ngram_counts=st.sampled_from(["multiset", "set"]),
    empty=st.sampled_from(["zero", "one_if_both", "skip"]),
    threads=st.sampled_from([1, 2]),
)
@example(1, (30, 8, 3), "rougeL", 0.7, "rouge_score", "multiset", "one_if_both", 2)
@settings(deadline=None)
def test_as_if_every_pair_were_counted(engine, seed, shape, key, above, convention, ngram_counts, empty, threads):
    texts = texts_of(seed, *shape)
    options = {"tool": {"ngram_counts": ngram_counts}, "empty": empty, "engine": engine, "threads": threads}
    scores = all_scores(texts, texts, key, convention, **options)
    rouge = Rouge(convention, **options, on_error="score")

    kept, similar = kept_by_loop(scores, above)
    result = deduplicate(texts, key, above, rouge=rouge)
    assert result.kept.tolist() == kept
    assert result.similar_to.tolist() == [first for first in similar if first >= 0]
    assert result.score.tolist() == [scores[row, first] for row, first in enumerate(similar) if first >= 0]
    pairs = pairs_above(texts, above=above, rouge_type=key, rouge=rouge)
    rows, columns = np.nonzero(np.triu(scores > above, 1))
    assert (pairs.first.tolist(), pairs.second.tolist()) == (rows.tolist(), columns.tolist())
    assert pairs.score.tolist() == scores[rows, columns].tolist()

    n = len(texts) // 2
    pool = Pool(texts[:n], key, above, rouge=rouge)
    added = pool.add(texts[n:])
    behind = deduplicate(texts[n:], key, above, against=texts[:n], rouge=rouge)
    for attribute in ("kept", "dropped", "similar_to", "in_pool", "score"):
        np.testing.assert_array_equal(getattr(added, attribute), getattr(behind, attribute))
    assert pool.texts == texts[:n] + [texts[n:][row] for row in added.kept]


@pytest.mark.parametrize("engine", ENGINES)
@given(
    seed=st.integers(0, 2**32),
    shape=st.sampled_from([(30, 8, 3), (40, 20, 12), (12, 70, 5)]),
    key=st.sampled_from([*KEYS, "rougeLsum", "rougeSU4_recall"]),
    k=st.sampled_from([1, 3, 50]),
    at_least=st.sampled_from([-1.0, 0.0, 1e-9, 0.3, 0.5, 1.0]),
    convention=st.sampled_from(["default", "zh_char", "torchmetrics", "lcsts"]),
    empty=st.sampled_from(["zero", "one_if_both", "skip"]),
)
@settings(deadline=None)
def test_nearest_are_the_first_of_all_in_order_of_score(engine, seed, shape, key, k, at_least, convention, empty):
    texts = texts_of(seed, *shape)
    queries, corpus = texts[::3], texts[:20]
    scores = all_scores(queries, corpus, key, convention, empty=empty, engine=engine)
    rouge = Rouge(convention, empty=empty, engine=engine, on_error="score")
    found = nearest(queries, corpus, k, at_least, rouge_type=key, rouge=rouge)
    for row, of_query in enumerate(scores):
        order = sorted((-score, place) for place, score in enumerate(of_query) if score >= at_least)[:k]
        none = [-1] * (k - len(order))
        assert found.indices[row].tolist() == [place for _, place in order] + none
        assert found.scores[row][: len(order)].tolist() == [-score for score, _ in order]
        assert np.isnan(found.scores[row][len(order) :]).all()


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")  # of Chinese among English texts
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "convention",
    [
        "default",
        "zh_word",
        "rouge_chinese",
        "llama_factory",
        "lawrouge",
        pytest.param("sumeval", marks=pytest.mark.peers),
    ],
)
def test_pairwise_is_the_scores_of_all_pairs(engine, convention):
    options = {"output": "all", "engine": engine}
    if convention == "sumeval":  # which reads predictions and references by different rules
        tables = str(peer_file("sumeval", "sumeval/metrics/lang/data"))
        options |= {"use_stemmer": True, "tool": {"word_tables": tables}}
    predictions = ["The cat sat.\nIt slept.", "今天天气很好。", "running cats run"]
    references = ["A cat was sitting.\nIt slept.", "今天天气不错。明天下雨。", "the cat ran"]
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4"]
    matrices = pairwise(predictions, references, rouge_types=types, rouge=Rouge(convention, **options))
    pairs = [(one, other) for one in predictions for other in references]
    expected = Rouge(convention, rouge_types=types, **options).score(*map(list, zip(*pairs, strict=True)))
    assert {key: matrix.ravel().tolist() for key, matrix in matrices.items()} == {
        key: column.tolist() for key, column in expected.items()
    }


def test_scores_are_those_that_the_convention_prints():
    texts = ["今天天气很好", "今天天气不错", "今天天气很好啊"]
    printed = Rouge("llama_factory", rouge_types=["rouge1"]).score([texts[2]], [texts[0]])["rouge1"]
    result = deduplicate(texts, "rouge1", 70, rouge="llama_factory")
    assert (result.kept.tolist(), result.score.tolist()) == ([0, 1], printed.tolist())
    assert printed[0] == round(printed[0], 4) > 70


def test_nothing_is_in_nothing():
    assert deduplicate([]).kept.tolist() == []
    assert deduplicate([], against=["a"]).kept.tolist() == []
    assert nearest([], ["a"]).indices.shape == (0, 5)
    assert nearest(["a"], []).indices.tolist() == [[-1] * 5]
    assert pairs_above([]).first.tolist() == []
    assert pairwise([])["rougeL"].shape == (0, 0)
    assert deduplicate(["", "", "a"]).kept.tolist() == [0, 1, 2]
    assert deduplicate(["", "", "a"], rouge=Rouge(empty="one_if_both")).kept.tolist() == [0, 2]


@pytest.mark.parametrize(
    "rouge", [Rouge(empty="error"), Rouge("rouge_chinese", on_error="raise")], ids=["empty", "raise"]
)
def test_what_is_refused_is_named(rouge):
    for call, message in (
        (lambda: deduplicate(["a", ""], rouge=rouge), r"texts\[1\] has no tokens"),
        (lambda: Pool(rouge=rouge).add(["a", ""]), r"texts\[1\] has no tokens"),
        (lambda: nearest(["a"], ["b", ""], rouge=rouge), r"corpus\[1\] has no tokens"),
        (lambda: pairwise(["a"], ["", "b"], rouge=rouge), r"second\[0\] has no tokens"),
        (lambda: nearest(["a"], ["b"], k=0), "k is 0"),
        (lambda: deduplicate(["a"], above=10**400), "above is 1000"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_a_refused_text_adds_nothing():
    pool = Pool(["a"])
    with pytest.raises(TypeError, match=r"texts\[1\] is None"):
        pool.add(["b", None])
    assert pool.texts == ["a"]


def test_texts_that_lose_their_letters_are_warned_of():
    texts = ["今天天气很好", "今天天气不错"]
    pool = Pool(rouge="rouge_score")
    for call in (pool.add, lambda texts: deduplicate(texts, rouge="rouge_score")):
        with pytest.warns(RougeWarning, match="drops most letters"):
            call(texts)
    pool.add(texts)  # once is enough
    with pytest.warns(RougeWarning, match="splits at blanks"):
        nearest(["今天天气很好今天天气不错"], ["今天天气很好"], rouge=Rouge(tokenizer="space"))


@needs_kernels
def test_progress_is_told_and_an_error_in_it_ends_the_work():
    told = []
    texts = texts_of(3, 5000, 9, 300)
    deduplicate(texts, progress=lambda *state: told.append(state))
    assert told[-1] == ("deduplicating", 5000, 5000)

    def interrupt(*_state):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        deduplicate(texts, progress=interrupt)
