"""Collect the material of notes on a call's texts: observations from all texts, and a sample of the rows."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple

from polyrouge.errors import Option
from polyrouge.inputs import Inputs, SingleReferences, is_blank, reference_texts, total_length
from polyrouge.settings.rules import TextRules
from polyrouge.texts.patterns import pattern
from polyrouge.texts.preparation import SIDES, preparation, steps_of
from polyrouge.texts.tokenizers import entry_of

_MOST_CHARACTERS = 1_000_000  # of the rows in a sample, from the first on
_OF_A_TEXT = 50  # characters added for each text, as Python keeps so many more bytes
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())
_ROWS_OF_LISTS = 100  # checked for lists written as texts
_MOST_BEGINNINGS = 200  # rows
BEGINNING = 300  # characters of a text that notes on whole files look at
_MOST_FOR_FIRST_TEXTS = 10_000  # characters
_ROWS_OF_ANSWERS = 20  # whose whole texts are looked at
_ARRAYS = ("array([", "[array([")
_WITHOUT_COMMA = pattern(r"[^\s\[,]['\"]\s+['\"][^\s\],]")  # between two texts, as in ['a' 'b']
_COLUMNS = frozenset(("prediction", "reference"))


class ReadingNotes(NamedTuple):
    """Observations from all texts of a call. Notes of chunks add up: the first text of a kind stays."""

    lost_text: str | None = None  # the tokenizer drops all or most of its letters
    tokenless_text: str | None = None  # without letters, but not blank, and without a token
    has_breaks: bool = False  # some text has two sentences with tokens
    other_jieba: str = ""  # version of the jieba that cut the texts in place of the compiled engine
    leaves_references: bool = False  # a row has references that multi_reference="first" leaves out
    n_rows: int = 0  # rows whose columns were checked
    blank_columns: frozenset[str] = _COLUMNS  # columns of empty texts only
    written_lists: tuple[tuple[str, str], ...] = ()  # columns of lists written as texts, each with its first text

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
    """Flags of texts that may have odd characters; the kernel has seen all texts of the samples."""

    has_hangul: bool
    has_any: bool
    may_be_decomposed: bool  # not in NFC
    predictions: Sequence[bool]
    references: Sequence[bool]  # of all rows, one after the other
    rows: Sequence[bool]  # whether a row has such a text


NO_ODD_TEXTS = OddTexts(False, False, False, (), (), ())


class RowChunk(NamedTuple):
    """Consecutive rows of a call; texts are not copied."""

    predictions: Sequence[str]
    references: Sequence[Sequence[str]]
    odd: OddTexts | None  # of these rows; None if they were not checked
    is_paired: bool  # False for single texts, which are their own references


@dataclass(frozen=True)
class Sample:
    """The material of a note."""

    rules: TextRules
    reading: ReadingNotes
    chunks: Sequence[RowChunk]  # the first rows of the call

    @cached_property
    def beginnings(self) -> list[tuple[str, list[str]]]:
        """Beginnings of the texts of the first pairs: predictions, each with its references."""
        rows: list[tuple[str, list[str]]] = []
        for chunk in self.chunks:
            if chunk.is_paired and len(rows) < _MOST_BEGINNINGS:
                predictions = chunk.predictions[: _MOST_BEGINNINGS - len(rows)]
                for prediction, references in zip(predictions, chunk.references, strict=False):
                    rows.append((prediction[:BEGINNING], [text[:BEGINNING] for text in references]))
        return rows

    @cached_property
    def joined_beginnings(self) -> str:
        """All beginnings in one, to look for a character far quicker than text by text."""
        return "".join([text for prediction, references in self.beginnings for text in (prediction, *references)])

    @cached_property
    def first_texts(self) -> list[tuple[int, str]]:
        """The texts of the first rows, some thousand characters in all, each with the number of its side."""
        texts, budget = [], _MOST_FOR_FIRST_TEXTS
        for chunk in self.chunks:
            for prediction, references in zip(chunk.predictions, chunk.references, strict=False):
                if budget <= 0:
                    return texts
                texts.append((0, prediction[:budget]))
                budget -= len(prediction) + 1
                for reference in references:
                    if budget > 0:
                        texts.append((1, reference[:budget]))
                    budget -= len(reference) + 1
        return texts

    @cached_property
    def joined_first_texts(self) -> str:
        """All first texts in one."""
        return "".join([text for _, text in self.first_texts])

    @cached_property
    def first_answers(self) -> tuple[list[str], list[str]]:
        """The whole texts of the first pairs as they are scored, predictions and first references."""
        for chunk in self.chunks[:1]:
            if chunk.is_paired:
                rows = chunk.references[:_ROWS_OF_ANSWERS]
                sides = chunk.predictions[:_ROWS_OF_ANSWERS], [row if isinstance(row, str) else row[0] for row in rows]
                steps = [preparation(steps_of(self.rules.prepare, side)) for side in SIDES]
                predictions, references = (list(map(*of_side)) for of_side in zip(steps, sides, strict=True))
                return predictions, references
        return [], []


class InputNotes:
    """Collect observations and sample over the chunks of a call; ``documents.notes`` words the warnings."""

    def __init__(self, rules: TextRules) -> None:
        self.rules = rules
        self.reading = _NOTHING_READ
        self.chunks: list[RowChunk] = []
        self.odd: OddTexts | None = None  # of the counted samples of a chunk; None if they were not checked
        self._drops_letters = entry_of(rules.tokenizer).drops_letters
        self._room = _MOST_CHARACTERS

    def notice(self, **noticed: Any) -> None:
        """Add fields of ``ReadingNotes``."""
        self.reading |= ReadingNotes(**noticed)

    def sample(self) -> Sample:
        """Return the collected observations and rows."""
        return Sample(self.rules, self.reading, self.chunks)

    def note_lost_letters(self, text: str, has_tokens: bool) -> None:
        """Note a text before ``normalize`` without tokens (stop words count), or whose tokens drop most letters."""
        is_known = self.reading.lost_text is not None
        if has_tokens and (is_known or not self._drops_letters):
            return
        if not has_tokens and (not text or text.isspace()):
            return
        if self.rules.normalize == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        if not has_tokens:
            loses_letters = any(map(str.isalpha, text))
            if not loses_letters and self.reading.tokenless_text is None:
                self.notice(tokenless_text=text)
        elif _has_more_ascii_letters(text):
            loses_letters = False
        else:
            # The lower case of some letters is ASCII: İ, and the Kelvin sign.
            lower = text.lower() if self.rules.lowercase is True else text
            letters = [] if text.isascii() else list(filter(str.isalpha, lower))
            loses_letters = 2 * sum(map(str.isascii, letters)) < len(letters)
        if loses_letters and not is_known:
            self.notice(lost_text=text)

    def look_at(
        self, inputs: Inputs, start: int, stop: int, *, odd: OddTexts | None = None, is_paired: bool = True
    ) -> None:
        """Add rows to the sample, up to its budget; check whole columns if the rows are the first."""
        if self._room > 0:
            predictions, references = inputs.predictions[start:stop], inputs.references[start:stop]
            self.chunks.append(RowChunk(predictions, references, odd, is_paired))
            texts = reference_texts(references)
            self._room -= total_length(predictions) + total_length(texts)
            self._room -= _OF_A_TEXT * (len(predictions) + len(texts))
        if start == 0 and is_paired:
            self._look_at_columns(inputs)

    def _look_at_columns(self, inputs: Inputs) -> None:
        """Check columns for empty texts and for lists written as texts, up to the first ordinary text."""
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
    """Say whether a text begins and ends like a list of strings in Python, NumPy or JSON."""
    if text[:2] in ("['", '["'):
        return text[-2:] in ("']", '"]')
    return text.startswith(_ARRAYS) and text[-1:] in ")]"


def remedy_of_written_list(text: str, texts: str) -> str:
    """Say how lists that were written as texts become lists; ``texts`` is the name of the argument."""
    if text.startswith(_ARRAYS) or _WITHOUT_COMMA.search(text) is not None:
        return (
            "NumPy printed them, so they can't be read back for sure: ast.literal_eval would join their texts, or "
            "refuse them. Write them anew from their source, by array.tolist()"
        )
    module = "ast.literal_eval" if text.startswith("['") else "json.loads"
    return f"Make lists of them first: [{module}(text) for text in {texts}]"


def _has_more_ascii_letters(text: str) -> bool:
    """Say quickly whether a text has at least as many ASCII letters as characters beyond ASCII."""
    ascii_part = text.encode("ascii", "ignore")
    return len(ascii_part.translate(None, _NO_LETTERS)) >= len(text) - len(ascii_part)


def with_step(step: str, prepare: Sequence[str]) -> tuple[str, ...]:
    """Add a step before the steps of a convention; ``"model_output"``, which looks for whole marks, comes first."""
    n = 0
    if step != "model_output":
        n = max((number for number, name in enumerate(prepare, 1) if name.endswith("model_output")), default=0)
    return (*prepare[:n], step, *prepare[n:])


def added_step(step: str, rules: TextRules) -> Option:
    """Return the setting with a step more."""
    return Option("prepare", [*with_step(step, rules.prepare)])


def shortened(text: str, limit: int = 40) -> str:
    """Return the beginning of a text, for messages."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
