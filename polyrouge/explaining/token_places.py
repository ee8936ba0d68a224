"""Where the tokens of a text stand in it: character offsets, through all that is done to the text before.

The tokens are those of ``DocumentReader``, which the scores are made of. Here each is found again in the
text as its tokenizer saw it, whose every character knows the characters of the original that it came from:
lower-casing, NFKC, sentences and length limits move characters, but never lose where they are from.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import NamedTuple

from polyrouge.explaining.traced_texts import (
    TracedText,
    between,
    joined,
    lowered,
    normalized,
    prefix,
    prepared,
    untouched,
)
from polyrouge.reading.documents import DocumentReader, token_filter
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.stages import TextRules
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.sentences import SENTENCE_SPLITS

# Tokenizers whose tokens are pieces of what they are given; those of other tools may lower-case.
_TAKE_PIECES = ("mixed", "ascii", "zh_char", "char", "jieba", "space", "unicode")
_SUBWORD_MARKS = ("##", "▁", "Ġ")  # what subword tokenizers put before a piece


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


class TokenSpans(NamedTuple):
    """Tokens and where they are from, as columns: of many tokens made in a third of the time of ``PlacedToken``.

    Attributes:
        tokens: see ``PlacedToken.token``.
        starts: see ``PlacedToken.start``.
        ends: see ``PlacedToken.end``.
    """

    tokens: Sequence[str]
    starts: Sequence[int | None]
    ends: Sequence[int | None]


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

    def without_places(self, text: str) -> PlacedText:
        """The same tokens for another text, which holds none of them."""

        def lost(tokens: Sequence[PlacedToken]) -> tuple[PlacedToken, ...]:
            return tuple(PlacedToken(token.token, None, None) for token in tokens)

        return PlacedText(text, lost(self.tokens), tuple(map(lost, self.sentences)))


class TokenPlacer:
    """Finds the places of tokens under one set of rules.

    Args:
        rules: how texts are read.
        make_cutter: makes what cuts Chinese words where that is jieba.

    Attributes:
        finds_read_tokens: whether its tokens are those of ``DocumentReader``: xlsum's tokenizer alone makes stems
            itself, which can't be found in a text.
    """

    def __init__(self, rules: TextRules, make_cutter: MakeCutter = jieba_cutter) -> None:
        plain = rules._replace(use_stemmer=False, stop_words=None)
        self.finds_read_tokens = not (rules.use_stemmer and rules.stemmer == "xlsum")
        self._rules = rules
        self._reader = DocumentReader(plain, TextNotes(plain), make_cutter)
        self._filter = token_filter(rules)
        self._takes_pieces = isinstance(rules.tokenizer, str) and rules.tokenizer in _TAKE_PIECES
        limits = (rules.max_words, rules.max_bytes, rules.max_characters)
        self._is_limited = any(limit is not None for limit in limits)

    def place(self, text: str) -> PlacedText:
        """Tokenize a text and return its tokens with their places."""
        document = self._reader.read(text)
        made = self._reader.prepared(text)
        source = self._source(text, made)
        if self._rules.sentence_split == "token":
            tokens = _placed(self._filtered(self._find(document.tokens, source)))
            return PlacedText(text, tokens, tuple((token,) for token in tokens))
        flat, parts = (self._trace_parts(each, source) for each in self._reader.flat_and_separate_parts(made))
        sentences = [
            _placed(self._filtered(self._find(tokens, traced)))
            for tokens, traced in zip(document.sentences, parts, strict=True)
        ]
        if None not in parts and document.tokens == [token for part in document.sentences for token in part]:
            tokens = tuple(token for sentence in sentences for token in sentence)
        else:
            whole = joined(flat) if self._reader.text_is_sentences else source
            tokens = _placed(self._filtered(self._find(document.tokens, whole)))
        return PlacedText(text, tokens, tuple(sentences))

    def spans(self, text: str) -> TokenSpans:
        """The tokens of a whole text that is one sentence (``sentence_split="none"``) and has no limit of length."""
        document = self._reader.read(text)
        return self._filtered(self._find(document.tokens, self._source(text, self._reader.prepared(text))))

    def _source(self, text: str, made: str) -> TracedText | None:
        """A text as it is tokenized, traced to the original."""
        rules = self._rules
        return untouched(text) if made == text else prepared(text, made, clean=rules.clean, normalize=rules.normalize)

    def _trace_parts(self, parts: Sequence[str], source: TracedText | None) -> list[TracedText | None]:
        """Find the sentences in the text, in order; None for one that is not in it."""
        if source is None:
            return [None] * len(parts)
        split = self._rules.sentence_split
        if isinstance(split, str) and split not in SENTENCE_SPLITS:
            # A separator may look like the beginning of the sentence behind it: not by searching.
            return [prefix(part, piece) for part, piece in zip(parts, between(source, split), strict=False)]
        traced: list[TracedText | None] = []
        cursor = 0
        for part in parts:
            start = source.text.find(part, cursor)
            found = source.part(start, start + len(part)) if start >= 0 else None
            if len(traced) == len(parts) - 1 and self._is_limited:  # it may be cut, and its blanks changed
                found = prefix(part, source.part(cursor, len(source.text))) or found
            traced.append(found)
            cursor = cursor if found is None else start + len(part)
        return traced

    def _find(self, tokens: Sequence[str], traced: TracedText | None) -> TokenSpans:
        if traced is None:
            return TokenSpans(tokens, [None] * len(tokens), [None] * len(tokens))
        if self._rules.normalize == "nfkc":
            traced = normalized(traced, "NFKC")
        if self._rules.lowercase:
            by_word = self._rules.tokenizer == "jieba"
            traced = lowered(traced, ascii_only=self._rules.lowercase == "ascii", one_by_one=by_word)
        return _find_exactly(tokens, traced) if self._takes_pieces else _find_pieces(tokens, traced)

    def _filtered(self, found: TokenSpans) -> TokenSpans:
        """Leave out stop words and stem, token by token."""
        if self._filter is None:
            return found
        kept = self._filter(list(found.tokens))
        if len(kept) == len(found.tokens):
            return found._replace(tokens=kept)
        left = [(place, each) for place, token in enumerate(found.tokens) for each in self._filter([token])]
        return TokenSpans(
            [token for _, token in left],
            [found.starts[place] for place, _ in left],
            [found.ends[place] for place, _ in left],
        )


def _placed(found: TokenSpans) -> tuple[PlacedToken, ...]:
    return tuple(map(PlacedToken, *found))


def _find_exactly(tokens: Sequence[str], traced: TracedText) -> TokenSpans:
    """Tokens that are pieces of the text, in order.

    What lies between two of them holds no character that a token begins with (or, of words that may
    begin with a mark, none of the letters and digits that each holds), so the first place is the right one.
    """
    first_place = traced.text.index
    starts = []
    cursor = 0
    for token in tokens:
        start = first_place(token, cursor)
        starts.append(start)
        cursor = start + len(token)
    ends = list(map(add, starts, map(len, tokens)))
    if traced.starts == range(len(traced.text)):  # the original itself, as mostly
        return TokenSpans(tokens, starts, ends)
    return TokenSpans(tokens, [traced.starts[start] for start in starts], [traced.ends[end - 1] for end in ends])


def _find_pieces(tokens: Sequence[str], traced: TracedText) -> TokenSpans:
    """Tokens of a callable or of another tool, which may lower-case, mark subwords, stem, drop or invent some.

    A token is taken where it is first found behind the one before it, unless the next token is found
    before that place: then it is not in the text as it is.
    """
    small = lowered(traced)

    def first_place(token: str, cursor: int) -> tuple[int, int] | None:
        """Earliest (start, end) in ``small`` of the token, of its syllables, or of what a subword mark leaves."""
        forms = {
            token,
            token.replace("_", " "),
            token.replace("_", ""),
            *(token.removeprefix(mark) for mark in _SUBWORD_MARKS),
        }
        forms = {form.lower() for form in forms} - {""}
        found = [(start, start + len(form)) for form in forms if (start := small.text.find(form, cursor)) >= 0]
        return min(found, key=lambda place: (place[0], -place[1]), default=None)

    starts: list[int | None] = []
    ends: list[int | None] = []
    cursor = 0
    for index, token in enumerate(tokens):
        place = first_place(token, cursor)
        if place is not None and index + 1 < len(tokens) and any(map(str.isalnum, small.text[cursor : place[0]])):
            following = first_place(tokens[index + 1], cursor)
            if following is not None and following[0] < place[0]:
                place = None
        start = end = None
        if not token:  # between two blanks, by some tools
            start = end = small.ends[cursor - 1] if cursor else 0
        elif place is not None:
            cursor = place[1]
            start, end = small.starts[place[0]], small.ends[cursor - 1]
        starts.append(start)
        ends.append(end)
    return TokenSpans(tokens, starts, ends)
