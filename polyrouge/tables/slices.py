"""Slices of samples as a table: where a system is weak or loses, and how sure that is."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import shown_difference
from polyrouge.comparing.sliced_scores import SlicedScores, SliceMeans
from polyrouge.tables.formats import Cell, Report, ResultTable
from polyrouge.tables.scores import shown_number


def slices_table(found: SlicedScores, digits: int) -> ResultTable:
    """One row for each slice, pair of systems and type; in the order of ``found``."""
    is_one_pair = len(found.systems) == 2
    pair_heads = list(found.systems) if is_one_pair else ["first", "second"]
    header = ["column", "slice", *([] if is_one_pair else ["pair"]), "type", "n", *pair_heads]
    header += ["difference", "interval" if found.confidence is None else f"{100 * found.confidence:.4g} %", "p"]
    rows = []
    for each in found.differences:
        pair = each.pair
        rows.append(
            [
                Cell(each.column),
                Cell(each.label),
                *([] if is_one_pair else [Cell(f"{pair.first} − {pair.second}")]),
                Cell(pair.key),
                Cell(str(each.n_samples)),
                Cell(shown_number(each.first_mean, digits)),
                Cell(shown_number(each.second_mean, digits)),
                Cell(shown_difference(pair.difference, digits), strong=found.is_significant(each)),
                Cell(f"[{shown_difference(pair.low, digits)}, {shown_difference(pair.high, digits)}]"),
                Cell(found.shown_p(each)),
            ]
        )
    return ResultTable(f"{len(found.slices)} slices, by {', '.join(found.columns)}", header, rows, header.index("n"))


def with_slice_means(report: Report, found: SlicedScores, digits: int) -> Report:
    """The report of one system's scores with those of its slices, the lowest mean of the first type first.

    Args:
        report: what ``score_report`` gives.
        found: the slices of the same system.
        digits: after the point.
    """
    records = [{**record, "slice_column": None, "slice": None} for record in report.records]
    title = f"{len(found.slices)} slices, by {', '.join(found.columns)}"
    header = ["column", "slice", "n"]
    for key in found.keys:
        header += [key] if found.confidence is None else [key, f"{100 * found.confidence:.4g} %"]
    rows = []
    for each in sorted(found.slices, key=lambda each: each.means[0, 0]):
        row = [Cell(each.column), Cell(each.label), Cell(str(len(each.rows)))]
        for column, key in enumerate(found.keys):
            values = {name: float(ends[0, column]) for name, ends in _ends(each).items()}
            shown = {name: shown_number(value, digits) for name, value in values.items()}
            row.append(Cell(shown["mean"]))
            if found.confidence is not None:
                row.append(Cell(f"[{shown['low']}, {shown['high']}]"))
            name, _, measure = key.partition("_")
            places = {"type": name, "measure": measure or "fmeasure", "slice_column": each.column, "slice": each.label}
            bounds = {} if found.confidence is None else {"low": values["low"], "high": values["high"]}
            numbers = {"value": values["mean"], **bounds, "samples": len(each.rows)}
            records.append(dict.fromkeys(records[0]) | places | numbers)
        rows.append(row)
    return dataclasses.replace(
        report,
        data={**report.data, "slices": found.to_dict()},
        records=records,
        tables=[*report.tables, ResultTable(title, header, rows, header.index("n"))],
        notes=[*report.notes, "Slices: those with the lowest mean of the first type come first."],
    )


def _ends(each: SliceMeans) -> dict[str, NDArray[np.float64]]:
    return {"mean": each.means, "low": each.low, "high": each.high}


def slices_note(found: SlicedScores) -> str:
    """In which order the slices stand, and what their p values were corrected for."""
    loser = found.loser or (found.systems[0] if len(found.systems) == 2 else "the first of the pair")
    return (
        f"Slices: those where {loser} loses most come first. p after Holm's correction over {found.n_tests} "
        f"slices and pairs of each type ({found.n_resamples} resamples)."
    )


def slice_records(found: SlicedScores, template: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The lines of CSV.

    Args:
        found: the slices.
        template: a line of the whole comparison, whose columns these have too.
    """
    places = {(each.column, each.label): each for each in found.slices}
    for each in found.differences:
        pair, means = each.pair, places[each.column, each.label]
        column = found.keys.index(pair.key)
        record = dict.fromkeys(template) | {"key": pair.key, "first": pair.first, "second": pair.second}
        for place in ("first", "second"):
            row = found.systems.index(record[place])
            record |= {f"{place}_{name}": float(values[row, column]) for name, values in _ends(means).items()}
        yield {
            **record,
            "first_minus_second": pair.difference,
            "first_minus_second_low": pair.low,
            "first_minus_second_high": pair.high,
            "p_bootstrap": pair.p_bootstrap,
            "p_randomization": pair.p_randomization,
            "p_randomization_holm": each.p_holm,
            "significant": found.is_significant(each),
            "first_wins": pair.wins,
            "ties": pair.ties,
            "second_wins": pair.losses,
            "samples": each.n_samples,
            "confidence": found.confidence,
            "n_resamples": found.n_resamples,
            "seed": found.seed,
            "slice_column": each.column,
            "slice": each.label,
        }
