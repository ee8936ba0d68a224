"""rouge_score's ``tokenizers``: the default one, and the class that others derive from."""

import abc

from polyrouge.compat.rouge_score import tokenize
from polyrouge.conventions.common import porter_stem


class Tokenizer(abc.ABC):
    """A tokenizer; subclasses define ``tokenize``."""

    @abc.abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        raise NotImplementedError("Tokenizer must override tokenize() method")


class DefaultTokenizer(Tokenizer):
    """Cut runs of a-z and 0-9 of the lower-cased text; with ``use_stemmer`` stem those of at least four characters."""

    def __init__(self, use_stemmer: bool = False) -> None:
        self.use_stemmer = bool(use_stemmer)

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        tokens = tokenize.tokenize(text, None)
        return list(map(porter_stem(), tokens)) if self.use_stemmer else tokens
