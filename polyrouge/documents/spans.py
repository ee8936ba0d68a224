"""Find the character offsets of tokens in a text, through all that was done to the text before.

A kernel knows where it has cut a token. For all other texts ``DocumentReader`` makes the tokens, and each is found
again in the text that its tokenizer saw. Every character of that text knows its characters in the original.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Literal, NamedTuple

from polyrouge.documents.document import NO_TOKEN_RULES, Document, DocumentReader, token_filter
from polyrouge.documents.input_notes import InputNotes
from polyrouge.settings.rules import TextRules
from polyrouge.texts.edits import Edit, normalizing
from polyrouge.texts.jieba_words import MakeCutter, jieba_cutter
from polyrouge.texts.normalization import AM_TOGETHER, CHARACTERS, uses_nfkc
from polyrouge.texts.preparation import passes_of
from polyrouge.texts.sentences import SENTENCE_SPLITS
from polyrouge.texts.tokenizers import TOKENIZERS, entry_of

_PERL_BLANKS = " \t\n\v\f\r"  # separate words under max_words
_SUBWORD_MARKS = ("##", "▁", "Ġ")  # that subword tokenizers put before a piece


class TracedText(NamedTuple):
    """A text made from another: character i of it came from characters starts[i] ... ends[i] - 1."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def slice(self, start: int, end: int) -> "TracedText":
        """Return a piece of the text."""
        return TracedText(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def edited(self, edits: Iterable[Edit]) -> "TracedText":
        """Replace pieces, in order; each new character comes from the whole old piece, if from any."""
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        position = 0
        for start, stop, replacement in (*edits, (len(self.text), len(self.text), "")):
            pieces += (self.text[position:start], replacement)
            boundary = self.ends[start - 1] if start else 0
            first, last = (boundary, boundary) if start == stop else (self.starts[start], self.ends[stop - 1])
            starts += [*self.starts[position:start], *(first for _ in replacement)]
            ends += [*self.ends[position:start], *(last for _ in replacement)]
            position = stop
        return TracedText("".join(pieces), starts, ends)


def join_traced(parts: Sequence[TracedText | None], separator: str = "\n") -> TracedText | None:
    """Join parts by a separator, which comes from no character; None if a part is None."""
    texts, starts, ends = [], [], []
    for part in parts:
        if part is None:
            return None
        if texts:
            boundary = ends[-1] if ends else 0
            starts.append(boundary)
            ends.append(boundary)
        texts.append(part.text)
        starts += part.starts
        ends += part.ends
    return TracedText(separator.join(texts), starts, ends)


def split_traced(original: TracedText, separator: str) -> list[TracedText]:
    """Split a text at separators, without empty pieces."""
    pieces, start = [], 0
    for piece in original.text.split(separator):
        pieces.append(original.slice(start, start + len(piece)))
        start += len(piece) + len(separator)
    return [piece for piece in pieces if piece.text]


def match_prefix(
    part: str, source: TracedText, is_blank: Callable[[str], bool] = _PERL_BLANKS.__contains__
) -> TracedText | None:
    """Trace the part that begins a source, except for the number of blanks (length limits change it); or None."""
    starts, ends, position = [], [], 0
    for character in part:
        while not is_blank(character) and position < len(source.text) and is_blank(source.text[position]):
            position += 1
        if source.text[position : position + 1] == character:
            starts.append(source.starts[position])
            ends.append(source.ends[position])
            position += 1
        elif is_blank(character):  # an inserted blank
            boundary = ends[-1] if ends else next(iter(source.starts), 0)
            starts.append(boundary)
            ends.append(boundary)
        else:
            return None
    return TracedText(part, starts, ends)


def lowered(traced: TracedText, *, rule: bool | str = True, one_by_one: bool = False) -> TracedText:
    """Apply ``str.lower`` to the text: it never makes fewer characters of one, and its context rules never more.

    ``rule`` is a value of ``lowercase`` other than False. ``one_by_one`` lower-cases each character on its own, as for
    jieba's words: none of several characters has Σ, the only character whose lower case depends on its neighbours.
    """
    if rule == "fold":
        folded = ((position, position + 1, replacement.casefold()) for position, replacement in enumerate(traced.text))
        return traced.edited(edit for edit in folded if edit[2] != traced.text[edit[0]])
    if rule == "ascii":
        characters = (character.lower() if character.isascii() else character for character in traced.text)
        return traced._replace(text="".join(characters))
    text = "".join(map(str.lower, traced.text)) if one_by_one else traced.text.lower()
    if len(text) > len(traced.text):
        small = [character.lower() for character in traced.text]
        traced = traced.edited(
            (position, position + 1, replacement) for position, replacement in enumerate(small) if len(replacement) > 1
        )
    return traced._replace(text=text)


def normalized(traced: TracedText, form: Literal["NFC", "NFKC"]) -> TracedText:
    """Apply NFC or NFKC cluster by cluster: each character of a changed cluster comes from the whole cluster."""
    return traced.edited(normalizing(form)(traced.text))


def translated(traced: TracedText, characters: Mapping[int, str]) -> TracedText:
    """Apply ``str.translate``."""
    replacements = ((position, characters.get(ord(character))) for position, character in enumerate(traced.text))
    return traced.edited(
        (position, position + 1, replacement) for position, replacement in replacements if replacement is not None
    )


def trace_preparation(text: str, result: str, rules: TextRules) -> TracedText | None:
    """Trace ``result``, a text after NFC (for any ``normalize``), its steps and changed blanks; None if impossible."""
    source = TracedText(text, range(len(text)), range(1, len(text) + 1))
    if result == text:
        return source
    if rules.normalize is not None:
        source = normalized(source, "NFC")
    for edits_of in passes_of(rules.prepare):
        source = source.edited(edits_of(source.text))
    if rules.prepare and rules.normalize is not None:
        source = normalized(source, "NFC")
    return match_prefix(result, source, str.isspace)


def trace_kernel_text(text: str, changed: str, made: str, rules: TextRules) -> TracedText | None:
    """Trace ``made``, a text after its steps, normalization and perhaps lower-casing; None if impossible."""
    source = trace_preparation(text, changed, rules)
    if source is None or source.text == made:
        return source
    source = _normalized_characters(source, rules)
    if source.text != made and rules.lowercase:  # context decides the letters, but not their number
        source = lowered(source, rule=rules.lowercase)
        return source if len(source.text) == len(made) else None
    return source if source.text == made else None


def _normalized_characters(traced: TracedText, rules: TextRules) -> TracedText:
    """Apply NFKC and the character table of ``normalize``."""
    if uses_nfkc(rules.normalize):
        traced = normalized(traced, "NFKC")
        traced = traced.edited(AM_TOGETHER(traced.text))
    characters = CHARACTERS.get(str(rules.normalize))
    return translated(traced, characters) if characters else traced


class TokenColumns(NamedTuple):
    """Tokens as columns: an object for each token would take most of the time."""

    tokens: list[str]  # in the form compared: lower-cased, stemmed and so on
    starts: list[int | None]  # in the original; None if a callable tokenizer or sentence_split has changed the text
    ends: list[int | None]  # after the last character; None likewise

    def slice(self, start: int, end: int) -> "TokenColumns":
        """Return a slice of the tokens."""
        return TokenColumns(self.tokens[start:end], self.starts[start:end], self.ends[start:end])

    def with_stems(self, stems: list[str]) -> "TokenColumns":
        """Replace tokens by stems with the same spans, or without spans if their number differs."""
        if len(stems) == len(self.tokens):
            return self._replace(tokens=stems)
        return TokenColumns(stems, [None] * len(stems), [None] * len(stems))


class SpannedDocument(NamedTuple):
    """The tokens of one text and of its sentences, with their spans in the original."""

    tokens: TokenColumns
    sentences: list[TokenColumns]
    is_of_sentences: bool  # whether the text's tokens are the sentences' tokens, one after the other


class SpannedReader:
    """Read the same tokens as ``DocumentReader``, with their spans."""

    def __init__(
        self, rules: TextRules, notes: InputNotes | None = None, make_cutter: MakeCutter = jieba_cutter
    ) -> None:
        # Tokens are joined without their stop words.
        plain = rules._replace(**NO_TOKEN_RULES)
        if rules.joined_split:
            plain = plain._replace(stop_words=rules.stop_words)
        self._rules = rules
        self._reader = DocumentReader(plain, notes, make_cutter=make_cutter)
        # A tool's tokenizer may make stems, as XL-Sum's do. Stems can't be found in a text; their words can.
        stems_itself = rules.use_stemmer and not entry_of(rules.tokenizer).is_general
        self._stemming_reader = DocumentReader(rules, make_cutter=make_cutter) if stems_itself else None
        self._filter = token_filter(rules)
        is_own = isinstance(rules.tokenizer, str) and rules.joined_split is None
        self._takes_pieces = is_own and TOKENIZERS[str(rules.tokenizer)].takes_pieces
        self._is_limited = (rules.max_words, rules.max_bytes, rules.max_characters) != (None, None, None)

    def read(self, text: str) -> SpannedDocument:
        """Read the tokens of a text, with their spans."""
        document = self._located(text, self._reader.read(text))
        if self._stemming_reader is None:
            return document
        stemmed = self._stemming_reader.read(text)
        sentences = [
            columns.with_stems(stems) for columns, stems in zip(document.sentences, stemmed.sentences, strict=True)
        ]
        is_of_sentences = document.is_of_sentences and stemmed.tokens == list(chain.from_iterable(stemmed.sentences))
        return SpannedDocument(document.tokens.with_stems(stemmed.tokens), sentences, is_of_sentences)

    def _located(self, text: str, document: Document) -> SpannedDocument:
        """Find a document's tokens, then stem them and leave out stop words."""
        prepared_text = self._reader.prepared(text)
        source = trace_preparation(text, prepared_text, self._rules)
        if self._rules.sentence_split == "token":
            text_columns = self._filtered(self._find(document.tokens, source))
            single = [TokenColumns([token], [start], [end]) for token, start, end in zip(*text_columns, strict=True)]
            return SpannedDocument(text_columns, single, is_of_sentences=True)
        if self._reader.joins_tokens:  # the tokens are pieces of the text, the sentences are not
            columns = self._find(list(chain.from_iterable(document.sentences)), source)
            bounds = pairwise([0, *accumulate(map(len, document.sentences))])
            sentences = [self._filtered(columns.slice(start, end)) for start, end in bounds]
            flat, traced_sentences = [source], []
        else:
            flat, traced_sentences = (
                self._trace_parts(sentence_texts, source)
                for sentence_texts in self._reader.sentences_for_tokens_and_lcs(prepared_text)
            )
            sentences, stop = [], 0
            for tokens, traced in zip(document.sentences, traced_sentences, strict=True):
                columns = self._find(tokens, traced, stop)
                stop = next((end for end in reversed(columns.ends) if end is not None), stop)
                sentences.append(self._filtered(columns))
        is_of_sentences = None not in traced_sentences and document.tokens == list(
            chain.from_iterable(document.sentences)
        )
        if is_of_sentences:
            text_columns = TokenColumns(
                list(chain.from_iterable(sentence.tokens for sentence in sentences)),
                list(chain.from_iterable(sentence.starts for sentence in sentences)),
                list(chain.from_iterable(sentence.ends for sentence in sentences)),
            )
        else:
            source = join_traced(flat) if self._reader.joins_sentences else source
            text_columns = self._filtered(self._find(document.tokens, source))
        return SpannedDocument(text_columns, sentences, is_of_sentences)

    def _trace_parts(self, parts: Sequence[str], source: TracedText | None) -> list[TracedText | None]:
        """Find the sentences in the text, in order; None for a sentence that is not in it."""
        if source is None:
            return [None] * len(parts)
        split = self._rules.sentence_split
        if isinstance(split, str) and split not in SENTENCE_SPLITS:
            # A separator may look like the beginning of the sentence after it, so searching would go wrong.
            return [match_prefix(part, piece) for part, piece in zip(parts, split_traced(source, split), strict=False)]
        traced: list[TracedText | None] = []
        cursor = 0
        for part in parts:
            start = source.text.find(part, cursor)
            piece = source.slice(start, start + len(part)) if start >= 0 else None
            if len(traced) == len(parts) - 1 and self._is_limited:  # the limit may cut it and change blanks
                piece = match_prefix(part, source.slice(cursor, len(source.text))) or piece
            traced.append(piece)
            cursor = cursor if piece is None else start + len(part)
        return traced

    def _find(self, tokens: Sequence[str], traced: TracedText | None, last_stop: int = 0) -> TokenColumns:
        """Find tokens in their text; ``last_stop`` is the end of the previous token."""
        if traced is None:
            no_spans: list[int | None] = [None] * len(tokens)
            return TokenColumns(list(tokens), no_spans, no_spans.copy())
        traced = _normalized_characters(traced, self._rules)
        if self._rules.lowercase:
            traced = lowered(traced, rule=self._rules.lowercase, one_by_one=self._rules.tokenizer == "jieba")
        return _find_exactly(tokens, traced) if self._takes_pieces else _find_pieces(tokens, traced, last_stop)

    def _filtered(self, columns: TokenColumns) -> TokenColumns:
        """Leave out stop words and stem, token by token."""
        if self._filter is None:
            return columns
        filtered = [
            (filtered_token, *span)
            for token, *span in zip(*columns, strict=True)
            for filtered_token in self._filter([token])
        ]
        return TokenColumns(*map(list, zip(*filtered, strict=True))) if filtered else TokenColumns([], [], [])


def _find_exactly(tokens: Sequence[str], traced: TracedText) -> TokenColumns:
    """Find tokens that are pieces of the text, in order; the first match is right, as no gap can begin a token."""
    starts: list[int | None] = []
    ends: list[int | None] = []
    cursor = 0
    for token in tokens:
        start = traced.text.index(token, cursor)
        cursor = start + len(token)
        starts.append(traced.starts[start])
        ends.append(traced.ends[cursor - 1])
    return TokenColumns(list(tokens), starts, ends)


def _find_pieces(tokens: Sequence[str], traced: TracedText, last_stop: int) -> TokenColumns:
    """Find tokens of a callable or of another tool, which may lower-case, mark subwords, stem, drop or invent some.

    A token is at its first match after the previous token, unless the next token matches before that: then the text
    does not have the token in this form.
    """
    small = lowered(traced)

    def first_span(token: str, cursor: int) -> tuple[int, int] | None:
        """Return the earliest (start, end) in ``small`` of the token, of its syllables, or without a subword mark."""
        forms = {token, token.replace("_", " "), token.replace("_", "")} if token.strip("_") else {token}
        forms |= {token.removeprefix(mark) for mark in _SUBWORD_MARKS}
        forms = {form.lower() for form in forms} - {""}
        matches = [(start, start + len(form)) for form in forms if (start := small.text.find(form, cursor)) >= 0]
        return min(matches, key=lambda span: (span[0], -span[1]), default=None)

    starts: list[int | None] = [None] * len(tokens)
    ends = starts.copy()
    cursor = 0
    for index, token in enumerate(tokens):
        span = first_span(token, cursor)
        if span is not None and index + 1 < len(tokens) and any(map(str.isalnum, small.text[cursor : span[0]])):
            following = first_span(tokens[index + 1], cursor)
            if following is not None and following[0] < span[0]:
                span = None
        if not token:  # some tools make empty tokens between two blanks
            starts[index] = ends[index] = small.ends[cursor - 1] if cursor else last_stop
        elif span is not None:
            cursor = span[1]
            starts[index], ends[index] = small.starts[span[0]], small.ends[cursor - 1]
    return TokenColumns(list(tokens), starts, ends)
