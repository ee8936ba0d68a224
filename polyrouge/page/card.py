"""The tabs that show documents and recipes: the README, the papers, the benchmarks."""

from __future__ import annotations

import functools
import posixpath
import re
from html import escape
from typing import Any

import gradio as gr

from polyrouge.page.texts import say
from polyrouge.recipes.loading import load_recipe, recipe_names
from polyrouge.recipes.recipe import SCORE_COLUMNS, Recipe
from polyrouge.shipped_files import shipped_file

_CARDS = {"en": "README.md", "zh": "README_zh.md"}
_PAPERS = {"en": "docs/papers.md", "zh": "docs/papers.zh.md"}
_IN_ENGLISH_ONLY = ("api.md", "contributing.md")
DOCUMENTS = (
    "index", "formulas", "chinese", "settings", "tokenizers", "conventions", "papers", "training", "command_line",
    "comparing",
    "sources", "report_and_page", "rouge155", "performance", "reliability",
)  # fmt: skip
"""Names of the documents that the page shows beside the card."""
_HOME = "https://huggingface.co/spaces/polyrouge/rouge_metric/blob/main/"


class DocumentChoice:
    """A document, and the list to choose it from.

    Args:
        language: the component that holds the language.
    """

    def __init__(self, language: gr.Radio) -> None:
        self.choice = gr.Dropdown(_titles("en"), value="", label=say("en", "document"), elem_id="card-choice")
        self.text = gr.Markdown(card("en"), latex_delimiters=[], elem_id="card-text")
        self.choice.input(
            lambda name, chosen: card(chosen, name),
            [self.choice, language],
            self.text,
            show_progress="hidden",
            api_visibility="private",
        )

    @staticmethod
    def update(name: str, language: str) -> Any:
        """The list in a language, with one document chosen."""
        chosen = name if name in DOCUMENTS else ""
        return gr.update(choices=_titles(language), value=chosen, label=say(language, "document"))


def _titles(language: str) -> list[tuple[str, str]]:
    """For each document its title and its name; the card's name is ""."""
    found = [(say(language, "tabCard"), "")]
    for name in DOCUMENTS:
        first = next(line for line in card(language, name).splitlines() if line.startswith("# "))
        found.append((first.removeprefix("# "), name))
    return found


def card(language: str, name: str = "") -> str:
    """The README or a document as Markdown, without the head that only the Hub reads, and with links that work."""
    if name not in DOCUMENTS:
        return _document(_CARDS[language])
    own = f"docs/{name}{'.zh' if language == 'zh' else ''}.md"
    return _document(own if shipped_file(*own.split("/")).is_file() else f"docs/{name}.md")


def papers(language: str) -> str:
    """The document on papers, as Markdown; in English if it is not there in that language."""
    path = _PAPERS[language]
    return _document(path if shipped_file(*path.split("/")).is_file() else _PAPERS["en"])


@functools.cache
def _document(path: str) -> str:
    """A document of the repository. Links to other documents open the page with these, others lead to the repository.

    A picture becomes a link, as the page loads nothing from other servers.
    """
    text = shipped_file(*path.split("/")).read_text(encoding="utf-8")
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)

    def absolute(match: re.Match[str]) -> str:
        file, mark, anchor = match[2].partition("#")
        if path.endswith(".zh.md") and re.fullmatch(r"\w+(\.zh)?\.md", file) and file not in _IN_ENGLISH_ONLY:
            file = file.removesuffix(".zh.md").removesuffix(".md") + ".zh.md"  # as the site does
        name = posixpath.basename(file).removesuffix(".md").removesuffix(".zh")
        if file.endswith(".md") and name in DOCUMENTS and "/" not in file.removeprefix("docs/"):
            return f"[{match[1]}](?document={name}&lang={'zh' if path.endswith(('.zh.md', '_zh.md')) else 'en'})"
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
        return f"[{match[1]}]({_HOME}{target}{mark}{anchor})"

    parts = re.split(r"(^```.*?^```)", text, flags=re.DOTALL | re.MULTILINE)  # every second one is code
    parts[::2] = [re.sub(r"!?\[([^\]]*)\]\((?!https?:)([^)\s]+)\)", absolute, part) for part in parts[::2]]
    return "".join(parts)


@functools.cache
def recipes_html(language: str) -> str:
    """For each benchmark how it is scored, and what was published."""
    parts = [f"<h2>{escape(say(language, 'benchmarks'))}</h2>"]
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
