"""Show as HTML what two texts share: shared runs in colour, both texts aligned, the rest. All text is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from polyrouge.explaining.explanation import Explanation, Match
from polyrouge.explaining.token_places import PlacedText, PlacedToken
from polyrouge.page.texts import say

_HUES = 6
_MOST_SHOWN = 6_000  # characters of a text; the rest is scored too


class _Piece(NamedTuple):
    """Characters of a text that belong to one run."""

    start: int
    end: int
    run: int


def pair_html(explanation: Explanation, view: str, language: str) -> str:
    """A prediction and the reference that won under one type of the explanation."""
    match = explanation.types[view].match
    index = explanation.types[view].best_reference or 0
    prediction, reference = explanation.prediction, explanation.references[index]
    several = len(explanation.references) > 1
    title = say(language, "referenceOf", n=index + 1, of=len(explanation.references)) if several else None
    titles = say(language, "prediction"), title or say(language, "reference")
    sides = zip(
        titles, (prediction, reference), (match.prediction_tokens, match.reference_tokens), _runs(match), strict=True
    )
    parts = [_side(name, text.text, _pieces(text.text, tokens, runs), language) for name, text, tokens, runs in sides]
    parts = ['<div class="pr-texts">', *parts, "</div>"]
    if match.units is None:
        parts.append(f'<p class="pr-soft">{escape(say(language, "noUnits"))}</p>')
    lost = sum(token.start is None for token in (*match.prediction_tokens, *match.reference_tokens))
    if lost:
        parts.append(f'<p class="pr-soft">{escape(say(language, "lostTokens", n=lost))}</p>')
    if view == "rougeL" and match.units is not None:
        parts.append(_alignment(prediction, reference, match, language))
    if match.units is not None:
        missing, extra = _left_over("missing", match.missing, language), _left_over("extra", match.extra, language)
        parts.append(f'<div class="pr-left">{missing}{extra}</div>')
    parts.append(_tokens(zip(titles, (prediction, reference), strict=True), language))
    return f'<div class="pr-pair">{"".join(parts)}</div>'


def _runs(match: Match) -> tuple[dict[int, int], dict[int, int]]:
    """For each side the run of each matched token: neighbours in both texts are one run."""
    pairs = sorted(
        {pair for unit in match.units or () for pair in zip(unit.prediction, unit.reference, strict=True)},
        key=lambda pair: (pair[1], pair[0]),
    )
    runs: dict[tuple[int, int], int] = {}
    ours: dict[int, int] = {}
    theirs: dict[int, int] = {}
    count = 0
    for our, their in pairs:
        run = runs.get((our - 1, their - 1))
        if run is None:
            run, count = count, count + 1
        runs[our, their] = run
        ours.setdefault(our, run)
        theirs.setdefault(their, run)
    return ours, theirs


def _pieces(text: str, tokens: Sequence[PlacedToken], runs: dict[int, int]) -> list[_Piece]:
    """The characters to colour, in order; neighbours of one run are one piece, with the blanks between."""
    pieces: list[_Piece] = []
    last_token = -2
    for place, token in enumerate(tokens):
        run = runs.get(place)
        if run is None or token.start is None or token.end is None:
            continue
        last = pieces[-1] if pieces else None
        between = text[last.end : token.start] if last else "x"
        if last and last_token == place - 1 and last.run == run and not between.strip() and "\n" not in between:
            pieces[-1] = last._replace(end=max(last.end, token.end))
        else:
            pieces.append(_Piece(token.start, token.end, run))
        last_token = place
    ordered = []
    end = 0
    for piece in sorted(pieces):  # tokens of one character (by NFKC) overlap
        start = max(piece.start, end)
        end = max(piece.end, start)
        ordered.append(_Piece(start, end, piece.run))
    return ordered


def _side(title: str, text: str, pieces: Iterable[_Piece], language: str) -> str:
    shown = text[:_MOST_SHOWN]
    html = []
    cursor = 0
    for start, end, run in pieces:
        if start >= len(shown) or start == end:
            continue
        end = min(end, len(shown))
        html.append(f'{escape(shown[cursor:start])}<mark data-hue="{run % _HUES}">{escape(shown[start:end])}</mark>')
        cursor = end
    html.append(escape(shown[cursor:]))
    cut = ""
    if len(text) > len(shown):
        cut = f'<p class="pr-soft">{escape(say(language, "longText", n=_MOST_SHOWN))}</p>'
    body = f'<div class="pr-text" dir="auto">{"".join(html)}</div>{cut}'
    return f'<section class="pr-side"><h2>{escape(title)}</h2>{body}</section>'


def _alignment(prediction: PlacedText, reference: PlacedText, match: Match, language: str) -> str:
    """Reference above, prediction below, shared runs in one column; "" where their order differs in the two."""
    pairs = sorted((unit.reference[0], unit.prediction[0]) for unit in match.units or ())
    places = [(match.reference_tokens[their], match.prediction_tokens[our]) for their, our in pairs]
    is_forward = all(one[1] < two[1] and one[0] < two[0] for one, two in pairwise(pairs))
    is_placed = all(token.start is not None for both in places for token in both)
    if not pairs or not is_forward or not is_placed or max(len(prediction.text), len(reference.text)) > _MOST_SHOWN:
        return ""
    cells: list[str] = []

    def add(kind: str, above: str, below: str) -> None:
        if above.strip() or below.strip():
            theirs = f'<span class="pr-theirs">{escape(above.strip())}</span>'
            ours = f'<span class="pr-ours">{escape(below.strip())}</span>'
            cells.append(f'<span class="pr-{kind}">{theirs}{ours}</span>')

    our_end = their_end = place = 0
    while place < len(pairs):
        last = place
        while last + 1 < len(pairs) and pairs[last + 1] == (pairs[last][0] + 1, pairs[last][1] + 1):
            last += 1
        (their_start, our_start) = (token.start or 0 for token in places[place])
        add("gap", reference.text[their_end:their_start], prediction.text[our_end:our_start])
        (their_end, our_end) = (token.end or 0 for token in places[last])
        add("same", reference.text[their_start:their_end], prediction.text[our_start:our_end])
        place = last + 1
    add("gap", reference.text[their_end:], prediction.text[our_end:])
    title = escape(say(language, "aligned"))
    return f'<section><h2>{title}</h2><div class="pr-aligned" dir="auto">{"".join(cells)}</div></section>'


def _left_over(key: str, tokens: Iterable[str] | None, language: str) -> str:
    counts = Counter(tokens or ()).most_common(200)
    body = _chips(f"{escape(token)}{f' ×{n}' if n > 1 else ''}" for token, n in counts)
    nothing = f'<p class="pr-soft">{escape(say(language, "nothing"))}</p>'
    return f"<section><h2>{escape(say(language, key))}</h2>{body if counts else nothing}</section>"


def _tokens(texts: Iterable[tuple[str, PlacedText]], language: str) -> str:
    """The tokens of texts with their titles, hidden until they are opened."""
    lists = "".join(
        f"<h3>{escape(title)} ({len(text.tokens):,})</h3>"
        + _chips(escape(token.token) or "&nbsp;" for token in text.tokens[:2_000])
        for title, text in texts
    )
    return f'<details class="pr-tokens"><summary>{escape(say(language, "tokens"))}</summary>{lists}</details>'


def _chips(items: Iterable[str]) -> str:
    return f'<ul class="pr-chips" dir="auto">{"".join(f"<li>{each}</li>" for each in items)}</ul>'
