"""What a report shows, before it is drawn: systems, scores, means, comparison, and the index that its page reads."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.checkpoints import CheckpointCurves, check_steps, trace_samples
from polyrouge.comparing.comparison import Comparison
from polyrouge.comparing.slices import (
    SampleSlice,
    SlicedScores,
    reference_columns,
    sliced_columns,
    slices_of,
    usual_baseline,
)
from polyrouge.comparing.systems import (
    NO_MEANS,
    ComparisonOptions,
    can_compare,
    compare_columns,
    comparison_warnings,
    outcomes,
    resamples_drawn,
    shared_results,
)
from polyrouge.errors import warn_of
from polyrouge.inputs import Inputs, check_inputs
from polyrouge.metric import Rouge, score_inputs
from polyrouge.progress import Progress, telling_progress
from polyrouge.report.report_sources import ReportSources
from polyrouge.report.rows import ROWS_A_PAGE, ReportRows
from polyrouge.scoring.intervals import FEW_SAMPLES, few_samples_warning
from polyrouge.scoring.pipeline import SampleScores
from polyrouge.settings.rouge_settings import RougeSettings

_MOST_SYSTEMS = 12  # for which report.css has colours
MEASURES = ("precision", "recall", "fmeasure")
STAGES = ("scoring", "comparing", "sources", "slices", "writing", "examining")
"""Of the work on a report, in this order, for its progress."""


class ReportSlices(NamedTuple):
    """The slices of a report."""

    slices: Sequence[SampleSlice]
    found: SlicedScores  # what the command prints of them

    def page_index(self) -> dict[str, Any]:
        """What the page has in memory: the columns with the labels of their slices, and the numbers."""
        found = self.found.to_dict()
        for written, each in zip(found["differences"], self.found.differences, strict=True):
            written["shown_p"] = self.found.shown_p(each)
        return {"columns": [{"name": name, "labels": self._labels(name)} for name in self.found.columns], **found}

    def row_numbers(self, order: NDArray[np.int64]) -> dict[str, NDArray[np.integer]]:
        """``slices`` [column, row]: in which slice each row is, in an order; -1: in none."""
        columns = []
        for name in self.found.columns:
            labels = self._labels(name)
            places = np.full(len(order), -1)
            for each in self.slices:
                if each.column == name and each.label in labels:
                    places[each.rows] = labels.index(each.label)
            columns.append(places[order])
        return {"slices": np.stack(columns)}

    def _labels(self, column: str) -> list[str]:
        return [each.label for each in self.found.slices if each.column == column]


def report_slices(
    columns: Mapping[str, Any],
    inputs: Inputs,
    scores: Mapping[str, NDArray[np.float64]],
    settings: RougeSettings,
    keys: NDArray[np.uint64] | None,
    progress: Progress | None = None,
) -> ReportSlices | None:
    """Score the slices by columns, and by the length and number of references, of the first system's inputs.

    None where the means are none over samples, or there is no slice.
    """
    if settings.aggregate in NO_MEANS:
        return None
    of_references = reference_columns(inputs, settings)
    columns = {**columns, **{name: each for name, each in of_references.items() if name not in columns}}
    slices, messages = slices_of(columns, len(inputs.predictions))
    warn_of(messages)
    if not slices:
        return None
    # Nothing warns of small slices: the page says how many samples each has.
    with telling_progress(progress, "slices", len(slices)):
        options = ComparisonOptions(usual_baseline(list(scores)))
        found = sliced_columns(scores, slices, settings.replace(output="fmeasure"), options, keys)
    return ReportSlices(slices, found) if found.slices else None


class ReportSystem(NamedTuple):
    """One system: its name, its texts, and the scores of its samples."""

    name: str
    inputs: Inputs
    samples: SampleScores


class ReportData(NamedTuple):
    """Scored systems over the same references."""

    systems: list[ReportSystem]
    settings: RougeSettings  # of the means, with an interval where these means can have one
    ids: list[str] | None  # a name for each row
    results: list[dict[str, float]]  # for each system what Rouge.compute gives
    comparison: Comparison | None  # of several systems
    scores: NDArray[np.float64]  # [n_systems, n_rows, n_types, 3], before scale
    slices: ReportSlices | None
    sources: ReportSources | None
    order: NDArray[np.int64]  # rows from the worst of the first system to the best, those that are left out last
    curves: CheckpointCurves | None  # of checkpoints, all by step; of more than 12 some are systems, evenly spread
    key: str  # the same for the same texts, systems and settings: under it the browser keeps notes

    @property
    def names(self) -> list[str]:
        """Of the systems."""
        return [system.name for system in self.systems]

    @property
    def inputs(self) -> list[Inputs]:
        """Of each system."""
        return [system.inputs for system in self.systems]

    def page_index(self) -> dict[str, Any]:
        """What the page has in memory beside the numbers of the rows; names stand in ``order``."""
        return {
            "types": self.settings.rouge_types,
            "systems": self.names,
            "scale": self.settings.scale,
            "signature": self.settings.signature(),
            "ids": None if self.ids is None else [self.ids[row] for row in self.order],
            "means": self.results,
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "curves": self._page_curves(),
            "rowsAPage": ROWS_A_PAGE,
            "slices": None if self.slices is None else self.slices.page_index(),
            "sources": None if self.sources is None else self.sources.page_index(),
            "key": self.key,
        }

    def _page_curves(self) -> dict[str, Any] | None:
        """The curves, and which of the checkpoints are the systems."""
        if self.curves is None:
            return None
        return {**self.curves.to_dict(), "shown": _spread(len(self.curves.steps), _MOST_SYSTEMS)}

    def row_numbers(self, rows: ReportRows) -> dict[str, NDArray[np.integer]]:
        """Whole numbers of all rows, in ``order``, for the page; -1 in place of what there is not.

        ``rows`` [row]: numbers from 1; ``scores`` [system, type, measure, row]: times 10,000; ``ranks`` [system, type,
        row]; ``best`` [system, type, row]: references; ``predictionLengths`` [system, row]; the ``referenceLengths`` of
        all references, and where those of a row begin in them, ``referenceStarts``.
        """
        order = self.order
        lengths = [rows.reference_lengths[row] for row in order.tolist()]
        return {
            "rows": order + 1,
            "scores": _shown_scores(self.scores[:, order]),
            "ranks": _ranks(self.scores[:, order], self.settings),
            "best": np.stack([system.samples.best_reference[order].T for system in self.systems]),
            "predictionLengths": rows.prediction_lengths[:, order],
            "referenceLengths": np.array([length for row in lengths for length in row], np.int64),
            "referenceStarts": np.cumsum([0, *map(len, lengths)]),
            **(self.slices.row_numbers(order) if self.slices else {}),
            **(self.sources.row_numbers(order) if self.sources else {}),
        }


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
    steps: Any = None,
    progress: Progress | None = None,
) -> ReportData:
    """Score the systems of a report; arguments and errors are those of ``write_report``."""
    inputs = check_inputs(predictions, references)
    given = [(str(name), inputs)]
    given += [(str(each), check_inputs(texts, inputs.references)) for each, texts in (others or {}).items()]
    _check_names([each for each, _ in given], are_checkpoints=steps is not None)
    if steps is not None:
        given, steps = _by_step(given, steps)
    systems = []
    with telling_progress(progress, "scoring", len(given) * len(inputs.predictions)):
        for each, texts in given:
            systems.append(ReportSystem(each, texts, score_inputs(texts, rouge.settings)))
    shown, scored = _shown_settings(rouge), systems
    systems = [scored[place] for place in _spread(len(scored), _MOST_SYSTEMS)]
    names = _names(ids, len(inputs.predictions))
    with telling_progress(progress, "comparing", _n_draws(len(systems), 0 if steps is None else len(scored), shown)):
        curves = None
        if steps is not None:
            curves, messages = trace_samples(steps, [each.samples for each in scored], rouge.settings)
            warn_of(messages)
        results, found = _means(systems, shown, is_asked_for=rouge.settings.confidence is not None)
    scores = np.stack([system.samples.scores for system in systems])
    order = np.argsort(scores[0, :, 0, MEASURES.index("fmeasure")], kind="stable")
    beside = None
    if sources is not None:
        with telling_progress(progress, "sources", len(order)):
            beside = ReportSources([each.inputs for each in systems], sources, [each.name for each in systems], shown)
    sliced = None
    if slices:
        columns = {**(metadata or {}), **(beside.slice_columns() if beside else {})}
        of_systems = {each.name: each.samples.scores for each in systems}
        sliced = report_slices(columns, inputs, of_systems, shown, systems[0].samples.keys, progress)
    key = _key(systems, shown)
    return ReportData(systems, shown, names, results, found, scores, sliced, beside, order, curves, key)


def _by_step(given: Sequence[Any], steps: Any) -> tuple[list[Any], list[float]]:
    """The systems in the order of their steps, and the steps."""
    numbers = check_steps(list(steps))
    if len(numbers) != len(given):
        raise ValueError(f"{len(numbers)} steps for {len(given)} systems; give one step for each system, in order.")
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    return [given[place] for place in order], [numbers[place] for place in order]


def _spread(n: int, most: int) -> list[int]:
    """Places of at most so many of n, at equal distances, with the first and the last."""
    return list(range(n)) if n <= most else np.unique(np.linspace(0, n - 1, most).round().astype(int)).tolist()


def _n_draws(n_systems: int, n_checkpoints: int, settings: RougeSettings) -> int:
    """How many resamples are drawn: for the interval of each mean, and for both tests."""
    of_means = settings.n_resamples * (n_systems + n_checkpoints)
    if n_systems == 1:
        return of_means
    return of_means + settings.n_resamples * n_systems + 2 * resamples_drawn(math.comb(n_systems, 2))


def _key(systems: Sequence[ReportSystem], settings: RougeSettings) -> str:
    """See ``ReportData``."""
    digest = hashlib.sha256(settings.signature().encode())
    for system in systems:
        for texts in ([system.name], system.inputs.predictions, *system.inputs.references):
            digest.update(json.dumps(list(texts)).encode())
    return digest.hexdigest()[:16]


def _shown_settings(rouge: Rouge) -> RougeSettings:
    """The settings of the means that the report shows, with an interval where these means can have one."""
    settings = rouge.settings.replace(use_aggregator=True, output="all")
    if settings.confidence is not None:
        return settings
    try:
        return settings.replace(confidence=0.95)
    except ValueError:  # no interval of the counts of all samples
        return settings


def _means(
    systems: Sequence[ReportSystem], settings: RougeSettings, *, is_asked_for: bool
) -> tuple[list[dict[str, float]], Comparison | None]:
    """What ``Rouge.compute`` gives for each system, and the comparison of several, over the same samples.

    If the interval was not asked for, the page alone says that of few samples it is too narrow.
    """
    scores = {system.name: system.samples.scores for system in systems}
    found, messages = None, []
    if can_compare(list(scores.values()), settings):
        found = compare_columns(scores, settings.replace(output="fmeasure"))
        messages += comparison_warnings(found)
    results, of_results = shared_results([system.samples for system in systems], settings)
    messages += of_results
    of_few = set() if is_asked_for else set(map(few_samples_warning, range(FEW_SAMPLES)))
    warn_of(message for message in dict.fromkeys(messages) if message not in of_few)
    return results, found


def _check_names(names: Sequence[str], *, are_checkpoints: bool) -> None:
    if len(names) > _MOST_SYSTEMS and not are_checkpoints:
        raise ValueError(
            f"{len(names)} systems; a report has a colour for each of at most {_MOST_SYSTEMS}. Give fewer; or, if they "
            "are checkpoints of a training, their steps (files: a column 'step', or folders such as checkpoint-500)."
        )
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise ValueError(f"Two systems are called {twice[0]!r}; give each a name of its own, by name and in others.")


def _names(ids: Any, n_rows: int) -> list[str] | None:
    if ids is None:
        return None
    names = [str(each) for each in ids]
    if len(names) != n_rows:
        raise ValueError(f"{len(names)} ids but {n_rows} predictions; give one id for each prediction, or none.")
    return names


def _shown_scores(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Scores times 10,000 as whole numbers, [system, type, measure, row]; -1 where left out."""
    whole = np.where(np.isnan(scores), -1, np.rint(scores * 10_000)).astype(np.int64)
    return np.moveaxis(whole, 1, -1)


def _ranks(scores: NDArray[np.float64], settings: RougeSettings) -> NDArray[np.int64]:
    """How many systems each one beats on each sample, by F: [system, type, row]; -1 where it is left out.

    Of two systems the one that beats more has the higher F, and equal numbers mean the same F: so the page knows who
    wins without the digits that it does not have.
    """
    f = MEASURES.index("fmeasure")
    ranks = []
    for system in scores:
        beaten = np.zeros(system.shape[:2], np.int64)
        for other in scores:
            beaten += outcomes(system, other, settings)[..., f] > 0
        ranks.append(np.where(np.isnan(system[..., f]), -1, beaten).T)
    return np.stack(ranks)
