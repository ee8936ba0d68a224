"""Tokens that the kernel reads, against those of the plain tokenizers: words, sentences, ids."""

import itertools

import numpy as np

from polyrouge import RougeSettings
from polyrouge.counting.compiled.text_counter import TokenIds, batch_of_documents, text_counter
from polyrouge.documents.document import readers_by_side
from polyrouge.documents.input_notes import InputNotes


def sentence_sizes(batch: TokenIds, text: int) -> list[int]:
    """How many tokens the sentences of a text have, but for empty ones."""
    bounds = batch.sentence_tokens[batch.text_sentences[text] : batch.text_sentences[text + 1] + 1]
    return [size for size in np.diff(bounds).tolist() if size]


def assert_read_as_plain(texts: list[str], settings: RougeSettings, every: int | None = None) -> TokenIds:
    """Compare all but the numbers of the ids, which count up in each vocabulary; returns what the kernel read.

    Args:
        texts: what is read.
        settings: which tokenizer reads it.
        every: a vocabulary begins at every so many texts; none for one of all.
    """
    rules = settings.text_rules
    counter = text_counter(rules, settings.count_rules)
    assert counter.reading is not None
    begins = np.arange(len(texts)) % (every or len(texts)) == 0
    notes, plain_notes = InputNotes(rules), InputNotes(rules)

    batch, _ = counter.read(texts, begins, begins, notes)
    expected = batch_of_documents(list(map(readers_by_side(rules, plain_notes).prediction, texts)))

    assert batch.text_tokens.tolist() == expected.text_tokens.tolist()
    for text in range(len(texts)):
        assert sentence_sizes(batch, text) == sentence_sizes(expected, text), text
    for first, last in itertools.pairwise([*np.flatnonzero(begins).tolist(), len(texts)]):
        tokens = slice(batch.text_tokens[first], batch.text_tokens[last])
        pairs = set(zip(batch.ids[tokens].tolist(), expected.ids[tokens].tolist(), strict=True))
        assert len(pairs) == len({ours for ours, _ in pairs}) == len({plain for _, plain in pairs})
        assert {ours for ours, _ in pairs} == set(range(len(pairs)))  # consecutive
    assert notes.reading == plain_notes.reading
    return batch
