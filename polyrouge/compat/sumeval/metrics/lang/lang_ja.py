"""``sumeval.metrics.lang.lang_ja``: Japanese."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from polyrouge.compat.sumeval.metrics.lang.base_lang import BaseLang, BasicElement
from polyrouge.tools.sumeval import NOT_JAPANESE, janome_cutter


class LangJA(BaseLang):
    """Words are those of MeCab where it is installed with a dictionary, and of janome elsewhere, as there."""

    def __init__(self) -> None:
        super().__init__("ja")
        self._cut = _mecab_cutter() or janome_cutter()

    def load_parser(self) -> Any:
        """The parser behind ``parse_to_be``: GiNZA's model."""
        if self._PARSER is None:
            import spacy

            type(self)._PARSER = spacy.load("ja_ginza")
        return self._PARSER

    def tokenize(self, text: str) -> list[str]:
        """The words of a text as it is."""
        return self._cut(text)

    def tokenize_with_preprocess(self, text: str) -> list[str]:
        """The words of its kana, kanji, letters and digits."""
        return list(filter(None, map(str.strip, self.tokenize(NOT_JAPANESE.sub(" ", text)))))

    def join(self, words: Iterable[str]) -> str:
        """A text of these words, without blanks."""
        return "".join(words)

    def parse_to_be(self, text: str) -> list[BasicElement]:
        """As ``BaseLang``, of the text without marks."""
        return super().parse_to_be(NOT_JAPANESE.sub(" ", text))

    def __getstate__(self) -> dict[str, Any]:  # a tagger can't be pickled
        return {name: value for name, value in self.__dict__.items() if name != "_cut"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._cut = _mecab_cutter() or janome_cutter()


def _mecab_cutter() -> Callable[[str], list[str]] | None:
    try:
        import MeCab

        tagger = MeCab.Tagger("-Ochasen")
    except Exception:  # as there: no package, or no dictionary for it
        return None

    def cut(text: str) -> list[str]:
        tagger.parse("")  # without which the first text comes out wrong
        node, words = tagger.parseToNode(text), []
        while node:
            if node.surface:
                words.append(node.surface)
            node = node.next
        return words

    return cut
