"""Count many pairs at once for ROUGE-1.5.5, with the metric's engines: the compiled one where it is faster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import count_pairs
from polyrouge.counting.plain.weighted_lcs import weighted_base
from polyrouge.inputs import Inputs
from polyrouge.reading.notes import TextNotes
from polyrouge.rouge155.counting import EmptyReferenceError, PairCounts155, rounded5
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tools.rouge155 import Rouge155Text

# The counts of each reference of one task.
TaskCounts = Sequence[PairCounts155]


class BulkCounts:
    """The counts of many tasks, by metric.

    Attributes:
        columns: for each ROUGE type int or float[n_pairs, 3]: hits, prediction total, reference total.
    """

    def __init__(
        self, columns: Mapping[str, NDArray[np.float64]], offsets: Sequence[int], bases: Sequence[float], weight: float
    ) -> None:
        """Keep counts of pairs; those of task i begin at offsets[i]; bases are the divisors of ``-f B`` in ROUGE-W."""
        self.columns = columns
        self._offsets = offsets
        self._bases = bases
        self._weight = weight

    def of_task(self, rouge_type: str, task: int) -> TaskCounts:
        """The counts of one type and task, one for each reference.

        Raises:
            EmptyReferenceError: ROUGE-W, and a reference has no tokens.
        """
        pairs = range(self._offsets[task], self._offsets[task + 1])
        rows = self.columns[rouge_type][pairs.start : pairs.stop].tolist()
        if rouge_type == "rougeW":
            return [self._weighted(row, self._bases[pair]) for row, pair in zip(rows, pairs, strict=True)]
        return [_plain(rouge_type, *map(int, row)) for row in rows]

    def _weighted(self, row: list[float], base: float) -> PairCounts155:
        hits, prediction, reference = row
        if base == 0:
            raise EmptyReferenceError("ROUGE-W of a reference without tokens divides by zero")
        return PairCounts155(reference, prediction, hits, (hits / base) ** (1 / self._weight))


def count_in_bulk(
    tasks: Sequence[tuple[Rouge155Text, Sequence[Rouge155Text]]], rouge_types: Sequence[str], weight: float
) -> BulkCounts:
    """Count all pairs of all tasks; the counts are those that ``rouge155.counting`` gives one by one.

    Args:
        tasks: prediction and references of each; tokens and sentences of a text must be the same words.
        rouge_types: ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeW``, ``rougeS``, ``rougeSU``, ``rougeS<gap>`` or
            ``rougeSU<gap>``.
        weight: exponent of ROUGE-W.
    """
    settings = RougeSettings(
        rouge_types=tuple(rouge_types),
        tokenizer="space",
        lowercase=False,
        normalize=None,
        punctuation="keep",
        weight=weight,
        tool={"lcs": "union", "definition": "rouge155"},
    )
    tasks = list(tasks)
    rows = [[_written(reference) for reference in references] for _, references in tasks]
    inputs = Inputs([_written(prediction) for prediction, _ in tasks], rows, "list")
    counts = count_pairs(inputs, settings, TextNotes(settings.text_rules)).counts
    columns = {name: counts[:, column] for column, name in enumerate(settings.rouge_types)}
    offsets = [0, *np.cumsum([len(references) for _, references in tasks]).tolist()]
    bases = [weighted_base(reference.sentences, weight) for _, references in tasks for reference in references]
    return BulkCounts(columns, offsets, bases, weight)


def _written(text: Rouge155Text) -> str:
    """A text whose words between blanks are the tokens, and whose lines are the sentences."""
    return "\n".join(map(" ".join, text.sentences))


def _plain(rouge_type: str, hits: int, prediction: int, reference: int) -> PairCounts155:
    recall = hits / reference if reference else 0.0
    return PairCounts155(reference, prediction, hits, recall if rouge_type == "rougeL" else rounded5(recall))
