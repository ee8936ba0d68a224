"""Write the report: one HTML file with scores, charts and every sample, which needs no server or network."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import Comparison, shown_difference
from polyrouge.comparing.systems import can_compare, compare_columns, of_shared_samples, outcomes
from polyrouge.errors import hearing_warnings, warn_user
from polyrouge.inputs import Inputs, check_inputs, is_blank
from polyrouge.metric import Rouge
from polyrouge.report.rows import ROWS_A_PAGE, ReportRows, packed
from polyrouge.scoring.intervals import FEW_SAMPLES, few_samples_warning
from polyrouge.scoring.pipeline import SampleScores, score_samples
from polyrouge.scoring.results import result_of
from polyrouge.settings.rouge_settings import RougeSettings

_SCRIPTS = ("report_page.js", "report_charts.js", "report_table.js", "report_marks.js", "report_pair.js")
_MOST_SYSTEMS = 12  # for which report.css has colours
_MEASURES = ("precision", "recall", "fmeasure")


class _System(NamedTuple):
    name: str
    inputs: Inputs
    samples: SampleScores


def write_report(
    path: str | Path,
    predictions: Any,
    references: Any,
    *,
    rouge: Rouge,
    name: str = "system",
    others: Mapping[str, Any] | None = None,
    ids: Any = None,
    title: str | None = None,
) -> Path:
    """Score one system or several and write what was found as one HTML file.

    The file needs no server and sends no request. It opens from disk in any browser since 2023, in English
    or Chinese, light or dark. It holds the samples compressed, and unpacks them page by page.

    Args:
        path: the file to write; its folder must exist.
        predictions: texts, as for ``Rouge.compute``.
        references: for each prediction a text, or for each a list of texts.
        rouge: the metric. Means have intervals at its ``confidence``, 95 % if it has none.
        name: of the system.
        others: further systems, 11 at most: name to predictions for the same references. The report then shows what
            ``compare_systems`` gives; differences are those of an earlier system minus a later one.
        ids: a name for each sample, of any type that can be printed; its number, from 1, if not given.
        title: of the page.

    Returns:
        The path.

    Raises:
        TypeError, ValueError: as ``Rouge.compute``; or there are not as many ids as predictions, too many systems, or
            two of one name.
        ModuleNotFoundError: jinja2 is not installed.
        FileNotFoundError: there is no such folder. Nothing is written by a call that raises.
    """
    template = _template()
    path = Path(path)
    if not path.parent.is_dir():
        msg = f"There is no folder {str(path.parent)!r} to write {path.name!r} to; make it first."
        raise FileNotFoundError(msg)
    inputs = check_inputs(predictions, references)
    given = [(str(name), inputs)]
    given += [(str(each), check_inputs(texts, inputs.references)) for each, texts in (others or {}).items()]
    _check_names([each for each, _ in given])
    systems = [_System(each, texts, score_samples(texts, rouge.settings)) for each, texts in given]
    names = _names(ids, len(inputs.predictions))
    shown = _shown_settings(rouge)
    results, found = _means(systems, shown, is_asked_for=rouge.settings.confidence is not None)
    rouge_types = rouge.settings.rouge_types
    scores = np.stack([system.samples.scores for system in systems])  # [n_systems, n_rows, n_types, 3]
    order = np.argsort(scores[0, :, 0, _MEASURES.index("fmeasure")], kind="stable")  # worst first, left out last
    rows = ReportRows([system.inputs for system in systems], rouge.settings)
    pages = list(rows.pages(order.tolist()))
    index = {
        "types": rouge_types,
        "systems": [system.name for system in systems],
        "scale": rouge.settings.scale,
        "rows": (order + 1).tolist(),
        "ids": None if names is None else [names[row] for row in order],
        "scores": _columns(scores[:, order]),
        "ranks": _ranks(scores[:, order], shown) if len(systems) > 1 else None,
        "means": results,
        "comparison": None if found is None else found.to_dict(),
        "best": [system.samples.best_reference[order].T.tolist() for system in systems],
        "predictionLengths": rows.prediction_lengths[:, order].tolist(),
        "referenceLengths": [rows.reference_lengths[row] for row in order.tolist()],
        "rowsAPage": ROWS_A_PAGE,
    }
    page = _page(
        template,
        title=title or " / ".join(system.name for system in systems),
        signature=shown.signature(),
        board=_board(found, shown) if len(systems) > 2 else [],
        systems=[system.name for system in systems],
        summary=_summary(results, shown),
        differences=_differences(found, shown),
        confidence=None if shown.confidence is None else f"{100 * shown.confidence:g} %",
        is_small=shown.confidence is not None and len(order) < FEW_SAMPLES,
        empty=[f"{sum(map(is_blank, system.inputs.predictions)):,}" for system in systems],
        empty_references=f"{sum(is_blank(text) for row in inputs.references for text in row):,}",
        n_rows=len(order),
        index=packed(index),
        pages=pages,
    )
    path.write_text(page, encoding="utf-8", newline="\n")
    return path


def _template() -> Any:
    """The page's template; every value that it shows is escaped."""
    try:
        import jinja2
    except ModuleNotFoundError as error:
        msg = "A report needs jinja2: pip install jinja2"
        raise ModuleNotFoundError(msg, name="jinja2") from error
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(_asset("report.html.j2"))


