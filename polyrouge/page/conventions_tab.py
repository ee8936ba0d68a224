"""The tab that scores the same texts under every convention."""

from __future__ import annotations

from typing import Any

import gradio as gr

from polyrouge.page.controls import Wording
from polyrouge.page.limits import LIMITS
from polyrouge.page.scoring import compare_all, split_references
from polyrouge.page.tables import conventions_html, message_html
from polyrouge.page.texts import say
from polyrouge.page.try_tab import TryTab


class ConventionsTab:
    """Builds the tab and wires it.

    Args:
        wording: its texts are added to it.
        language: the component that holds the language.
        tab: the tab that it is in.
        first: the first tab, whose texts are used here too.
    """

    def __init__(self, wording: Wording, language: gr.Radio, tab: gr.Tab, first: TryTab) -> None:
        wording.add(gr.Markdown(say("en", "compareInfo")), value="compareInfo")
        with gr.Row():
            self.prediction = wording.add(
                gr.Textbox(lines=3, max_lines=8, label=say("en", "prediction"), elem_id="conventions-prediction"),
                label="prediction",
            )
            self.references = wording.add(
                gr.Textbox(
                    lines=3,
                    max_lines=8,
                    label=say("en", "references"),
                    info=say("en", "referencesInfo"),
                    elem_id="conventions-references",
                ),
                label="references",
                info="referencesInfo",
            )
        run = wording.add(gr.Button(say("en", "compareRun"), variant="primary"), value="compareRun")
        self.table = gr.HTML(elem_id="conventions-table")
        options: dict[str, Any] = {
            "api_visibility": "private",
            "concurrency_limit": LIMITS.quick_jobs,
            "concurrency_id": "quick",
        }
        inputs = [self.prediction, self.references, language]
        run.click(self.update, inputs, self.table, **options)
        gr.on([self.prediction.submit, self.references.submit], self.update, inputs, self.table, **options)
        taken = tab.select(
            _taken,
            [first.prediction, first.references],
            [self.prediction, self.references],
            show_progress="hidden",
            api_visibility="private",
        )
        taken.then(self.update, inputs, self.table, **options)

    @staticmethod
    def update(prediction: str, references: str, language: str) -> str:
        """The table."""
        try:
            return conventions_html(
                compare_all(prediction or "", split_references(references or ""), language), language
            )
        except Exception as error:  # Gradio would log the traceback, with the texts in it
            return message_html(error, language)


def _taken(prediction: str, references: str) -> tuple[str, str]:
    return prediction, references
