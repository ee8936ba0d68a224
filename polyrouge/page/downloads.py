"""Files that a visitor can download beside the report: every sample as CSV, the means as JSON and LaTeX."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from polyrouge.page.files import FileJob
from polyrouge.page.sessions import Session
from polyrouge.scoring.aggregation import scale_scores
from polyrouge.tables.comparisons import comparison_report
from polyrouge.tables.formats import render
from polyrouge.tables.scores import score_report

_ENDINGS = (("", 2), ("_precision", 0), ("_recall", 1))


def write_results(job: FileJob, session: Session) -> dict[str, Path]:
    """Write the results for download: every sample as CSV, the means as JSON and LaTeX."""
    settings, data = job.rouge.settings, job.data
    if data.comparison is None:
        report = score_report(
            data.results[0],
            settings,
            title=data.names[0],
            n_samples=len(data.order),
            empty_texts=job.empty_texts,
            digits=None,
            details={"systems": dict(zip(data.names, data.results, strict=True))},
            heard=job.notes,
        )
    else:
        report = comparison_report(
            data.comparison, settings, empty_texts=job.empty_texts, digits=None, details={}, heard=job.notes
        )
    written = {}
    for name, content in (
        ("samples.csv", _samples_csv(job)),
        ("scores.json", render(report, "json")),
        ("scores.tex", render(report, "latex")),
    ):
        written[name.rpartition(".")[2]] = session.path(name)
        written[name.rpartition(".")[2]].write_text(content, encoding="utf-8", newline="\n")
    return written


def _samples_csv(job: FileJob) -> str:
    """A line for each row: number, id, texts, scores; of several systems each column bears the name of its own."""
    data = job.data
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    measures = [
        (f"{name}{ending}", column, place)
        for column, name in enumerate(data.settings.rouge_types)
        for ending, place in _ENDINGS
    ]
    owners = [f"{name}." for name in data.names] if len(data.names) > 1 else [""]
    heads = [owner + key for owner in owners for key, _, _ in measures]
    texts = [f"{owner}prediction" for owner in owners]
    writer.writerow(["row", *(["id"] if data.ids else []), *texts, "references", *heads])
    scaled = [scale_scores(scores, job.rouge.settings.result_rules).tolist() for scores in data.scores]
    for row in range(len(data.order)):
        values = [scores[row][column][place] for scores in scaled for _, column, place in measures]
        writer.writerow(
            [
                row + 1,
                *((data.ids or [])[row : row + 1]),
                *(inputs.predictions[row] for inputs in data.inputs),
                json.dumps(list(data.inputs[0].references[row]), ensure_ascii=False),
                *values,
            ]
        )
    return lines.getvalue()
