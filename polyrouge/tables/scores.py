"""The scores of one system as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.tables.formats import Cell, Report, ResultTable

_MEASURES = {"precision": "_precision", "recall": "_recall", "fmeasure": ""}


def digits_for(settings: RougeSettings, digits: int | None) -> int:
    """Digits after the point: two on the scale of papers, four on that of 0 to 1."""
    return digits if digits is not None else 2 if settings.scale >= 10 else 4


def shown_number(value: float, digits: int) -> str:
    """The number, rounded."""
    return f"{value:.{digits}f}"


def score_report(
    result: dict[str, float],
    settings: RougeSettings,
    *,
    title: str,
    n_samples: int,
    digits: int | None,
    details: dict[str, Any],
    heard: Sequence[str],
) -> Report:
    """The means of one system.

    Args:
        result: what ``Rouge.compute`` returns.
        settings: of the scores.
        title: what was scored.
        n_samples: how many samples.
        digits: after the point; None: two on the scale of 100, else four.
        details: more values for JSON, beside the scores.
        heard: warnings, for JSON.
    """
    digits = digits_for(settings, digits)
    measures = ["fmeasure"] if settings.output == "fmeasure" else list(_MEASURES)
    shown = {"precision": "P", "recall": "R", "fmeasure": "F"}
    header = ["type"]
    for measure in measures:
        header.append(shown[measure])
        if settings.confidence is not None:
            header.append(f"{100 * settings.confidence:.4g} % of {shown[measure]}")
    rows, records = [], []
    for name in settings.rouge_types:
        row = [Cell(name)]
        for measure in measures:
            key = name + _MEASURES[measure]
            record: dict[str, Any] = {"type": name, "measure": measure, "value": result[key]}
            row.append(Cell(shown_number(result[key], digits), strong=measure == "fmeasure"))
            if settings.confidence is not None:
                low, high = result[f"{key}_low"], result[f"{key}_high"]
                row.append(Cell(f"[{shown_number(low, digits)}, {shown_number(high, digits)}]"))
                record |= {"low": low, "high": high}
            records.append({**record, "samples": n_samples})
        rows.append(row)
    return Report(
        data={"scores": result, "samples": n_samples, **details, "warnings": list(heard)},
        records=records,
        tables=[ResultTable(f"{title}: {n_samples} {'sample' if n_samples == 1 else 'samples'}", header, rows)],
        signature=settings.signature(),
    )
