"""From a text to what is counted: its tokens, and the tokens of its sentences."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .errors import warn_user
from .sentences import SENTENCE_SPLITS, sentence_splitter
from .settings import RougeSettings
from .token_filters import limit_bytes, limit_words, porter_stem
from .tokenization import TOKENIZERS, Tokenize, TokenizerOptions, build_tokenizer, word_test

__all__ = ["Document", "DocumentReader"]


@dataclass(slots=True)
class Document:
    """One text, tokenized.

    Attributes:
        tokens: the tokens of the whole text, in order.
        sentences: the tokens of each sentence; a sentence may be empty. One sentence, the whole
            text, where no type asks for sentences.
        ngram_counts: n-gram counts by order, kept by the engine that counted them first.
    """

    tokens: list[str]
    sentences: list[list[str]]
    ngram_counts: dict[int, Counter] = field(default_factory=dict)


class DocumentReader:
    """Turns texts into documents under one set of settings, and notes what looks wrong.

    One reader serves one call: ``warn`` speaks about all the texts that it has read.
    """

    def __init__(self, settings: RougeSettings) -> None:
        types = settings.rouge_types
        split = settings.sentence_split
        entry = TOKENIZERS[settings.tokenizer] if isinstance(settings.tokenizer, str) else None
        limited = settings.max_words is not None or settings.max_bytes is not None
        # A separator is a mark, not text: no token may span it or hold it.
        separated = isinstance(split, str) and split not in SENTENCE_SPLITS

        self._settings = settings
        self._split = sentence_splitter(split)
        self._tokenize = _text_tokenizer(settings)
        self._filter = _token_filter(settings)
        self._wants_sentences = "rougeLsum" in types or "rougeW" in types or settings.lcs == "union"
        self._cuts = self._wants_sentences or limited or separated
        self._text_is_sentences = limited or separated
        self._tokens_are_sentences = entry is not None and entry.cuts_at_sentences and not callable(split)
        self._drops_letters = entry is not None and entry.drops_letters
        self._saw_break = False
        self._text_without_tokens: str | None = None

    def read(self, text: str) -> Document:
        """Return the tokens and sentences of one text."""
        parts = self._limit(self._split(text)) if self._cuts else [text]
        if len(parts) > 1:
            self._saw_break = True
        sentences = [self._tokenize(part) for part in parts]
        if len(parts) == 1 and (self._tokens_are_sentences or parts[0] == text):
            tokens = sentences[0]
        elif self._tokens_are_sentences:
            tokens = [token for sentence in sentences for token in sentence]
        else:
            tokens = self._tokenize("\n".join(parts) if self._text_is_sentences else text)
        if self._text_without_tokens is None and self._loses_letters(text, tokens):
            self._text_without_tokens = text
        if self._filter is None:
            return Document(tokens, sentences)
        return Document(self._filter(tokens), [self._filter(sentence) for sentence in sentences])

    def warn(self) -> None:
        """Warn of what makes the scores of this call other than probably meant."""
        if self._text_without_tokens is not None:
            name = self._settings.tokenizer if isinstance(self._settings.tokenizer, str) else "that was given"
            lost = "most letters" if self._drops_letters else "all letters"
            warn_user(
                f"The tokenizer {name!r} drops {lost} of {_shortened(self._text_without_tokens)!r}, and perhaps of "
                "other texts, so what they say is not scored. Use tokenizer='mixed' (any language), 'zh_char' or "
                "'jieba' (Chinese)."
            )
        if (
            "rougeLsum" in self._settings.rouge_types
            and not self._saw_break
            and self._settings.sentence_split != "none"
        ):
            warn_user(
                f"rougeLsum: no text has a sentence break (sentence_split={self._settings.sentence_split!r}), so it "
                "is rougeL. If the texts have several sentences, sentence_split='auto' or 'zh' cuts them; "
                "sentence_split='none' says that they have one."
            )

    def _limit(self, sentences: Sequence[str]) -> Sequence[str]:
        if self._settings.max_words is not None:
            return limit_words(sentences, self._settings.max_words)
        if self._settings.max_bytes is not None:
            return limit_bytes(sentences, self._settings.max_bytes)
        return sentences

    def _loses_letters(self, text: str, tokens: list[str]) -> bool:
        """Whether the text has letters, but no token, or (``ascii``) tokens of its minor part only."""
        if not tokens:
            return any(map(str.isalpha, text))
        if not self._drops_letters or text.isascii():
            return False
        letters = [character for character in text if character.isalpha()]
        return 2 * sum(map(str.isascii, letters)) < len(letters)


def _text_tokenizer(settings: RougeSettings) -> Tokenize:
    """Normalise, lower-case, tokenize, drop punctuation."""
    keep = settings.punctuation == "keep"
    if isinstance(settings.tokenizer, str):
        options = TokenizerOptions(keep_punctuation=keep, jieba_dict=settings.jieba_dict, jieba_hmm=settings.jieba_hmm)
        tokenize = build_tokenizer(settings.tokenizer, options)
    else:
        tokenize = _checked_callable(settings.tokenizer, None if keep else word_test())
    if settings.lowercase and settings.normalize == "nfkc":
        return lambda text: tokenize(unicodedata.normalize("NFKC", text).lower())
    if settings.lowercase:
        return lambda text: tokenize(text.lower())
    if settings.normalize == "nfkc":
        return lambda text: tokenize(unicodedata.normalize("NFKC", text))
    return tokenize


def _checked_callable(tokenize: Callable, is_word: Callable[[str], bool] | None) -> Tokenize:
    """A user's tokenizer whose result is checked to be strings."""

    def tokenize_checked(text: str) -> list[str]:
        tokens = list(tokenize(text))
        for token in tokens:
            if not isinstance(token, str):
                msg = f"The tokenizer gave {token!r} ({type(token).__name__}) for {_shortened(text)!r}; give strings."
                raise TypeError(msg)
        return tokens if is_word is None else [token for token in tokens if is_word(token)]

    return tokenize_checked


def _token_filter(settings: RougeSettings) -> Callable[[list[str]], list[str]] | None:
    """Leave out stop words, then stem; None where there is nothing to do."""
    stop_words = frozenset(settings.stop_words or ())
    stem = porter_stem() if settings.use_stemmer else None
    if stem is not None and stop_words:
        return lambda tokens: [stem(token) for token in tokens if token not in stop_words]
    if stem is not None:
        return lambda tokens: list(map(stem, tokens))
    if stop_words:
        return lambda tokens: [token for token in tokens if token not in stop_words]
    return None


def _shortened(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
