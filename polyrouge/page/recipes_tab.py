"""The tab of benchmarks: how each is scored, and what was published."""

from __future__ import annotations

import functools
from html import escape

from polyrouge.page.texts import document_address, say
from polyrouge.recipes.loading import load_recipe, recipe_names
from polyrouge.recipes.recipe import SCORE_COLUMNS, Recipe


@functools.cache
def recipes_html(language: str) -> str:
    """For each benchmark how it is scored, and what was published."""
    papers = f'<a href="{document_address("papers", language)}" target="_blank">{escape(say(language, "papers"))}</a>'
    parts = [f"<h2>{escape(say(language, 'benchmarks'))}</h2><p>{papers}</p>"]
    parts += [_recipe(load_recipe(name), language) for name in recipe_names()]
    return f'<div class="pr-recipes">{"".join(parts)}</div>'


def _recipe(recipe: Recipe, language: str) -> str:
    conventions = "".join(
        f"<li><code>{escape(each.name)}{''.join(f', {key}={value!r}' for key, value in each.settings.items())}</code>"
        f" {escape(each.tool)}</li>"
        for each in recipe.conventions
    )
    columns = [column for column in SCORE_COLUMNS if any(getattr(row, column) is not None for row in recipe.published)]
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    rows = []
    for row in recipe.published:
        values = (getattr(row, column) for column in columns)
        cells = "".join(f"<td>{'–' if value is None else f'{value:.2f}'}</td>" for value in values)
        found = recipe.convention(row.made_with) if row.made_with else None
        made = f"<code>{escape(found.name)}</code>" if found else "?"
        config = f" ({escape(row.config)})" if row.config else ""
        rows.append(f'<tr><th scope="row">{escape(row.system)}{config}</th>{cells}<td>{made}</td></tr>')
    table = (
        f'<div class="pr-wide" tabindex="0" role="region" aria-label="{escape(recipe.title)}"><table class="pr-table">'
        f'<thead><tr><th scope="col">{escape(say(language, "published"))}</th>{heads}'
        f'<th scope="col">{escape(say(language, "madeWith"))}</th></tr></thead><tbody>{"".join(rows)}'
        "</tbody></table></div>"
        if rows
        else ""
    )
    return f"<details><summary>{escape(recipe.title)}</summary><ul>{conventions}</ul>{table}</details>"
