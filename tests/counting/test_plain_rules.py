"""What the plain engine counts under each rule of ROUGE-L and ROUGE-W, and which pairs it calls refused."""

from collections import Counter

import numpy as np
import pytest

from polyrouge import Rouge
from polyrouge.counting.counts import Counts, concatenated
from polyrouge.counting.plain.engine import count_pair, refusal_of
from polyrouge.counting.plain.lcs import lcs_length, pairwise_lcs, type_union_lcs, union_lcs_hits
from polyrouge.counting.plain.weighted_lcs import weighted_lcs
from polyrouge.documents.document import Document
from polyrouge.settings.rouge_settings import RougeSettings

PREDICTION, REFERENCE = [[*"abca"], [*"dba"]], [[*"bad"], [*"acdbe"]]
SUMMARY_LEVEL = (union_lcs_hits(PREDICTION, REFERENCE), 7, 8)


def counted(name, prediction, reference, **changes):
    rules = RougeSettings(rouge_types=[name]).count_rules._replace(**changes)
    return count_pair(prediction, reference, rules)[0]


@pytest.mark.parametrize("lcs", ["sentence", "type_union", "pairwise_sum"])
def test_each_rule_has_its_own_lcs(lcs):
    flat_prediction, flat_reference = sum(PREDICTION, []), sum(REFERENCE, [])  # noqa: RUF017 two sentences
    documents = Document(flat_prediction, PREDICTION), Document(flat_reference, REFERENCE)
    expected = {
        "sentence": (lcs_length(flat_prediction, flat_reference), 7, 8),
        "type_union": type_union_lcs(PREDICTION, REFERENCE),
        "pairwise_sum": pairwise_lcs(PREDICTION, REFERENCE),
        "union": SUMMARY_LEVEL,
    }

    assert counted("rougeL", *documents, lcs=lcs) == expected[lcs]
    assert counted("rougeLsum", *documents, lcs=lcs) == SUMMARY_LEVEL
    assert len(set(expected.values())) == 4


def counted155(prediction, reference, **changes):
    return counted("rougeW", prediction, reference, definition="rouge155", **changes)


def test_hits_are_clipped_by_the_text_where_its_sentences_hold_more():
    """ROUGE-1.5.5 under -b cuts the text at a byte, and its sentences elsewhere."""
    prediction, reference = Document(["a", "b"], PREDICTION), Document(["b", "a", "d"], REFERENCE)
    clip = Counter(prediction.tokens), Counter(reference.tokens)

    weighted = counted155(prediction, reference, clips_by_text=True)

    assert counted("rougeLsum", prediction, reference, clips_by_text=True) == (2, 2, 8)
    assert counted("rougeLsum", prediction, reference) == SUMMARY_LEVEL
    assert weighted == weighted_lcs(PREDICTION, REFERENCE, 1.2, clip=clip)
    assert weighted != counted155(prediction, reference)
    sides = Document([*"abd"], PREDICTION), Document(["a"], REFERENCE)  # the reference has less left
    assert counted("rougeLsum", *sides, clips_by_text=True) == (1, 3, 8)
    assert counted155(*sides, clips_by_text=True)[0] == 1


@pytest.mark.parametrize(
    ("texts", "refuses", "name"),
    [
        (("", ""), (), ""),
        (("a", "a"), ("empty",), ""),
        (("", "a"), ("empty",), "empty"),
        (("a", "."), ("empty",), "empty"),
        ((".", "a"), ("empty_unless_blank",), "empty_unless_blank"),
        ((".", ""), ("empty_unless_blank",), ""),
        ((" ", "a"), ("empty_unless_blank",), ""),
        (("a", "."), ("empty_unless_blank_prediction",), "empty_unless_blank_prediction"),
        ((".", " "), ("empty_unless_blank_prediction",), "empty_unless_blank_prediction"),
        (("\n", "."), ("empty_unless_blank_prediction",), ""),
        (("a", "."), ("rougeW_of_empty_reference",), "rougeW_of_empty_reference"),
        ((".", "a"), ("rougeW_of_empty_reference",), ""),
        (("a " * 991, "b " * 991), ("deep_recursion",), "deep_recursion"),
        (("a " * 400, "b " * 500), ("deep_recursion",), ""),
    ],
)
def test_what_a_tool_raises_an_error_for(texts, refuses, name):
    rules = RougeSettings(rouge_types=["rougeL", "rougeW"]).count_rules._replace(refuses=refuses)
    prediction, reference = (
        Document(tokens, [tokens] if tokens else []) for tokens in ([*text.replace(".", "").split()] for text in texts)
    )

    assert refusal_of(texts, prediction, reference, rules) == name


@pytest.mark.parametrize("refuses", ["rougeW_of_empty_reference", "deep_recursion"])
def test_a_refusal_of_a_type_that_is_not_asked_for_is_none(refuses):
    rules = RougeSettings(rouge_types=["rouge1"]).count_rules._replace(refuses=(refuses,))
    long = ["a"] * 1000

    assert refusal_of(("a", "."), Document(["a"], [["a"]]), Document([], []), rules) == ""
    assert refusal_of(("a", "b"), Document(long, [long]), Document(["b"], [["b"]]), rules) == ""


@pytest.mark.parametrize("has_bases", [True, False])
def test_chunks_as_one_keep_all_that_was_counted(has_bases):
    chunks = [
        Counts(
            counts=np.full((n, 1, 3), float(n)),
            offsets=np.arange(n + 1),
            prediction_tokens=np.full(n, n),
            reference_tokens=np.full(n, 2 * n),
            weighted_bases=np.full(n, 3.0 * n) if has_bases else None,
        )
        for n in (2, 1)
    ]

    whole = concatenated(chunks)

    assert whole.counts.tolist() == [[[2, 2, 2]], [[2, 2, 2]], [[1, 1, 1]]]
    assert whole.offsets.tolist() == [0, 1, 2, 3]
    assert whole.prediction_tokens.tolist() == [2, 2, 1]
    assert whole.reference_tokens.tolist() == [4, 4, 2]
    bases = whole.weighted_bases
    assert (bases is not None and bases.tolist()) == ([6, 6, 3] if has_bases else False)


def test_what_rougew_is_chosen_by_is_kept():
    rouge = Rouge("rouge155", rouge_types=["rouge1", "rougeW"], multi_reference="best_recall", engine="plain")

    bases = rouge.count(["a b c"], [["a b c", "b c"]]).weighted_bases

    assert bases is not None
    assert bases.tolist() == [3.0**rouge.settings.weight, 2.0**rouge.settings.weight]
    assert Rouge("rouge155", rouge_types=["rouge1"], engine="plain").count(["a"], ["a"]).weighted_bases is None
