"""From a text to what is counted: its tokens, and the tokens of its sentences."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from .sentences import SENTENCE_SPLITS, sentence_splitter
from .settings import RougeSettings
from .text_notes import TextNotes, shortened
from .token_filters import limit_bytes, limit_words, porter_stem
from .tokenization import TOKENIZERS, Tokenize, TokenizerOptions, build_tokenizer, word_test

__all__ = ["Document", "DocumentReader", "token_filter", "wants_sentences"]


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


def wants_sentences(settings: RougeSettings) -> bool:
    """Whether a type is asked for that looks at sentences."""
    types = settings.rouge_types
    return "rougeLsum" in types or "rougeW" in types or (settings.lcs == "union" and "rougeL" in types)


class DocumentReader:
    """Turns texts into documents under one set of settings, and notes what looks wrong in them.

    Attributes:
        text_is_sentences: what is tokenized is the sentences, joined by line breaks, not the text.
    """

    def __init__(self, settings: RougeSettings, notes: TextNotes) -> None:
        split = settings.sentence_split
        entry = TOKENIZERS[settings.tokenizer] if isinstance(settings.tokenizer, str) else None
        limited = settings.max_words is not None or settings.max_bytes is not None
        # A separator is a mark, not text: no token may span it or hold it.
        separated = isinstance(split, str) and split not in SENTENCE_SPLITS

        self._settings = settings
        self._split = sentence_splitter(split)
        self._tokenize = _text_tokenizer(settings)
        self._filter = token_filter(settings)
        self._cuts = wants_sentences(settings) or limited or separated
        self.text_is_sentences = limited or separated
        # Sentences are cut before NFKC, which makes three dots of …: what is around them may then differ.
        normalized_marks = settings.normalize is not None and split not in ("newline", "none")
        self._tokens_are_sentences = (
            entry is not None and entry.cuts_at_sentences and not callable(split) and not normalized_marks
        )
        self._notes = notes

    def read(self, text: str) -> Document:
        """Return the tokens and sentences of one text."""
        parts = self.parts(text)
        sentences = [self._tokenize(part) for part in parts]
        if len(parts) == 1 and (self._tokens_are_sentences or parts[0] == text):
            tokens = sentences[0]
        elif self._tokens_are_sentences:
            tokens = [token for sentence in sentences for token in sentence]
        else:
            tokens = self._tokenize("\n".join(parts) if self.text_is_sentences else text)
        self._notes.look_for_lost_letters("\n".join(parts) if self.text_is_sentences else text, len(tokens))
        self._notes.saw_break = self._notes.saw_break or sum(map(bool, sentences)) > 1
        if self._filter is None:
            return Document(tokens, sentences)
        return Document(self._filter(tokens), [self._filter(sentence) for sentence in sentences])

    def parts(self, text: str) -> Sequence[str]:
        """The sentences of a text, cut to its length limit; the text itself where none are asked for."""
        return self._limit(self._split(text)) if self._cuts else [text]

    def _limit(self, sentences: Sequence[str]) -> Sequence[str]:
        if self._settings.max_words is not None:
            return limit_words(sentences, self._settings.max_words)
        if self._settings.max_bytes is not None:
            return limit_bytes(sentences, self._settings.max_bytes)
        return sentences


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
        tokens = tokenize(text)
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            msg = f"The tokenizer gave {tokens!r} for {shortened(text)!r}; it must give a list of strings."
            raise TypeError(msg)
        tokens = list(tokens)
        for token in tokens:
            if not isinstance(token, str):
                msg = f"The tokenizer gave {token!r} ({type(token).__name__}) for {shortened(text)!r}; give strings."
                raise TypeError(msg)
        return tokens if is_word is None else [token for token in tokens if is_word(token)]

    return tokenize_checked


def token_filter(settings: RougeSettings) -> Callable[[list[str]], list[str]] | None:
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
