"""Show as HTML what a text shares with each reference: runs in one tint, and what is unmatched. All is escaped."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from polyrouge.explaining.explanation import Explanation, Match, PlacedText, PlacedToken
from polyrouge.explaining.html import marked_html
from polyrouge.page.wording import fold_html, say, say_html, soft_html
from polyrouge.results import shown_number

# Characters of a text, and of all references together: the rest is scored too. Each may be a mark, once a type.
_MOST_SHOWN, _MOST_OF_REFERENCES = 6_000, 20_000
_MOST_UNMATCHED = 40
_NO_BREAK_SPACE = "\u00a0"  # of an empty token


def pair_html(explanation: Explanation, scores: Mapping[str, float], names: Iterable[str], language: str) -> str:
    """Return the prediction beside each reference under each type; ``page.js`` shows one type.

    The scores are those that stand beside, by the keys of ``compute``.
    """
    hidden, views = "", ""
    for name in names:
        views += f'<div data-view="{escape(name)}"{hidden}>{_view(explanation, scores, name, language)}</div>'
        hidden = " hidden"
    texts = {say(language, "prediction"): explanation.prediction}
    texts |= {_title(explanation, index, language): reference for index, reference in enumerate(explanation.references)}
    lists = "".join(
        f"<h3>{escape(title)} ({len(text.tokens):,})</h3>{_words(token.token for token in text.tokens)}"
        for title, text in texts.items()
    )
    return f'<div class="pr-pair">{views}{fold_html(language, "tokens", lists)}</div>'


def counts_words(counts: Iterable[float]) -> str:
    """Show hits and totals."""
    return " / ".join(f"{count:g}" for count in counts)


def _title(explanation: Explanation, index: int, language: str) -> str:
    n = len(explanation.references)
    return say(language, "referenceOf", n=index + 1, of=n) if n > 1 else say(language, "reference")


def _view(explanation: Explanation, scores: Mapping[str, float], name: str, language: str) -> str:
    """Return the texts under one type: of several references a tab each, with what the score has of them."""
    explained, n = explanation.types[name], len(explanation.references)
    if n == 1:
        return _pair(explanation, explained.matches[0], 0, language)
    shown_f = shown_number(explained.fmeasure, 2)
    has_f = shown_f == shown_number(scores[name], 2)  # some tools' means have another F, or recall in its place
    tabs = ""
    for index, match in enumerate(explained.matches):
        is_best = index == explained.best_reference
        checked = " checked" if index == (explained.best_reference or 0) else ""
        f = f" · F {shown_number(match.fmeasure, 2)}" if has_f else ""
        title = _title(explanation, index, language) + f + (" ★" if is_best else "")
        tabs += f'<label><input type="radio" name="pr-{escape(name)}"{checked}>{escape(title)}</label>'
        counts = counts_words((match.hits, match.prediction_total, match.reference_total))
        pair = _pair(explanation, match, index, language)
        tabs += f"<div>{soft_html(language, 'hitsOfReference', counts=counts)}{pair}</div>"
    how = "bestHelp" if explained.combination is None else f"combined_{explained.combination}"
    group = f'role="group" aria-label="{say_html(language, "references")}"'
    return f'{soft_html(language, how)}<div class="pr-tabs" {group}>{tabs}</div>'


def _pair(explanation: Explanation, match: Match, index: int, language: str) -> str:
    """Return the prediction and one reference with their hits."""
    titles = say(language, "prediction"), _title(explanation, index, language)
    texts = explanation.prediction, explanation.references[index]
    tokens, unmatched = (match.prediction_tokens, match.reference_tokens), (match.extra, match.missing)
    most = min(_MOST_SHOWN, _MOST_OF_REFERENCES // len(explanation.references))
    sides = zip(titles, texts, tokens, _runs(match), unmatched, strict=True)
    html = f'<div class="pr-texts">{"".join(_side(*side, most, language) for side in sides)}</div>'
    if match.units is None:
        html += soft_html(language, "noUnits")
    if lost := sum([token.start for token in of_side].count(None) for of_side in tokens):
        html += soft_html(language, "lostTokens", n=lost)
    return html


def _runs(match: Match) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each side the run of each token, -1 of one that is part of no hit: neighbours in both texts are one run."""
    n_prediction, n_reference = len(match.prediction_tokens), len(match.reference_tokens)
    of_prediction, of_reference = (
        np.fromiter(chain.from_iterable(map(attrgetter(side), match.units or ())), np.int64)
        for side in ("prediction", "reference")
    )
    reference, prediction = np.divmod(np.unique(of_reference * n_prediction + of_prediction), max(1, n_prediction))
    shift = reference - prediction
    order = np.lexsort((reference, shift))  # the tokens of a run follow one another
    begins = (np.diff(shift[order], prepend=n_reference) != 0) | (np.diff(reference[order], prepend=-2) != 1)
    runs = np.empty_like(order)
    runs[order] = np.cumsum(begins)
    prediction_runs, reference_runs = np.full(n_prediction, -1), np.full(n_reference, -1)
    prediction_runs[prediction[::-1]] = runs[::-1]  # of a token with several, that of the first pair
    reference_runs[reference[::-1]] = runs[::-1]
    return prediction_runs, reference_runs


def _side(
    title: str,
    placed: PlacedText,
    tokens: Sequence[PlacedToken],
    token_runs: NDArray[np.int64],
    unmatched: Sequence[str] | None,
    most: int,
    language: str,
) -> str:
    """Return the beginning of a text with its runs marked, neighbours as one piece; below it all unmatched tokens."""
    text = placed.text
    pieces: list[tuple[int, int, int]] = []  # start, end, run
    last_position = -2
    token_starts = np.array([token.start for token in tokens], float)  # NaN: it has lost its place
    positions = np.flatnonzero((token_runs >= 0) & (token_starts < most))
    for position, run in zip(positions.tolist(), token_runs[positions].tolist(), strict=True):
        token_start, token_end = int(token_starts[position]), tokens[position].end or 0
        start, end, last_run = pieces[-1] if pieces else (0, 0, None)
        between = text[end:token_start]
        if last_position == position - 1 and last_run == run and not between.strip() and "\n" not in between:
            pieces[-1] = start, max(end, token_end), run
        else:
            pieces.append((token_start, token_end, run))
        last_position = position
    marks = []
    cursor = 0
    for start, end, run in sorted(pieces):
        start, end = max(start, cursor), min(end, most)  # tokens of one character (by NFKC) overlap
        if start < end:
            marks.append((start, end, f'data-run="{run}"'))
            cursor = end
    body = f'<div class="pr-text" dir="auto">{marked_html(text[:most], marks)}</div>'
    if len(text) > most:
        body += soft_html(language, "longText", n=most)
    if unmatched:
        counts = Counter(unmatched)
        shown = [f"{token} ×{n}" if n > 1 else token for token, n in counts.most_common(_MOST_UNMATCHED)]
        shown += [say(language, "andMore", n=len(counts) - len(shown))] if len(counts) > len(shown) else []
        body += f'<p class="pr-soft">{say_html(language, "unmatched", n=len(unmatched))}{_words(shown)}</p>'
    return f'<section class="pr-side"><h2>{escape(title)}</h2>{body}</section>'


def _words(words: Iterable[str]) -> str:
    return f'<span class="pr-tokens" dir="auto">{escape(" · ".join(word or _NO_BREAK_SPACE for word in words))}</span>'
