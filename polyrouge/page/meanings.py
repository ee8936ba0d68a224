"""What each measure and type says, in one plain sentence, and which values published systems reach."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from html import escape

from polyrouge.page.texts import say
from polyrouge.recipes.loading import load_recipe
from polyrouge.recipes.recipe import Recipe

_KINDS = ("cnn_dailymail", "xsum", "samsum", "gigaword", "lcsts", "csl")  # recipes, each for a kind of text
_COLUMNS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_MEASURES = ("precision", "recall", "fmeasure")


def meanings_html(types: Sequence[str], language: str) -> str:
    """Sentences on the measures and on some types, and the usual values, folded up until they are opened.

    Args:
        types: names of ROUGE types.
        language: of the words.
    """
    named = [(say(language, f"mean_{name}_name"), say(language, f"mean_{name}")) for name in _MEASURES]
    named += [(name, say(language, f"mean_{_kind(name)}", n=name.removeprefix("rouge"))) for name in types]
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in named)
    return (
        f'<details class="pr-meanings"><summary>{escape(say(language, "meanings"))}</summary><dl>{items}</dl>'
        f"{_usual_values(language)}</details>"
    )


def _kind(name: str) -> str:
    """The key of a type's sentence."""
    if name.removeprefix("rouge").isdigit():
        return name if name in ("rouge1", "rouge2") else "rougeN"
    if name.startswith("rougeS"):
        return "rougeSU" if name.startswith("rougeSU") else "rougeS"
    return name


@functools.cache
def _usual_values(language: str) -> str:
    """A table of the scores that published systems have on some benchmarks, times 100."""
    rows = []
    for name in _KINDS:
        recipe = load_recipe(name)
        cells = "".join(f"<td>{published_range(recipe, column)}</td>" for column in _COLUMNS)
        kind = escape(say(language, f"kind_{name}"))
        rows.append(f'<tr><th scope="row">{kind}</th>{cells}</tr>')
    heads = "".join(f'<th scope="col">{column}</th>' for column in _COLUMNS)
    title = escape(say(language, "usualValues"))
    return (
        f'<div class="pr-wide" tabindex="0" role="region" aria-label="{title}"><table class="pr-table"><caption>{title}'
        f'</caption><thead><tr><th scope="col">{escape(say(language, "kindOfText"))}</th>{heads}</tr></thead>'
        f'<tbody>{"".join(rows)}</tbody></table></div><p class="pr-soft">{escape(say(language, "usualNote"))}</p>'
    )


def published_range(recipe: Recipe, column: str) -> str:
    """The lowest and the highest score that the recipe's published systems have, baselines left out."""
    scores = [getattr(row, column) for row in recipe.published if not row.baseline]
    known = [score for score in scores if score is not None]
    return f"{min(known):.0f}–{max(known):.0f}" if len(known) > 1 else "–"
