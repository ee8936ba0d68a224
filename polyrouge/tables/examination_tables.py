"""An examination of outputs as tables: what looks wrong, what is missed and added, and why two systems differ."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from polyrouge.comparing.comparison import shown_difference
from polyrouge.error_analysis.examination import Examination, ExaminedSystem
from polyrouge.error_analysis.missed_units import UnitTotals
from polyrouge.error_analysis.score_differences import MovedHits
from polyrouge.result_table import ResultTable, shown_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tables.formats import Report
from polyrouge.tables.score_tables import count_of, digits_for

_SHOWN_SAMPLES = 3  # of each number
_UNITS = {"rouge1": "tokens", "rouge2": "bigrams"}
_Names = Callable[[Sequence[int]], str]


def examination_report(
    examination: Examination,
    settings: RougeSettings,
    *,
    ids: Sequence[str],
    digits: int | None,
    warnings: Sequence[str],
) -> Report:
    """Tables of the faults and frequencies of all systems, of each system's units, and of each pair's difference."""

    def names(samples: Sequence[int]) -> str:  # numbers from 1 where there are no ids
        return ", ".join(str(ids[row] if ids else row + 1) for row in samples[:_SHOWN_SAMPLES])

    digits = digits_for(settings, digits)
    tables = [_faults_table(examination, names), _buckets_table(examination.systems)]
    for system in examination.systems:
        tables += [_units_table(system, units, names) for units in system.units]
    tables += [_moved_table(each, names, digits) for each in examination.moved]
    return Report(
        data={**examination.to_dict(), "ids": list(ids) or None, "warnings": list(warnings)},
        records=list(_records(examination, names)),
        tables=tables,
        signature=examination.signature,
        notes=[
            "Missed: in the reference, and no hit. Added: in the prediction, and no hit. Counts are clipped as ROUGE-N "
            "clips them.",
            "Faults are found by rules, which the JSON names; they are no judgement.",
            f"First: the first samples of a number, by {'their ids' if ids else 'their rows, from 1'}; the JSON counts "
            "them from 0.",
        ],
    )


def _faults_table(examination: Examination, names: _Names) -> ResultTable:
    rows = [
        [system.system, fault.kind, fault.n_samples if fault.applies else "–", names(fault.samples)]
        for system in examination.systems
        for fault in system.faults
    ]
    title = f"Outputs that look wrong, of {count_of(examination.n_samples, 'sample')}"
    return ResultTable(title, ["system", "fault", "n", "first"], rows, 2)


def _buckets_table(systems: Sequence[ExaminedSystem]) -> ResultTable:
    rows = [
        [
            system.system,
            each.label,
            each.n_tokens,
            shown_number(each.recall, 4),
            shown_number(each.precision, 4),
            each.n_samples,
        ]
        for system in systems
        for each in system.buckets
    ]
    header = ["system", "in references", "tokens", "recall", "precision", "samples"]
    return ResultTable("Tokens by how often all references hold them", header, rows, 2)


def _units_table(system: ExaminedSystem, totals: UnitTotals, names: _Names) -> ResultTable:
    rows = [
        [side, " ".join(each.tokens), each.count, each.total, each.n_samples, names(each.samples)]
        for side, units in (("missed", totals.missed), ("added", totals.added))
        for each in units
    ]
    units = _UNITS[totals.key]
    title = (
        f"{system.system}: {totals.hits} {units} of {totals.reference_total} in the references are hits, and of "
        f"{totals.prediction_total} in the predictions"
    )
    return ResultTable(title, ["", units, "n", "of", "samples", "first"], rows, 2)


def _moved_table(moved: MovedHits, names: _Names, digits: int) -> ResultTable:
    rows = [
        [side, " ".join(each.tokens), shown_difference(each.difference, 0), each.n_samples, names(each.samples)]
        for side, units in (("gained", moved.units_gained), ("lost", moved.units_lost))
        for each in units
    ]
    title = (
        f"{moved.first} − {moved.second}, {moved.key}: {shown_difference(moved.difference, 0)} hits "
        f"({moved.gained} gained, {moved.lost} lost), mean F {shown_difference(moved.score_difference, digits)}"
    )
    return ResultTable(title, ["", _UNITS[moved.key], "hits", "samples", "first"], rows, 2)


def _records(examination: Examination, names: _Names) -> Iterator[dict[str, Any]]:
    """A line for each number that is listed; ``second`` is the other system of a pair."""
    columns = dict.fromkeys(("kind", "system", "second", "key", "what", "count", "total", "samples", "first"))

    def record(kind: str, system: str, what: str, first: Sequence[int], **numbers: Any) -> dict[str, Any]:
        return {**columns, "kind": kind, "system": system, "what": what, "first": names(first), **numbers}

    for system in examination.systems:
        for fault in system.faults:
            n = fault.n_samples if fault.applies else None
            yield record("fault", system.system, fault.kind, fault.samples, count=n, samples=n)
        for each in system.buckets:
            total = each.reference_total if each.low else each.prediction_total
            numbers = {"count": total - each.hits if each.low else total, "total": total, "samples": each.n_samples}
            yield record("bucket", system.system, each.label, each.samples, **numbers)
        for totals in system.units:
            for kind, units in (("missed", totals.missed), ("added", totals.added)):
                for each in units:
                    numbers = {"key": totals.key, "count": each.count, "total": each.total, "samples": each.n_samples}
                    yield record(kind, system.system, " ".join(each.tokens), each.samples, **numbers)
    for moved in examination.moved:
        for kind, units in (("gained", moved.units_gained), ("lost", moved.units_lost)):
            for each in units:
                numbers = {"key": moved.key, "count": each.difference, "samples": each.n_samples}
                yield record(kind, moved.first, " ".join(each.tokens), each.samples, second=moved.second, **numbers)
