"""Files that a visitor can download: every sample as CSV, the means as JSON and LaTeX, the report."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from polyrouge.errors import hearing_warnings
from polyrouge.page.files import FileJob
from polyrouge.page.limits import LIMITS
from polyrouge.page.sessions import Session
from polyrouge.page.texts import PageError
from polyrouge.report.html_report import write_report
from polyrouge.scoring.aggregation import scale_scores
from polyrouge.tables.comparisons import comparison_report
from polyrouge.tables.formats import render
from polyrouge.tables.scores import score_report

_ENDINGS = (("", 2), ("_precision", 0), ("_recall", 1))


def write_results(job: FileJob, session: Session) -> dict[str, Path]:
    """Write the results for download: every sample as CSV, the means as JSON and LaTeX."""
    settings = job.rouge.settings
    if job.comparison is None:
        report = score_report(
            job.results[0],
            settings,
            title=job.names[0],
            n_samples=len(job.references),
            empty_texts=job.empty_texts,
            digits=None,
            details={"systems": dict(zip(job.names, job.results, strict=True))},
            heard=job.notes,
        )
    else:
        report = comparison_report(
            job.comparison, settings, empty_texts=job.empty_texts, digits=None, details={}, heard=job.notes
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
    """A line for each row: number, id, texts, scores; of two systems each column bears the name of its own."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    measures = [
        (f"{name}{ending}", column, place) for column, name in enumerate(job.types) for ending, place in _ENDINGS
    ]
    owners = [f"{name}." for name in job.names] if len(job.names) > 1 else [""]
    heads = [owner + key for owner in owners for key, _, _ in measures]
    texts = [f"{owner}prediction" for owner in owners]
    writer.writerow(["row", *(["id"] if job.ids else []), *texts, "references", *heads])
    scaled = [scale_scores(scores, job.rouge.settings.result_rules).tolist() for scores in job.scores]
    for row in range(len(job.references)):
        values = [scores[row][column][place] for scores in scaled for _, column, place in measures]
        writer.writerow(
            [
                row + 1,
                *(job.ids[row : row + 1]),
                *(predictions[row] for predictions in job.predictions),
                json.dumps(job.references_of(row), ensure_ascii=False),
                *values,
            ]
        )
    return lines.getvalue()


def write_page_report(job: FileJob, session: Session) -> Path:
    """Write the HTML report.

    Raises:
        PageError: too many rows.
    """
    if len(job.references) > LIMITS.report_rows:
        raise PageError(key="limitReport", n=len(job.references), most=LIMITS.report_rows)
    with hearing_warnings():
        return write_report(
            session.path("report.html"),
            job.predictions[0],
            job.references,
            rouge=job.rouge,
            name=job.names[0],
            others=dict(zip(job.names[1:], job.predictions[1:], strict=True)),
            ids=job.ids or None,
        )
