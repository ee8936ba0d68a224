"""Score what a visitor typed, and show scores as HTML tables, with what they mean. All text is escaped."""

from __future__ import annotations

import functools
import math
import re
import time
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from polyrouge.comparing.convention_table import ConventionRow, compare_conventions, shown_score
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.errors import hearing_warnings
from polyrouge.explaining.explanation import Explanation
from polyrouge.metric import Rouge
from polyrouge.page.choices import Choice
from polyrouge.page.limits import LIMITS, check_pair
from polyrouge.page.wording import PageError, document_address, say, say_html, say_metric_words, say_note, soft_html
from polyrouge.recipes.loading import load_recipe, recipe_names
from polyrouge.recipes.recipe import SCORE_COLUMNS, Recipe
from polyrouge.tables.score_tables import shown_number

VIEWS = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum")
_COMPARED = ("rouge1", "rouge2", "rougeL")
_KINDS = ("cnn_dailymail", "xsum", "samsum", "gigaword", "lcsts", "csl")  # recipes, each for a kind of text
# Errors whose own words a visitor may read, in English: they say what the metric refuses.
REFUSALS = (ValueError, TypeError, ModuleNotFoundError, FileNotFoundError)
_MEASURES = ("precision", "recall", "fmeasure")


class ScoredPair(NamedTuple):
    """One scored sample, with Python that gives the same scores."""

    scores: dict[str, float]
    explanation: Explanation
    signature: str
    python: str
    notes: list[str]
    scale: float


