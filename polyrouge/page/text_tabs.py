"""The tabs for texts that are typed: scored at once under one convention, or under every one."""

import functools
import json
from collections.abc import Sequence
from typing import Any

import gradio as gr

from polyrouge.page.choices import Choice
from polyrouge.page.controls import QUIET, TEXT_LANE, SettingControls, Wording
from polyrouge.page.text_views import render_try, show_try
from polyrouge.page.wording import example_text

_SHOWS = "pageShows(); watch('value', pageShows);"  # the type that was chosen, in what is drawn anew
EXAMPLE_CHOICES = {"en": "default", "zh": "zh_char"}


@functools.cache
def example_texts(language: str) -> tuple[str, str]:
    """Return an example in a language: a prediction, and its references as the text box takes them."""
    name, row = {"zh": ("zh_news.jsonl", 16)}.get(language, ("en_news.jsonl", 2))
    example = json.loads(example_text(name).splitlines()[row])
    return example["prediction"], "\n---\n".join(example["references"])


class TryTab:
    """Builds the tab, with its example scored, and wires it."""

    def __init__(self, wording: Wording, language: gr.Radio) -> None:
        example, choice = example_texts("en"), Choice(EXAMPLE_CHOICES["en"])
        status, pair, scores, more = render_try(*example, choice, "en")
        with gr.Row(elem_id="try"):
            with gr.Column(scale=2, min_width=500):
                controls = SettingControls(wording, "try")
                with gr.Row():  # of one height, so that what is below them stays in its place
                    size: dict[str, Any] = {"lines": 5, "max_lines": 5, "min_width": 240}
                    self.texts = [
                        wording.add(gr.Textbox(example[0], elem_id="try-prediction", **size), label="prediction"),
                        wording.add(gr.Textbox(example[1], elem_id="try-references", **size), label="referencesBox"),
                    ]
                shown = [gr.HTML(pair, elem_id="try-pair", js_on_load=_SHOWS)]
            with gr.Column(scale=1, min_width=360, elem_id="try-side"):
                self.of_link = gr.HTML(elem_id="try-link")  # what a link has that is unknown; stays with new scores
                shown = [gr.HTML(status, elem_id="try-status"), *shown]
                shown.append(gr.HTML(scores, elem_id="try-scores", js_on_load=_SHOWS))
                controls.add_rest()
                shown.append(gr.HTML(more, elem_id="try-more", js_on_load=_SHOWS))
        self.inputs, self.outputs = [*self.texts, *controls.components], shown
        # Gradio's input event is for keys only: text that is pasted, or comes from an input method, is a change.
        changes = [
            *(component.change for component in self.texts),
            *(component.input for component in controls.components),
        ]
        gr.on(changes, self.update, [*self.inputs, language], shown, trigger_mode="always_last", **QUIET, **TEXT_LANE)

    @staticmethod
    def update(prediction: str, references: str, *rest: Any) -> Sequence[str]:
        """Return what the tab shows, from the values of ``inputs`` and the language."""
        *settings, language = rest
        return show_try(prediction or "", references or "", SettingControls.read(settings), language)
