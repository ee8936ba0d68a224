"""``sumeval.metrics.lang.lang_zh``: Chinese."""

from __future__ import annotations

from typing import Any

from polyrouge.compat.sumeval.metrics.lang.base_lang import BaseLang, BasicElement
from polyrouge.texts.jieba_words import jieba_cutter
from polyrouge.tools.sumeval import CHINESE_MARKS


class LangZH(BaseLang):
    """Words are those of jieba, once a list of marks is blank."""

    def __init__(self) -> None:
        super().__init__("zh")

    def load_parser(self) -> Any:
        """The parser behind ``parse_to_be``: HanLP's, by the package pyhanlp."""
        if self._PARSER is None:
            from pyhanlp import HanLP

            type(self)._PARSER = HanLP.parseDependency
        return type(self)._PARSER

    def tokenize(self, text: str) -> list[str]:
        """The words, blanks being words too."""
        return jieba_cutter(keep_blanks=True)(CHINESE_MARKS.sub(" ", text))

    def parse_to_be(self, text: str) -> list[BasicElement]:
        """Nouns (n) with the verb (v) or adjective (a) that they depend on, or that depends on them."""
        elements = []
        for token in self.load_parser()(CHINESE_MARKS.sub(" ", text)).iterator():
            if token.POSTAG == "n" and token.HEAD.POSTAG in ("v", "a"):
                elements.append(BasicElement(token.NAME, token.HEAD.LEMMA, token.DEPREL))
            elif token.POSTAG in ("v", "a") and token.HEAD.POSTAG == "n":
                elements.append(BasicElement(token.HEAD.NAME, token.LEMMA, token.DEPREL))
        return elements
