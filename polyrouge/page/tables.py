"""The page's tables and charts, as HTML. All text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from polyrouge.comparing.comparison import Comparison, shown_difference
from polyrouge.comparing.conventions import ConventionRow, shown_score
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.inputs import EmptyTexts
from polyrouge.page.scoring import ScoredPair
from polyrouge.page.texts import PageError, say, say_error, say_metric_words, say_note
from polyrouge.tables.scores import shown_number

_BINS = 20
_SCORES = "pr-table pr-scores"


def notes_html(notes: Iterable[str], language: str) -> str:
    """The metric's warnings."""
    items = "".join(f"<li>{escape(say_note(language, note))}</li>" for note in notes)
    if not items:
        return ""
    title = escape(say(language, "noteTitle"))
    return f'<div class="pr-note" role="status"><strong>{title}</strong><ul>{items}</ul></div>'


def message_html(error: Exception | str, language: str) -> str:
    """Why something was not done: a sentence of the page or of the metric; of an unexpected error only its kind."""
    if isinstance(error, PageError):
        text = error.sentence(language)
    elif isinstance(error, (ValueError, TypeError, ModuleNotFoundError, FileNotFoundError)):
        text = say_error(language, str(error))
    elif isinstance(error, str):
        text = error
    else:
        text = say(language, "unexpected", kind=type(error).__name__)
    title = escape(say(language, "errorTitle"))
    return f'<div class="pr-error" role="alert"><strong>{title}</strong> {escape(text)}</div>'


def scores_html(pair: ScoredPair, language: str) -> str:
    """Precision, recall and F of each type with bars, the counts, and which reference won."""
    digits = 2 if pair.scale >= 10 else 4
    several = len(pair.explanation.references) > 1
    head = escape(say(language, "hits"))
    rows = []
    for name, found in pair.explanation.types.items():
        values = [pair.scores[f"{name}_precision"], pair.scores[f"{name}_recall"], pair.scores[name]]
        match = found.match
        won = ""
        if several and found.best_reference is not None:
            won = f'<div class="pr-soft">{escape(say(language, "ofReference", n=found.best_reference + 1))}</div>'
        counts = f"{match.hits:g} / {match.prediction_total:g} / {match.reference_total:g}"
        rows.append(_score_row(name, values, digits, pair.scale, f'<td data-label="{head}">{counts}{won}</td>'))
    if "weighted" in pair.scores:
        values = [pair.scores[key] for key in ("weighted_precision", "weighted_recall", "weighted")]
        rows.append(_score_row(say(language, "weighted"), values, digits, pair.scale, ""))
    return _table([*_measure_heads(language), say(language, "hits")], rows, say(language, "scores"), _SCORES)


def means_html(
    results: Mapping[str, Mapping[str, float]],
    types: Sequence[str],
    scale: float,
    n_rows: int,
    empty_texts: EmptyTexts,
    language: str,
) -> str:
    """The means of each system with the interval of F.

    Args:
        results: by the system's name what ``Rouge.compute`` gives, with ``output="all"`` and ``confidence``.
        types: to show.
        scale: of the scores.
        n_rows: scored.
        empty_texts: how many of the texts are empty, of each system and of the references.
        language: of the words.
    """
    digits = 2 if scale >= 10 else 4
    head = escape(say(language, "interval"))
    tables = []
    for (name, result), n_empty in zip(results.items(), empty_texts.predictions, strict=True):
        rows = []
        for each in types:
            values = [result[f"{each}_precision"], result[f"{each}_recall"], result[each]]
            rows.append(
                _score_row(
                    each, values, digits, scale, f'<td data-label="{head}">{_interval(result, each, digits)}</td>'
                )
            )
        counts = {"rows": n_rows, "predictions": n_empty, "references": empty_texts.references}
        title = say(language, "summary", name=name, **counts)
        tables.append(_table([*_measure_heads(language), say(language, "interval")], rows, title, _SCORES))
    return "".join(tables)


def comparison_html(found: Comparison, scale: float, language: str) -> str:
    """The paired differences of two systems, first minus second."""
    digits = 2 if scale >= 10 else 4
    rows = []
    for pair in found.pairs:
        sign = "pr-up" if pair.difference > 0 else "pr-down" if pair.difference < 0 else ""
        strong = ("<strong>", "</strong>") if found.is_significant(pair) else ("", "")
        rows.append(
            f'<tr><th scope="row">{escape(pair.key)}</th>'
            f'<td class="{sign}">{strong[0]}{shown_difference(pair.difference, digits)}{strong[1]}</td>'
            f"<td>{shown_difference(pair.low, digits)} … {shown_difference(pair.high, digits)}</td>"
            f"<td>{escape(found.shown_p(pair))}</td>"
            f"<td>{pair.wins:,} / {pair.ties:,} / {pair.losses:,}</td></tr>"
        )
    keys = ("type", "difference", "differenceInterval", "pValue", "outcomes")
    first, second = found.systems
    title = say(language, "systemsTitle", first=first, second=second)
    rule = f'<p class="pr-soft">{escape(say(language, "signRule", first=first))}</p>'
    return _table([say(language, key) for key in keys], rows, title) + rule


