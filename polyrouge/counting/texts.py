"""Read each text of a call once, so that counts, coloured hits and lists have the same tokens."""

from __future__ import annotations

import functools
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import uses_kernels
from polyrouge.counting.token_ids import TokenIds, offsets_of
from polyrouge.documents.document import Document, rules_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.spans import SpannedReader, TokenColumns
from polyrouge.inputs import Inputs, SingleReferences, reference_texts
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rules import TextRules
from polyrouge.texts.jieba_words import jieba_cutter, jieba_dictionary

_TEXTS_AT_ONCE, _CHARACTERS_AT_ONCE = 1000, 200_000  # read with a vocabulary of their own


@dataclass(frozen=True)
class ReadTexts:
    """Distinct texts with their tokens, of one vocabulary; each text has a number.

    Attributes:
        texts: the original texts.
        tokens: of the texts and of their sentences.
        spans: int32[n_tokens, 2]: first character of each token in its text, and the position after its last; -1 for a
            token that is not in the original text.
        sentence_spans: the same for tokens of sentences; ``spans`` itself if sentences have the texts' tokens.
        rules: by which they were read; predictions and references may have different rules.
        vocabulary: the token of each id, in the form compared.
        with_own_sentences: numbers of the texts whose sentences have other tokens than the text.
    """

    texts: list[str]
    tokens: TokenIds
    spans: NDArray[np.int32]
    sentence_spans: NDArray[np.int32]
    rules: TextRules
    vocabulary: list[str]
    with_own_sentences: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """int64[n_texts]: tokens of each text."""
        return np.diff(self.tokens.text_tokens)

    @functools.cached_property
    def documents(self) -> list[Document]:
        """Return the texts for the plain engine: lists of ids."""
        return list(map(self.tokens.document, range(len(self.texts))))

    def select(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Return the ids of some texts, one after the other, and the offsets of the texts in them."""
        positions, sizes = ranges(self.tokens.text_tokens, numbers)
        return self.tokens.ids[positions], np.concatenate([[0], np.cumsum(sizes)])


class SystemTexts(NamedTuple):
    """One system's texts after reading; used in place of its ``Inputs`` to count samples."""

    inputs: Inputs
    read: ReadTexts
    predictions: NDArray[np.int64]  # [n_rows]: numbers of texts
    references: NDArray[np.int64]  # [n_pairs]
    offsets: NDArray[np.int64]  # [n_rows + 1]: where the references of each row begin
    notes: InputNotes  # on all texts

    def pairs_as_samples(self) -> SystemTexts:
        """Make each pair of prediction and reference a sample, of the same tokens."""
        sizes = np.diff(self.offsets)
        predictions = list(chain.from_iterable(map(repeat, self.inputs.predictions, sizes.tolist())))
        references = SingleReferences(reference_texts(self.inputs.references))
        return self._replace(
            inputs=Inputs(predictions, references, "text"),
            predictions=np.repeat(self.predictions, sizes),
            offsets=np.arange(len(self.references) + 1),
        )


class Texts(NamedTuple):
    """The texts of systems over the same references, after reading."""

    systems: Sequence[Inputs]
    read: ReadTexts
    predictions: NDArray[np.int64]  # [n_systems, n_rows]: numbers of texts
    references: NDArray[np.int64]  # [n_pairs]
    offsets: NDArray[np.int64]  # [n_rows + 1]: where the references of each row begin
    sources: NDArray[np.int64]  # [n_rows], or [0] if there are none
    notes: InputNotes  # on all texts except the sources

    def system(self, number: int) -> SystemTexts:
        """Return one system's texts, for scoring."""
        inputs, predictions = self.systems[number], self.predictions[number]
        return SystemTexts(inputs, self.read, predictions, self.references, self.offsets, self.notes)

    def selected(self, numbers: Sequence[int]) -> Texts:
        """Select some of the systems, with the same tokens."""
        return self._replace(
            systems=[self.systems[number] for number in numbers], predictions=self.predictions[list(numbers)]
        )


def read_texts(
    systems: Sequence[Inputs], settings: RougeSettings, run: RunOptions, sources: Sequence[str] = ()
) -> Texts:
    """Read every text of systems over the same references, with its sentences and spans, whatever the types.

    ``sources``, a text for each row, are read like references.
    """
    rules = rules_of_reading(settings.text_rules)
    notes = InputNotes(settings.text_rules)
    references = reference_texts(systems[0].references)
    predictions = list(chain.from_iterable(inputs.predictions for inputs in systems))
    prediction_rules, reference_rules = rules_by_side(rules)
    if prediction_rules is reference_rules:
        groups = [([*references, *predictions], rules)]
    else:
        groups = [(references, reference_rules), (predictions, prediction_rules)]
    collected = _CollectedTexts()
    numbers = np.concatenate([collected.add(texts, side, run.engine, notes) for texts, side in groups])
    source_numbers = collected.add(sources, reference_rules, run.engine, InputNotes(settings.text_rules))
    return Texts(
        systems=systems,
        read=collected.read_texts(rules),
        predictions=numbers[len(references) :].reshape(len(systems), -1),
        references=numbers[: len(references)],
        offsets=offsets_of(map(len, systems[0].references)),
        sources=source_numbers,
        notes=notes,
    )


def rules_of_reading(rules: TextRules) -> TextRules:
    """Return the rules with sentences, which some types ignore; the tokens of the texts are the same."""
    return rules._replace(uses_sentences=True, wants_sentences="")


def ranges(bounds: NDArray[np.int64], numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions from bounds[n] to bounds[n + 1] of each number n, joined, and how many each n has."""
    starts = bounds[numbers]
    sizes = bounds[numbers + 1] - starts
    return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum()), sizes


class _Part(NamedTuple):
    """Texts after reading, with ids of the common vocabulary."""

    batch: TokenIds
    spans: NDArray[np.int32]
    sentence_spans: NDArray[np.int32]
    has_own: NDArray[np.bool_]  # [n_texts]: whether the sentences have other tokens than the text


class _CollectedTexts:
    """Collect texts that are read in several steps, and number their tokens."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._numbers: defaultdict[str, int] = defaultdict()  # of tokens
        self._numbers.default_factory = self._numbers.__len__
        self._parts: list[_Part] = []

    def add(self, texts: Sequence[str], rules: TextRules, engine: str, notes: InputNotes) -> NDArray[np.int64]:
        """Read each distinct text once; return the number of each text, int64[n_texts]."""
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        text_numbers = np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts))
        first = len(self._texts)
        distinct = list(numbers)
        self._texts += distinct
        self._parts += self._read(distinct, rules, engine, notes)
        return first + text_numbers

    def _read(self, texts: list[str], rules: TextRules, engine: str, notes: InputNotes) -> Iterator[_Part]:
        if rules.jieba_dict is not None:  # all texts use the dictionary in its present state
            rules = rules._replace(jieba_dict=jieba_dictionary(rules.jieba_dict))
        make_cutter = jieba_cutter
        if uses_kernels(engine, rules):
            from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
            from polyrouge.counting.compiled.text_counter import reader_of

            reader = reader_of(rules)
            if reader.reading is not None:
                for chunk in _pieces(texts):
                    batch, spans, vocabulary = reader.read_spans(chunk, notes)
                    ids = np.array(list(map(self._numbers.__getitem__, vocabulary)), np.uint32)[batch.ids]
                    # Copies, because the kernel's arrays are larger.
                    spans, sentence_tokens = spans.copy(), batch.sentence_tokens.copy()
                    batch = batch._replace(ids=ids, sentence_ids=ids, sentence_tokens=sentence_tokens)
                    yield _Part(batch, spans, spans, np.zeros(len(chunk), np.bool_))
                return
            make_cutter = functools.partial(compiled_jieba_cutter, notes=notes)
        read = SpannedReader(rules, notes, make_cutter).read
        for chunk in _pieces(texts):
            documents = list(map(read, chunk))
            ids, spans, text_tokens = self._columns([document.tokens] for document in documents)
            sentence_sizes = [len(sentence.tokens) for document in documents for sentence in document.sentences]
            has_own = np.array([not document.is_of_sentences for document in documents], np.bool_)
            sentence_ids, sentence_spans = ids, spans
            if has_own.any():
                sentence_ids, sentence_spans, _ = self._columns(document.sentences for document in documents)
            text_sentences = offsets_of(len(document.sentences) for document in documents)
            batch = TokenIds(ids, text_tokens, sentence_ids, offsets_of(sentence_sizes), text_sentences, 0)
            yield _Part(batch, spans, sentence_spans, has_own)

    def _columns(
        self, groups: Iterable[Sequence[TokenColumns]]
    ) -> tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int64]]:
        """Return ids and spans of all tokens, and the offsets of the groups in them."""
        ids, starts, ends, sizes = array("I"), array("i"), array("i"), []
        for columns in groups:
            n_before = len(ids)
            for tokens, token_starts, token_ends in columns:
                ids.extend(map(self._numbers.__getitem__, tokens))
                starts.extend([-1 if start is None else start for start in token_starts])
                ends.extend([-1 if end is None else end for end in token_ends])
            sizes.append(len(ids) - n_before)
        spans = np.array([starts, ends], np.int32).reshape(2, -1).T.copy()
        return np.array(ids, np.uint32), spans, offsets_of(sizes)

    def read_texts(self, rules: TextRules) -> ReadTexts:
        """Return all texts so far, which were read by these rules."""
        parts, batches = self._parts, [part.batch for part in self._parts]
        ids = np.concatenate([np.zeros(0, np.uint32), *(batch.ids for batch in batches)])
        spans = np.concatenate([np.zeros((0, 2), np.int32), *(part.spans for part in parts)])
        sentence_ids, sentence_spans = ids, spans
        has_own = np.concatenate([np.zeros(0, np.bool_), *(part.has_own for part in parts)])
        if has_own.any():
            sentence_ids = np.concatenate([batch.sentence_ids for batch in batches])
            sentence_spans = np.concatenate([part.sentence_spans for part in parts])
        tokens = TokenIds(
            ids=ids,
            text_tokens=_joined_offsets([batch.text_tokens for batch in batches]),
            sentence_ids=sentence_ids,
            sentence_tokens=_joined_offsets([batch.sentence_tokens for batch in batches]),
            text_sentences=_joined_offsets([batch.text_sentences for batch in batches]),
            n_ids=max(1, len(self._numbers)),
        )
        vocabulary, with_own_sentences = list(self._numbers), np.flatnonzero(has_own)
        return ReadTexts(self._texts, tokens, spans, sentence_spans, rules, vocabulary, with_own_sentences)


def _pieces(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Split texts into pieces of bounded size."""
    start = 0
    while start < len(texts):
        stop, n_characters = start, 0
        while stop < min(len(texts), start + _TEXTS_AT_ONCE) and (
            stop == start or n_characters + len(texts[stop]) <= _CHARACTERS_AT_ONCE
        ):
            n_characters += len(texts[stop])
            stop += 1
        yield texts[start:stop]
        start = stop


def _joined_offsets(offsets: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Join offsets, where each array begins with 0."""
    return np.concatenate([[0], np.cumsum(np.concatenate([np.zeros(0, np.int64), *map(np.diff, offsets)]))])
