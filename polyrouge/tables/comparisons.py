"""A comparison of systems as tables: which one is better, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import Comparison, shown_difference
from polyrouge.comparing.sliced_scores import SlicedScores
from polyrouge.inputs import EmptyTexts
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.streamed import known_means
from polyrouge.tables.formats import Cell, Report, ResultTable
from polyrouge.tables.scores import counted, digits_for, shown_number
from polyrouge.tables.slices import slice_records, slices_note, slices_table
from polyrouge.tables.sources import sources_table


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
    records = list(_records(found, empty_texts))
    data = _with_empty_texts(found.to_dict(), empty_texts)
    notes = [found.sign_rule, _explanation(found)]
    if slices is not None:
        tables.append(slices_table(slices, digits))
        records = [{**record, "slice_column": None, "slice": None} for record in records]
        records += slice_records(slices, records[0])
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


def _with_empty_texts(data: dict[str, Any], empty_texts: EmptyTexts) -> dict[str, Any]:
    """The numbers of a comparison, and how many texts of each system and of the references are empty."""
    systems = [
        {**system, "empty_predictions": n} for system, n in zip(data["systems"], empty_texts.predictions, strict=True)
    ]
    return {**data, "systems": systems, "empty_references": empty_texts.references}


def _records(found: Comparison, empty_texts: EmptyTexts) -> Iterator[dict[str, Any]]:
    """One line a pair and key, with the means of both systems; its columns say whose number each is."""
    for pair in found.pairs:
        column = found.keys.index(pair.key)
        record: dict[str, Any] = {"key": pair.key, "first": pair.first, "second": pair.second}
        for place in ("first", "second"):
            row = found.systems.index(record[place])
            for name, values in (("mean", found.means), ("low", found.low), ("high", found.high)):
                record[f"{place}_{name}"] = float(values[row, column])
            record[f"{place}_empty_predictions"] = empty_texts.predictions[row]
        yield {
            **record,
            "first_minus_second": pair.difference,
            "first_minus_second_low": pair.low,
            "first_minus_second_high": pair.high,
            "p_bootstrap": pair.p_bootstrap,
            "p_randomization": pair.p_randomization,
            "p_bootstrap_holm": pair.p_bootstrap_holm,
            "p_randomization_holm": pair.p_randomization_holm,
            "significant": found.is_significant(pair),
            "first_wins": pair.wins,
            "ties": pair.ties,
            "second_wins": pair.losses,
            "samples": found.n_samples,
            "empty_references": empty_texts.references,
            "confidence": found.confidence,
            "n_resamples": found.n_resamples,
            "seed": found.seed,
        }


def _means_table(found: Comparison, empty_texts: EmptyTexts, digits: int) -> ResultTable:
    best = found.means.max(axis=0)

    def cell(row: int, column: int, system: str) -> Cell:
        mean = float(found.means[row, column])
        raised = found.superscript(system, found.keys[column])
        return Cell(shown_number(mean, digits), raised=raised, strong=bool(mean == best[column]))

    rows = [
        [
            Cell(found.letter(system)),
            Cell(system),
            *(cell(row, column, system) for column in range(len(found.keys))),
            Cell(str(empty_texts.predictions[row])),
        ]
        for row, system in enumerate(found.systems)
    ]
    title = (
        f"{len(found.systems)} systems, {counted(found.n_samples, 'sample')}, "
        f"{counted(empty_texts.references, 'empty reference')}"
    )
    return ResultTable(title, ["", "system", *found.keys, "empty"], rows, 2)


def _intervals_table(found: Comparison, digits: int) -> ResultTable:
    def cell(low: NDArray[np.float64], high: NDArray[np.float64]) -> Cell:
        return Cell(f"[{shown_number(float(low), digits)}, {shown_number(float(high), digits)}]")

    rows = [
        [Cell(found.letter(system)), Cell(system), *map(cell, found.low[row], found.high[row])]
        for row, system in enumerate(found.systems)
    ]
    return ResultTable(f"{_level(found)} of the means", ["", "system", *found.keys], rows, 2)


def _pairs_table(found: Comparison, digits: int) -> ResultTable:
    header = ["pair", "type", "difference", _level(found), "p boot.", "p rand.", "win/tie/loss"]
    rows = [
        [
            Cell(f"{found.letter(pair.first)} − {found.letter(pair.second)}"),
            Cell(pair.key),
            Cell(shown_difference(pair.difference, digits), strong=found.is_significant(pair)),
            Cell(f"[{shown_difference(pair.low, digits)}, {shown_difference(pair.high, digits)}]"),
            Cell(found.shown_p(pair, "bootstrap")),
            Cell(found.shown_p(pair, "randomization")),
            Cell(f"{pair.wins}/{pair.ties}/{pair.losses}"),
        ]
        for pair in found.pairs
    ]
    return ResultTable("Paired differences", header, rows, 2)


def _level(found: Comparison) -> str:
    return f"{100 * found.confidence:.4g} % interval{'' if found.interval == 'percentile' else ' (BCa)'}"


def _explanation(found: Comparison) -> str:
    test = "paired approximate randomization" if found.test == "randomization" else "paired bootstrap"
    n_pairs = len({(pair.first, pair.second) for pair in found.pairs})
    corrected = f", p after Holm's correction over {n_pairs} pairs" if n_pairs > 1 else ""
    return (
        f"A raised letter: significantly better than that system ({test}, {found.n_resamples} resamples, seed "
        f"{found.seed}, two-sided p < {found.alpha:g}{corrected}). A p with ≤ is the smallest that so many resamples "
        "can give. empty: how many predictions are empty texts."
    )
