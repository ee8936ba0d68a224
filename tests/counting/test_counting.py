"""The counting modules against the oracle and case tables from the paper."""

import oracle
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from polyrouge import Rouge
from polyrouge.counting.plain.engine import count_pair
from polyrouge.documents.document import Document
from polyrouge.settings.rouge_settings import RougeSettings


def flat(sentences: list[list[str]]) -> list[str]:
    return [token for sentence in sentences for token in sentence]


def count(name: str, prediction: list[list[str]], reference: list[list[str]], **settings) -> tuple:
    """Counts of one type for texts given as sentences, by the engine itself."""
    documents = [Document(flat(text), text) for text in (prediction, reference)]
    return tuple(count_pair(*documents, RougeSettings(rouge_types=[name], **settings).count_rules)[0])


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n")]


gaps = st.one_of(st.none(), st.integers(0, 6))
weights = st.sampled_from([1.0, 1.2, 1.5, 2.0])
any_tokens = st.one_of(strategies.tokens(), strategies.long_tokens())


@pytest.mark.parametrize(
    ("name", "prediction", "reference", "expected"),
    [
        ("rouge1", "the cat sat", "the cat sat on the mat", (3, 3, 6)),
        ("rouge2", "the cat sat", "the cat sat on the mat", (2, 2, 5)),
        ("rouge1", "the the the cat", "the cat the dog", (3, 4, 4)),  # clipped
        ("rouge3", "a b", "a b", (0, 0, 0)),  # shorter than n
        ("rouge9", "a b c d e f g h i", "a b c d e f g h i", (1, 1, 1)),
        ("rougeL", "A C E", "A B C D E", (3, 3, 5)),
        ("rouge1", "I have a dream that one day", "I have a dream that all men are created equal", (5, 7, 10)),
        # Lin (2004), section 3.1: S1 = police killed the gunman
        ("rougeL", "police kill the gunman", "police killed the gunman", (3, 4, 4)),
        ("rougeL", "the gunman kill police", "police killed the gunman", (2, 4, 4)),
        ("rougeL", "the gunman police killed", "police killed the gunman", (2, 4, 4)),
        # section 3.2: the union of w1 w2 and w1 w3 w5
        ("rougeLsum", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", (4, 10, 5)),
        # section 5: skip-bigrams of police killed the gunman
        ("rougeS", "police kill the gunman", "police killed the gunman", (3, 6, 6)),
        ("rougeS", "the gunman kill police", "police killed the gunman", (1, 6, 6)),
        ("rougeS", "the gunman police killed", "police killed the gunman", (2, 6, 6)),
        ("rougeS", "gunman the killed police", "police killed the gunman", (0, 6, 6)),
        ("rougeS0", "a b c", "a b c", (2, 2, 2)),  # bigrams
        ("rougeS4", "a b c d e f g", "a g", (0, 20, 1)),  # too far apart
        ("rougeSU", "cat", "cat", (1, 1, 1)),
        ("rougeSU4", "a b c", "a b c", (6, 6, 6)),
        # Lin (2004), section 4, with f(k) = k ** 2: consecutive matches are worth more
        ("rougeW", "A B C D H I K", "A B C D E F G", (16, 49, 49)),
        ("rougeW", "A H B K C I D", "A B C D E F G", (4, 49, 49)),
        ("rougeW", "A B\nC", "A B\nC", (9, 9, 9)),  # sentences don't count
    ],
)
def test_worked_examples(name, prediction, reference, expected):
    assert expected == count(name, words(prediction), words(reference), weight=2)


@pytest.mark.parametrize(
    ("name", "prediction", "reference", "expected"),
    [
        ("rougeSU", "cat", "cat", (0, 0, 0)),  # the last unigram is left out
        ("rougeSU4", "a b c", "a b c", (5, 5, 5)),
        ("rougeW", "A B C", "A B C", (9, 9, 81)),  # the reference total is weighted twice
        ("rougeW", "A B\nC", "A B\nC", (5, 9, 25)),  # and is that of sentences
    ],
)
def test_definitions_of_rouge155(name, prediction, reference, expected):
    assert expected == count(name, words(prediction), words(reference), weight=2, tool={"definition": "rouge155"})


@given(any_tokens, any_tokens, st.integers(1, 9))
def test_ngrams_equal_oracle(prediction, reference, n):
    assert oracle.rouge_n(prediction, reference, n) == count(f"rouge{n}", [prediction], [reference])
    assert oracle.rouge_n_set(prediction, reference, n) == count(
        f"rouge{n}", [prediction], [reference], tool={"ngram_counts": "set"}
    )


@given(any_tokens, any_tokens)
def test_lcs_equals_oracle(prediction, reference):
    assert oracle.rouge_l(prediction, reference) == count("rougeL", [prediction], [reference])


@given(strategies.sentences(), strategies.sentences())
def test_union_lcs_equals_oracle(prediction, reference):
    expected = oracle.rouge_l_union(prediction, reference)

    assert expected == count("rougeLsum", prediction, reference)
    assert expected == count("rougeL", prediction, reference, tool={"lcs": "union"})


@given(strategies.long_tokens(), strategies.long_tokens("abcdefghxyz"), strategies.tokens())
def test_union_lcs_of_long_sentences_equals_oracle(first, second, third):
    prediction, reference = [second, third], [first, third]

    assert oracle.rouge_l_union(prediction, reference) == count("rougeLsum", prediction, reference)


@given(strategies.sentences(), strategies.sentences(), weights)
def test_weighted_lcs_equals_oracle(prediction, reference, weight):
    assert oracle.rouge_w(prediction, reference, weight) == count(
        "rougeW", prediction, reference, weight=weight, tool={"definition": "rouge155"}
    )
    assert oracle.rouge_w_paper(flat(prediction), flat(reference), weight) == count(
        "rougeW", prediction, reference, weight=weight
    )


@given(strategies.tokens(20), strategies.tokens(20), gaps)
def test_skip_bigrams_equal_oracle(prediction, reference, gap):
    suffix = "" if gap is None else str(gap)

    assert oracle.rouge_s(prediction, reference, gap) == count(f"rougeS{suffix}", [prediction], [reference])
    assert oracle.rouge_su_paper(prediction, reference, gap) == count(f"rougeSU{suffix}", [prediction], [reference])
    assert oracle.rouge_su(prediction, reference, gap) == count(
        f"rougeSU{suffix}", [prediction], [reference], tool={"definition": "rouge155"}
    )


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_refused_pair_that_has_hits_is_counted_as_nothing(engine):
    deep = "a " * 1000
    rouge = Rouge("pltrdy", rouge_types=["rouge1", "rougeL"], use_aggregator=False, engine=engine)

    scores = rouge.compute([deep, "a"], [deep, "a"], on_error="zero")

    assert scores["rougeL"][0] == scores["rouge1"][0] == 0
    assert scores["rougeL"][1] > 0.99
    assert rouge.compute([deep], [deep], on_error="score")["rougeL"][0] > 0.99
