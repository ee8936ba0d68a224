"""Where the tokens of a text stand in it: character offsets, through all that is done to the text before.

The tokens are those of ``DocumentReader``, which the scores are made of. Here each is found again in the
text as its tokenizer saw it, whose every character knows the characters of the original that it came from:
lower-casing, NFKC, sentences and length limits move characters, but never lose where they are from.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .documents import DocumentReader, token_filter
from .sentences import SENTENCE_SPLITS
from .settings import RougeSettings
from .text_notes import TextNotes

__all__ = ["PlacedText", "PlacedToken", "TokenPlacer"]

_PERL_BLANKS = " \t\n\v\f\r"  # what separates words under max_words
_SUBWORD_MARKS = ("##", "▁", "Ġ")  # what subword tokenizers put before a piece
_VOWELS_AND_FINALS = range(0x1161, 0x1200)  # Hangul letters that join the syllable before them


class PlacedToken(NamedTuple):
    """One token and where it is from.

    Attributes:
        token: as it is compared: lower-cased, stemmed and so on.
        start: first character in the original text; None where the token can't be found in it, which
            only happens with a callable tokenizer or sentence_split that changes the text.
        end: the character behind the last; None likewise.
    """

    token: str
    start: int | None
    end: int | None


class PlacedText(NamedTuple):
    """One text with the places of its tokens.

    Attributes:
        text: the original.
        tokens: the tokens of the whole text, in order.
        sentences: the tokens of each sentence; one sentence where no type asks for sentences.
    """

    text: str
    tokens: tuple[PlacedToken, ...]
    sentences: tuple[tuple[PlacedToken, ...], ...]

    @property
    def n_lost(self) -> int:
        """Number of tokens that can't be found in the text."""
        return sum(token.start is None for token in self.tokens)


class _Traced(NamedTuple):
    """A text made from another: character i of it came from characters starts[i] ... ends[i] - 1."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def part(self, start: int, end: int) -> _Traced:
        return _Traced(self.text[start:end], self.starts[start:end], self.ends[start:end])


class TokenPlacer:
    """Finds the places of tokens under one set of settings."""

    def __init__(self, settings: RougeSettings) -> None:
        plain = settings.replace(use_stemmer=False, stop_words=None)
        self._settings = settings
        self._reader = DocumentReader(plain, TextNotes(plain))
        self._filter = token_filter(settings)
        self._is_callable = callable(settings.tokenizer)

    def place(self, text: str) -> PlacedText:
        """Tokenize a text and return its tokens with their places."""
        document = self._reader.read(text)
        parts = self._reader.parts(text)
        traced_parts = self._trace_parts(text, parts)
        sentences = [
            self._filtered(self._find(tokens, traced))
            for tokens, traced in zip(document.sentences, traced_parts, strict=True)
        ]
        if None not in traced_parts and document.tokens == [token for part in document.sentences for token in part]:
            tokens = tuple(token for sentence in sentences for token in sentence)
        else:
            whole = _joined(traced_parts) if self._reader.text_is_sentences else _untouched(text)
            tokens = self._filtered(self._find(document.tokens, whole))
        return PlacedText(text, tokens, tuple(sentences))

    def _trace_parts(self, text: str, parts: Sequence[str]) -> list[_Traced | None]:
        """Find the sentences in the text, in order; None for one that is not in it."""
        original = _untouched(text)
        split = self._settings.sentence_split
        if isinstance(split, str) and split not in SENTENCE_SPLITS:
            # A separator may look like the beginning of the sentence behind it: not by searching.
            return [_prefix(part, piece) for part, piece in zip(parts, _between(original, split), strict=False)]
        traced: list[_Traced | None] = []
        cursor = 0
        for part in parts:
            start = text.find(part, cursor)
            found = original.part(start, start + len(part)) if start >= 0 else None
            if found is None or self._settings.max_words is not None:  # which changes blanks
                found = _prefix(part, original.part(cursor, len(text))) or found
            traced.append(found)
            if found is not None and found.text:
                cursor = found.ends[-1]
        return traced

    def _find(self, tokens: Sequence[str], traced: _Traced | None) -> list[PlacedToken]:
        if traced is None:
            return [PlacedToken(token, None, None) for token in tokens]
        if self._settings.normalize == "nfkc":
            traced = _normalized(traced)
        if self._settings.lowercase:
            traced = _lowered(traced)
        return _find_pieces(tokens, traced) if self._is_callable else _find_exactly(tokens, traced)

    def _filtered(self, tokens: Iterable[PlacedToken]) -> tuple[PlacedToken, ...]:
        """Leave out stop words and stem, token by token."""
        if self._filter is None:
            return tuple(tokens)
        return tuple(token._replace(token=left) for token in tokens for left in self._filter([token.token]))


def _untouched(text: str) -> _Traced:
    return _Traced(text, range(len(text)), range(1, len(text) + 1))


def _joined(parts: Sequence[_Traced | None]) -> _Traced | None:
    r"""The parts with a line break, which came from nowhere, between each two."""
    starts: list[int] = []
    ends: list[int] = []
    texts = []
    for part in parts:
        if part is None:
            return None
        if texts:
            here = ends[-1] if ends else 0
            starts.append(here)
            ends.append(here)
        texts.append(part.text)
        starts += part.starts
        ends += part.ends
    return _Traced("\n".join(texts), starts, ends)


def _between(original: _Traced, separator: str) -> list[_Traced]:
    """What stands between the separators of a text, without empty pieces."""
    pieces = []
    cursor = 0
    for piece in original.text.split(separator):
        if piece:
            pieces.append(original.part(cursor, cursor + len(piece)))
        cursor += len(piece) + len(separator)
    return pieces


def _prefix(part: str, source: _Traced) -> _Traced | None:
    """A part that its source begins with, but for the number of blanks, as length limits leave it."""
    starts, ends = [], []
    at = 0
    for character in part:
        if character not in _PERL_BLANKS:
            while at < len(source.text) and source.text[at] in _PERL_BLANKS:
                at += 1
            if at == len(source.text) or source.text[at] != character:
                return None
            starts.append(source.starts[at])
            ends.append(source.ends[at])
            at += 1
        else:  # a blank is part of no token: any place will do
            starts.append(ends[-1] if ends else 0)
            ends.append(starts[-1])
    return _Traced(part, starts, ends)


def _lowered(traced: _Traced) -> _Traced:
    """``str.lower`` of the whole: it never makes fewer characters of one, and its context rules never more."""
    lowered = traced.text.lower()
    if len(lowered) == len(traced.text):
        return traced._replace(text=lowered)
    starts, ends = [], []
    for character, start, end in zip(*traced, strict=True):
        size = len(character.lower())
        starts += [start] * size
        ends += [end] * size
    return _Traced(lowered, starts, ends)


def _normalized(traced: _Traced) -> _Traced:
    """NFKC of the whole, cluster by cluster: each character of a changed cluster is from all of it."""
    if unicodedata.is_normalized("NFKC", traced.text):
        return traced
    texts, starts, ends = [], [], []
    for begin, stop in _clusters(traced.text):
        cluster = traced.text[begin:stop]
        normalized = unicodedata.normalize("NFKC", cluster)
        texts.append(normalized)
        if normalized == cluster:
            starts += traced.starts[begin:stop]
            ends += traced.ends[begin:stop]
        else:
            starts += [traced.starts[begin]] * len(normalized)
            ends += [traced.ends[stop - 1]] * len(normalized)
    return _Traced("".join(texts), starts, ends)


def _clusters(text: str) -> Iterable[tuple[int, int]]:
    """Cut where NFKC can't join what is before with what is behind."""
    begin = 0
    for place, character in enumerate(text):
        if place and not _may_join(character):
            yield begin, place
            begin = place
    if text:
        yield begin, len(text)