def _asset(name: str) -> str:
    return (resources.files("polyrouge.report") / "assets" / name).read_text(encoding="utf-8")


def _shown_settings(rouge: Rouge) -> RougeSettings:
    """The settings of the means that the report shows, with an interval where these means can have one."""
    settings = rouge.settings.replace(use_aggregator=True, output="all")
    if settings.confidence is not None:
        return settings
    try:
        return settings.replace(confidence=0.95)
    except ValueError:  # no interval of the counts of all samples
        return settings


def _means(
    systems: Sequence[_System], settings: RougeSettings, *, is_asked_for: bool
) -> tuple[list[dict[str, float]], Comparison | None]:
    """What ``Rouge.compute`` gives for each system, and the comparison of several, over the same samples.

    Args:
        systems: one or more.
        settings: of the means.
        is_asked_for: whether the interval was. If not, the page alone says that of few samples it is too narrow.
    """
    scores = [system.samples.scores for system in systems]
    found = None
    with hearing_warnings() as heard:
        if can_compare(scores, settings):
            named = {system.name: each for system, each in zip(systems, scores, strict=True)}
            found = compare_columns(named, settings.replace(output="fmeasure"))
            scores = of_shared_samples(scores)
        results = [
            result_of(each, settings.result_rules, system.samples.totals, system.samples.keys)
            for system, each in zip(systems, scores, strict=True)
        ]
    of_few = set() if is_asked_for else set(map(few_samples_warning, range(FEW_SAMPLES)))
    for message in dict.fromkeys(heard):
        if message not in of_few:
            warn_user(message)
    return results, found


def _check_names(names: Sequence[str]) -> None:
    if len(names) > _MOST_SYSTEMS:
        msg = f"{len(names)} systems; a report has a colour for each of at most {_MOST_SYSTEMS}."
        raise ValueError(msg)
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        msg = f"Two systems are called {twice[0]!r}; give each a name of its own, by name and in others."
        raise ValueError(msg)


def _names(ids: Any, n_rows: int) -> list[str] | None:
    if ids is None:
        return None
    names = [str(each) for each in ids]
    if len(names) != n_rows:
        msg = f"{len(names)} ids but {n_rows} predictions; give one id for each prediction, or none."
        raise ValueError(msg)
    return names


