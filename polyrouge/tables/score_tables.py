"""Scores as tables: of one system, of several compared, and of slices of the samples."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from polyrouge.comparing.comparison import Comparison, PairedDifference, shown_difference
from polyrouge.comparing.slices import FEWEST_TESTED, SlicedScores, SliceMeans, known_values
from polyrouge.comparing.systems import TESTS
from polyrouge.inputs import EmptyTexts
from polyrouge.result_table import Cell, ResultTable, shown_number
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.source_overlap.measures import known_means
from polyrouge.tables.formats import Report

_MEASURES = {"precision": "_precision", "recall": "_recall", "fmeasure": ""}


def digits_for(settings: RougeSettings, digits: int | None) -> int:
    """Digits after the point: two on the scale of papers, four on that of 0 to 1."""
    return digits if digits is not None else 2 if settings.scale >= 10 else 4


def shown_interval(low: float, high: float, digits: int) -> str:
    """Both ends of an interval, rounded; a dash for none."""
    return "–" if math.isnan(low) else f"[{shown_number(low, digits)}, {shown_number(high, digits)}]"


def shown_level(confidence: float) -> str:
    """Such as ``"95 %"``."""
    return f"{100 * confidence:.4g} %"


def count_of(n: int, what: str) -> str:
    """``"1 sample"``, ``"2 samples"``."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def numbers_alone(report: Report) -> str:
    """The numbers of a table of scores in one line, as they stand in it."""
    return " ".join(cell.text for row in report.tables[0].cells for cell in row[1:] if not cell.text.startswith("["))


def score_report(
    result: dict[str, float],
    settings: RougeSettings,
    *,
    title: str,
    n_samples: int,
    empty_texts: EmptyTexts,
    digits: int | None,
    details: dict[str, Any],
    warnings: Sequence[str],
    sources: Mapping[str, float] | None = None,
) -> Report:
    """The means of one system, as ``Rouge.compute`` returns them."""
    digits = digits_for(settings, digits)
    measures = ["fmeasure"] if settings.output == "fmeasure" else list(_MEASURES)
    header = ["type"]
    for measure in measures:
        letter = measure[0].upper()
        header.append(letter)
        if settings.confidence is not None:
            header.append(f"{shown_level(settings.confidence)} of {letter}")
    counts = {
        "samples": n_samples,
        "empty_predictions": empty_texts.predictions[0],
        "empty_references": empty_texts.references,
    }
    rows, records = [], []
    names = [*settings.rouge_types, *(() if settings.weights is None else ("weighted",))]
    for name in names:
        row: list[Any] = [name]
        for measure in measures:
            key = name + _MEASURES[measure]
            record: dict[str, Any] = {"type": name, "measure": measure, "value": result[key]}
            row.append(Cell(shown_number(result[key], digits), strong=measure == "fmeasure" and len(measures) > 1))
            if settings.confidence is not None and f"{key}_low" not in result:  # of the weighted sum
                row.append("–")
                record |= {"low": None, "high": None}
            elif settings.confidence is not None:
                low, high = result[f"{key}_low"], result[f"{key}_high"]
                row.append(shown_interval(low, high, digits))
                record |= {"low": low, "high": high}
            records.append({**record, **counts})
        rows.append(row)
    title_words = ", ".join(count_of(n, name.replace("_", " ")[:-1]) for name, n in counts.items())
    tables = [ResultTable(f"{title}: {title_words}", header, rows)]
    if sources is not None:
        records += [{"type": "source", "measure": name, "value": value, **counts} for name, value in sources.items()]
        tables.append(sources_table({title: sources}))
    means = known_means(sources or {})
    data = {"scores": result, **({"sources": means} if means else {}), **counts, **details, "warnings": list(warnings)}
    return Report(data, records, tables, settings.signature())


def sources_table(means: Mapping[str, Mapping[str, float]]) -> ResultTable:
    """Measures against the source: a row for each measure, a column for each system."""
    systems = list(means) if len(means) > 1 else ["mean"]
    columns = list(means.values())
    rows = [[name, *(shown_number(each[name], 4) for each in columns)] for name in columns[0]]
    return ResultTable("Compared with the source", ["measure", *systems], rows)


