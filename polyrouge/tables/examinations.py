"""An examination of outputs as tables: what looks wrong, what is missed and added, and why two systems differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from polyrouge.comparing.comparison import shown_difference
from polyrouge.outputs.examination import Examination, ExaminedSystem
from polyrouge.outputs.moved_hits import MovedHits
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tables.formats import Cell, Report, ResultTable
from polyrouge.tables.scores import counted, digits_for

_SHOWN_SAMPLES = 3  # of each number
_UNITS = {"rouge1": "tokens", "rouge2": "bigrams"}


def examination_report(
    found: Examination,
    settings: RougeSettings,
    *,
    ids: Sequence[str],
    digits: int | None,
    heard: Sequence[str],
) -> Report:
    """Tables of the faults and the frequencies of all systems, of each system's units, and of each pair's difference.

    Args:
        found: what ``examine_systems`` gives.
        settings: of its tokens.
        ids: of the samples; empty: they are numbered from 1.
        digits: after the point; None: two on the scale of 100, else four.
        heard: warnings, for JSON.
    """
    names = _SampleNames(ids)
    digits = digits_for(settings, digits)
    tables = [_faults_table(found, names), _buckets_table(found.systems)]
    tables += [_units_table(system, place, names) for system in found.systems for place in range(len(system.units))]
    tables += [_moved_table(each, names, digits) for each in found.moved]
    return Report(
        data={**found.to_dict(), "ids": list(ids) or None, "warnings": list(heard)},
        records=list(_records(found, names)),
        tables=tables,
        signature=found.signature,
        notes=[
            "Missed: in the reference, and no hit. Added: in the prediction, and no hit. Counts are clipped as ROUGE-N "
            "clips them.",
            "Faults are found by rules, which the JSON names; they are no judgement.",
            f"First: the first samples of a number, by {'their ids' if ids else 'their rows, from 1'}; the JSON counts "
            "them from 0.",
        ],
    )


class _SampleNames:
    """How the samples of a number are written: the first of them."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = ids

    def __call__(self, samples: Sequence[int]) -> str:
        return ", ".join(str(self._ids[row] if self._ids else row + 1) for row in samples[:_SHOWN_SAMPLES])


def _faults_table(found: Examination, names: _SampleNames) -> ResultTable:
    rows = [
        [
            Cell(system.system),
            Cell(fault.kind),
            Cell(str(fault.n_samples) if fault.applies else "–"),
            Cell(names(fault.samples)),
        ]
        for system in found.systems
        for fault in system.faults
    ]
    return ResultTable(
        f"Outputs that look wrong, of {counted(found.n_samples, 'sample')}", ["system", "fault", "n", "first"], rows, 2
    )


def _buckets_table(systems: Sequence[ExaminedSystem]) -> ResultTable:
    rows = [
        [Cell(system.system), Cell(bucket.label), Cell(str(bucket.n_tokens)), Cell(_share(bucket.recall)),
         Cell(_share(bucket.precision)), Cell(str(bucket.n_samples))]
        for system in systems
        for bucket in system.buckets
    ]  # fmt: skip
    header = ["system", "in references", "tokens", "recall", "precision", "samples"]
    return ResultTable("Tokens by how often all references hold them", header, rows, 2)


def _units_table(system: ExaminedSystem, place: int, names: _SampleNames) -> ResultTable:
    totals = system.units[place]
    rows = [
        [Cell(side), Cell(" ".join(each.tokens)), Cell(str(each.count)), Cell(str(each.total)),
         Cell(str(each.n_samples)), Cell(names(each.samples))]
        for side, units in (("missed", totals.missed), ("added", totals.added))
        for each in units
    ]  # fmt: skip
    units = _UNITS[totals.key]
    title = (
        f"{system.system}: {totals.hits} {units} of {totals.reference_total} in the references are hits, and of "
        f"{totals.prediction_total} in the predictions"
    )
    return ResultTable(title, ["", units, "n", "of", "samples", "first"], rows, 2)


def _moved_table(moved: MovedHits, names: _SampleNames, digits: int) -> ResultTable:
    rows = [
        [Cell(side), Cell(" ".join(each.tokens)), Cell(_signed(each.difference)), Cell(str(each.n_samples)),
         Cell(names(each.samples))]
        for side, units in (("gained", moved.units_gained), ("lost", moved.units_lost))
        for each in units
    ]  # fmt: skip
    title = (
        f"{moved.first} − {moved.second}, {moved.key}: {_signed(moved.difference)} hits ({moved.gained} gained, "
        f"{moved.lost} lost), mean F {shown_difference(moved.score_difference, digits)}"
    )
    return ResultTable(title, ["", _UNITS[moved.key], "hits", "samples", "first"], rows, 2)


def _records(found: Examination, names: _SampleNames) -> Iterator[dict[str, Any]]:
    """A line for each number that is listed; ``second`` is the other system of a pair."""

    def record(
        kind: str, system: str, what: str, count: int | None, samples: int | None, first: Sequence[int], **more: Any
    ) -> dict:
        known = {"second": None, "key": None, "total": None} | more
        return {"kind": kind, "system": system, "second": known["second"], "key": known["key"], "what": what,
                "count": count, "total": known["total"], "samples": samples, "first": names(first)}  # fmt: skip

    for system in found.systems:
        for fault in system.faults:
            n = fault.n_samples if fault.applies else None
            yield record("fault", system.system, fault.kind, n, n, fault.samples)
        for bucket in system.buckets:
            missed = bucket.reference_total - bucket.hits if bucket.low else bucket.prediction_total
            total = {"total": bucket.reference_total if bucket.low else bucket.prediction_total}
            yield record("bucket", system.system, bucket.label, missed, bucket.n_samples, bucket.samples, **total)
        for totals in system.units:
            for kind, units in (("missed", totals.missed), ("added", totals.added)):
                for each in units:
                    more = {"key": totals.key, "total": each.total}
                    unit = " ".join(each.tokens)
                    yield record(kind, system.system, unit, each.count, each.n_samples, each.samples, **more)
    for moved in found.moved:
        for kind, units in (("gained", moved.units_gained), ("lost", moved.units_lost)):
            for each in units:
                more = {"key": moved.key, "second": moved.second}
                unit = " ".join(each.tokens)
                yield record(kind, moved.first, unit, each.difference, each.n_samples, each.samples, **more)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"
