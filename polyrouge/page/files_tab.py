"""The tab for files: upload them, choose their columns, score; it shows the report, and gives it for download."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import gradio as gr

from polyrouge.files.slices import NO_SLICES
from polyrouge.page.choices import settings_query
from polyrouge.page.controls import FILE_LANE, PRIVATE, UPLOAD_LANE, SettingControls, Wording
from polyrouge.page.job import CancelledError, Mapping, Step
from polyrouge.page.limits import LIMITS
from polyrouge.page.score_views import means_html, message_html, notes_html
from polyrouge.page.strangers import address_of
from polyrouge.page.visitor import VISITORS, Scored, Visitor
from polyrouge.page.wording import LANGUAGES, example_text, page_asset, page_texts, say, say_note, soft_html

_TYPES = [".jsonl", ".json", ".csv", ".tsv", ".parquet", ".arrow", ".gz"]
_LONGEST_NAME = 80  # of a file, in a link


def visitor_of(request: gr.Request) -> Visitor:
    """Return who has sent a request."""
    return VISITORS.visitor(request.session_hash or "", address_of(request))


def of_visitor(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Return a handler that gets the visitor first."""

    def call(request: gr.Request, *values: Any) -> Any:
        return handler(visitor_of(request), *values)

    return call


class FilesTab:
    """Builds the tab and wires it."""

    def __init__(self, wording: Wording, language: gr.Radio) -> None:
        gr.HTML(asked_html(), elem_id="file-asked")
        upload = gr.File(file_types=_TYPES, file_count="multiple", height=150, elem_id="file-upload")
        wording.add(upload, label="upload")
        self.note = gr.HTML(file_note(Visitor(), "en"), elem_id="file-note")
        with gr.Row(elem_id="file-buttons"):
            example = wording.add(_small_button("file-example"), value="exampleFile")
            remove = wording.add(_small_button("file-remove"), value="removeFiles")
        wording.add(gr.Markdown(limits_note("en"), elem_id="file-limits"), value=limits_note)
        # page.css hides what is of no use yet, here and below: a component that Gradio draws for the first time
        # sometimes misses what is sent to it meanwhile.
        with gr.Column(elem_id="file-controls"):
            # ``Visitor`` checks the names: Gradio would look them up in choices that it may have forgotten.
            any_value: dict[str, Any] = {"allow_custom_value": True}
            files = wording.add(
                gr.Dropdown([], value=[], multiselect=True, visible=False, **any_value), label="systemFiles"
            )
            self._mapping = [files]
            for row in (("columnPrediction", "columnReferences"), ("columnId", "columnSource", "columnSlices")):
                with gr.Row():
                    for key in row:
                        column = gr.Dropdown([], multiselect=key not in ("columnId", "columnSource"), **any_value)
                        self._mapping.append(wording.add(column, label=key, info=f"{key}Info"))
            self.controls = SettingControls(wording, "file")
            self.controls.add_rest()
            with gr.Row():
                run = wording.add(gr.Button(variant="primary", elem_id="file-run", scale=0), value="run")
                cancel = wording.add(_small_button("file-cancel"), value="cancel")
                self.status = gr.HTML(elem_id="file-status")
        self.report = wording.add(gr.DownloadButton(size="sm", elem_id="file-report"), label="reportFile")
        self.frame = gr.HTML(elem_id="file-frame", js_on_load=page_asset("report_frame.js"))
        self.rerendered = [self.note, self.status]
        shown = [self.note, *self._mapping, self.status, self.frame]
        uploads: dict[str, Any] = {**PRIVATE, **UPLOAD_LANE}
        upload.upload(of_visitor(self._uploaded), [language, upload], [*shown, upload], **uploads)
        example.click(of_visitor(self._example), language, shown, **uploads)
        remove.click(of_visitor(self._remove), language, shown, **PRIVATE)
        # The page sends it with what there is to score: when its turn comes, a later job may wait already.
        number = gr.Number(visible=False)
        begun = run.click(of_visitor(self._begin), language, [number, self.status, self.frame], queue=False, **PRIVATE)
        inputs = [language, number, *self._mapping, *self.controls.components]
        outputs = [self.status, self.frame, self.report]
        scoring = begun.then(
            self._scored, inputs, outputs, trigger_mode="multiple", show_progress="hidden", **PRIVATE, **FILE_LANE
        )
        scoring.then(None, js="() => goToReport()", **PRIVATE)
        cancel.click(of_visitor(self._cancel), language, self.status, queue=False, **PRIVATE)

    @staticmethod
    def rerender(visitor: Visitor, language: str) -> tuple[str, Any]:
        """Note and status in another language; the report follows the page by itself."""
        status = gr.skip() if visitor.scored is None else result_html(visitor.scored, language)
        return file_note(visitor, language), status

    @staticmethod
    def _uploaded(visitor: Visitor, language: str, paths: Sequence[str]) -> tuple[Any, ...]:
        """Add uploaded files to those that are there, and empty the upload."""
        visitor.cancel()
        refused = "".join(_refusal(visitor, Path(path), language) for path in paths)
        note, *columns = mapping_of(visitor, language)
        return (refused + note if visitor.files or not refused else refused, *columns, "", "", None)

    @staticmethod
    def _example(visitor: Visitor, language: str) -> tuple[Any, ...]:
        """Take the example in place of all files."""
        visitor.leave()
        copy = visitor.folder / "example" / ("zh_news.jsonl" if language == "zh" else "en_news.jsonl")
        copy.parent.mkdir()
        copy.write_text(example_text(copy.name), encoding="utf-8")
        visitor.add(copy)
        shutil.rmtree(copy.parent)
        return (*mapping_of(visitor, language), "", "")

    @staticmethod
    def _remove(visitor: Visitor, language: str) -> tuple[Any, ...]:
        """Remove all files, and what was scored."""
        visitor.leave()
        return (*mapping_of(visitor, language), "", "")

    @staticmethod
    def _begin(visitor: Visitor, language: str) -> tuple[int, str, str]:
        """Begin a job in place of the one before; it may have to wait."""
        number = visitor.begin()
        return number, _status_html(say(language, "waiting"), is_busy=True), ""

    def _scored(self, request: gr.Request, *values: Any) -> Iterator[dict[Any, Any]]:
        """Score for who asks.

        Gradio sends what came last once more at the end, when its visitor may have removed it: so that is nothing.
        """
        yield from self._run(visitor_of(request), *values)
        yield {self.status: gr.skip()}

    def _run(self, visitor: Visitor, language: str, number: int, *values: Any) -> Iterator[dict[Any, Any]]:
        """Score; yields what each component shows."""
        files, predictions, references, identity, source, slices, *settings = values
        mapping = Mapping(predictions or (), references or (), identity or "", source or "", slices or (), files or ())
        means = ""  # which stay, should the report take too long
        try:
            for step in visitor.score(number, mapping, SettingControls.read(settings)):
                if isinstance(step, Step):
                    means = means_html(step.means, language) if step.means else means
                    yield {self.status: step_html(step, language) + means}
                else:
                    status = result_html(step, language)
                    yield {self.status: status, self.frame: frame_html(step), self.report: str(step.report)}
        except CancelledError as error:  # again: a step may have been under way
            if not visitor.is_busy:
                yield {self.status: notes_html([error.sentence(language)], language)}
        except Exception as error:  # Gradio would log the traceback, with texts in it
            left_out = soft_html(language, "meansOnly") + means if means else ""
            yield {self.status: message_html(error, language) + left_out, self.frame: ""}

    @staticmethod
    def _cancel(visitor: Visitor, language: str) -> Any:
        """Stop the job that waits or runs; nothing to do where it has just ended."""
        if not visitor.is_busy:
            return gr.skip()
        visitor.cancel()
        return notes_html([say(language, "cancelled")], language)


