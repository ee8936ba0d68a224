"""Parts that several tabs share: texts that change with the language, and the controls for the settings."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from polyrouge.page.choices import RULES, SPLITS, TYPES, Choice, choice_labels
from polyrouge.page.limits import LIMITS
from polyrouge.page.wording import say

PRIVATE: dict[str, Any] = {"api_visibility": "private"}  # no endpoint for others
QUIET: dict[str, Any] = {**PRIVATE, "show_progress": "hidden"}
# Lanes: what waits in one does not wait for another. Long texts wait in their function, where others pass them.
TEXT_LANE: dict[str, Any] = {"concurrency_id": "texts", "concurrency_limit": 2 * LIMITS.waiting_of_address}
UPLOAD_LANE: dict[str, Any] = {"concurrency_id": "uploads", "concurrency_limit": LIMITS.jobs}
FILE_LANE: dict[str, Any] = {"concurrency_id": "files", "concurrency_limit": LIMITS.jobs}
CALL_LANE: dict[str, Any] = {"concurrency_id": "calls", "concurrency_limit": LIMITS.jobs}
# The key of a text, or a function from a language to a value.
Property = str | Callable[[str], Any]


class Wording:
    """Components whose words change with the language."""

    def __init__(self) -> None:
        self.components: list[Any] = []
        self._properties: list[dict[str, Property]] = []  # of each component

    def add(self, component: Any, **properties: Property) -> Any:
        """Give a component its English words, and return it."""
        for name, value in _values(properties, "en").items():
            setattr(component, name, value)
        self.components.append(component)
        self._properties.append(properties)
        return component

    def updates(self, language: str) -> list[Any]:
        """Return an update for each component, in a language."""
        return [gr.update(**_values(properties, language)) for properties in self._properties]


def _values(properties: dict[str, Property], language: str) -> dict[str, Any]:
    return {
        key: say(language, value) if isinstance(value, str) else value(language) for key, value in properties.items()
    }


def _labels(keys: Sequence[str], prefix: str, language: str) -> list[tuple[str, str]]:
    """Choices with their texts; the first one is the convention's own."""
    return [(say(language, "asConvention"), ""), *((say(language, f"{prefix}_{key}"), key) for key in keys)]


class SettingControls:
    """Controls for a ``Choice``, with ids after the name of the tab: the convention here, the rest by ``add_rest``."""

    def __init__(self, wording: Wording, name: str) -> None:
        self._wording, self._name = wording, name
        self.choice = gr.Dropdown(
            choice_labels("en"), value="default", elem_id=f"{name}-choice", elem_classes="pr-choice"
        )
        wording.add(self.choice, label="choice", choices=choice_labels)
        self.components: list[Any] = [self.choice]

    def add_rest(self) -> None:
        """Add what is asked for less often, in a line that opens."""
        wording = self._wording
        with wording.add(gr.Accordion(open=False, elem_id=f"{self._name}-settings"), label="settings"):
            types = wording.add(gr.CheckboxGroup(list(TYPES)), label="types", info="typesInfo")
            with gr.Row():
                boxes = []
                for label, key, values in (("rule", "rule", RULES), ("sentences", "split", SPLITS)):
                    choices = functools.partial(_labels, values, key)
                    box = gr.Dropdown(choices("en"), value="", min_width=220)
                    boxes.append(wording.add(box, label=label, choices=choices))
            with gr.Row():
                flags = [wording.add(gr.Checkbox(min_width=160), label=key) for key in ("stemmer", "nfkc")]
        self.components += [types, flags[0], *boxes, flags[1]]  # in the order of ``Choice``

    @staticmethod
    def read(values: Sequence[Any]) -> Choice:
        """Return the choice, from the components' values."""
        name, types, stemmer, rule, split, nfkc = values
        return Choice(name, tuple(types or ()), bool(stemmer), rule or "", split or "", bool(nfkc))

    @staticmethod
    def write(choice: Choice) -> list[Any]:
        """Return the components' values, from a choice."""
        return [choice.convention, list(choice.types), *choice[2:]]
