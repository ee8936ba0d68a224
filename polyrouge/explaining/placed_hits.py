"""Where the hits of many pairs of texts stand, for the types that can be shown token by token."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import kernels
from polyrouge.explaining.token_places import TextColumns, TokenColumns
from polyrouge.explaining.unit_matches import is_of_sentences, match_places
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.settings.rouge_types import parse_rouge_type

SHOWN_TYPES = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum")  # none whose hits are worth more than 1


class PlacedHits(NamedTuple):
    """Hits of some pairs of texts."""

    counts: NDArray[np.int64]  # [n_pairs, n_types]: how many there are of each of SHOWN_TYPES
    places: NDArray[np.int32]  # [2, n_hits]: their first tokens in prediction and reference, type by type, pair by pair


class HitPlacer:
    """Places hits, by the kernel where it is installed and knows the settings."""

    def __init__(self, settings: RougeSettings) -> None:
        self._rules = settings.count_rules
        self._types = [parse_rouge_type(name) for name in SHOWN_TYPES]
        self._is_compiled = settings.engine != "plain" and self._rules.lcs == "sentence" and kernels.is_built()

    def place(
        self, texts: Sequence[TextColumns], predictions: NDArray[np.int64], references: NDArray[np.int64]
    ) -> PlacedHits:
        """Place the hits of some pairs, by their places in ``texts``, as ``match_places`` finds them."""
        if self._is_compiled:
            n_tokens = np.array([_most_tokens(text) for text in texts], np.int64)
            sizes = kernels.table_sizes(n_tokens[predictions], n_tokens[references])
            if sizes.max(initial=0) <= kernels.LARGEST_TABLE:
                pairs = kernels.Pairs(*_numbered(texts), predictions, references, np.zeros(1, np.uint8))
                places, counts = kernels.place_matches(pairs, self._rules.ngram_counts == "set")
                return PlacedHits(counts, places)
        return self._place_plainly(texts, predictions, references)

    def _place_plainly(
        self, texts: Sequence[TextColumns], predictions: NDArray[np.int64], references: NDArray[np.int64]
    ) -> PlacedHits:
        counts = np.zeros((len(predictions), len(self._types)), np.int64)
        places: list[tuple[int, int]] = []
        by_sentence = [is_of_sentences(each, self._rules) for each in self._types]
        for pair, (one, other) in enumerate(zip(predictions.tolist(), references.tolist(), strict=True)):
            ours, theirs = _compared(texts[one]), _compared(texts[other])
            for column, rouge_type in enumerate(self._types):
                kind = by_sentence[column]
                found = match_places(ours[kind], theirs[kind], rouge_type, self._rules)
                counts[pair, column] = len(found)
                places += found
        return PlacedHits(counts, np.array(places, np.int32).reshape(-1, 2).T)


def _compared(text: TextColumns) -> tuple[list[list[str]], list[list[str]]]:
    """The tokens as they are compared: as one sentence, by sentences."""
    return [text.whole.tokens], [sentence.tokens for sentence in text.sentences]


def _most_tokens(text: TextColumns) -> int:
    """Of the text as a whole, or of its sentences together."""
    return max(len(text.whole.tokens), sum(len(sentence.tokens) for sentence in text.sentences))


def _numbered(texts: Sequence[TextColumns]) -> tuple:
    """Texts as ``kernels.Pairs`` takes them."""
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__

    def numbers(columns: Sequence[TokenColumns]) -> NDArray[np.uint32]:
        tokens = chain.from_iterable(each.tokens for each in columns)
        return np.array(list(map(ids.__getitem__, tokens)), np.uint32)

    whole = [text.whole for text in texts]
    sentences = list(chain.from_iterable(text.sentences for text in texts))
    flat = numbers(whole)
    cut = flat if all(text.is_of_sentences for text in texts) else numbers(sentences)
    sentence_offsets = _offsets(len(each.tokens) for each in sentences)
    text_offsets = _offsets(len(text.sentences) for text in texts)
    return flat, _offsets(len(each.tokens) for each in whole), cut, sentence_offsets, text_offsets, len(ids)


def _offsets(sizes: Iterable[int]) -> NDArray[np.int64]:
    return np.array(list(accumulate(sizes, initial=0)), np.int64)