def split_references(text: str) -> list[str]:
    """The references of a text box: separated by lines of three dashes or more; blank ones are none."""
    parts = re.split(r"^[ \t]*-{3,}[ \t]*$", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    return [part.strip("\n") for part in parts if part.strip()]


def score_pair(prediction: str, references: list[str], choice: Choice, language: str = "en") -> ScoredPair:
    """Score what was typed; raises a ``PageError`` of a limit, and what the metric raises."""
    check_pair(prediction, references, language)
    rouge = choice.rouge()
    with hearing_warnings() as warnings:
        scores = rouge.compute([prediction], [references])
        explanation = rouge.explain(prediction, references)
    python, notes = choice.python([prediction], [references]), list(dict.fromkeys(warnings))
    return ScoredPair(scores, explanation, rouge.signature(), python, notes, rouge.settings.scale)


def explain_view(rouge: Rouge, prediction: str, references: list[str], view: str) -> Explanation:
    """What one type finds in a sample; the choice need not have this type."""
    with hearing_warnings():
        return rouge.explain(prediction, references, rouge_types=(view,), weights=None)


def compare_all(prediction: str, references: list[str], language: str = "en") -> list[tuple[ConventionRow, str]]:
    """For each convention a row of the table, and why its tool refuses the texts, or "". The first is ``default``.

    Raises a ``PageError`` of a limit, and ``ValueError`` where the texts can't be scored at all.
    """
    check_pair(prediction, references, language)
    columns = [prediction], [references]
    end = time.monotonic() + LIMITS.seconds
    rows = []
    with hearing_warnings():
        compare_conventions(*columns, ["default"], rouge_types=_COMPARED)
        for name, convention in CONVENTIONS.items():
            if time.monotonic() > end:
                raise PageError("limitTime", most=LIMITS.seconds)
            row, refusal = ConventionRow(name, dict.fromkeys(_COMPARED), (), convention.settings.signature()), ""
            try:
                row = compare_conventions(*columns, ["default", name], rouge_types=_COMPARED).rows[-1]
                if row.missing is None and convention.settings.tool.refuses:
                    Rouge(name, on_error="raise").compute(*columns)
            except (ValueError, RecursionError) as error:  # what the tool itself would say instead of a score
                refusal = str(error)
            rows.append((row, refusal))
    return rows


# Messages


def notes_html(notes: Iterable[str], language: str) -> str:
    """The metric's warnings."""
    items = "".join(f"<li>{escape(say_note(language, note))}</li>" for note in notes)
    title = f"<strong>{say_html(language, 'noteTitle')}</strong>"
    return f'<div class="pr-note" role="status">{title}<ul>{items}</ul></div>' if items else ""


def message_html(error: Exception, language: str) -> str:
    """Why something was not done, in the words of the page; in English what the metric says; else only the kind."""
    if isinstance(error, PageError):
        text = escape(error.sentence(language))
    elif isinstance(error, REFUSALS):
        text = f'<span lang="en">{escape(str(error))}</span>'
    else:
        text = say_html(language, "unexpected", kind=type(error).__name__)
    return f'<div class="pr-error" role="alert"><strong>{say_html(language, "errorTitle")}</strong> {text}</div>'


# Tables


def scores_html(pair: ScoredPair, language: str) -> str:
    """Precision, recall and F of each type with bars, the counts, and which reference won."""
    several = len(pair.explanation.references) > 1
    heads = [*(say(language, key) for key in ("type", "precision", "recall")), "F", say(language, "hits")]
    rows = []
    for name, each in pair.explanation.types.items():
        cell = f"{each.match.hits:g} / {each.match.prediction_total:g} / {each.match.reference_total:g}"
        if several and each.best_reference is not None:
            cell += f'<div class="pr-soft">{say_html(language, "ofReference", n=each.best_reference + 1)}</div>'
        rows.append(_score_row(name, name, pair) + f'<td data-label="{escape(heads[-1])}">{cell}</td>')
    if "weighted" in pair.scores:
        rows.append(_score_row(say(language, "weighted"), "weighted", pair))
    return _table(say(language, "scores"), heads, rows, kind="pr-table pr-scores")


def conventions_html(rows: Sequence[tuple[ConventionRow, str]], language: str) -> str:
    """Every convention's scores, and what it does differently from the first, in words."""
    heads = [say(language, "convention"), "ROUGE-1", "ROUGE-2", "ROUGE-L"]
    heads += [say(language, "differs", name=rows[0][0].name), say(language, "usedBy")]
    body = []
    for row, refusal in rows:
        if row.missing is not None:
            words = say_html(language, "notComputed", reason=row.missing)
        else:
            differences = [say_metric_words(language, "differences", each) for each in row.differences]
            words = "<br>".join(map(escape, differences)) or say_html(language, "sameAs")
        if refusal:
            words += f"<br><strong>{say_html(language, 'refuses', reason=refusal)}</strong>"
        cells = "".join(
            f'<td data-label="{head}">{shown_score(score)}</td>'
            for head, score in zip(heads[1:4], row.scores.values(), strict=True)
        )
        used_by = say_metric_words(language, "usedBy", CONVENTIONS[row.name].used_by)
        body.append(
            f'<th scope="row"><code>{escape(row.name)}</code></th>{cells}'
            f'<td class="pr-words">{words}</td><td class="pr-words">{escape(used_by)}</td>'
        )
    return _table(say(language, "tabConventions"), heads, body, kind="pr-table pr-stacked")


def meanings_html(types: Sequence[str], language: str) -> str:
    """A sentence on each measure and type, and the usual values, folded up until they are opened."""
    named = [(say(language, f"mean_{name}_name"), say(language, f"mean_{name}")) for name in _MEASURES]
    named += [(name, say(language, f"mean_{_kind(name)}", n=name.removeprefix("rouge"))) for name in types]
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in named)
    folded = f"<summary>{say_html(language, 'meanings')}</summary><dl>{items}</dl>{_usual_values(language)}"
    return f'<details class="pr-meanings">{folded}</details>'


def _kind(name: str) -> str:
    """The key of a type's sentence: ``rougeN`` for 3-grams, ``rougeSU`` for rougeSU4."""
    kind = name.rstrip("0123456789")
    return name if kind == "rouge" and name in ("rouge1", "rouge2") else "rougeN" if kind == "rouge" else kind


