"""The scores of one system as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from polyrouge.inputs import EmptyTexts
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.streamed import known_means
from polyrouge.tables.formats import Cell, Report, ResultTable

_MEASURES = {"precision": "_precision", "recall": "_recall", "fmeasure": ""}


def digits_for(settings: RougeSettings, digits: int | None) -> int:
    """Digits after the point: two on the scale of papers, four on that of 0 to 1."""
    return digits if digits is not None else 2 if settings.scale >= 10 else 4


def shown_number(value: float, digits: int) -> str:
    """The number, rounded."""
    return f"{value:.{digits}f}"


def shown_interval(low: float, high: float, digits: int) -> str:
    """Both ends of an interval, rounded."""
    return f"[{shown_number(low, digits)}, {shown_number(high, digits)}]"


def shown_level(confidence: float) -> str:
    """Such as ``"95 %"``."""
    return f"{100 * confidence:.4g} %"


def counted(n: int, what: str) -> str:
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
    heard: Sequence[str],
    sources: Mapping[str, float] | None = None,
) -> Report:
    """The means of one system.

    Args:
        result: what ``Rouge.compute`` returns.
        settings: of the scores.
        title: what was scored.
        n_samples: how many samples.
        empty_texts: how many of their texts are empty, of the system's and of the references.
        digits: after the point; None: two on the scale of 100, else four.
        details: more values for JSON, beside the scores.
        heard: warnings, for JSON.
        sources: means of measures beside the source, by their names; None: there is none.
    """
    digits = digits_for(settings, digits)
    measures = ["fmeasure"] if settings.output == "fmeasure" else list(_MEASURES)
    shown = {"precision": "P", "recall": "R", "fmeasure": "F"}
    header = ["type"]
    for measure in measures:
        header.append(shown[measure])
        if settings.confidence is not None:
            header.append(f"{shown_level(settings.confidence)} of {shown[measure]}")
    counts = {
        "samples": n_samples,
        "empty_predictions": empty_texts.predictions[0],
        "empty_references": empty_texts.references,
    }
    rows, records = [], []
    for name in settings.rouge_types:
        row: list[Any] = [name]
        for measure in measures:
            key = name + _MEASURES[measure]
            record: dict[str, Any] = {"type": name, "measure": measure, "value": result[key]}
            row.append(Cell(shown_number(result[key], digits), strong=measure == "fmeasure" and len(measures) > 1))
            if settings.confidence is not None:
                low, high = result[f"{key}_low"], result[f"{key}_high"]
                row.append(shown_interval(low, high, digits))
                record |= {"low": low, "high": high}
            records.append({**record, **counts})
        rows.append(row)
    told = [
        counted(n_samples, "sample"),
        counted(empty_texts.predictions[0], "empty prediction"),
        counted(empty_texts.references, "empty reference"),
    ]
    tables = [ResultTable(f"{title}: {', '.join(told)}", header, rows)]
    if sources is not None:
        records += [
            {**dict.fromkeys(records[0]), "type": "source", "measure": name, "value": value, **counts}
            for name, value in sources.items()
        ]
        tables.append(sources_table({title: sources}))
    known = known_means(sources or {})
    return Report(
        data={"scores": result, **({"sources": known} if known else {}), **counts, **details, "warnings": list(heard)},
        records=records,
        tables=tables,
        signature=settings.signature(),
    )


def sources_table(means: Mapping[str, Mapping[str, float]]) -> ResultTable:
    """Measures beside the source: a row for each, a column for each system, whose name is not shown if it is alone."""
    systems = list(means) if len(means) > 1 else ["mean"]
    columns = list(means.values())
    rows = [[name, *(shown_measure(each[name]) for each in columns)] for name in columns[0]]
    return ResultTable("Compared with the source", ["measure", *systems], rows)


def shown_measure(value: float) -> str:
    """A mean with four digits; a dash where it is not defined."""
    return "–" if math.isnan(value) else f"{value:.4f}"
