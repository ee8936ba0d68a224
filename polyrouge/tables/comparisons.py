"""A comparison of systems as tables: which one is better, and by how much."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from polyrouge.comparing.systems import Comparison, PairedDifference
from polyrouge.inputs import EmptyTexts
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tables.formats import Cell, Report, ResultTable
from polyrouge.tables.scores import counted, digits_for, shown_number


def comparison_report(
    found: Comparison,
    settings: RougeSettings,
    *,
    empty_texts: EmptyTexts,
    digits: int | None,
    details: dict[str, Any],
    heard: Sequence[str],
) -> Report:
    """Two tables: the systems' means with superscripts, and each pair's difference.

    Args:
        found: the comparison.
        settings: of its scores.
        empty_texts: how many of the texts are empty, of each system and of the references.
        digits: after the point; None: two on the scale of 100, else four.
        details: more values for JSON, beside the numbers.
        heard: warnings, for JSON.
    """
    digits = digits_for(settings, digits)
    empty = dict(zip(found.systems, empty_texts.predictions, strict=True))
    pairs = [_pair_record(found, pair, empty, empty_texts.references) for pair in found.pairs]
    systems = [
        {
            "system": system,
            "letter": found.letter(system),
            "empty_predictions": empty[system],
            **{
                key: {
                    "mean": float(found.means[row, column]),
                    "low": float(found.low[row, column]),
                    "high": float(found.high[row, column]),
                    "better_than": list(found.superscript(system, key)),
                }
                for column, key in enumerate(found.keys)
            },
        }
        for row, system in enumerate(found.systems)
    ]
    facts = {
        name: getattr(found, name)
        for name in ("n_samples", "n_left_out", "confidence", "alpha", "test", "n_resamples", "seed")
    }
    return Report(
        data={
            "systems": systems,
            "pairs": pairs,
            **facts,
            "empty_references": empty_texts.references,
            **details,
            "warnings": list(heard),
        },
        records=pairs,
        tables=[_means_table(found, empty_texts, digits), _pairs_table(found, digits)],
        signature=settings.signature(),
        notes=[_explanation(found)],
    )


def _pair_record(
    found: Comparison, pair: PairedDifference, empty: dict[str, int], empty_references: int
) -> dict[str, Any]:
    return {
        **dataclasses.asdict(pair),
        "significant": found.is_significant(pair),
        "empty_predictions_first": empty[pair.first],
        "empty_predictions_second": empty[pair.second],
        "empty_references": empty_references,
    }


def _means_table(found: Comparison, empty_texts: EmptyTexts, digits: int) -> ResultTable:
    best = found.means.max(axis=0)
    rows = [
        [
            Cell(found.letter(system)),
            Cell(system),
            *(
                Cell(
                    shown_number(float(found.means[row, column]), digits),
                    raised=found.superscript(system, key),
                    strong=bool(found.means[row, column] == best[column]),
                )
                for column, key in enumerate(found.keys)
            ),
            Cell(str(empty_texts.predictions[row])),
        ]
        for row, system in enumerate(found.systems)
    ]
    title = (
        f"{len(found.systems)} systems, {counted(found.n_samples, 'sample')}, "
        f"{counted(empty_texts.references, 'empty reference')}"
    )
    return ResultTable(title, ["", "system", *found.keys, "empty"], rows, 2)


def _pairs_table(found: Comparison, digits: int) -> ResultTable:
    interval = f"{100 * found.confidence:.4g} % interval"
    header = ["pair", "type", "difference", interval, "p boot.", "p rand.", "win/tie/loss"]
    rows = [
        [
            Cell(f"{found.letter(pair.first)} − {found.letter(pair.second)}"),
            Cell(pair.key),
            Cell(_signed(pair.difference, digits), strong=found.is_significant(pair)),
            Cell(f"[{_signed(pair.low, digits)}, {_signed(pair.high, digits)}]"),
            Cell(_p(pair.p_bootstrap_holm)),
            Cell(_p(pair.p_randomization_holm)),
            Cell(f"{pair.wins}/{pair.ties}/{pair.losses}"),
        ]
        for pair in found.pairs
    ]
    return ResultTable("Paired differences", header, rows, 2)


def _signed(value: float, digits: int) -> str:
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def _explanation(found: Comparison) -> str:
    test = "paired approximate randomization" if found.test == "randomization" else "paired bootstrap"
    n_pairs = len({(pair.first, pair.second) for pair in found.pairs})
    corrected = f", p after Holm's correction over {n_pairs} pairs" if n_pairs > 1 else ""
    return (
        f"A raised letter: significantly better than that system ({test}, {found.n_resamples} resamples, seed "
        f"{found.seed}, two-sided p < {found.alpha:g}{corrected}). empty: how many predictions are empty texts."
    )
