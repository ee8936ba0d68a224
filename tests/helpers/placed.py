"""One text, read as ``read_texts`` reads it."""

from polyrouge import RunOptions
from polyrouge.counting.texts import read_texts
from polyrouge.explaining.explanation import placed_text
from polyrouge.inputs import Inputs, SingleReferences


def placed(text, settings, *, is_reference=False):
    """The text with its tokens and their places."""
    texts = read_texts([Inputs([text], SingleReferences([text]), "text")], settings, RunOptions())
    number = texts.references[0] if is_reference else texts.predictions[0, 0]
    return placed_text(texts.read, int(number), with_sentences=settings.text_rules.uses_sentences)