def _may_join(character: str) -> bool:
    """Whether a character's decomposition begins with one that can combine with what is before it."""
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    return (
        unicodedata.combining(first) != 0
        or unicodedata.category(first).startswith("M")
        or ord(first) in _VOWELS_AND_FINALS
    )


def _find_exactly(tokens: Sequence[str], traced: _Traced) -> list[PlacedToken]:
    """Tokens of a built-in tokenizer: pieces of the text, in order.

    What lies between two of them holds no character that a token begins with (or, of words that may
    begin with a mark, none of the letters and digits that each holds), so the first place is the right one.
    """
    placed = []
    cursor = 0
    for token in tokens:
        start = traced.text.find(token, cursor)
        if start < 0:  # the tokenizer is one that a user registered
            return _find_pieces(tokens, traced)
        cursor = start + len(token)
        placed.append(PlacedToken(token, traced.starts[start], traced.ends[cursor - 1]))
    return placed


def _find_pieces(tokens: Sequence[str], traced: _Traced) -> list[PlacedToken]:
    """Tokens of a callable, which may lower-case, mark subwords, stem, drop or invent some.

    A token is taken where it is first found behind the one before it, unless the next token is found
    before that place: then it is not in the text as it is.
    """
    lowered = _lowered(traced)

    def first_place(token: str, cursor: int) -> tuple[int, int] | None:
        """Earliest (start, end) in ``lowered`` of the token or of what is left without a subword mark."""
        forms = {token.lower(), *(token.removeprefix(mark).lower() for mark in _SUBWORD_MARKS)} - {""}
        found = [(start, start + len(form)) for form in forms if (start := lowered.text.find(form, cursor)) >= 0]
        return min(found, key=lambda place: (place[0], -place[1]), default=None)

    placed = []
    cursor = 0
    for index, token in enumerate(tokens):
        place = first_place(token, cursor)
        if place is not None and index + 1 < len(tokens) and any(map(str.isalnum, lowered.text[cursor : place[0]])):
            following = first_place(tokens[index + 1], cursor)
            if following is not None and following[0] < place[0]:
                place = None
        if place is None:
            placed.append(PlacedToken(token, None, None))
        else:
            cursor = place[1]
            placed.append(PlacedToken(token, lowered.starts[place[0]], lowered.ends[cursor - 1]))
    return placed
