"""The first tab: a text is compared with its references, and scored while it is typed."""

from __future__ import annotations

import functools
import json
from typing import Any

import gradio as gr

from polyrouge.page.choices import Choice, link_query
from polyrouge.page.controls import SettingControls, Wording
from polyrouge.page.limits import LIMITS
from polyrouge.page.marks import pair_html
from polyrouge.page.meanings import meanings_html
from polyrouge.page.scoring import VIEWS, explain_view, score_pair, split_references
from polyrouge.page.sessions import SessionStore
from polyrouge.page.tables import message_html, notes_html, scores_html
from polyrouge.page.texts import say
from polyrouge.shipped_files import shipped_file

EXAMPLE_CHOICES = {"en": "default", "zh": "zh_char"}
_SHOW_LINK = """(query) => {
  if (!query) return "";
  history.replaceState(null, "", "?" + query + location.hash); // behind # is how the report of the files is looked at
  const hash = location.hash.slice(1);
  if (window.parent !== window) window.parent.postMessage({ queryString: query, hash }, "https://huggingface.co");
  return location.origin + location.pathname + "?" + query;
}"""


@functools.cache
def example_texts(language: str) -> tuple[str, str]:
    """An example in a language: a prediction, and its references as the text box takes them."""
    name, row = {"zh": ("zh_news.jsonl", 16)}.get(language, ("en_news.jsonl", 2))
    text = shipped_file("examples", name).read_text(encoding="utf-8")
    example = json.loads(text.splitlines()[row])
    return example["prediction"], "\n---\n".join(example["references"])


def view_choices(language: str) -> list[tuple[str, str]]:
    """What can be shown of a pair."""
    return [(say(language, f"view_{name}"), name) for name in VIEWS]


class TryTab:
    """Builds the tab and wires it.

    Args:
        wording: its texts are added to it.
        language: the component that holds the language.
        store: the sessions of all open pages.
    """

    def __init__(self, wording: Wording, language: gr.Radio, store: SessionStore) -> None:
        self._store = store
        prediction, references = example_texts("en")
        with gr.Row():
            self.prediction = _text_box(wording, "prediction", "predictionInfo", prediction)
            self.references = _text_box(wording, "references", "referencesInfo", references)
        self.controls = SettingControls(wording, "try")
        first = render_try(prediction, references, Choice(EXAMPLE_CHOICES["en"]), "rouge1", "en")
        self.controls.choice.value = EXAMPLE_CHOICES["en"]
        status, scores, pair, signature, python = first
        self.status = gr.HTML(status, elem_id="try-status")
        self.scores = gr.HTML(scores, elem_id="try-scores")
        self.view = wording.add(
            gr.Radio(view_choices("en"), value="rouge1", label=say("en", "shows"), elem_id="try-view"),
            label="shows",
            choices=view_choices,
        )
        self.pair = gr.HTML(pair, elem_id="try-pair")
        self.signature = wording.add(
            gr.Textbox(
                signature,
                label=say("en", "signature"),
                info=say("en", "signatureInfo"),
                interactive=False,
                lines=1,
                max_lines=4,
                buttons=["copy"],
                elem_id="try-signature",
            ),
            label="signature",
            info="signatureInfo",
        )
        self.python = wording.add(
            gr.Code(
                python,
                language="python",
                label=say("en", "python"),
                interactive=False,
                wrap_lines=True,
                show_line_numbers=False,
                max_lines=14,
                elem_id="try-python",
            ),
            label="python",
        )
        with gr.Row(equal_height=True):
            make_link = wording.add(
                gr.Button(say("en", "link"), scale=0, min_width=200, size="sm", elem_id="try-make-link"), value="link"
            )
            link = wording.add(
                gr.Textbox(
                    label=say("en", "linkLabel"),
                    info=say("en", "linkInfo"),
                    interactive=False,
                    buttons=["copy"],
                    max_lines=2,
                    elem_id="try-link",
                ),
                label="linkLabel",
                info="linkInfo",
            )
        query = gr.Textbox(visible=False)
        note = gr.HTML()
        self.inputs = [self.prediction, self.references, *self.controls.components, self.view, language]
        self.outputs = [self.status, self.scores, self.pair, self.signature, self.python]
        # Gradio's input event is for keys only: text that is pasted, or comes from an input method, is a change.
        changes = [self.prediction.change, self.references.change, *(each.input for each in self.inputs[2:-1])]
        gr.on(
            changes,
            self._update_newest,
            self.inputs,
            self.outputs,
            trigger_mode="always_last",
            show_progress="hidden",
            api_visibility="private",
            concurrency_limit=LIMITS.quick_jobs,
            concurrency_id="quick",
        )
        linked = make_link.click(
            self._link,
            [self.prediction, self.references, *self.controls.components, self.view, language],
            [query, note],
            show_progress="hidden",
            api_visibility="private",
        )
        linked.then(None, query, link, js=_SHOW_LINK, api_visibility="private")

    def _update_newest(self, request: gr.Request, *values: Any) -> Any:
        """``update``; nothing if a later change of the same visitor was shown meanwhile.

        Two quick changes are two requests that are scored at the same time: the first may be done last.
        """
        session = self._store.get(request.session_hash)
        number = session.begin()
        shown = self.update(*values)
        return shown if session.may_show(number) else [gr.skip()] * len(self.outputs)

    @staticmethod
    def update(prediction: str, references: str, *rest: Any) -> tuple[str, str, str, str, str]:
        """What the tab shows, from the values of ``inputs``."""
        *settings, view, language = rest
        return render_try(
            prediction or "", references or "", SettingControls.read(settings), view or "rouge1", language
        )

    @staticmethod
    def _link(prediction: str, references: str, *rest: Any) -> tuple[str, str]:
        *settings, view, language = rest
        query, is_whole = link_query(SettingControls.read(settings), prediction, references, language, view)
        return query, "" if is_whole else notes_html([say(language, "linkTooLong")], language)


def _text_box(wording: Wording, key: str, info: str, text: str) -> gr.Textbox:
    """A box for texts; key and info are those of its words."""
    box = gr.Textbox(text, lines=5, max_lines=12, label=say("en", key), info=say("en", info), elem_id=f"try-{key}")
    return wording.add(box, label=key, info=info)


def render_try(
    prediction: str, references: str, choice: Choice, view: str, language: str
) -> tuple[str, str, str, str, str]:
    """Messages, scores, the pair, the signature and the Python lines; only a message where nothing was scored."""
    try:
        texts = split_references(references)
        scored = score_pair(prediction, texts, choice, language)
        explanation, found = explain_view(choice.rouge(), prediction, texts, view)
        return (
            notes_html(scored.notes, language),
            scores_html(scored, language) + meanings_html(list(scored.explanation.types), language),
            pair_html(explanation, found, language),
            scored.signature,
            scored.python,
        )
    except Exception as error:  # Gradio would log the traceback, with the texts in it
        return message_html(error, language), "", "", "", ""