def _refusal(visitor: Visitor, upload: Path, language: str) -> str:
    """Add an upload; "", or why it was refused."""
    try:
        visitor.add(upload)
    except Exception as error:  # Gradio would log the traceback
        return message_html(error, language)
    return ""


def limits_note(language: str) -> str:
    """Say what can be uploaded, how much of it, and for how long it is kept, as Markdown."""
    return say(language, "uploadInfo", **asdict(LIMITS))


def file_note(visitor: Visitor, language: str, guessed: Mapping | None = None) -> str:
    """Say what was uploaded, and whether its columns could be guessed."""
    if not visitor.files:
        return soft_html(language, "noFile")
    lines = [
        say(
            language,
            "fileLoaded",
            name=file.name,
            format=file.format,
            columns=say(language, "listComma").join(file.columns[:30]),
        )
        for file in visitor.files.values()
    ]
    lines += [say_note(language, note) for file in visitor.files.values() for note in file.notes]
    if guessed is not None:
        lines.append(say(language, "fileGuess" if guessed.predictions else "fileNoGuess"))
    return '<div class="pr-info" role="status">' + "<br>".join(map(escape, lines)) + "</div>"


def mapping_of(visitor: Visitor, language: str) -> tuple[Any, ...]:
    """Return the note on the files, and what can be chosen as files and columns, with what was guessed."""
    files = list(visitor.files)
    first = next(iter(visitor.files.values()), None)
    guessed = first.guess if first else Mapping()
    columns, texts = (first.columns, first.text_columns) if first else ([], [])
    none = (say(language, "none"), "")
    predictions = guessed.predictions[:1] if len(files) > 1 else guessed.predictions  # each file is a system
    return (
        file_note(visitor, language, guessed),
        gr.update(choices=files, value=files, visible=len(files) > 1),
        gr.update(choices=texts, value=list(predictions)),
        gr.update(choices=texts, value=list(guessed.references)),
        gr.update(choices=[none, *columns], value=guessed.id),
        gr.update(choices=[none, *texts], value=guessed.source),
        gr.update(choices=[(say(language, "noSlices"), NO_SLICES), *columns], value=[]),
    )


