"""Where the hits of many pairs of texts stand, for the types that can be shown token by token."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.documents.document import Document
from polyrouge.explaining.matching import is_of_sentences, match_units
from polyrouge.explaining.token_offsets import TextColumns
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.rouge_types import parse_rouge_type

SHOWN_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")  # none whose hits are worth more than 1


class PlacedHits(NamedTuple):
    """Hits of some pairs of texts."""

    counts: NDArray[np.int64]  # [n_pairs, n_types]: how many there are of each of SHOWN_TYPES
    places: NDArray[np.int32]  # [2, n_hits]: their first tokens in prediction and reference, type by type, pair by pair


def place_hits(
    texts: Sequence[TextColumns],
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    settings: RougeSettings,
    run: RunOptions,
) -> PlacedHits:
    """Place the hits of some pairs, by their places in ``texts``, as ``match_units`` finds them."""
    rules = settings.count_rules
    if run.engine != "plain" and rules.lcs == "sentence" and kernels.is_built():
        n_tokens = [max(len(text.whole.tokens), sum(len(each.tokens) for each in text.sentences)) for text in texts]
        lengths = np.array(n_tokens, np.int64)
        if kernels.table_sizes(lengths[predictions], lengths[references]).max(initial=0) <= kernels.LARGEST_TABLE:
            from polyrouge.counting.compiled.text_counter import batch_of_documents  # needs the extension

            batch = batch_of_documents(
                [Document(text.whole.tokens, [each.tokens for each in text.sentences]) for text in texts]
            )
            pairs = kernels.Pairs(*batch, predictions, references, np.zeros(1, np.uint8))
            places, counts = kernels.place_matches(pairs, rules.ngram_counts == "set")
            return PlacedHits(counts, places)
    types = list(map(parse_rouge_type, SHOWN_TYPES))
    counts = np.zeros((len(predictions), len(types)), np.int64)
    first_tokens: list[tuple[int, int]] = []
    for pair, (one, other) in enumerate(zip(predictions.tolist(), references.tolist(), strict=True)):
        for column, rouge_type in enumerate(types):
            by_sentence = is_of_sentences(rouge_type, rules)
            ours, theirs = (
                [sentence.tokens for sentence in text.sentences] if by_sentence else [text.whole.tokens]
                for text in (texts[one], texts[other])
            )
            units = match_units(ours, theirs, rouge_type, rules)
            counts[pair, column] = len(units)
            first_tokens += ((unit.prediction[0], unit.reference[0]) for unit in units)
    return PlacedHits(counts, np.array(first_tokens, np.int32).reshape(-1, 2).T)
