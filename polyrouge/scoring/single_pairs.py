"""Calls with few pairs: the extension goes straight from Python's strings to Python's floats."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from unicodedata import is_normalized

import numpy as np
from numpy.typing import NDArray

from polyrouge.counting.loop import is_compiled, run_chunks
from polyrouge.counting.pair_counts import Counts, PairCounts, concatenated
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.lookalikes import look_at_texts
from polyrouge.inputs import Inputs, SingleReferences
from polyrouge.progress import tell_progress
from polyrouge.scoring.results import all_keys, weighted, weighted_keys
from polyrouge.scoring.scores import NUMPY_ONLY, scores_from_counts
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.tokenizers import composed

_MOST_PAIRS = 1000  # of a call; beyond, threads are quicker
_MOST_CHARACTERS = 500_000  # these take milliseconds
# Rules for several references that change nothing if each row has one.
_ALIKE_FOR_ONE = ("best", "best_recall", "first")


class ScoredPair(NamedTuple):
    """One prediction against one reference."""

    scores: Sequence[Sequence[float]]  # for each type precision, recall and F-measure; not scaled
    counts: Sequence[Counts]  # for each type the hits, the prediction's total and the reference's
    prediction_empty: bool  # it has no tokens
    reference_empty: bool
    refusal: str  # why the convention's tool raises an error; "" if it does not, or on_error is "score"


class PairScorer:
    """Scores unchecked pairs under fixed settings, one by one and from several threads; can be pickled."""

    def __init__(self, settings: RougeSettings) -> None:
        self.settings = settings
        rule = settings.score_rule
        self.counters: Any = None  # the extension's, of pairs of strings; None if it does not support the settings
        self.f_rule: Any = None
        self._composes = settings.normalize == "nfc"
        is_usual = set(rule.inverse_powers) <= {None} and NUMPY_ONLY.isdisjoint(rule.quirks)
        if is_usual and is_compiled(settings.engine, settings.text_rules):
            from polyrouge.counting.compiled.kernels import FRule
            from polyrouge.counting.compiled.supported_rules import pair_counters

            self.counters = pair_counters(settings.text_rules, settings.count_rules)
            self.f_rule = FRule(rule.beta, -1.0 if rule.alpha is None else rule.alpha, rule.epsilon)

    def __reduce__(self) -> Any:
        return PairScorer, (self.settings,)

    def score(self, prediction: str, reference: str) -> ScoredPair:
        """Score one pair."""
        if self.counters is not None and type(prediction) is str and type(reference) is str:
            if prediction.isascii() and reference.isascii():
                counts = self.counters.of_ascii.count(prediction, reference)
            else:
                if self._composes:
                    prediction, reference = composed(prediction), composed(reference)
                counts = self.counters.of_all.count(prediction, reference)
            if counts is not None:
                of_types: Any = list(zip(*[iter(counts[:-3])] * 3, strict=True))
                return ScoredPair(self.f_rule.triples(counts), of_types, False, False, "")
        return self._by_run([prediction], [reference])[0]

    def score_all(self, predictions: list[str], references: list[str]) -> Iterable[ScoredPair]:
        """Score each prediction with its own reference; counts are floats if there are many."""
        if len(predictions) <= 1 or self.settings.on_error != "score":  # refusals are named pair by pair
            return map(self.score, predictions, references)
        return self._by_run(predictions, references)

    def _by_run(self, predictions: list[str], references: list[str]) -> list[ScoredPair]:
        pairs, scores = self.score_columns(predictions, references)
        empty = pairs.prediction_empty.tolist(), pairs.reference_empty.tolist()
        refusals = pairs.refusals or [""] * len(predictions)
        return list(map(ScoredPair, scores.tolist(), pairs.counts.tolist(), *empty, refusals))

    def score_columns(self, predictions: list[str], references: list[str]) -> tuple[PairCounts, NDArray[np.float64]]:
        """The counts of each prediction with its own reference, and float64[pairs, types, 3]: their scores."""
        settings = self.settings
        run = Inputs(predictions, SingleReferences(references), "text"), settings.text_rules, settings.count_rules
        try:
            chunks = list(run_chunks(*run, settings.run_options))
        except UnicodeEncodeError:  # a lone surrogate, which only the plain engine can read
            chunks = list(run_chunks(*run, settings.run_options._replace(engine="plain")))
        pairs = concatenated([chunk for chunk, _notes in chunks])
        return pairs, scores_from_counts(pairs.counts, settings.score_rule)


class FewPairs:
    """``Rouge.compute`` of few pairs with one reference each: the same result, sooner; can be pickled."""

    def __init__(self, settings: RougeSettings) -> None:
        self._settings = settings
        self._rules = rules = settings.result_rules
        self._text_rules = settings.text_rules
        scorer = PairScorer(settings)
        self._counters, self._f_rule = scorer.counters, scorer.f_rule
        self._n_types = len(settings.rouge_types)
        self._no_notes = InputNotes(settings.text_rules)  # of no texts
        self._keys = [(key, 3 * column + measure) for key, column, measure in all_keys(rules)]
        self._weighted_keys = weighted_keys(rules)
        is_plain_mean = rules.aggregate == "mean" and rules.confidence is None and rules.interval == "percentile"
        self._is_for_settings = (
            self._counters is not None
            and (is_plain_mean or not rules.use_aggregator)
            and rules.round_each is None
            and settings.multi_reference in _ALIKE_FOR_ONE
        )

    def __reduce__(self) -> Any:
        return FewPairs, (self._settings,)

    def result(self, predictions: list, references: list) -> tuple[dict[str, Any], InputNotes | None] | None:
        """The result, and notes on the texts if there may be any; None if ``columns`` gives None."""
        scored = self.columns(predictions, references)
        if scored is None:
            return None
        columns, notes = scored
        return (self._means(columns) if self._rules.use_aggregator else self._lists(columns)), notes

    def columns(
        self, predictions: list, references: list, *, looks: bool = True
    ) -> tuple[list[list[float]], InputNotes | None] | None:
        """For each type lists of P, R and F, and notes if it ``looks``; None for other calls, or if a pair is left."""
        n = len(predictions)
        if not self._is_for_settings or not 0 < n <= _MOST_PAIRS or len(references) != n:
            return None
        try:
            whole = "".join([*predictions, *references])
        except TypeError:  # not all are texts
            return None
        if len(whole) > _MOST_CHARACTERS:
            return None
        is_ascii = whole.isascii()
        counts, n_tokens = np.empty((n, self._n_types, 3)), np.empty((n, 2), np.int64)
        counter = self._counters.of_ascii if is_ascii else self._counters.of_all
        ours, theirs = predictions, references
        if not is_ascii and self._text_rules.normalize == "nfc" and not is_normalized("NFC", whole):
            ours, theirs = list(map(composed, predictions)), list(map(composed, references))
        left, has_breaks, has_odd = counter.count_many(ours, theirs, counts, n_tokens)
        if left:
            return None
        tell_progress(n)
        notes = None
        if looks and (not is_ascii or self._no_notes.may_note(whole, has_breaks=has_breaks)):
            notes = InputNotes(self._text_rules)
            notes.saw_break = has_breaks
            inputs = Inputs(predictions, SingleReferences(references), "text")
            look_at_texts(notes, inputs, 0, n, may_have_odd=has_odd)
        return self._f_rule.columns(counts), notes

    def _means(self, columns: list[list[float]]) -> dict[str, float]:
        """As ``aggregate_result``; each sum is exact before its one rounding."""
        n, scale, digits = len(columns[0]), self._rules.scale, self._rules.round_result
        values = {key: math.fsum(columns[column]) / n for key, column in self._keys}
        for key, measure in self._weighted_keys:
            values[key] = weighted([math.fsum(column) / n for column in columns[measure::3]], self._rules)
        if digits is None:
            return {key: value * scale for key, value in values.items()}
        return {key: round(value * scale, digits) for key, value in values.items()}

    def _lists(self, columns: list[list[float]]) -> dict[str, list[float]]:
        """As ``result_of``."""
        scaled = [[value * self._rules.scale for value in column] for column in columns]
        lists = {key: scaled[column] for key, column in self._keys}
        for key, measure in self._weighted_keys:
            lists[key] = [weighted(row, self._rules) for row in zip(*scaled[measure::3], strict=True)]
        return lists