def step_html(step: Step, language: str) -> str:
    """Return how far a job is."""
    percent = 100 * step.done // step.of if step.of else 0
    sentence = say(language, f"step{step.stage.title()}", done=step.done, of=step.of, percent=percent)
    return _status_html(sentence, is_busy=True)


def _small_button(name: str) -> gr.Button:
    return gr.Button(size="sm", scale=0, min_width=120, elem_id=name)


def _status_html(text: str, *, is_busy: bool = False) -> str:
    return f'<p class="pr-soft{" pr-busy" if is_busy else ""}" role="status">{escape(text)}</p>'


def result_html(scored: Scored, language: str) -> str:
    """That it is scored, and what should be noted."""
    status = say(language, "resultStatus", rows=scored.n_rows, systems=len(scored.names))
    return _status_html(status) + notes_html(scored.notes, language)


def frame_html(scored: Scored) -> str:
    """Where ``report_frame.js`` puts the report."""
    link = [("report", scored.key), *(("file", name[:_LONGEST_NAME]) for name in scored.files)]
    link += [("rows", str(scored.n_rows)), ("settings", urlencode(settings_query(scored.choice)))]
    data = {"file": str(scored.report), "key": scored.key, "link": urlencode(link)}
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    return f'<div class="pr-report" {attributes}></div>'


def asked_html() -> str:
    """Where ``report_frame.js`` says which files a link opens or belongs to; it has its words in both languages."""
    kinds = ("report", "asked", "data", "copied", "linkYourself", "unknownFormat", "limitSystems")
    keys = [key for key in page_texts() if key.startswith(kinds)]
    words = {language: {key: say(language, key) for key in keys} for language in LANGUAGES}
    limits = {"megabytes": LIMITS.file_megabytes, "systems": LIMITS.systems, "types": " ".join(_TYPES)}
    data = {"words": json.dumps(words, ensure_ascii=False), **limits}
    attributes = " ".join(f'data-{name}="{escape(str(value))}"' for name, value in data.items())
    return f'<div class="pr-data" role="status"></div><div class="pr-asked" role="status" {attributes}></div>'
