"""Collect what a report shows: systems, scores, means, comparison, and the index that its page reads."""

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.source_overlap.measures import checked_sources, has_tokens_of_sources
from polyrouge.comparing.checkpoints import CheckpointCurves, check_steps, trace_samples
from polyrouge.comparing.comparison import Comparison
from polyrouge.comparing.sliced_scores import FEWEST_TESTED, SlicedScores
from polyrouge.comparing.slices import (
    REFERENCE_COLUMNS,
    SampleSlice,
    SliceColumn,
    coverage_columns,
    default_baseline,
    reference_columns,
    sliced_columns,
    slices_of,
)
from polyrouge.comparing.systems import (
    NO_MEANS,
    ComparisonOptions,
    compare_columns,
    comparison_warnings,
    is_comparable,
    outcomes,
    resamples_drawn,
    results_on_shared_samples,
)
from polyrouge.counting.texts import Texts, ranges, read_texts
from polyrouge.errors import warn_of
from polyrouge.inputs import Inputs, check_inputs, column_rows
from polyrouge.metric import Rouge, score_with_notes
from polyrouge.progress import Progress, telling_progress
from polyrouge.report.report_sources import ReportSources, ten_thousandths
from polyrouge.report.rows import ROWS_A_PAGE, ReportRows
from polyrouge.results import shown_level
from polyrouge.scoring.intervals import FEW_SAMPLES, FEWEST_SAMPLES, few_samples_warning
from polyrouge.scoring.sample_scores import Scores
from polyrouge.settings.rouge_settings import RougeSettings

_MOST_SYSTEMS = 12  # for which report.css has colours
_LONG_NAME = 20  # characters; shorter names are shown whole
_MARKS = "-_./:"  # between the words of a name
_F = 2  # index in precision, recall and F


class ReportData(NamedTuple):
    """Scored systems over the same references."""

    systems: dict[str, Inputs]
    texts: Texts  # of these systems
    samples: list[Scores]  # of each system
    settings: RougeSettings  # of the means, with an interval if these means can have one
    ids: list[str] | None  # a name for each row
    results: list[dict[str, float]]  # for each system what Rouge.compute gives
    ranked: list[str]  # systems from the best by the first type; checkpoints by step
    comparison: Comparison | None  # of several systems
    scores: NDArray[np.float64]  # [n_systems, n_rows, n_types, 3], before scale
    slices: SlicedScores | None
    sample_slices: Sequence[SampleSlice]  # with the rows that scores leave out
    sources: ReportSources | None
    order: NDArray[np.int64]  # rows from the first system's worst to its best, skipped rows last
    curves: CheckpointCurves | None  # of all checkpoints by step; of more than 12, evenly spread ones are systems
    key: str  # of texts, systems and settings; the browser stores notes under it
    affixes: tuple[str, str]  # what names of systems began and ended with in common, which was taken off
    types: tuple[str, ...]  # that are shown: no rougeLsum that is rougeL on every sample
    notes: dict[str, list[str]]  # what looks wrong in the texts, and of which systems

    def page_index(self) -> dict[str, Any]:
        """Return what the page has in memory besides the numbers of the rows; ids are in ``order``."""
        curves, slices = self.curves, None
        if self.slices is not None:
            labels = _slice_labels(self.slices)
            facts = {
                sample_slice.column: {
                    "named": sample_slice.is_named,
                    "given": sample_slice.is_named or _is_given(sample_slice),
                    "system": sample_slice.system,
                }
                for sample_slice in self.sample_slices
            }
            columns = [{"name": name, "labels": column_labels, **facts[name]} for name, column_labels in labels.items()]
            slices = {"columns": columns, "fewest": FEWEST_TESTED, **self.slices.to_dict()}
            for row, difference in zip(slices["differences"], self.slices.differences, strict=True):
                row["shown_p"] = self.slices.shown_p(difference)
        return {
            "types": self.types,
            "systems": list(self.systems),
            "scale": self.settings.scale,
            "rule": self.settings.multi_reference,
            "confidence": None if self.settings.confidence is None else shown_level(self.settings.confidence),
            "signature": self.settings.signature(),
            "ids": None if self.ids is None else [self.ids[row] for row in self.order],
            "means": self.results,
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "curves": curves and {**curves.to_dict(), "shown": _spread(len(curves.steps))},
            "rowsAPage": ROWS_A_PAGE,
            "usualUnits": 0 if self._are_characters() else 1,
            "slices": slices,
            "sources": None if self.sources is None else self.sources.page_index(),
            "key": self.key,
        }

    def _are_characters(self) -> bool:
        """Say whether most tokens are one character long, so that bigrams are fragments of words."""
        return bool(np.mean(np.diff(self.texts.read.spans) <= 1) > 0.5)

    def row_numbers(self, rows: ReportRows) -> dict[str, NDArray[np.integer]]:
        """Return the integers of all rows, in ``order``, for the page; -1 for no value.

        ``rows`` [row]: numbers from 1; ``scores`` [system, type, measure, row]: times 10,000; ``ranks`` and ``best``
        [system, type, row]; ``predictionLengths`` [system, row]; ``referenceLengths`` of all references, and the index
        of each row's first in them, ``referenceStarts``; ``slices`` [column, row]; and the numbers of the sources.
        """
        order, columns = self.order, list(map(self.settings.rouge_types.index, self.types))
        positions, n_references = ranges(rows.offsets, order)
        numbers = {
            "rows": order + 1,
            "scores": np.moveaxis(ten_thousandths(self.scores[:, order][:, :, columns]), 1, -1),
            "ranks": _ranks(self.scores[:, order], self.settings)[:, columns],
            "best": np.stack([sample.best_reference[order].T for sample in self.samples])[:, columns],
            "predictionLengths": rows.prediction_lengths[:, order],
            "referenceLengths": rows.reference_lengths[positions],
            "referenceStarts": np.concatenate([[0], np.cumsum(n_references)]),
        }
        if self.slices is not None:
            labels = _slice_labels(self.slices)
            labels_of_rows = {name: np.full(len(order), -1) for name in labels}
            for sample_slice in self.sample_slices:
                name, label = sample_slice.column, sample_slice.label
                if label in labels.get(name, ()):
                    labels_of_rows[name][sample_slice.rows] = labels[name].index(label)
            numbers["slices"] = np.stack([column[order] for column in labels_of_rows.values()])
        return numbers | (self.sources.row_numbers(order) if self.sources else {})


