"""What notes on the texts of a call are made of: what was noticed in all of them, and a sample of the rows."""

import unicodedata
from collections.abc import Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from polyrouge.inputs import Inputs, SingleReferences, is_blank, reference_texts, total_length
from polyrouge.settings.rules import TextRules
from polyrouge.texts.tokenizers import entry_of

_MOST_CHARACTERS = 1_000_000  # of the rows in a sample, from the first on
_OF_A_TEXT = 50  # characters that a text counts beside its own, as Python keeps so many bytes for it
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())
_ROWS_OF_LISTS = 100  # that are looked at for lists written as texts
_COLUMNS = frozenset(("prediction", "reference"))


class ReadingNotes(NamedTuple):
    """What was noticed in all texts of a call. Those of chunks add up: the first text of a kind stays."""

    lost_text: str | None = None  # the tokenizer drops all or most of its letters
    tokenless_text: str | None = None  # without letters, but not blank, and without a token
    has_breaks: bool = False  # some text has two sentences with tokens
    other_jieba: str = ""  # version of the jieba that cut the texts in place of the compiled engine
    leaves_references: bool = False  # a row has references that multi_reference="first" leaves out
    n_rows: int = 0  # whose columns were looked at
    blank_columns: frozenset[str] = _COLUMNS  # all of whose texts are empty
    written_lists: tuple[tuple[str, str], ...] = ()  # a column whose texts are lists written as texts, and the first

    def __or__(self, later: "ReadingNotes") -> "ReadingNotes":  # pyright: ignore[reportIncompatibleMethodOverride]
        return ReadingNotes(
            self.lost_text or later.lost_text,
            self.tokenless_text or later.tokenless_text,
            self.has_breaks or later.has_breaks,
            self.other_jieba or later.other_jieba,
            self.leaves_references or later.leaves_references,
            self.n_rows + later.n_rows,
            self.blank_columns & later.blank_columns,
            tuple((dict(later.written_lists) | dict(self.written_lists)).items()),
        )


_NOTHING_READ = ReadingNotes()


class OddTexts(NamedTuple):
    """Of some samples, which texts may hold what is noted of odd characters; the kernel has seen them all."""

    has_hangul: bool
    has_any: bool
    may_be_decomposed: bool  # not in NFC
    predictions: Sequence[bool]
    references: Sequence[bool]  # of all rows, one after the other
    rows: Sequence[bool]  # whether a row has such a text


NO_ODD_TEXTS = OddTexts(False, False, False, (), (), ())


class RowChunk(NamedTuple):
    """Some rows of a call, one behind the other; texts are not copied."""

    predictions: Sequence[str]
    references: Sequence[Sequence[str]]
    odd: OddTexts | None  # of these rows, None where nobody has looked
    is_paired: bool  # False for texts by themselves, which stand as their own references


class Sample(NamedTuple):
    """What a note may look at."""

    rules: TextRules
    reading: ReadingNotes
    chunks: Sequence[RowChunk]  # the first rows of the call


class InputNotes:
    """Collects both over the chunks of a call; ``documents.notes`` makes sentences of them."""

    def __init__(self, rules: TextRules) -> None:
        self.rules = rules
        self.reading = _NOTHING_READ
        self.chunks: list[RowChunk] = []
        self.odd: OddTexts | None = None  # of the samples of a chunk that were counted; None where none has looked
        self._drops_letters = entry_of(rules.tokenizer).drops_letters
        self._room = _MOST_CHARACTERS

    def notice(self, **noticed: Any) -> None:
        """Add fields of ``ReadingNotes``."""
        self.reading |= ReadingNotes(**noticed)

    def sample(self) -> Sample:
        """What was collected."""
        return Sample(self.rules, self.reading, self.chunks)

    def look_for_lost_letters(self, text: str, n_tokens: int) -> None:
        """Note a text before ``normalize`` whose tokens, stop words among them, are none or drop most letters."""
        if n_tokens and (self.reading.lost_text is not None or not self._drops_letters):
            return
        if n_tokens == 0 and (not text or text.isspace()):
            return
        if self.rules.normalize == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        if n_tokens == 0:
            lost = any(map(str.isalpha, text))
            if not lost:
                self.notice(tokenless_text=text)
        elif _has_more_ascii_letters(text):
            lost = False
        else:
            # In lower case, some letters are ASCII letters: İ, and the sign of Kelvin.
            lower = text.lower() if self.rules.lowercase is True else text
            letters = [] if text.isascii() else list(filter(str.isalpha, lower))
            lost = 2 * sum(map(str.isascii, letters)) < len(letters)
        if lost:
            self.notice(lost_text=text)

    def look_at(
        self, inputs: Inputs, start: int, stop: int, *, odd: OddTexts | None = None, is_paired: bool = True
    ) -> None:
        """Take some rows into the sample, while there is room, and look at the columns where they are the first."""
        if self._room > 0:
            predictions, references = inputs.predictions[start:stop], inputs.references[start:stop]
            self.chunks.append(RowChunk(predictions, references, odd, is_paired))
            texts = reference_texts(references)
            self._room -= total_length(predictions) + total_length(texts)
            self._room -= _OF_A_TEXT * (len(predictions) + len(texts))
        if start == 0 and is_paired:
            self._look_at_columns(inputs)

    def _look_at_columns(self, inputs: Inputs) -> None:
        """Look at what all texts of a column have in common; stops at the first that is ordinary."""
        references = inputs.references
        columns = {
            "prediction": inputs.predictions,
            "reference": references.texts
            if isinstance(references, SingleReferences)
            else chain.from_iterable(references),
        }
        blank, written = set(), []
        for name, texts in columns.items():
            first = next(iter(texts := iter(texts)), "")
            if is_blank(first) and all(map(is_blank, texts)):
                blank.add(name)
            elif is_written_list(first) and all(map(is_written_list, islice(texts, _ROWS_OF_LISTS))):
                written.append((name, first))
        n_rows = len(inputs.predictions)
        self.notice(n_rows=n_rows, blank_columns=frozenset(blank), written_lists=tuple(written))


def is_written_list(text: str) -> bool:
    """Whether a text begins and ends as a list of strings that Python or JSON writes."""
    return text[:2] in ("['", '["') and text[-2:] in ("']", '"]')


def _has_more_ascii_letters(text: str) -> bool:
    """Whether there are at least as many ASCII letters as characters beyond ASCII; quick."""
    ascii_part = text.encode("ascii", "ignore")
    return len(ascii_part.translate(None, _NO_LETTERS)) >= len(text) - len(ascii_part)


def shortened(text: str, limit: int = 40) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
