"""The page's texts in English and Chinese, and its sentences for what it refuses."""

from __future__ import annotations

import functools
import json
import re
from importlib import resources
from typing import Any

LANGUAGES = {"en": "English", "zh": "中文"}
_DOCUMENTS = "https://huggingface.co/spaces/polyrouge/rouge_metric/blob/main/docs"


class PageError(ValueError):
    """An error that a visitor can correct, in the words of the page.

    Args:
        key: of the sentence.
        **values: to be put into it.
    """

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(say("en", key, **values))
        self._key, self._values = key, values

    def sentence(self, language: str) -> str:
        """The sentence in a language of the page."""
        return say(language, self._key, **self._values)


def page_asset(name: str) -> str:
    """The text of a file in ``assets``."""
    return (resources.files("polyrouge.page") / "assets" / name).read_text(encoding="utf-8")


def document_address(name: str, language: str) -> str:
    """Where a document is read: ``document_address("papers", "zh")``."""
    return f"{_DOCUMENTS}/{name}{'.zh' if language == 'zh' else ''}.md"


def say(language: str, key: str, **values: Any) -> str:
    """A text of the page.

    Args:
        language: ``"en"`` or ``"zh"``.
        key: its name in ``page_texts.json``.
        **values: what stands in braces in it; numbers get separators.
    """
    shown = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
    text = _texts()[key]["zh" if language == "zh" else "en"]
    return text.format(**shown) if shown else text


@functools.cache
def _texts() -> dict[str, dict[str, str]]:
    return json.loads(page_asset("page_texts.json"))


def say_metric_words(language: str, kind: str, words: str) -> str:
    """Words of the metric in a language of the page; as they are where they have no translation.

    Args:
        language: ``"en"`` or ``"zh"``.
        kind: ``"differences"`` of conventions, or ``"usedBy"``.
        words: in English.
    """
    return _chinese()[kind].get(words, words) if language == "zh" else words


def say_note(language: str, note: str) -> str:
    """A warning of the metric in the words of the page, which has lists and switches, not keywords."""
    return _translated(_own_words("zh" if language == "zh" else "en")["notes"], note)


def say_error(language: str, message: str) -> str:
    """What the metric refuses in a language of the page; as it is where it has no translation."""
    return _translated(_chinese()["errors"], message) if language == "zh" else message


def _translated(sentences: list[list[str]], message: str) -> str:
    for pattern, sentence in sentences:
        found = re.search(pattern, message, re.DOTALL)
        if found:
            return sentence.format(*found.groups())
    return message


def _chinese() -> dict[str, Any]:
    return _own_words("zh")


@functools.cache
def _own_words(language: str) -> dict[str, Any]:
    """The page's own words for those of the metric."""
    return json.loads(page_asset("page_chinese.json" if language == "zh" else "page_english.json"))
