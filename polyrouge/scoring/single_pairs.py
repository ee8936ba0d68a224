"""Score few pairs: the extension goes straight from Python strings to Python floats."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.compiled import uses_kernels
from polyrouge.counting.counts import Counts, HitsAndTotals, concatenated
from polyrouge.counting.loop import run_chunks
from polyrouge.documents.document import uses_segmenter
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import QuickLook
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.progress import tell_progress
from polyrouge.scoring.scores import NUMPY_ONLY, scores_from_counts
from polyrouge.settings.rouge_settings import PLAIN_ENGINE, RougeSettings, RunOptions

_MOST_PAIRS = 1000  # of a call; beyond, threads are quicker
_MOST_CHARACTERS = 500_000  # n-grams and LCS of so many take milliseconds
_MOST_OF_SLOW = 100_000  # characters, for other types
_LONG = 10_000  # characters of a text; some types take quadratic time
_CALLS_NOTED, _PAIRS_NOTED = 100, 1000  # first calls and pairs of a metric, all checked; then one call in:
_NOTED_LATER = 16


class ScoredPair(NamedTuple):
    """One prediction against one reference."""

    scores: Sequence[Sequence[float]]  # for each type precision, recall and F-measure; not scaled
    counts: Sequence[HitsAndTotals]  # for each type the hits, the prediction's total and the reference's
    prediction_empty: bool  # no tokens
    reference_empty: bool
    refusal: str  # why the convention's tool raises an error; "" if it does not, or on_error is "score"


class PairScorer:
    """Score unchecked pairs under fixed settings, one by one and from several threads; can be pickled."""

    def __init__(self, settings: RougeSettings, run: RunOptions) -> None:
        self.settings, self.run = settings, run
        self.counter: Any = None  # of the extension
        self.f_rule: Any = None
        rule, text_rules = settings.score_rule, settings.text_rules
        is_usual = set(rule.inverse_powers) <= {None} and not set(rule.quirks) & (NUMPY_ONLY - {"rounded_ratios"})
        # A user's dictionary may change between calls; a segmenter's words are cached during one call.
        is_kept = settings.jieba_dict is None and not uses_segmenter(text_rules)
        if is_usual and is_kept and uses_kernels(run.engine, text_rules):
            from polyrouge.counting.compiled.kernels import FRule
            from polyrouge.counting.compiled.text_counter import counter_of

            self.counter = counter_of(text_rules, settings.count_rules)
            digits = 5 if "rounded_ratios" in rule.quirks else -1
            self.f_rule = FRule(rule.beta, -1.0 if rule.alpha is None else rule.alpha, rule.epsilon, digits)

    def __reduce__(self) -> Any:
        return PairScorer, (self.settings, self.run)

    def score(self, prediction: str, reference: str) -> ScoredPair:
        """Score one pair."""
        if self.counter is not None and type(prediction) is str and type(reference) is str:
            counted = self.counter.count_samples(
                [prediction], [reference], is_ascii=prediction.isascii() and reference.isascii()
            )
            if counted is not None:
                scores, counts, prediction_empty, reference_empty = counted.scored(self.f_rule)
                return ScoredPair(scores, counts, prediction_empty, reference_empty, "")
        return self._by_run([prediction], [reference])[0]

    def score_all(self, predictions: list[str], references: list[str]) -> Iterable[ScoredPair]:
        """Score each prediction with its own reference; counts are floats if there are many."""
        if len(predictions) <= 1 or self.settings.on_error != "score":  # refusals are raised pair by pair
            return map(self.score, predictions, references)
        return self._by_run(predictions, references)

    def _by_run(self, predictions: list[str], references: list[str]) -> list[ScoredPair]:
        pairs, scores = self.score_columns(predictions, references)
        empty = pairs.prediction_empty.tolist(), pairs.reference_empty.tolist()
        refusals = pairs.refusals or [""] * len(predictions)
        return list(map(ScoredPair, scores.tolist(), pairs.counts.tolist(), *empty, refusals))

    def score_columns(self, predictions: list[str], references: list[str]) -> tuple[Counts, NDArray[np.float64]]:
        """Return the counts of each prediction with its reference, and their scores, float64[pairs, types, 3]."""
        settings = self.settings
        work = Inputs(predictions, SingleReferences(references), "text"), settings.text_rules, settings.count_rules
        try:
            chunks = list(run_chunks(*work, self.run))
        except UnicodeEncodeError:  # a lone surrogate, which only the plain engine can read
            chunks = list(run_chunks(*work, PLAIN_ENGINE))
        pairs = concatenated([chunk for chunk, _notes in chunks])
        return pairs, scores_from_counts(pairs.counts, settings.score_rule)


class FewPairs:
    """Score few pairs with one reference each, faster, as Python floats; can be pickled."""

    def __init__(self, settings: RougeSettings, run: RunOptions) -> None:
        self._settings, self._run = settings, run
        scorer = PairScorer(settings, run)
        self._counter, self._f_rule = scorer.counter, scorer.f_rule
        self._quick_look = QuickLook(settings.text_rules)
        self._takes_empty = settings.empty == "zero"
        self._n_calls = self._n_pairs = 0
        is_slow = {rouge_type.kind for rouge_type in settings.count_rules.types} & {"weighted_lcs", "skip_bigram"}
        self._most_characters = _MOST_OF_SLOW if is_slow else _MOST_CHARACTERS

    def __reduce__(self) -> Any:
        return FewPairs, (self._settings, self._run)

    def columns(self, predictions: Any, references: Any) -> tuple[list[list[float]], InputNotes | None] | None:
        """Return lists of P, R and F for each type, not scaled; and notes if any may apply.

        Returns None for other calls, and if a pair is odd.
        """
        if self._f_rule is None or (counted := self.counts(predictions, references)) is None:
            return None
        pairs, notes = counted
        if isinstance(pairs, Counts):
            return self._f_rule.columns(pairs.counts), notes
        return pairs.columns(self._f_rule), notes

    def scores(
        self, predictions: Any, references: Any, *, looks: bool = True
    ) -> tuple[NDArray[np.float64], InputNotes | None] | None:
        """Return ``columns`` as float64[3 * n_types, n_pairs]. Without ``looks`` nothing is noted."""
        if self._f_rule is None or (counted := self.counts(predictions, references, looks=looks)) is None:
            return None
        pairs, notes = counted
        if isinstance(pairs, Counts):
            return np.array(self._f_rule.columns(pairs.counts)), notes
        return pairs.scores(self._f_rule), notes

    def counts(self, predictions: Any, references: Any, *, looks: bool = True) -> tuple[Any, InputNotes | None] | None:
        """Count pairs as ``Counts`` or the kernel's ``Counted``; notes as for ``columns``.

        A metric that is called thousands of times, such as with a pair a call, checks the texts of some calls only.
        Lost letters are noted in every call.
        """
        if self._counter is None or type(predictions) is not list or type(references) is not list:
            return None
        n = len(predictions)
        if not 0 < n <= _MOST_PAIRS or len(references) != n:
            return None
        texts = predictions + references
        if {*map(type, texts)} != {str}:
            return None
        joined = "".join(texts)
        if len(joined) > _LONG and (len(joined) > self._most_characters or max(map(len, texts)) > _LONG):
            return None
        notes: InputNotes | None = None
        flags = 0
        pairs: Any = self._counter.count_samples(predictions, references, is_ascii=joined.isascii())
        if pairs is None:
            notes = InputNotes(self._settings.text_rules)
            pairs = self._counted(predictions, references, notes)
            if pairs is None:
                return None
        else:
            flags, fewest_tokens, _ = pairs.seen()
            if not self._takes_empty and fewest_tokens == 0:
                return None
            if self._counter.has_odd_texts(flags):
                notes = InputNotes(self._settings.text_rules)
                self._counter.note_samples(pairs, predictions, references, None, notes)
        tell_progress(n)
        is_late = self._n_calls >= _CALLS_NOTED or self._n_pairs >= _PAIRS_NOTED
        self._n_calls, self._n_pairs = self._n_calls + 1, self._n_pairs + n
        reading = None if notes is None else notes.reading
        reading_noted = reading is not None and (reading.lost_text or reading.tokenless_text or reading.other_jieba)
        if not looks or (is_late and not reading_noted and self._n_calls % _NOTED_LATER):
            return pairs, None
        if notes is None:
            has_breaks, odd = self._counter.noted(pairs, flags)
        else:
            has_breaks, odd = notes.reading.has_breaks, notes.odd
        if not reading_noted and not self._quick_look.may_note(
            predictions, references, joined, odd=odd, has_breaks=has_breaks
        ):
            return pairs, None
        if notes is None:
            notes = InputNotes(self._settings.text_rules)
            notes.notice(has_breaks=has_breaks)
        notes.look_at(Inputs(predictions, SingleReferences(references), "text"), 0, n, odd=odd)
        return pairs, notes

    def _counted(self, predictions: list[str], references: list[str], notes: InputNotes) -> Counts | None:
        """Count pairs; None if one is odd."""
        inputs = Inputs(predictions, SingleReferences(references), "text")
        try:
            if self._counter.reading is None:
                "".join(predictions + references).encode()
            pairs = self._counter.count(inputs, notes, np.zeros(1, np.uint8))
        except UnicodeEncodeError:  # a lone surrogate
            return None
        is_counted = self._takes_empty or (pairs.prediction_tokens.all() and pairs.reference_tokens.all())
        return pairs if is_counted and pairs.refusals is None else None
