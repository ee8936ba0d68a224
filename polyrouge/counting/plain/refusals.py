"""Which pairs of texts a convention's tool would raise an error for; see ``quirks.REFUSALS``."""

from __future__ import annotations

from polyrouge.counting.plain.tool_lcs import is_too_deep
from polyrouge.reading.documents import Document
from polyrouge.settings.rouge_settings import RougeSettings

__all__ = ["looks_for_refusals", "refusal_of"]


def looks_for_refusals(settings: RougeSettings) -> bool:
    """Whether it is asked for: by default such pairs are scored like any other."""
    return bool(settings.refuses) and settings.on_error != "score"


def refusal_of(texts: tuple[str, str], prediction: Document, reference: Document, settings: RougeSettings) -> str:
    """The name of the refusal that a pair meets, the empty string for none.

    Args:
        texts: prediction and reference as they were given.
        prediction: the tokens of the first.
        reference: the tokens of the second.
        settings: with ``refuses``.
    """
    blank = [not text or text.isspace() for text in texts]
    has_rouge_w = "rougeW" in settings.rouge_types and "rougeW_of_empty_reference" in settings.refuses
    if has_rouge_w and not any(reference.sentences):
        return "rougeW_of_empty_reference"
    if not prediction.tokens or not reference.tokens:
        for name, spared in (
            ("empty", False),
            ("empty_unless_blank", any(blank)),
            ("empty_unless_blank_prediction", blank[0]),
        ):
            if name in settings.refuses and not spared:
                return name
        return ""
    if (
        "deep_recursion" in settings.refuses
        and "rougeL" in settings.rouge_types
        and is_too_deep(prediction.sentences, reference.sentences)
    ):
        return "deep_recursion"
    return ""
