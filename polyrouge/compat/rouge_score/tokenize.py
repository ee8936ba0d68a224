"""rouge_score's ``tokenize``: runs of a-z and 0-9 of the lower-cased text."""

import re
from typing import Any

_find_words = re.compile("[a-z0-9]+").findall
_is_word = re.compile("^[a-z0-9]+$").match


def tokenize(text: str, stemmer: Any) -> list[str]:
    """Return the tokens of a text, those of more than three characters by ``stemmer.stem`` unless it is None."""
    tokens = _find_words(text.lower())
    if not stemmer:
        return tokens
    return list(filter(_is_word, (stemmer.stem(token) if len(token) > 3 else token for token in tokens)))
