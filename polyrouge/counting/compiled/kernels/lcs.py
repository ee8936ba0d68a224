"""Compiled: ROUGE-L over token ids, and what union ROUGE-L shares with it. The twin of ``lcs.py``.

The same columns of bits as there, but in words of 64: a strip is 64 reference tokens wide, and runs
over the whole prediction before the next begins, handing up one carry bit a column. So the match
bits of only 64 tokens are needed at once, and memory is linear in the texts.

Chunks are given as in ``ngram_kernels.py``.
"""

from __future__ import annotations

import numpy as np

from polyrouge.counting.compiled.kernels.instructions import count_bits
from polyrouge.counting.compiled.kernels.kernel import CANCELLED, CHUNK, COUNTS, SENTENCES, inlined, kernel
from polyrouge.counting.compiled.kernels.rooms import longest_stretch

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)


@inlined
def set_matches(matches, tokens):
    """Bit i of matches[token]: the token is at place i."""
    for place in range(len(tokens)):
        matches[tokens[place]] |= _ONE << np.uint64(place)


@inlined
def clear_matches(matches, tokens):
    """Undo ``set_matches``."""
    for token in tokens:
        matches[token] = np.uint64(0)


@inlined
def low_bits(n):
    """The lowest n bits set, n from 0 to 64."""
    return _ALL if n >= 64 else (_ONE << np.uint64(n)) - _ONE


@inlined
def length_of_lcs(ids, one, one_end, other, other_end, matches, carries, cancelled):
    """LCS length of two stretches of ids; ``carries`` has room for the longer; anything once it is cancelled."""
    if one_end - one > other_end - other:  # strips over the shorter side
        one, one_end, other, other_end = other, other_end, one, one_end
    length = 0
    columns = ids[other:other_end]
    if one_end - one <= 64:
        flat = _ALL
        strip = ids[one:one_end]
        set_matches(matches, strip)
        for token in columns:
            common = flat & matches[token]
            flat = (flat + common) | (flat - common)
        clear_matches(matches, strip)
        return count_bits(~flat & low_bits(one_end - one))
    carries[: len(columns)] = 0
    for start in range(one, one_end, 64):
        if cancelled[0]:
            return length
        strip = ids[start : min(start + 64, one_end)]
        flat = _ALL
        set_matches(matches, strip)
        for column in range(len(columns)):
            common = flat & matches[columns[column]]
            total = flat + common
            carry = np.uint64(total < flat)
            total += np.uint64(carries[column])
            carries[column] = carry | np.uint64(total < np.uint64(carries[column]))
            flat = total | (flat - common)
        clear_matches(matches, strip)
        length += count_bits(~flat & low_bits(len(strip)))
    return length


def count_lcs(ids, text_tokens, predictions, references, n_ids, cancelled):
    """ROUGE-L, one LCS over the whole text: see ``lcs_length``."""
    out = np.zeros((len(predictions), 3), np.int64)
    matches = np.zeros(n_ids, np.uint64)
    carries = np.empty(longest_stretch(text_tokens), np.uint8)
    _count_lcs(ids, text_tokens, predictions, references, matches, carries, cancelled, out)
    return out


@kernel(*CHUNK, "uint64[::1]", "uint8[::1]", CANCELLED, COUNTS)
def _count_lcs(ids, text_tokens, predictions, references, matches, carries, cancelled, out):
    for pair in range(len(predictions)):
        pred, pred_end = text_tokens[predictions[pair]], text_tokens[predictions[pair] + 1]
        ref, ref_end = text_tokens[references[pair]], text_tokens[references[pair] + 1]
        out[pair, 0] = length_of_lcs(ids, pred, pred_end, ref, ref_end, matches, carries, cancelled)
        out[pair, 1], out[pair, 2] = pred_end - pred, ref_end - ref


def count_pairwise_lcs(ids, sentence_tokens, text_sentences, predictions, references, n_ids, cancelled):
    """Every LCS of two sentences added up: see ``tool_lcs.pairwise_lcs``; arguments as ``count_union_lcs``."""
    out = np.zeros((len(predictions), 3), np.int64)
    matches = np.zeros(n_ids, np.uint64)
    carries = np.empty(longest_stretch(sentence_tokens), np.uint8)
    _count_pairwise_lcs(ids, sentence_tokens, text_sentences, predictions, references, matches, carries, cancelled, out)
    return out


@kernel(*SENTENCES, "uint64[::1]", "uint8[::1]", CANCELLED, COUNTS)
def _count_pairwise_lcs(
    ids, sentence_tokens, text_sentences, predictions, references, matches, carries, cancelled, out
):
    for pair in range(len(predictions)):
        pred_from, pred_to = text_sentences[predictions[pair]], text_sentences[predictions[pair] + 1]
        ref_from, ref_to = text_sentences[references[pair]], text_sentences[references[pair] + 1]
        for sentence in range(ref_from, ref_to):
            start, end = sentence_tokens[sentence], sentence_tokens[sentence + 1]
            for other in range(pred_from, pred_to):
                first, behind = sentence_tokens[other], sentence_tokens[other + 1]
                out[pair, 0] += length_of_lcs(ids, first, behind, start, end, matches, carries, cancelled)
        out[pair, 1] = sentence_tokens[pred_to] - sentence_tokens[pred_from]
        out[pair, 2] = sentence_tokens[ref_to] - sentence_tokens[ref_from]
