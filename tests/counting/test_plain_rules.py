"""Which pairs the plain engine calls refused, and what it keeps of ROUGE-W for the choice of a reference."""

import pytest

from polyrouge import Rouge
from polyrouge.counting import loop
from polyrouge.counting.plain.engine import refusal_of
from polyrouge.documents.document import Document
from polyrouge.settings.rouge_settings import RougeSettings


@pytest.mark.parametrize(
    ("texts", "refuses", "name"),
    [
        (("", ""), "empty", "empty"),
        (("a", "a"), "empty", ""),
        (("", "a"), "empty", "empty"),
        (("a", "."), "empty", "empty"),
        ((".", "a"), "empty_unless_blank", "empty_unless_blank"),
        ((".", ""), "empty_unless_blank", ""),
        ((" ", "a"), "empty_unless_blank", ""),
        (("a", "."), "empty_unless_blank_prediction", "empty_unless_blank_prediction"),
        ((".", " "), "empty_unless_blank_prediction", "empty_unless_blank_prediction"),
        (("\n", "."), "empty_unless_blank_prediction", ""),
        (("a", "."), "rougeW_of_empty_reference", "rougeW_of_empty_reference"),
        ((".", "a"), "rougeW_of_empty_reference", ""),
        (("a " * 991, "b " * 991), "deep_recursion", "deep_recursion"),
        (("a " * 400, "b " * 500), "deep_recursion", ""),
    ],
)
def test_what_a_tool_raises_an_error_for(texts, refuses, name):
    prediction, reference = (
        Document(tokens, [tokens] if tokens else []) for tokens in ([*text.replace(".", "").split()] for text in texts)
    )
    rules = RougeSettings(rouge_types=["rougeL", "rougeW"]).count_rules._replace(refuses=(refuses,))
    rules_of_rouge1 = RougeSettings(rouge_types=["rouge1"]).count_rules._replace(refuses=(refuses,))
    of_types = refuses in ("rougeW_of_empty_reference", "deep_recursion")

    assert refusal_of(texts, prediction, reference, rules) == name
    assert refusal_of(texts, prediction, reference, rules_of_rouge1) == ("" if of_types else name)


def test_what_rougew_is_chosen_by_is_kept_over_chunks(monkeypatch):
    monkeypatch.setitem(loop._CHUNK_SAMPLES, "plain", 1)
    rouge = Rouge("rouge155", rouge_types=["rouge1", "rougeW"], multi_reference="best_recall", engine="plain")

    counts = rouge.count(["a b c", "a"], [["a b c", "b c"], ["a b"]])

    assert counts.offsets.tolist() == [0, 2, 3]
    assert (counts.prediction_tokens.tolist(), counts.reference_tokens.tolist()) == ([3, 3, 1], [3, 2, 2])
    assert counts.weighted_bases is not None
    assert counts.weighted_bases.tolist() == [length**rouge.settings.weight for length in (3.0, 2.0, 2.0)]