def report_data(
    predictions: Any,
    references: Any,
    *,
    rouge: Rouge,
    name: str,
    others: Mapping[str, Any] | None,
    ids: Any,
    metadata: Mapping[str, Any] | None,
    sources: Any,
    slices: bool,
    guessed: Mapping[str, Any] | None = None,
    steps: Any = None,
    progress: Progress | None = None,
    on_means: Callable[[dict[str, dict[str, float]]], None] | None = None,
) -> ReportData:
    """Score the systems of a report; arguments and errors as for ``write_report``.

    ``on_means`` gets the mean F of each system and type as soon as they are known: long before the rest.
    """
    inputs = check_inputs(predictions, references)
    n_rows = len(inputs.predictions)
    texts = [(str(name), inputs)]
    texts += [
        (str(system_name), check_inputs(other_predictions, inputs.references))
        for system_name, other_predictions in (others or {}).items()
    ]
    names = [system_name for system_name, _ in texts]
    _check_names(names, are_checkpoints=steps is not None)
    affixes = shared_affixes(names)
    start, stop = map(len, affixes)
    texts = [(name[start : len(name) - stop], system_inputs) for name, system_inputs in texts]
    if steps is not None:
        texts, steps = _by_step(texts, steps)
    source_texts = [] if sources is None else checked_sources(inputs.predictions, sources)
    with telling_progress(progress, "scoring", len(texts) * n_rows):
        shared = source_texts if has_tokens_of_sources(rouge.settings) else []
        read = read_texts([system_inputs for _, system_inputs in texts], rouge.settings, rouge.run, shared)
        scored, notes = [], defaultdict[str, list[str]](list)
        for number, (system_name, _) in enumerate(texts):
            samples_of_system, text_notes = score_with_notes(read.system(number), rouge.settings, rouge.run)
            scored.append(samples_of_system)
            for note in text_notes:
                notes[note].append(system_name)
        warn_of(notes)
    settings = rouge.settings.replace(use_aggregator=True, output="all")
    if n_rows < FEWEST_SAMPLES:
        settings = settings.replace(confidence=None)
    elif settings.confidence is None:
        with suppress(ValueError):  # counts of all samples have no interval
            settings = settings.replace(confidence=0.95)
    selected = _spread(len(texts))
    systems, samples = dict(texts[index] for index in selected), [scored[index] for index in selected]
    if on_means is not None:
        means_alone, _ = results_on_shared_samples(samples, settings.replace(confidence=None, output="fmeasure"))
        on_means(dict(zip(systems, means_alone, strict=True)))
    ids = None if ids is None else [str(sample_id) for sample_id in column_rows(ids, "ids")]
    if ids is not None and len(ids) != n_rows:
        raise ValueError(f"{len(ids)} ids but {n_rows} predictions; give one id for each prediction, or none.")
    curves = None
    n_drawings = 1 if steps is None else 2  # for the means of checkpoints, and of systems
    with telling_progress(progress, "comparing", _n_resamples(len(systems), n_drawings, settings)):
        if steps is not None:
            curves, messages = trace_samples(steps, scored, rouge.settings)
            warn_of(messages)
        results, comparison = _means(systems, samples, settings, is_asked_for=rouge.settings.confidence is not None)
    means = dict(zip(systems, (result[settings.rouge_types[0]] for result in results), strict=True))
    ranked = list(systems) if steps is not None else sorted(means, key=means.__getitem__, reverse=True)
    scores = np.stack([sample.scores for sample in samples])
    order = np.argsort(scores[0, :, 0, _F], kind="stable")
    overlap, sliced, sample_slices = None, None, []
    if sources is not None:
        with telling_progress(progress, "sources", n_rows):
            overlap = ReportSources(systems, source_texts, settings, rouge.run, read.selected(selected))
    if slices and settings.aggregate not in NO_MEANS:
        columns = [SliceColumn(column, values) for column, values in (metadata or {}).items()]
        columns += [SliceColumn(column, values, is_named=False) for column, values in (guessed or {}).items()]
        if overlap is not None:
            columns += coverage_columns(overlap.coverage, list(systems), default_baseline(ranked))
        columns += reference_columns(read.system(0), settings, rouge.run)
        sample_slices, messages = slices_of(columns, n_rows)
        warn_of(messages)
    if sample_slices:  # no warning of small slices: the page shows their sizes
        with telling_progress(progress, "slices", len(sample_slices)):
            options = ComparisonOptions(default_baseline(ranked))
            named, f_settings = dict(zip(systems, scores, strict=True)), settings.replace(output="fmeasure")
            slice_scores = sliced_columns(named, sample_slices, f_settings, options)
        sliced = slice_scores if slice_scores.slices else None
    key = _key(systems, settings)
    types = tuple(name for name in settings.rouge_types if name != "rougeLsum" or not _repeats_l(scores, settings))
    return ReportData(
        *(systems, read.selected(selected), samples, settings, ids, results, ranked, comparison, scores),
        *(sliced, sample_slices, overlap, order, curves, key, affixes, types, dict(notes)),
    )


