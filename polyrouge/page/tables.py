"""The page's tables and charts, as HTML. All text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from polyrouge.comparing.conventions import ConventionRow, shown_score
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.page.scoring import ScoredPair
from polyrouge.page.texts import PageError, say, say_error, say_metric_words, say_note
from polyrouge.tables.scores import shown_number

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
