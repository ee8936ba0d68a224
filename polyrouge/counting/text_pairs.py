"""Texts that are read once, of which any two can then be counted: for many against many."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import available_cores, is_compiled
from polyrouge.counting.pair_counts import PairCounts, concatenated
from polyrouge.documents.document import document_readers, rules_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

_LEAST_PAIRS = 1 << 12  # of a thread
_TEXTS_LOOKED_AT = 1000


class TextPairs:
    """Reads texts, each as a prediction and as a reference, which differ under one convention only.

    A pair is counted whether or not the convention's tool would refuse it. ``firsts`` are the places of texts with
    which a group begins, if only texts of one group are ever compared.
    """

    def __init__(
        self,
        texts: Sequence[str],
        settings: RougeSettings,
        run: RunOptions,
        notes: InputNotes,
        firsts: NDArray[np.int64] | None = None,
    ) -> None:
        rules = settings.text_rules
        self._rules = settings.count_rules._replace(refuses=())
        self._threads = run.threads or available_cores()
        self._n_texts = len(texts)
        self.is_one_sided = len(set(rules_by_side(rules))) == 1
        self.batch: Any = None
        self._counter: Any = None
        if texts and is_compiled(run.engine, rules):
            from polyrouge.counting.compiled.text_counter import counter_of

            sides = texts if self.is_one_sided else [*texts, *texts]
            is_prediction = np.arange(len(sides)) < self._n_texts
            begins = np.zeros(len(sides), np.bool_)
            if firsts is not None and self.is_one_sided:
                begins[firsts] = True
            self._counter = counter_of(rules, self._rules)
            self.batch, _ = self._counter.read(sides, begins, is_prediction, notes)
        else:
            self._documents = [list(map(read, texts)) for read in document_readers(rules, notes)]
        notes.look_at(Inputs(texts, SingleReferences(texts), "text"), 0, _TEXTS_LOOKED_AT, is_paired=False)

    def n_tokens(self) -> NDArray[np.int64]:
        """int64[n_texts]: tokens of each text as a prediction."""
        if self.batch is not None:
            return np.diff(self.batch.text_tokens)[: self._n_texts]
        return np.array([len(each.tokens) for each in self._documents[0]], np.int64)

    def count(self, predictions: NDArray[np.int64], references: NDArray[np.int64]) -> PairCounts:
        """Count pairs, each a sample with one reference; both int64[n], places of texts."""
        if self.batch is None:
            return self._count_plain(predictions, references)
        references = references if self.is_one_sided else references + self._n_texts
        n_spans = min(self._threads, max(1, len(predictions) // _LEAST_PAIRS))
        spans = pairwise(np.linspace(0, len(predictions), n_spans + 1).astype(int).tolist())
        cancelled = np.zeros(1, np.uint8)

        def count(span: tuple[int, int]) -> PairCounts:
            return self._counter.count_read(self.batch, predictions[slice(*span)], references[slice(*span)], cancelled)

        # In threads even if there is one only: while a kernel runs, the main thread can't be interrupted.
        with ThreadPoolExecutor(n_spans) as pool:
            try:
                return concatenated(list(pool.map(count, spans)))
            finally:
                cancelled[0] = 1

    def _count_plain(self, predictions: NDArray[np.int64], references: NDArray[np.int64]) -> PairCounts:
        from polyrouge.counting.plain.engine import count_documents

        ours, theirs = self._documents
        pairs = [
            (ours[one], theirs[other]) for one, other in zip(predictions.tolist(), references.tolist(), strict=True)
        ]
        return count_documents(pairs, self._rules)
