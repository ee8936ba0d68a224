"""The tab for files: upload them, choose their columns, score; it shows the report, and gives it for download."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import gradio as gr

from polyrouge.page.controls import SettingControls, Wording
from polyrouge.page.file_places import FilePlaces
from polyrouge.page.file_views import (
    asked_html,
    file_note,
    found_columns,
    frame_html,
    limits_note,
    result_html,
    soft_html,
    step_html,
)
from polyrouge.page.files import FileJob, score_files
from polyrouge.page.limits import LIMITS
from polyrouge.page.sessions import Session, SessionStore
from polyrouge.page.steps import Step
from polyrouge.page.tables import message_html, notes_html
from polyrouge.page.texts import page_asset, say
from polyrouge.page.uploads import Mapped

_TYPES = [".jsonl", ".json", ".csv", ".tsv", ".parquet", ".arrow", ".gz"]
_PRIVATE = {"api_visibility": "private"}
_TO_RESULTS = """() => {
  const status = document.getElementById("file-status");
  const place = status?.getBoundingClientRect();
  if (place && (place.top < 0 || place.bottom > innerHeight / 2)) status.scrollIntoView({ block: "start" });
}"""
_QUICK = {**_PRIVATE, "concurrency_limit": LIMITS.quick_jobs, "concurrency_id": "quick"}


class UploadTab:
    """Builds the tab and wires it.

    Args:
        wording: its texts are added to it.
        language: the component that holds the language.
        store: where files and scores are kept.
    """

    def __init__(self, wording: Wording, language: gr.Radio, store: SessionStore) -> None:
        self._store = store
        self._language = language
        gr.HTML(asked_html(), elem_id="file-asked", js_on_load=page_asset("asked_report.js"))
        wording.add(gr.Markdown(limits_note("en"), elem_id="file-limits"), value=limits_note)
        upload = wording.add(
            gr.File(
                label=say("en", "upload"),
                file_types=_TYPES,
                file_count="multiple",
                height=130,
                elem_id="file-upload",
            ),
            label="upload",
        )
        self.note = gr.HTML(file_note({}, "en"), elem_id="file-note")
        with gr.Row():
            example = wording.add(
                gr.Button(say("en", "exampleFile"), size="sm", elem_id="file-example"), value="exampleFile"
            )
            remove = wording.add(
                gr.Button(say("en", "removeFiles"), size="sm", elem_id="file-remove"), value="removeFiles"
            )
        self._mapping(wording)
        self.controls = SettingControls(wording, "file")
        with gr.Row():
            run = wording.add(gr.Button(say("en", "run"), variant="primary", elem_id="file-run"), value="run")
            cancel = wording.add(gr.Button(say("en", "cancel"), elem_id="file-cancel"), value="cancel")
        self.status = gr.HTML(elem_id="file-status")
        self._results(wording)
        self.rerendered = [self.note, self.status]
        self._wire(upload, example, remove, run, cancel)

    def _mapping(self, wording: Wording) -> None:
        """Build what says which files and columns are what."""
        self.files = wording.add(
            gr.Dropdown([], value=[], label=say("en", "systemFiles"), multiselect=True, visible=False),
            label="systemFiles",
        )
        self.columns = []
        for row in (
            (
                ("columnPrediction", "columnPredictionInfo", True),
                ("columnReferences", "columnReferencesInfo", True),
                ("columnId", "columnIdInfo", False),
            ),
            (("columnSource", "columnSourceInfo", False), ("columnSlices", "columnSlicesInfo", True)),
        ):
            with gr.Row():
                for key, info, several in row:
                    column = gr.Dropdown([], label=say("en", key), info=say("en", info), multiselect=several)
                    self.columns.append(wording.add(column, label=key, info=info))

    def _results(self, wording: Wording) -> None:
        """Build what is shown after scoring."""
        # page.css hides it while there is no report. It is drawn from the start, because a component that Gradio
        # draws for the first time sometimes misses what is sent to it meanwhile.
        with gr.Row(elem_id="file-results"):
            self.report = wording.add(
                gr.DownloadButton(say("en", "reportFile"), size="sm", elem_id="file-report"), label="reportFile"
            )
        self.frame = gr.HTML(elem_id="file-frame", js_on_load=page_asset("report_frame.js"))

    def _wire(self, upload: Any, example: Any, remove: Any, run: Any, cancel: Any) -> None:
        places = FilePlaces(self._store)
        mapping = [self.files, *self.columns]
        found = [self.note, *mapping, self.status, self.frame]
        upload.upload(places.uploaded, [upload, self._language], [upload, *found], **_QUICK)
        example.click(places.example, self._language, found, **_QUICK)
        remove.click(places.remove, self._language, found, **_QUICK)
        begun = run.click(self._begin, self._language, [self.status, self.frame], queue=False, **_PRIVATE)
        begun.then(
            self._run,
            [*mapping, *self.controls.components, self._language],
            [self.status, self.frame, self.report],
            trigger_mode="multiple",
            show_progress="hidden",
            concurrency_limit=LIMITS.file_jobs,
            concurrency_id="files",
            **_PRIVATE,
        ).then(None, js=_TO_RESULTS, api_visibility="private")
        cancel.click(self._cancel, self._language, [self.status, self.frame], queue=False, **_PRIVATE)

    def rerender(self, language: str, request: gr.Request) -> tuple[str, Any]:
        """Note and status in another language; the report follows the page by itself."""
        session = self._store.get(request.session_hash)
        note = file_note(found_columns(session.files), language)
        return note, gr.skip() if session.job is None else result_html(session.job, language)

    def _begin(self, language: str, request: gr.Request) -> tuple[str, str]:
        """Begin a job in place of the one before; it may have to wait."""
        self._store.get(request.session_hash).begin_job()
        return soft_html(say(language, "waiting")), ""

    def _run(self, request: gr.Request, *values: Any) -> Iterator[dict[Any, Any]]:
        """Score; yields what each component shows."""
        files, predictions, references, identity, source, slices, *settings, language = values
        several = (tuple(predictions or ()), tuple(references or ()))
        mapped = Mapped(*several, identity or "", source or "", tuple(slices or ()), tuple(files or ()))
        session = self._store.get(request.session_hash)
        turn = session.turn
        try:
            if session.is_running:  # else it was cancelled while it waited
                with closing(score_files(session, mapped, SettingControls.read(settings))) as steps:
                    for step in steps:
                        if session.turn != turn:
                            break
                        yield from self._shown(step, session, turn, language)
            if (
                session.turn != turn and not session.is_running
            ):  # said once more, as an earlier message may have come after it
                yield {self.status: notes_html([say(language, "cancelled")], language), self.frame: ""}
        except Exception as error:  # Gradio would log the traceback, with texts in it
            yield {self.status: message_html(error, language), self.frame: ""}
        finally:
            session.end_job(turn)

    def _shown(self, step: Step | FileJob, session: Session, turn: int, language: str) -> Iterator[dict[Any, Any]]:
        """How far it is, or the report."""
        if isinstance(step, Step):
            yield {self.status: step_html(step, language)}
        elif not session.keep_job(turn, step):
            step.delete()
        else:
            yield {
                self.status: result_html(step, language),
                self.frame: frame_html(step),
                self.report: str(step.report),
            }

    def _cancel(self, language: str, request: gr.Request) -> tuple[Any, Any]:
        """Stop the job that waits, runs, or is being shown."""
        if not self._store.get(request.session_hash).cancel_job():
            return notes_html([say(language, "nothingToCancel")], language), gr.skip()
        return notes_html([say(language, "cancelled")], language), ""
