"""Unicode's NFC: one form for texts that look the same and mean the same, however their accents are written."""

from __future__ import annotations

import unicodedata


def composed(text: str) -> str:
    """The text in NFC: ``e`` and a combining acute become ``é``, Hangul letters syllables; ASCII stays as it is."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
