"""Find the positions of the hits of many pairs of texts, for the types that can be shown token by token."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.counting.texts import ReadTexts
from polyrouge.explaining.matching import is_of_sentences, match_units
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import parse_rouge_type
from polyrouge.settings.rules import CountRules

SHOWN_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")  # none whose hits are worth more than 1


class Hits(NamedTuple):
    """Hits of pairs of texts."""

    counts: NDArray[np.int64]  # [n_pairs, n_types]: hits of each of SHOWN_TYPES
    positions: NDArray[np.int32]  # [2, n_hits]: first tokens in prediction and reference, type by type, pair by pair


def find_hits(
    read: ReadTexts,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    settings: RougeSettings,
    run: RunOptions,
) -> Hits:
    """Find the hits of pairs of texts, given by their numbers, as ``match_units`` does."""
    rules = settings.count_rules
    compiled = compiled_hits(read, predictions, references, rules, run)
    if compiled is not None:
        return compiled
    types = list(map(parse_rouge_type, SHOWN_TYPES))
    counts = np.zeros((len(predictions), len(types)), np.int64)
    first_tokens: list[tuple[int, int]] = []
    for pair, numbers in enumerate(zip(predictions.tolist(), references.tolist(), strict=True)):
        documents = [read.documents[number] for number in numbers]
        for column, rouge_type in enumerate(types):
            by_sentence = is_of_sentences(rouge_type, rules)
            pred_tokens, ref_tokens = (
                document.sentences if by_sentence else [document.tokens] for document in documents
            )
            units = match_units(pred_tokens, ref_tokens, rouge_type, rules)
            counts[pair, column] = len(units)
            first_tokens += ((unit.prediction[0], unit.reference[0]) for unit in units)
    return Hits(counts, np.array(first_tokens, np.int32).reshape(-1, 2).T)


def compiled_hits(
    read: ReadTexts,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    rules: CountRules,
    run: RunOptions,
) -> Hits | None:
    """Find the hits of pairs of texts by the kernel; None where it can't: without it, or of long texts."""
    tokens = read.tokens
    if run.engine == "plain" or not kernels.is_built():
        return None
    lengths = np.maximum(read.sizes, np.diff(tokens.sentence_tokens[tokens.text_sentences]))
    if kernels.table_sizes(lengths[predictions], lengths[references]).max(initial=0) > kernels.LARGEST_TABLE:
        return None
    pairs = kernels.Pairs(*tokens, predictions, references, np.zeros(1, np.uint8))
    positions, counts = kernels.match_hits(pairs, rules.ngram_counts == "set", rules.lcs)
    return Hits(counts, positions)
