"""Render texts with coloured hits as HTML, without script or request; for notebooks."""

import math
from collections.abc import Iterable
from html import escape
from typing import Any

# A half transparent background suits light and dark notebooks.
_MARK = "background:rgba(46,160,67,.32);color:inherit;border-radius:3px;padding:0 1px"
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.7;margin:2px 0 8px"
_NAME = "font-size:85%;opacity:.75"


def marked_html(text: str, pieces: Iterable[tuple[int, int, str]]) -> str:
    """Wrap pieces (start, end, attributes) of a text, in order, in ``<mark>``; all text is escaped."""
    parts = []
    cursor = 0
    written = escape if escape(text) != text else str  # there may be thousands of pieces, and most texts need no escape
    for start, end, attributes in pieces:
        parts += [written(text[cursor:start]), f"<mark {attributes}>{written(text[start:end])}</mark>"]
        cursor = end
    return "".join([*parts, written(text[cursor:])])


def explanation_html(explanation: Any) -> str:
    """Render an ``Explanation``: the scores as a table, and for each type the two texts, all but the first folded."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        + "".join(f"<td>{_number(value)}</td>" for value in (shown.precision, shown.recall, shown.fmeasure))
        + f"<td>{' / '.join(f'{count:g}' for count in shown.counts) if shown.counts else '-'}</td></tr>"
        for name, shown in explanation.types.items()
    )
    sections = []
    n = len(explanation.references)
    for name, shown in explanation.types.items():
        pairs = ""
        indexes = range(n) if shown.combination else [shown.best_reference or 0]
        for index in indexes:
            reference = f"reference {index + 1} of {n}" if n > 1 else "reference"
            pairs += _side("prediction", explanation.prediction.text, shown.matches[index], "prediction")
            pairs += _side(reference, explanation.references[index].text, shown.matches[index], "reference")
        how = f" ({shown.combination} of {n} references)" if shown.combination else ""
        summary = f"<summary>{escape(name)}{how}</summary>"
        sections.append(f"<details{'' if sections else ' open'}>{summary}{pairs}</details>")
    return (
        "<div class='polyrouge-explanation'><table><thead><tr><th></th><th>precision</th><th>recall</th><th>F</th>"
        f"<th>hits / prediction / reference</th></tr></thead><tbody>{rows}</tbody></table>{''.join(sections)}"
        f"<div style='{_NAME};overflow-wrap:anywhere'>{escape(explanation.signature)}</div></div>"
    )


def _side(title: str, text: str, match: Any, side: str) -> str:
    """Render one text, with a note if its hits can't be shown."""
    spans = getattr(match, f"{side}_spans")
    lost = sum(token.start is None for token in getattr(match, f"{side}_tokens"))
    note = f"<div style='{_NAME}'>{lost} tokens are not in the text as they are compared.</div>" if lost else ""
    if spans is None:
        note = f"<div style='{_NAME}'>This convention counts in a way that has no hits to show.</div>"
    merged: list[list[int]] = []
    for start, end in sorted(spans or []):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(end, merged[-1][1])
        else:
            merged.append([start, end])
    marked = marked_html(text, ((start, end, f'style="{_MARK}"') for start, end in merged))
    return f"<div style='{_NAME}'>{title}</div><div dir='auto' style='{_TEXT}'>{marked}</div>{note}"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4g}"
