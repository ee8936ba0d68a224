"""rouge_score's ``tokenize``: runs of a-z and 0-9 of the lower-cased text."""

from __future__ import annotations

import re
from typing import Any

NON_ALPHANUM_PATTERN = r"[^a-z0-9]+"
NON_ALPHANUM_RE = re.compile(NON_ALPHANUM_PATTERN)
SPACES_PATTERN = r"\s+"
SPACES_RE = re.compile(SPACES_PATTERN)
VALID_TOKEN_PATTERN = r"^[a-z0-9]+$"  # noqa: S105 no password
VALID_TOKEN_RE = re.compile(VALID_TOKEN_PATTERN)
_find_words = re.compile("[a-z0-9]+").findall


def tokenize(text: str, stemmer: Any) -> list[str]:
    """Return the tokens of a text.

    Args:
        text: the text.
        stemmer: an object with ``stem(token)``, which gets tokens of more than three characters; None for none.
    """
    tokens = _find_words(text.lower())
    if not stemmer:
        return tokens
    stems = [stemmer.stem(token) if len(token) > 3 else token for token in tokens]
    return list(filter(VALID_TOKEN_RE.match, stems))
