"""A comparison of systems as tables: which one is better, by how much, and on which slices of the samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from polyrouge.comparing.comparison import Comparison, PairedDifference, shown_difference
from polyrouge.comparing.slices import SlicedScores, SliceMeans
from polyrouge.comparing.systems import TESTS
from polyrouge.inputs import EmptyTexts
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.streamed import known_means
from polyrouge.tables.formats import Cell, Report, ResultTable
from polyrouge.tables.scores import counted, digits_for, shown_interval, shown_level, shown_number, sources_table

_PAIR_COLUMNS = (
    *("key", "first", "second"),
    *(f"{place}_{name}" for place in ("first", "second") for name in ("mean", "low", "high", "empty_predictions")),
    *("first_minus_second", "first_minus_second_low", "first_minus_second_high"),
    *("p_bootstrap", "p_randomization", "p_bootstrap_holm", "p_randomization_holm", "significant"),
    *("first_wins", "ties", "second_wins", "samples", "empty_references", "confidence", "n_resamples", "seed"),
)
"""Of CSV, for each pair of systems and key; whose number each is stands in the name."""


def comparison_report(
    found: Comparison,
    settings: RougeSettings,
    *,
    empty_texts: EmptyTexts,
    digits: int | None,
    details: dict[str, Any],
    heard: Sequence[str],
    slices: SlicedScores | None = None,
    sources: Mapping[str, Mapping[str, float]] | None = None,
) -> Report:
    """Three tables: the systems' means with superscripts, the means' intervals, and each pair's difference.

    Further ones of the slices and of the measures beside the source, where they are given.

    Args:
        found: the comparison.
        settings: of its scores.
        empty_texts: how many of the texts are empty, of each system and of the references.
        digits: after the point; None: two on the scale of 100, else four.
        details: more values for JSON, beside the numbers.
        heard: warnings, for JSON.
        slices: the same systems slice by slice.
        sources: for each system its means of measures beside the source.
    """
    digits = digits_for(settings, digits)
    tables = [_means_table(found, empty_texts, digits), _intervals_table(found, digits), _pairs_table(found, digits)]
    records = _records(found, empty_texts)
    data = found.to_dict()
    for system, n in zip(data["systems"], empty_texts.predictions, strict=True):
        system["empty_predictions"] = n
    data["empty_references"] = empty_texts.references
    notes = [found.sign_rule, _explanation(found)]
    if slices is not None:
        tables.append(slices_table(slices, digits))
        records = [{**record, "slice_column": None, "slice": None} for record in records]
        records += slice_records(slices)
        data["slices"] = slices.to_dict()
        notes.append(slices_note(slices))
    if sources is not None:
        tables.append(sources_table(sources))
        records += [
            {**dict.fromkeys(records[0]), "key": f"source_{name}", "first": system, "first_mean": value}
            for system, means in sources.items()
            for name, value in means.items()
        ]
        data["sources"] = {system: known_means(means) for system, means in sources.items()}
    return Report(
        data={**data, **details, "warnings": list(heard)},
        records=records,
        tables=tables,
        signature=found.signature,
        notes=notes,
    )


def _records(found: Comparison, empty_texts: EmptyTexts) -> list[dict[str, Any]]:
    """A line of CSV for each pair and key."""
    empty = dict(zip(found.systems, empty_texts.predictions, strict=True))
    return [
        pair_record(pair, found, found)
        | {f"{place}_empty_predictions": empty[getattr(pair, place)] for place in ("first", "second")}
        | {f"p_{test}_holm": getattr(pair, f"p_{test}_holm") for test in TESTS}
        | {"significant": found.is_significant(pair), "samples": found.n_samples}
        | {"empty_references": empty_texts.references}
        for pair in found.pairs
    ]


def _means_table(found: Comparison, empty_texts: EmptyTexts, digits: int) -> ResultTable:
    best = found.means.max(axis=0)
    rows = []
    for row, system in enumerate(found.systems):
        means = [
            Cell(shown_number(mean, digits), raised=found.superscript(system, key), strong=bool(mean == best[column]))
            for column, (key, mean) in enumerate(zip(found.keys, found.means[row].tolist(), strict=True))
        ]
        rows.append([found.letter(system), system, *means, empty_texts.predictions[row]])
    title = (
        f"{len(found.systems)} systems, {counted(found.n_samples, 'sample')}, "
        f"{counted(empty_texts.references, 'empty reference')}"
    )
    return ResultTable(title, ["", "system", *found.keys, "empty"], rows, 2)


def _intervals_table(found: Comparison, digits: int) -> ResultTable:
    rows = []
    for row, system in enumerate(found.systems):
        ends = zip(found.low[row].tolist(), found.high[row].tolist(), strict=True)
        rows.append([found.letter(system), system, *(shown_interval(low, high, digits) for low, high in ends)])
    return ResultTable(f"{_level(found)} of the means", ["", "system", *found.keys], rows, 2)


def _pairs_table(found: Comparison, digits: int) -> ResultTable:
    header = ["pair", "type", "difference", _level(found), "p boot.", "p rand.", "win/tie/loss"]
    rows = [
        [
            f"{found.letter(pair.first)} − {found.letter(pair.second)}",
            pair.key,
            *difference_cells(pair, digits, strong=found.is_significant(pair)),
            found.shown_p(pair, "bootstrap"),
            found.shown_p(pair, "randomization"),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
        ]
        for pair in found.pairs
    ]
    return ResultTable("Paired differences", header, rows, 2)


def _level(found: Comparison) -> str:
    return f"{shown_level(found.confidence)} interval{'' if found.interval == 'percentile' else ' (BCa)'}"


def _explanation(found: Comparison) -> str:
    test = "paired approximate randomization" if found.test == "randomization" else "paired bootstrap"
    n_pairs = len({(pair.first, pair.second) for pair in found.pairs})
    corrected = f", p after Holm's correction over {n_pairs} pairs" if n_pairs > 1 else ""
    return (
        f"A raised letter: significantly better than that system ({test}, {found.n_resamples} resamples, seed "
        f"{found.seed}, two-sided p < {found.alpha:g}{corrected}). A p with ≤ is the smallest that so many resamples "
        "can give. empty: how many predictions are empty texts."
    )


def pair_record(
    pair: PairedDifference, found: Comparison | SlicedScores, means: Comparison | SliceMeans
) -> dict[str, Any]:
    """A line of CSV: a pair under one key, with the means of both systems."""
    column = found.keys.index(pair.key)
    record = dict.fromkeys(_PAIR_COLUMNS) | {"key": pair.key, "first": pair.first, "second": pair.second}
    for place, system in (("first", pair.first), ("second", pair.second)):
        row = found.systems.index(system)
        for name, values in (("mean", means.means), ("low", means.low), ("high", means.high)):
            record[f"{place}_{name}"] = float(values[row, column])
    return record | {
        "first_minus_second": pair.difference,
        "first_minus_second_low": pair.low,
        "first_minus_second_high": pair.high,
        "p_bootstrap": pair.p_bootstrap,
        "p_randomization": pair.p_randomization,
        "first_wins": pair.wins,
        "ties": pair.ties,
        "second_wins": pair.losses,
        "confidence": found.confidence,
        "n_resamples": found.n_resamples,
        "seed": found.seed,
    }


def slice_records(found: SlicedScores) -> list[dict[str, Any]]:
    """A line of CSV for each slice, pair of systems and key."""
    places = {(each.column, each.label): each for each in found.slices}
    return [
        pair_record(each.pair, found, places[each.column, each.label])
        | {"p_randomization_holm": each.p_holm, "significant": found.is_significant(each), "samples": each.n_samples}
        | {"slice_column": each.column, "slice": each.label}
        for each in found.differences
    ]


def slices_table(found: SlicedScores, digits: int) -> ResultTable:
    """One row for each slice, pair of systems and type; in the order of ``found``."""
    is_one_pair = len(found.systems) == 2
    pair_heads = list(found.systems) if is_one_pair else ["first", "second"]
    header = ["column", "slice", *([] if is_one_pair else ["pair"]), "type", "n", *pair_heads]
    header += ["difference", "interval" if found.confidence is None else shown_level(found.confidence), "p"]
    rows = [
        [
            each.column,
            each.label,
            *([] if is_one_pair else [f"{each.pair.first} − {each.pair.second}"]),
            each.pair.key,
            each.n_samples,
            shown_number(each.first_mean, digits),
            shown_number(each.second_mean, digits),
            *difference_cells(each.pair, digits, strong=found.is_significant(each)),
            found.shown_p(each),
        ]
        for each in found.differences
    ]
    return ResultTable(_slices_title(found), header, rows, header.index("n"))


def difference_cells(pair: PairedDifference, digits: int, *, strong: bool) -> tuple[Cell, str]:
    """The difference of a pair, and its interval."""
    low, high = (shown_difference(each, digits) for each in (pair.low, pair.high))
    return Cell(shown_difference(pair.difference, digits), strong=strong), f"[{low}, {high}]"


def slices_note(found: SlicedScores) -> str:
    """In which order the slices stand, and what their p values were corrected for."""
    loser = found.loser or (found.systems[0] if len(found.systems) == 2 else "the first of the pair")
    return (
        f"Slices: those where {loser} loses most come first. p after Holm's correction over {found.n_tests} "
        f"slices and pairs of each type ({found.n_resamples} resamples)."
    )


def with_slice_means(report: Report, found: SlicedScores, digits: int) -> Report:
    """What ``score_report`` gives, with the slices of the system, the lowest mean of the first type first."""
    records = [{**record, "slice_column": None, "slice": None} for record in report.records]
    header = ["column", "slice", "n"]
    for key in found.keys:
        header += [key] if found.confidence is None else [key, shown_level(found.confidence)]
    rows = []
    for each in sorted(found.slices, key=lambda each: each.means[0, 0]):
        row = [each.column, each.label, len(each.rows)]
        for column, key in enumerate(found.keys):
            mean, low, high = (float(values[0, column]) for values in (each.means, each.low, each.high))
            row.append(shown_number(mean, digits))
            name, _, measure = key.partition("_")
            record = dict.fromkeys(records[0]) | {"type": name, "measure": measure or "fmeasure", "value": mean}
            if found.confidence is not None:
                row.append(shown_interval(low, high, digits))
                record |= {"low": low, "high": high}
            records.append(record | {"samples": len(each.rows), "slice_column": each.column, "slice": each.label})
        rows.append(row)
    return dataclasses.replace(
        report,
        data={**report.data, "slices": found.to_dict()},
        records=records,
        tables=[*report.tables, ResultTable(_slices_title(found), header, rows, header.index("n"))],
        notes=[*report.notes, "Slices: those with the lowest mean of the first type come first."],
    )


def _slices_title(found: SlicedScores) -> str:
    return f"{len(found.slices)} slices, by {', '.join(found.columns)}"
