"""The conventions by name: our own, those of rouge_score, and those of other tools."""

from __future__ import annotations

from polyrouge.conventions.convention import Convention
from polyrouge.conventions.of_tools import TOOL_CONVENTIONS
from polyrouge.errors import unknown_value
from polyrouge.settings.rouge_settings import RougeSettings

_CHINESE = RougeSettings(tokenizer="zh_char", sentence_split="zh")
_ROUGE_SCORE = RougeSettings(tokenizer="ascii")

CONVENTIONS: dict[str, Convention] = {
    convention.name: convention
    for convention in (
        Convention("default", RougeSettings(), "our own, for any language"),
        Convention("zh_char", _CHINESE, "our own, Chinese character level: lower-cased, punctuation dropped"),
        Convention(
            "zh_word",
            _CHINESE.replace(tokenizer="jieba"),
            "our own, Chinese word level (jieba): lower-cased, punctuation dropped",
        ),
        Convention(
            "rouge_score",
            _ROUGE_SCORE,
            "rouge_score 0.1.2, score() and score_multi(); mean over the samples",
            used_by="PEGASUS, LongT5, PRIMERA; Hugging Face model cards",
            own_tokenizer_replaces_text_rules=True,
        ),
        Convention(
            "evaluate_rouge",
            _ROUGE_SCORE,
            "evaluate's rouge (rouge_score 0.1.2); the mean, or with aggregate='bootstrap_median' its own number",
            used_by="Hugging Face model cards",
            unusual="what it prints is a random bootstrap median",
            own_tokenizer_replaces_text_rules=True,
        ),
        *TOOL_CONVENTIONS,
    )
}
"""Every convention by its name, ours first."""


def find_convention(name: str) -> Convention:
    """Return the convention of that name.

    Raises:
        ValueError: there is none; the message names the nearest.
        TypeError: not a name.
    """
    if not isinstance(name, str):
        msg = f"convention is {name!r}; give a name: one of {', '.join(CONVENTIONS)}."
        raise TypeError(msg)
    if name not in CONVENTIONS:
        raise unknown_value(name, CONVENTIONS, "convention")
    return CONVENTIONS[name]
