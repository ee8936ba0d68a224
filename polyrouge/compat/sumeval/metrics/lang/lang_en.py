"""``sumeval.metrics.lang.lang_en``: English."""

from __future__ import annotations

import re

from polyrouge.compat.sumeval.metrics.lang.base_lang import BaseLang, BasicElement

_WORD = re.compile("[A-Za-z0-9]+")
_BEGINNING = re.compile("[A-Za-z0-9$]")
_NO_LETTER = re.compile("[^A-Za-z0-9-]")


class LangEN(BaseLang):
    """Words are runs of ASCII letters and digits."""

    def __init__(self) -> None:
        super().__init__("en")

    def tokenize(self, text: str) -> list[str]:
        """What stands between single blanks."""
        return text.split(" ")

    def tokenize_with_preprocess(self, text: str) -> list[str]:
        """Runs of letters and digits."""
        return _WORD.findall(text)

    def parse_to_be(self, text: str) -> list[BasicElement]:
        """As ``BaseLang``, of the text without marks; both parts must begin with a letter or digit."""
        cleaned = _NO_LETTER.sub(" ", text.replace("-", " - ")).strip()
        found = super().parse_to_be(cleaned)
        return [each for each in found if _BEGINNING.match(each.head) and _BEGINNING.match(each.modifier)]
