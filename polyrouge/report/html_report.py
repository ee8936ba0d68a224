"""Write the report: one HTML file with scores, charts and every sample, which needs no server or network."""

import base64
import functools
import hashlib
import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyrouge.beyond.error_analysis.examination import examine_texts, examined_texts
from polyrouge.beyond.reference_points import SYSTEM, ScoreContext
from polyrouge.comparing.comparison import Comparison
from polyrouge.comparing.difference import outcomes_of
from polyrouge.comparing.paper_table import paper_table, type_name
from polyrouge.errors import shown_value
from polyrouge.inputs import is_blank
from polyrouge.metric import Rouge, as_rouge, metric_in_points
from polyrouge.progress import Progress, telling_progress
from polyrouge.report.note_texts import chinese_note
from polyrouge.report.report_data import ReportData, report_data
from polyrouge.report.rows import ReportRows, packed
from polyrouge.results import (
    ResultTable,
    digits_for,
    latex_table,
    latex_text,
    shown_difference,
    shown_interval,
    shown_interval_of_difference,
    shown_level,
    shown_number,
)
from polyrouge.scoring.intervals import FEW_SAMPLES
from polyrouge.settings.allowed_values import checked_flag
from polyrouge.version import VERSION

_PARTS = (
    "page", "data", "link", "filters", "search", "notes", "export", "charts", "tokens", "curves", "table", "marks",
    "pair", "slices", "sources",
)  # fmt: skip
_SCRIPTS = [f"report_{name}.js" for name in _PARTS]  # in the order of the page
_FEW_NAMES = 3  # systems that the title names
_MOST_NAMED = 5  # systems that a sentence names
_MOST_LISTED = 200  # samples of each missed token, and so on
_SAME = 1e-9  # beyond what the order of additions changes
_FEW_SYSTEMS = 4  # for more systems a quarter of the samples is listed


