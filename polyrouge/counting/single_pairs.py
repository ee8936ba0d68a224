"""One pair of texts at a time, for those who call in a loop: what a run prepares for all its pairs is prepared once.

A run over a batch checks its rows, chooses engines, gathers notes and makes columns, which takes longer than counting
one short pair. Here the same readers, rules and kernels count a single pair, without any of that.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from polyrouge.counting.kernel_choice import KernelChoice
from polyrouge.counting.plain.engine import Counts, count_pair
from polyrouge.counting.plain.refusals import refusal_of
from polyrouge.counting.work import plain_rate
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.reading.documents import Readers, document_readers
from polyrouge.reading.notes import TextNotes
from polyrouge.settings.rouge_settings import RougeSettings

_DOCUMENTS_KEPT = 4  # whoever scores several predictions of one reference has it read once; more cost memory to clear
# What a call of the kernels takes about, by the estimates of ``counting.work``, which are twice what is measured.
_KERNEL_SECONDS = 60e-6
_KEEP_GOING = np.zeros(1, np.uint8)  # nobody cancels a single pair


class CountedPair(NamedTuple):
    """What one prediction shares with one reference.

    Attributes:
        counts: for each type the hits, the prediction's total and the reference's.
        prediction_empty: the prediction has no tokens.
        reference_empty: the reference has no tokens.
        refusal: what the convention's tool raises an error for, see ``REFUSALS``; the empty string for nothing, or
            where ``on_error`` is ``"score"``.
    """

    counts: list[Counts]
    prediction_empty: bool
    reference_empty: bool
    refusal: str


class PairCounter:
    """Counts single pairs under fixed settings; the same counts as ``count_in_chunks``, without checks and warnings.

    It keeps the tokens of the latest texts. It may be used in several threads, and pickled.

    Args:
        settings: how to count. ``multi_reference``, ``empty`` and all that comes after counting is the caller's.
            Settings that cut with jieba are for runs, which see when a user's dictionary changes.
    """

    def __init__(self, settings: RougeSettings) -> None:
        self._settings = settings
        self._text_rules, self._rules = settings.text_rules, settings.count_rules
        seconds = plain_rate(self._text_rules, self._rules)
        self._long = _KERNEL_SECONDS / seconds  # characters of both, of which each is a part of a word
        self._choice: KernelChoice | None = None
        if settings.engine != "plain" and not self._text_rules.bytes_uncounted:
            self._choice = KernelChoice.of_rules(self._text_rules, self._rules)
        self._begin()

    def _begin(self) -> None:
        """Make the parts that are not pickled."""
        self._notes = TextNotes(self._text_rules)
        self._notes.lost_text = ""  # what was seen is not looked for again, and nobody asks here
        self._readers: Readers = document_readers(self._text_rules, self._notes, most_kept=_DOCUMENTS_KEPT)

    def __getstate__(self) -> dict[str, Any]:
        return {"_settings": self._settings}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_settings"])

    def count(self, prediction: str, reference: str) -> CountedPair:
        """Count one pair of texts. A text with a lone surrogate is no text to the kernels, and is counted plainly."""
        characters = len(prediction) + len(reference)
        if characters * (1 if prediction.isascii() else 2) > self._long and self._choice is not None:
            if self._choice.is_loaded():
                try:
                    return self._counted_by_kernels(prediction, reference)
                except UnicodeEncodeError:
                    return self._counted_plainly(prediction, reference)
            begin = time.perf_counter()
            counted = self._counted_plainly(prediction, reference)
            self._choice.counted(time.perf_counter() - begin)
            self._choice.take_over(0.0)  # loads or compiles them for the next pairs, once that is worth its cost
            return counted
        return self._counted_plainly(prediction, reference)

    def _counted_plainly(self, prediction: str, reference: str) -> CountedPair:
        read_prediction, read_reference = self._readers
        first, second, rules = read_prediction(prediction), read_reference(reference), self._rules
        refusal = refusal_of((prediction, reference), first, second, rules) if rules.refuses else ""
        return CountedPair(count_pair(first, second, rules), not first.tokens, not second.tokens, refusal)

    def _counted_by_kernels(self, prediction: str, reference: str) -> CountedPair:
        from polyrouge.counting.compiled.engine import count_chunk

        inputs = Inputs([prediction], SingleReferences([reference]), "text")
        pairs = count_chunk(inputs, 0, 1, self._text_rules, self._rules, self._notes, _KEEP_GOING)
        counts = [(hits, total, other) for hits, total, other in pairs.counts[0].tolist()]
        refusal = pairs.refusals[0] if pairs.refusals else ""
        return CountedPair(counts, bool(pairs.prediction_empty[0]), bool(pairs.reference_empty[0]), refusal)
