"""The compiled engine: counts chunks of pairs by the kernels of the extension, which let other threads run."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.covered_rules import is_compiled_chinese, is_compiled_tokenization
from polyrouge.counting.compiled.jieba_cutter import compiled_jieba_cutter
from polyrouge.counting.compiled.pair_counters import PairCounters, pair_counters
from polyrouge.counting.compiled.token_batches import (
    TokenBatch,
    batch_of_chinese_texts,
    batch_of_documents,
    batch_of_texts,
)
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.engine import refusal_of
from polyrouge.counting.plain.weighted_lcs import length_weights
from polyrouge.counting.word_reading import WordReader
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.reading.documents import Document, document_readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.stages import CountRules, TextRules


def count_chunk(
    inputs: Inputs,
    start: int,
    stop: int,
    text_rules: TextRules,
    rules: CountRules,
    notes: TextNotes,
    cancelled: NDArray[np.uint8],
    words: WordReader | None = None,
) -> PairCounts:
    """Count the pairs of the samples from start to stop; see ``counting.plain.engine.count_chunk``.

    Once ``cancelled``, uint8[1], is not 0, the counting ends soon. ``words`` reads texts that a segmenter cuts.
    """
    of_pairs = pair_counters(text_rules, rules)
    if of_pairs is not None:
        return _count_strings(of_pairs, inputs, start, stop, text_rules, rules, notes, cancelled)
    return _count_batch(inputs, start, stop, text_rules, rules, notes, cancelled, words)


def _count_strings(
    counters: PairCounters,
    inputs: Inputs,
    start: int,
    stop: int,
    text_rules: TextRules,
    rules: CountRules,
    notes: TextNotes,
    cancelled: NDArray[np.uint8],
) -> PairCounts:
    """Count pair after pair from Python's strings; those that the counter leaves are counted as a batch."""
    predictions: Any = inputs.predictions[start:stop]
    rows = inputs.references[start:stop]
    if isinstance(rows, SingleReferences):
        references: Any = rows.texts
        offsets = np.arange(len(rows) + 1)
    else:
        references = list(itertools.chain.from_iterable(rows))
        sizes = list(map(len, rows))
        predictions = list(itertools.chain.from_iterable(map(itertools.repeat, predictions, sizes)))
        offsets = np.array([0, *itertools.accumulate(sizes)])
    is_ascii = all(map(str.isascii, predictions)) and all(map(str.isascii, references))
    counts = np.empty((len(predictions), len(rules.types), 3))
    n_tokens = np.empty((len(predictions), 2), np.int64)
    counter = counters.of_ascii if is_ascii else counters.of_all
    left, has_breaks, _ = counter.count_many(predictions, references, counts, n_tokens, cancelled)
    notes.saw_break |= has_breaks
    if left:
        others = [predictions[pair] for pair in left], SingleReferences([references[pair] for pair in left])
        batch = _count_batch(Inputs(*others, "text"), 0, len(left), text_rules, rules, notes, cancelled)
        counts[left] = batch.counts
        n_tokens[left, 0], n_tokens[left, 1] = batch.prediction_tokens, batch.reference_tokens
    return PairCounts(counts, offsets, n_tokens[:, 0], n_tokens[:, 1])


def _count_batch(
    inputs: Inputs,
    start: int,
    stop: int,
    text_rules: TextRules,
    rules: CountRules,
    notes: TextNotes,
    cancelled: NDArray[np.uint8],
    words: WordReader | None = None,
) -> PairCounts:
    """Number the tokens of all texts, and count the pairs type after type."""
    texts, begins, predictions, references, offsets = _texts_of(inputs, start, stop)
    refusals: list[str] = []
    batch = None
    make_batch = _maker_of_batches(text_rules)
    if make_batch is not None:
        batch = make_batch(texts, begins, text_rules, notes)
    if batch is None:
        documents = words.read(texts, notes) if words is not None else _documents_of(texts, begins, text_rules, notes)
        batch = batch_of_documents(documents)
    if rules.refuses:
        refusals = [
            refusal_of(operator.itemgetter(one, other)(texts), _document(batch, one), _document(batch, other), rules)
            for one, other in zip(predictions.tolist(), references.tolist(), strict=True)
        ]
    n_tokens = batch.text_tokens[1:] - batch.text_tokens[:-1]
    counts = [_count(batch, predictions, references, rouge_type, rules, cancelled) for rouge_type in rules.types]
    return PairCounts(
        counts=_stacked(counts),
        offsets=offsets,
        prediction_tokens=n_tokens[predictions],
        reference_tokens=n_tokens[references],
        refusals=refusals if any(refusals) else None,
        weighted_bases=_weighted_bases(batch, references, rules) if rules.keeps_weighted_bases else None,
    )


def _maker_of_batches(
    rules: TextRules,
) -> Callable[[Sequence[str], NDArray[np.bool_], TextRules, TextNotes], TokenBatch | None] | None:
    """What reads texts under these rules by a kernel; None where documents must be read.

    It is not remembered: rules hold functions and dictionaries, which would be kept with them.
    """
    if is_compiled_chinese(rules):
        return batch_of_chinese_texts
    return batch_of_texts if is_compiled_tokenization(rules) else None


def _stacked(counts: list[NDArray]) -> NDArray[np.float64]:
    """float64[n_pairs, n_types, 3] of the counts of each type."""
    stacked = np.empty((len(counts[0]), len(counts), 3))
    for column, of_type in enumerate(counts):
        stacked[:, column] = of_type
    return stacked


