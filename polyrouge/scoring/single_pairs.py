"""Calls with few pairs: the extension goes straight from Python's strings to Python's floats."""

import functools
import math
import operator
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

_MOST_PAIRS = 1000  # of a call; beyond, threads are quicker
_MOST_CHARACTERS = 500_000  # these take milliseconds
_LONG = 10_000  # characters of a text; the time of some types is that of the square


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
        self.counter: Any = None  # of the extension; None if Python cuts the texts
        self.f_rule: Any = None
        rule = settings.score_rule
        is_usual = set(rule.inverse_powers) <= {None} and not set(rule.quirks) & (NUMPY_ONLY - {"rounded_ratios"})
        # A user's dictionary may change between calls.
        if is_usual and is_compiled(settings.engine, settings.text_rules) and settings.jieba_dict is None:
            from polyrouge.counting.compiled.kernels import FRule
            from polyrouge.counting.compiled.text_counter import counter_of

            counter = counter_of(settings.text_rules, settings.count_rules)
            self.counter = counter if counter.reading is not None else None
            digits = 5 if "rounded_ratios" in rule.quirks else -1
            self.f_rule = FRule(rule.beta, -1.0 if rule.alpha is None else rule.alpha, rule.epsilon, digits)

    def __reduce__(self) -> Any:
        return PairScorer, (self.settings,)

    def score(self, prediction: str, reference: str) -> ScoredPair:
        """Score one pair."""
        if self.counter is not None and type(prediction) is str and type(reference) is str:
            counts = self.counter.count_pair(prediction, reference)
            if counts is not None:
                of_types: Any = list(zip(*[iter(counts[:-3])] * 3, strict=True))
                return ScoredPair(self.f_rule.triples(counts), of_types, counts[-3] == 0, counts[-2] == 0, "")
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
        scorer = PairScorer(settings)
        self._counter, self._f_rule = scorer.counter, scorer.f_rule
        self._no_notes = InputNotes(settings.text_rules)  # of no texts
        self._drops_words = bool(settings.stop_words)
        if self._counter is not None:
            from polyrouge.counting.compiled.kernels import codes
            from polyrouge.counting.compiled.text_counter import MAY_BE_REFUSED

            self._may_be_refused, self._is_deep = MAY_BE_REFUSED, codes.MAY_BE_DEEP
            self._is_only_composed = self._counter.is_only_composed
        self._takes_empty = settings.empty == "zero" and not settings.count_rules.refuses
        self._keys = [(key, 3 * column + measure) for key, column, measure in all_keys(rules)]
        self._weighted_keys = weighted_keys(rules)
        is_plain_mean = rules.aggregate in _MEANS and rules.confidence is None and rules.interval == "percentile"
        self._is_for_settings = self._counter is not None and (is_plain_mean or not rules.use_aggregator)

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
        """For each type lists of P, R and F, and notes if it ``looks``; None for other calls, or if a pair is odd."""
        n = len(predictions)
        if not self._is_for_settings or not 0 < n <= _MOST_PAIRS or len(references) != n:
            return None
        try:
            whole = "".join([*predictions, *references])
        except TypeError:  # not all are texts
            return None
        if len(whole) > _LONG and (len(whole) > _MOST_CHARACTERS or max(map(len, [*predictions, *references])) > _LONG):
            return None
        is_ascii = whole.isascii()
        counter = self._counter
        one = None
        if n == 1 and type(predictions[0]) is str and type(references[0]) is str:
            one = counter.count_pair(predictions[0], references[0])
        if one is not None and (self._takes_empty or (one[-3] and one[-2])):
            bits, flags = one[-1], None
            columns = [[value] for triple in self._f_rule.triples(one) for value in triple]
        else:
            counted = self._counted(predictions, references, whole, is_ascii)
            if counted is None:
                return None
            bits, flags = counted.bits, counted.flags
            columns = self._f_rule.columns(counted.counts)
        tell_progress(n)
        notes = None
        is_odd = not is_ascii or counter.has_odd_texts(bits)
        if looks and (is_odd or self._no_notes.may_note(whole, has_breaks=counter.has_sentences(bits))):
            notes = InputNotes(self._settings.text_rules)
            flags = np.array([bits], np.uint16) if flags is None else flags
            counter.note_all(bits, flags, predictions, references, None, notes)
            inputs = Inputs(predictions, SingleReferences(references), "text")
            look_at_texts(notes, inputs, 0, n, odd=notes.odd)
        return columns, notes

    def _counted(self, predictions: list, references: list, whole: str, is_ascii: bool) -> Any:
        """The ``Counted`` of some pairs; None if a pair is odd."""
        counter, ours, theirs = self._counter, predictions, references
        if self._is_only_composed:
            if not is_ascii and not is_normalized("NFC", whole):
                ours, theirs = counter.cleaned(predictions), counter.cleaned(references)
        elif counter.prepares:
            ours, theirs = counter.cleaned(predictions), counter.cleaned(references)
        try:
            counted = counter.counted(ours, theirs, is_ascii=is_ascii)
        except UnicodeEncodeError:  # a lone surrogate
            return None
        may_be_odd = counted.bits & self._may_be_refused or self._drops_words
        if not self._takes_empty and may_be_odd and (counted.bits & self._is_deep or not counted.n_tokens.all()):
            return None
        return counted

    def _means(self, columns: list[list[float]]) -> dict[str, float]:
        """As ``aggregate_result``."""
        rules, scale, digits = self._rules, self._rules.scale, self._rules.round_result
        mean = _MEANS[rules.aggregate]
        if rules.round_each is not None:
            each, digits_of_each = scale, rules.round_each
            used = {column for _, column in self._keys} | {m for _, m0 in self._weighted_keys for m in range(m0, len(columns), 3)}
            columns = [
                [round(value * each, digits_of_each) for value in column] if place in used else column
                for place, column in enumerate(columns)
            ]
            scale = 1.0
        values = {key: mean(columns[column]) for key, column in self._keys}
        for key, measure in self._weighted_keys:
            values[key] = weighted([mean(column) for column in columns[measure::3]], self._rules)
        if digits is None:
            return {key: value * scale for key, value in values.items()}
        return {key: round(value * scale, digits) for key, value in values.items()}

    def _lists(self, columns: list[list[float]]) -> dict[str, list[float]]:
        """As ``result_of``."""
        scale, digits = self._rules.scale, self._rules.round_each
        scaled = [[value * scale for value in column] for column in columns]
        if digits is not None:
            scaled = [[round(value, digits) for value in column] for column in scaled]
        lists = {key: scaled[column] for key, column in self._keys}
        for key, measure in self._weighted_keys:
            lists[key] = [weighted(row, self._rules) for row in zip(*scaled[measure::3], strict=True)]
        return lists


def _exact_mean(column: list[float]) -> float:
    return math.fsum(column) / len(column)  # the sum is exact before its one rounding


def _running_mean(column: list[float]) -> float:
    return functools.reduce(operator.add, column) / len(column)  # not by sum(), which rounds otherwise from Python 3.12


def _numpy_mean(column: list[float]) -> float:
    return column[0] if len(column) == 1 else float(np.add.reduce(np.array(column))) / len(column)


_MEANS = {"mean": _exact_mean, "running_mean": _running_mean, "numpy_mean": _numpy_mean}