def _columns(scores: NDArray[np.float64]) -> list[list[list[list[int | None]]]]:
    """Scores times 10,000 as whole numbers, [system][type][measure][row]; None where left out."""
    whole = np.where(np.isnan(scores), -1, np.rint(scores * 10_000)).astype(np.int64)
    moved = np.moveaxis(whole, 1, -1).tolist()
    return [
        [[[None if value < 0 else value for value in row] for row in by_type] for by_type in system] for system in moved
    ]


def _ranks(scores: NDArray[np.float64], settings: RougeSettings) -> list[list[list[int | None]]]:
    """How many systems each one beats on each sample, by F: [system][type][row]; None where it is left out.

    Of two systems the one that beats more has the higher F, and equal numbers mean the same F: so the page knows who
    wins without the digits that it does not have.
    """
    f = _MEASURES.index("fmeasure")
    ranks = []
    for system in scores:
        beaten = sum((outcomes(system, other, settings)[..., f] > 0).astype(np.int64) for other in scores)
        left_out = np.isnan(system[..., f]).T.tolist()
        by_type = np.asarray(beaten).T.tolist()
        ranks.append(
            [
                [None if missing else n for n, missing in zip(row, gone, strict=True)]
                for row, gone in zip(by_type, left_out, strict=True)
            ]
        )
    return ranks


def _board(found: Comparison | None, settings: RougeSettings) -> list[dict[str, Any]]:
    """The rows of the table of many systems: letter, name, and for each type mean, interval, and who is worse."""
    if found is None:
        return []
    digits = _digits(settings)
    best = found.means.max(axis=0)
    order = np.argsort(-found.means[:, 0], kind="stable").tolist()
    return [
        {
            "letter": found.letter(found.systems[row]),
            "name": found.systems[row],
            "number": row,
            "cells": [
                {
                    "mean": f"{found.means[row, column]:.{digits}f}",
                    "low": f"{found.low[row, column]:.{digits}f}",
                    "high": f"{found.high[row, column]:.{digits}f}",
                    "better": found.superscript(found.systems[row], key),
                    "best": bool(found.means[row, column] == best[column]),
                }
                for column, key in enumerate(found.keys)
            ],
        }
        for row in order
    ]


def _summary(results: Sequence[dict[str, float]], settings: RougeSettings) -> list[dict[str, Any]]:
    """The rows of the first table: the means of each type."""
    digits = _digits(settings)
    rows = []
    for name in settings.rouge_types:
        keys = {"precision": f"{name}_precision", "recall": f"{name}_recall", "fmeasure": name}
        if settings.confidence is not None:
            keys |= {"low": f"{name}_low", "high": f"{name}_high"}
        cells = [{what: f"{result[key]:.{digits}f}" for what, key in keys.items()} for result in results]
        rows.append({"name": name, "systems": cells})
    return rows


def _differences(found: Comparison | None, settings: RougeSettings) -> list[dict[str, str]]:
    """The rows of the second table: by how much the first system is better, and how sure that is."""
    rows = []
    if found is None:
        return rows
    for pair in found.pairs:
        row = {name: shown_difference(getattr(pair, name), _digits(settings)) for name in ("difference", "low", "high")}
        row |= {name: f"{getattr(pair, name):,}" for name in ("wins", "ties", "losses")}
        row |= {"first": pair.first, "second": pair.second, "significant": found.is_significant(pair)}
        rows.append({"name": pair.key, **row, "p": found.shown_p(pair)})
    return rows


def _digits(settings: RougeSettings) -> int:
    return 4 if settings.scale < 10 else 2


def _page(template: Any, **values: Any) -> str:
    """The page with its style and script inside; its policy forbids any other script and every request."""
    style = _asset("report.css")
    script = "(() => {\n'use strict';\n" + "\n".join(map(_asset, _SCRIPTS)) + "\nstart();\n})();\n"
    texts = json.loads(_asset("report_texts.json"))
    policy = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'"
    return template.render(style=style, script=script, policy=policy, texts=texts, text=texts["en"], **values)


def _digest(content: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() + "'"
