"""Examine the outputs of systems: missed and added units, faults, and the differences between systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.beyond.error_analysis.faults import Fault, find_faults
from polyrouge.beyond.error_analysis.missed_units import (
    FrequencyBucket,
    UnitTable,
    UnitTotals,
    frequency_buckets,
    numbered_rows,
    unit_table,
    unit_totals,
)
from polyrouge.beyond.error_analysis.score_differences import MovedHits, moved_hits
from polyrouge.counting.loop import drop_unused_references
from polyrouge.counting.texts import SystemTexts, Texts, read_texts
from polyrouge.errors import shown_value
from polyrouge.inputs import Inputs, check_inputs, column_rows, reference_texts
from polyrouge.metric import Rouge, as_rouge
from polyrouge.results import (
    Result,
    ResultTable,
    count_of,
    digits_for,
    plain_values,
    shown_difference,
    shown_number,
)
from polyrouge.scoring.sample_scores import scored_pairs
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions

_ORDERS = (1, 2)
_TYPES = ("rouge1", "rouge2")
_UNITS = {"rouge1": "tokens", "rouge2": "bigrams"}
_NAMED = 3  # samples of each number
_ALL_PAIRS = 4  # systems of which all pairs are compared; of more, neighbours, and the first with each
_F = 2  # of precision, recall, F


@dataclass(frozen=True)
class ExaminedSystem:
    """The findings for one system.

    Attributes:
        system: its name.
        units: of tokens and of bigrams.
        buckets: its tokens by frequency in all references, rare ones first.
        faults: outputs that look wrong, one entry for each of ``FAULTS``.
    """

    system: str
    units: tuple[UnitTotals, ...]
    buckets: tuple[FrequencyBucket, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Examination(Result):
    """The findings of ``examine_systems``; ``print`` and notebooks show them as tables. Samples are rows, from 0.

    Attributes:
        systems: one entry for each, in the order given.
        moved: for pairs of systems and each order of n-grams, the shifts that make their difference.
        n_samples: number of samples.
        reference_rule: how each prediction gets its reference: ``"best"``, ``"best_recall"`` or ``"first"``.
        ngram_counts: ``"multiset"``, or ``"set"`` for conventions that count distinct n-grams.
        signature: of the settings.
        scale: of the scores: 1, or 100 for points.
        ids: names of the samples in tables; (): their rows, from 1.
    """

    systems: tuple[ExaminedSystem, ...]
    moved: tuple[MovedHits, ...]
    n_samples: int
    reference_rule: str
    ngram_counts: str
    signature: str
    scale: float
    ids: tuple[str, ...] = ()

    def tables(self, digits: int | None = None) -> list[ResultTable]:
        """Return faults and frequencies of all systems, the units of each system, and the difference of each pair.

        Args:
            digits: of scores, after the point; None: two on the scale of papers, four on the scale of 0 to 1.
        """
        tables = [self._faults_table(), self._buckets_table()]
        for system in self.systems:
            tables += [self._units_table(system.system, totals) for totals in system.units]
        digits = digits_for(self.scale) if digits is None else digits
        return tables + [self._moved_table(moved, digits) for moved in self.moved]

    def _faults_table(self) -> ResultTable:
        rows = [
            [system.system, fault.kind, fault.n_samples if fault.applies else "–", self._first(fault.samples)]
            for system in self.systems
            for fault in system.faults
        ]
        title = f"Outputs that look wrong, of {count_of(self.n_samples, 'sample')}"
        return ResultTable(title, ["system", "fault", "n", "first"], rows, 2)

    def _buckets_table(self) -> ResultTable:
        rows = [
            [
                system.system,
                bucket.label,
                bucket.n_tokens,
                shown_number(bucket.recall, 4),
                shown_number(bucket.precision, 4),
                bucket.n_samples,
            ]
            for system in self.systems
            for bucket in system.buckets
        ]
        header = ["system", "in references", "tokens", "recall", "precision", "samples"]
        return ResultTable("Tokens by how often all references hold them", header, rows, 2)

    def _units_table(self, system: str, totals: UnitTotals) -> ResultTable:
        rows = [
            [side, " ".join(unit.tokens), unit.count, unit.total, unit.n_samples, self._first(unit.samples)]
            for side, units in (("missed", totals.missed), ("added", totals.added))
            for unit in units
        ]
        noun = _UNITS[totals.key]
        title = (
            f"{system}: {totals.hits} {noun} of {totals.reference_total} in the references are hits, and of "
            f"{totals.prediction_total} in the predictions"
        )
        return ResultTable(title, ["", noun, "n", "of", "samples", "first"], rows, 2)

    def _moved_table(self, moved: MovedHits, digits: int) -> ResultTable:
        rows = [
            [
                side,
                " ".join(unit.tokens),
                shown_difference(unit.difference, 0),
                unit.n_samples,
                self._first(unit.samples),
            ]
            for side, units in (("gained", moved.units_gained), ("lost", moved.units_lost))
            for unit in units
        ]
        title = (
            f"{moved.first} − {moved.second}, {moved.key}: {shown_difference(moved.difference, 0)} hits "
            f"({moved.gained} gained, {moved.lost} lost), mean F {shown_difference(moved.score_difference, digits)}"
        )
        return ResultTable(title, ["", _UNITS[moved.key], "hits", "samples", "first"], rows, 2)

    def _first(self, samples: Sequence[int]) -> str:
        """Name the first samples."""
        return ", ".join(str(self.ids[row] if self.ids else row + 1) for row in samples[:_NAMED])

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each listed number; ``second`` is the second system of a pair."""
        return list(self._records())

    def _records(self) -> Iterator[dict[str, Any]]:
        columns = dict.fromkeys(("kind", "system", "second", "key", "what", "count", "total", "samples", "first"))

        def record(kind: str, system: str, text: str, listed: Sequence[int], **numbers: Any) -> dict[str, Any]:
            return {**columns, "kind": kind, "system": system, "what": text, "first": self._first(listed), **numbers}

        for system in self.systems:
            for fault in system.faults:
                n = fault.n_samples if fault.applies else None
                yield record("fault", system.system, fault.kind, fault.samples, count=n, samples=n)
            for bucket in system.buckets:
                total = bucket.reference_total if bucket.low else bucket.prediction_total
                count = total - bucket.hits if bucket.low else total
                numbers = {"count": count, "total": total, "samples": bucket.n_samples}
                yield record("bucket", system.system, bucket.label, bucket.samples, **numbers)
            for totals in system.units:
                for kind, units in (("missed", totals.missed), ("added", totals.added)):
                    for unit in units:
                        numbers = {"count": unit.count, "total": unit.total, "samples": unit.n_samples}
                        text = " ".join(unit.tokens)
                        yield record(kind, system.system, text, unit.samples, key=totals.key, **numbers)
        for moved in self.moved:
            for kind, units in (("gained", moved.units_gained), ("lost", moved.units_lost)):
                for unit in units:
                    numbers = {"key": moved.key, "count": unit.difference, "samples": unit.n_samples}
                    text = " ".join(unit.tokens)
                    yield record(kind, moved.first, text, unit.samples, second=moved.second, **numbers)

    def notes(self) -> list[str]:
        """Say what the numbers are, and how samples are named."""
        return [
            "Missed: in the reference, and no hit. Added: in the prediction, and no hit. Counts are clipped as ROUGE-N "
            "clips them.",
            "Faults are found by rules, which the JSON names; they are no judgement.",
            f"First: the first samples of a number, by {'their ids' if self.ids else 'their rows, from 1'}; the JSON "
            "counts them from 0.",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values for JSON, with their properties; without ``scale`` and ``ids``."""
        return {name: value for name, value in plain_values(self).items() if name not in ("scale", "ids")}


def examine_systems(
    systems: Mapping[str, Any],
    references: Any,
    rouge: Rouge | str | None = None,
    *,
    most: int = 50,
    most_samples: int = 200,
) -> Examination:
    """Find what systems miss and add, which outputs look wrong, and why systems differ.

    Tokens and hits are as in the metric's ROUGE-1 and ROUGE-2. Each prediction is compared with the reference that
    gives its score, separately for each order; under rules that choose none (``"mean"``, ``"pooled"``,
    ``"jackknife"``, ``"best_each"``) with the best by F.

    Args:
        systems: one or more: name to predictions, as for ``compare_systems``.
        references: as for ``Rouge.compute``.
        rouge: the metric, or a convention's name; ``Rouge()`` if None.
        most: tokens and bigrams to list on each side, by count; 1 or more.
        most_samples: samples to list for each number, the first ones; 1 or more.

    Returns:
        The examination. Up to four systems are compared in all pairs, first minus second; of more systems the first is
        compared with each other one, and each with the next.

    Raises:
        TypeError, ValueError: as ``Rouge.compute``; no system, or a number below 1.
    """
    rouge = as_rouge(rouge)
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems is {shown_value(systems)}; give a mapping from the name of each to its predictions.")
    if not systems:
        raise ValueError("systems is empty; give at least one: a name and its predictions.")
    for name, number in (("most", most), ("most_samples", most_samples)):
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise ValueError(f"{name} is {shown_value(number)}; give a whole number of 1 or more.")
    references = column_rows(references, "references")
    inputs = {str(name): check_inputs(predictions, references) for name, predictions in systems.items()}
    texts = read_texts(list(inputs.values()), rouge.settings, rouge.run)
    return examine_texts(list(inputs), texts, rouge.settings, rouge.run, most=most, most_samples=most_samples)


def examine_texts(
    names: Sequence[str],
    systems: Texts,
    settings: RougeSettings,
    run: RunOptions,
    *,
    most: int = 50,
    most_samples: int = 200,
) -> Examination:
    """Examine the texts of systems; see ``examine_systems``."""
    rule = settings.multi_reference if settings.multi_reference in ("best_recall", "first") else "best"
    ngram_counts = settings.tool.ngram_counts
    count_settings = settings.replace(rouge_types=_TYPES, weights=None, aggregate="mean", multi_reference=rule)
    inputs = {
        name: drop_unused_references(system_inputs, count_settings)
        for name, system_inputs in zip(names, systems.systems, strict=True)
    }
    scores_of = {name: _score_samples(systems.system(number), count_settings, run) for number, name in enumerate(names)}
    references = inputs[names[0]].references
    texts, read = reference_texts(references), systems.read
    drops_some = len(texts) < len(systems.references)
    used = systems.references[systems.offsets[:-1]] if drops_some else systems.references
    (reference_rows, *prediction_rows), ids = numbered_rows(
        [read.select(numbers) for numbers in (used, *systems.predictions)]
    )
    rows_of_system = dict(zip(names, prediction_rows, strict=True))
    tokens = [read.vocabulary[token] for token in ids.tolist()]
    first_texts = np.cumsum([0, *map(len, references)])[:-1]
    texts_of = {name: np.where(best >= 0, first_texts[:, None] + best, -1) for name, (_, best, _) in scores_of.items()}
    lengths = reference_rows.sizes[first_texts]
    frequencies = np.bincount(reference_rows.ids, minlength=len(tokens))
    totals: dict[str, list[UnitTotals]] = {name: [] for name in names}
    buckets: dict[str, tuple[FrequencyBucket, ...]] = {}
    moved: dict[tuple[str, str], list[MovedHits]] = {
        (first_name, second_name): []
        for index, second_name in enumerate(names)
        for first_index, first_name in enumerate(names[:index])
        if len(names) <= _ALL_PAIRS or first_index in (0, index - 1)
    }
    for column, order in enumerate(_ORDERS):
        tables: dict[str, UnitTable] = {}
        for index, name in enumerate(names):
            f, best, hits = (values[:, column] for values in scores_of[name])
            # No hits although tokens match: the convention's tool fails on this sample.
            tool_fails, distinct = (hits == 0) & (best >= 0), ngram_counts == "set"
            text_of_row = texts_of[name][:, column]
            table = unit_table(
                reference_rows, rows_of_system[name], text_of_row, tool_fails, order, len(tokens), distinct
            )
            totals[name].append(unit_totals(table, tokens, most, most_samples))
            if order == 1:
                buckets[name] = frequency_buckets(table, frequencies, most_samples)
            for earlier_name in [table_name for table_name in tables if (table_name, name) in moved]:
                differences = (scores_of[earlier_name][0][:, column] - f) * settings.scale
                parts = np.nan_to_num(differences / max(1, np.count_nonzero(~np.isnan(differences))))
                pair = earlier_name, name
                moved[pair].append(
                    moved_hits(pair, tables[earlier_name], table, parts, lengths, tokens, most, most_samples)
                )
            tables[name] = table
            if len(names) > _ALL_PAIRS and index > 1:
                del tables[names[index - 1]]
    examined = []
    for name, system_inputs in inputs.items():
        best = texts_of[name][:, 0]
        sizes = np.where(best >= 0, reference_rows.sizes[best], 0)
        best_texts: list[int] = best.tolist()
        compared = [texts[index] if index >= 0 else None for index in best_texts]
        faults = find_faults(system_inputs.predictions, references, rows_of_system[name], sizes, compared, most_samples)
        examined.append(ExaminedSystem(name, tuple(totals[name]), buckets[name], faults))
    pairs = tuple(chain.from_iterable(moved.values()))
    facts = len(references), rule, ngram_counts, settings.signature(), settings.scale
    return Examination(tuple(examined), pairs, *facts)


def examined_texts(systems: Mapping[str, Inputs]) -> int:
    """Return the number of texts that ``examine_texts`` reports as progress: each prediction twice."""
    return 2 * len(systems) * len(next(iter(systems.values())).references)


def _score_samples(texts: SystemTexts, settings: RougeSettings, run: RunOptions) -> list[NDArray[Any]]:
    """Return F, the best reference and its hits, each [n_rows, 2]; the reference is -1 for skipped samples."""
    chunks = []
    for pairs, scores, best in scored_pairs(texts, settings, run):
        best_pairs = pairs.offsets[:-1, None] + np.maximum(best, 0)
        hits = np.take_along_axis(pairs.counts[:, :, 0], best_pairs, axis=0)
        chunks.append((scores[..., _F], best, hits))
    return [np.concatenate(column) for column in zip(*chunks, strict=True)]
