"""The compiled engine: counts chunks of pairs by the kernels of the extension, which let other threads run."""

import dataclasses
import functools
import itertools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.compiled.jieba_tables import compiled_jieba_cutter
from polyrouge.counting.compiled.kernels.codes import UNION_LCS
from polyrouge.counting.compiled.supported_rules import LCS_KINDS, is_compiled_tokenization, pair_counters
from polyrouge.counting.compiled.token_batches import TokenBatch, batch_of_documents, batch_of_texts
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.counting.plain.engine import refusal_of
from polyrouge.counting.plain.weighted_lcs import length_weights
from polyrouge.counting.word_reading import WordReader
from polyrouge.documents.document import Document, document_readers
from polyrouge.documents.input_notes import InputNotes
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.rules import CountRules, TextRules
from polyrouge.texts.tokenizers import all_composed


def count_chunk(
    inputs: Inputs,
    text_rules: TextRules,
    rules: CountRules,
    notes: InputNotes,
    cancelled: NDArray[np.uint8],
    words: WordReader | None = None,
) -> PairCounts:
    """Count the pairs of some samples, until ``cancelled``, uint8[1], is not 0; ``words`` cuts with a segmenter."""
    counters = pair_counters(text_rules, rules)
    if counters is None:
        return _count_batch(inputs, text_rules, rules, notes, cancelled, words)
    predictions: Any = inputs.predictions
    rows = inputs.references
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
    if not is_ascii and text_rules.normalize == "nfc":
        predictions, references = all_composed(predictions), all_composed(references)
    left, has_breaks, _ = counter.count_many(predictions, references, counts, n_tokens, cancelled)
    notes.saw_break |= has_breaks
    if left:
        others = [predictions[pair] for pair in left], SingleReferences([references[pair] for pair in left])
        batch = _count_batch(Inputs(*others, "text"), text_rules, rules, notes, cancelled)
        counts[left] = batch.counts
        n_tokens[left, 0], n_tokens[left, 1] = batch.prediction_tokens, batch.reference_tokens
    return PairCounts(counts, offsets, n_tokens[:, 0], n_tokens[:, 1])


def _count_batch(
    inputs: Inputs,
    text_rules: TextRules,
    rules: CountRules,
    notes: InputNotes,
    cancelled: NDArray[np.uint8],
    words: WordReader | None = None,
) -> PairCounts:
    """Number the tokens of all texts, and count the pairs type after type."""
    rows = inputs.references
    sizes = np.ones(len(rows), np.int64)
    if isinstance(rows, SingleReferences):  # as mostly: by slices
        texts = [""] * (2 * len(rows))
        texts[::2], texts[1::2] = inputs.predictions, rows.texts
    else:
        texts = [text for each in zip(inputs.predictions, rows, strict=True) for text in (each[0], *each[1])]
        sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    begins = np.zeros(len(texts), np.bool_)
    begins[offsets[:-1] + np.arange(len(sizes))] = True
    predictions, references = np.repeat(np.flatnonzero(begins), sizes), np.flatnonzero(~begins)
    batch = read_texts(texts, begins, begins, text_rules, notes, words)
    refusals: list[str] = []
    if rules.refuses:
        refusals = [
            refusal_of((texts[one], texts[other]), _document(batch, one), _document(batch, other), rules)
            for one, other in zip(predictions.tolist(), references.tolist(), strict=True)
        ]
    pairs = count_places(batch, predictions, references, rules, cancelled)
    return dataclasses.replace(pairs, offsets=offsets, refusals=refusals if any(refusals) else None)


def read_texts(
    texts: Sequence[str],
    begins: NDArray[np.bool_],
    is_prediction: NDArray[np.bool_],
    rules: TextRules,
    notes: InputNotes,
    words: WordReader | None = None,
) -> TokenBatch:
    """The tokens of texts as ids; texts of ``begins`` may begin a vocabulary, see ``batch_of_texts``."""
    batch = batch_of_texts(texts, begins, rules, notes) if is_compiled_tokenization(rules) else None
    if batch is not None:
        return batch
    return batch_of_documents(
        words.read(texts, notes) if words is not None else _documents_of(texts, is_prediction, rules, notes)
    )


