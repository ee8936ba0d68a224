"""Show as HTML what a text shares with each reference: runs in one tint, and what is unmatched. All is escaped."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

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
    shown = [_shown_tokens(of_side, most) for of_side in tokens]
    sides = zip(titles, texts, shown, _runs(match, *map(len, shown)), unmatched, strict=True)
    html = f'<div class="pr-texts">{"".join(_side(*side, most, language) for side in sides)}</div>'
    if match.units is None:
        html += soft_html(language, "noUnits")
    if lost := sum(token.start is None for of_side in tokens for token in of_side):
        html += soft_html(language, "lostTokens", n=lost)
    return html


def _shown_tokens(tokens: Sequence[PlacedToken], most: int) -> Sequence[PlacedToken]:
    """Return the tokens up to the last that begins within the first characters."""
    last = max(
        (index for index, token in enumerate(tokens) if token.start is not None and token.start < most), default=-1
    )
    return tokens[: last + 1]


def _runs(match: Match, n_prediction: int, n_reference: int) -> tuple[dict[int, int], dict[int, int]]:
    """For each side the run of each matched token: neighbours in both texts are one run.

    Pairs of tokens beyond the first ones of both sides are left out.
    """
    pairs = sorted(
        {
            pair
            for unit in match.units or ()
            for pair in zip(unit.reference, unit.prediction, strict=True)
            if pair[0] < n_reference or pair[1] < n_prediction
        }
    )
    runs: dict[tuple[int, int], int] = {}
    prediction_runs: dict[int, int] = {}
    reference_runs: dict[int, int] = {}
    n_runs = 0
    for reference_token, prediction_token in pairs:
        run = runs.get((reference_token - 1, prediction_token - 1), n_runs)
        n_runs = max(n_runs, run + 1)
        runs[reference_token, prediction_token] = run
        prediction_runs.setdefault(prediction_token, run)
        reference_runs.setdefault(reference_token, run)
    return prediction_runs, reference_runs


def _side(
    title: str,
    placed: PlacedText,
    tokens: Sequence[PlacedToken],
    runs: dict[int, int],
    unmatched: Sequence[str] | None,
    most: int,
    language: str,
) -> str:
    """Return the beginning of a text with its runs marked, neighbours as one piece; below it all unmatched tokens."""
    text = placed.text
    pieces: list[tuple[int, int, int]] = []  # start, end, run
    last_token = -2
    for position, token in enumerate(tokens):
        run = runs.get(position)
        if run is None or token.start is None or token.end is None or token.start >= most:
            continue
        start, end, last_run = pieces[-1] if pieces else (0, 0, None)
        between = text[end : token.start]
        if last_token == position - 1 and last_run == run and not between.strip() and "\n" not in between:
            pieces[-1] = start, max(end, token.end), run
        else:
            pieces.append((token.start, token.end, run))
        last_token = position
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