def distribution_html(scores: NDArray[np.float64], scale: float, name: str, language: str) -> str:
    """A histogram of one type's F over the samples, with the mean.

    Args:
        scores: float64[n_rows], times ``scale``; NaN is left out.
        scale: the highest usual score.
        name: of the type.
        language: of the words.
    """
    scores = scores[~np.isnan(scores)]
    top = max(scale, float(scores.max(initial=0)))
    counts, edges = np.histogram(scores, bins=_BINS, range=(0, top))
    most = max(1, int(counts.max()))
    digits = 0 if scale >= 10 else 2
    bars = []
    for n, low, high in zip(counts.tolist(), edges.tolist(), edges.tolist()[1:], strict=False):
        label = say(language, "distributionBar", low=f"{low:.{digits}f}", high=f"{high:.{digits}f}", n=n)
        bars.append(
            f'<li title="{escape(label)}"><span class="pr-hidden">{escape(label)}</span>'
            f'<span class="pr-column" style="height:{100 * n / most:.1f}%"></span></li>'
        )
    mean = float(scores.mean()) if len(scores) else 0.0
    shown = say(language, "mean", value=shown_number(mean, 2 if scale >= 10 else 4))
    axis = "".join(f"<span>{top * part / 4:.{digits}f}</span>" for part in range(5))
    counts_axis = f"<span>{most:,}</span><span>{escape(say(language, 'chartSamples'))}</span><span>0</span>"
    return (
        f'<figure class="pr-chart"><figcaption>{escape(say(language, "distribution"))}: {escape(name)}, {escape(shown)}'
        f'</figcaption><div class="pr-plot"><div class="pr-counts" aria-hidden="true">{counts_axis}</div>'
        f'<div class="pr-bars"><ol class="pr-columns">{"".join(bars)}</ol>'
        f'<span class="pr-mean" style="inset-inline-start:{100 * mean / top:.2f}%"></span></div></div>'
        f'<div class="pr-axis" aria-hidden="true">{axis}</div></figure>'
    )


def conventions_html(rows: Sequence[tuple[ConventionRow, str]], language: str) -> str:
    """Every convention's scores, and what it does differently from the first, in words."""
    heads = [say(language, "convention"), "ROUGE-1", "ROUGE-2", "ROUGE-L"]
    heads += [say(language, "differs", name=rows[0][0].name), say(language, "usedBy")]
    body = []
    for row, refusal in rows:
        if row.missing is not None:
            words = escape(say(language, "notComputed", reason=say_error(language, row.missing)))
        else:
            differences = [say_metric_words(language, "differences", each) for each in row.differences]
            words = "<br>".join(map(escape, differences)) or escape(say(language, "sameAs"))
        if refusal:
            words += f"<br><strong>{escape(say(language, 'refuses', reason=refusal))}</strong>"
        cells = "".join(
            f'<td data-label="{head}">{shown_score(score)}</td>'
            for head, score in zip(heads[1:4], row.scores.values(), strict=True)
        )
        used_by = say_metric_words(language, "usedBy", CONVENTIONS[row.name].used_by)
        body.append(
            f'<tr><th scope="row"><code>{escape(row.name)}</code></th>{cells}'
            f'<td class="pr-words">{words}</td><td class="pr-words">{escape(used_by)}</td></tr>'
        )
    return _table(heads, body, say(language, "tabConventions"), kind="pr-table pr-stacked")


def _interval(result: Mapping[str, float], name: str, digits: int) -> str:
    if f"{name}_low" not in result:
        return "–"
    return f"{shown_number(result[f'{name}_low'], digits)} – {shown_number(result[f'{name}_high'], digits)}"


def _measure_heads(language: str) -> list[str]:
    return [say(language, "type"), say(language, "precision"), say(language, "recall"), "F"]


def _score_row(name: str, values: Sequence[float], digits: int, scale: float, more: str) -> str:
    """Three measures with a bar each; F in bold. ``more`` is HTML."""
    cells = []
    for place, value in enumerate(values):
        shown = "–" if math.isnan(value) else shown_number(value, digits)
        width = 0 if math.isnan(value) else 100 * min(1.0, max(0.0, value / scale))
        text = f"<strong>{shown}</strong>" if place == 2 else shown
        cells.append(
            f'<td class="pr-measure">{text}<span class="pr-bar"><span style="width:{width:.1f}%"></span></span></td>'
        )
    return f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}{more}</tr>'


def _table(heads: Sequence[str], rows: Sequence[str], title: str, kind: str = "pr-table") -> str:
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return (
        f'<div class="pr-wide" tabindex="0" role="region" aria-label="{escape(title)}"><table class="{kind}">'
        f"<caption>{escape(title)}</caption><thead><tr>{columns}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )
