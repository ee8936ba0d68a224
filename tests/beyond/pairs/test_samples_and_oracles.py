"""Consensus and diversity of samples, and oracle sentences: against what their definitions say."""

import itertools
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyrouge import Rouge
from polyrouge.beyond.pairs import consensus, deduplicate, diversity, extractive_oracle, oracle_batch
from polyrouge.counting.compiled.kernels import is_built

needs_kernels = pytest.mark.skipif(not is_built(), reason="the kernels are not built")
SAMPLES = [
    ["the cat sat on the mat", "the cat sat", "a dog ran home", "a cat sat on a mat"],
    ["今天天气很好", "今天天气不错"],
    ["", "a b", "b a"],
]


def score(prediction, reference, key="rougeL", **options):
    name, _, _ = key.partition("_")
    return Rouge(rouge_types=[name], output="all", **options).compute([prediction], [reference])[key]


@pytest.mark.parametrize("key", ["rougeL", "rouge1_recall", "rougeLsum", "rougeW_precision"])
def test_consensus_is_the_mean_over_all_candidates(key):
    weights = [[1, 2, 3, 4], [0.5, 0.5], [0, 1, 0]]
    for given_weights in (None, weights):
        found = consensus(SAMPLES, given_weights, rouge_type=key)
        for number, candidates in enumerate(SAMPLES):
            own = [1] * len(candidates) if given_weights is None else weights[number]
            expected = [
                sum(weight * score(one, other, key) for weight, other in zip(own, candidates, strict=True)) / sum(own)
                for one in candidates
            ]
            np.testing.assert_allclose(found.expected[number], expected, rtol=1e-14)
            assert found.best[number] == found.expected[number].argmax()
            assert found.texts[number] == candidates[found.best[number]]


@pytest.mark.parametrize("key", ["rougeL", "rouge2_recall"])
@pytest.mark.parametrize("rule", ["best", "mean", "pooled"])
def test_diversity_is_over_all_other_samples(key, rule):
    found = diversity(SAMPLES, rouge_type=key, rouge=Rouge(multi_reference=rule))
    for number, samples in enumerate(SAMPLES):
        pairs = [score(one, other, key) for one, other in itertools.permutations(samples, 2)]
        assert found.mean_pairwise[number] == pytest.approx(np.mean(pairs), rel=1e-14)
        own = [
            score(sample, [*samples[:place], *samples[place + 1 :]], key, multi_reference=rule)
            for place, sample in enumerate(samples)
        ]
        assert found.self_rouge[number] == pytest.approx(np.mean(own), rel=1e-14)


def test_many_questions_are_counted_in_parts(monkeypatch):
    whole = consensus(SAMPLES * 20)
    monkeypatch.setattr("polyrouge.beyond.pairs.samples._PAIRS_AT_ONCE", 10)
    parts = consensus(SAMPLES * 20)
    assert [each.tolist() for each in whole.expected] == [each.tolist() for each in parts.expected]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: consensus([["a"], []]), r"candidates\[1\] has 0 texts; give at least 1"),
        (lambda: diversity([["a"]]), r"samples\[0\] has 1 texts; give at least 2"),
        (lambda: consensus([["a", "b"]], [[1]]), r"weights\[0\] is \[1\] \(list\); give 2 numbers"),
        (lambda: consensus([["a", "b"]], [[-1, 2]]), "at least 0"),
        (lambda: consensus([["a", "b"]], [[0, 0]]), "not all 0"),
        (lambda: consensus([["a"]], [[1], [2]]), "1 rows of candidates but 2 of weights"),
        (lambda: consensus([["a"], ["b", ""]], rouge=Rouge(empty="error")), r"candidates\[1\]\[1\] has no tokens"),
        (lambda: extractive_oracle(["a"], "b", method="best"), "Unknown method 'best'"),
        (lambda: extractive_oracle(["a"], []), "reference is empty"),
        (lambda: oracle_batch({"d": ["a"], "s": [[]]}, "d", "s"), r"s\[0\] is empty"),
        (lambda: oracle_batch({"d": ["a"], "s": []}, "d", "s"), "1 rows of d but 0 of s"),
        (lambda: extractive_oracle(["a"] * 300, "b", method="exact"), r"300 sentences have .* sets"),
    ],
)
def test_what_is_refused_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def plain_greedy(sentences, total_of, k):
    """Greedy choice as Nallapati et al. (2017) put it."""
    chosen = []
    while len(chosen) < k:
        best = total_of(sorted(chosen)) if chosen else 0.0
        totals = {index: total_of(sorted([*chosen, index])) for index in range(len(sentences)) if index not in chosen}
        if not totals or max(totals.values()) <= best:
            break
        chosen.append(max(totals, key=totals.get))
    return sorted(chosen)


