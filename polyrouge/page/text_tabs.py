"""The tabs for texts that are typed: scored at once under one convention, or under every one."""

from __future__ import annotations

import functools
import json
from typing import Any

import gradio as gr

from polyrouge.page.choices import Choice, link_query
from polyrouge.page.controls import PRIVATE, QUIET, SettingControls, Wording, text_boxes
from polyrouge.page.highlight import pair_html
from polyrouge.page.score_views import (
    VIEWS,
    compare_all,
    conventions_html,
    explain_view,
    meanings_html,
    message_html,
    notes_html,
    score_pair,
    scores_html,
    split_references,
)
from polyrouge.page.wording import page_asset, say

EXAMPLE_CHOICES = {"en": "default", "zh": "zh_char"}


@functools.cache
def example_texts(language: str) -> tuple[str, str]:
    """An example in a language: a prediction, and its references as the text box takes them."""
    name, row = {"zh": ("zh_news.jsonl", 16)}.get(language, ("en_news.jsonl", 2))
    example = json.loads(page_asset(name).splitlines()[row])
    return example["prediction"], "\n---\n".join(example["references"])


def view_choices(language: str) -> list[tuple[str, str]]:
    """What can be shown of a pair."""
    return [(say(language, f"view_{name}"), name) for name in VIEWS]


class TryTab:
    """Builds the tab, with its example scored, and wires it."""

    def __init__(self, wording: Wording, language: gr.Radio) -> None:
        example = example_texts("en")
        with gr.Row():
            self.texts = text_boxes(wording, "try", example, lines=5, max_lines=12)
        controls = SettingControls(wording, "try")
        controls.choice.value = EXAMPLE_CHOICES["en"]
        status, scores, pair, signature, python = render_try(*example, Choice(EXAMPLE_CHOICES["en"]), "rouge1", "en")
        shown = [gr.HTML(status, elem_id="try-status"), gr.HTML(scores, elem_id="try-scores")]
        view = gr.Radio(view_choices("en"), value="rouge1", elem_id="try-view")
        wording.add(view, label="shows", choices=view_choices)
        shown.append(gr.HTML(pair, elem_id="try-pair"))
        box = gr.Textbox(signature, interactive=False, lines=1, max_lines=4, buttons=["copy"], elem_id="try-signature")
        layout: dict[str, Any] = {"wrap_lines": True, "show_line_numbers": False, "max_lines": 14}
        code = gr.Code(python, language="python", interactive=False, elem_id="try-python", **layout)
        wording.add(box, label="signature", info="signatureInfo")
        wording.add(code, label="python")
        with gr.Row(equal_height=True):
            make_link = gr.Button(scale=0, min_width=200, size="sm", elem_id="try-make-link")
            link = gr.Textbox(interactive=False, buttons=["copy"], max_lines=2, elem_id="try-link")
            wording.add(make_link, value="link")
            wording.add(link, label="linkLabel", info="linkInfo")
        query, note = gr.Textbox(visible=False), gr.HTML()
        self.inputs = [*self.texts, *controls.components, view]
        self.outputs = [*shown, box, code]
        # Gradio's input event is for keys only: text that is pasted, or comes from an input method, is a change.
        changes = [*(each.change for each in self.texts), *(each.input for each in self.inputs[2:])]
        gr.on(changes, self.update, [*self.inputs, language], self.outputs, trigger_mode="always_last", **QUIET)
        linked = make_link.click(self._link, [*self.inputs, language], [query, note], **QUIET)
        linked.then(None, query, link, js="(query) => showLink(query)", **PRIVATE)

    @staticmethod
    def update(prediction: str, references: str, *rest: Any) -> tuple[str, str, str, str, str]:
        """What the tab shows, from the values of ``inputs`` and the language."""
        *settings, view, language = rest
        choice = SettingControls.read(settings)
        return render_try(prediction or "", references or "", choice, view or "rouge1", language)

    @staticmethod
    def _link(prediction: str, references: str, *rest: Any) -> tuple[str, str]:
        *settings, view, language = rest
        query, is_whole = link_query(SettingControls.read(settings), prediction, references, language, view)
        return query, "" if is_whole else notes_html([say(language, "linkTooLong")], language)


def render_try(
    prediction: str, references: str, choice: Choice, view: str, language: str
) -> tuple[str, str, str, str, str]:
    """Messages, scores, the pair, the signature and the Python lines; only a message where nothing was scored."""
    try:
        texts = split_references(references)
        scored = score_pair(prediction, texts, choice, language)
        explanation = explain_view(choice.rouge(), prediction, texts, view)
        return (
            notes_html(scored.notes, language),
            scores_html(scored, language) + meanings_html(list(scored.explanation.types), language),
            pair_html(explanation, view, language),
            scored.signature,
            scored.python,
        )
    except Exception as error:  # Gradio would log the traceback, with the texts in it
        return message_html(error, language), "", "", "", ""


class ConventionsTab:
    """Builds the tab and wires it; it takes the texts of the first tab when it is opened."""

    def __init__(self, wording: Wording, language: gr.Radio, tab: gr.Tab, first: TryTab) -> None:
        wording.add(gr.Markdown(), value="compareInfo")
        with gr.Row():
            self.texts = text_boxes(wording, "conventions", lines=3, max_lines=8)
        run = wording.add(gr.Button(variant="primary"), value="compareRun")
        self.table = gr.HTML(elem_id="conventions-table")
        inputs: list[Any] = [*self.texts, language]
        gr.on([run.click, *(each.submit for each in self.texts)], self.update, inputs, self.table, **PRIVATE)
        copied = tab.select(lambda *texts: texts, first.texts, self.texts, **QUIET)
        copied.then(self.update, inputs, self.table, **PRIVATE)

    @staticmethod
    def update(prediction: str, references: str, language: str) -> str:
        """The table."""
        try:
            texts = split_references(references or "")
            return conventions_html(compare_all(prediction or "", texts, language), language)
        except Exception as error:  # Gradio would log the traceback, with the texts in it
            return message_html(error, language)
