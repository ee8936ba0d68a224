"""Where the tokens of a text stand in it: character offsets, through all that is done to the text before.

A kernel knows where it has cut a token. Of all other texts ``DocumentReader`` makes the tokens, and each is found again
in the text as its tokenizer saw it. Every character of that text knows which characters of the original it came from.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Literal, NamedTuple

from polyrouge.conventions.rouge_chinese import clean_as_opencompass
from polyrouge.documents.document import Document, DocumentReader, token_filter
from polyrouge.documents.input_notes import InputNotes
from polyrouge.settings.rules import TextRules
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.model_output import PASSES, Edit
from polyrouge.texts.normalization import CHARACTERS, uses_nfkc
from polyrouge.texts.sentences import SENTENCE_SPLITS
from polyrouge.texts.tokenizers import TOKENIZERS, entry_of

_PERL_BLANKS = " \t\n\v\f\r"  # what separates words under max_words
_VOWELS_AND_FINALS = range(0x1161, 0x1200)  # Hangul letters that join the syllable before them
_SUBWORD_MARKS = ("##", "▁", "Ġ")  # what subword tokenizers put before a piece


class TracedText(NamedTuple):
    """A text made from another: character i of it came from characters starts[i] ... ends[i] - 1."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def part(self, start: int, end: int) -> "TracedText":
        """A piece of it."""
        return TracedText(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def edited(self, edits: Iterable[Edit]) -> "TracedText":
        """With pieces replaced, in order; each character that is put in is from the whole piece."""
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        place = 0
        for start, stop, new in (*edits, (len(self.text), len(self.text), "")):
            pieces += (self.text[place:start], new)
            starts += [*self.starts[place:start], *(self.starts[start] for _ in new)]
            ends += [*self.ends[place:start], *(self.ends[stop - 1] for _ in new)]
            place = stop
        return TracedText("".join(pieces), starts, ends)


def joined(parts: Sequence[TracedText | None], separator: str = "\n") -> TracedText | None:
    """The parts with a separator, which came from nowhere, between each two; None if a part is None."""
    texts, starts, ends = [], [], []
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
    return TracedText(separator.join(texts), starts, ends)


def between(original: TracedText, separator: str) -> list[TracedText]:
    """What stands between the separators of a text, without empty pieces."""
    pieces, start = [], 0
    for piece in original.text.split(separator):
        pieces.append(original.part(start, start + len(piece)))
        start += len(piece) + len(separator)
    return [piece for piece in pieces if piece.text]


def prefix(
    part: str, source: TracedText, is_blank: Callable[[str], bool] = _PERL_BLANKS.__contains__
) -> TracedText | None:
    """A part that its source begins with, but for the number of blanks, as length limits leave it; or None."""
    starts, ends, at = [], [], 0
    for character in part:
        while not is_blank(character) and at < len(source.text) and is_blank(source.text[at]):
            at += 1
        if source.text[at : at + 1] == character:
            starts.append(source.starts[at])
            ends.append(source.ends[at])
            at += 1
        elif is_blank(character):  # it came from nowhere
            here = ends[-1] if ends else 0
            starts.append(here)
            ends.append(here)
        else:
            return None
    return TracedText(part, starts, ends)


def lowered(traced: TracedText, *, rule: bool | str = True, one_by_one: bool = False) -> TracedText:
    """``str.lower`` of the whole: it never makes fewer characters of one, and its context rules never more.

    ``rule``: a value of ``lowercase`` other than False. ``one_by_one``: of each character by itself, as of jieba's
    words: no word of more than one has a Σ, the only character whose lower case depends on others.
    """
    if rule == "fold":
        folded = ((place, place + 1, each.casefold()) for place, each in enumerate(traced.text))
        return traced.edited(edit for edit in folded if edit[2] != traced.text[edit[0]])
    if rule == "ascii":
        characters = (character.lower() if character.isascii() else character for character in traced.text)
        return traced._replace(text="".join(characters))
    text = "".join(map(str.lower, traced.text)) if one_by_one else traced.text.lower()
    if len(text) > len(traced.text):
        small = [character.lower() for character in traced.text]
        traced = traced.edited((place, place + 1, each) for place, each in enumerate(small) if len(each) > 1)
    return traced._replace(text=text)


def normalized(traced: TracedText, form: Literal["NFC", "NFKC"]) -> TracedText:
    """NFC or NFKC of the whole, cluster by cluster: each character of a changed cluster is from all of it."""
    if unicodedata.is_normalized(form, traced.text):
        return traced
    starts = (place for place, character in enumerate(traced.text) if place and not _may_join(character))
    clusters = pairwise((0, *starts, len(traced.text)))
    edits = ((start, stop, unicodedata.normalize(form, traced.text[start:stop])) for start, stop in clusters)
    return traced.edited(edit for edit in edits if edit[2] != traced.text[edit[0] : edit[1]])


def translated(traced: TracedText, characters: Mapping[int, str]) -> TracedText:
    """``str.translate`` of the whole."""
    places = ((place, characters.get(ord(character))) for place, character in enumerate(traced.text))
    return traced.edited((place, place + 1, new) for place, new in places if new is not None)


def _may_join(character: str) -> bool:
    """Whether NFC and NFKC may join a character with the one before it."""
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    is_mark = unicodedata.combining(first) != 0 or unicodedata.category(first).startswith("M")
    return is_mark or ord(first) in _VOWELS_AND_FINALS


def prepared(text: str, result: str, *, clean: str | None, normalize: str | None) -> TracedText | None:
    """Trace ``result``, a text after NFC (for any ``normalize``), cleaning and changes of blanks; None if it is not."""
    source: TracedText | None = TracedText(text, range(len(text)), range(1, len(text) + 1))
    if result == text:
        return source
    if normalize is not None:
        source = normalized(source, "NFC")
    if clean == "model_output":
        for edits_of in PASSES:
            source = source.edited(edits_of(source.text))
    elif clean is not None:
        source = _cleaned(source)
    if source is not None and clean is not None and normalize is not None:
        source = normalized(source, "NFC")
    return None if source is None else prefix(result, source, str.isspace)


def traced_preparation(text: str, cleaned: str, made: str, rules: TextRules) -> TracedText | None:
    """Trace ``made``, a text that is cleaned, normalized and perhaps lower-cased; None if it can't be traced."""
    source = prepared(text, cleaned, clean=rules.clean, normalize=rules.normalize)
    if source is None or source.text == made:
        return source
    source = _normalized_characters(source, rules)
    if source.text != made and rules.lowercase:  # which depends on the characters around, but not how many it makes
        source = lowered(source, rule=rules.lowercase)
        return source if len(source.text) == len(made) else None
    return source if source.text == made else None


def _normalized_characters(traced: TracedText, rules: TextRules) -> TracedText:
    """NFKC, and the characters that a value of ``normalize`` names."""
    if uses_nfkc(rules.normalize):
        traced = normalized(traced, "NFKC")
    characters = CHARACTERS.get(str(rules.normalize))
    return translated(traced, characters) if characters else traced


def _cleaned(source: TracedText) -> TracedText | None:
    """``clean_as_opencompass`` word by word: each piece between blanks is a word without its marks, or none."""
    words = clean_as_opencompass(source.text).split()
    parts: list[TracedText] = []
    for piece in re.finditer(r"\S+", source.text):
        word = clean_as_opencompass(piece[0])
        if len(parts) < len(words) and word and word == words[len(parts)]:
            starts, ends, place = [], [], piece.start()
            for character in word:
                place = source.text.index(character, place) + 1
                starts.append(source.starts[place - 1])
                ends.append(source.ends[place - 1])
            parts.append(TracedText(word, starts, ends))
    return joined(parts, " ") if len(parts) == len(words) else None


class TokenColumns(NamedTuple):
    """Tokens as columns: for many texts, an object for each token would take most of the time."""

    tokens: list[str]  # as they are compared: lower-cased, stemmed and so on
    starts: list[int | None]  # in the original; None where a callable tokenizer or sentence_split has changed the text
    ends: list[int | None]  # the character behind the last; None likewise

    def part(self, start: int, end: int) -> "TokenColumns":
        """Some of the tokens."""
        return TokenColumns(self.tokens[start:end], self.starts[start:end], self.ends[start:end])

    def with_stems(self, stems: list[str]) -> "TokenColumns":
        """The stems of the tokens, at their places; at none if they are not as many."""
        if len(stems) == len(self.tokens):
            return self._replace(tokens=stems)
        return TokenColumns(stems, [None] * len(stems), [None] * len(stems))


class SpannedDocument(NamedTuple):
    """The tokens of one text and of its sentences, each with its place in the original."""

    whole: TokenColumns
    sentences: list[TokenColumns]
    is_of_sentences: bool  # whether the tokens of the whole are those of the sentences, one after the other


class SpannedReader:
    """``DocumentReader`` for texts whose tokens are to be found in them: the same tokens, with places."""

    def __init__(
        self, rules: TextRules, notes: InputNotes | None = None, make_cutter: MakeCutter = jieba_cutter
    ) -> None:
        plain = rules._replace(use_stemmer=False, stop_words=None)
        self._rules = rules
        self._reader = DocumentReader(plain, notes, make_cutter=make_cutter)
        # A tool's tokenizer may make stems itself, as XL-Sum's do, which can't be found in a text: their words are.
        stems_itself = rules.use_stemmer and not entry_of(rules.tokenizer).is_general
        self._stemming_reader = DocumentReader(rules, make_cutter=make_cutter) if stems_itself else None
        self._filter = token_filter(rules)
        is_own = isinstance(rules.tokenizer, str) and rules.joined_split is None
        self._takes_pieces = is_own and TOKENIZERS[str(rules.tokenizer)].takes_pieces
        self._is_limited = (rules.max_words, rules.max_bytes, rules.max_characters) != (None, None, None)

    def read(self, text: str) -> SpannedDocument:
        """The tokens of a text, with their places."""
        document = self._located(text, self._reader.read(text))
        if self._stemming_reader is None:
            return document
        stemmed = self._stemming_reader.read(text)
        sentences = [
            columns.with_stems(stems) for columns, stems in zip(document.sentences, stemmed.sentences, strict=True)
        ]
        is_of_sentences = document.is_of_sentences and stemmed.tokens == list(chain.from_iterable(stemmed.sentences))
        return SpannedDocument(document.whole.with_stems(stemmed.tokens), sentences, is_of_sentences)

    def _located(self, text: str, document: Document) -> SpannedDocument:
        """The tokens of a document, stemmed and without stop words, with their places."""
        whole_text = self._reader.prepared(text)
        source = prepared(text, whole_text, clean=self._rules.clean, normalize=self._rules.normalize)
        if self._rules.sentence_split == "token":
            whole = self._filtered(self._find(document.tokens, source))
            single = [TokenColumns([token], [start], [end]) for token, start, end in zip(*whole, strict=True)]
            return SpannedDocument(whole, single, is_of_sentences=True)
        if self._reader.joins_tokens:  # the sentences are no pieces of the text, their tokens are
            found = self._find(list(chain.from_iterable(document.sentences)), source)
            bounds = pairwise([0, *accumulate(map(len, document.sentences))])
            sentences = [self._filtered(found.part(start, end)) for start, end in bounds]
            flat, parts = [source], []
        else:
            flat, parts = (self._trace_parts(each, source) for each in self._reader.flat_and_separate_parts(whole_text))
            sentences, behind = [], 0
            for tokens, traced in zip(document.sentences, parts, strict=True):
                columns = self._find(tokens, traced, behind)
                behind = next((end for end in reversed(columns.ends) if end is not None), behind)
                sentences.append(self._filtered(columns))
        is_of_sentences = None not in parts and document.tokens == list(chain.from_iterable(document.sentences))
        if is_of_sentences:
            whole = TokenColumns(
                list(chain.from_iterable(each.tokens for each in sentences)),
                list(chain.from_iterable(each.starts for each in sentences)),
                list(chain.from_iterable(each.ends for each in sentences)),
            )
        else:
            source = joined(flat) if self._reader.text_is_sentences else source
            whole = self._filtered(self._find(document.tokens, source))
        return SpannedDocument(whole, sentences, is_of_sentences)

    def _trace_parts(self, parts: Sequence[str], source: TracedText | None) -> list[TracedText | None]:
        """Find the sentences in the text, in order; None for one that is not in it."""
        if source is None:
            return [None] * len(parts)
        split = self._rules.sentence_split
        if isinstance(split, str) and split not in SENTENCE_SPLITS:
            # A separator may look like the beginning of the sentence after it, so searching would go wrong.
            return [prefix(part, piece) for part, piece in zip(parts, between(source, split), strict=False)]
        traced: list[TracedText | None] = []
        cursor = 0
        for part in parts:
            start = source.text.find(part, cursor)
            piece = source.part(start, start + len(part)) if start >= 0 else None
            if len(traced) == len(parts) - 1 and self._is_limited:  # it may be cut, and its blanks changed
                piece = prefix(part, source.part(cursor, len(source.text))) or piece
            traced.append(piece)
            cursor = cursor if piece is None else start + len(part)
        return traced

    def _find(self, tokens: Sequence[str], traced: TracedText | None, behind: int = 0) -> TokenColumns:
        """Find tokens in the text that they are from; ``behind`` is the end of the token before them."""
        if traced is None:
            nowhere: list[int | None] = [None] * len(tokens)
            return TokenColumns(list(tokens), nowhere, nowhere.copy())
        traced = _normalized_characters(traced, self._rules)
        if self._rules.lowercase:
            traced = lowered(traced, rule=self._rules.lowercase, one_by_one=self._rules.tokenizer == "jieba")
        return _find_exactly(tokens, traced) if self._takes_pieces else _find_pieces(tokens, traced, behind)

    def _filtered(self, columns: TokenColumns) -> TokenColumns:
        """Leave out stop words and stem, token by token."""
        if self._filter is None:
            return columns
        filtered = [(each, *place) for token, *place in zip(*columns, strict=True) for each in self._filter([token])]
        return TokenColumns(*map(list, zip(*filtered, strict=True))) if filtered else TokenColumns([], [], [])


def _find_exactly(tokens: Sequence[str], traced: TracedText) -> TokenColumns:
    """Tokens that are pieces of the text, in order; nothing between could begin one, so the first place is right."""
    starts: list[int | None] = []
    ends: list[int | None] = []
    cursor = 0
    for token in tokens:
        first = traced.text.index(token, cursor)
        cursor = first + len(token)
        starts.append(traced.starts[first])
        ends.append(traced.ends[cursor - 1])
    return TokenColumns(list(tokens), starts, ends)


def _find_pieces(tokens: Sequence[str], traced: TracedText, behind: int) -> TokenColumns:
    """Tokens of a callable or of another tool, which may lower-case, mark subwords, stem, drop or invent some.

    A token is where it is first found after the one before it, unless the next token is found before that place: then
    the text does not hold it as it is.
    """
    small = lowered(traced)

    def first_place(token: str, cursor: int) -> tuple[int, int] | None:
        """Earliest (start, end) in ``small`` of the token, of its syllables, or of what a subword mark leaves."""
        forms = {token, token.replace("_", " "), token.replace("_", "")} if token.strip("_") else {token}
        forms |= {token.removeprefix(mark) for mark in _SUBWORD_MARKS}
        forms = {form.lower() for form in forms} - {""}
        matches = [(start, start + len(form)) for form in forms if (start := small.text.find(form, cursor)) >= 0]
        return min(matches, key=lambda place: (place[0], -place[1]), default=None)

    starts: list[int | None] = [None] * len(tokens)
    ends = starts.copy()
    cursor = 0
    for index, token in enumerate(tokens):
        place = first_place(token, cursor)
        if place is not None and index + 1 < len(tokens) and any(map(str.isalnum, small.text[cursor : place[0]])):
            following = first_place(tokens[index + 1], cursor)
            if following is not None and following[0] < place[0]:
                place = None
        if not token:  # between two blanks, by some tools
            starts[index] = ends[index] = small.ends[cursor - 1] if cursor else behind
        elif place is not None:
            cursor = place[1]
            starts[index], ends[index] = small.starts[place[0]], small.ends[cursor - 1]
    return TokenColumns(list(tokens), starts, ends)
