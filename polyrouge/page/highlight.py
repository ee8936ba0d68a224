"""Show as HTML what two texts share: shared runs in colour, both texts aligned, the rest. All text is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise

from polyrouge.explaining.explanation import Explanation, Match
from polyrouge.explaining.html import marked_html
from polyrouge.explaining.token_offsets import PlacedText, PlacedToken
from polyrouge.page.wording import say, say_html, soft_html

_HUES = 6
_MOST_SHOWN = 6_000  # characters of a text; the rest is scored too


def pair_html(explanation: Explanation, view: str, language: str) -> str:
    """A prediction and the reference that won under one type of the explanation."""
    match, index = explanation.types[view].match, explanation.types[view].best_reference or 0
    prediction, reference = explanation.prediction, explanation.references[index]
    n = len(explanation.references)
    title = say(language, "referenceOf", n=index + 1, of=n) if n > 1 else say(language, "reference")
    texts = {say(language, "prediction"): prediction, title: reference}
    tokens = match.prediction_tokens, match.reference_tokens
    sides = zip(texts.items(), tokens, _runs(match), strict=True)
    marked = (_side(name, text.text, placed, runs, language) for (name, text), placed, runs in sides)
    parts = ['<div class="pr-texts">', *marked, "</div>"]
    if match.units is None:
        parts.append(soft_html(language, "noUnits"))
    if lost := sum(token.start is None for of_side in tokens for token in of_side):
        parts.append(soft_html(language, "lostTokens", n=lost))
    if match.units is not None:
        if view == "rougeL":
            parts.append(_alignment(prediction, reference, match, language))
        missing, extra = _left_over("missing", match.missing, language), _left_over("extra", match.extra, language)
        parts.append(f'<div class="pr-left">{missing}{extra}</div>')
    lists = "".join(
        f"<h3>{escape(name)} ({len(text.tokens):,})</h3>"
        + _chips(escape(token.token) or "&nbsp;" for token in text.tokens[:2_000])
        for name, text in texts.items()
    )
    parts.append(f'<details class="pr-tokens"><summary>{say_html(language, "tokens")}</summary>{lists}</details>')
    return f'<div class="pr-pair">{"".join(parts)}</div>'


def _runs(match: Match) -> tuple[dict[int, int], dict[int, int]]:
    """For each side the run of each matched token: neighbours in both texts are one run."""
    pairs = sorted({pair for unit in match.units or () for pair in zip(unit.reference, unit.prediction, strict=True)})
    runs: dict[tuple[int, int], int] = {}
    ours: dict[int, int] = {}
    theirs: dict[int, int] = {}
    n_runs = 0
    for their, our in pairs:
        run = runs.get((their - 1, our - 1), n_runs)
        n_runs = max(n_runs, run + 1)
        runs[their, our] = run
        ours.setdefault(our, run)
        theirs.setdefault(their, run)
    return ours, theirs


def _side(title: str, text: str, tokens: Sequence[PlacedToken], runs: dict[int, int], language: str) -> str:
    """A text with its runs in colour; neighbours of one run are one piece, with the blanks between."""
    pieces: list[tuple[int, int, int]] = []  # start, end, run
    last_token = -2
    for place, token in enumerate(tokens):
        run = runs.get(place)
        if run is None or token.start is None or token.end is None:
            continue
        start, end, last_run = pieces[-1] if pieces else (0, 0, None)
        between = text[end : token.start]
        if last_token == place - 1 and last_run == run and not between.strip() and "\n" not in between:
            pieces[-1] = start, max(end, token.end), run
        else:
            pieces.append((token.start, token.end, run))
        last_token = place
    marks = []
    cursor = 0
    for start, end, run in sorted(pieces):
        start, end = max(start, cursor), min(end, _MOST_SHOWN)  # tokens of one character (by NFKC) overlap
        if start < end:
            marks.append((start, end, f'data-hue="{run % _HUES}"'))
            cursor = end
    cut = soft_html(language, "longText", n=_MOST_SHOWN) if len(text) > _MOST_SHOWN else ""
    body = f'<div class="pr-text" dir="auto">{marked_html(text[:_MOST_SHOWN], marks)}</div>{cut}'
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
    body = f'<div class="pr-aligned" dir="auto">{"".join(cells)}</div>'
    return f"<section><h2>{say_html(language, 'aligned')}</h2>{body}</section>"


def _left_over(key: str, tokens: Iterable[str] | None, language: str) -> str:
    counts = Counter(tokens or ()).most_common(200)
    chips = _chips(f"{escape(token)}{f' ×{n}' if n > 1 else ''}" for token, n in counts)
    return f"<section><h2>{say_html(language, key)}</h2>{chips if counts else soft_html(language, 'nothing')}</section>"


def _chips(items: Iterable[str]) -> str:
    return f'<ul class="pr-chips" dir="auto">{"".join(f"<li>{each}</li>" for each in items)}</ul>'