@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from(["default", "zh_char", "pltrdy", "torchmetrics"]))
@settings(deadline=None, max_examples=40)
def test_greedy_and_exact_are_what_they_say(seed, k, convention):
    rng = random.Random(seed)
    words = [f"w{number}" for number in range(12)]
    documents = [
        [" ".join(rng.choices(words, k=rng.randint(0, 6))) for _ in range(rng.randint(1, 6))]
        for _ in range(rng.randint(1, 3))
    ]
    summaries = [" ".join(rng.choices(words, k=12)) for _ in documents]
    metric = Rouge(convention, rouge_types=["rouge1", "rouge2"], on_error="score")
    options = {"k": k, "rouge": Rouge(convention, on_error="score")}
    greedy = []
    for sentences, reference in zip(documents, summaries, strict=True):

        def total_of(chosen, sentences=sentences, reference=reference):
            return sum(metric.compute(["\n".join(sentences[index] for index in chosen)], [reference]).values())

        greedy.append(plain_greedy(sentences, total_of, k))
        assert extractive_oracle(sentences, reference, **options).indices == greedy[-1]
        sets = [s for size in range(1, k + 1) for s in itertools.combinations(range(len(sentences)), size)]
        best = max(sets, key=total_of)
        exact = extractive_oracle(sentences, reference, method="exact", **options)
        assert exact.indices == (list(best) if total_of(best) > 0 else [])
        assert sum(exact.scores.values()) == pytest.approx(max(total_of(best), 0.0))
    assert oracle_batch({"d": documents, "s": summaries}, "d", "s", **options) == {"oracle": greedy}


def presumm_total(sentences, reference, chosen):
    """ROUGE-1 and ROUGE-2 of sets of n-grams, none across sentences, with PreSumm's 1e-8."""
    clean = [re.sub("[^a-zA-Z0-9 ]", "", text).split() for text in [*sentences, reference]]
    total = 0.0
    for order in (1, 2):
        grams = [{tuple(words[i : i + order]) for i in range(len(words) - order + 1)} for words in clean]
        ours = set().union(*(grams[index] for index in chosen))
        hits = len(ours & grams[-1])
        precision, recall = (hits / len(side) if side else 0.0 for side in (ours, grams[-1]))
        total += 2.0 * ((precision * recall) / (precision + recall + 1e-8))
    return total


PIECES = [*"a b A don't U.S. - 12 \x00 é 今天 😀".split(" "), "\n", "w" * 17 + "x", "w" * 17 + "y", "w" * 40]
TEXTS = st.lists(st.sampled_from([*PIECES, " ", " ", " "]), max_size=25).map("".join)


@pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")  # of blank texts
@pytest.mark.parametrize("engine", ["plain", pytest.param("compiled", marks=needs_kernels)])
@given(st.lists(st.tuples(st.lists(TEXTS, max_size=8), TEXTS), max_size=4), st.integers(1, 4))
@settings(deadline=None)
def test_presumm_is_what_it_says(engine, rows, k):
    expected = [plain_greedy(row[0], lambda chosen, row=row: presumm_total(*row, chosen), k) for row in rows]
    batch = {"d": [row[0] for row in rows], "s": [row[1] for row in rows]}
    options = {"k": k, "method": "presumm", "rouge": Rouge(engine=engine)}
    assert oracle_batch(batch, "d", "s", **options) == {"oracle": expected}
    assert [extractive_oracle(*row, **options).indices for row in rows] == expected


def test_documents_are_cut_into_sentences():
    english = extractive_oracle("It rained. Dr. Smith sat on the mat. A dog ran.", "Dr. Smith sat.", k=2)
    assert (english.indices, english.sentences[1]) == ([1], "Dr. Smith sat on the mat.")
    assert extractive_oracle("", "a").indices == []
    assert extractive_oracle(["a b", "c"], ["x y", "c"], k=1).indices == [1]


def test_a_column_for_data_sets():
    batch = {"document": ["A dog ran. The cat sat.", "It rained."], "summary": ["The cat sat.", "It snowed."]}
    assert oracle_batch(batch, k=1, column="labels") == {"labels": [[1], [0]]}
    with pytest.raises(KeyError, match="There is no column 'document'"):
        oracle_batch({"text": ["a"]})


def test_types_and_weights_of_the_metric_do_not_count():
    rouge = Rouge(rouge_types=["rougeW"], weights=[3.0], scale=100)
    assert extractive_oracle(["a", "b"], "b", 1, rouge=rouge).scores == {"rouge1": 100.0, "rouge2": 0.0}
    assert deduplicate(["a b", "a b c"], above=70, rouge=rouge).score.tolist() == [80.0]
    assert rouge.settings.rouge_types == ("rougeW",)
    document = ["今天天气很好", "明天下雨"]  # lawrouge has weights for three types
    assert list(extractive_oracle(document, "明天下雨", 1, rouge="lawrouge").indices) == [1]
    assert deduplicate([*document, document[0]], rouge="lawrouge").kept.tolist() == [0, 1]
