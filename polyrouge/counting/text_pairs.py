"""Read texts once, then count any two of them: for many against many."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import uses_kernels
from polyrouge.counting.counts import Counts
from polyrouge.counting.loop import count_batch
from polyrouge.documents.document import readers_by_side, rules_by_side
from polyrouge.documents.input_notes import InputNotes
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

_TEXTS_LOOKED_AT = 1000


class TextPairs:
    """Read texts, each as a prediction and as a reference; only one convention reads the two differently.

    A pair is counted whether or not the convention's tool would refuse it. ``group_starts`` are the first texts of
    groups, if only texts of one group are ever compared.
    """

    def __init__(
        self,
        texts: Sequence[str],
        settings: RougeSettings,
        run: RunOptions,
        notes: InputNotes,
        group_starts: NDArray[np.int64] | None = None,
    ) -> None:
        rules = settings.text_rules
        self._text_rules, self._rules = rules, settings.count_rules._replace(refuses=())
        self._threads = run.threads
        self._n_texts = len(texts)
        self.is_one_sided = len(set(rules_by_side(rules))) == 1
        self.batch: Any = None
        if texts and uses_kernels(run.engine, rules):
            from polyrouge.counting.compiled.text_counter import reader_of

            sides = texts if self.is_one_sided else [*texts, *texts]
            is_prediction = np.arange(len(sides)) < self._n_texts
            begins = np.zeros(len(sides), np.bool_)
            if group_starts is not None and self.is_one_sided:
                begins[group_starts] = True
            self.batch, _ = reader_of(rules).read(sides, begins, is_prediction, notes)
        else:
            self._documents = [list(map(read, texts)) for read in readers_by_side(rules, notes)]
        notes.look_at(Inputs(texts, SingleReferences(texts), "text"), 0, _TEXTS_LOOKED_AT, is_paired=False)

    def n_tokens(self) -> NDArray[np.int64]:
        """int64[n_texts]: tokens of each text as a prediction."""
        if self.batch is not None:
            return np.diff(self.batch.text_tokens)[: self._n_texts]
        return np.array([len(document.tokens) for document in self._documents[0]], np.int64)

    def tokens(self, number: int) -> list[Any]:
        """The tokens of a text as a prediction, or their ids."""
        if self.batch is None:
            return self._documents[0][number].tokens
        return self.batch.ids[slice(*self.batch.text_tokens[number : number + 2])].tolist()

    def count(self, predictions: NDArray[np.int64], references: NDArray[np.int64]) -> Counts:
        """Count pairs, each a sample with one reference; both int64[n], numbers of texts."""
        if self.batch is None:
            return self._count_plain(predictions, references)
        references = references if self.is_one_sided else references + self._n_texts
        return count_batch(self.batch, predictions, references, self._text_rules, self._rules, self._threads)

    def _count_plain(self, predictions: NDArray[np.int64], references: NDArray[np.int64]) -> Counts:
        from polyrouge.counting.plain.engine import count_documents

        as_predictions, as_references = self._documents
        pairs = [
            (as_predictions[prediction], as_references[reference])
            for prediction, reference in zip(predictions.tolist(), references.tolist(), strict=True)
        ]
        return count_documents(pairs, self._rules)
