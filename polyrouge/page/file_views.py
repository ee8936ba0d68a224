"""What the tab for files shows: a note on the files, their columns, means, samples and one pair."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr
import numpy as np
from numpy.typing import NDArray

from polyrouge.page.files import FileJob
from polyrouge.page.marks import pair_html
from polyrouge.page.scoring import explain_view
from polyrouge.page.tables import comparison_html, distribution_html, means_html, message_html
from polyrouge.page.texts import say, say_note
from polyrouge.page.uploads import FileColumns, Mapped, guess_columns, read_columns

_PREVIEW = 80


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
        lines.append(say(language, "fileGuess" if guessed.prediction else "fileNoGuess"))
    return '<div class="pr-info" role="status">' + "<br>".join(map(escape, lines)) + "</div>"


def options_of(found: FileColumns | None, guessed: Mapped, language: str) -> list[Any]:
    """Updates of the four lists of columns."""
    texts = found.text_columns if found else []
    none = (say(language, "none"), "")
    return [
        gr.update(choices=texts, value=guessed.prediction or None),
        gr.update(choices=texts, value=list(guessed.references)),
        gr.update(choices=[none, *texts], value=guessed.other),
        gr.update(choices=[none, *(found.columns if found else [])], value=guessed.id),
    ]


def sample_rows(job: FileJob) -> NDArray[np.int64]:
    """The rows in order: worst first by the first type, those that were left out last."""
    return np.argsort(job.fmeasures(0)[:, 0], kind="stable")


def sample_table(job: FileJob, language: str) -> Any:
    """An update of the table of samples: number, id, F of each type and system, the beginning of the text."""
    digits = 2 if job.rouge.settings.scale >= 10 else 4
    several = len(job.names) > 1
    columns = [np.round(job.fmeasures(system), digits) for system in range(len(job.names))]
    heads = [say(language, "row"), *([say(language, "id")] if job.ids else [])]
    for name in job.names:
        heads += [f"{each} ({_cut(name, 16)})" if several else each for each in job.types]
    heads.append(say(language, "prediction"))
    n_numbers = len(job.types) * len(job.names)
    rows = []
    for row in sample_rows(job).tolist():
        values = [None if np.isnan(value) else value for scores in columns for value in scores[row].tolist()]
        rows.append([row + 1, *job.ids[row : row + 1], *values, _cut(job.predictions[0][row], _PREVIEW)])
    shown = [
        [f"{value:.{digits}f}" if isinstance(value, float) else "–" if value is None else str(value) for value in row]
        for row in rows
    ]
    datatype = ["number", *(["str"] if job.ids else []), *["number"] * n_numbers, "str"]
    value = {"headers": heads, "data": rows, "metadata": {"display_value": shown, "styling": None}}
    return gr.update(value=value, datatype=datatype, column_count=len(heads))


def pair_of_row(job: FileJob, row: int, view: str, system: str, language: str) -> str:
    """One sample's texts with what they share."""
    number = int(system) if system and int(system) < len(job.names) else 0
    if not 0 <= row < len(job.references):
        return ""
    try:
        explanation, found = explain_view(job.rouge, job.predictions[number][row], job.references_of(row), view)
    except (ValueError, ModuleNotFoundError, FileNotFoundError) as error:
        return message_html(error, language)
    name = job.ids[row] if job.ids else f"{row + 1:,}"
    title = f"<h3>{escape(say(language, 'sample', name=name))}</h3>"
    names = [job.names[number]] if len(job.names) > 1 else []
    return title + pair_html(explanation, found, language, names)


def _cut(text: str, length: int) -> str:
    text = " ".join(text[: length * 4].split())
    return text if len(text) <= length else text[: length - 1] + "…"


def found_columns(files: Mapping[str, Path]) -> dict[str, FileColumns]:
    """The columns of the files that are there, by their place."""
    return {place: read_columns(path) for place, path in files.items() if path.exists()}


def mapping_of_files(files: Mapping[str, Path], language: str) -> tuple[Any, ...]:
    """The note on the files, and the columns guessed."""
    found = found_columns(files)
    first = found.get("first")
    guessed = guess_columns(first, files["first"]) if first is not None else Mapped()
    if "second" in found:
        guessed = guessed._replace(other="")
    return (file_note(found, language, guessed), *options_of(first, guessed, language))


def means_of_job(job: FileJob, language: str) -> str:
    """The means of each system, their comparison, and the signature."""
    scale = job.rouge.settings.scale
    results = dict(zip(job.names, job.results, strict=True))
    tables = means_html(results, job.types, scale, len(job.references), job.empty_texts, language)
    signature = f'<p class="pr-soft">{say(language, "signature")}: <code>{job.rouge.signature()}</code></p>'
    return tables + (comparison_html(job.comparison, scale, language) if job.comparison else "") + signature


def charts_of_job(job: FileJob, name: str, language: str) -> str:
    """The distribution of one type's scores, a chart for each system; of the first type if the name is unknown."""
    name = name if name in job.types else job.types[0]
    return "".join(
        distribution_html(job.fmeasures(system)[:, job.types.index(name)], job.rouge.settings.scale, title, language)
        for system, title in enumerate(job.names if len(job.names) > 1 else [name])
    )
