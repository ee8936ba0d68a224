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
    """The places for a first and a second file. Each method gives a note, four columns, a status and means.

    Args:
        store: where files and scores are kept.
    """

    def __init__(self, store: SessionStore) -> None:
        self._store = store

    def uploaded(self, place: str) -> Any:
        """Return a function that keeps an uploaded file in a place; it gives the emptied upload first."""

        def uploaded(path: str | None, language: str, request: gr.Request) -> tuple[Any, ...]:
            if path is None:
                return (gr.skip(),) * 8
            session = self._store.get(request.session_hash)
            try:
                kept = keep_upload(path, session, place)
                try:
                    read_columns(kept)
                except Exception:
                    remove_upload(session, place)
                    raise
            except Exception as error:  # Gradio would log the traceback
                return (None, message_html(error, language), *((gr.skip(),) * 6))
            return (None, *self._mapped(session, language))

        return uploaded

    def example(self, language: str, request: gr.Request) -> tuple[Any, ...]:
        """Take the example in place of all files."""
        session = self._store.get(request.session_hash)
        name = "zh_news.jsonl" if language == "zh" else "en_news.jsonl"
        for place in ("first", "second"):
            remove_upload(session, place)
        copy = session.path(name)
        copy.write_bytes(shipped_file("examples", name).read_bytes())
        session.files["first"] = copy
        return self._mapped(session, language)

    def remove(self, language: str, request: gr.Request) -> tuple[Any, ...]:
        """Remove all files, and what was scored."""
        self._store.get(request.session_hash).cancel_job()
        self._store.drop(request.session_hash)
        return (*mapping_of_files({}, language), "", "")

    @staticmethod
    def _mapped(session: Session, language: str) -> tuple[Any, ...]:
        """The note, the columns, and nothing of the scores of other files."""
        session.cancel_job()
        session.job = None
        return (*mapping_of_files(session.files, language), "", "")
