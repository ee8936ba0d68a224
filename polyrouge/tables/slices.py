"""Slices of samples as a table: where a system loses, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from polyrouge.comparing.comparison import shown_difference
from polyrouge.comparing.sliced_scores import SlicedScores
from polyrouge.tables.formats import Cell, ResultTable
from polyrouge.tables.scores import shown_number


def slices_table(found: SlicedScores, digits: int) -> ResultTable:
    """One row for each slice, pair of systems and type; those where the first system loses most come first."""
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


def slices_note(found: SlicedScores) -> str:
    """What the p values of the table were corrected for."""
    return (
        f"Slices: those where the first system loses most come first. p after Holm's correction over {found.n_tests} "
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
            ends = {"mean": means.means, "low": means.low, "high": means.high}
            record |= {f"{place}_{name}": float(values[row, column]) for name, values in ends.items()}
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
