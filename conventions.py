"""Named conventions: settings with a name, and what they reproduce."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import unknown_value
from .settings import RougeSettings

__all__ = ["CONVENTIONS", "Convention", "find_convention"]


@dataclass(frozen=True)
class Convention:
    """One way of computing ROUGE that numbers are published with.

    Attributes:
        name: as given to ``Rouge`` and ``evaluate.load``.
        settings: the settings behind the name.
        reproduces: the tool and version whose numbers these are, or what the convention is for.
        callable_replaces_text_rules: a tokenizer given as a callable also replaces lower-casing,
            the dropping of punctuation and stemming, as in rouge_score.
    """

    name: str
    settings: RougeSettings
    reproduces: str
    callable_replaces_text_rules: bool = False

    def override(self, settings: RougeSettings, changes: Mapping[str, Any]) -> RougeSettings:
        """Return ``settings`` with changes, as the convention's tool would understand them."""
        implied: dict[str, Any] = {}
        if self.callable_replaces_text_rules and callable(changes.get("tokenizer")):
            implied = {"lowercase": False, "punctuation": "keep", "use_stemmer": False}
        return settings.replace(**{**implied, **changes})


_ROUGE_SCORE = RougeSettings(tokenizer="ascii")
_CHINESE = RougeSettings(tokenizer="zh_char", sentence_split="zh")

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
            "rouge_score 0.1.2, score() and score_multi(); mean over the examples",
            callable_replaces_text_rules=True,
        ),
        Convention(
            "evaluate_rouge",
            _ROUGE_SCORE,
            "evaluate's rouge (rouge_score 0.1.2); the mean, or with aggregate='bootstrap_median' its own number",
            callable_replaces_text_rules=True,
        ),
    )
}


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