def write_report(
    path: str | Path,
    predictions: Any,
    references: Any,
    *,
    rouge: Rouge | str | None = None,
    name: str = "system",
    others: Mapping[str, Any] | None = None,
    ids: Any = None,
    metadata: Mapping[str, Any] | None = None,
    sources: Any = None,
    slices: bool = True,
    guessed: Mapping[str, Any] | None = None,
    title: str | None = None,
    steps: Any = None,
    context: ScoreContext | None = None,
    progress: Progress | None = None,
) -> Path:
    """Score one system or several and write the results as one HTML file.

    The file needs no server and sends no request. It opens from disk in any browser since 2023, in English
    or Chinese, light or dark. It holds the samples compressed, and unpacks them page by page.

    Args:
        path: the file to write; its folder must exist.
        predictions: texts, as for ``Rouge.compute``.
        references: for each prediction a text, or for each a list of texts.
        rouge: the metric; or a convention's name (``"default"`` if None), by which scores are points of 100, as on the
            page. Means have intervals at its ``confidence``, 95% if it has none.
        name: of the system.
        others: further systems, 11 at most: name to predictions for the same references. The report then shows what
            ``compare_systems`` gives; differences are an earlier system minus a later one.
        ids: a name for each sample, of any type that can be printed; its number, from 1, if not given.
        metadata: name of a column to one value for each sample, to slice them by; see ``compare_slices``. The p values
            of two systems are corrected over the slices of all these columns. The length and number of the references
            are added, each corrected by itself. Of more than four systems the best by the first type is compared with
            each of the others (of checkpoints the first).
        sources: for each sample the text that it was made from, or a list of texts: the report then shows what
            ``measure_sources`` gives, and what was copied from where.
        slices: whether there are slices.
        guessed: further columns like ``metadata``, not asked for: the p values of each are corrected by
            themselves, so that they do not move the p values of ``metadata``.
        title: of the page.
        steps: where the systems are checkpoints of a training, how many steps each has had, in the order of the
            systems. They are shown by step, with what ``trace_checkpoints`` gives; of more than 12 checkpoints the
            curves show all, and the samples 12 that are spread evenly over the steps.
        context: of ``score_context`` by the same metric, for the first system: the figure of means then has what it
            lies between.
        progress: is told what is done (``"scoring"``, ``"comparing"``, ``"sources"``, ``"slices"``, ``"writing"``,
            ``"examining"``), how much of it, and of how much; what it raises ends the work.

    Returns:
        The path.

    Raises:
        TypeError, ValueError: as ``Rouge.compute``; or there are not as many ids as predictions, too many systems, two
            of one name, or a ``context`` of other outputs or another metric.
        FileNotFoundError: there is no such folder. Nothing is written by a call that raises.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path is {shown_value(path)}; give the path of the file to write.")
    path = Path(path)
    rouge = metric_in_points(rouge or "default") if rouge is None or isinstance(rouge, str) else as_rouge(rouge)
    for argument, columns in (("others", others), ("metadata", metadata)):
        if columns is not None and not isinstance(columns, Mapping):
            raise TypeError(f"{argument} is {shown_value(columns)}; give a mapping from names to columns, or None.")
    checked_flag("slices", slices)
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title is {shown_value(title)}; give a text, or None.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {str(path.parent)!r} to write {path.name!r} to; make it first.")
    _template()  # before the work
    data = report_data(
        predictions,
        references,
        rouge=rouge,
        name=name,
        others=others,
        ids=ids,
        metadata=metadata,
        sources=sources,
        slices=slices,
        guessed=guessed,
        steps=steps,
        progress=progress,
    )
    if context is not None:
        context = _on_scale(context, rouge.settings.scale)
        if any(
            abs(context.points[SYSTEM].get(key, math.inf) - data.results[0][key]) > _SAME
            for key in rouge.settings.rouge_types
        ):
            raise ValueError(
                f"context was not made from the outputs of {name!r} by this metric; give both to score_context."
            )
    draw_report(path, data, rouge=rouge, title=title, context=context, progress=progress)
    return path


def _on_scale(context: ScoreContext, scale: float) -> ScoreContext:
    """Return the context with its scores on the scale of the report."""
    factor = scale / context.scale
    points = {name: {key: value * factor for key, value in point.items()} for name, point in context.points.items()}
    return replace(context, points=points, scale=scale)


def draw_report(
    path: Path,
    data: ReportData,
    *,
    rouge: Rouge,
    title: str | None = None,
    context: ScoreContext | None = None,
    progress: Progress | None = None,
) -> None:
    """Write the data as one HTML file; see ``write_report``."""
    settings, comparison, systems = data.settings, data.comparison, list(data.systems.values())
    with telling_progress(progress, "writing", len(data.order)):
        rows = ReportRows(data.texts, settings, rouge.run, data.sources)
        pages = list(rows.pages(data.order.tolist()))
    most_samples = _MOST_LISTED if len(systems) <= _FEW_SYSTEMS else _MOST_LISTED // 4
    with telling_progress(progress, "examining", examined_texts(data.systems)):
        by_rank = data.texts.selected(list(map(list(data.systems).index, data.ranked)))
        examined = examine_texts(data.ranked, by_rank, rouge.settings, rouge.run, most_samples=most_samples).to_dict()
        examined["systems"] = sorted(examined["systems"], key=lambda system: list(data.systems).index(system["system"]))
        examination = packed(examined)
        index = data.page_index() | {"context": None if context is None else context.points}
        index = packed(index, data.row_numbers(rows))
    style, texts = _asset("report.css"), json.loads(_asset("report_texts.json"))
    for language, words in texts.items():
        words |= {"verdict": verdict(data, words), "methods": _methods(data, words)}
        words["paper"] = _paper(data, language, words, intervals=True)
        words["paperBare"] = _paper(data, language, words, intervals=False)
        words["title"] = title or _title(data, words)
        words["affixes"] = _affixes(data, words)
        for number, note in enumerate(data.notes):
            words[f"note{number}"] = chinese_note(note) if language == "zh" else note
    script = "(() => {\n'use strict';\n" + "\n".join(map(_asset, _SCRIPTS)) + "\nstart();\n})();\n"
    sources = f"style-src {_digest(style)}; script-src {_digest(script)}"  # no other script, and no request
    parts = _template().generate(
        style=style,
        script=script,
        policy=f"default-src 'none'; {sources}; base-uri 'none'",
        texts=texts,
        text=texts["en"],
        title=texts["en"]["title"],
        note_systems=[_listed(names, texts["en"]) for names in data.notes.values()],
        labels={name: "rougeL = rougeLsum" if _stands_for_both(name, data) else name for name in data.types},
        signature=settings.signature(),
        board=board_rows(comparison, data) if comparison is not None else [],
        systems=list(data.systems),
        types=data.types,
        summary=_summary_rows(data),
        differences=[] if comparison is None else _difference_rows(comparison, data),
        confidence=None if settings.confidence is None else shown_level(settings.confidence),
        is_small=settings.confidence is not None and len(data.order) < FEW_SAMPLES,
        empty=[sum(map(is_blank, inputs.predictions)) for inputs in systems],
        empty_references=sum(is_blank(text) for row in systems[0].references for text in row),
        index=index,
        examination=examination,
        has_curves=data.curves is not None,
        pages=pages,
    )
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:  # lone surrogates too
        file.writelines(parts)  # joined, they would take twice the memory


@functools.cache
def _template() -> Any:
    """Load the page's template; it escapes every value."""
    import jinja2  # slow to import

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(_asset("report.html.j2"))


