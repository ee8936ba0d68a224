"""The tab for files: upload them, choose their columns, score, look at the samples, download the results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr

from polyrouge.page.choices import Choice
from polyrouge.page.controls import SettingControls, Wording
from polyrouge.page.downloads import write_page_report, write_results
from polyrouge.page.file_places import FilePlaces
from polyrouge.page.file_views import (
    charts_of_job,
    file_note,
    found_columns,
    means_of_job,
    pair_of_row,
    sample_rows,
    sample_table,
)
from polyrouge.page.files import FileJob, score_files
from polyrouge.page.limits import LIMITS
from polyrouge.page.sessions import Session, SessionStore
from polyrouge.page.tables import message_html, notes_html
from polyrouge.page.texts import PageError, say
from polyrouge.page.try_tab import view_choices
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
        limits = {"megabytes": LIMITS.file_megabytes, "rows": LIMITS.rows}
        wording.add(
            gr.Markdown(say("en", "uploadInfo", **limits)), value=lambda each: say(each, "uploadInfo", **limits)
        )
        with gr.Row():
            first = wording.add(
                gr.File(label=say("en", "upload"), file_types=_TYPES, height=130, elem_id="file-first"), label="upload"
            )
            second = wording.add(
                gr.File(label=say("en", "uploadOther"), file_types=_TYPES, height=130, elem_id="file-second"),
                label="uploadOther",
            )
        self.note = gr.HTML(file_note({}, "en"), elem_id="file-note")
        with gr.Row():
            example = wording.add(
                gr.Button(say("en", "exampleFile"), size="sm", elem_id="file-example"), value="exampleFile"
            )
            remove = wording.add(
                gr.Button(say("en", "removeFiles"), size="sm", elem_id="file-remove"), value="removeFiles"
            )
        with gr.Row():
            self.columns = [
                wording.add(gr.Dropdown([], value=None, label=say("en", key), multiselect=several), label=key)
                for key, several in (
                    ("columnPrediction", False),
                    ("columnReferences", True),
                    ("columnOther", False),
                    ("columnId", False),
                )
            ]
        self.controls = SettingControls(wording, "file")
        with gr.Row():
            run = wording.add(gr.Button(say("en", "run"), variant="primary", elem_id="file-run"), value="run")
            cancel = wording.add(gr.Button(say("en", "cancel"), elem_id="file-cancel"), value="cancel")
        self.status = gr.HTML(elem_id="file-status")
        self._results(wording)
        self.rerendered = [self.note, self.means, self.chart, self.samples, self.pair]
        self._wire(first, second, example, remove, run, cancel)

    def _results(self, wording: Wording) -> None:
        """Build what is shown after scoring."""
        self.means = gr.HTML(elem_id="file-means")
        # page.css hides it while there are no means. It is drawn from the start, because a component that Gradio
        # draws for the first time sometimes misses what is sent to it meanwhile.
        with gr.Column(elem_id="file-results"):
            self.chart_type = wording.add(
                gr.Radio([], label=say("en", "distributionType"), elem_id="file-chart-type"), label="distributionType"
            )
            self.chart = gr.HTML(elem_id="file-chart")
            wording.add(gr.Markdown(say("en", "samples")), value="samples")
            self.samples = gr.Dataframe(
                interactive=False, show_search="filter", max_height=420, elem_id="file-samples", buttons=[], wrap=False
            )
            with gr.Row():
                self.view = wording.add(
                    gr.Radio(view_choices("en"), value="rouge1", label=say("en", "shows"), elem_id="file-view"),
                    label="shows",
                    choices=view_choices,
                )
                self.system = wording.add(
                    gr.Radio([], label=say("en", "system"), visible=False, elem_id="file-system"), label="system"
                )
            self.pair = gr.HTML(elem_id="file-pair")
            self.row = gr.State(0)
            wording.add(gr.Markdown(say("en", "downloads")), value=lambda each: f"### {say(each, 'downloads')}")
            with gr.Row():
                self.downloads = [
                    gr.DownloadButton(name, size="sm", elem_id=f"file-{name.lower()}")
                    for name in ("CSV", "JSON", "LaTeX")
                ]
                self.write = wording.add(
                    gr.Button(say("en", "reportButton"), size="sm", elem_id="file-report"), value="reportButton"
                )
            self.report_status = gr.HTML(elem_id="file-report-status")
            self.report = wording.add(
                gr.File(label=say("en", "reportFile"), visible=False, interactive=False, elem_id="file-report-file"),
                label="reportFile",
            )

    def _wire(self, first: Any, second: Any, example: Any, remove: Any, run: Any, cancel: Any) -> None:
        places = FilePlaces(self._store)
        found = [self.note, *self.columns, self.status, self.means]
        first.upload(places.uploaded("first"), [first, self._language], [first, *found], **_QUICK)
        second.upload(places.uploaded("second"), [second, self._language], [second, *found], **_QUICK)
        example.click(places.example, self._language, found, **_QUICK)
        remove.click(places.remove, self._language, found, **_QUICK)
        shown = [self.means, self.chart_type, self.chart, self.samples, self.system, self.pair, self.row]
        shown += [*self.downloads, self.report, self.report_status]
        begun = run.click(self._begin, self._language, [self.status, self.means], queue=False, **_PRIVATE)
        begun.then(
            self._run,
            [*self.columns, *self.controls.components, self._language],
            [self.status, *shown],
            trigger_mode="multiple",
            show_progress="minimal",
            concurrency_limit=LIMITS.file_jobs,
            concurrency_id="files",
            **_PRIVATE,
        ).then(None, js=_TO_RESULTS, api_visibility="private")
        cancel.click(self._cancel, self._language, [self.status, self.means], queue=False, **_PRIVATE)
        self.chart_type.input(self._chart, [self.chart_type, self._language], self.chart, **_QUICK)
        of_row = [self.view, self.system, self._language]
        self.samples.select(self._select, of_row, [self.row, self.pair], show_progress="hidden", **_QUICK)
        for control in (self.view, self.system):
            control.input(self._pair, [self.row, *of_row], self.pair, show_progress="hidden", **_QUICK)
        self.write.click(
            self._report,
            self._language,
            [self.report_status, self.report],
            concurrency_limit=1,
            concurrency_id="report",
            **_PRIVATE,
        )

    def rerender(self, row: int, view: str, system: str, chart_type: str, language: str, request: gr.Request) -> tuple:
        """Note, means, chart, samples and pair in another language."""
        session = self._store.get(request.session_hash)
        note = file_note(found_columns(session.files), language)
        if session.job is None:
            return note, "", "", gr.skip(), ""
        job = session.job
        chart = self._chart(chart_type, language, request)
        return (
            note,
            means_of_job(job, language),
            chart,
            sample_table(job, language),
            pair_of_row(job, row, view, system, language),
        )

    def _begin(self, language: str, request: gr.Request) -> tuple[str, str]:
        """Begin a job in place of the one before; it may have to wait."""
        self._store.get(request.session_hash).begin_job()
        return _soft(say(language, "waiting")), ""

    def _run(self, request: gr.Request, *values: Any) -> Iterator[dict[Any, Any]]:
        """Score; yields what each component shows."""
        prediction, references, other, identity, *settings, language = values
        mapped = Mapped(prediction or "", tuple(references or ()), other or "", identity or "")
        session = self._store.get(request.session_hash)
        turn = session.turn
        try:
            if session.is_running:  # else it was cancelled while it waited
                for part in self._scored(session, turn, mapped, SettingControls.read(settings), language):
                    if session.turn != turn:
                        break
                    yield part
            if (
                session.turn != turn and not session.is_running
            ):  # said once more, as an earlier message may have come after it
                yield {self.status: notes_html([say(language, "cancelled")], language), self.means: ""}
        except Exception as error:  # Gradio would log the traceback, with texts in it
            yield {self.status: message_html(error, language), self.means: ""}
        finally:
            session.end_job(turn)

    def _scored(
        self, session: Session, turn: int, mapped: Mapped, choice: Choice, language: str
    ) -> Iterator[dict[Any, Any]]:
        for step in score_files(session, mapped, choice):
            if isinstance(step, int):
                yield {self.status: _soft(say(language, "progress", done=step))}
            elif session.keep_job(turn, step):
                yield from self._shown(step, session, language)

    def _cancel(self, language: str, request: gr.Request) -> tuple[Any, Any]:
        """Stop the job that waits, runs, or is being shown."""
        if not self._store.get(request.session_hash).cancel_job():
            return notes_html([say(language, "nothingToCancel")], language), gr.skip()
        return notes_html([say(language, "cancelled")], language), ""

    def _shown(self, job: FileJob, session: Session, language: str) -> Iterator[dict[Any, Any]]:
        """Show the means first, as they are fast; then the rest."""
        several = len(job.names) > 1
        worst = int(sample_rows(job)[0])
        said = _soft(say(language, "resultStatus", rows=len(job.references))) + notes_html(job.notes, language)
        yield {self.status: said, self.means: means_of_job(job, language)}
        yield {
            self.chart_type: gr.update(choices=list(job.types), value=job.types[0]),
            self.chart: charts_of_job(job, job.types[0], language),
            self.samples: sample_table(job, language),
            self.system: gr.update(
                choices=[(name, str(n)) for n, name in enumerate(job.names)], value="0", visible=several
            ),
            self.row: worst,
            self.pair: pair_of_row(job, worst, "rouge1", "0", language),
            self.report: gr.update(value=None, visible=False),
            self.report_status: "",
        }
        written = write_results(job, session)
        yield dict(zip(self.downloads, map(str, written.values()), strict=True))

    def _chart(self, name: str, language: str, request: gr.Request) -> str:
        job = self._store.get(request.session_hash).job
        if job is None:
            return message_html(PageError("goneResult"), language)
        return charts_of_job(job, name, language)

    def _select(
        self, view: str, system: str, language: str, event: gr.SelectData, request: gr.Request
    ) -> tuple[int, str]:
        row = int(event.row_value[0]) - 1 if event.row_value else 0
        return row, self._pair(row, view, system, language, request)

    def _pair(self, row: int, view: str, system: str, language: str, request: gr.Request) -> str:
        job = self._store.get(request.session_hash).job
        if job is None:
            return message_html(PageError("goneResult"), language)
        return pair_of_row(job, row, view, system, language)

    def _report(self, language: str, request: gr.Request) -> Iterator[tuple[str, Any]]:
        session = self._store.get(request.session_hash)
        yield _soft(say(language, "reportWorking")), gr.skip()
        try:
            if session.job is None:
                raise PageError(key="goneResult")
            yield "", gr.update(value=str(write_page_report(session.job, session)), visible=True)
        except Exception as error:  # Gradio would log the traceback
            yield message_html(error, language), gr.skip()


def _soft(text: str) -> str:
    return f'<p class="pr-soft" role="status">{text}</p>'