def shared_affixes(names: Sequence[str]) -> tuple[str, str]:
    """Return what long names of several systems begin and end with, up to a mark between words; else twice ""."""
    if len(names) < 2 or max(map(len, names)) <= _LONG_NAME:
        return "", ""
    prefix, suffix = _shared_start(names), _shared_start([name[::-1] for name in names])[::-1]
    prefix = prefix[: max(prefix.rfind(mark) for mark in _MARKS) + 1]
    starts = [start for start in map(suffix.find, _MARKS) if start >= 0]
    suffix = suffix[min(starts) :] if starts else ""
    is_left = all(len(name) > len(prefix) + len(suffix) for name in names)
    return (prefix, suffix) if is_left else ("", "")


def _shared_start(names: Sequence[str]) -> str:
    """Return the characters that all names begin with."""
    columns = enumerate(zip(*names, strict=False))
    end = next((position for position, characters in columns if len(set(characters)) > 1), min(map(len, names)))
    return names[0][:end]


def _repeats_l(scores: NDArray[np.float64], settings: RougeSettings) -> bool:
    """Say whether rougeLsum is rougeL on every sample."""
    types = settings.rouge_types
    if "rougeL" not in types:
        return False
    of_l, of_sum = (scores[:, :, types.index(name)] for name in ("rougeL", "rougeLsum"))
    return np.array_equal(of_l, of_sum, equal_nan=True)


