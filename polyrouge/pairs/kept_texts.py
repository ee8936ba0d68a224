"""Texts that are kept one by one: the first of them that a new text is similar to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_in_chunks
from polyrouge.counting.pair_counts import concatenated
from polyrouge.counting.plain.ngrams import count_ngrams
from polyrouge.documents.document import document_readers, rules_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.pairs.pair_scores import NO_HITS, PairScore

_CANDIDATES_AT_ONCE = 64
_FIRST_SIZE = 1024


class KeptTexts:
    """Texts in the order in which they were kept.

    A new text is compared with those whose length and signature allow a score above the bound, which are bounds 1 and 2
    of the compiled ``TextIndex``. Under types without bounds it is compared with all.
    """

    def __init__(self, score: PairScore, bound: float, notes: InputNotes) -> None:
        rules = score.settings.text_rules
        self.texts: list[str] = []
        self._score, self._bound, self._notes = score, bound, notes
        self._settings = score.settings.replace(on_error="score", empty=_without_error(score.settings.empty))
        self._read = document_readers(rules, notes, cache_size=1).prediction
        of_predictions, of_references = rules_by_side(rules)
        self._has_bounds = score.is_of_shared_items and of_predictions is of_references
        self._signatures = np.zeros(_FIRST_SIZE, np.uint64)
        self._classes = np.zeros(_FIRST_SIZE, np.int64)
        self._class_numbers: dict[tuple[int, int], int] = {}
        self._sizes = np.zeros((0, 2), np.int64)  # of each class: tokens and items
        self._limits: dict[int, NDArray[np.int64]] = {}  # by class of the new text: see ``_limits_of``

    def first_similar(self, text: str) -> tuple[int, float] | None:
        """The place of the first kept text that the score with is above the bound, and the score."""
        candidates = self._candidates(text)
        for start in range(0, len(candidates), _CANDIDATES_AT_ONCE):
            places = candidates[start : start + _CANDIDATES_AT_ONCE].tolist()
            others = [self.texts[place] for place in places]
            inputs = Inputs([text] * len(others), SingleReferences(others), "text")
            scores = self._score.of_counts(concatenated(list(count_in_chunks(inputs, self._settings, self._notes))))
            for place, value in zip(places, scores.tolist(), strict=True):
                if value > self._bound:
                    return place, value
        return None

    def keep(self, text: str) -> None:
        """Add a text behind all others."""
        n = len(self.texts)
        if self._has_bounds:
            if n == len(self._signatures):
                self._signatures = np.concatenate([self._signatures, np.zeros_like(self._signatures)])
                self._classes = np.concatenate([self._classes, np.zeros_like(self._classes)])
            self._classes[n], self._signatures[n] = self._class_and_signature(text)
        self.texts.append(text)

    def n_tokens(self, text: str) -> int:
        """Tokens of a text."""
        return len(self._read(text).tokens)

    def _candidates(self, text: str) -> NDArray[np.int64]:
        n = len(self.texts)
        if not self._has_bounds:
            return np.arange(n)
        kind, signature = self._class_and_signature(text)
        differences = np.bitwise_count(self._signatures[:n] ^ np.uint64(signature))
        return np.flatnonzero(differences <= self._limits_of(kind)[self._classes[:n]])

    def _class_and_signature(self, text: str) -> tuple[int, int]:
        """The number of a text's class, which may be a new one, and its signature."""
        tokens = self._read(text).tokens
        rouge_type = self._score.rouge_type
        counts = count_ngrams(tokens, rouge_type.n if rouge_type.kind == "ngram" else 1)
        is_set = rouge_type.kind == "ngram" and self._score.settings.count_rules.ngram_counts == "set"
        signature = n_items = 0
        for unit, n in counts.items():
            for occurrence in range(1 if is_set else n):
                signature ^= 1 << (hash((unit, occurrence)) & 63)
                n_items += 1
        kind = self._class_numbers.setdefault((len(tokens), n_items), len(self._class_numbers))
        if kind == len(self._sizes):
            self._sizes = np.concatenate([self._sizes, [[len(tokens), n_items]]])
        return kind, signature

    def _limits_of(self, kind: int) -> NDArray[np.int64]:
        """int64[n_classes]: in how many bits signatures may differ, by the class of the kept text; -1: not similar."""
        limits = self._limits.get(kind, np.zeros(0, np.int64))
        missing = self._sizes[len(limits) :]
        if len(missing):
            own = np.broadcast_to(self._sizes[kind], missing.shape)
            least = self._score.least_hits(own.T, missing.T, self._bound).astype(np.int64)
            new = np.where(least == NO_HITS, -1, own[:, 1] + missing[:, 1] - 2 * least)
            limits = self._limits[kind] = np.concatenate([limits, new])
        return limits


def _without_error(empty: str) -> str:
    """The setting ``empty`` for texts that were checked already."""
    return "zero" if empty == "error" else empty