def count_places(
    batch: TokenBatch,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    rules: CountRules,
    cancelled: NDArray[np.uint8],
) -> PairCounts:
    """Count pairs of a batch's texts, which are given by their places, type after type; each pair is a sample."""
    pairs = kernels.Pairs(*batch, predictions, references, cancelled)
    n_tokens = np.diff(batch.text_tokens)
    totals = np.stack([n_tokens[predictions], n_tokens[references]], axis=1)
    counts = np.empty((len(predictions), len(rules.types), 3))
    for column, rouge_type in enumerate(rules.types):
        counts[:, column] = _count(pairs, batch, rouge_type, rules)
        if rouge_type.kind == "ngram" and rules.unclipped_totals and rules.ngram_counts == "multiset":
            counts[:, column, 1:] = totals - rouge_type.n + 1
    return PairCounts(
        counts=counts,
        offsets=np.arange(len(predictions) + 1),
        prediction_tokens=totals[:, 0],
        reference_tokens=totals[:, 1],
        weighted_bases=_weighted_bases(batch, references, rules) if rules.keeps_weighted_bases else None,
    )


def _documents_of(
    texts: Sequence[str], is_prediction: NDArray[np.bool_], rules: TextRules, notes: InputNotes
) -> list[Document]:
    """Read texts by the plain tokenizers, except that a kernel does what jieba would."""
    read_prediction, read_reference = document_readers(
        rules, notes, functools.partial(compiled_jieba_cutter, notes=notes)
    )
    reads = (read_reference, read_prediction)
    return [reads[side](text) for text, side in zip(texts, is_prediction.tolist(), strict=True)]


def _document(batch: TokenBatch, text: int) -> Document:
    """A text with ids for tokens, for ``refusal_of``."""
    bounds = batch.sentence_tokens[batch.text_sentences[text] : batch.text_sentences[text + 1] + 1].tolist()
    sentences = [batch.sentence_ids[start:end].tolist() for start, end in itertools.pairwise(bounds)]
    tokens = batch.ids[batch.text_tokens[text] : batch.text_tokens[text + 1]].tolist()
    return Document(tokens, sentences)


def _count(pairs: kernels.Pairs, batch: TokenBatch, rouge_type: RougeType, rules: CountRules) -> NDArray:
    """int64 or float64[n_pairs, 3] for one type."""
    if rouge_type.kind == "ngram":
        return kernels.count_pairs(pairs, rouge_type.n, rules.ngram_counts == "set")
    if rouge_type.kind == "skip_bigram":
        counts = kernels.count_skip_bigrams(pairs, -1 if rouge_type.gap is None else rouge_type.gap)
        if rouge_type.with_unigrams:
            counts += kernels.count_pairs(pairs, 1, drops_last=rules.definition != "paper")
        return counts
    if rouge_type.kind == "weighted_lcs":
        return _count_weighted(pairs, batch, rules)
    return kernels.count_pairs(pairs, LCS_KINDS[rules.lcs] if rouge_type.kind == "lcs" else UNION_LCS)


def _count_weighted(pairs: kernels.Pairs, batch: TokenBatch, rules: CountRules) -> NDArray:
    in_sentences = np.diff(batch.sentence_tokens[batch.text_sentences])
    f = np.array(length_weights(int(max(np.diff(batch.text_tokens).max(), in_sentences.max())), rules.weight))
    if rules.definition == "paper":
        return kernels.count_weighted_lcs_paper(pairs, f)
    counts = kernels.count_weighted_lcs(pairs, f)
    counts[:, 2] = [base**rules.weight for base in counts[:, 2].tolist()]
    return counts


def _weighted_bases(batch: TokenBatch, references: NDArray[np.int64], rules: CountRules) -> NDArray[np.float64]:
    """``weighted_lcs.weighted_base`` of each reference, added up in the same order."""
    lengths = np.diff(batch.sentence_tokens)
    f = length_weights(int(lengths.max(initial=0)), rules.weight)
    weights = [f[length] for length in lengths.tolist()]
    bounds = batch.text_sentences.tolist()
    bases = [functools.reduce(operator.add, weights[bounds[text] : bounds[text + 1]], 0.0) for text in references]
    return np.array(bases)