@functools.cache
def _usual_values(language: str) -> str:
    """A table of the scores that published systems have on some benchmarks, times 100."""
    columns = ("rouge1", "rouge2", "rougeL", "rougeLsum")
    rows = []
    for name in _KINDS:
        cells = "".join(f"<td>{published_range(load_recipe(name), column)}</td>" for column in columns)
        rows.append(f'<th scope="row">{say_html(language, f"kind_{name}")}</th>{cells}')
    table = _table(say(language, "usualValues"), [say(language, "kindOfText"), *columns], rows)
    return table + soft_html(language, "usualNote")


def published_range(recipe: Recipe, column: str) -> str:
    """The lowest and the highest score that the recipe's published systems have, baselines left out."""
    scores = [getattr(row, column) for row in recipe.published if not row.baseline]
    known = [score for score in scores if score is not None]
    return f"{min(known):.0f}–{max(known):.0f}" if len(known) > 1 else "–"


@functools.cache
def recipes_html(language: str) -> str:
    """For each benchmark how it is scored, and what was published."""
    papers = f'<a href="{document_address("papers", language)}" target="_blank">{say_html(language, "papers")}</a>'
    parts = [f"<h2>{say_html(language, 'benchmarks')}</h2><p>{papers}</p>"]
    parts += [_recipe(load_recipe(name), language) for name in recipe_names()]
    return f'<div class="pr-recipes">{"".join(parts)}</div>'


def _recipe(recipe: Recipe, language: str) -> str:
    conventions = "".join(
        f"<li><code>{escape(each.name)}{''.join(f', {key}={value!r}' for key, value in each.settings.items())}</code>"
        f" {escape(each.tool)}</li>"
        for each in recipe.conventions
    )
    columns = [column for column in SCORE_COLUMNS if any(getattr(row, column) is not None for row in recipe.published)]
    rows = []
    for row in recipe.published:
        values = (getattr(row, column) for column in columns)
        cells = "".join(f"<td>{'–' if value is None else f'{value:.2f}'}</td>" for value in values)
        convention = recipe.convention(row.made_with) if row.made_with else None
        made_with = f"<code>{escape(convention.name)}</code>" if convention else "?"
        config = f" ({escape(row.config)})" if row.config else ""
        rows.append(f'<th scope="row">{escape(row.system)}{config}</th>{cells}<td>{made_with}</td>')
    heads = [say(language, "published"), *columns, say(language, "madeWith")]
    table = _table(recipe.title, heads, rows, has_caption=False) if rows else ""
    return f"<details><summary>{escape(recipe.title)}</summary><ul>{conventions}</ul>{table}</details>"


def _score_row(title: str, key: str, pair: ScoredPair) -> str:
    """Three measures with a bar each; F in bold."""
    digits = 2 if pair.scale >= 10 else 4
    cells = []
    for name in (f"{key}_precision", f"{key}_recall", key):
        value = pair.scores[name]
        text = "–" if math.isnan(value) else shown_number(value, digits)
        width = 0 if math.isnan(value) else 100 * min(1.0, max(0.0, value / pair.scale))
        bar = f'<span class="pr-bar"><span style="width:{width:.1f}%"></span></span>'
        cells.append(f'<td class="pr-measure">{f"<strong>{text}</strong>" if name == key else text}{bar}</td>')
    return f'<th scope="row">{escape(title)}</th>{"".join(cells)}'


def _table(
    title: str, heads: Sequence[str], rows: Sequence[str], *, kind: str = "pr-table", has_caption: bool = True
) -> str:
    """A table that scrolls on a narrow window; rows are the HTML of their cells."""
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    caption = f"<caption>{escape(title)}</caption>" if has_caption else ""
    return (
        f'<div class="pr-wide" tabindex="0" role="region" aria-label="{escape(title)}"><table class="{kind}">'
        f"{caption}<thead><tr>{columns}</tr></thead><tbody><tr>{'</tr><tr>'.join(rows)}</tr></tbody></table></div>"
    )
