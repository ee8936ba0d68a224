"""The tab that scores the same texts under every convention."""

from __future__ import annotations

from typing import Any

import gradio as gr

from polyrouge.page.controls import Wording
from polyrouge.page.scores import compare_all, conventions_html, message_html, split_references
from polyrouge.page.try_tab import TryTab


class ConventionsTab:
    """Builds the tab and wires it; it takes the texts of the first tab when it is opened."""

    def __init__(self, wording: Wording, language: gr.Radio, tab: gr.Tab, first: TryTab) -> None:
        wording.add(gr.Markdown(), value="compareInfo")
        with gr.Row():
            self.texts = [
                wording.add(
                    gr.Textbox(lines=3, max_lines=8, elem_id=f"conventions-{key}"), label=key, info=f"{key}Info"
                )
                for key in ("prediction", "references")
            ]
        run = wording.add(gr.Button(variant="primary"), value="compareRun")
        self.table = gr.HTML(elem_id="conventions-table")
        inputs: list[Any] = [*self.texts, language]
        asked = [run.click, *(each.submit for each in self.texts)]
        gr.on(asked, self.update, inputs, self.table, api_visibility="private")
        taken = tab.select(
            lambda *texts: texts, first.texts, self.texts, show_progress="hidden", api_visibility="private"
        )
        taken.then(self.update, inputs, self.table, api_visibility="private")

    @staticmethod
    def update(prediction: str, references: str, language: str) -> str:
        """The table."""
        try:
            texts = split_references(references or "")
            return conventions_html(compare_all(prediction or "", texts, language), language)
        except Exception as error:  # Gradio would log the traceback, with the texts in it
            return message_html(error, language)
