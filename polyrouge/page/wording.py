"""The page's texts in English and Chinese, and its sentences for what it refuses."""

import functools
import json
from html import escape
from importlib import resources
from typing import Any

from polyrouge.errors import Note, Option, sentence_of
from polyrouge.report.note_texts import note_texts
from polyrouge.shipped_files import shipped_file
from polyrouge.texts.preparation import SIDES, STEPS, step_words

LANGUAGES = {"zh": "中文", "en": "EN"}
_DOCUMENTS = "https://huggingface.co/spaces/polyrouge/rouge_metric/blob/main/docs"


class PageError(ValueError):
    """An error that a visitor can correct: the key of a sentence of the page, and what is put into it."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(say("en", key, **values))
        self.key, self.values = key, values

    def sentence(self, language: str) -> str:
        """Return the sentence in a language of the page."""
        return say(language, self.key, **self.values)


def page_asset(name: str) -> str:
    """Return the text of a file in ``assets``."""
    return (resources.files("polyrouge.page") / "assets" / name).read_text(encoding="utf-8")


def example_text(name: str) -> str:
    """Return the text of a file of ``examples``."""
    return shipped_file(f"examples/{name}").read_text(encoding="utf-8")


@functools.cache
def _table(name: str) -> Any:
    return json.loads(page_asset(name))


def page_texts() -> dict[str, dict[str, str]]:
    """Every text of the page by its key, in each language."""
    return _table("page_texts.json")


def document_address(name: str, language: str) -> str:
    """Where a document is read: ``document_address("papers", "zh")``."""
    return f"{_DOCUMENTS}/{name}{'.zh' if language == 'zh' else ''}.md"


def say(language: str, key: str, **values: Any) -> str:
    """Return a text of ``page_texts.json`` with the values in its braces; whole numbers get separators."""
    shown = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
    text = page_texts()[key][language]
    return text.format(**shown) if shown else text


def say_html(language: str, key: str, **values: Any) -> str:
    """Return the same text as HTML."""
    return escape(say(language, key, **values))


def soft_html(language: str, key: str, **values: Any) -> str:
    """Return the same text as a paragraph in grey."""
    return f'<p class="pr-soft">{say_html(language, key, **values)}</p>'


def fold_html(language: str, key: str, body: str, **values: Any) -> str:
    """HTML that is folded up under the text; what a visitor unfolds stays open when it is drawn anew."""
    title = say_html(language, key, **values)
    return f'<details class="pr-fold" data-fold="{key}"><summary>{title}</summary>{body}</details>'


def page_link(language: str, key: str, name: str) -> str:
    """Return the same text as a link to a document, which opens beside the page."""
    return f'<a href="{document_address(name, language)}" target="_blank">{say_html(language, key)}</a>'


def say_metric_words(language: str, kind: str, words: str) -> str:
    """Words of the metric of a kind, ``"differences"`` or ``"usedBy"``; in English where they have no translation."""
    if language == "en":
        return words
    of_steps = dict(step_words(side + step) for step in STEPS for side in ("", *(f"{side}." for side in SIDES)))
    return _table("page_chinese.json")[kind].get(words) or of_steps.get(words, words)


def in_json(message: Exception | str) -> str:
    """Return a message for who calls an endpoint: settings as they stand in its arguments, ``"beta": 2.0``."""
    return "".join(part if isinstance(part, str) else _argument(part) for part in sentence_of(message))


def _argument(option: Option) -> str:
    if option.name == "tool" and isinstance(option.value, dict):  # whose rules stand beside the settings
        return ", ".join(_argument(Option(*rule)) for rule in option.value.items())
    name = json.dumps(option.name) if option.name.isidentifier() else option.name
    return name if option.value is ... else f"{name}: {json.dumps(option.value, ensure_ascii=False)}"


def say_note(language: str, note: str) -> str:
    """Return a warning of the metric in the words of the page, which has lists and switches, not keywords."""
    if not isinstance(note, Note):
        return note
    texts = note_texts().get(note.kind, {})
    if language not in texts:
        return note
    return (texts[language] + texts.get(f"{language}_page", "")).format(**note.values)
