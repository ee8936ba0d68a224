"""What the page shows of typed texts. Work that may be long is done in a process with limits, which needs no Gradio."""

import tempfile
import threading
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from polyrouge.page.choices import Choice, link_query
from polyrouge.page.highlight import pair_html
from polyrouge.page.job import Job
from polyrouge.page.limits import LIMITS
from polyrouge.page.score_views import (
    compare_all,
    conventions_html,
    link_html,
    message_html,
    more_html,
    notes_html,
    score_pair,
    scores_html,
    split_references,
)
from polyrouge.page.wording import PageError
from polyrouge.progress import Progress

_LONG_TEXTS = threading.BoundedSemaphore(LIMITS.jobs)


def show_try(prediction: str, references: str, choice: Choice, language: str) -> Sequence[str]:
    """Return what ``render_try`` returns, of strangers' texts."""
    try:
        return _limited(_try_job, prediction, references, choice, language)
    except PageError as error:
        return message_html(error, language), "", "", ""


def show_conventions(prediction: str, references: str, language: str) -> str:
    """Return what ``render_conventions`` returns, of strangers' texts."""
    try:
        return _limited(_conventions_job, prediction, references, language)
    except PageError as error:
        return message_html(error, language)


def _limited(work: Callable[..., Any], prediction: str, references: str, *rest: Any) -> Any:
    """Do the work here if it is short: it grows with the product of the lengths; else in a process with limits."""
    too_long = len(references) > LIMITS.pair + 100 * LIMITS.references  # which is refused at once
    if too_long or len(prediction) * len(references) <= LIMITS.quick_product:
        return work(None, prediction, references, *rest)
    if not _LONG_TEXTS.acquire(timeout=LIMITS.wait_seconds):
        raise PageError("busy")
    try:
        with tempfile.TemporaryDirectory(prefix="polyrouge-") as folder:
            limits = {"seconds": LIMITS.text_seconds, "wait": LIMITS.wait_seconds}
            job = Job(work, Path(folder), prediction, references, *rest, **limits)
            result: Any
            *_, result = job.steps()
        return result
    except RuntimeError as error:
        raise PageError("unexpected", kind=str(error)) from None
    finally:
        _LONG_TEXTS.release()


def _try_job(_progress: Progress | None, *arguments: Any) -> Sequence[str]:
    return render_try(*arguments)


def _conventions_job(_progress: Progress | None, *arguments: Any) -> str:
    return render_conventions(*arguments)


def render_try(prediction: str, references: str, choice: Choice, language: str) -> tuple[str, str, str, str]:
    """Messages, the pair, the scores, and what belongs to them; only a message where nothing was scored."""
    try:
        scored = score_pair(prediction, split_references(references), choice, language)
        return (
            notes_html(scored.notes, language),
            pair_html(scored.explanation, scored.scores, scored.names(), language),
            scores_html(scored, choice, language),
            more_html(scored, link_query(choice, prediction, references), language),
        )
    except Exception as error:  # Gradio would log the traceback, with the texts in it
        return message_html(error, language), "", "", ""


def render_conventions(prediction: str, references: str, language: str) -> str:
    """Return the texts of the first tab under all conventions, with a link that opens it."""
    try:
        rows = compare_all(prediction or "", split_references(references or ""), language)
    except Exception as error:  # Gradio would log the traceback, with the texts in it
        return message_html(error, language)
    link = link_html(link_query(Choice(), prediction, references), language, "&tab=conventions")
    return f'<p class="pr-quote">{escape(prediction)}</p>{link}{conventions_html(rows, language)}'
