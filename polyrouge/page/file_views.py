"""What the tab for files says of them: a note, their columns, how far a job is, and where its report stands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import gradio as gr

from polyrouge.files.slice_columns import NO_SLICES
from polyrouge.page.choices import settings_query
from polyrouge.page.files import FileJob
from polyrouge.page.limits import LIMITS
from polyrouge.page.steps import Step
from polyrouge.page.tables import notes_html
from polyrouge.page.texts import LANGUAGES, say, say_note
from polyrouge.page.uploads import FileColumns, Mapped, guess_columns, read_columns

_LONGEST_NAME = 80  # of a file, in a link
_STEPS = {
    "reading": "stepReading",
    "scoring": "stepScoring",
    "comparing": "stepComparing",
    "sources": "stepSources",
    "slices": "stepSlices",
    "writing": "stepWriting",
    "examining": "stepExamining",
}
_FRAME_WORDS = (
    "reportTitle", "reportLoading", "reportGone", "reportFill", "reportShrink", "reportLink", "reportLinkHolds",
    "reportLinkCopied", "reportLinkYourself", "reportLinkLong",
)  # fmt: skip
_ASKED_WORDS = ("askedFiles", "askedShown", "askedOther")


def limits_note(language: str) -> str:
    """What can be uploaded, how much of it, and for how long it is kept, as Markdown."""
    return say(
        language,
        "uploadInfo",
        megabytes=LIMITS.file_megabytes,
        rows=LIMITS.rows,
        systems=LIMITS.systems,
        all=LIMITS.all_megabytes,
        characters=LIMITS.million_characters,
        text=LIMITS.file_text,
        seconds=LIMITS.seconds,
        minutes=LIMITS.idle_seconds // 60,
    )


def file_note(found: Mapping[str, FileColumns], language: str, guessed: Mapped | None = None) -> str:
    """What was uploaded, and whether its columns could be guessed."""
    if not found:
        return f'<p class="pr-soft">{escape(say(language, "noFile"))}</p>'
    lines = [
        say(language, "fileLoaded", name=each.name, format=each.format, columns=", ".join(each.columns[:30]))
        for each in found.values()
    ]
    lines += [say_note(language, note) for each in found.values() for note in each.notes]
    if guessed is not None:
        lines.append(say(language, "fileGuess" if guessed.predictions else "fileNoGuess"))
    return '<div class="pr-info" role="status">' + "<br>".join(map(escape, lines)) + "</div>"


def options_of(found: Mapping[str, FileColumns], guessed: Mapped, language: str) -> list[Any]:
    """Updates of the list of files and of the lists of columns."""
    first = next(iter(found.values()), None)
    texts = first.text_columns if first else []
    none = (say(language, "none"), "")
    return [
        gr.update(choices=list(found), value=list(found), visible=len(found) > 1),
        gr.update(choices=texts, value=list(guessed.predictions)),
        gr.update(choices=texts, value=list(guessed.references)),
        gr.update(choices=[none, *(first.columns if first else [])], value=guessed.id),
        gr.update(choices=[none, *texts], value=guessed.source),
        gr.update(choices=[(say(language, "noSlices"), NO_SLICES), *(first.columns if first else [])], value=[]),
    ]


def found_columns(files: Mapping[str, Path]) -> dict[str, FileColumns]:
    """The columns of the files that are there, by their name."""
    return {name: read_columns(path) for name, path in files.items() if path.exists()}


def mapping_of_files(files: Mapping[str, Path], language: str) -> tuple[Any, ...]:
    """The note on the files, and the columns guessed."""
    found = found_columns(files)
    first = next(iter(found), None)
    guessed = guess_columns(found[first], files[first]) if first is not None else Mapped()
    if len(found) > 1:  # each file is a system
        guessed = guessed._replace(predictions=guessed.predictions[:1])
    return (file_note(found, language, guessed), *options_of(found, guessed, language))


def step_html(step: Step, language: str) -> str:
    """How far a job is."""
    percent = 100 * step.done // step.of if step.of else 0
    return soft_html(say(language, _STEPS[step.stage], done=step.done, of=step.of, percent=percent))


def soft_html(text: str) -> str:
    """A sentence on what happens."""
    return f'<p class="pr-soft" role="status">{escape(text)}</p>'


def result_html(job: FileJob, language: str) -> str:
    """That it is scored, and what should be noted."""
    said = say(language, "resultStatus", rows=job.n_rows, systems=len(job.names))
    return soft_html(said) + notes_html(job.notes, language)


def frame_html(job: FileJob) -> str:
    """Where ``report_frame.js`` puts the report, in words of both languages, as it follows the language by itself."""
    link = [("report", job.key), *(("file", name[:_LONGEST_NAME]) for name in job.files), ("rows", str(job.n_rows))]
    link.append(("settings", urlencode(settings_query(job.choice))))
    data = {"file": str(job.report), "key": job.key, "link": urlencode(link), "words": _words(_FRAME_WORDS)}
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    return f'<div class="pr-report" {attributes}></div>'


def asked_html() -> str:
    """Where ``asked_report.js`` says which files a link belongs to."""
    return f'<div class="pr-asked" role="status" data-words="{escape(_words(_ASKED_WORDS))}"></div>'


def _words(keys: Sequence[str]) -> str:
    return json.dumps({each: {key: say(each, key) for key in keys} for each in LANGUAGES}, ensure_ascii=False)
