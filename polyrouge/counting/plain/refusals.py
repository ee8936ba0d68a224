"""Which pairs of texts a convention's tool would raise an error for; see ``quirks.REFUSALS``."""

from __future__ import annotations

from polyrouge.counting.plain.tool_lcs import is_too_deep
from polyrouge.reading.documents import Document
from polyrouge.settings.stages import CountRules


def refusal_of(texts: tuple[str, str], prediction: Document, reference: Document, rules: CountRules) -> str:
    """The name of the refusal that a pair meets, the empty string for none.

    Args:
        texts: prediction and reference as they were given.
        prediction: the tokens of the first.
        reference: the tokens of the second.
        rules: with ``refuses``.
    """
    blank = [not text or text.isspace() for text in texts]
    has_rouge_w = _counts("weighted_lcs", rules) and "rougeW_of_empty_reference" in rules.refuses
    if has_rouge_w and not any(reference.sentences):
        return "rougeW_of_empty_reference"
    if not prediction.tokens or not reference.tokens:
        for name, spared in (
            ("empty", False),
            ("empty_unless_blank", any(blank)),
            ("empty_unless_blank_prediction", blank[0]),
        ):
            if name in rules.refuses and not spared:
                return name
        return ""
    if (
        "deep_recursion" in rules.refuses
        and _counts("lcs", rules)
        and is_too_deep(prediction.sentences, reference.sentences)
    ):
        return "deep_recursion"
    return ""


def _counts(kind: str, rules: CountRules) -> bool:
    return any(rouge_type.kind == kind for rouge_type in rules.types)
