"""``sumeval.metrics.lang.base_lang``: what a language has to know, and its basic elements."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar

from polyrouge.tools.sumeval import SUMEVAL_LANGUAGES, sumeval_base_forms, sumeval_stop_words

_PREDICATES = ("VERB", "ADJ")


class BasicElement:
    """A head and its modifier, with the relation of the two."""

    def __init__(self, head: str, modifier: str, relation: str) -> None:
        self.head = head
        self.modifier = modifier
        self.relation = relation

    def equals(self, other: BasicElement, option: str = "HMR") -> bool:
        """Whether the parts that ``option`` names (H, M, R) are equal."""
        return self._parts(option) == other._parts(option)

    def as_key(self, option: str = "HMR") -> str:
        """The parts that ``option`` names, in its order, with bars between."""
        return "|".join(self._parts(option))

    def _parts(self, option: str) -> list[str]:
        parts = {"H": self.head, "M": self.modifier, "R": self.relation}
        return [parts[letter] for letter in option.upper() if letter in parts]

    def __repr__(self) -> str:
        return f"<BasicElement: {self.head}-[{self.relation}]->{self.modifier}>"


class BaseLang:
    """A language. A subclass has to give ``tokenize``.

    Stop words and base forms are those of the package ``sumeval`` where it is installed; they are not ours to ship.

    Args:
        lang: its code, which names its tables and its spaCy model.
    """

    _PARSER: ClassVar[Any] = None

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._stopwords: Collection[str] = ()
        self._stemming: dict[str, str] = {}

    def load_parser(self) -> Any:
        """The parser behind ``parse_to_be``: spaCy's model of the language."""
        if self._PARSER is None:
            import spacy

            type(self)._PARSER = spacy.load(self.lang)
        return self._PARSER

    def tokenize(self, text: str) -> list[str]:  # noqa: ARG002 for subclasses
        """The words of a text as it is."""
        raise Exception("Have to implement tokenize in subclass")

    def tokenize_with_preprocess(self, text: str) -> list[str]:
        """The words of a text once it is cleaned."""
        return self.tokenize(text)

    def join(self, words: Iterable[str]) -> str:
        """A text of these words."""
        return " ".join(words)

    def parse_to_be(self, text: str) -> list[BasicElement]:
        """The basic elements of a text: a noun with the verb or adjective above or below it in the parse."""
        elements = []
        for token in self.load_parser()(text):
            if token.pos_ == "NOUN" and token.head.pos_ in _PREDICATES:
                elements.append(BasicElement(token.text, token.head.lemma_, token.dep_))
            elif token.pos_ in _PREDICATES and token.head.pos_ == "NOUN":
                elements.append(BasicElement(token.head.text, token.lemma_, token.dep_))
        return elements

    def is_stop_word(self, word: str) -> bool:
        """Whether the word is left out under ``stopwords=True``."""
        if not self._stopwords:
            self.load_stopwords()
        return word in self._stopwords

    def stemming(self, word: str, min_length: int = -1) -> str:
        """The base form of a word that has at least ``min_length`` characters, if the table holds it."""
        if not self._stemming:
            self.load_stemming_dict()
        return word if len(word) < min_length else self._stemming.get(word, word)

    def load_stopwords(self) -> None:
        """Read the stop words; a language of the user's has none unless it overrides this."""
        if self.lang in SUMEVAL_LANGUAGES:
            self._stopwords = sumeval_stop_words(self.lang)

    def load_stemming_dict(self) -> None:
        """Read the base forms, which English alone has."""
        if self.lang == "en":
            self._stemming = sumeval_base_forms(self.lang)