def comparison_report(
    comparison: Comparison,
    settings: RougeSettings,
    *,
    empty_texts: EmptyTexts,
    digits: int | None,
    details: dict[str, Any],
    warnings: Sequence[str],
    slices: SlicedScores | None = None,
    sources: Mapping[str, Mapping[str, float]] | None = None,
) -> Report:
    """Tables of means, intervals and pairs, and of slices and sources if there are any."""
    digits = digits_for(settings, digits)
    tables = [*_system_tables(comparison, empty_texts, digits), _pairs_table(comparison, digits)]
    empty = dict(zip(comparison.systems, empty_texts.predictions, strict=True))
    records = [
        _pair_record(pair, comparison, comparison)
        | {f"{place}_empty_predictions": empty[getattr(pair, place)] for place in ("first", "second")}
        | {f"p_{test}_holm": getattr(pair, f"p_{test}_holm") for test in TESTS}
        | {"significant": comparison.is_significant(pair), "samples": comparison.n_samples}
        | {"empty_references": empty_texts.references}
        for pair in comparison.pairs
    ]
    data = comparison.to_dict()
    for system, n in zip(data["systems"], empty_texts.predictions, strict=True):
        system["empty_predictions"] = n
    data["empty_references"] = empty_texts.references
    notes = [comparison.sign_rule, _explanation(comparison)]
    if slices is not None:
        tables.append(_slices_table(slices, digits))
        records = [{**record, "slice_column": None, "slice": None} for record in records]
        means_of = {(each.column, each.label): each for each in slices.slices}
        records += [
            known_values(
                _pair_record(each.pair, slices, means_of[each.column, each.label])
                | {"p_randomization_holm": each.p_holm, "significant": slices.is_significant(each)}
            )
            | {"samples": each.n_samples, "slice_column": each.column, "slice": each.label}
            for each in slices.differences
        ]
        data["slices"] = slices.to_dict()
        loser = slices.loser or (slices.systems[0] if len(slices.systems) == 2 else "the first of the pair")
        notes.append(
            f"Slices: those where {loser} loses most come first; those of fewer than {FEWEST_TESTED} samples come "
            "last, without p. p of a pair and type after Holm's correction over the slices of the columns that were "
            f"named; of each other column by itself ({slices.n_resamples} resamples)."
        )
    if sources is not None:
        tables.append(sources_table(sources))
        records += [
            {"key": f"source_{name}", "first": system, "first_mean": value}
            for system, means in sources.items()
            for name, value in means.items()
        ]
        data["sources"] = {system: known_means(means) for system, means in sources.items()}
    return Report({**data, **details, "warnings": list(warnings)}, records, tables, comparison.signature, notes)


def _system_tables(comparison: Comparison, empty_texts: EmptyTexts, digits: int) -> list[ResultTable]:
    """The means, with superscripts, and their intervals."""
    best = comparison.means.max(axis=0)
    means, intervals = [], []
    for row, system in enumerate(comparison.systems):
        cells = [
            Cell(shown_number(mean, digits), comparison.superscript(system, key), bool(mean == best[column]))
            for column, (key, mean) in enumerate(zip(comparison.keys, comparison.means[row].tolist(), strict=True))
        ]
        means.append([comparison.letter(system), system, *cells, empty_texts.predictions[row]])
        ends = zip(comparison.low[row].tolist(), comparison.high[row].tolist(), strict=True)
        intervals.append(
            [comparison.letter(system), system, *(shown_interval(low, high, digits) for low, high in ends)]
        )
    title = (
        f"{len(comparison.systems)} systems, {count_of(comparison.n_samples, 'sample')}, "
        f"{count_of(empty_texts.references, 'empty reference')}"
    )
    header = ["", "system", *comparison.keys]
    return [
        ResultTable(title, [*header, "empty"], means, 2),
        ResultTable(f"{_level(comparison)} of the means", header, intervals, 2),
    ]


def _pairs_table(comparison: Comparison, digits: int) -> ResultTable:
    header = ["pair", "type", "difference", _level(comparison), "p boot.", "p rand.", "win/tie/loss"]
    rows = [
        [
            f"{comparison.letter(pair.first)} − {comparison.letter(pair.second)}",
            pair.key,
            *_difference_cells(pair, digits, strong=comparison.is_significant(pair)),
            comparison.shown_p(pair, "bootstrap"),
            comparison.shown_p(pair, "randomization"),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
        ]
        for pair in comparison.pairs
    ]
    return ResultTable("Paired differences", header, rows, 2)


def _level(comparison: Comparison) -> str:
    return f"{shown_level(comparison.confidence)} interval{'' if comparison.interval == 'percentile' else ' (BCa)'}"


def _explanation(comparison: Comparison) -> str:
    test = "paired approximate randomization" if comparison.test == "randomization" else "paired bootstrap"
    n_pairs = len({(pair.first, pair.second) for pair in comparison.pairs})
    corrected = f", p after Holm's correction over {n_pairs} pairs" if n_pairs > 1 else ""
    return (
        f"A raised letter: significantly better than that system ({test}, {comparison.n_resamples} resamples, seed "
        f"{comparison.seed}, two-sided p < {comparison.alpha:g}{corrected}). A p with ≤ is the smallest that so many "
        "resamples can give. empty: how many predictions are empty texts."
    )