def _asset(name: str) -> str:
    return (resources.files("polyrouge.report") / "assets" / name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def verdict(data: ReportData, words: Mapping[str, str]) -> str:
    """State what the means and tests of the report show, in lines made of the words of a language."""
    comparison, n = data.comparison, f"{len(data.order):,}"
    if comparison is None:
        sentences = _untested(data, words)
    else:
        holm = words["holm"] if len(comparison.systems) > 2 else ""
        level = words["level"].format(alpha=f"{comparison.alpha:g}", holm=holm)
        ranked = [comparison.systems[row] for row in np.argsort(-comparison.means[:, 0], kind="stable")]
        sentences = []
        for finding, keys in _findings(comparison, data.types).items():
            top, worse = (
                _systems([system for system in ranked if system in names], comparison, words)
                for names in (finding.top, finding.worse)
            )
            sentence_kind = finding.kind + ("AndBetter" if worse and finding.kind != "better" else "")
            types = _type_names([key for key in keys if key in data.types], words)
            sentences.append(
                _said(
                    words,
                    f"verdict_{sentence_kind}",
                    best=finding.best or "",
                    top=top,
                    worse=worse,
                    level=level,
                    types=types,
                )
            )
    n_left = comparison.n_left_out if comparison else int(np.isnan(data.scores).any(axis=(0, 2, 3)).sum())
    counted = "leftOut" if n_left else "sample" if len(data.order) == 1 else "samples"
    sentences.append(words[f"verdict_{counted}"].format(n=n, left=f"{n_left:,}"))
    return "\n".join(sentences[:-1]) + words["sentenceGap"] + sentences[-1]


class _Finding(NamedTuple):
    """The finding on a type.

    ``kind`` is ``same`` where all score the same on all samples, ``better`` where one beats all others, ``alike`` where
    ``top`` can't be told apart and each of them beats ``worse``, or ``near`` where only the ``best`` beats these.
    """

    kind: str
    best: str | None
    top: frozenset[str]
    worse: frozenset[str]


def _findings(comparison: Comparison, types: Sequence[str]) -> dict[_Finding, list[str]]:
    """Group the types by their findings."""
    findings: dict[_Finding, list[str]] = {}
    for column, key in enumerate(comparison.keys):
        if key not in types:
            continue
        best = comparison.systems[int(comparison.means[:, column].argmax())]
        beaten = {name: set(comparison.superscript(name, key)) for name in comparison.systems}
        worse = frozenset(name for name in comparison.systems if comparison.letter(name) in beaten[best])
        top = frozenset(comparison.systems) - worse
        if all(pair.wins == pair.losses == 0 for pair in comparison.pairs if pair.key == key):
            finding = _Finding("same", None, top, worse)
        elif len(top) == 1:
            finding = _Finding("better", None, top, worse)
        elif all(beaten[name] == beaten[best] for name in top):
            finding = _Finding("alike", None, top, worse)
        else:
            finding = _Finding("near", best, top - {best}, worse)
        findings.setdefault(finding, []).append(key)
    return findings


def _untested(data: ReportData, words: Mapping[str, str]) -> list[str]:
    """State the means of one system, or which of several systems without tests has the highest."""
    digits, types = digits_for(data.settings.scale), data.types
    if len(data.systems) == 1:
        (result,) = data.results
        means = {key: f"{shown_number(result[key], digits)} {_interval(result, key, digits)}".strip() for key in types}
        scores = [words["scoreOn"].format(mean=mean, type=_type_names([key], words)) for key, mean in means.items()]
        return [_said(words, "verdict_one", system=next(iter(data.systems)), scores=words["comma"].join(scores))]
    best: dict[str, list[str]] = {}
    for key in types:
        means = [result[key] for result in data.results]
        best.setdefault(list(data.systems)[means.index(max(means))], []).append(key)
    return [_said(words, "verdict_untested", top=name, types=_type_names(keys, words)) for name, keys in best.items()]


def _interval(result: Mapping[str, float], key: str, digits: int) -> str:
    """Format the interval of a mean; "" if it has none."""
    low, high = (result.get(f"{key}_{end}") for end in ("low", "high"))
    return "" if low is None or high is None else shown_interval(low, high, digits)


def _paper(data: ReportData, language: str, words: Mapping[str, str], *, intervals: bool) -> str:
    """Write the main table in LaTeX, and under it the sentences for the section on methods."""
    if data.comparison is not None:
        table = paper_table(data.comparison, data.types, language=language, intervals=intervals)
    else:
        heads = [words["systemHead"], words["type"], words["precision"], words["recall"], "F"]
        rows = [
            [
                name,
                type_name(row["name"]),
                *(row["systems"][number][key] for key in ("precision", "recall", "fmeasure")),
            ]
            for number, name in enumerate(data.systems)
            for row in _summary_rows(data)
        ]
        table = latex_table(ResultTable(words["latexCaption"], heads, rows, 2))
    signature = latex_text(data.settings.signature()).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
    made = f"{words['signature']}{words['colon']}{{\\footnotesize\\texttt{{{signature}}}}}"
    return f"{table}\n{latex_text(words['methods'])}\n{made}\n"


def _title(data: ReportData, words: Mapping[str, str]) -> str:
    """Name the systems, or count many."""
    n = len(data.systems)
    return " / ".join(data.systems) if n <= _FEW_NAMES else words["titleOfMany"].format(n=n)


def _affixes(data: ReportData, words: Mapping[str, str]) -> str:
    """Say what was taken off the names of the systems; "" if nothing was."""
    prefix, suffix = data.affixes
    return words["affixesOf"].format(name=f"{prefix}…{suffix}") if prefix or suffix else ""


def _stands_for_both(name: str, data: ReportData) -> bool:
    """Say whether a type is shown for rougeLsum too."""
    return name == "rougeL" and "rougeLsum" in data.settings.rouge_types and "rougeLsum" not in data.types


def _systems(names: Sequence[str], comparison: Comparison, words: Mapping[str, str]) -> str:
    """Join the names of systems; of many their letters in the table."""
    if len(names) <= _MOST_NAMED:
        return _listed(names, words)
    letters = words["listComma"].join(sorted(map(comparison.letter, names)))
    return words["lettersOf"].format(n=len(names), letters=letters)


def _listed(names: Sequence[str], words: Mapping[str, str]) -> str:
    """Join names: ``"A, B and C"``."""
    if len(names) < 2:
        return "".join(names)
    return _said(words, "and", first=words["listComma"].join(names[:-1]), last=names[-1])


def _said(words: Mapping[str, str], key: str, **values: str) -> str:
    """Fill values into a text; Chinese has no blank between its own characters."""

    def put(match: re.Match[str]) -> str:
        value = values[match[2]]
        ends = ((match[1], value[:1]), (match[3], value[-1:]))
        blank_before, blank_after = (
            "" if not words["sentenceGap"] and "一" <= end <= "鿿" else blank for blank, end in ends
        )
        return blank_before + value + blank_after

    return re.sub(r"( ?)\{(\w+)\}( ?)", put, words[key])


def _type_names(keys: Sequence[str], words: Mapping[str, str]) -> str:
    """Name types: ``"ROUGE-1 and ROUGE-L"``."""
    return _listed(list(map(type_name, keys)), words)


def _methods(data: ReportData, words: Mapping[str, str]) -> str:
    """Describe how the numbers were made, for a paper."""
    settings, comparison = data.settings, data.comparison
    values = {
        "types": _type_names(data.types, words),
        "version": VERSION,
        "scale": "" if settings.scale == 1 else words["methods_scale"].format(scale=f"{settings.scale:g}"),
        "n": f"{len(data.order):,}",
        "level": shown_level(settings.confidence or 0),
        "resamples": f"{settings.n_resamples:,}",
    }
    sentences = [words["methods_scores"].format(**values)]
    if settings.confidence is not None:
        sentences.append(words["methods_intervals"].format(**values))
    if comparison is not None:
        holm = words["methods_holm"] if len(comparison.systems) > 2 else ""
        sentences.append(words["methods_tests"].format(resamples=f"{comparison.n_resamples:,}", holm=holm))
    return words["sentenceGap"].join(sentences)


def board_rows(comparison: Comparison, data: ReportData) -> list[dict[str, Any]]:
    """Make the table of several systems: letter, name, and for each type mean, interval, and who is worse."""
    digits = digits_for(data.settings.scale)
    order = np.argsort(-comparison.means[:, 0], kind="stable").tolist()
    letters = [comparison.letter(comparison.systems[row]) for row in order]
    shown = np.vectorize(lambda mean: float(f"{mean:.{digits}f}"))(comparison.means)
    rows = []
    for row in order:
        name = comparison.systems[row]
        cells = [
            {
                "mean": shown_number(comparison.means[row, column], digits),
                "interval": shown_interval(comparison.low[row, column], comparison.high[row, column], digits),
                "better": "".join(sorted(comparison.superscript(name, key), key=letters.index)),
                "best": bool(shown[row, column] == shown[:, column].max()),
            }
            for column, key in enumerate(comparison.keys)
            if key in data.types
        ]
        rows.append({"letter": comparison.letter(name), "name": name, "number": row, "cells": cells})
    return rows


def _summary_rows(data: ReportData) -> list[dict[str, Any]]:
    """Make the table of precision and recall: the means of each type."""
    digits = digits_for(data.settings.scale)
    rows = []
    for name in data.types:
        keys = {"precision": f"{name}_precision", "recall": f"{name}_recall", "fmeasure": name}
        cells = [
            {measure: shown_number(result[key], digits) for measure, key in keys.items()}
            | {"interval": _interval(result, name, digits)}
            for result in data.results
        ]
        rows.append({"name": name, "systems": cells})
    return rows


def _difference_rows(comparison: Comparison, data: ReportData) -> list[dict[str, Any]]:
    """Make the table of pairs: by how much the first system is better, and how certain that is."""
    digits = digits_for(data.settings.scale)
    return [
        {
            "difference": shown_difference(pair.difference, digits),
            "interval": shown_interval_of_difference(pair.low, pair.high, digits),
            **{name: f"{n:,}" for name, n in outcomes_of(pair).items()},
            "key": pair.key,
            "pair": [comparison.systems.index(name) for name in (pair.first, pair.second)],
            "name": f"{pair.first} − {pair.second}",
            "significant": comparison.is_significant(pair),
            "p": comparison.shown_p(pair),
        }
        for pair in comparison.pairs
        if pair.key in data.types
    ]