def _documents_of(
    texts: Sequence[str], begins: NDArray[np.bool_], rules: TextRules, notes: TextNotes
) -> list[Document]:
    """Read texts by the plain tokenizers, but that a kernel cuts where they cut with jieba."""
    read_prediction, read_reference = document_readers(
        rules, notes, functools.partial(compiled_jieba_cutter, notes=notes)
    )
    reads = (read_reference, read_prediction)
    return [reads[begin](text) for text, begin in zip(texts, begins.tolist(), strict=True)]


def _document(batch: TokenBatch, text: int) -> Document:
    """A text as ``refusal_of`` sees it, with ids for tokens."""
    bounds = batch.sentence_tokens[batch.text_sentences[text] : batch.text_sentences[text + 1] + 1].tolist()
    sentences = [batch.sentence_ids[start:end].tolist() for start, end in itertools.pairwise(bounds)]
    tokens = batch.ids[batch.text_tokens[text] : batch.text_tokens[text + 1]].tolist()
    return Document(tokens, sentences)


def _texts_of(
    inputs: Inputs, start: int, stop: int
) -> tuple[Sequence[str], NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Prediction and references of each sample in a row; where samples begin; the texts and the offsets of pairs."""
    rows = inputs.references[start:stop]
    given = inputs.predictions[start:stop]
    n_samples = len(rows)
    if isinstance(rows, SingleReferences) or set(map(len, rows)) == {1}:  # as mostly: by slices
        references = rows.texts if isinstance(rows, SingleReferences) else [row[0] for row in rows]
        texts = [""] * (2 * n_samples)
        texts[::2] = given
        texts[1::2] = references
        places = np.arange(0, 2 * n_samples, 2)
        begins = np.zeros(2 * n_samples, np.bool_)
        begins[::2] = True
        return texts, begins, places, places + 1, np.arange(n_samples + 1)
    texts = []
    for prediction, row in zip(given, rows, strict=True):
        texts.append(prediction)
        texts += row
    sizes = np.fromiter(map(len, rows), np.int64, n_samples)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    firsts = offsets[:-1] + np.arange(n_samples)
    begins = np.zeros(len(texts), np.bool_)
    begins[firsts] = True
    return texts, begins, np.repeat(firsts, sizes), np.flatnonzero(~begins), offsets


def _count(
    batch: TokenBatch,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    rouge_type: RougeType,
    rules: CountRules,
    cancelled: NDArray[np.uint8],
) -> NDArray:
    """int64 or float64[n_pairs, 3] for one type."""
    whole: tuple[Any, ...] = (batch.ids, batch.text_tokens, predictions, references)
    by_sentence: tuple[Any, ...] = (
        batch.sentence_ids,
        batch.sentence_tokens,
        batch.text_sentences,
        predictions,
        references,
    )
    if rouge_type.kind == "ngram":
        counts = kernels.count_ngrams(*whole, batch.n_ids, rouge_type.n, rules.ngram_counts == "set")
        if rules.unclipped_totals and rules.ngram_counts == "multiset":
            n_tokens = np.diff(batch.text_tokens)
            counts[:, 1] = n_tokens[predictions] - rouge_type.n + 1
            counts[:, 2] = n_tokens[references] - rouge_type.n + 1
        return counts
    if rouge_type.kind == "lcs" and rules.lcs == "sentence":
        return kernels.count_lcs(*whole, batch.n_ids, cancelled)
    if rouge_type.kind == "skip_bigram":
        gap = -1 if rouge_type.gap is None else rouge_type.gap
        counts = kernels.count_skip_bigrams(*whole, batch.n_ids, gap, cancelled)
        if rouge_type.with_unigrams:
            counts += kernels.count_unigrams(*whole, batch.n_ids, False, rules.definition == "rouge155")
        return counts
    if rouge_type.kind == "weighted_lcs":
        return _count_weighted(batch, whole, by_sentence, rules, cancelled)
    if rouge_type.kind == "lcs" and rules.lcs == "pairwise_sum":
        return kernels.count_pairwise_lcs(*by_sentence, batch.n_ids, cancelled)
    if rouge_type.kind == "lcs" and rules.lcs == "type_union":
        other_way_round = (*by_sentence[:3], references, predictions)
        return kernels.count_union_lcs(*other_way_round, batch.n_ids, True, cancelled)[:, [0, 2, 1]]
    return kernels.count_union_lcs(*by_sentence, batch.n_ids, False, cancelled)


def _count_weighted(
    batch: TokenBatch, whole: tuple, by_sentence: tuple, rules: CountRules, cancelled: NDArray[np.uint8]
) -> NDArray:
    longest = int(max(np.diff(batch.text_tokens).max(), _sentence_totals(batch).max()))
    f = np.array(length_weights(longest, rules.weight))
    if rules.definition == "paper":
        return kernels.count_weighted_lcs_paper(*whole, batch.n_ids, f, cancelled)
    counts = kernels.count_weighted_lcs(*by_sentence, batch.n_ids, f, cancelled)
    counts[:, 2] = [base**rules.weight for base in counts[:, 2].tolist()]
    return counts


def _weighted_bases(batch: TokenBatch, references: NDArray[np.int64], rules: CountRules) -> NDArray[np.float64]:
    """See ``weighted_lcs.weighted_base``; added up in the same order."""
    lengths = np.diff(batch.sentence_tokens)
    f = length_weights(int(lengths.max(initial=0)), rules.weight)
    weights = [f[length] for length in lengths.tolist()]
    bounds = batch.text_sentences.tolist()
    bases = [functools.reduce(operator.add, weights[bounds[text] : bounds[text + 1]], 0.0) for text in references]
    return np.array(bases)


def _sentence_totals(batch: TokenBatch) -> NDArray[np.int64]:
    """Tokens in the sentences of each text."""
    return np.diff(batch.sentence_tokens[batch.text_sentences])
