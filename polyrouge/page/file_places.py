"""What happens when files come and go: they are kept, their columns found, and the scores of others forgotten."""

from __future__ import annotations

from typing import Any

import gradio as gr

from polyrouge.page.file_views import mapping_of_files
from polyrouge.page.sessions import Session, SessionStore
from polyrouge.page.tables import message_html
from polyrouge.page.uploads import keep_upload, read_columns, remove_upload
from polyrouge.shipped_files import shipped_file


class FilePlaces:
    """The uploaded files. Each method gives a note, what can be chosen, a status and the frame of the report.

    Args:
        store: where files and scores are kept.
    """

    def __init__(self, store: SessionStore) -> None:
        self._store = store

    def uploaded(self, paths: list[str] | None, language: str, request: gr.Request) -> tuple[Any, ...]:
        """Keep uploaded files beside those that are there; gives the emptied upload first."""
        if not paths:
            return (gr.skip(),) * 10
        session = self._store.get(request.session_hash)
        refused = "".join(_kept(path, session, language) for path in paths)
        note, *rest = self._mapped(session, language)
        return (None, refused + note if session.files or not refused else refused, *rest)

    def example(self, language: str, request: gr.Request) -> tuple[Any, ...]:
        """Take the example in place of all files."""
        session = self._store.get(request.session_hash)
        name = "zh_news.jsonl" if language == "zh" else "en_news.jsonl"
        for each in list(session.files):
            remove_upload(session, each)
        copy = session.path(name)
        copy.write_bytes(shipped_file("examples", name).read_bytes())
        session.files[name] = copy
        return self._mapped(session, language)

    def remove(self, language: str, request: gr.Request) -> tuple[Any, ...]:
        """Remove all files, and what was scored."""
        self._store.get(request.session_hash).forget_job()
        self._store.drop(request.session_hash)
        return (*mapping_of_files({}, language), "", "")

    @staticmethod
    def _mapped(session: Session, language: str) -> tuple[Any, ...]:
        """The note, what can be chosen, and nothing of the scores of other files."""
        session.forget_job()
        return (*mapping_of_files(session.files, language), "", "")


def _kept(path: str, session: Session, language: str) -> str:
    """Keep an uploaded file; returns why that was refused, or ""."""
    try:
        kept = keep_upload(path, session)
        try:
            read_columns(kept)
        except Exception:
            remove_upload(session, kept.name)
            raise
    except Exception as error:  # Gradio would log the traceback
        return message_html(error, language)
    return ""
