"""The metric's notes in the readers' languages: of the report in Chinese, of the page in its own words."""

import functools
import json
from importlib import resources

from polyrouge.errors import Note


@functools.cache
def note_texts() -> dict[str, dict[str, str]]:
    """Return for each kind of note what it says.

    ``en`` is for the page; elsewhere the note's own English is read. ``zh`` is what was found; ``zh_page`` and
    ``zh_python`` say what to do, on the page and with the metric's settings.
    """
    text = (resources.files("polyrouge.report") / "assets" / "note_texts.json").read_text(encoding="utf-8")
    return json.loads(text)


def chinese_note(note: str) -> str:
    """Return a note in Chinese, with settings as in Python; in English where it has no translation."""
    if not isinstance(note, Note) or note.kind not in note_texts():
        return note
    texts = note_texts()[note.kind]
    return (texts["zh"] + texts.get("zh_python", "")).format(**note.values)
