"""Count pairs of documents in pure Python, one type after the other: the plain engine."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.counts import Counts, HitsAndTotals
from polyrouge.counting.plain.lcs import is_too_deep, lcs_length, pairwise_lcs, type_union_lcs, union_lcs_hits
from polyrouge.counting.plain.ngrams import (
    clipped_hits,
    count_ngrams,
    count_skip_bigrams,
    skip_bigram_total,
    skip_unigrams,
)
from polyrouge.counting.plain.weighted_lcs import weighted_base, weighted_lcs, weighted_lcs_paper
from polyrouge.counting.token_ids import TokenIds
from polyrouge.documents.document import Document, Readers, readers_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.inputs import Inputs
from polyrouge.settings.rouge_types import RougeType
from polyrouge.settings.rules import RECURSION_STEPS, CountRules, TextRules


def count_chunk(
    inputs: Inputs, text_rules: TextRules, rules: CountRules, notes: InputNotes, readers: Readers | None = None
) -> Counts:
    """Count the pairs of samples; ``readers`` may have read texts by these rules before."""
    read_prediction, read_reference = readers or readers_by_side(text_rules, notes)
    rows = zip(inputs.predictions, inputs.references, strict=True)
    texts = [(text, reference) for text, references in rows for reference in references]
    pairs = [(read_prediction(text), read_reference(reference)) for text, reference in texts]
    refusals = [
        refusal_of(pair_texts, *pair, rules) for pair_texts, pair in zip(texts, pairs, strict=True) if rules.refuses
    ]
    offsets = np.concatenate([[0], np.cumsum(list(map(len, inputs.references)))])
    return dataclasses.replace(
        count_documents(pairs, rules), offsets=offsets, refusals=refusals if any(refusals) else None
    )


def count_documents(pairs: Sequence[tuple[Document, Document]], rules: CountRules) -> Counts:
    """Count pairs of documents, each a sample with one reference."""
    bases = [weighted_base(reference.sentences, rules.weight) for _, reference in pairs if rules.keeps_weighted_bases]
    return Counts(
        counts=np.array([count_pair(*pair, rules) for pair in pairs], np.float64).reshape(-1, len(rules.types), 3),
        offsets=np.arange(len(pairs) + 1),
        prediction_tokens=np.array([len(prediction.tokens) for prediction, _ in pairs], np.int64),
        reference_tokens=np.array([len(reference.tokens) for _, reference in pairs], np.int64),
        weighted_bases=np.array(bases) if rules.keeps_weighted_bases else None,
    )


def count_pair(prediction: Document, reference: Document, rules: CountRules) -> list[HitsAndTotals]:
    """Return the counts of each of ``rules.types``, in order, for one pair."""
    return [_count(prediction, reference, rouge_type, rules) for rouge_type in rules.types]


def _count(prediction: Document, reference: Document, rouge_type: RougeType, rules: CountRules) -> HitsAndTotals:
    if rouge_type.kind == "ngram":
        distinct = rules.ngram_counts == "set"
        return _count_ngrams(prediction, reference, rouge_type.n, distinct, rules.unclipped_totals)
    if rouge_type.kind == "skip_bigram":
        return _count_skip_bigrams(prediction.tokens, reference.tokens, rouge_type, rules.definition)
    clip = (Counter(prediction.tokens), Counter(reference.tokens)) if rules.clips_by_text else None
    if rouge_type.kind == "weighted_lcs":
        if rules.definition == "paper":
            return weighted_lcs_paper(prediction.tokens, reference.tokens, rules.weight)
        return weighted_lcs(prediction.sentences, reference.sentences, rules.weight, clip=clip)
    if rouge_type.kind == "lcs" and rules.lcs == "sentence":
        return lcs_length(prediction.tokens, reference.tokens), len(prediction.tokens), len(reference.tokens)
    if rouge_type.kind == "lcs" and rules.lcs == "type_union":
        return type_union_lcs(prediction.sentences, reference.sentences)
    if rouge_type.kind == "lcs" and rules.lcs == "pairwise_sum":
        return pairwise_lcs(prediction.sentences, reference.sentences)
    hits = union_lcs_hits(prediction.sentences, reference.sentences, clip=clip)
    prediction_total = len(prediction.tokens) if clip is not None else sum(map(len, prediction.sentences))
    return hits, prediction_total, sum(map(len, reference.sentences))


def _count_ngrams(prediction: Document, reference: Document, n: int, distinct: bool, unclipped: bool) -> HitsAndTotals:
    pred_counts, ref_counts = _ngrams(prediction, n), _ngrams(reference, n)
    if distinct:
        return len(pred_counts.keys() & ref_counts.keys()), len(pred_counts), len(ref_counts)
    hits = clipped_hits(pred_counts, ref_counts)
    least = 1 - n if unclipped else 0
    return hits, max(least, len(prediction.tokens) - n + 1), max(least, len(reference.tokens) - n + 1)


def _ngrams(document: Document, n: int) -> dict[Hashable, int]:
    counts = document.ngram_counts.get(n)
    if counts is None:
        counts = document.ngram_counts[n] = count_ngrams(document.tokens, n)
    return counts


def _count_skip_bigrams(
    prediction: Sequence[str], reference: Sequence[str], rouge_type: RougeType, definition: str
) -> HitsAndTotals:
    gap = rouge_type.gap
    shared = set(prediction).intersection(reference)
    hits = clipped_hits(count_skip_bigrams(prediction, gap, shared), count_skip_bigrams(reference, gap, shared))
    pred_total = skip_bigram_total(len(prediction), gap)
    ref_total = skip_bigram_total(len(reference), gap)
    if rouge_type.with_unigrams:
        pred_unigrams = skip_unigrams(prediction, definition)
        ref_unigrams = skip_unigrams(reference, definition)
        hits += clipped_hits(count_ngrams(pred_unigrams, 1), count_ngrams(ref_unigrams, 1))
        pred_total += len(pred_unigrams)
        ref_total += len(ref_unigrams)
    return hits, pred_total, ref_total


def refusal_of(
    texts: tuple[str, str], prediction: Document, reference: Document, rules: CountRules, is_deep: bool | None = None
) -> str:
    """Return the one of ``rules.REFUSALS`` for which the tool fails on a pair; "" if it does not fail.

    ``is_deep`` is ``is_too_deep`` where it is known.
    """
    kinds = {rouge_type.kind for rouge_type in rules.types}
    if "rougeW_of_empty_reference" in rules.refuses and "weighted_lcs" in kinds and not any(reference.sentences):
        return "rougeW_of_empty_reference"
    if prediction.tokens and reference.tokens:
        if not _refuses_depth(rules):
            return ""
        if is_deep is None:
            is_deep = is_too_deep(prediction.sentences, reference.sentences)
        return "deep_recursion" if is_deep else ""
    blank = [not text or text.isspace() for text in texts]
    spared = {
        "empty": False,
        "empty_reference": bool(reference.tokens),
        "empty_unless_blank": any(blank),
        "empty_unless_blank_prediction": blank[0],
    }
    return next((name for name, is_spared in spared.items() if name in rules.refuses and not is_spared), "")


def _refuses_depth(rules: CountRules) -> bool:
    return "deep_recursion" in rules.refuses and any(rouge_type.kind == "lcs" for rouge_type in rules.types)


def refusals_of(
    texts: Sequence[str],
    batch: TokenIds,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    rules: CountRules,
    are_too_deep: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]] | None = None,
) -> list[str] | None:
    """Return the refusal of each pair of texts, given by their numbers in the batch; None if there is none.

    ``are_too_deep`` says of some pairs whether they are, as ``is_too_deep`` does.
    """
    text_sizes = np.diff(batch.text_tokens)
    sentence_sizes = np.diff(batch.sentence_tokens[batch.text_sentences])
    is_empty = (text_sizes == 0) | (sentence_sizes == 0)
    is_odd = is_empty[predictions] | is_empty[references]
    is_odd |= sentence_sizes[predictions] + sentence_sizes[references] > RECURSION_STEPS
    refusals = [""] * len(predictions)
    odd = np.flatnonzero(is_odd)
    are_deep = [None] * len(odd)
    if are_too_deep is not None and _refuses_depth(rules):
        are_deep = are_too_deep(predictions[odd], references[odd]).tolist()
    for pair, is_deep in zip(odd.tolist(), are_deep, strict=True):
        prediction, reference = int(predictions[pair]), int(references[pair])
        documents = batch.document(prediction), batch.document(reference)
        refusals[pair] = refusal_of((texts[prediction], texts[reference]), *documents, rules, is_deep)
    return refusals if any(refusals) else None