def _is_given(sample_slice: SampleSlice) -> bool:
    """Say whether the column of a slice was given, not made here from references or sources."""
    return sample_slice.system is None and sample_slice.column not in REFERENCE_COLUMNS


def _slice_labels(scores: SlicedScores) -> dict[str, list[str]]:
    """Return the labels of the slices of each column."""
    return {name: [group.label for group in scores.slices if group.column == name] for name in scores.columns}


def _by_step(systems: Sequence[Any], steps: Any) -> tuple[list[Any], list[float]]:
    """Sort systems by their steps; return the steps too."""
    numbers = check_steps(column_rows(steps, "steps"))
    if len(numbers) != len(systems):
        raise ValueError(f"{len(numbers)} steps for {len(systems)} systems; give one step for each system, in order.")
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    return [systems[index] for index in order], [numbers[index] for index in order]


def _spread(n: int) -> list[int]:
    """Choose as many of n numbers as have colours, evenly spread, with the first and the last."""
    return np.unique(np.linspace(0, n - 1, min(n, _MOST_SYSTEMS)).round().astype(int)).tolist()


def _n_resamples(n_systems: int, n_drawings: int, settings: RougeSettings) -> int:
    """Count the resamples that are drawn: for the intervals of means, and for both tests."""
    n_for_means = settings.n_resamples * n_drawings
    return n_for_means + 2 * resamples_drawn(math.comb(n_systems, 2)) if n_systems > 1 else n_for_means


def _key(systems: Mapping[str, Inputs], settings: RougeSettings) -> str:
    """Make the key of ``ReportData``."""
    digest = hashlib.sha256(settings.signature().encode())
    for name, inputs in systems.items():
        for texts in ([name], inputs.predictions, *inputs.references):
            digest.update(json.dumps(list(texts)).encode())
    return digest.hexdigest()[:16]


def _means(
    names: Iterable[str], samples: Sequence[Scores], settings: RougeSettings, *, is_asked_for: bool
) -> tuple[list[dict[str, float]], Comparison | None]:
    """Make the results of ``Rouge.compute`` and the comparison of systems, over the same samples.

    Unless the interval ``is_asked_for``, only the page says that it is too narrow for few samples.
    """
    scores = {name: sample.scores for name, sample in zip(names, samples, strict=True)}
    results, result_messages = results_on_shared_samples(samples, settings)
    comparison, messages = None, []
    if is_comparable(list(scores.values()), settings):
        comparison = compare_columns(scores, settings.replace(output="fmeasure"), results=results)
        messages += comparison_warnings(comparison)
    silenced = set() if is_asked_for else set(map(few_samples_warning, range(FEW_SAMPLES)))
    warn_of(message for message in dict.fromkeys([*messages, *result_messages]) if message not in silenced)
    return results, comparison


def _check_names(names: Sequence[str], *, are_checkpoints: bool) -> None:
    if len(names) > _MOST_SYSTEMS and not are_checkpoints:
        raise ValueError(
            f"{len(names)} systems; a report has a colour for each of at most {_MOST_SYSTEMS}. Give fewer; or, if they "
            "are checkpoints of a training, their steps (files: in folders such as checkpoint-500)."
        )
    twice = [name for index, name in enumerate(names) if name in names[:index]]
    if twice:
        raise ValueError(f"Two systems are called {twice[0]!r}; give each a name of its own, by name and in others.")


def _ranks(scores: NDArray[np.float64], settings: RougeSettings) -> NDArray[np.int64]:
    """Count the systems that each system beats on each sample, by F: [system, type, row]; -1 for a skipped sample.

    So the page knows who wins or ties without all digits of the scores.
    """
    ranks = []
    for system in scores:
        beaten = np.sum([outcomes(system, opponent, settings)[..., _F] > 0 for opponent in scores], axis=0)
        ranks.append(np.where(np.isnan(system[..., _F]), -1, beaten).T)
    return np.stack(ranks)