def _pair_record(
    pair: PairedDifference, comparison: Comparison | SlicedScores, means: Comparison | SliceMeans
) -> dict[str, Any]:
    """A line of CSV for a pair under one key; the caller fills in what is None."""
    column = comparison.keys.index(pair.key)
    record: dict[str, Any] = {"key": pair.key, "first": pair.first, "second": pair.second}
    for place, system in (("first", pair.first), ("second", pair.second)):
        row = comparison.systems.index(system)
        for name, values in (("mean", means.means), ("low", means.low), ("high", means.high)):
            record[f"{place}_{name}"] = float(values[row, column])
        record[f"{place}_empty_predictions"] = None
    return record | {
        "first_minus_second": pair.difference,
        "first_minus_second_low": pair.low,
        "first_minus_second_high": pair.high,
        "p_bootstrap": pair.p_bootstrap,
        "p_randomization": pair.p_randomization,
        **dict.fromkeys(("p_bootstrap_holm", "p_randomization_holm", "significant")),
        "first_wins": pair.wins,
        "ties": pair.ties,
        "second_wins": pair.losses,
        **dict.fromkeys(("samples", "empty_references")),
        "confidence": comparison.confidence,
        "n_resamples": comparison.n_resamples,
        "seed": comparison.seed,
    }


def _slices_table(sliced: SlicedScores, digits: int) -> ResultTable:
    """One row for each slice, pair of systems and type."""
    is_one_pair = len(sliced.systems) == 2
    pair_heads = list(sliced.systems) if is_one_pair else ["first", "second"]
    header = ["column", "slice", *([] if is_one_pair else ["pair"]), "type", "n", *pair_heads]
    header += ["difference", "interval" if sliced.confidence is None else shown_level(sliced.confidence), "p"]
    rows = [
        [
            each.column,
            each.label,
            *([] if is_one_pair else [f"{each.pair.first} − {each.pair.second}"]),
            each.pair.key,
            each.n_samples,
            shown_number(each.first_mean, digits),
            shown_number(each.second_mean, digits),
            *_difference_cells(each.pair, digits, strong=sliced.is_significant(each)),
            sliced.shown_p(each),
        ]
        for each in sliced.differences
    ]
    return ResultTable(_slices_title(sliced), header, rows, header.index("n"))


def _difference_cells(pair: PairedDifference, digits: int, *, strong: bool) -> tuple[Cell, str]:
    """The difference of a pair, and its interval, if it has one."""
    low, high = (shown_difference(each, digits) for each in (pair.low, pair.high))
    interval = "–" if math.isnan(pair.low) else f"[{low}, {high}]"
    return Cell(shown_difference(pair.difference, digits), strong=strong), interval


def with_slice_means(report: Report, sliced: SlicedScores, digits: int) -> Report:
    """A report of ``score_report`` with slices, the lowest mean of the first type first."""
    records = list(report.records)
    header = ["column", "slice", "n"]
    for key in sliced.keys:
        header += [key] if sliced.confidence is None else [key, shown_level(sliced.confidence)]
    rows = []
    for each in sorted(sliced.slices, key=lambda each: (len(each.rows) < FEWEST_TESTED, each.means[0, 0])):
        row = [each.column, each.label, len(each.rows)]
        for column, key in enumerate(sliced.keys):
            mean, low, high = (float(values[0, column]) for values in (each.means, each.low, each.high))
            row.append(shown_number(mean, digits))
            name, _, measure = key.partition("_")
            record: dict[str, Any] = {"type": name, "measure": measure or "fmeasure", "value": mean}
            if sliced.confidence is not None:
                row.append(shown_interval(low, high, digits))
                record |= known_values({"low": low, "high": high})
            records.append(record | {"samples": len(each.rows), "slice_column": each.column, "slice": each.label})
        rows.append(row)
    return dataclasses.replace(
        report,
        data={**report.data, "slices": sliced.to_dict()},
        records=records,
        tables=[*report.tables, ResultTable(_slices_title(sliced), header, rows, header.index("n"))],
        notes=[
            *report.notes,
            "Slices: those with the lowest mean of the first type come first; those of fewer than "
            f"{FEWEST_TESTED} samples come last.",
        ],
    )


def _slices_title(sliced: SlicedScores) -> str:
    return f"{len(sliced.slices)} slices, by {', '.join(sliced.columns)}"
