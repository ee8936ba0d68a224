"""Parts that several tabs share: texts that change with the language, and the controls for the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from polyrouge.page.choices import RULES, SCALES, SPLITS, TYPES, Choice, choice_labels
from polyrouge.page.texts import say

Property = str | Callable[[str], Any]


class Wording:
    """Components whose words change with the language."""

    def __init__(self) -> None:
        self._entries: list[tuple[Any, dict[str, Property]]] = []

    def add(self, component: Any, **properties: Property) -> Any:
        """Remember a component, and return it.

        Args:
            component: of Gradio.
            **properties: by name the key of a text, or a function from a language to a value.
        """
        self._entries.append((component, properties))
        return component

    @property
    def components(self) -> list[Any]:
        """All components that were added."""
        return [component for component, _ in self._entries]

    def updates(self, language: str) -> list[Any]:
        """What each component becomes."""
        return [
            gr.update(
                **{  # pyright: ignore[reportArgumentType]
                    name: say(language, each) if isinstance(each, str) else each(language)
                    for name, each in properties.items()
                }
            )
            for _, properties in self._entries
        ]


def labelled(keys: Sequence[str], prefix: str) -> Callable[[str], list[tuple[str, str]]]:
    """Return a function that lists the choices with their texts; the first one is the convention's own."""

    def choices(language: str) -> list[tuple[str, str]]:
        named = [(say(language, f"{prefix}{key}") if prefix else f"0–{key}", key) for key in keys]
        return [(say(language, "asConvention"), ""), *named]

    return choices


class SettingControls:
    """Controls for a ``Choice``.

    Args:
        wording: they are added to it.
        name: of the tab, for ids.
    """

    def __init__(self, wording: Wording, name: str) -> None:
        self.choice = wording.add(
            gr.Dropdown(
                choice_labels("en"),
                value="default",
                label=say("en", "choice"),
                info=say("en", "choiceInfo"),
                elem_id=f"{name}-choice",
            ),
            label="choice",
            info="choiceInfo",
            choices=choice_labels,
        )
        with wording.add(gr.Accordion(say("en", "moreSettings"), open=False), label="moreSettings"):
            self.types = wording.add(
                gr.CheckboxGroup(list(TYPES), label=say("en", "types"), info=say("en", "typesInfo")),
                label="types",
                info="typesInfo",
            )
            with gr.Row():
                self.stemmer = wording.add(
                    gr.Checkbox(label=say("en", "stemmer"), info=say("en", "stemmerInfo")),
                    label="stemmer",
                    info="stemmerInfo",
                )
                self.rule = _dropdown(wording, "rule", labelled(RULES, "rule_"))
                self.split = _dropdown(wording, "sentences", labelled(SPLITS, "split_"))
                self.scale = _dropdown(wording, "scale", labelled(SCALES, ""))

    @property
    def components(self) -> list[Any]:
        """In the order of ``Choice``."""
        return [self.choice, self.types, self.stemmer, self.rule, self.split, self.scale]

    @staticmethod
    def read(values: Sequence[Any]) -> Choice:
        """The choice, from the components' values."""
        name, types, stemmer, rule, split, scale = values
        return Choice(name, tuple(types or ()), bool(stemmer), rule or "", split or "", scale or "")

    @staticmethod
    def write(choice: Choice) -> list[Any]:
        """The components' values, from a choice."""
        return [choice.name, list(choice.types), choice.stemmer, choice.rule, choice.split, choice.scale]


def _dropdown(wording: Wording, key: str, choices: Callable[[str], list[tuple[str, str]]]) -> gr.Dropdown:
    dropdown = gr.Dropdown(choices("en"), value="", label=say("en", key), min_width=180)
    return wording.add(dropdown, label=key, choices=choices)
